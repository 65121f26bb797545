"""Perception: what the person's words say beside the answer that the waiting action takes from them.

One call owns all of it, side by side with the safety judgement and the action's own: corrections of what is known,
answers to later questions, variables that are listened for, conditions that this turn can come to. It is made only
where there is something to perceive, and what it finds is applied in a fixed order, whatever arrived first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from heartrule.engine.awareness import hook_judgements
from heartrule.engine.awareness.awareness import enabled
from heartrule.engine.casefile import prompt_view, records
from heartrule.engine.casefile.known_facts import told_value
from heartrule.engine.extraction import asides
from heartrule.engine.extraction.extraction import NO_DENIAL, clears, kind
from heartrule.engine.extraction.listened_variables import ListenedVariable, by_rules, listened, note_skipped
from heartrule.engine.flow import Flow
from heartrule.engine.scheduling import foresight
from heartrule.engine.session.events import Perceived
from heartrule.engine.session.foreseen import Foreseen
from heartrule.engine.session.io import World
from heartrule.engine.session.moves import PersonInput
from heartrule.engine.session.state import CaseKind
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.tasks import checkpoint
from heartrule.engine.tasks.checkpoint import Call, Item, Judgement, Outcome, SaidValue, WantedValue
from heartrule.engine.tasks.conditions import text_of
from heartrule.engine.tasks.listener_view import newest, overheard
from heartrule.engine.tasks.prompt_context import fill, moment
from heartrule.engine.variables import scopes
from heartrule.engine.variables.definitions import is_on_demand
from heartrule.engine.variables.dependencies import lacking
from heartrule.engine.variables.evidence import alarming, gets, locate
from heartrule.engine.work import Work
from heartrule.language import placeholders, values
from heartrule.language.nodes import Action, VariableRules
from heartrule.locales import is_chinese

SHOWN = 6
"""Messages that the prompt shows at least, the newest; old ones leave it in blocks of as many, so that its beginning
stays the same for a while."""
DEFINED = 60
"""Chinese characters of the meaning of a variable that is listened for; an English one has three times as many."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What was heard, and the names that the waiting action finds out by itself. ``late``: the words belong to an
    earlier question. ``wanted``: the names that are looked for already. ``listened``: the variables that are listened
    for."""

    heard: PersonInput
    own: frozenset[str]
    late: bool = False
    wanted: frozenset[str] = frozenset()
    listened: tuple[ListenedVariable, ...] = ()


@dataclass(frozen=True, slots=True)
class CollectedItem:
    """An item, and what is done with what was found of it."""

    item: Item
    take: Callable[[Work, Outcome], None] = field(repr=False, compare=False)


Producer = Callable[[Work, Moment], Iterator[CollectedItem]]


def corrections(work: Work, moment: Moment) -> Iterator[CollectedItem]:
    """What is known already, and may be put right."""
    own = moment.own | {each.name for each in moment.listened}
    for name in asides.facts(work) if moment.heard.repair is None else ():
        rules = scopes.definition(work, name)[1]
        if name not in own and rules is not None and lacking(work, rules) is None:
            yield value(work, name, rules, "facts", "correction", asides.SHOWN)


def told_ahead(work: Work, moment: Moment) -> Iterator[CollectedItem]:
    """What a later question is going to ask for."""
    own = moment.own | {each.name for each in moment.listened}
    ahead = asides.later(work, own) if moment.heard.repair is None else {}
    for name, rules in ahead.items():
        if lacking(work, rules) is not None:
            continue
        yield value(work, name, rules, "later", "passive", asides.MEANT)


def passive(work: Work, moment: Moment) -> Iterator[CollectedItem]:
    """What is listened for, whatever was asked."""
    if moment.heard.repair is not None:
        return
    note_skipped(work)
    for each in moment.listened:
        if each.name not in moment.own:
            yield _passive(value(work, each.name, each.rules, "passive", "passive", DEFINED), each, moment.heard)


def _passive(found: CollectedItem, listened: ListenedVariable, heard: PersonInput) -> CollectedItem:
    """Where nobody could say, the variable's own rules read the words. A yes to one marked ``risk`` is told."""

    def take(work: Work, outcome: Outcome) -> None:
        before = scopes.lookup(work, listened.name)
        if found.item in outcome.unanswered or found.item in outcome.unusable:
            by_rules(work, listened, heard)
        else:
            if found.item in outcome.said:
                outcome.said[found.item] = [
                    said for said in outcome.said[found.item] if _counts(work, listened, heard, said)
                ]
            found.take(work, outcome)
        if scopes.rings(work, listened.name, listened.rules, before):
            outcome.alarms.append(listened.name)

    return CollectedItem(found.item, take)


def _counts(work: Work, listened: ListenedVariable, heard: PersonInput, said: SaidValue) -> bool:
    """Said in passing, too, a no to what is marked ``risk`` must be a plain one."""
    if not listened.rules.risk or alarming(said.value) or clears(work.world, listened.rules, said.evidence, heard.text):
        return True
    scopes.refuse(work, listened.name, said.value, strategy="passive", evidence=said.evidence, reason=NO_DENIAL)
    return False


def foreseen(work: Work, moment: Moment) -> Iterator[CollectedItem]:
    """The questions of the conditions that this turn comes to when the action that waits ends with it, and of the
    scripts that watch at its hook points: as many as the call that is made for the former has room for."""
    if not work.model or moment.late:
        return
    ends, unsettled = moment.heard.repair not in _NO_ANSWER, moment.own | moment.wanted
    asked = [text_of(work, question) for question in (foresight.questions(work, unsettled) if ends else ())]
    if enabled(work, "P1"):
        size = work.world.grouping.judgements
        room = -len(asked) % size if asked else size
        come_to = [foresight.ANSWER, *(foresight.hook_points(work, unsettled) if ends else ())]
        put = hook_judgements.questions(work, come_to, room)
        # What is asked at every answer stands where the prompt stays the same from turn to turn.
        always = dict.fromkeys(each.text for each in put if foresight.ANSWER in each.hook_points)
        for text in always:
            yield _judgement(text, "watched")
        asked = [text for text in [*asked, *(each.text for each in put)] if text not in always]
    for text in dict.fromkeys(asked):
        yield _judgement(text)


_NO_ANSWER = ("repeat", "clarify", "purpose")
"""After these the action that waits puts its question again."""
_MERE_NUMBER = re.compile(
    r"\s*(?:大概|大约|差不多|也就|还是|就|打|给|嗯|about|maybe|around|still)?[\s,，]*"
    r"(?:\d{1,3}(?:\.\d)?|[零一二三四五六七八九十两百]{1,4})\s*(?:分|成|[%％])?(?:吧|左右|上下)?[\s。.!！~～]*",
    re.IGNORECASE,
)
_TELLS = (None, "skip", "stop")
"""Words that may hold what the case file keeps."""


def _judgement(text: str, part: str = "judgements") -> CollectedItem:
    item = Judgement(text, part)

    def take(work: Work, outcome: Outcome) -> None:
        lost = item in outcome.unanswered or item in outcome.unusable
        work.findings.foreseen[text] = Foreseen(outcome.held.get(item), answered=not lost)

    return CollectedItem(item, take)


def session_wanted(work: Work, moment: Moment) -> Iterator[CollectedItem]:
    """All that the session wants to find out, whatever was asked: the same list in every turn, so that one look finds
    it and the prompt's beginning stays the same. What the waiting action finds out itself is left to it, and what is
    only told in answer to its own question (``listen: on_demand``) is not listened for."""
    for item in work.world.script.session.wanted if moment.heard.repair is None else ():
        where, declared = scopes.definition(work, item.get)
        rules = scopes.rules_for(declared, item)
        if "." in item.get or not rules.define or where[0] not in ("session", "global") or not asides.is_plain(rules):
            continue
        if is_on_demand(work, item):
            continue
        known = told_value(work, item.get) is not None
        found = value(work, item.get, rules, "wanted", "correction" if known else "passive", asides.MEANT)
        if item.get in moment.own:
            found = _for_the_reply(found.item)
        elif lacking(work, rules) is not None:
            found = CollectedItem(found.item, _left_alone)
        yield found


def _left_alone(work: Work, outcome: Outcome) -> None:
    """What was found is not to be known yet."""


def _for_the_reply(item: Item) -> CollectedItem:
    """What the waiting action finds out itself is its own to write; what its reply has missed it takes from here."""

    def take(work: Work, outcome: Outcome) -> None:
        if isinstance(item, WantedValue) and not item.many and (said := outcome.said.get(item)):
            work.findings.overheard[item.name] = {"value": said[0].value, "evidence": said[0].evidence}

    return CollectedItem(item, take)


PRODUCERS: tuple[Producer, ...] = (corrections, told_ahead, passive, foreseen)
"""In the order in which what they find is applied."""
LED: tuple[Producer, ...] = (session_wanted, passive, foreseen)
"""Of a session that a model leads."""


def value(
    work: Work, name: str, rules: VariableRules, part: str, strategy: scopes.Strategy, size: int
) -> CollectedItem:
    """A value to look for, which is written when it was said. Its meaning is cut to ``size`` Chinese characters."""

    def accept(raw: Any) -> bool:
        outcome = values.accept(rules, raw, lambda other: raw if other == name else scopes.lookup(work, other))
        if isinstance(outcome, values.Bad):
            scopes.refuse(work, name, raw, strategy=strategy, evidence=None, reason=outcome.code)
        return isinstance(outcome, values.Ok)

    held = scopes.lookup(work, name)
    present = "" if held is None else placeholders.format_value(held, _locale(work.world))
    item = WantedValue(
        name=name,
        text=_line(work, name, rules, size),
        part=part,
        accept=accept,
        present=asides.cut(work.world, present, asides.SHOWN),
        many=rules.update != "overwrite",
    )

    def take(work: Work, outcome: Outcome) -> None:
        for said in outcome.said.get(item, ()):
            scopes.write(work, name, said.value, strategy=strategy, evidence=said.evidence, rules=rules)

    return CollectedItem(item, take)


def _line(work: Work, name: str, rules: VariableRules, size: int) -> str:
    """Name, meaning, and what a value looks like where it is no free text."""
    zh = is_chinese(_locale(work.world))
    colon, left, right = ("：", "（", "）") if zh else (": ", " (", ")")
    shape = ""
    if rules.options:
        shape = "|".join(placeholders.format_value(option, _locale(work.world)) for option in rules.options)
    elif rules.type == "boolean":
        shape = "true|false"
    elif rules.type not in (None, "text"):
        shape = kind(work, rules)
    if rules.range:
        shape += " " + "–".join(placeholders.format_value(limit, "en") for limit in rules.range)
    if rules.fields:
        shape += " {" + ", ".join(f"{each.name}: {each.define or each.type}" for each in rules.fields) + "}"
    meaning = asides.cut(work.world, fill(work, rules.define), size)
    return name + (f"{colon}{meaning}" if meaning else "") + (f"{left}{shape.strip()}{right}" if shape else "")


def _locale(world: World) -> str:
    return world.script.locale


class Perception:
    """What is perceived in one answer. ``tasks`` are asked side by side with everything else about it; ``alarms`` are
    the variables marked ``risk`` that have become a yes by it."""

    def __init__(self, work: Work, moment: Moment) -> None:
        self.heard = moment.heard
        self.alarms: list[str] = []
        self.collected: list[CollectedItem] = []
        self._led = work.model and work.world.script.session.led
        self._own = moment.own if not moment.late else frozenset()
        for producer in LED if self._led else PRODUCERS:
            found = [each for each in producer(work, moment) if _name(each) not in moment.wanted]
            self.collected += found
            moment = replace(moment, wanted=moment.wanted | frozenset(filter(None, map(_name, found))))
        asked = checkpoint.calls((each.item for each in self.collected), work.world.grouping) if work.model else []
        self._tells_nothing = self._led and self._is_mere_number(moment)
        if self._tells_nothing:
            asked = []
        elif self._led and moment.heard.repair in _TELLS:
            # Where nothing is wanted the words are looked at all the same: they may say what the talk must not lose,
            # and a bare "not that" draws a line around what was being talked about.
            first = asked[0] if asked else Call("understand")
            asked[:1] = [replace(first, notes=NOTED)]
        self._calls = [(call, _task(work, call, "perceive", led=self._led)) for call in asked]

    def _is_mere_number(self, moment: Moment) -> bool:
        """Whether the words are a number and no more: they answer what was asked, and nobody is asked what else they
        tell, unless something has to be judged about this very answer."""
        judged = any(isinstance(each.item, Judgement) and each.item.part == "judgements" for each in self.collected)
        return not judged and moment.heard.repair is None and _MERE_NUMBER.fullmatch(moment.heard.text) is not None

    @property
    def tasks(self) -> tuple[Task, ...]:
        return tuple(task for _, task in self._calls)

    def settle(self, work: Work, answers: Mapping[str, Answer]) -> Flow:
        """Read what came back, ask once more for what cannot be used, and apply what there is."""
        outcome = self._parse_answers(work, self._calls, answers)
        if not self._calls and not self._tells_nothing:
            outcome.unanswered = [each.item for each in self.collected]
        # One look for all that a session wants: what is not proved falls alone, and a later look may find it.
        again = [] if self._led else list(outcome.unusable)
        if again:
            calls = [
                (call, _task(work, call, "perceive again", led=self._led))
                for call in checkpoint.calls(again, work.world.grouping)
            ]
            second: Mapping[str, Answer] = yield tuple(task for _, task in calls)
            outcome.add(self._parse_answers(work, calls, second))
        if self._calls:
            work.emit(self._event(work, outcome, len(again)))
        for each in self.collected:
            each.take(work, outcome)
        self._note(work, outcome)
        self.alarms = outcome.alarms

    def _note(self, work: Work, outcome: Outcome) -> None:
        """Keep what was noted. A refusal is of what was asked just now."""
        wanted = {item.get for item in work.world.script.session.wanted}
        for noted in outcome.noted:
            about = [name for name in noted.covers if name in wanted]
            if noted.kind == "refusal":
                about = [name for name in self._own if name not in outcome_names(outcome)] if self._is_one(work) else []
            if noted.kind == "refusal" and not about:
                continue
            kind = cast("CaseKind", noted.kind)
            records.note(work, kind, noted.text, noted.evidence, about=about, replaces=noted.replaces)

    def _is_one(self, work: Work) -> bool:
        """Whether one thing was asked for: of several, the reply says which was refused."""
        return len(self._own) == 1

    def _parse_answers(self, work: Work, calls: list[tuple[Call, Task]], answers: Mapping[str, Answer]) -> Outcome:
        outcome = Outcome()
        for call, task in calls:
            shown = "\n".join(line.text for line in task.context.history if line.speaker == "person")
            found = checkpoint.parse_answer(
                call,
                answers.get(task.key),
                lambda quote, shown=shown: locate(quote, shown),  # type: ignore[misc]
                lambda quote: locate(quote, self.heard.text),
            )
            outcome.add(found)
        return outcome

    def _event(self, work: Work, outcome: Outcome, again: int) -> Perceived:
        return Perceived(
            action=work.frame.id if work.state.running and work.state.running.action else None,
            calls=len(self._calls),
            asked=len(self.collected),
            found=len(outcome.held) + len(outcome.said),
            again=again,
            refused=len(outcome.unusable),
            unanswered=len(outcome.unanswered),
        )


def outcome_names(outcome: Outcome) -> set[str]:
    return {item.name for item in outcome.said}


def _name(collected: CollectedItem) -> str | None:
    return collected.item.name if isinstance(collected.item, WantedValue) else None


def perceive(
    work: Work, heard: PersonInput, action: Action | None, earlier: Collection[str] | None = None
) -> Perception:
    """What is to be perceived in these words, besides what ``action`` finds out itself. ``earlier``: what an earlier
    question was to find out, where it is that one which they belong to."""
    own = {item.get for item in gets(action.peek("output") or [])} if action is not None else set()
    chosen = action.peek("var") if action is not None else None
    own |= {*(earlier or ()), *([chosen] if isinstance(chosen, str) else [])}
    heeded = tuple(listened(work))
    return Perception(work, Moment(heard, frozenset(own), late=earlier is not None, listened=heeded))


NOTED = (*records.KINDS, "refusal")


def _task(work: Work, call: Call, name: str, *, led: bool = False) -> Task:
    messages = newest(work, SHOWN)
    present = {each.name: each.present for each in call.values if each.present}
    dated = any(
        (rules := scopes.definition(work, each.name)[1]) is not None and rules.type == "date" for each in call.values
    )
    shape = checkpoint.schema(call)
    return Task(
        key=work.task_key(name),
        kind="extract",
        role=call.tier,
        template="listen" if led else "perceive",
        context=overheard(work, messages),
        values={
            "watched": call.questions("watched"),
            "judgements": call.questions("judgements"),
            "passive": call.lines("passive"),
            "later": call.lines("later"),
            "wanted": call.lines("wanted"),
            "facts": prompt_view.facts(work, messages=messages) if led else asides.recorded(work, present, messages),
            "case": prompt_view.noted(work) if led else "",
            "time": moment(work) if dated else "",
        },
        schema=shape,
        required=tuple(shape["required"]),
        temperature=0.0,
    )
