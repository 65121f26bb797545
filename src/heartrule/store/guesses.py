"""Sign-ins that failed: how many in a row, of whom and from where, as a keyed digest of both."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, select

from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import insert_missing, upsert
from heartrule.store.schema import guesses

KEPT = timedelta(days=1)
"""So long after the last one they count."""

_one = select(guesses).where(guesses.c.who_digest == bindparam("who"))
_locked = _one.with_for_update()
_gone = delete(guesses).where(guesses.c.who_digest == bindparam("who"))
_old = delete(guesses).where(guesses.c.forget_at <= bindparam("now"))


class Guesses:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def begin(self, who: str, source: str, now: datetime, delay: Callable[[int], timedelta]) -> timedelta:
        """Count a try as failed before it is looked at, so that many at once are counted too. How long to wait before
        the next; nothing where it may be made now. ``delay``: how long after so many failures."""

        def work(tx: Tx) -> timedelta:
            digest = _digest(tx.keys.index(), who, source)
            tx.conn.execute(_old, {"now": now})
            first = {"who_digest": digest, "failures": 0, "until": now, "forget_at": now + KEPT}
            tx.conn.execute(insert_missing(tx.conn, guesses), first)
            row = tx.conn.execute(_locked, {"who": digest}).one()  # of many at once each sees what the last one left
            if row.until > now:
                found: timedelta = row.until - now
                return found
            failures = 1 + row.failures
            until = now + delay(failures)
            values = {"who_digest": digest, "failures": failures, "until": until, "forget_at": until + KEPT}
            tx.conn.execute(upsert(tx.conn, guesses, ("failures", "until", "forget_at")), values)
            return timedelta(0)

        return await self._db.write(work)

    async def right(self, who: str, source: str) -> None:
        """It was no guess."""

        def work(tx: Tx) -> None:
            tx.conn.execute(_gone, {"who": _digest(tx.keys.index(), who, source)})

        await self._db.write(work)

    async def take_back(self, who: str, source: str, now: datetime) -> None:
        """One try of several was none."""

        def work(tx: Tx) -> None:
            digest = _digest(tx.keys.index(), who, source)
            row = tx.conn.execute(_one, {"who": digest}).one_or_none()
            if row is not None:
                left = {"failures": max(0, row.failures - 1), "until": now, "forget_at": now + KEPT}
                tx.conn.execute(upsert(tx.conn, guesses, tuple(left)), {"who_digest": digest, **left})

        await self._db.write(work)


def _digest(index: Box, who: str, source: str) -> bytes:
    return index.digest(place("guesses", "who", who, source))
