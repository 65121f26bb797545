"""Whether what was expected of a turn, or of a conversation, came to pass. One function for each kind of expectation.

Everything is read off the events, the requests and the variables; the wording is looked at by ``said_contains`` and
``never_says`` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from heartrule.engine import branches
from heartrule.engine.session.events import (
    AskedFor,
    BranchesTaken,
    DirectiveApplied,
    Escalated,
    Event,
    FormSubmitted,
    Marker,
    Milestone,
    Noticed,
    PhaseChanged,
    TopicChanged,
    VariableOperation,
)
from heartrule.engine.session.variables import Value
from heartrule.language.names import SCOPES
from heartrule.script_tests.case import Expect, WantedDirective, WantedExit, WantedForm, texts
from heartrule.script_tests.endings import BROKEN_OFF, endings
from heartrule.script_tests.observations import NOTHING, Observation, Outcome, listed, same, shown_as
from heartrule.script_tests.script_names import Spot, head

DETAILS = ("value", "evidence", "strategy", "scope")
"""What ``set`` can ask about a variable beside its value."""


def outcomes(expect: Expect, seen: Observation, turn: int | None = None) -> list[Outcome]:
    """What came of each thing that ``expect`` says, in the order in which it is written."""
    return sorted(_outcomes(expect, seen, turn), key=lambda each: (each.place.line, each.place.column))


def _outcomes(expect: Expect, seen: Observation, turn: int | None) -> Iterator[Outcome]:
    for kind, wanted in expect.wanted.items():
        if kind == "not":
            for each in _outcomes(wanted, seen, turn):
                yield replace(each, kind=f"not {each.kind}", held=not each.held)
        elif kind != "expect":
            for made in _KINDS[kind](seen, wanted):
                parts = () if made.part is None else (made.part,)
                yield replace(made, kind=kind, place=expect.where(kind, *parts), turn=turn)


def _said(seen: Observation) -> list[str]:
    return [message.text for message in seen.messages if message.sender == "ai"]


def _said_contains(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    said = _said(seen)
    for part, each in enumerate(texts(wanted)):
        yield Outcome("", each, listed(said), any(each in text for text in said), part)


def _never_says(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    """In capitals or not: what must never be said is not said by writing it otherwise."""
    for part, each in enumerate(texts(wanted)):
        found = [text for text in _said(seen) if each.casefold() in text.casefold()]
        yield Outcome("", each, listed(found), not found, part)


def _entered(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    phases = [e.id for e in seen.events if isinstance(e, PhaseChanged) and e.state == "entered"]
    marks = [e for e in seen.events if isinstance(e, Marker) and e.edge == "before"]
    actions = [*((mark.topic, mark.action or "") for mark in marks), *_begun(seen, seen.events)]
    yield from _reached(seen, wanted, _topics(seen, "running"), phases, actions)


def _completed(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    """An action that was broken off has not ended, nor has a phase in which the session was ended."""
    left = [e for e in seen.events if isinstance(e, PhaseChanged) and e.state == "left"]
    phases = [e.id for e in left if e.cause in _WENT_ON or e.cause.startswith("jump to ")]
    marks = [e for e in seen.events if isinstance(e, Marker) and e.edge == "after" and e.outcome not in BROKEN_OFF]
    over = {(mark.topic, mark.index) for mark in marks}
    parts = [(spot.topic, spot.action) for spot in _begun_parts(seen, seen.past) if (spot.topic, spot.index) in over]
    actions = [*((mark.topic, mark.action or "") for mark in marks), *parts]
    yield from _reached(seen, wanted, _topics(seen, "completed"), phases, actions)


_WENT_ON = ("ended", "transition")
"""Why a phase is left that was gone through to its end; else it is led on, or the session is over."""


def _begun(seen: Observation, events: Iterable[Event]) -> Iterator[tuple[str, str]]:
    return ((spot.topic, spot.action) for spot in _begun_parts(seen, events))


def _begun_parts(seen: Observation, events: Iterable[Event]) -> Iterator[Spot]:
    """The parts of blocks of actions that have begun: they have no boundary of their own."""
    for event in events:
        for taken in event.taken if isinstance(event, BranchesTaken) else ():
            place, _, way = taken.rpartition(": ")
            if way == branches.PART and place in seen.known.parts:
                yield seen.known.parts[place]


def _reached(
    seen: Observation, wanted: Any, topics: list[str], phases: list[str], actions: Sequence[tuple[str, str]] = ()
) -> Iterator[Outcome]:
    """Places by any of their names."""
    known, shown = seen.known, [*phases, *topics, *(f"{topic}/{action}" for topic, action in actions)]
    for part, each in enumerate(texts(wanted)):
        spots = {(spot.topic, spot.action) for spot in known.steps(each)}
        held = bool(known.topics(each) & set(topics) or known.phases(each) & set(phases) or spots & set(actions))
        yield Outcome("", each, listed(shown), held, part)


def _skipped(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    phases = [e.id for e in seen.events if isinstance(e, PhaseChanged) and e.state == "skipped"]
    yield from _reached(seen, wanted, _topics(seen, "skipped"), phases)


def _suspended(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    yield from _reached(seen, wanted, _topics(seen, "suspended"), [])


def _topics(seen: Observation, state: str) -> list[str]:
    return [e.ref for e in seen.events if isinstance(e, TopicChanged) and e.state == state]


def _unfinished(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    """Topics that ended, or were left, without what they were for, or what that was: an action in them, or a
    variable."""
    over = [e for e in seen.events if isinstance(e, TopicChanged) and e.state in ("completed", "skipped")]
    parts = [(e.ref, part) for e in over for part in e.unfinished]
    marks = [e for e in seen.events if isinstance(e, Marker) and e.edge == "after" and e.outcome == "left"]
    parts += [(mark.topic, mark.action or "") for mark in marks]
    for number, each in enumerate(texts(wanted)):
        spots = {(spot.topic, spot.action) for spot in seen.known.actions(each)}
        topics, names = {topic for topic, _ in parts}, {part for _, part in parts}
        held = bool(seen.known.topics(each) & topics or spots & set(parts) or each in names)
        yield Outcome("", each, listed(f"{topic}/{part}" for topic, part in parts), held, number)


def _at(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    held = False
    if seen.at is not None:
        spots = {(spot.topic, spot.action) for spot in seen.known.actions(wanted)}
        held = seen.at in spots or seen.at[0] in seen.known.topics(wanted)
    yield Outcome("", wanted, "/".join(seen.at) if seen.at else NOTHING, held)


def _set(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    for name, value in wanted.items():
        detailed = isinstance(value, Mapping) and value and set(value) <= set(DETAILS)
        asked = dict(value) if detailed else {"value": value}
        found = _value(seen, name)
        got = {} if found is None else {key: getattr(found, key) for key in asked}
        held = found is not None and all(same(asked[key], got[key]) for key in asked)
        shown = got.get("value") if list(got) == ["value"] else got
        told = shown_as(shown) if found is not None else NOTHING
        yield Outcome("", f"{name} = {shown_as(value)}", told, held, name)


def _unset(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    for part, name in enumerate(texts(wanted)):
        found = _value(seen, name)
        held = found is None or found.value is None
        yield Outcome("", name, NOTHING if found is None else shown_as(found.value), held, part)


def _not_asked(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    """In this turn and before."""
    asked = [name for event in seen.past if isinstance(event, AskedFor) for name in event.names]
    for part, name in enumerate(texts(wanted)):
        bare = name if _scope(name) is None else name.partition(".")[2]
        yield Outcome("", name, listed(dict.fromkeys(asked)), bare not in asked, part)


def _value(seen: Observation, name: str) -> Value | None:
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


def _last_written(seen: Observation, name: str, scope: str | None) -> Value | None:
    written = [e for e in seen.past if isinstance(e, VariableOperation) and e.name == name]
    last = next((e for e in reversed(written) if scope in (None, e.scope)), None)
    if last is None or last.operation == "delete" or _began_anew(seen, last):
        return None
    return Value(last.value, last.type, last.at, last.source, last.scope, last.strategy, last.evidence)


def _began_anew(seen: Observation, last: VariableOperation) -> bool:
    """Whether the topic that a value was of is being gone through once more, with variables of its own."""
    changed = {e.key: e for e in seen.past if isinstance(e, TopicChanged)}
    running = [key for key, e in changed.items() if e.state == "running"]
    was = changed.get(last.scope_key)
    return last.scope == "topic" and was is not None and any(changed[k].ref == was.ref for k in running if k != was.key)


def _scope(name: str) -> str | None:
    first, dot, _ = name.partition(".")
    return first if dot and first in SCOPES else None


def _directive(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    issued = [e for e in seen.events if isinstance(e, DirectiveApplied)]
    shown = listed(f"{e.directive} {shown_as(e.detail)}" + (f" ✗ {e.refused}" if e.refused else "") for e in issued)
    for part, each in enumerate(wanted if isinstance(wanted, list) else [wanted]):
        meant = each if isinstance(each, WantedDirective) else WantedDirective(directive=each)
        held = any(_is_meant(seen, event, meant) for event in issued)
        yield Outcome("", shown_as(meant.model_dump(exclude_unset=True)), shown, held, part)


def _is_meant(seen: Observation, event: DirectiveApplied, wanted: WantedDirective) -> bool:
    """Carried out, unless it is to be refused."""
    if event.directive != wanted.directive or not _is_refused_as(event.refused, wanted.refused):
        return False
    ways: dict[str, Callable[[str], set[str]]] = {
        "technique": seen.known.skills,
        "topic": seen.known.topics,
        "awareness": seen.known.awareness,
        "topics": seen.known.topics,
    }
    for key in wanted.model_fields_set - {"directive", "refused"}:
        told = event.detail.get("priority_map" if event.directive == "REORDER_TOPICS" else key)
        by = ways.get(key, _itself)
        named = texts(told) if isinstance(told, str) else [str(each) for each in told or ()]
        for meant in texts(getattr(wanted, key)):
            if not any(name == meant or by(meant) & by(name) for name in named):
                return False
    return True


def _is_refused_as(refused: str, wanted: bool | str) -> bool:
    return bool(refused) == wanted if isinstance(wanted, bool) else wanted in refused and bool(refused)


def _itself(name: str) -> set[str]:
    return {name}


def _verdict(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    judged = [e for e in seen.events if isinstance(e, Noticed)]
    for name, verdict in wanted.items():
        mine = [e for e in judged if e.awareness in seen.known.awareness(name)]
        held = any(e.verdict == verdict for e in mine)
        yield Outcome("", f"{name}: {verdict}", listed(f"{e.verdict} ({e.source})" for e in mine), held, name)


def _exit(seen: Observation, wanted: WantedExit) -> Iterator[Outcome]:
    ended = list(endings(seen.past, len(seen.past) - len(seen.events)))
    names = {(spot.topic, spot.action) for spot in seen.known.steps(wanted.action)} if wanted.action else None
    held = any(
        wanted.class_ in (None, each.exit_class)
        and wanted.source in (None, each.source)
        and wanted.outcome in (None, each.outcome)
        and (names is None or (each.topic, each.action) in names)
        for each in ended
    )
    shown = listed(each.line for each in ended)
    yield Outcome("", shown_as(wanted.model_dump(exclude_none=True, by_alias=True)), shown, held)


def _escalated(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    told = [e.to for e in seen.events if isinstance(e, Escalated)]
    yield Outcome("", wanted, listed(told), wanted in told)


def _milestone(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    passed = [e.name for e in seen.events if isinstance(e, Milestone)]
    for part, each in enumerate(texts(wanted)):
        yield Outcome("", each, listed(passed), each in passed, part)


def _request(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    yield Outcome("", wanted, seen.request.kind, seen.request.kind == wanted)


def _form(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    awaited = seen.request.form
    held = awaited is not None and awaited.id in seen.known.forms(wanted)
    yield Outcome("", wanted, NOTHING if awaited is None else awaited.id, held)


def _submitted(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    meant = wanted if isinstance(wanted, WantedForm) else WantedForm(form=wanted)
    handed_in = [e for e in seen.events if isinstance(e, FormSubmitted)]
    held = any(
        e.form in seen.known.forms(meant.form)
        and (not meant.scores or same(meant.scores, e.scores))
        and (not meant.bands or same(meant.bands, e.bands))
        for e in handed_in
    )
    shown = listed(f"{e.form} {shown_as(e.scores)} {shown_as(e.bands)}" for e in handed_in)
    yield Outcome("", shown_as(meant.model_dump(exclude_defaults=True)), shown, held)


def _problems(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    """What a form objects to: to these fields and no others, the form's name standing for its own checks; or, of a
    mapping, with these words. None: it objects to nothing."""
    form = seen.request.form
    found = [] if form is None else [(field or form.id, message) for field, _, message in form.problems]
    shown = listed(f"{field}: {message}" for field, message in found)
    if not isinstance(wanted, Mapping):
        names = {_problem(seen, name) for name in texts(wanted)}
        held = form is not None and names == {field for field, _ in found}
        yield Outcome("", listed(texts(wanted)), shown, held)
        return
    for name, words in wanted.items():
        meant = _problem(seen, name)
        held = any(field == meant and words in message for field, message in found)
        yield Outcome("", f"{name}: {words}", shown, held, name)


def _problem(seen: Observation, name: str) -> str:
    """A field, or the form that is awaited by any of its names."""
    form = seen.request.form
    if form is None or any(each["id"] == name for each in form.shown["fields"]):
        return name
    return form.id if form.id in seen.known.forms(name) else name


def _choices(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    """What can be pressed, by its value or its label."""
    offered = seen.request.choices
    for part, each in enumerate(texts(wanted)):
        held = any(each in (choice.value, choice.label) for choice in offered)
        yield Outcome("", each, listed(choice.label for choice in offered), held, part)


def _calls(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    yield Outcome("", f"≤ {wanted}", str(seen.calls), seen.calls <= wanted)


def _ended(seen: Observation, wanted: Any) -> Iterator[Outcome]:
    yield Outcome("", shown_as(wanted), shown_as(seen.ended), seen.ended == wanted)


_KINDS: Mapping[str, Callable[[Observation, Any], Iterator[Outcome]]] = {
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
    "not_asked": _not_asked,
    "directive": _directive,
    "verdict": _verdict,
    "exit": _exit,
    "escalated": _escalated,
    "milestone": _milestone,
    "request": _request,
    "choices": _choices,
    "form": _form,
    "submitted": _submitted,
    "problems": _problems,
    "calls": _calls,
    "ended": _ended,
}
