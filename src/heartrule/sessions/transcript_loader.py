"""A session as it stands in the store, for whoever remembers it: nothing that was withheld or taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from heartrule.language import placeholders
from heartrule.language.compiling.script import Script
from heartrule.language.nodes import Get, Skill, Topic
from heartrule.language.projects.project import SAFETY
from heartrule.memory.session_material import CaseEntry, FormScore, ProvenValue, SaidMessage, SessionMaterial, Stretch
from heartrule.store.records import EVERYTHING, EventRecord, MessageRecord, SessionRecord
from heartrule.store.store import Store

KINDS = ("topic", "case", "variable", "form_submitted")
_PROVED = ("json", "history", "llm", "rules", "fallback", "passive", "correction")
_PRIVATE = ("risk", "protective", "off_record")
"""Records of danger, and what is not to be written down: they are the session's, and nobody is reminded of them
elsewhere."""
Label = Callable[[str, str, str], str]


async def load_material(store: Store, record: SessionRecord, script: Script, label: Label) -> SessionMaterial:
    """``Gone`` where the session is no more."""
    messages = await store.messages(record.id, 0, EVERYTHING)
    events = await store.events(record.id, KINDS)
    last = _last_of_turns(messages)
    danger = _in_danger(events, last)
    seen = [
        each
        for each in messages
        if not each.withheld and each.text and each.sender != "system" and not any(each.number in of for of in danger)
    ]
    return SessionMaterial(
        session=record.id,
        name=script.session.session,
        locale=record.locale,
        began=record.created_at,
        said=[SaidMessage(each.number, each.text, each.at, reply=each.sender != "person") for each in seen],
        stretches=_stretches(events, last, _names(script), over=record.ended_at is not None),
        found=list(_found(events, last, script, label, record)),
        noted=_noted(events),
        scored=list(_scored(events, last)),
        ended=record.ended_at,
    )


def _last_of_turns(messages: Sequence[MessageRecord]) -> Mapping[int, int]:
    """By turn the number of the last message by its end."""
    found: dict[int, int] = {}
    for each in messages:
        found[each.turn] = each.number
    return found


def _by(last: Mapping[int, int], turn: int) -> int:
    return max((number for seq, number in last.items() if seq <= turn), default=0)


def _names(script: Script) -> Mapping[str, str]:
    topics = {ref: topic.name for phase in script.session.phases for ref, topic in phase.topics.items()}
    return topics | {ref: skill.name for ref, skill in script.skills.items()}


def _stretches(
    events: Sequence[EventRecord], last: Mapping[int, int], names: Mapping[str, str], *, over: bool
) -> list[Stretch]:
    """Topics as they ran. One that was put aside and came back is one; a crisis is none."""
    open_: dict[str, tuple[str, int]] = {}
    found: list[Stretch] = []
    for event in (each for each in events if each.kind == "topic"):
        key, ref, state = event.data["key"], event.data["ref"], event.data["state"]
        if ref.startswith(f"{SAFETY}/"):
            continue
        if state == "running":
            open_.setdefault(key, (ref, _by(last, event.turn - 1) + 1))
        elif state in ("completed", "skipped") and key in open_:
            of, first = open_.pop(key)
            found.append(Stretch(names.get(of, of), of, first, max(first, _by(last, event.turn)), over=True))
    end = max(last.values(), default=0)
    found += [Stretch(names.get(ref, ref), ref, first, max(first, end), over) for ref, first in open_.values()]
    return sorted(found, key=lambda each: (each.first, each.last))


def _in_danger(events: Sequence[EventRecord], last: Mapping[int, int]) -> list[range]:
    """The messages of crises: what was said in them is the session's alone."""
    open_: dict[str, int] = {}
    found: list[range] = []
    for event in (each for each in events if each.kind == "topic" and each.data["ref"].startswith(f"{SAFETY}/")):
        if event.data["state"] == "running":
            open_.setdefault(event.data["key"], _by(last, event.turn - 1) + 1)
        elif event.data["state"] in ("completed", "skipped") and event.data["key"] in open_:
            found.append(range(open_.pop(event.data["key"]), _by(last, event.turn) + 1))
    return found + [range(first, max(last.values(), default=0) + 1) for first in open_.values()]


def _noted(events: Sequence[EventRecord]) -> list[CaseEntry]:
    """Each record as it was told last."""
    newest = {each.data["number"]: each.data for each in events if each.kind == "case"}
    return [
        CaseEntry(
            kind=data["noted"],
            text=data["text"],
            quote=data["quote"],
            message=data["message"],
            number=data["number"],
            by=data["by"],
            about=tuple(data["about"]),
            before=data["before"],
            after=data["after"],
            done=bool(data["done"]),
            superseded=bool(data["superseded"]),
        )
        for data in newest.values()
        if data["noted"] not in _PRIVATE
    ]


def _found(
    events: Sequence[EventRecord], last: Mapping[int, int], script: Script, label: Label, record: SessionRecord
) -> Iterator[ProvenValue]:
    risky = _risky(script)
    written = [
        each
        for each in events
        if each.kind == "variable" and each.data["strategy"] in _PROVED and each.data["name"] not in risky
    ]
    newest = {each.data["name"]: each for each in written}
    for each in written:
        data = each.data
        if data["value"] in (None, "", []) or not data.get("evidence"):
            continue
        yield ProvenValue(
            name=data["name"],
            label=label(record.project, data["name"], record.locale),
            shown=placeholders.format_value(data["value"], record.locale),
            quote=data["evidence"],
            message=_by(last, each.turn),
            at=datetime.fromisoformat(data["at"]) if isinstance(data["at"], str) else data["at"],
            now=newest[data["name"]] is each,
        )


def _risky(script: Script) -> frozenset[str]:
    """Variables about danger, wherever they are declared or asked for."""
    topics = [topic for phase in script.session.phases for topic in phase.topics.values()]
    bodies: list[Topic | Skill] = [*topics, *script.skills.values()]
    parts = [script.session.declare, *(each.declare for each in script.session.phases)]
    parts += [each.declare for each in bodies]
    declared = [*script.variables.values(), *(each for part in parts for each in part)]
    asked = [each for body in bodies for action in body.actions for each in action.peek("output") or ()]
    named = {each.var for each in declared if each.risk}
    return frozenset(named | {each.get for each in asked if isinstance(each, Get) and each.risk})


def _scored(events: Sequence[EventRecord], last: Mapping[int, int]) -> Iterator[FormScore]:
    for each in (one for one in events if one.kind == "form_submitted"):
        data: Mapping[str, Any] = each.data
        if data.get("by") and data.get("audience") == "counselor":
            continue
        for name, value in data["scores"].items():
            if value is not None:
                band, label = data["bands"].get(name, ""), data["labels"].get(name, "")
                at = datetime.fromisoformat(data["at"]) if isinstance(data["at"], str) else data["at"]
                yield FormScore(data["form"], data["name"], label, value, band, _by(last, each.turn), at)
