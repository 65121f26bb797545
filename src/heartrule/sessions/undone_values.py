"""What rests on a message that is taken back: values whose proof is that very message are what they were before it, or
unset, however short they are, and records of the case file that quote it go. Danger is not taken back: where somebody
may be in it, a yes and a number stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from heartrule.engine.session.state import CaseRecord, State
from heartrule.parsing.text import fold
from heartrule.sessions.rows import state_of
from heartrule.store.quotations import Quotations
from heartrule.store.records import EventRecord, VariableRecord

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Unsaid:
    """By scope, its key and name, what each such value is now (None: unset). ``texts``: what they held, and hold no
    more, wherever it is quoted."""

    values: Mapping[Key, VariableRecord | None] = field(default_factory=dict, repr=False)
    texts: tuple[str, ...] = field(default=(), repr=False)

    def left(self, record: VariableRecord) -> VariableRecord | None:
        return self.values.get(_key(record), record)


class MessageWords:
    """What was said in a message, and ``others`` in the other ones of the same turn, which stay."""

    def __init__(self, words: Sequence[str], others: Sequence[str] = ()) -> None:
        self._words, self._others = Quotations(words), Quotations(others)
        self._lines = {line.strip() for text in words for line in text.split("\n")}

    def proves(self, evidence: Any) -> bool:
        return isinstance(evidence, str) and bool(evidence.strip()) and self._words.proves(evidence)

    def keeps(self, value: Any, evidence: Any) -> bool:
        """Whether the other words say it as well."""
        said = value if isinstance(value, str) else evidence
        return isinstance(said, str) and bool(said.strip()) and self._others.proves(said)

    def out_of(self, text: str) -> str:
        """What the other words of the same answer have told of a text."""
        lines = text.split("\n")
        return "\n".join(line for line in lines if line.strip() not in self._lines) if len(lines) > 1 else ""


def unsaid(
    present: Iterable[VariableRecord], events: Sequence[EventRecord], turn: int, said: MessageWords, *, danger: bool
) -> Unsaid:
    """``events``: how the variables were written, the oldest first; ``said`` in ``turn``."""
    values: dict[Key, VariableRecord | None] = {}
    texts: dict[str, None] = {}
    for record in present:
        of_it = [each for each in events if _key_of(each) == _key(record)]
        by_it = [each for each in of_it if each.turn == turn and said.proves(each.data.get("evidence"))]
        if not by_it or (danger and not isinstance(record.value, str | list | dict)):
            continue
        before, after, latest = by_it[0].data.get("old"), by_it[-1].data.get("value"), of_it[-1]
        if said.keeps(after, by_it[-1].data.get("evidence")):
            continue
        again = latest.data["strategy"] == "history" and said.proves(latest.data.get("evidence"))
        if isinstance(record.value, list) and isinstance(after, list):
            values[_key(record)] = _without(record, after, before, said)
        elif (latest in by_it or again) and record.value == after:
            left = said.out_of(after) if isinstance(after, str) else ""
            older = _as_before(record, before, of_it, by_it[0])
            values[_key(record)] = replace(record, value=left, evidence=None) if left else older
        else:
            continue
        texts |= dict.fromkeys(each for each in _texts(after) if each not in _texts(_value(values[_key(record)])))
    return Unsaid(values, tuple(texts))


def _value(record: VariableRecord | None) -> Any:
    return None if record is None else record.value


def quoting(case: Iterable[CaseRecord], words: Sequence[str], messages: range) -> tuple[CaseRecord, ...]:
    """The records of the case file that these words prove. ``messages``: the numbers of the answer that they were a
    part of; what was said in the same words at another time stays."""
    said = [folded for text in words if (folded := fold(text))]
    return tuple(
        each
        for each in case
        if each.message in messages and (quote := fold(each.quote)) and any(quote in text for text in said)
    )


def texts_of(case: Iterable[CaseRecord]) -> tuple[str, ...]:
    """What such records say in words of their own. A refusal says what the script wants to know."""
    texts = (text for each in case for text in (each.quote, "" if each.kind == "refusal" else each.text))
    return tuple(dict.fromkeys(text for text in texts if text))


def without(state: State, words: Sequence[str], gone: Iterable[Key], case: Iterable[CaseRecord] = ()) -> State:
    """The state without the words as an answer, and without the values and the records (``case``) that came of it."""
    said, names = {each.strip() for each in words}, {name for _, _, name in gone}
    data = state.model_dump(mode="json")
    for each in data["asked"]:
        each["texts"] = [text for text in each["texts"] if text.strip() not in said]
        each["found"] = {name: found for name, found in each["found"].items() if name not in names}
    for frame in [*data["suspended"], *([data["running"]] if data["running"] else [])]:
        memory = (frame.get("action") or {}).get("memory") or {}
        if isinstance(memory.get("texts"), list):
            memory["texts"] = [text for text in memory["texts"] if str(text).strip() not in said]
        if isinstance(memory.get("found"), dict):
            memory["found"] = {name: found for name, found in memory["found"].items() if name not in names}
    data["contradictions"] = [each for each in data["contradictions"] if each["name"] not in names]
    numbers = {each.number for each in case}
    data["case"] = [each for each in data["case"] if each["number"] not in numbers]
    return state_of(data)


def _as_before(
    record: VariableRecord, before: Any, events: Sequence[EventRecord], first: EventRecord
) -> VariableRecord | None:
    if before is None:
        return None
    earlier = [each for each in events[: events.index(first)] if each.data.get("value") == before]
    if not earlier:
        return replace(record, value=before, evidence=None)
    told = earlier[-1].data
    return replace(
        record, value=before, evidence=told.get("evidence"), strategy=told["strategy"], updated_by=told["source"]
    )


def _without(record: VariableRecord, after: Sequence[Any], before: Any, said: MessageWords) -> VariableRecord | None:
    """A list without what these words added to it."""
    held = before if isinstance(before, list) else []
    left = [item for item in record.value if item not in after or item in held or said.keeps(item, None)]
    return replace(record, value=left, evidence=None) if left or held else None


def _key(record: VariableRecord) -> Key:
    return record.scope, record.scope_key, record.name


def _key_of(event: EventRecord) -> Key:
    return str(event.data["scope"]), str(event.data["scope_key"]), str(event.data["name"])


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value.strip()] if value.strip() else []
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return [text for each in parts for text in _texts(each)]
