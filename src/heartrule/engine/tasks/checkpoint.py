"""A checkpoint: all that one input makes the engine want to know, asked in few calls, each result checked by itself.

Whoever wants to know something hands in an item: a judgement (does it hold?) or a value (was it said?). Items that
share a context go into one call as far as their tier and its size allow, judgements by short numbers, values by name.
Answers are sparse: what is not listed does not hold, and was not said. What came back unusable may be asked once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, TypeVar

from heartrule.engine.session.batch_limits import BatchLimits
from heartrule.engine.session.foreseen import ForeseenJudgement
from heartrule.engine.session.tasks import Answer, Role
from heartrule.engine.tasks.answers import items, number_of, share

_Kind = TypeVar("_Kind")
HOLDS = "holds"
VALUES = "values"
NOTES = "notes"


@dataclass(frozen=True, slots=True)
class SaidValue:
    """A value that was said, with the words that say it."""

    value: Any
    evidence: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """A yes-or-no question about the person; ``text`` is it as it is asked, one line, ``part`` the list that it stands
    in."""

    text: str
    part: str = "judgements"
    tier: Role = "understand"


@dataclass(frozen=True, slots=True)
class WantedValue:
    """A value to look for: ``text`` is its line in the prompt, ``part`` the list that the line stands in, ``present``
    what it is now, in words. ``accept`` says whether a value will do."""

    name: str
    text: str
    part: str
    accept: Callable[[Any], bool] = field(repr=False, compare=False)
    present: str = ""
    many: bool = False
    """Several values of one answer are all kept."""
    tier: Role = "understand"


@dataclass(frozen=True, slots=True)
class CaseNote:
    """Something for the case file, with the words that say it. ``covers``: the values that fall under it;
    ``replaces``: the words of the case file that it puts right."""

    kind: str
    text: str
    evidence: str
    covers: tuple[str, ...] = ()
    replaces: str = ""


Item = Judgement | WantedValue


@dataclass(frozen=True, slots=True)
class Call:
    """What one call is asked: judgements by their number from 1, values by their name."""

    tier: Role
    judgements: tuple[Judgement, ...] = ()
    values: tuple[WantedValue, ...] = ()
    notes: tuple[str, ...] = ()
    """The kinds of records of the case file that may be made."""

    def questions(self, part: str) -> str:
        numbered = enumerate(self.judgements, 1)
        return "\n".join(f"{number}. {each.text}" for number, each in numbered if each.part == part)

    def lines(self, part: str) -> str:
        return "\n".join(f"- {each.text}" for each in self.values if each.part == part)


@dataclass(slots=True)
class Outcome:
    """``held`` and ``said`` by item. ``unusable`` was answered in a way that cannot be read or is not proved,
    ``unanswered`` by no one; whatever is in none of the four was looked at and not found. ``alarms``: variables marked
    ``risk`` that turned out to be a yes."""

    held: dict[Judgement, ForeseenJudgement] = field(default_factory=dict)
    said: dict[WantedValue, list[SaidValue]] = field(default_factory=dict)
    unusable: list[Item] = field(default_factory=list)
    unanswered: list[Item] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    noted: list[CaseNote] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        """What another call found; it settles what was unusable here."""
        settled = {*other.held, *other.said, *other.unusable, *other.unanswered}
        self.unusable = [item for item in self.unusable if item not in settled]
        self.held |= other.held
        self.said |= other.said
        self.unusable += other.unusable
        self.unanswered += other.unanswered
        self.noted += other.noted


def calls(asked: Iterable[Item], limits: BatchLimits) -> list[Call]:
    """The fewest calls that these items fit into, in the order in which they were handed in."""
    ordered = sorted(dict.fromkeys(asked), key=lambda item: item.tier)
    found = []
    for tier, group in groupby(ordered, key=lambda item: item.tier):
        members = list(group)
        judgements = _split([item for item in members if isinstance(item, Judgement)], limits.judgements)
        values = _split([item for item in members if isinstance(item, WantedValue)], limits.values)
        for number in range(max(len(judgements), len(values))):
            found.append(Call(tier, _at(judgements, number), _at(values, number)))
    return found


def _split(members: Sequence[_Kind], size: int) -> list[tuple[_Kind, ...]]:
    return [tuple(members[at : at + size]) for at in range(0, len(members), size)]


def _at(parts: Sequence[tuple[_Kind, ...]], number: int) -> tuple[_Kind, ...]:
    return parts[number] if number < len(parts) else ()


def schema(call: Call) -> dict[str, Any]:
    """The answer's shape: a list for each kind of item that the call holds."""
    text = {"type": "string"}
    lists: dict[str, Any] = {}
    if call.judgements:
        lists[HOLDS] = _list({"id": {"type": "integer"}, "confidence": {"type": "number"}, "evidence": text})
    if call.values:
        names = {"enum": [each.name for each in call.values], "description": "…"}
        lists[VALUES] = _list({"name": names, "value": {"description": "…"}, "evidence": text})
    if call.notes:
        shape = _list({"kind": {"enum": list(call.notes), "description": "…"}, "text": text, "evidence": text})
        shape["items"]["properties"] |= {"covers": {"type": "array", "items": text}, "replaces": text}
        lists[NOTES] = shape
    return {"type": "object", "properties": lists, "required": list(lists)}


def _list(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "array",
        "items": {"type": "object", "properties": properties, "required": list(properties)},
    }


Locate = Callable[[str], str | None]
"""Finds a quote in what was said: as it is kept, None when it does not stand there."""


def parse_answer(call: Call, answer: Answer | None, in_shown: Locate, in_said: Locate) -> Outcome:
    """What a call came to. A judgement's proof may stand anywhere in the person's words that the prompt shows, a
    value's in the newest ones alone."""
    outcome = Outcome()
    data = answer.data if answer is not None else None
    _read_judgements(call, data, in_shown, outcome)
    _read_values(call, data, in_said, outcome)
    _read_notes(call, data, in_said, outcome)
    return outcome


def _read_notes(call: Call, data: Mapping[str, Any] | None, locate: Locate, outcome: Outcome) -> None:
    """What is not proved, or of no kind that is kept, is left out alone."""
    for given in items(data, NOTES) if call.notes else ():
        kind, text, quote = given.get("kind"), given.get("text"), given.get("evidence")
        evidence = locate(quote) if isinstance(quote, str) else None
        if kind not in call.notes or not isinstance(text, str) or not text.strip() or evidence is None:
            continue
        covers = given.get("covers")
        names = tuple(each for each in covers if isinstance(each, str)) if isinstance(covers, list) else ()
        replaces = given.get("replaces")
        old = replaces if isinstance(replaces, str) else ""
        outcome.noted.append(CaseNote(str(kind), text, evidence, names, old))


def _read_judgements(call: Call, data: Mapping[str, Any] | None, locate: Locate, outcome: Outcome) -> None:
    """Of two that answer one question the surer counts. Where it cannot be told which question is answered, none that
    is not is settled."""
    told = (data or {}).get(HOLDS)
    if not isinstance(told, list):
        outcome.unanswered += call.judgements
        return
    unusable: dict[Judgement, None] = {}
    for each in told:
        given = each if isinstance(each, Mapping) else {"id": each}
        number = number_of(given.get("id"))
        if number is None:
            unusable |= dict.fromkeys(call.judgements)
            continue
        if not 1 <= number <= len(call.judgements) or given.get("verdict") is False:
            continue
        item, held = call.judgements[number - 1], _held(given, locate)
        if held is None:
            unusable[item] = None
        elif item not in outcome.held or held.confidence > outcome.held[item].confidence:
            outcome.held[item] = held
    outcome.unusable += [item for item in unusable if item not in outcome.held]


def _held(given: Mapping[str, Any], locate: Locate) -> ForeseenJudgement | None:
    """A quote may be left out, but one that is given stands there."""
    confidence, quote = share(given.get("confidence", 1.0)), given.get("evidence", "")
    if confidence is None or not isinstance(quote, str):
        return None
    evidence = locate(quote) if quote.strip() else ""
    return None if evidence is None else ForeseenJudgement(confidence, evidence)


def _read_values(call: Call, data: Mapping[str, Any] | None, locate: Locate, outcome: Outcome) -> None:
    if not isinstance((data or {}).get(VALUES), list):
        outcome.unanswered += call.values
        return
    wanted = {each.name: each for each in call.values}
    for given in items(data, VALUES):
        name = given.get("name")
        item = wanted.get(name) if isinstance(name, str) else None
        if item is not None and (item.many or item not in outcome.said):
            _read_value(item, given.get("value"), given.get("evidence"), locate, outcome)
    outcome.unusable = [item for item in outcome.unusable if item not in outcome.said]


def _read_value(item: WantedValue, value: Any, quote: Any, locate: Locate, outcome: Outcome) -> None:
    """One value, which counts where its words stand in what was said."""
    if value is None or value == "":
        return
    evidence = locate(quote) if isinstance(quote, str) else None
    if evidence is not None and item.accept(value):
        outcome.said.setdefault(item, []).append(SaidValue(value, evidence))
    elif item not in outcome.unusable:
        outcome.unusable.append(item)
