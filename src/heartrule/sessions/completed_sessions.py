"""Sessions that are over, by where they went: what was said in them is not opened."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from heartrule.engine.session.events import Event
from heartrule.store.records import EndedSession, EventRecord, Gone
from heartrule.store.store import Store


@dataclass(frozen=True, slots=True)
class FinishedSession:
    """``events``: those of the kinds that were asked for, oldest first."""

    session: EndedSession
    events: tuple[Event, ...]


async def finished(store: Store, kinds: Sequence[type[Event]]) -> AsyncIterator[FinishedSession]:
    """Every session that has ended, the earliest first, with its events of these ``kinds``: no other row of it is
    opened."""
    models = {str(model.model_fields["kind"].default): model for model in kinds}
    for session in await store.ended_sessions():
        try:
            rows = await store.events(session.id, kinds=models.keys())
        except Gone:
            continue
        yield FinishedSession(session, tuple(_event(models[row.kind], row) for row in rows))


def _event(model: type[Event], row: EventRecord) -> Event:
    return model.model_validate({**row.data, "kind": row.kind, "action": row.action})
