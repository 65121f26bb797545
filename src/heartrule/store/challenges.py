"""What somebody has begun in order to sign in and has not finished: what their browser or key must answer. Each counts
once, and not for long."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, insert, select

from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.staff_schema import challenges

CONTENT_BYTES = 512

_insert = insert(challenges)
_one = select(challenges.c.content).where(
    challenges.c.handle_digest == bindparam("handle"), challenges.c.until > bindparam("now")
)
_use = delete(challenges).where(challenges.c.handle_digest == bindparam("handle"))
_over = delete(challenges).where(challenges.c.until <= bindparam("now"))


class Challenges:
    """Every method is one transaction. Handles are given in clear and kept as digests."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def add(self, kind: str, handle: str, content: Mapping[str, Any], now: datetime, until: datetime) -> None:
        def work(tx: Tx) -> None:
            tx.conn.execute(_over, {"now": now})
            index = tx.keys.index()
            digest = _digest(index, kind, handle)
            sealed = index.seal(encode(content), _place(digest), CONTENT_BYTES)
            tx.conn.execute(_insert, {"handle_digest": digest, "until": until, "content": sealed})

        await self._db.write(work)

    async def take(self, kind: str, handle: str, now: datetime) -> dict[str, Any] | None:
        """Use it up; None where it was used before, or its time is over. Of many that try at once one gets it."""

        def work(tx: Tx) -> dict[str, Any] | None:
            index = tx.keys.index()
            digest = _digest(index, kind, handle)
            found = tx.conn.execute(_one, {"handle": digest, "now": now}).scalar()
            if found is None or tx.conn.execute(_use, {"handle": digest}).rowcount != 1:
                return None
            content: dict[str, Any] = decode(index.open(found, _place(digest)))
            return content

        return await self._db.write(work)


def _digest(index: Box, kind: str, handle: str) -> bytes:
    return index.digest(place("challenges", "handle", kind, handle))


def _place(digest: bytes) -> bytes:
    return place("challenges", "content", digest.hex())
