"""What a model proposes for the rest of a topic, held against what may be done to it. Code decides: whatever is not
allowed here is refused with its cause before anything has changed.

An action may be put in (``insert``), worded otherwise (``modify``), left out (``skip``), or what has not begun may be
put into another order (``reorder``). Numbers are those of the list that the model was shown: places in the topic's
plan, counted from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from heartrule.engine import topic_plan
from heartrule.engine.action_types import registry
from heartrule.engine.dialogue.fixed_wording import puts_a_question
from heartrule.engine.installed_types import traits_of
from heartrule.engine.session.state import PlannedAction, TopicFrame
from heartrule.engine.supervision import plan_words
from heartrule.engine.variables.reliance import Reliance
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, Skill, Topic
from heartrule.language.sentences import Sentences

PLANS = 3
"""Changes that may be made to one topic's plan; as many more may be declined before no more are asked for."""
INSERTED = 4
"""Actions that may be put into one topic."""
IN_SESSION = 12
"""Actions that may be put into all topics of a session."""
ROUNDS = 3
"""Rounds of an action that was put in, at most."""
MORE = 2
"""Rounds that an action may be given beyond those it is written with."""
LONGEST: Mapping[str, int] = {"content": 600, "question": 200, "exit": 200, "follow_up": 200, "goal": 200, "tone": 60}
"""Characters of a model's text, by field."""
ASKED = frozenset({"content", "question"})
"""What an action asks about: stays as long as its answer goes into a variable that has a meaning of its own."""
DEAF = "nobody would hear the answer to what a say asks"
_PUT_ALREADY = ("question",)
_ELSEWHERE = {"content_template": "content", "question_template": "question"}
_AFTER_CURRENT = (None, "", 0, "after_current", "before_next", "current", "now")


def new_types() -> list[str]:
    """The types of actions that may be put in."""
    return [name for name, kind in registry().items() if kind.traits.plan.new]


class Refused(Exception):
    """Why a change is not carried out, in words without content."""


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be done to a topic's plan. ``rounds``: the round that the running action ends after, at the latest.
    ``did``: what was proposed as it was understood."""

    plan: list[PlannedAction]
    did: Mapping[str, Any] = field(repr=False)
    rounds: int | None = None
    inserted: int = 0


def first_open(frame: TopicFrame) -> int:
    """Where the actions begin that have not begun."""
    return frame.next if frame.action is None else frame.action.index + 1


def spent(frame: TopicFrame) -> str:
    """Which budget has been used up; empty: none."""
    if frame.plan_changes >= PLANS:
        return f"more than {PLANS} plans for one topic"
    if frame.declined >= PLANS:
        return f"{PLANS} plans for this topic came to nothing"
    return ""


def change(work: Work, frame: TopicFrame, data: Mapping[str, Any]) -> Change:
    """Work a change out. Nothing is changed yet. Raises ``Refused``."""
    if why := spent(frame):
        raise Refused(why)
    body = work.body(frame)
    if body is None:
        raise Refused("the topic is no longer in the script")
    editor = _PlanEditor(work, frame, body)
    match data.get("action"):
        case "insert":
            return editor.insert(data.get("new_action"), data.get("target", data.get("target_position")))
        case "modify":
            return editor.modify(data.get("target", data.get("target_position")), data.get("modifications"))
        case "skip":
            return editor.skip(data.get("target", data.get("target_position")))
        case "reorder":
            return editor.reorder(data.get("order"))
    raise Refused("it is none of insert, modify, skip and reorder")


def allowed(work: Work, frame: TopicFrame, body: Topic | Skill, index: int) -> tuple[str, ...]:
    """What may be done to the action at a place."""
    return _PlanEditor(work, frame, body).allowed(index)


class _PlanEditor:
    def __init__(self, work: Work, frame: TopicFrame, body: Topic | Skill) -> None:
        self.work = work
        self.frame = frame
        self.body = body
        written = work.script_node(frame)
        assert written is not None
        self.written = written
        self.plan = list(frame.plan if frame.plan is not None else topic_plan.as_written(written))
        self.open = first_open(frame)
        self.running = frame.action.index if frame.action is not None else None
        self.rests = Reliance(work, frame, body)

    def allowed(self, index: int) -> tuple[str, ...]:
        action = self.body.actions[index]
        if (index < self.open and index != self.running) or self.rests.protected(action):
            return ()
        found = ["modify"] if _changed(action) else []
        found += ["skip"] if action.traits.plan.skipped and not self.rests.required(action) else []
        return (*found, "reorder") if index != self.running and action.traits.plan.moved else tuple(found)

    # the four kinds

    def insert(self, new: Any, target: Any) -> Change:
        if self.frame.inserted >= INSERTED:
            raise Refused(f"more than {INSERTED} actions put into one topic")
        if self.work.state.inserted >= IN_SESSION:
            raise Refused(f"more than {IN_SESSION} actions put in in one session")
        at = self.open if target in _AFTER_CURRENT and not isinstance(target, bool) else self._number(target) + 1
        if at < self.open:
            raise Refused("what comes after that place has begun")
        placed = PlannedAction(id=f"{self.frame.ref}+{self.frame.inserted + 1}", changes=self._new(new))
        plan = [*self.plan[:at], placed, *self.plan[at:]]
        return Change(plan, {"action": "insert", "at": at + 1, "id": placed.id, **placed.changes}, inserted=1)

    def _new(self, given: Any) -> dict[str, Any]:
        if not isinstance(given, Mapping):
            raise Refused("nothing is said of the new action")
        kind = given.get("type", given.get("action_type"))
        if not isinstance(kind, str) or not traits_of(kind).plan.new:
            raise Refused("no action of this type may be put in")
        fields = _spelled(given)
        if fields.pop("output", None):
            raise Refused("an action that is put in finds nothing out")
        self._only(fields, traits_of(kind).plan.new)
        if "content" not in fields:
            raise Refused("the new action has no content")
        for name in LONGEST.keys() & fields.keys():
            fields[name] = self._text(kind, name, fields[name])
        if "max_rounds" in fields:
            fields["max_rounds"] = self._rounds(fields["max_rounds"], 1, ROUNDS)
        elif traits_of(kind).asks:
            fields["max_rounds"] = ROUNDS - 1
        if not isinstance(fields.get("require_acknowledgment", True), bool):
            raise Refused("require_acknowledgment: yes or no")
        if traits_of(kind).says == "own" and puts_a_question(fields["content"]):
            raise Refused(DEAF)
        changes = {"type": kind, **fields}
        try:
            topic_plan.action(self.written, self.frame.ref, PlannedAction(id="+", changes=changes))
        except ValidationError as error:
            raise Refused(f"it is no action that a script could have: {error.error_count()} errors") from None
        return changes

    def modify(self, target: Any, given: Any) -> Change:
        index, action = self._touched(target)
        if not action.traits.plan.changed:
            raise Refused(f"no {action.type} may be worded otherwise")
        if not isinstance(given, Mapping) or not given:
            raise Refused("nothing is said of what to change")
        fields = _spelled(given)
        self._only(fields, action.traits.plan.changed)
        if _finds_out(action) and ASKED & fields.keys():
            raise Refused("its answer would stand under a name that means something else")
        fields = {name: self._modified(index, action, name, value) for name, value in fields.items()}
        rounds: int | None = fields.get("max_rounds")
        placed = self.plan[index].model_copy(update={"changes": {**self.plan[index].changes, **fields}})
        plan = [*self.plan[:index], placed, *self.plan[index + 1 :]]
        did = {"action": "modify", "target": index + 1, "id": self._id(index), **fields}
        return Change(plan, did, rounds=rounds if index == self.running else None)

    def _modified(self, index: int, action: Action, name: str, value: Any) -> Any:
        """One field as it may stand."""
        if name == "max_rounds":
            return self._more_rounds(index, action, value)
        if name not in LONGEST:
            if value is not False:
                raise Refused("required may only be taken off")
            self._unneeded(action)
            return value
        if index == self.running and (name in _PUT_ALREADY or action.traits.asks == "own"):
            raise Refused("its question has been put already")
        text = self._text(action.type, name, value)
        if action.traits.says == "own" and puts_a_question(text):
            raise Refused(DEAF)
        return text

    def skip(self, target: Any) -> Change:
        index, action = self._touched(target)
        if not action.traits.plan.skipped:
            raise Refused(f"no {action.type} may be left out")
        self._unneeded(action)
        did = {"action": "skip", "target": index + 1, "id": self._id(index)}
        if index == self.running:
            frame = self.frame.action
            assert frame is not None
            last = max(frame.round, _least(action))
            if frame.max_rounds is not None and last >= frame.max_rounds:
                raise Refused("it ends as soon anyway")
            return Change(self.plan, did, rounds=last)
        return Change([*self.plan[:index], *self.plan[index + 1 :]], did)

    def reorder(self, given: Any) -> Change:
        ahead = list(range(self.open, len(self.plan)))
        if not isinstance(given, list) or not all(isinstance(each, int) for each in given):
            raise Refused("no order is given")
        order = [each - 1 for each in given if not isinstance(each, bool)]
        if sorted(order) != ahead:
            raise Refused("the order does not name each action that is ahead once")
        if order == ahead:
            raise Refused("that is the order already")
        for place, later in enumerate(order):
            for earlier in (each for each in order[place + 1 :] if each < later):
                self._may_swap(earlier, later)
        return Change(
            [*self.plan[: self.open], *(self.plan[index] for index in order)],
            {"action": "reorder", "order": [index + 1 for index in order]},
        )

    def _may_swap(self, earlier: int, later: int) -> None:
        one, other = self.body.actions[earlier], self.body.actions[later]
        for action in (one, other):
            if not action.traits.plan.moved or self.rests.protected(action):
                raise Refused(f"nothing may change places with the {action.type} {self._id(self._at(action))}")
        if not self.rests.apart(one, other):
            raise Refused(f"{self._id(later)} rests on {self._id(earlier)}")

    # parts

    def _at(self, action: Action) -> int:
        return next(index for index, each in enumerate(self.body.actions) if each is action)

    def _id(self, index: int) -> str:
        return topic_plan.ids(self.body, self.frame.ref)[index]

    def _unneeded(self, action: Action) -> None:
        """Whatever lets an action end with nothing found out is refused alike where that is needed."""
        if name := self.rests.required(action):
            raise Refused(f"what it finds out is needed elsewhere: {name}")

    def _number(self, given: Any) -> int:
        """A place of the plan, from 0."""
        number = int(given) if isinstance(given, str) and given.isdecimal() and len(given) < 6 else given
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= len(self.plan):
            raise Refused("no action has that number")
        return number - 1

    def _touched(self, target: Any) -> tuple[int, Action]:
        index = self._number(target)
        if index < self.open and index != self.running:
            raise Refused("it has been gone through")
        action = self.body.actions[index]
        if why := self.rests.protected(action):
            raise Refused(why)
        return index, action

    @staticmethod
    def _only(fields: Mapping[str, Any], known: frozenset[str]) -> None:
        if extra := sorted(str(name)[:40] for name in fields.keys() - known):
            raise Refused(f"a plan may not set {', '.join(extra[:5])}")

    def _text(self, kind: str, name: str, given: Any) -> str:
        text = given.strip() if isinstance(given, str) else ""
        if not text or not _plain(text):
            raise Refused(f"{name} is no text")
        if len(text) > LONGEST[name]:
            raise Refused(f"{name} is longer than {LONGEST[name]} characters")
        checks, before, cut = self.work.world.script.checks, "", Sentences()
        for sentence in (*cut.feed(text), cut.rest):
            found = checks.objection(sentence, before)
            if found is not None:
                raise Refused(f"{name} may not be said: {found.code}")
            before += sentence
        found = checks.whole(text) if name in traits_of(kind).plan.shown else None
        if found is not None:
            raise Refused(f"{name} may not be said: {found.code}")
        if name == traits_of(kind).literal and (why := plan_words.objection(self.work, text)):
            raise Refused(f"{name} may not be said: {why}")
        return text

    @staticmethod
    def _rounds(given: Any, least: int, most: int) -> int:
        if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
            raise Refused(f"max_rounds is not within {least} to {most}")
        return given

    def _more_rounds(self, index: int, action: Action, given: Any) -> int:
        running = self.frame.action if index == self.running else None
        placed = self.plan[index]
        own = action if placed.written is None else self.written.actions[placed.written]
        limit = own.peek("max_rounds")
        if limit is None:
            raise Refused("it has no rounds of its own")
        least = max(_least(action), running.round + 1 if running is not None else 1)
        most = min(50, max(least, ROUNDS if placed.written is None else limit + MORE))
        rounds = self._rounds(given, least, most)
        if rounds < limit:
            self._unneeded(action)
        return rounds


def _finds_out(action: Action) -> bool:
    return bool(action.peek("output"))


def _changed(action: Action) -> frozenset[str]:
    """The fields of an action that may be changed."""
    known = action.traits.plan.changed
    return known - ASKED if _finds_out(action) else known


def _least(action: Action) -> int:
    """The rounds that its author wants it to have."""
    criteria = action.peek("exit_criteria")
    return max(1, action.peek("min_rounds") or 1, (criteria.min_rounds or 1) if criteria is not None else 1)


def _plain(text: str) -> bool:
    """Whether it can be written down: lines of characters, and no halves of any."""
    return all(line.isprintable() for line in text.splitlines())


def _spelled(given: Mapping[str, Any]) -> dict[str, Any]:
    """Fields under the names that they have here; what is empty is not said."""
    own = {_ELSEWHERE.get(str(name), str(name)): value for name, value in given.items()}
    return {name: value for name, value in own.items() if name not in ("type", "action_type") and value is not None}
