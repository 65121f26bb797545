"""The store's one door. Every method is one transaction, durable when it returns unless it says otherwise."""

from __future__ import annotations

import os
import secrets
from collections.abc import Collection, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import delete, insert

from heartrule.language.compiling.script import Source
from heartrule.store import bundles, dump, history, inbox, ledger, persons, sessions, snapshots, turns
from heartrule.store.accounts import Accounts
from heartrule.store.audit import Audit
from heartrule.store.belongings import Belongings
from heartrule.store.canned_replies import CannedReplies
from heartrule.store.cards import Cards
from heartrule.store.challenges import Challenges
from heartrule.store.comments import Comments
from heartrule.store.contacts import Contacts
from heartrule.store.database import Database, Tx
from heartrule.store.debug_sessions import DebugSessions
from heartrule.store.drafts import Drafts
from heartrule.store.engines import Engines, Synchronous, open_engines, sqlite_url
from heartrule.store.escalations import Escalations
from heartrule.store.guesses import Guesses
from heartrule.store.judgements import Judgements, judgements
from heartrule.store.keys import CACHED, Keyring
from heartrule.store.links import Links
from heartrule.store.master import FILE
from heartrule.store.memories import Memories
from heartrule.store.migrate import migrate
from heartrule.store.moves import Moves
from heartrule.store.notes import Notes
from heartrule.store.outbox import Outbox
from heartrule.store.presences import Presences
from heartrule.store.project_presences import ProjectPresences
from heartrule.store.projects import Projects
from heartrule.store.push_subscriptions import PushSubscriptions
from heartrule.store.recollections import Recollections
from heartrule.store.records import (
    Accepted,
    AttemptRecord,
    CallRecord,
    Commit,
    EndedSession,
    Entry,
    EventRecord,
    Figures,
    Gone,
    InboxEntry,
    LoadedSession,
    Mark,
    MessageRecord,
    NewSession,
    SessionRecord,
    SnapshotRecord,
    TurnRecord,
    VariableRecord,
)
from heartrule.store.release_figures import ReleaseFigures
from heartrule.store.releases import Releases
from heartrule.store.reports import Reports
from heartrule.store.reviews import Reviews
from heartrule.store.rota import Rota
from heartrule.store.schema import sources
from heartrule.store.service_tokens import ServiceTokens
from heartrule.store.sign_ins import SignIns
from heartrule.store.talks import Talks
from heartrule.store.teams import Teams
from heartrule.store.watchlist import Watchlist


class Store:
    def __init__(self, database: Database, key_engines: Engines) -> None:
        self._db = database
        self._key_engines = key_engines
        self.escalations = Escalations(database)
        self.outbox = Outbox(database)
        self.contacts = Contacts(database)
        self.audit = Audit(database)
        self.memories = Memories(database)
        self.recollections = Recollections(database)
        self.belongings = Belongings(database, self.recollections.shut)
        self.watchlist = Watchlist(database)
        self.reports = Reports(database)
        self.reviews = Reviews(database)
        self.drafts = Drafts(database)
        self.debug_sessions = DebugSessions(database)
        self.presences = Presences(database)
        self.projects = Projects(database)
        self.project_presences = ProjectPresences(database)
        self.teams = Teams(database)
        self.comments = Comments(database)
        self.releases = Releases(database)
        self.release_figures = ReleaseFigures(database)
        self.moves = Moves(database)
        self.accounts = Accounts(database)
        self.sign_ins = SignIns(database)
        self.links = Links(database)
        self.guesses = Guesses(database)
        self.challenges = Challenges(database)
        self.service_tokens = ServiceTokens(database)
        self.push_subscriptions = PushSubscriptions(database)
        self.cards = Cards(database)
        self.notes = Notes(database)
        self.canned_replies = CannedReplies(database)
        self.rota = Rota(database)
        self.talks = Talks(database)

    async def try_to_write(self) -> None:
        """Write something that nobody sees, and take it away again in the same transaction. Raises what a turn would be
        refused by: a full disk, a folder that cannot be written."""
        row = f"tried {secrets.token_hex(8)}"

        def work(tx: Tx) -> None:
            tx.conn.execute(insert(sources).values(sha256=row, text=b"-" * 4096))
            tx.conn.execute(delete(sources).where(sources.c.sha256 == row))

        await self._db.write(work)

    @classmethod
    def open(
        cls,
        where: str | os.PathLike[str],
        *,
        folder: str | os.PathLike[str] | None = None,
        keys: str | None = None,
        synchronous: Synchronous = "FULL",
        threads: int = 4,
        cached_keys: int = CACHED,
    ) -> Store:
        """Open the store, making and migrating what is missing. Blocks.

        ``where`` is the data folder (then everything is in SQLite files inside it) or the URL of a database, which
        needs ``folder`` for the master key and ``keys.db``; ``keys`` is the URL of another database for the data keys.
        ``synchronous`` is SQLite's: anything but FULL may lose the last turns with the machine's power. ``threads``
        read (and, on PostgreSQL, write) at the same time.
        """
        url, home = _places(where, folder)
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        main = open_engines(url or sqlite_url(home / "heartrule.db"), synchronous=synchronous, size=threads)
        key_engines = open_engines(keys or sqlite_url(home / "keys.db"), synchronous=synchronous, size=threads)
        try:
            migrate(main, "main")
            migrate(key_engines, "keys")
            keyring = Keyring(key_engines, home / FILE, cached=cached_keys)
            keyring.index()
            persons.finish(main, keyring)
        except BaseException:
            main.dispose()
            key_engines.dispose()
            raise
        return cls(Database(main, keyring, threads=threads), key_engines)

    def close(self) -> None:
        """What was begun is finished first. Blocks."""
        self._db.close()
        self._key_engines.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Persons

    async def new_person(self, subject: str | None = None) -> str:
        """The id of a new person, or of the one who has this ``subject`` already."""
        return await persons.new(self._db, subject)

    async def person_of_subject(self, subject: str) -> str | None:
        index = await self._db.aside(self._db.keys.index)
        return await self._db.read(persons.find, subject, index)

    async def token_key(self) -> bytes:
        """What signs tokens: the same in every process of this store, and after a rotation."""
        index = await self._db.aside(self._db.keys.index)
        return index.signing

    async def erase_person(self, person: str) -> None:
        """Destroy the person's data key and all their rows. Broken off, it is finished when the store is next
        opened."""
        await persons.erase(self._db, person)
        self.recollections.close(person)

    async def rotate_keys(self) -> int:
        """Put a new master key in place of the old one; the number of data keys it wraps. Others may go on working, and
        a rotation that was broken off is finished by the next."""
        return await self._db.aside(self._db.keys.rotate)

    # Scripts

    async def save_bundle(self, bundle: str, files: Sequence[Source]) -> None:
        await self._db.write(bundles.save, bundle, files)

    async def bundle(self, bundle: str) -> tuple[Source, ...]:
        """Its sources in the order they were saved in. ``NoSuchBundle`` otherwise."""
        return await self._db.read(bundles.load, bundle)

    # Sessions

    async def create_session(self, new: NewSession) -> None:
        """``Gone`` when the person is, ``NoSuchBundle`` when the bundle was not saved first."""
        await self._db.write(sessions.create, new)

    async def session(self, session: str) -> SessionRecord | None:
        return await self._db.read(sessions.find, session)

    async def sessions_of(self, person: str) -> tuple[SessionRecord, ...]:
        """Oldest first."""
        return await self._db.read(sessions.of_person, person)

    async def newest_of_person(self, person: str, limit: int, before: str | None = None) -> tuple[SessionRecord, ...]:
        """Made last first; only those made before the session ``before``, which must be the person's."""
        return await self._db.read(sessions.newest_of_person, person, limit, before)

    async def seqs(self, asked: Collection[str]) -> dict[str, int]:
        """The number of each session's last turn; those that are no more are left out. Nothing is opened."""
        return await self._db.read(sessions.seqs, asked)

    async def unused_sessions(self, before: datetime, limit: int) -> tuple[str, ...]:
        """The ids of those in which nothing has happened since ``before``."""
        return await self._db.read(sessions.unused, before, limit)

    async def newest_sessions(self, limit: int) -> tuple[SessionRecord, ...]:
        """Everybody's, those last active first."""
        return await self._db.read(sessions.newest, limit)

    async def ended_sessions(self) -> tuple[EndedSession, ...]:
        """Everybody's that have ended, the earliest first. Nothing is opened."""
        return await self._db.read(sessions.ended)

    async def set_status(self, session: str, status: str, at: datetime) -> None:
        await self._db.write(sessions.set_status, session, status, at)

    async def due(self, now: datetime, limit: int, since: datetime | None = None) -> tuple[str, ...]:
        """Sessions whose ``wake_at`` has come, the longest overdue first; interrupted ones, and those last active
        before ``since``, are left alone."""
        return await self._db.read(sessions.due, now, limit, since)

    async def postpone(self, session: str, expected: datetime, until: datetime | None) -> bool:
        """Wake the session at ``until`` (not at all with None) instead of at ``expected``. False when that is not what
        it waits for any more: of several that see to what is due, one does."""
        return await self._db.write(sessions.postpone, session, expected, until)

    async def unanswered(self, now: datetime, limit: int) -> tuple[str, ...]:
        """Sessions with waiting inputs that nobody holds: what a crash left behind. Interrupted ones are left alone."""
        return await self._db.read(sessions.unanswered, now, limit)

    # Leases

    async def claim(self, session: str, owner: str, now: datetime, until: datetime) -> int | None:
        """The epoch of the lease, or None while another holds it. The owner of a running lease keeps its epoch."""
        return await self._db.write(sessions.claim, session, owner, now, until)

    async def holder(self, session: str) -> tuple[str, int] | None:
        """Owner and epoch of the lease, run out or not; None when it was given back."""
        return await self._db.read(sessions.holder, session)

    async def release(self, session: str, owner: str, epoch: int) -> bool:
        """False when the lease is another's by now."""
        return await self._db.write(sessions.release, session, owner, epoch)

    async def owners(self, now: datetime) -> tuple[str, ...]:
        """Who holds sessions, with inputs waiting, by leases that have not run out."""
        return await self._db.read(sessions.owners, now)

    async def release_all(self, owner: str) -> int:
        """Give back whatever ``owner`` holds, which has died; how many that were."""
        return await self._db.write(sessions.release_all, owner)

    async def put_down(self, session: str, owner: str, epoch: int | None, *, interrupted: bool) -> None:
        """Give back whatever lease ``owner`` has, after a turn that did not come to its end. ``interrupted``: it never
        will by itself; the session is marked so until its next turn, unless another has held it since ``epoch`` (None:
        it was never claimed)."""
        await self._db.write(sessions.put_down, session, owner, epoch, interrupted)

    # Turns

    async def accept(
        self, session: str, entry: Entry, received_at: datetime, check: inbox.Check | None = None
    ) -> Accepted:
        """``KeyReused`` for another body under the same key; ``Gone``. ``check`` may refuse what is new by raising."""
        return await self._db.write(inbox.accept, session, entry, received_at, check)

    async def accept_and_load(
        self,
        session: str,
        entry: Entry,
        received_at: datetime,
        owner: str,
        until: datetime,
        window: int,
        check: inbox.Check | None = None,
        known: Mark | None = None,
    ) -> tuple[Accepted, LoadedSession | None]:
        """``accept``, ``claim`` and ``load`` in one. Nothing is loaded when another holds the session or when the entry
        was consumed long ago; it is accepted all the same. Of a session that still stands at ``known``, only what
        others may have changed is loaded."""
        return await self._db.write(
            turns.accept_and_load, session, entry, received_at, owner, until, window, check, known
        )

    async def claim_and_load(
        self, session: str, owner: str, now: datetime, until: datetime, window: int
    ) -> LoadedSession | None:
        """``claim`` and ``load`` in one; None while another holds the session."""
        return await self._db.write(turns.claim_and_load, session, owner, now, until, window)

    async def load(self, session: str, window: int) -> LoadedSession:
        """As it stands, held by whomever; ``window`` is how many of the last messages."""
        return await self._db.read(turns.load, session, window)

    async def save_calls(
        self,
        session: str,
        owner: str,
        epoch: int,
        records: Sequence[CallRecord],
        attempts: Sequence[AttemptRecord] = (),
        latched: int | None = None,
        *,
        shown: bool = True,
    ) -> None:
        """``latched``: words are about to be shown; from now on the turn is made of the inputs up to this number.
        ``Outdated`` when the lease is another's by now. Of answers of which nothing is ``shown`` it is not waited for
        the disk: should the power fail before the turn's own commit, the model is asked again."""
        write = self._db.write if shown else self._db.note
        await write(turns.save_calls, session, owner, epoch, records, attempts, latched)

    async def save_aside(
        self, session: str, records: Sequence[CallRecord], attempts: Sequence[AttemptRecord] = ()
    ) -> bool:
        """As ``save_calls``, of what was asked beside the session's turns: it rests on a turn that stands, and nobody
        needs to hold the session for it. False: the person has taken the turn back meanwhile, and no answer is
        kept."""
        return await self._db.write(turns.save_aside, session, records, attempts)

    async def commit(self, turn: Commit) -> int:
        """Write the turn whole, or raise ``Outdated``. How many inputs still wait."""
        waiting = await self._db.write(turns.commit, turn)
        if turn.recall is not None:
            self.recollections.shut()
        return waiting

    async def turn(self, session: str, seq: int) -> TurnRecord | None:
        return await self._db.read(turns.find, session, seq)

    async def turns(self, session: str, after: int = 0, limit: int = 100) -> tuple[TurnRecord, ...]:
        """Those with a higher number than ``after``, oldest first."""
        return await self._db.read(turns.after, session, after, limit)

    # History

    async def messages(self, session: str, after: int = 0, limit: int = 1000) -> tuple[MessageRecord, ...]:
        """Those with a higher number than ``after``, oldest first."""

        def work(tx: Tx) -> tuple[MessageRecord, ...]:
            return history.messages_after(tx, sessions.view(tx, session).box, session, after, limit)

        return await self._db.read(work)

    async def last_messages(
        self, session: str, before: int | None = None, limit: int = 1000
    ) -> tuple[MessageRecord, ...]:
        """The last ones with a lower number than ``before`` (the last of all without it), oldest first."""

        def work(tx: Tx) -> tuple[MessageRecord, ...]:
            return history.newest_messages(tx, sessions.view(tx, session).box, session, limit, before)

        return await self._db.read(work)

    async def events(
        self,
        session: str,
        kinds: Collection[str] | None = None,
        turn: int | None = None,
        limit: int | None = None,
    ) -> tuple[EventRecord, ...]:
        """All of them, or those of some kinds, or of one turn, and of these the last ``limit``; oldest first. What is
        not given back is not opened."""

        def work(tx: Tx) -> tuple[EventRecord, ...]:
            return history.read_events(tx, sessions.view(tx, session).box, session, kinds, turn, limit)

        return await self._db.read(work)

    async def calls(self, session: str, turn: int | None = None) -> tuple[CallRecord, ...]:
        def work(tx: Tx) -> tuple[CallRecord, ...]:
            return history.read_calls(tx, sessions.view(tx, session).box, session, turn)

        return await self._db.read(work)

    async def attempts(self, session: str, turn: int | None = None) -> tuple[AttemptRecord, ...]:
        """Every attempt at an answer, in the order they were written in; none of a session that is no more."""

        def work(tx: Tx) -> tuple[AttemptRecord, ...]:
            try:
                return ledger.read(tx, sessions.view(tx, session).box, session, turn)
            except Gone:
                return ()

        return await self._db.read(work)

    async def figures(self, by: ledger.By | None = None, since: datetime | None = None) -> tuple[Figures, ...]:
        """The ledger's sums, of everybody. Nothing is opened."""
        return await self._db.read(ledger.figures, by, since)

    async def judgements(self, since: datetime | None = None) -> tuple[Judgements, ...]:
        """How replies were reported and judged, by script, of everybody. Nothing is opened."""
        return await self._db.read(judgements, since)

    async def inbox(self, session: str, waiting: bool = False) -> tuple[InboxEntry, ...]:
        """Everything that ever came in; or only what no turn has consumed yet."""

        def work(tx: Tx) -> tuple[InboxEntry, ...]:
            read = inbox.waiting if waiting else inbox.entries
            return read(tx, sessions.view(tx, session).box, session)

        return await self._db.read(work)

    async def consumed(self, session: str, turn: int) -> tuple[InboxEntry, ...]:
        """What came in and became this turn, in its order."""

        def work(tx: Tx) -> tuple[InboxEntry, ...]:
            return inbox.consumed(tx, sessions.view(tx, session).box, session, turn)

        return await self._db.read(work)

    async def input(self, session: str, key: str) -> InboxEntry | None:
        """What came in under this idempotency key."""

        def work(tx: Tx) -> InboxEntry | None:
            return inbox.find(tx, sessions.view(tx, session).box, session, key)

        return await self._db.read(work)

    async def snapshot(self, session: str, turn: int) -> SnapshotRecord | None:
        """The newest one taken at ``turn`` or before."""

        def work(tx: Tx) -> SnapshotRecord | None:
            return snapshots.last(tx, sessions.view(tx, session).box, session, turn)

        return await self._db.read(work)

    async def variables(self, session: str) -> tuple[VariableRecord, ...]:
        """Present values, with the globals of the session's person and project."""
        return (await self.load(session, 0)).variables

    async def dump(self, session: str) -> dict[str, Any]:
        """The session's final content without ids, times and leases, to compare two runs with."""
        return await self._db.read(dump.dump, session)


def _places(where: str | os.PathLike[str], folder: str | os.PathLike[str] | None) -> tuple[str | None, Path]:
    text = os.fspath(where)
    if "://" not in text:
        return None, Path(folder if folder is not None else text)
    if folder is None:
        raise ValueError("a database URL needs a folder for the master key")
    return text, Path(folder)
