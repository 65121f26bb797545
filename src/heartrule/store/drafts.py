"""Forms that a counsellor has begun to fill: what they have answered so far, until it is handed in. They go with the
session."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, select

from heartrule.store import sessions
from heartrule.store.codec import decode, encode
from heartrule.store.crypto import place
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import upsert
from heartrule.store.schema import drafts

_of_session = select(drafts).where(drafts.c.session == bindparam("session"))
_one = _of_session.where(drafts.c.form == bindparam("form"))
_remove = delete(drafts).where(drafts.c.session == bindparam("of_session"), drafts.c.form == bindparam("of_form"))


class Drafts:
    """By the key of the showing of a form. Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def of_session(self, session: str) -> dict[str, dict[str, Any]]:
        """``Gone`` where there is no such session."""

        def work(tx: Tx) -> dict[str, dict[str, Any]]:
            box = sessions.view(tx, session).box
            rows = tx.conn.execute(_of_session, {"session": session}).all()
            return {row.form: decode(box.open(row.answers, _place(session, row.form))) for row in rows}

        return await self._db.read(work)

    async def add(self, session: str, form: str, answers: Mapping[str, Any], who: str, now: datetime) -> dict[str, Any]:
        """Later answers over earlier ones; ``None`` takes one back. All that there is then. ``Gone`` where there is no
        such session."""

        def work(tx: Tx) -> dict[str, Any]:
            box = sessions.hold(tx, session).box
            where = _place(session, form)
            row = tx.conn.execute(_one, {"session": session, "form": form}).one_or_none()
            known = {} if row is None else decode(box.open(row.answers, where))
            held = {**known, **answers}
            values = {"session": session, "form": form, "who": who, "at": now, "answers": box.seal(encode(held), where)}
            tx.conn.execute(upsert(tx.conn, drafts, ("who", "at", "answers")), values)
            return held

        return await self._db.write(work)

    async def remove(self, session: str, form: str) -> None:
        """What was handed in stands where it is kept for good."""

        def work(tx: Tx) -> None:
            tx.conn.execute(_remove, {"of_session": session, "of_form": form})

        await self._db.write(work)


def _place(session: str, form: str) -> bytes:
    return place("drafts", "answers", session, form)
