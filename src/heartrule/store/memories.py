"""What is remembered of a person. An item belongs to the session that it came from and goes with it; those of some
types are seen in other sessions of the person in the project, too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Row, and_, bindparam, delete, exists, or_, select, update

from heartrule.store import sessions
from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import upsert
from heartrule.store.quotations import Quotations
from heartrule.store.records import VariableRecord
from heartrule.store.schema import memories, persons
from heartrule.store.sessions import SessionRow

SCOPE = "memory"
"""The scope that items have where they stand among variables."""
LASTING = ("long", "structured")
"""Types that are seen in other sessions, where the person wants that."""

CONTENT_BYTES = 512

_mine = and_(memories.c.person == bindparam("person"), memories.c.project == bindparam("project"))
_wanted = exists().where(persons.c.id == memories.c.person, persons.c.remembers.is_(True))
_seen = select(memories).where(
    _mine, or_(memories.c.session == bindparam("session"), and_(memories.c.lasting.is_(True), _wanted))
)
_of_person = (
    select(memories)
    .join(persons, persons.c.id == memories.c.person)
    .where(memories.c.person == bindparam("person"), persons.c.erasing.is_(False))
    .order_by(memories.c.at, memories.c.id)
)
_own = select(memories).where(memories.c.session == bindparam("session"))
_close = delete(memories).where(
    memories.c.session == bindparam("of_session"), memories.c.cell_digest == bindparam("of_cell")
)
_drop = delete(memories).where(memories.c.person == bindparam("of_person"), memories.c.id == bindparam("of_id"))
_change = update(memories).where(memories.c.id == bindparam("of_id")).values(content=bindparam("sealed"))
_CHANGING = ("lasting", "at", "content")


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """An item, with where it came from."""

    session: str
    project: str
    item: VariableRecord


class Memories:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def seen(self, session: str) -> tuple[VariableRecord, ...]:
        """Whatever a turn of this session may be reminded of. ``Gone`` where there is none."""
        return await self._db.read(lambda tx: seen(tx, sessions.view(tx, session)))

    async def of_person(self, person: str) -> tuple[StoredMemory, ...]:
        """Everything, the oldest first."""

        def work(tx: Tx) -> tuple[StoredMemory, ...]:
            rows = tx.conn.execute(_of_person, {"person": person}).all()
            box = tx.keys.box(person) if rows else None
            return tuple(StoredMemory(row.session, row.project, _read(box, row)) for row in rows if box is not None)

        return await self._db.read(work)

    async def forget(self, person: str, item: str) -> bool:
        """Whether it was remembered."""

        def work(tx: Tx) -> bool:
            return tx.conn.execute(_drop, {"of_person": person, "of_id": item}).rowcount == 1

        found = await self._db.write(work)
        if found:
            await self._db.aside(lambda: self._db.engines.scrub("memories"))
        return found


def seen(tx: Tx, held: SessionRow) -> tuple[VariableRecord, ...]:
    where = {"person": held.row.person, "project": held.row.project, "session": held.row.id}
    found = [_read(held.box, row) for row in tx.conn.execute(_seen, where)]
    return tuple(sorted(found, key=lambda each: (each.scope_key, each.name)))


def _read(box: Box, row: Row[Any]) -> VariableRecord:
    content = decode(box.open(row.content, _place(row.id)))
    return VariableRecord(
        scope=SCOPE,
        scope_key=content["cell"],
        name=row.id,
        value=content["value"],
        type=content["type"],
        updated_at=row.at,
        updated_by=content["action"],
        strategy=SCOPE,
        evidence=content["evidence"],
    )


def _place(item: str) -> bytes:
    return place("memories", "content", item)


def write(tx: Tx, held: SessionRow, records: Iterable[VariableRecord]) -> None:
    rows = [
        {
            "id": each.name,
            "person": held.row.person,
            "project": held.row.project,
            "session": held.row.id,
            "cell_digest": _cell(held.box, each.scope_key),
            "lasting": each.type in LASTING,
            "at": each.updated_at,
            "content": _sealed(held.box, each),
        }
        for each in sorted(records, key=lambda one: one.name)
    ]
    if rows:
        tx.conn.execute(upsert(tx.conn, memories, _CHANGING), rows)


def _sealed(box: Box, item: VariableRecord) -> bytes:
    data = {
        "cell": item.scope_key,
        "type": item.type,
        "action": item.updated_by,
        "value": item.value,
        "evidence": item.evidence,
    }
    return box.seal(encode(data), _place(item.name), CONTENT_BYTES)


def _cell(box: Box, cell: str) -> bytes:
    return box.digest(place("memories", "cell", cell))


def remove(tx: Tx, held: SessionRow, cells: Sequence[str], items: Sequence[str]) -> None:
    """Whole cells of this session; single items of its person, of whatever session they came."""
    if cells:
        tx.conn.execute(_close, [{"of_session": held.row.id, "of_cell": _cell(held.box, cell)} for cell in cells])
    if items:
        tx.conn.execute(_drop, [{"of_person": held.row.person, "of_id": item} for item in items])


def without(item: VariableRecord, quoted: Quotations) -> VariableRecord | None:
    """The item without the words: what was understood of them stays, without the quotation. None where it says the very
    words."""
    proved = bool(item.evidence) and quoted.proves(item.evidence or "")
    said = str(item.value.get("content", ""))
    if quoted.out_of(said) != said or (proved and (item.evidence or "").strip() in said):
        return None
    value = quoted.out_of(item.value)
    return replace(item, value=value, evidence=None) if proved else replace(item, value=value)


def own(tx: Tx, held: SessionRow) -> tuple[VariableRecord, ...]:
    """What came from this session."""
    return tuple(_read(held.box, row) for row in tx.conn.execute(_own, {"session": held.row.id}))


def forget(tx: Tx, held: SessionRow, quoted: Quotations) -> None:
    """Take the words out of everything that came from this session."""
    for row in tx.conn.execute(_own, {"session": held.row.id}).all():
        item = _read(held.box, row)
        left = without(item, quoted)
        if left is None:
            tx.conn.execute(_drop, {"of_person": row.person, "of_id": row.id})
        elif left != item:
            tx.conn.execute(_change, {"of_id": row.id, "sealed": _sealed(held.box, left)})
