"""What a person agreed to before a session, as it is kept with the session and as it is shown to them."""

from __future__ import annotations

from typing import Any

from heartrule.server.context import AppContext
from heartrule.server.shapes import ConsentShape
from heartrule.sessions.session_status import read_only
from heartrule.store.records import SessionRecord

CONSENT = "consent"
"""Under this name a session's metadata keeps it."""
WITHDRAWN = "consent withdrawn"
"""Under this key a session is ended by taking it back: that it was, and when, is in the record of what came in. Nobody
who sends anything has a key with a space in it."""


def given(context: AppContext, notice: str | None) -> dict[str, Any]:
    """What is to be kept of a notice that was agreed to now: its version, and where words go as things stand."""
    if notice is None:
        return {}
    model = context.model
    said = {"notice": notice, "mode": "model" if context.sessions.model.configured else "script"}
    return {CONSENT: said | ({"model": model.name, "hosts": list(model.hosts)} if model else {})}


async def of_session(context: AppContext, record: SessionRecord) -> ConsentShape | None:
    """None where nothing was agreed to here."""
    kept = record.metadata.get(CONSENT)
    if kept is None:
        return None
    closed = read_only(context.sessions.life(record))
    back = await context.sessions.store.input(record.id, WITHDRAWN) if closed else None
    return ConsentShape(
        session=record.id,
        script=record.script,
        notice=kept["notice"],
        mode=kept["mode"],
        model=kept.get("model"),
        hosts=kept.get("hosts", []),
        at=record.created_at,
        withdrawn_at=back.received_at if back else None,
        open=not closed,
    )
