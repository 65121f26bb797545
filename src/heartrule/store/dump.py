"""A session's final content in a form in which two runs of the same conversation are equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from heartrule.store import history, inbox, memories, sessions, turns, variables
from heartrule.store.database import Tx
from heartrule.store.records import EVERYTHING

TIMES = frozenset({"at", "since", "due", "started_at", "entered_at", "updated_at", "received_at", "wake_at", "seconds"})
"""Keys whose values say when something happened or how long it took."""
_IDS = frozenset({"id", "session", "person", "parent"})


def dump(tx: Tx, session: str) -> dict[str, Any]:
    held = sessions.view(tx, session)
    record, box = held.record, held.box
    names = {record.id: "<session>", record.person: "<person>"}

    def canonical(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: canonical(value[key]) for key in sorted(value) if key not in TIMES}
        if isinstance(value, list | tuple):
            return [canonical(one) for one in value]
        if isinstance(value, str):
            for name, shown in names.items():
                value = value.replace(name, shown)
        return value

    def flat(one: Any) -> dict[str, Any]:
        kept = {field.name: getattr(one, field.name) for field in fields(one) if field.name not in _IDS}
        return dict(canonical(kept))

    return {
        "session": {
            "project": record.project,
            "script": record.script,
            "bundle": record.bundle,
            "locale": record.locale,
            "status": record.status,
            "seq": record.seq,
            "position": canonical(record.position),
            "metadata": canonical(record.metadata),
            "ended": record.ended_at is not None,
        },
        "state": canonical(held.state),
        "variables": [flat(one) for one in variables.visible(tx, held)],
        "memories": [flat(one) for one in memories.seen(tx, held)],
        "inbox": [
            {"number": one.number, "turn": one.turn, **flat(one.entry)} for one in inbox.entries(tx, box, session)
        ],
        "messages": [flat(one) for one in history.messages_after(tx, box, session, 0, EVERYTHING)],
        "turns": [{"seq": one.seq, "outcome": canonical(one.outcome)} for one in turns.every(tx, held)],
        "events": [flat(one) for one in history.read_events(tx, box, session, None)],
        "calls": sorted(
            (flat(one) for one in history.read_calls(tx, box, session)),
            key=lambda one: (one["turn"], one["key"], one["prompt_hash"]),
        ),
    }
