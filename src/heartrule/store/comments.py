"""What authors say to each other beside a script: threads, each fastened to a node, and who is to be told by mail.
Their words are sealed with the key of the store."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import uuid4

from sqlalchemy import Row, bindparam, delete, func, insert, select, update

from heartrule.store import outbox
from heartrule.store.codec import decode, decode_clear, decode_text, encode, encode_clear, encode_text
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import insert_missing, upsert
from heartrule.store.projects import Author
from heartrule.store.records import StoreError
from heartrule.store.schema import sources
from heartrule.store.team_schema import comments, digest_addresses, digests, threads

KIND = "digest"
"""Of rows of the outbox."""
GATHERED = timedelta(minutes=10)
"""What is said within them comes in one mail."""
CONTENT_BYTES = 512
ADDRESS_BYTES = 256
MOST_THREADS, MOST_COMMENTS = 1_000, 500

_threads = (
    select(threads)
    .where(threads.c.project == bindparam("project"))
    .order_by(threads.c.created_at, threads.c.id)
    .limit(MOST_THREADS)
)
_one = select(threads).where(threads.c.id == bindparam("thread"))
_count = select(func.count(), func.max(threads.c.touched_at)).where(threads.c.project == bindparam("project"))
_said = (
    select(comments)
    .where(comments.c.thread.in_(bindparam("of", expanding=True)))
    .order_by(comments.c.thread, comments.c.number)
)
_last = select(func.max(comments.c.number)).where(comments.c.thread == bindparam("thread"))
_touched = update(threads).where(threads.c.id == bindparam("of_thread")).values(touched_at=bindparam("now"))
_settled = (
    update(threads)
    .where(threads.c.id == bindparam("of_thread"))
    .values(resolved=bindparam("now_resolved"), touched_at=bindparam("now"))
)
_carried = (
    update(threads)
    .where(threads.c.id == bindparam("of_thread"), threads.c.looked < bindparam("new_looked"))
    .values(
        version=bindparam("new_version"),
        file=bindparam("new_file"),
        path=bindparam("new_path"),
        unsaved=bindparam("new_unsaved"),
        looked=bindparam("new_looked"),
    )
)
_source = select(sources.c.text).where(sources.c.sha256 == bindparam("sha256"))
_owed = select(digests).where(digests.c.who == bindparam("who")).order_by(digests.c.thread, digests.c.number)
_told = delete(digests).where(
    digests.c.who == bindparam("of_who"),
    digests.c.thread == bindparam("of_thread"),
    digests.c.number == bindparam("of_number"),
)
_address = select(digest_addresses).where(digest_addresses.c.who == bindparam("who"))
_no_address = delete(digest_addresses).where(digest_addresses.c.who == bindparam("of_who"))
_nothing_owed = delete(digests).where(digests.c.who == bindparam("of_who"))


class NoSuchThread(StoreError):
    pass


class ThreadFull(StoreError):
    """It holds as many as it may."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a thread is fastened: a node of ``version``, or of the text ``unsaved`` (its hash) that its file had beside
    that version. ``looked``: the newest version in which it was looked for; where that is later, it was gone there."""

    version: int
    file: str
    path: tuple[str | int, ...]
    unsaved: str | None
    looked: int


@dataclass(frozen=True, slots=True)
class CommentRecord:
    number: int
    author: Author
    at: datetime
    text: str = field(repr=False)
    mentions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ThreadRecord:
    id: str
    project: str
    created_at: datetime
    resolved: bool
    anchor: Anchor
    comments: tuple[CommentRecord, ...]


@dataclass(frozen=True, slots=True)
class OwedNotice:
    """What somebody is still to be told: by whom, in which thread of which project."""

    thread: str
    number: int
    project: str
    author: str


class Comments:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def of(self, project: str) -> tuple[ThreadRecord, ...]:
        """The oldest first."""

        def work(tx: Tx) -> tuple[ThreadRecord, ...]:
            return _records(tx, tx.conn.execute(_threads, {"project": project}).all())

        return await self._db.read(work)

    async def find(self, thread: str) -> ThreadRecord:
        """Raises ``NoSuchThread``."""
        return await self._db.read(_found, thread)

    async def stamp(self, project: str) -> tuple[int, datetime | None]:
        """Another one whenever something was said or settled."""

        def work(tx: Tx) -> tuple[int, datetime | None]:
            many, at = tx.conn.execute(_count, {"project": project}).one()
            return int(many), at

        return await self._db.read(work)

    async def unsaved(self, sha256: str) -> str:
        """The text of a file that no version has."""

        def work(tx: Tx) -> str:
            return decode_text(bytes(tx.conn.execute(_source, {"sha256": sha256}).scalar_one()))

        return await self._db.read(work)

    async def begin(
        self,
        project: str,
        anchor: Anchor,
        author: Author,
        text: str,
        mentions: Sequence[str],
        now: datetime,
        unsaved: str | None = None,
    ) -> ThreadRecord:
        """``unsaved``: the text of the anchor's file, where no version has the node. Raises ``ThreadFull``."""

        def work(tx: Tx) -> ThreadRecord:
            if tx.conn.execute(_count, {"project": project}).one()[0] >= MOST_THREADS:
                raise ThreadFull(project)
            digest = None
            if unsaved is not None:
                raw = encode_text(unsaved)
                digest = sha256(raw).hexdigest()
                tx.conn.execute(insert_missing(tx.conn, sources), {"sha256": digest, "text": raw})
            thread = uuid4().hex[:16]
            row = {"id": thread, "project": project, "created_at": now, "touched_at": now, "resolved": False}
            where = {"version": anchor.version, "file": anchor.file, "path": encode_clear(list(anchor.path))}
            tx.conn.execute(insert(threads), {**row, **where, "unsaved": digest, "looked": anchor.looked})
            _say(tx, thread, author, text, mentions, now)
            return _found(tx, thread)

        return await self._db.write(work)

    async def say(self, thread: str, author: Author, text: str, mentions: Sequence[str], now: datetime) -> ThreadRecord:
        """Raises ``NoSuchThread`` and ``ThreadFull``."""

        def work(tx: Tx) -> ThreadRecord:
            _found(tx, thread)
            _say(tx, thread, author, text, mentions, now)
            return _found(tx, thread)

        return await self._db.write(work)

    async def settle(self, thread: str, resolved: bool, now: datetime) -> ThreadRecord:
        """Raises ``NoSuchThread``."""

        def work(tx: Tx) -> ThreadRecord:
            tx.conn.execute(_settled, {"of_thread": thread, "now_resolved": resolved, "now": now})
            return _found(tx, thread)

        return await self._db.write(work)

    async def carry(self, moved: Iterable[tuple[str, Anchor]]) -> None:
        """Puts down where threads stand in a later version. What another has put down of a later one stays."""
        rows = [
            {
                "of_thread": thread,
                "new_version": anchor.version,
                "new_file": anchor.file,
                "new_path": encode_clear(list(anchor.path)),
                "new_unsaved": anchor.unsaved,
                "new_looked": anchor.looked,
            }
            for thread, anchor in moved
        ]

        def work(tx: Tx) -> None:
            for row in rows:
                tx.conn.execute(_carried, row)

        if rows:
            await self._db.write(work)

    # mail

    async def owed(self, who: str) -> tuple[OwedNotice, ...]:
        def work(tx: Tx) -> tuple[OwedNotice, ...]:
            found = []
            for row in tx.conn.execute(_owed, {"who": who}).all():
                thread = _found(tx, row.thread)
                said = thread.comments[row.number - 1]
                found.append(OwedNotice(thread.id, row.number, thread.project, said.author.name))
            return tuple(found)

        return await self._db.read(work)

    async def address(self, who: str) -> tuple[str, str] | None:
        """Where somebody wants to be told, and in which language."""

        def work(tx: Tx) -> tuple[str, str] | None:
            row = tx.conn.execute(_address, {"who": who}).one_or_none()
            if row is None:
                return None
            address, language = decode(tx.keys.index().open(row.content, _where(who)))
            return address, language

        return await self._db.read(work)

    async def set_address(self, who: str, address: str | None, language: str) -> None:
        """None: they want no mail."""

        def work(tx: Tx) -> None:
            if address is None:
                tx.conn.execute(_no_address, {"of_who": who})
                tx.conn.execute(_nothing_owed, {"of_who": who})
                return
            sealed = tx.keys.index().seal(encode([address, language]), _where(who), ADDRESS_BYTES)
            values = {"who": who, "content": sealed}
            tx.conn.execute(upsert(tx.conn, digest_addresses, ("content",)), values)

        await self._db.write(work)


def _where(who: str) -> bytes:
    return place("digest_addresses", "content", who)


def told(tx: Tx, who: str, what: Collection[OwedNotice]) -> None:
    """They have been told; in the transaction that settles the mail."""
    for each in what:
        tx.conn.execute(_told, {"of_who": who, "of_thread": each.thread, "of_number": each.number})


def _say(tx: Tx, thread: str, author: Author, text: str, mentions: Sequence[str], now: datetime) -> None:
    number = (tx.conn.execute(_last, {"thread": thread}).scalar() or 0) + 1
    if number > MOST_COMMENTS:
        raise ThreadFull(thread)
    before = tx.conn.execute(_said, {"of": [thread]}).all()
    sealed = tx.keys.index().seal(encode(text), _at(thread, number), CONTENT_BYTES)
    values = {"thread": thread, "number": number, "author": author.id, "author_name": author.name, "at": now}
    named = encode_clear(list(dict.fromkeys(mentions)))
    tx.conn.execute(insert(comments), {**values, "content": sealed, "mentions": named})
    tx.conn.execute(_touched, {"of_thread": thread, "now": now})
    for who in {*mentions, *(row.author for row in before)} - {author.id}:
        if tx.conn.execute(_address, {"who": who}).one_or_none() is not None:
            tx.conn.execute(insert_missing(tx.conn, digests), {"who": who, "thread": thread, "number": number})
            outbox.add_once(tx, f"{KIND}/{who}", KIND, now + GATHERED)


def _at(thread: str, number: int) -> bytes:
    return place("comments", "content", thread, number)


def _found(tx: Tx, thread: str) -> ThreadRecord:
    row = tx.conn.execute(_one, {"thread": thread}).one_or_none()
    if row is None:
        raise NoSuchThread(thread)
    return _records(tx, [row])[0]


def _records(tx: Tx, rows: Sequence[Row[Any]]) -> tuple[ThreadRecord, ...]:
    box = tx.keys.index()
    said: dict[str, list[CommentRecord]] = {}
    if rows:
        for each in tx.conn.execute(_said, {"of": [row.id for row in rows]}).all():
            said.setdefault(each.thread, []).append(_comment(box, each))
    return tuple(
        ThreadRecord(row.id, row.project, row.created_at, row.resolved, _anchor(row), tuple(said.get(row.id, ())))
        for row in rows
    )


def _anchor(row: Row[Any]) -> Anchor:
    return Anchor(row.version, row.file, tuple(decode_clear(row.path)), row.unsaved, row.looked)


def _comment(box: Box, row: Row[Any]) -> CommentRecord:
    text = decode(box.open(row.content, _at(row.thread, row.number)))
    author = Author(row.author, row.author_name)
    return CommentRecord(row.number, author, row.at, text, tuple(decode_clear(row.mentions)))
