"""Replies that counsellors keep ready. Nothing of a person's is in them; whose they are need not be read by others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import Row, bindparam, delete, select

from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import upsert
from heartrule.store.schema import canned

CONTENT_BYTES = 512

_all = select(canned)
_one = select(canned).where(canned.c.id == bindparam("id"))
_delete = delete(canned).where(canned.c.id == bindparam("of_id"))


@dataclass(frozen=True, slots=True)
class CannedReply:
    """``owner``: the id of whose it is. ``shared``: everybody uses it."""

    id: str
    owner: str
    title: str
    text: str = field(repr=False)
    locale: str
    shared: bool


class CannedReplies:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def all(self) -> tuple[CannedReply, ...]:
        def work(tx: Tx) -> tuple[CannedReply, ...]:
            index = tx.keys.index()
            found = [_reply(index, row) for row in tx.conn.execute(_all)]
            return tuple(sorted(found, key=lambda each: (each.title, each.id)))

        return await self._db.read(work)

    async def put(self, reply: CannedReply, may: Callable[[CannedReply], None]) -> None:
        """New, or in place of the one with its id. ``may`` is asked about the one that is there, and refuses by
        raising."""

        def work(tx: Tx) -> None:
            index = tx.keys.index()
            row = tx.conn.execute(_one, {"id": reply.id}).one_or_none()
            if row is not None:
                may(_reply(index, row))
            sealed = index.seal(encode(asdict(reply)), place("canned", "content", reply.id), CONTENT_BYTES)
            tx.conn.execute(upsert(tx.conn, canned, ("content",)), {"id": reply.id, "content": sealed})

        await self._db.write(work)

    async def find(self, reply: str) -> CannedReply | None:
        def work(tx: Tx) -> CannedReply | None:
            row = tx.conn.execute(_one, {"id": reply}).one_or_none()
            return None if row is None else _reply(tx.keys.index(), row)

        return await self._db.read(work)

    async def remove(self, reply: str) -> None:
        def work(tx: Tx) -> None:
            tx.conn.execute(_delete, {"of_id": reply})

        await self._db.write(work)


def _reply(index: Box, row: Row[Any]) -> CannedReply:
    return CannedReply(**decode(index.open(row.content, place("canned", "content", row.id))))
