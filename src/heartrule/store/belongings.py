"""What is kept of a person beyond one session, and taking any of it away: what is known, a session of theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, delete, null, select, update

from heartrule.store import cards, memory_trace_erasure, notes, variables
from heartrule.store.database import Database, Tx
from heartrule.store.escalations import digest_of_session
from heartrule.store.records import Gone, VariableRecord
from heartrule.store.schema import escalations, persons, sessions
from heartrule.store.schema import variables as variables_table
from heartrule.store.sessions import hold

TABLES = (
    "sessions",
    "leases",
    "inbox",
    "turns",
    "messages",
    "variables",
    "memories",
    "recollections",
    "events",
    "calls",
    "snapshots",
    "attempts",
    "reports",
    "reviews",
    "drafts",
    "cards",
    "notes",
)
"""Where rows of a session stand."""
_person = select(persons.c.created_at).where(persons.c.id == bindparam("person"), persons.c.erasing.is_(False))
_known = select(variables_table).where(
    variables_table.c.person == bindparam("person"),
    variables_table.c.owner.startswith(bindparam("globals")),
)
_forget = delete(variables_table).where(
    variables_table.c.person == bindparam("of_person"),
    variables_table.c.owner == bindparam("of_owner"),
    variables_table.c.name_digest == bindparam("of_name"),
)
_own = delete(variables_table).where(variables_table.c.owner == bindparam("of_session"))
_notes = update(escalations).where(escalations.c.session_digest == bindparam("of_digest")).values(note=null())
_session = delete(sessions).where(sessions.c.id == bindparam("of_session"))


@dataclass(frozen=True, slots=True)
class KnownValue:
    """Something that is known of a person in all sessions of ``project``."""

    project: str
    variable: VariableRecord


class Belongings:
    def __init__(self, database: Database, gone: Callable[[], None]) -> None:
        """``gone``: to be called when words have been taken away."""
        self._db, self._gone = database, gone

    async def since(self, person: str) -> datetime | None:
        """When the person came; None for nobody, and for who is being erased."""

        def work(tx: Tx) -> datetime | None:
            found: datetime | None = tx.conn.execute(_person, {"person": person}).scalar()
            return found

        return await self._db.read(work)

    async def known(self, person: str) -> tuple[KnownValue, ...]:
        """By project and name."""

        def work(tx: Tx) -> tuple[KnownValue, ...]:
            rows = tx.conn.execute(_known, {"person": person, "globals": f"{person}/"}).all()
            box = tx.keys.box(person) if rows else None
            found = [
                KnownValue(row.owner.partition("/")[2], variables.read(box, row)) for row in rows if box is not None
            ]
            return tuple(sorted(found, key=lambda each: (each.project, each.variable.name)))

        return await self._db.read(work)

    async def forget(self, person: str, project: str, name: str) -> bool:
        """Whether it was known."""

        def work(tx: Tx) -> bool:
            try:
                digest = variables.digest_of_global(tx.keys.box(person), name)
            except Gone:
                return False
            values = {"of_person": person, "of_owner": f"{person}/{project}", "of_name": digest}
            return tx.conn.execute(_forget, values).rowcount == 1

        found = await self._db.write(work)
        if found:
            await self._db.aside(lambda: self._db.engines.scrub("variables"))
        return found

    async def remove_session(self, session: str) -> None:
        """All that was said in it and all that came of it. That somebody was told stays on record, without what it
        said. ``Gone`` where there is none. A turn that is under way does not stand."""

        def work(tx: Tx) -> None:
            held = hold(tx, session)
            where = {"of_session": held.row.id}
            memory_trace_erasure.forget(tx, held)
            cards.remove(tx, held.row.id)
            notes.remove(tx, held.row.id)
            tx.conn.execute(_own, where)
            tx.conn.execute(_notes, {"of_digest": digest_of_session(tx.keys, held.row.id)})
            if tx.conn.execute(_session, where).rowcount != 1:
                raise Gone("no such session")

        await self._db.write(work)
        self._gone()
        await self._db.aside(lambda: self._db.engines.scrub(*TABLES))
