"""The outbox: what is still to be done outside turns. A row is written in the transaction of the turn that wants it
done, and goes away in the one that puts down that it was done."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, bindparam, delete, func, insert, or_, select, update

from heartrule.store.codec import decode_clear, encode_clear
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import insert_missing
from heartrule.store.schema import outbox

_insert = insert(outbox)
_one = select(outbox).where(outbox.c.id == bindparam("id"))
_free = or_(outbox.c.owner.is_(None), outbox.c.until <= bindparam("now"))
_due = (
    select(outbox)
    .where(
        outbox.c.due_at <= bindparam("now"),
        or_(_free, outbox.c.owner.in_(bindparam("dead", expanding=True))),
    )
    .order_by(outbox.c.due_at, outbox.c.id)
    .limit(bindparam("limit"))
)
_owners = select(outbox.c.owner).where(outbox.c.owner.is_not(None), outbox.c.until > bindparam("now")).distinct()
_claim = (
    update(outbox)
    .where(
        outbox.c.id == bindparam("of_id"),
        outbox.c.attempt == bindparam("of_attempt"),
        outbox.c.owner.is_not_distinct_from(bindparam("of_owner")),
        outbox.c.until.is_not_distinct_from(bindparam("of_until")),
    )
    .values(owner=bindparam("new_owner"), until=bindparam("new_until"))
)
_progress = (
    update(outbox)
    .where(
        outbox.c.id == bindparam("of_id"),
        outbox.c.attempt == bindparam("of_attempt"),
        outbox.c.owner == bindparam("of_owner"),
    )
    .values(done=bindparam("steps"), until=bindparam("new_until"))
)
_again = (
    update(outbox)
    .where(outbox.c.id == bindparam("of_id"), outbox.c.attempt == bindparam("of_attempt"))
    .values(attempt=bindparam("next"), due_at=bindparam("due"), done=bindparam("steps"), owner=None, until=None)
)
_once_more = (
    update(outbox)
    .where(outbox.c.id == bindparam("of_id"), outbox.c.owner.is_not(None))
    .values(attempt=outbox.c.attempt + 1, due_at=bindparam("due"), done=bindparam("steps"), owner=None, until=None)
)
_finish = delete(outbox).where(outbox.c.id == bindparam("of_id"), outbox.c.attempt == bindparam("of_attempt"))
_next = select(func.min(outbox.c.due_at)).where(outbox.c.owner.is_(None))


@dataclass(frozen=True, slots=True)
class OutboxRecord:
    """Work that is to be done. ``attempt`` is the number, from 1, of the attempt to be made; of its steps those in
    ``done`` were taken by earlier ones. ``owner`` has it in hand until ``until``."""

    id: str
    kind: str
    attempt: int
    created_at: datetime
    due_at: datetime
    done: tuple[str, ...]
    owner: str | None
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Again:
    """The next attempt: when, and what of it is done already."""

    due_at: datetime
    done: tuple[str, ...] = ()


def add(tx: Tx, row_id: str, kind: str, at: datetime) -> None:
    values = {"id": row_id, "kind": kind, "attempt": 1, "created_at": at, "due_at": at, "done": encode_clear([])}
    tx.conn.execute(_insert, values)


def add_once(tx: Tx, row_id: str, kind: str, at: datetime) -> None:
    """Unless it is to be done already. What is being done just now may have read what has changed since: it is to be
    done once more, and that attempt settles nothing any more."""
    values = {"id": row_id, "kind": kind, "attempt": 1, "created_at": at, "due_at": at, "done": encode_clear([])}
    tx.conn.execute(insert_missing(tx.conn, outbox), values | {"owner": None, "until": None})
    tx.conn.execute(_once_more, {"of_id": row_id, "due": at, "steps": encode_clear([])})


def is_there(tx: Tx, row_id: str) -> bool:
    return tx.conn.execute(_one, {"id": row_id}).first() is not None


def _record(row: Row[Any]) -> OutboxRecord:
    values = row._asdict()
    return OutboxRecord(**{**values, "done": tuple(decode_clear(values["done"]))})


class Outbox:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def find(self, row_id: str) -> OutboxRecord | None:
        def work(tx: Tx) -> OutboxRecord | None:
            row = tx.conn.execute(_one, {"id": row_id}).one_or_none()
            return None if row is None else _record(row)

        return await self._db.read(work)

    async def due(self, now: datetime, limit: int, dead: Collection[str] = ()) -> tuple[OutboxRecord, ...]:
        """What can be begun: nobody has it in hand, or one of the ``dead``, or somebody whose time is over."""

        def work(tx: Tx) -> tuple[OutboxRecord, ...]:
            rows = tx.conn.execute(_due, {"now": now, "limit": limit, "dead": list(dead)}).all()
            return tuple(_record(row) for row in rows)

        return await self._db.read(work)

    async def next_due(self) -> datetime | None:
        """When the next of what nobody has in hand can be begun."""

        def work(tx: Tx) -> datetime | None:
            found: datetime | None = tx.conn.execute(_next).scalar()
            return found

        return await self._db.read(work)

    async def owners(self, now: datetime) -> tuple[str, ...]:
        """Who has something in hand."""
        return await self._db.read(lambda tx: tuple(tx.conn.execute(_owners, {"now": now}).scalars()))

    async def claim(self, record: OutboxRecord, owner: str, until: datetime) -> bool:
        """Take it in hand as it was found; False when another was faster."""
        values = {
            "of_id": record.id,
            "of_attempt": record.attempt,
            "of_owner": record.owner,
            "of_until": record.until,
            "new_owner": owner,
            "new_until": until,
        }
        return await self._db.write(lambda tx: tx.conn.execute(_claim, values).rowcount == 1)

    async def progress(self, row_id: str, attempt: int, owner: str, until: datetime, steps: Collection[str]) -> bool:
        """``steps`` are done of an attempt that ``owner`` has in hand, now until ``until``. False when it has it no
        more: the attempt was settled, or another took it over."""

        def work(tx: Tx) -> bool:
            row = tx.conn.execute(_one, {"id": row_id}).one_or_none()
            if row is None or (row.attempt, row.owner) != (attempt, owner):
                return False
            done = encode_clear([*decode_clear(row.done), *steps])
            values = {"of_id": row_id, "of_attempt": attempt, "of_owner": owner, "steps": done, "new_until": until}
            return tx.conn.execute(_progress, values).rowcount == 1

        return await self._db.write(work)

    async def settle(self, row_id: str, attempt: int, then: Again | None, effect: Callable[[Tx], None]) -> bool:
        """Put down what came of an attempt: it is to be made ``again``, or never more, and ``effect`` happens with it.
        An attempt is settled once: False, and nothing done, when it was before."""

        def work(tx: Tx) -> bool:
            of = {"of_id": row_id, "of_attempt": attempt}
            if then is None:
                changed = tx.conn.execute(_finish, of).rowcount
            else:
                more = {"next": attempt + 1, "due": then.due_at, "steps": encode_clear(then.done)}
                changed = tx.conn.execute(_again, {**of, **more}).rowcount
            if changed:
                effect(tx)
            return bool(changed)

        return await self._db.write(work)

    async def skip(self, row_id: str, attempt: int, at: datetime) -> bool:
        """The attempt came to no end that anybody knows of: the next is due ``at``. False when it was settled."""

        def work(tx: Tx) -> bool:
            row = tx.conn.execute(_one, {"id": row_id}).one_or_none()
            if row is None or row.attempt != attempt:
                return False
            more = {"next": attempt + 1, "due": at, "steps": row.done}
            return tx.conn.execute(_again, {"of_id": row_id, "of_attempt": attempt, **more}).rowcount == 1

        return await self._db.write(work)
