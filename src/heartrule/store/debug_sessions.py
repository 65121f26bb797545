"""Debug sessions: a head that changes and moves that come to it. No person of the store is in them; what is typed into
one is sealed all the same, with the key of the store. They are in none of the lists that are about people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, select

from heartrule.language.compiling.script import Source
from heartrule.store import bundles
from heartrule.store.codec import decode, encode
from heartrule.store.crypto import place
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import upsert
from heartrule.store.schema import debug_moves, debug_sessions

_of_who = (
    select(debug_sessions.c.id, debug_sessions.c.script, debug_sessions.c.updated_at, debug_sessions.c.closed)
    .where(debug_sessions.c.who == bindparam("who"))
    .order_by(debug_sessions.c.updated_at.desc())
    .limit(bindparam("limit"))
)
_head = select(debug_sessions).where(debug_sessions.c.id == bindparam("id"))
_moves = select(debug_moves).where(debug_moves.c.session == bindparam("id")).order_by(debug_moves.c.number)
_remove = delete(debug_sessions).where(debug_sessions.c.id == bindparam("gone"))
_remove_moves = delete(debug_moves).where(debug_moves.c.session == bindparam("gone"))


@dataclass(frozen=True, slots=True)
class DebugListed:
    id: str
    script: str
    updated_at: datetime
    closed: bool


@dataclass(frozen=True, slots=True)
class DebugHead:
    """``data``: what the debugger keeps of it."""

    id: str
    who: str
    script: str
    updated_at: datetime
    closed: bool
    data: Any = field(repr=False)


class DebugSessions:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def save(self, head: DebugHead, moves: Sequence[tuple[int, Any]]) -> None:
        """The head as it is now, and these moves, new or changed."""

        def work(tx: Tx) -> None:
            box = tx.keys.index()
            sealed = box.seal(encode(head.data), place("debug_sessions", "head", head.id))
            tx.conn.execute(
                upsert(tx.conn, debug_sessions, ("updated_at", "closed", "head")),
                {
                    "id": head.id,
                    "who": head.who,
                    "script": head.script,
                    "updated_at": head.updated_at,
                    "closed": head.closed,
                    "head": sealed,
                },
            )
            for number, data in moves:
                content = box.seal(encode(data), place("debug_moves", "content", head.id, number))
                values = {"session": head.id, "number": number, "content": content}
                tx.conn.execute(upsert(tx.conn, debug_moves, ("content",)), values)

        await self._db.write(work)

    async def save_text(self, name: str, sources: Sequence[Source]) -> None:
        """A text under the hash that names it."""
        await self._db.write(bundles.save, name, sources)

    async def load(self, id_: str) -> tuple[DebugHead, list[Any]] | None:
        """The head and all moves, the first one first; None where there is none."""

        def work(tx: Tx) -> tuple[DebugHead, list[Any]] | None:
            box = tx.keys.index()
            row = tx.conn.execute(_head, {"id": id_}).one_or_none()
            if row is None:
                return None
            data = decode(box.open(row.head, place("debug_sessions", "head", id_)))
            moves = [
                decode(box.open(each.content, place("debug_moves", "content", id_, each.number)))
                for each in tx.conn.execute(_moves, {"id": id_})
            ]
            return DebugHead(row.id, row.who, row.script, row.updated_at, row.closed, data), moves

        return await self._db.read(work)

    async def of(self, who: str, limit: int = 100) -> tuple[DebugListed, ...]:
        """Somebody's, the last one first."""

        def work(tx: Tx) -> tuple[DebugListed, ...]:
            rows = tx.conn.execute(_of_who, {"who": who, "limit": limit})
            return tuple(DebugListed(row.id, row.script, row.updated_at, row.closed) for row in rows)

        return await self._db.read(work)

    async def remove(self, id_: str) -> None:
        def work(tx: Tx) -> None:
            tx.conn.execute(_remove_moves, {"gone": id_})
            tx.conn.execute(_remove, {"gone": id_})

        await self._db.write(work)
