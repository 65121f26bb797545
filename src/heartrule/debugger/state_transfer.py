"""A session that stands in one text, put into another: what carries over, what begins again, and what does not.

Actions are the same where their ids are, else where their content is, else where what stands before and behind them is.
A question that waits goes on waiting only where its action has not changed by a word: an answer never comes under
another question. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from heartrule.engine.session.state import PastQuestion, PhaseFrame, PlannedTopic, State, TopicFrame
from heartrule.engine.work import identity
from heartrule.language.compiling.script import Script
from heartrule.language.nodes import Action, Skill, Topic

Body = Topic | Skill | None
Fate = Literal["same", "moved", "begins_again", "next", "gone", "dropped"]


class NotCarried(Exception):
    """The session cannot stand in the other text, and why (``code``, ``about``)."""

    def __init__(self, code: str, about: str) -> None:
        self.code, self.about = code, about
        super().__init__(f"{code}: {about}")


@dataclass(frozen=True, slots=True)
class TransferredPart:
    """What became of one part: ``what`` it is, its name, its ``fate``, and where it is now."""

    what: str
    name: str
    fate: Fate
    now: str = ""

    def plain(self) -> dict[str, Any]:
        return {"what": self.what, "name": self.name, "fate": self.fate, "now": self.now}


def carry(state: State, old: Script, new: Script) -> tuple[State, tuple[TransferredPart, ...]]:
    """``state``, which stands in ``old``, as it stands in ``new``. Raises ``NotCarried``."""
    moved = State.model_validate_json(state.model_dump_json())
    return moved, tuple(_Transfer(moved, old, new).all())


def matched(old: Sequence[Action], new: Sequence[Action]) -> list[int | None]:
    """For each of the old actions, which of the new ones it is."""
    found: list[int | None] = [None] * len(old)
    by_id = {each.id: index for index, each in enumerate(new) if each.id}
    for index, each in enumerate(old):
        twin = by_id.get(each.id) if each.id else None
        if twin is not None and new[twin].type == each.type:
            found[index] = twin
    _by_content(old, new, found)
    _by_neighbours(old, new, found)
    return found


def _by_content(old: Sequence[Action], new: Sequence[Action], found: list[int | None]) -> None:
    taken = {each for each in found if each is not None}
    olds = [index for index, each in enumerate(found) if each is None]
    news = [index for index in range(len(new)) if index not in taken]
    one, other = [content(old[index]) for index in olds], [content(new[index]) for index in news]
    for block in SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks():
        for step in range(block.size):
            found[olds[block.a + step]] = news[block.b + step]


def _by_neighbours(old: Sequence[Action], new: Sequence[Action], found: list[int | None]) -> None:
    """One that has changed, alone between two that have not: only where neither of the two has another id."""
    taken = {each for each in found if each is not None}
    for index, each in enumerate(old):
        if found[index] is not None:
            continue
        before = found[index - 1] if index else -1
        after = found[index + 1] if index + 1 < len(old) else len(new)
        if before is None or after is None or after - before != 2 or before + 1 in taken:
            continue
        twin = new[before + 1]
        if twin.type == each.type and not (each.id and twin.id):
            found[index] = before + 1
            taken.add(before + 1)


def content(action: Action) -> str:
    """All that is written of it but its id."""
    return f"{action.type} {action.model_dump_json(exclude={'id'})}"


class _Transfer:
    def __init__(self, state: State, old: Script, new: Script) -> None:
        self._state, self._old, self._new = state, old, new
        self._told: list[TransferredPart] = []

    def all(self) -> list[TransferredPart]:
        state = self._state
        if state.phase is not None:
            self._phase(state.phase)
        for frame in state.frames:
            self._frame(frame)
        state.asked = [each for each in state.asked if self._asked(each)]
        self._watching()
        self._beside()
        return self._told

    def _tell(self, what: str, name: str, fate: Fate, now: str = "") -> None:
        self._told.append(TransferredPart(what, name, fate, now))

    # where it stands

    def _phase(self, frame: PhaseFrame) -> None:
        index = self._index_of(frame.id)
        if index is None:
            raise NotCarried("phase-gone", frame.id)
        self._tell("phase", frame.id, "same" if index == frame.index else "moved", str(index + 1))
        before = self._old.session.phases[frame.index].topics
        frame.index = index
        topics = self._new.session.phases[index].topics
        kept = []
        for planned in frame.queue:
            known = planned.ref in (topics if planned.kind == "topic" else self._new.skills)
            if known:
                kept.append(planned)
            else:
                self._tell("planned", planned.ref, "dropped")
        frame.queue = kept
        self._newly_planned(frame, before, topics)
        if frame.then is not None and frame.then not in topics and self._index_of(frame.then) is None:
            self._tell("jump", frame.then, "dropped")
            frame.then = None

    def _newly_planned(self, frame: PhaseFrame, before: Mapping[str, Topic], topics: Mapping[str, Topic]) -> None:
        """Topics that the new text has behind the running one and the old one had not: they are planned where they
        stand."""
        added = [ref for ref in topics if ref not in before]
        done = {each.ref for each in frame.finished} | {each.ref for each in self._state.frames}
        order = list(topics)
        for ref in added:
            behind = [planned for planned in frame.queue if planned.ref in order[order.index(ref) :]]
            ahead = any(each in done for each in order[order.index(ref) + 1 :])
            if ref in done or ahead:
                self._tell("topic", ref, "next", "behind us")
                continue
            self._state.keys += 1
            new = PlannedTopic(key=f"t{self._state.keys}", kind="topic", ref=ref, name=topics[ref].topic)
            frame.queue.insert(frame.queue.index(behind[0]) if behind else len(frame.queue), new)
            self._tell("topic", ref, "next", "planned")

    def _index_of(self, phase: str) -> int | None:
        return next((i for i, each in enumerate(self._new.session.phases) if identity(each) == phase), None)

    def _bodies(
        self, kind: str, ref: str, stage: int | None = None
    ) -> tuple[Topic | Skill | None, Topic | Skill | None]:
        if kind == "skill":
            return self._old.skills.get(ref), self._new.skills.get(ref)
        phase = self._state.phase
        if stage is not None and stage < len(self._old.session.phases):
            name = identity(self._old.session.phases[stage])
        elif phase is not None:
            name = phase.id
        else:
            return None, None
        index = self._index_of(name)
        before = next((each for each in self._old.session.phases if identity(each) == name), None)
        after = self._new.session.phases[index] if index is not None else None
        return (before.topics.get(ref) if before else None), (after.topics.get(ref) if after else None)

    def _frame(self, frame: TopicFrame) -> None:
        old, new = self._bodies(frame.kind, frame.ref)
        what = "technique" if frame.kind == "skill" else "topic"
        if old is None or new is None:
            raise NotCarried(f"{what}-gone", frame.ref)
        self._tell(what, frame.ref, "same")
        where = matched(old.actions, new.actions)
        if frame.plan is not None:
            self._plan(frame, where)
            return
        action, count = frame.action, len(old.actions)
        if action is None:
            frame.next = _after(where, frame.next, count, len(new.actions))
            return
        index = where[action.index] if action.index < count else None
        if index is None:
            frame.action = None
            frame.next = _after(where, action.index, count, len(new.actions))
            self._tell("action", action.id, "gone", self._name(new, frame))
            return
        node = new.actions[index]
        name = node.id or f"{frame.ref}#{index + 1}"
        if content(node) != content(old.actions[action.index]) or (action.id != name and node.id):
            frame.action, frame.next = None, index
            self._tell("action", action.id, "begins_again", name)
            return
        self._tell("action", action.id, "same" if index == action.index and name == action.id else "moved", name)
        self._renamed(action.id, name, action.index, index)
        frame.next = index if frame.next == action.index else index + (frame.next - action.index)
        action.index, action.id = index, name

    def _name(self, body: Topic | Skill, frame: TopicFrame) -> str:
        if frame.next >= len(body.actions):
            return ""
        return body.actions[frame.next].id or f"{frame.ref}#{frame.next + 1}"

    def _plan(self, frame: TopicFrame, where: Sequence[int | None]) -> None:
        """A topic whose plan has been changed: each place is looked up; where one is lost, so is the plan."""
        assert frame.plan is not None
        for placed in frame.plan:
            if placed.written is None:
                continue
            index = where[placed.written] if placed.written < len(where) else None
            if index is None:
                raise NotCarried("plan-changed", frame.ref)
            placed.written = index
        self._tell("topic_plan", frame.ref, "same")

    def _renamed(self, was: str, name: str, old: int, new: int) -> None:
        state = self._state
        for each in state.rounds:
            if each.action == was:
                each.action, each.index = name, new
        if was in state.strategies:
            state.strategies[name] = state.strategies.pop(was)
            state.strategies[name].action = name

    def _asked(self, asked: PastQuestion) -> bool:
        """Whether words that come late can still find this question; it is the same word for word, or forgotten."""
        old, new = self._bodies(asked.kind, asked.ref, asked.stage)
        if old is None or new is None or asked.plan is not None or asked.index >= len(old.actions):
            self._tell("question", asked.action, "dropped")
            return False
        index = matched(old.actions, new.actions)[asked.index]
        if index is None or content(new.actions[index]) != content(old.actions[asked.index]):
            self._tell("question", asked.action, "dropped")
            return False
        asked.index, asked.action = index, new.actions[index].id or f"{asked.ref}#{index + 1}"
        stage = self._index_of(identity(self._old.session.phases[asked.stage]))
        asked.stage = stage if stage is not None else asked.stage
        return True

    # what watches, and what is beside

    def _watching(self) -> None:
        state, known = self._state, self._new.awareness
        for name in ("alerts", "periodic", "switched", "watched", "unsure"):
            held: dict[str, Any] = getattr(state, name)
            for ref in [each for each in held if each not in known]:
                del held[ref]
                self._tell("awareness", ref, "dropped")
        state.pending = [each for each in state.pending if each.awareness in known]

    def _beside(self) -> None:
        """Strategies and wishes for a change of plan belong to actions as they were."""
        state = self._state
        frames = {frame.action.id for frame in self._state.frames if frame.action is not None}
        for name in [each for each in state.strategies if each not in frames]:
            del state.strategies[name]
            self._tell("strategy", name, "dropped")
        if state.wanted is not None and state.wanted.action not in frames:
            self._tell("plan", state.wanted.action, "dropped")
            state.wanted = None


def _after(where: Sequence[int | None], at: int, old: int, new: int) -> int:
    """Where a topic goes on that would have gone on at ``at``: at that action, else at the first behind it that there
    still is, else behind the last before it."""
    for index in range(at, old):
        found = where[index]
        if found is not None:
            return found
    before = [each for each in where[:at] if each is not None]
    if at >= old and before and before[-1] == where[old - 1]:
        return before[-1] + 1
    return (max(before) + 1) if before else 0
