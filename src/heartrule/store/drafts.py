"""Forms that a counsellor has begun to fill: what they have answered so far, until it is handed in. They go with the
session."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, delete, select

from heartrule.store import sessions
from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import upsert
from heartrule.store.schema import drafts

ANSWERS_BYTES = 1024

_of_session = select(drafts).where(drafts.c.session == bindparam("session"))
_one = _of_session.where(drafts.c.form_digest == bindparam("form"))
_remove = delete(drafts).where(
    drafts.c.session == bindparam("of_session"), drafts.c.form_digest == bindparam("of_form")
)


class Drafts:
    """By the key of the showing of a form. Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def of_session(self, session: str) -> dict[str, dict[str, Any]]:
        """``Gone`` where there is no such session."""

        def work(tx: Tx) -> dict[str, dict[str, Any]]:
            box = sessions.view(tx, session).box
            rows = tx.conn.execute(_of_session, {"session": session}).all()
            return dict(_opened(box, row)[:2] for row in rows)

        return await self._db.read(work)

    async def add(self, session: str, form: str, answers: Mapping[str, Any], who: str, now: datetime) -> dict[str, Any]:
        """Later answers over earlier ones; ``None`` takes one back. All that there is then. ``Gone`` where there is no
        such session."""

        def work(tx: Tx) -> dict[str, Any]:
            box = sessions.hold(tx, session).box
            digest = _digest(box, session, form)
            row = tx.conn.execute(_one, {"session": session, "form": digest}).one_or_none()
            known = {} if row is None else _opened(box, row)[1]
            held = {**known, **answers}
            sealed = box.seal(encode([form, held, who]), place_of(session, digest), ANSWERS_BYTES)
            values = {"session": session, "form_digest": digest, "at": now, "answers": sealed}
            tx.conn.execute(upsert(tx.conn, drafts, ("at", "answers")), values)
            return held

        return await self._db.write(work)

    async def remove(self, session: str, form: str) -> None:
        """What was handed in stands where it is kept for good."""

        def work(tx: Tx) -> None:
            digest = _digest(sessions.view(tx, session).box, session, form)
            tx.conn.execute(_remove, {"of_session": session, "of_form": digest})

        await self._db.write(work)


def _digest(box: Box, session: str, form: str) -> bytes:
    return box.digest(place("drafts", "form", session, form))


def place_of(session: str, digest: bytes) -> bytes:
    return place("drafts", "answers", session, digest.hex())


def _opened(box: Box, row: Row[Any]) -> tuple[str, dict[str, Any], str]:
    """Of which form, what was answered, and by whom of the staff."""
    form, answers, who = decode(box.open(row.answers, place_of(row.session, bytes(row.form_digest))))
    return form, answers, who
