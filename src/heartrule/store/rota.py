"""When counsellors mean to be there. It informs, and decides nothing; of no person."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import Row, bindparam, delete, insert, select

from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.schema import rota

CONTENT_BYTES = 256

_all = select(rota)
_one = select(rota).where(rota.c.id == bindparam("id"))
_insert = insert(rota)
_delete = delete(rota).where(rota.c.id == bindparam("of_id"))


@dataclass(frozen=True, slots=True)
class PlannedHours:
    """Of the counsellor ``who``: on these ``days`` of every week (0 is Monday), or once, on ``date`` (ISO), from
    ``start`` to ``end`` (``HH:MM``) by the clocks of ``zone``. What ends no later than it begins ends a day later."""

    id: str
    who: str
    name: str = field(repr=False)
    days: tuple[int, ...]
    date: str
    start: str
    end: str
    zone: str


class Rota:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def all(self) -> tuple[PlannedHours, ...]:
        def work(tx: Tx) -> tuple[PlannedHours, ...]:
            index = tx.keys.index()
            return tuple(_hours(index, row) for row in tx.conn.execute(_all))

        return await self._db.read(work)

    async def find(self, hours: str) -> PlannedHours | None:
        def work(tx: Tx) -> PlannedHours | None:
            row = tx.conn.execute(_one, {"id": hours}).one_or_none()
            return None if row is None else _hours(tx.keys.index(), row)

        return await self._db.read(work)

    async def add(self, hours: PlannedHours) -> None:
        def work(tx: Tx) -> None:
            sealed = tx.keys.index().seal(encode(asdict(hours)), place("rota", "content", hours.id), CONTENT_BYTES)
            tx.conn.execute(_insert, {"id": hours.id, "content": sealed})

        await self._db.write(work)

    async def remove(self, hours: str) -> None:
        def work(tx: Tx) -> None:
            tx.conn.execute(_delete, {"of_id": hours})

        await self._db.write(work)


def _hours(index: Box, row: Row[Any]) -> PlannedHours:
    data = decode(index.open(row.content, place("rota", "content", row.id)))
    return PlannedHours(**{**data, "days": tuple(data["days"])})
