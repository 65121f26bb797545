"""Whether what was expected of a turn, or of a conversation, came to pass. One function for each kind of expectation.

Everything is read off the events, the requests and the variables; the wording is looked at by ``said_contains`` and
``never_says`` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from heartrule.engine.events import (
    DirectiveApplied,
    Escalated,
    Event,
    ExitDecided,
    FormSubmitted,
    Marker,
    Milestone,
    Noticed,
    PhaseChanged,
    TopicChanged,
    VariableOperation,
)
from heartrule.engine.io import Message, Request
from heartrule.engine.scoping.variables import Value
from heartrule.language.names import SCOPES
from heartrule.language.nodes.node import NOWHERE, Place
from heartrule.rehearsal.case import Expect, WantedDirective, WantedExit, WantedForm, texts
from heartrule.rehearsal.known import Known, head

DETAILS = ("value", "evidence", "strategy", "scope")
"""What ``set`` can ask about a variable beside its value."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What there is to look at: a turn's, or the whole conversation's. ``values``: what variables hold at its end, by
    scope, the innermost first. ``at``: the topic and the action that wait, None where none does."""

    known: Known = field(repr=False)
    messages: tuple[Message, ...] = field(repr=False)
    events: tuple[Event, ...] = field(repr=False)
    values: tuple[tuple[str, Mapping[str, Value]], ...] = field(repr=False)
    at: tuple[str, str] | None
    request: Request
    calls: int
    ended: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one thing that was expected. ``kind`` is the key it stands under (``not set`` under a ``not``),
    ``wanted`` and ``got`` say what was to be and what was, ``turn`` which turn it was about (None: the whole)."""

    kind: str
    wanted: str
    got: str = field(repr=False)
    held: bool = True
    place: Place = NOWHERE
    turn: int | None = None


def outcomes(expect: Expect, seen: Seen, turn: int | None = None) -> Iterator[Outcome]:
    """What came of each thing that ``expect`` says, one kind after another."""
    for kind, wanted in expect.wanted.items():
        if kind == "not":
            for each in outcomes(wanted, seen, turn):
                yield replace(each, kind=f"not {each.kind}", held=not each.held)
        elif kind != "expect":
            for made in _KINDS[kind](seen, wanted):
                yield replace(made, kind=kind, place=expect.place, turn=turn)


def _said(seen: Seen) -> list[str]:
    return [message.text for message in seen.messages if message.sender == "ai"]


def _said_contains(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    said = _said(seen)
    for each in texts(wanted):
        yield Outcome("", each, _list(said), any(each in text for text in said))


def _never_says(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    for each in texts(wanted):
        found = [text for text in _said(seen) if each in text]
        yield Outcome("", each, _list(found), not found)


def _entered(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    topics = [e.ref for e in seen.events if isinstance(e, TopicChanged) and e.state == "running"]
    phases = [e.id for e in seen.events if isinstance(e, PhaseChanged) and e.state == "entered"]
    marks = [e for e in seen.events if isinstance(e, Marker) and e.edge == "before"]
    yield from _reached(seen, wanted, topics, phases, marks)


def _completed(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    topics = [e.ref for e in seen.events if isinstance(e, TopicChanged) and e.state == "completed"]
    phases = [e.id for e in seen.events if isinstance(e, PhaseChanged) and e.state == "left"]
    marks = [e for e in seen.events if isinstance(e, Marker) and e.edge == "after"]
    yield from _reached(seen, wanted, topics, phases, marks)


def _reached(seen: Seen, wanted: Any, topics: list[str], phases: list[str], marks: list[Marker]) -> Iterator[Outcome]:
    """Places by any of their names."""
    actions = [(mark.topic, mark.action or "") for mark in marks]
    shown = [*phases, *topics, *(f"{topic}/{action}" for topic, action in actions)]
    for each in texts(wanted):
        spots = {(spot.topic, spot.action) for spot in seen.known.actions(each)}
        held = bool(
            seen.known.topics(each) & set(topics) or seen.known.phases(each) & set(phases) or spots & set(actions)
        )
        yield Outcome("", each, _list(shown), held)


def _skipped(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    phases = [e.id for e in seen.events if isinstance(e, PhaseChanged) and e.state == "skipped"]
    yield from _reached(seen, wanted, _topics(seen, "skipped"), phases, [])


def _suspended(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    yield from _reached(seen, wanted, _topics(seen, "suspended"), [], [])


def _topics(seen: Seen, state: str) -> list[str]:
    return [e.ref for e in seen.events if isinstance(e, TopicChanged) and e.state == state]


def _unfinished(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    """Topics that ended without what they were for, or what that was: an action in them, or a variable."""
    left = [e for e in seen.events if isinstance(e, TopicChanged) and e.state == "completed" and e.unfinished]
    parts = [(e.ref, part) for e in left for part in e.unfinished]
    for each in texts(wanted):
        spots = {(spot.topic, spot.action) for spot in seen.known.actions(each)}
        names = {part for _, part in parts}
        held = bool(seen.known.topics(each) & {e.ref for e in left} or spots & set(parts) or each in names)
        yield Outcome("", each, _list(f"{topic}/{part}" for topic, part in parts), held)


def _at(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    held = False
    if seen.at is not None:
        spots = {(spot.topic, spot.action) for spot in seen.known.actions(wanted)}
        held = seen.at in spots or seen.at[0] in seen.known.topics(wanted)
    yield Outcome("", wanted, "/".join(seen.at) if seen.at else _NOTHING, held)


def _set(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    for name, value in wanted.items():
        detailed = isinstance(value, Mapping) and value and set(value) <= set(DETAILS)
        asked = dict(value) if detailed else {"value": value}
        found = _value(seen, name)
        got = {} if found is None else {key: getattr(found, key) for key in asked}
        held = found is not None and all(_same(asked[key], got[key]) for key in asked)
        shown = got.get("value") if list(got) == ["value"] else got
        yield Outcome("", f"{name} = {shown_as(value)}", shown_as(shown) if found is not None else _NOTHING, held)


def _unset(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    for name in texts(wanted):
        found = _value(seen, name)
        held = found is None or found.value is None
        yield Outcome("", name, _NOTHING if found is None else shown_as(found.value), held)


def _value(seen: Seen, name: str) -> Value | None:
    """What a name holds; where its scope has been left meanwhile, what it held last. A field of it, if it is dotted."""
    scope, bare = _scope(name), head(name)
    found = next((cell[bare] for where, cell in seen.values if bare in cell and scope in (None, where)), None)
    if found is None:
        found = _last_written(seen, bare, scope)
    path = name.split(".")[(1 if scope is None else 2) :]
    if found is None or not path:
        return found
    value = _within(found.value, path)
    return None if value is None else replace(found, value=value)


def _within(value: Any, path: list[str]) -> Any:
    """A field of a value, whose own name may hold dots."""
    if not path:
        return value
    whole = ".".join(path)
    if not isinstance(value, Mapping) or whole in value:
        return value[whole] if isinstance(value, Mapping) else None
    return _within(value.get(path[0]), path[1:])


def _last_written(seen: Seen, name: str, scope: str | None) -> Value | None:
    written = [e for e in seen.events if isinstance(e, VariableOperation) and e.name == name]
    last = next((e for e in reversed(written) if scope in (None, e.scope)), None)
    if last is None or last.operation == "delete":
        return None
    return Value(last.value, last.type, last.at, last.source, last.scope, last.strategy, last.evidence)


def _scope(name: str) -> str | None:
    first, dot, _ = name.partition(".")
    return first if dot and first in SCOPES else None


def _directive(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    issued = [e for e in seen.events if isinstance(e, DirectiveApplied) and not e.refused]
    shown = _list(f"{e.directive} {shown_as(e.detail)}" for e in issued)
    for each in wanted if isinstance(wanted, list) else [wanted]:
        meant = each if isinstance(each, WantedDirective) else WantedDirective(directive=each)
        held = any(_is_meant(seen, event, meant) for event in issued)
        yield Outcome("", shown_as(meant.model_dump(exclude_none=True)), shown, held)


def _is_meant(seen: Seen, event: DirectiveApplied, wanted: WantedDirective) -> bool:
    if event.directive != wanted.directive:
        return False
    ways: dict[str, Callable[[str], set[str]]] = {
        "technique": seen.known.skills,
        "topic": seen.known.topics,
        "awareness": seen.known.awareness,
    }
    for key in wanted.model_fields_set - {"directive"}:
        meant, told = getattr(wanted, key), event.detail.get(key)
        by = ways.get(key, _itself)
        if told is None or not (told == meant or by(meant) & by(str(told))):
            return False
    return True


def _itself(name: str) -> set[str]:
    return {name}


def _verdict(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    judged = [e for e in seen.events if isinstance(e, Noticed)]
    for name, verdict in wanted.items():
        mine = [e for e in judged if e.awareness in seen.known.awareness(name)]
        held = any(e.verdict == verdict for e in mine)
        yield Outcome("", f"{name}: {verdict}", _list(f"{e.verdict} ({e.source})" for e in mine), held)


def _exit(seen: Seen, wanted: WantedExit) -> Iterator[Outcome]:
    decided = [e for e in seen.events if isinstance(e, ExitDecided) and e.should_exit]
    names = {wanted.action, *(s.action for s in seen.known.actions(wanted.action))} if wanted.action else set()
    held = any(
        wanted.class_ in (None, e.exit_class)
        and wanted.source in (None, e.decision_source)
        and (not names or e.action in names)
        for e in decided
    )
    shown = _list(f"{e.action}: {e.exit_class or '–'} ({e.decision_source})" for e in decided)
    yield Outcome("", shown_as(wanted.model_dump(exclude_none=True, by_alias=True)), shown, held)


def _escalated(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    told = [e.to for e in seen.events if isinstance(e, Escalated)]
    yield Outcome("", wanted, _list(told), wanted in told)


def _milestone(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    passed = [e.name for e in seen.events if isinstance(e, Milestone)]
    for each in texts(wanted):
        yield Outcome("", each, _list(passed), each in passed)


def _request(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    yield Outcome("", wanted, seen.request.kind, seen.request.kind == wanted)


def _form(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    awaited = seen.request.form
    held = awaited is not None and awaited.id in seen.known.forms(wanted)
    yield Outcome("", wanted, _NOTHING if awaited is None else awaited.id, held)


def _submitted(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    meant = wanted if isinstance(wanted, WantedForm) else WantedForm(form=wanted)
    handed_in = [e for e in seen.events if isinstance(e, FormSubmitted)]
    held = any(
        e.form in seen.known.forms(meant.form) and _same(meant.scores, e.scores) and _same(meant.bands, e.bands)
        for e in handed_in
    )
    shown = _list(f"{e.form} {shown_as(e.scores)} {shown_as(e.bands)}" for e in handed_in)
    yield Outcome("", shown_as(meant.model_dump(exclude_defaults=True)), shown, held)


def _problems(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    """The fields that a form was not taken for; none: it has none."""
    form, fields = seen.request.form, texts(wanted)
    found = [] if form is None else [field for field, _, _ in form.problems]
    yield Outcome("", _list(fields), _list(found), form is not None and set(fields) == set(found))


def _calls(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    yield Outcome("", f"≤ {wanted}", str(seen.calls), seen.calls <= wanted)


def _ended(seen: Seen, wanted: Any) -> Iterator[Outcome]:
    yield Outcome("", shown_as(wanted), shown_as(seen.ended), seen.ended == wanted)


_KINDS: Mapping[str, Callable[[Seen, Any], Iterator[Outcome]]] = {
    "said_contains": _said_contains,
    "never_says": _never_says,
    "entered": _entered,
    "completed": _completed,
    "skipped": _skipped,
    "suspended": _suspended,
    "unfinished": _unfinished,
    "at": _at,
    "set": _set,
    "unset": _unset,
    "directive": _directive,
    "verdict": _verdict,
    "exit": _exit,
    "escalated": _escalated,
    "milestone": _milestone,
    "request": _request,
    "form": _form,
    "submitted": _submitted,
    "problems": _problems,
    "calls": _calls,
    "ended": _ended,
}
_NOTHING = "–"


def _same(wanted: Any, got: Any) -> bool:
    """Equal, 1 and true being two things; of a mapping, what is wanted of it."""
    if isinstance(wanted, bool) or isinstance(got, bool):
        return wanted is got
    if isinstance(wanted, Mapping) and isinstance(got, Mapping):
        return all(key in got and _same(value, got[key]) for key, value in wanted.items())
    if isinstance(wanted, list) and isinstance(got, list):
        return len(wanted) == len(got) and all(map(_same, wanted, got))
    return bool(wanted == got)


def shown_as(value: Any) -> str:
    """A value as a report shows it: as in YAML, on one line."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {shown_as(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(shown_as, value)) + "]"
    return " ".join(str(value).split())


def _list(parts: Iterable[str]) -> str:
    return " | ".join(" ".join(part.split()) for part in dict.fromkeys(parts)) or _NOTHING
