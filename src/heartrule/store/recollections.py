"""What is remembered of a person beside the turns, found again among very many.

It lies in blocks of some dozens, each of one session and gone with that: what they are found by, and what they say,
sealed apart. Nothing of it is in clear, not even under a keyed digest: how often a word stands somewhere tells what it
is. The first block of a session (number 0) holds what the person has put right or had forgotten, which stays so
however often the others are made anew.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Any

from sqlalchemy import Row, bindparam, delete, insert, select, update

from heartrule.memory.derivation import tells
from heartrule.memory.item import ASKED, Item
from heartrule.memory.layers import NotHere
from heartrule.store import history, memories, outbox
from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Box, place
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import upsert
from heartrule.store.quotations import Quotations
from heartrule.store.records import Gone, MessageRecord, VariableRecord
from heartrule.store.schema import persons, recollections, sessions
from heartrule.store.sessions import SessionRow, hold, view

if TYPE_CHECKING:
    from heartrule.memory.index import Block, Hit, Index, Query

KIND = "remember"
"""The kind of an outbox row that asks for a session to be remembered anew; its id is the session's."""
BLOCK = 64
"""Items of a block."""
HELD_BYTES = 64_000_000
"""Of indexes that one process keeps open."""
HELD_BLOCKS = 256
"""Blocks whose items one process keeps opened, of all persons."""
_FORGOTTEN, _CORRECTED = "forgotten", "corrected"

_of_session = (
    select(recollections).where(recollections.c.session == bindparam("session")).order_by(recollections.c.number)
)
_first = select(recollections.c.contents).where(
    recollections.c.session == bindparam("session"), recollections.c.number == 0
)
_versions = select(recollections.c.session, recollections.c.number, recollections.c.version).where(
    recollections.c.person == bindparam("person"),
    recollections.c.project == bindparam("project"),
    recollections.c.number > 0,
)
_found_by = select(
    recollections.c.session, recollections.c.number, recollections.c.version, recollections.c.terms,
    recollections.c.meaning, recollections.c.embedder,
).where(
    recollections.c.person == bindparam("person"),
    recollections.c.project == bindparam("project"),
    recollections.c.number > 0,
)  # fmt: skip
_one = select(recollections).where(
    recollections.c.session == bindparam("session"), recollections.c.number == bindparam("number")
)
_of_person = (
    select(recollections)
    .join(persons, persons.c.id == recollections.c.person)
    .where(recollections.c.person == bindparam("person"), persons.c.erasing.is_(False))
    .order_by(recollections.c.session, recollections.c.number)
)
_clear = delete(recollections).where(recollections.c.session == bindparam("of_session"), recollections.c.number > 0)
_clear_person = delete(recollections).where(
    recollections.c.person == bindparam("of_person"), recollections.c.number > 0
)
_insert = insert(recollections)
_choice = select(persons.c.remembers, persons.c.chosen_at).where(
    persons.c.id == bindparam("person"), persons.c.erasing.is_(False)
)
_whose = (
    select(sessions.c.id, sessions.c.person, sessions.c.project, persons.c.remembers)
    .join_from(sessions, persons, sessions.c.person == persons.c.id)
    .where(sessions.c.id == bindparam("session"), persons.c.erasing.is_(False))
)
"""Without the state: that is long, and a turn has it."""
_choose = (
    update(persons)
    .where(persons.c.id == bindparam("of_person"), persons.c.erasing.is_(False))
    .values(remembers=bindparam("yes"), chosen_at=bindparam("at"))
)
_meaning = (
    update(recollections)
    .where(
        recollections.c.session == bindparam("of_session"),
        recollections.c.number == bindparam("of_number"),
        recollections.c.version == bindparam("of_version"),
    )
    .values(meaning=bindparam("sealed"), embedder=bindparam("by"), version=bindparam("next"))
)


@dataclass(frozen=True, slots=True)
class Recollection:
    """An item with the project that it belongs to; ``score`` and ``ways``: how near it was, and how it was found."""

    project: str
    item: Item
    score: float = 0.0
    ways: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reminder:
    """What was found of what is remembered beside the turns, and all that actions have left to be remembered."""

    found: tuple[Recollection, ...]
    left: tuple[VariableRecord, ...]


@dataclass(frozen=True, slots=True)
class AmendedRecollections:
    """What the person has said about what is remembered of a session, by item."""

    forgotten: frozenset[str] = frozenset()
    corrected: Mapping[str, str] = field(default_factory=dict, repr=False)

    def left(self, item: Item) -> Item | None:
        if item.id in self.forgotten:
            return None
        said = self.corrected.get(item.id)
        return item if said is None else replace(item, content=said, quote="", fields={})


@dataclass(frozen=True, slots=True)
class Choice:
    """Whether sessions may know of earlier ones; None: the person has not been asked or has not answered."""

    yes: bool | None
    at: datetime | None


class Recollections:
    """Every method is one transaction. Holds what was last searched open, and compares it with what is there."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._open: OrderedDict[tuple[str, str], tuple[dict[tuple[str, int], str], Index]] = OrderedDict()
        self._read: OrderedDict[tuple[str, str, int, str], list[Any]] = OrderedDict()
        self._lock = Lock()

    async def keep(
        self, session: str, items: Sequence[Item], *, seq: int | None = None, across: bool | None = None
    ) -> bool:
        """All that is remembered of the session from now on. ``seq``: the turn that it was made by; ``across``: whether
        the person wanted sessions to know of each other then. False, and nothing done, where the session has moved on
        since, or the person has decided otherwise. ``Gone``."""

        def work(tx: Tx) -> bool:
            held = hold(tx, session)
            if seq is not None and held.row.seq != seq:
                return False
            if across is not None and bool(tx.conn.execute(_choice, {"person": held.row.person}).scalar()) != across:
                return False
            write(tx, held, items)
            return True

        return await self._db.write(work)

    async def add(self, session: str, items: Sequence[Item]) -> None:
        """Beside what is remembered of it. ``Gone``."""

        def work(tx: Tx) -> None:
            held = hold(tx, session)
            new = {each.id for each in items}
            write(tx, held, [*(each for each in _items_of(tx, held) if each.id not in new), *items])

        await self._db.write(work)

    async def bring(self, session: str, role: str, text: str, at: datetime) -> int:
        """Put a message into a session that was brought along; its number. ``NotHere`` where it has turns of its own,
        which say what was said in it; ``Gone``."""

        def work(tx: Tx) -> int:
            held = hold(tx, session)
            if held.row.seq > 0:
                raise NotHere("the session's own turns say what is said in it")
            last = history.newest_messages(tx, held.box, session, 1)
            number = last[-1].number + 1 if last else 1
            sender: Any = "person" if role == "person" else "ai"
            history.add_messages(tx, held.box, session, [MessageRecord(number, 0, sender, text, "text", None, at)])
            return number

        return await self._db.write(work)

    async def remind(
        self, session: str, asked: RecollectionQuery, most: int, standing: Mapping[str, int], own: Mapping[str, int]
    ) -> Reminder:
        """What a turn of this session may be reminded of: of earlier sessions only where the person wants it, and then
        what is ``standing`` with it; else of its ``own`` kinds what stands in the session itself. ``Gone``."""

        def work(tx: Tx) -> Reminder:
            row: Any = tx.conn.execute(_whose, {"session": session}).one_or_none()
            if row is None:
                raise Gone("no such session")
            held = SessionRow(row, tx.keys.box(row.person))
            query = asked.query if row.remembers else replace(asked.query, only=session)
            kinds = {**standing, **own} if row.remembers else own
            found = find(self, tx, row.person, row.project, replace(asked, query=query), most, kinds)
            return Reminder(found, memories.seen(tx, held))

        return await self._db.read(work)

    async def of_session(self, session: str) -> tuple[Item, ...]:
        return await self._db.read(lambda tx: tuple(_items_of(tx, view(tx, session))))

    async def of_person(self, person: str, project: str | None = None) -> tuple[Recollection, ...]:
        """Everything, the oldest first."""

        def work(tx: Tx) -> tuple[Recollection, ...]:
            rows = tx.conn.execute(_of_person, {"person": person}).all()
            box = tx.keys.box(person) if rows else None
            found = [
                Recollection(row.project, item)
                for row in rows
                if box is not None and row.number > 0 and project in (None, row.project)
                for item in _items(box, row)
            ]
            return tuple(sorted(found, key=lambda each: (each.item.at, each.item.id)))

        return await self._db.read(work)

    async def find(
        self, person: str, project: str, asked: RecollectionQuery, most: int, standing: Mapping[str, int] | None = None
    ) -> tuple[Recollection, ...]:
        """The nearest first, and behind them the newest of the kinds that are ``standing``. ``Gone``."""

        def work(tx: Tx) -> tuple[Recollection, ...]:
            return find(self, tx, person, project, asked, most, standing or {})

        return await self._db.read(work)

    async def forget(self, person: str, item: str, at: datetime) -> bool:
        """Whether it was remembered. It does not come back however often its session is remembered anew; the words that
        prove it are not found again either, and summaries are made anew without it, as work outside turns."""
        return await self._amend(person, item, None, at)

    async def forgotten(self, session: str) -> frozenset[str]:
        """What the person has had forgotten of it. ``Gone``."""
        return await self._db.read(lambda tx: _amended(tx, view(tx, session)).forgotten)

    async def correct(self, person: str, item: str, text: str) -> bool:
        """What it says from now on, in the person's own words. Whether it was remembered."""
        return await self._amend(person, item, text)

    async def _amend(self, person: str, item: str, text: str | None, at: datetime | None = None) -> bool:
        session = item.partition("~")[0]

        def work(tx: Tx) -> bool:
            try:
                held = hold(tx, session)
            except Gone:
                return False
            if held.row.person != person:
                return False
            items = _items_of(tx, held)
            found = next((each for each in items if each.id == item), None)
            if found is None and (text is not None or not outbox.is_there(tx, session)):
                return False
            known = _amended(tx, held)
            corrected = {name: said for name, said in known.corrected.items() if name != item}
            forgotten = known.forgotten
            if text is not None:
                corrected[item] = text
            else:
                # what is just being made anew may have been listed, and is known by its id
                telling = [each for each in items if found is not None and tells(each, [found])]
                forgotten |= {item, *(each.id for each in telling if each.kind == "passage")}
                items = [each for each in items if each not in telling]
                if at is not None and held.row.seq:
                    renew(tx, session, at)
            _note(tx, held, AmendedRecollections(forgotten, corrected))
            write(tx, held, items)
            return True

        done = await self._db.write(work)
        if done:
            self.shut(person)
            await self._db.aside(lambda: self._db.engines.scrub("recollections"))
        return done

    async def choice(self, person: str) -> Choice | None:
        """None for nobody."""

        def work(tx: Tx) -> Choice | None:
            row = tx.conn.execute(_choice, {"person": person}).one_or_none()
            return None if row is None else Choice(row.remembers, row.chosen_at)

        return await self._db.read(work)

    async def choose(self, person: str, yes: bool, at: datetime, sessions: Iterable[str] = ()) -> bool:
        """Put down what the person wants. Yes: ``sessions`` of theirs are remembered, as work outside turns. No: what
        is remembered of any goes at once. False for nobody."""

        def work(tx: Tx) -> bool:
            if tx.conn.execute(_choose, {"of_person": person, "yes": yes, "at": at}).rowcount != 1:
                return False
            if yes:
                for each in sessions:
                    outbox.add_once(tx, each, KIND, at)
            else:
                tx.conn.execute(_clear_person, {"of_person": person})
            return True

        found = await self._db.write(work)
        if found and not yes:
            self.close(person)
            await self._db.aside(lambda: self._db.engines.scrub("recollections"))
        return found

    async def unembedded(self, person: str, project: str, by: str) -> tuple[tuple[str, int, str, tuple[str, ...]], ...]:
        """Blocks without vectors of the model ``by``: session, number, version, and what their items are found by."""

        def work(tx: Tx) -> tuple[tuple[str, int, str, tuple[str, ...]], ...]:
            box = tx.keys.box(person)
            rows = tx.conn.execute(_of_person, {"person": person}).all()
            return tuple(
                (row.session, row.number, row.version, tuple(text_of(each) for each in _items(box, row)))
                for row in rows
                if row.project == project and row.number > 0 and row.embedder != by
            )

        return await self._db.read(work)

    async def embed(self, person: str, block: tuple[str, int, str], vectors: bytes, by: str) -> bool:
        """False where the block has changed meanwhile."""
        session, number, version = block

        def work(tx: Tx) -> bool:
            sealed = tx.keys.box(person).seal(vectors, place("recollections", "meaning", session, number))
            values = {"of_session": session, "of_number": number, "of_version": version, "by": by, "sealed": sealed}
            return tx.conn.execute(_meaning, {**values, "next": secrets.token_hex(8)}).rowcount == 1

        return await self._db.write(work)

    def close(self, person: str) -> None:
        """Nothing of this person is held open any more."""
        with self._lock:
            for key in [key for key in self._open if key[0] == person]:
                del self._open[key]
        self.shut(person)

    def contents(self, tx: Tx, box: Box, person: str, block: Block) -> list[Any]:
        """What the items of a block say, opened once for as long as it stands."""
        key = (person, block.session, block.number, block.version)
        with self._lock:
            if (found := self._read.get(key)) is not None:
                self._read.move_to_end(key)
                return found
        found = _contents(box, tx.conn.execute(_one, {"session": block.session, "number": block.number}).one())
        with self._lock:
            self._read[key] = found
            while len(self._read) > HELD_BLOCKS:
                self._read.popitem(last=False)
        return found

    def shut(self, person: str | None = None) -> None:
        """Nothing that items say, of this person or of anybody, is held open any more: some has been taken away."""
        with self._lock:
            for key in [key for key in self._read if person in (None, key[0])]:
                del self._read[key]

    def _shut_changed(self, person: str, now: Mapping[tuple[str, int], str]) -> None:
        """Nothing is held open of what does not stand there any more."""
        with self._lock:
            for key in [key for key in self._read if key[0] == person and now.get((key[1], key[2])) != key[3]]:
                del self._read[key]

    def index(self, tx: Tx, box: Box, person: str, project: str) -> Index | None:
        """None where nothing is remembered. What is held open and still so is taken as it is."""
        where = {"person": person, "project": project}
        now = {(row.session, row.number): row.version for row in tx.conn.execute(_versions, where)}
        key = (person, project)
        with self._lock:
            held = self._open.get(key)
            if held is not None and held[0] == now:
                self._open.move_to_end(key)
                return held[1]
        self._shut_changed(person, now)
        if not now:
            return None
        made, versions = self._made(tx, box, where, held)
        with self._lock:
            self._open[key] = (versions, made)
            self._open.move_to_end(key)
            while len(self._open) > 1 and sum(each.bytes for _, each in self._open.values()) > HELD_BYTES:
                self._open.popitem(last=False)
        return made

    def _made(
        self, tx: Tx, box: Box, where: Mapping[str, str], held: tuple[dict[tuple[str, int], str], Index] | None
    ) -> tuple[Index, dict[tuple[str, int], str]]:
        from heartrule.memory.index import Index, opened

        known: dict[tuple[str, int, str], Block] = {}
        if held is not None:
            known = {(each.session, each.number, held[0][each.session, each.number]): each for each in held[1].blocks}
        blocks, versions = list[Any](), dict[tuple[str, int], str]()
        for row in tx.conn.execute(_found_by, where):
            at = row.session, row.number
            versions[at] = row.version
            same = known.get((*at, row.version))
            if same is None:
                data = box.open(row.terms, place("recollections", "terms", *at))
                meaning = None if row.meaning is None else box.open(row.meaning, place("recollections", "meaning", *at))
                same = opened(*at, data, meaning, row.version)
            blocks.append(same)
        return Index(blocks), versions


@dataclass(frozen=True, slots=True)
class RecollectionQuery:
    """What is looked for: ``words`` and what counts ``besides``, each weighed, in clear; the rest as in ``Query``,
    which it becomes under the person's key."""

    words: Mapping[str, float] = field(repr=False)
    query: Query
    besides: Mapping[str, float] = field(default_factory=dict)

    def under(self, hash_: Callable[[str], int]) -> Query:
        terms, besides = ({hash_(word): weigh for word, weigh in of.items()} for of in (self.words, self.besides))
        return replace(self.query, terms=terms, besides=besides)


def find(
    held: Recollections,
    tx: Tx,
    person: str,
    project: str,
    asked: RecollectionQuery,
    most: int,
    standing: Mapping[str, int],
) -> tuple[Recollection, ...]:
    box = tx.keys.box(person)
    index = held.index(tx, box, person, project)
    if index is None:
        return ()
    hash_ = hasher(box)
    query = asked.under(hash_)
    hits = index.search(query, most) if most else []
    if standing:
        only = frozenset({query.only}) if query.only else None
        seen = {(each.block, each.place) for each in hits}
        hits += [each for each in index.standing(standing, only) if (each.block, each.place) not in seen]
    return tuple(_opened(held, tx, box, person, index, project, hits))


def _opened(
    held: Recollections, tx: Tx, box: Box, person: str, index: Index, project: str, hits: Sequence[Hit]
) -> Iterable[Recollection]:
    for hit in hits:
        item = held.contents(tx, box, person, index.blocks[hit.block])[hit.place]
        yield Recollection(project, _item(item), hit.score, hit.ways)


def hasher(box: Box) -> Any:
    """Words as numbers that say nothing to who lacks the person's key."""
    key = box.digest(b"recollections")

    def number(word: str) -> int:
        return int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=4, key=key).digest(), "little")

    return number


def write(tx: Tx, held: SessionRow, items: Sequence[Item]) -> None:
    """In place of all there is, but for what the person has said about it."""
    from heartrule.memory.index import packed

    session, box, hash_ = held.row.id, held.box, hasher(held.box)
    amended = _amended(tx, held)
    kept = [left for each in items if (left := amended.left(each)) is not None]
    tx.conn.execute(_clear, {"of_session": session})
    rows = []
    for number, at in enumerate(range(0, len(kept), BLOCK), start=1):
        part = kept[at : at + BLOCK]
        terms = packed(part, [text_of(each) for each in part], hash_)
        rows.append(_row(held, number, terms, encode([_data(each) for each in part]), box))
    if rows:
        tx.conn.execute(_insert, rows)


def text_of(item: Item) -> str:
    """What it is found by."""
    quote = "" if item.quote in item.content else item.quote
    parts = [item.content, quote, item.topic, item.entity, item.fields.get(ASKED, "")]
    return "\n".join(filter(None, parts))


def _row(held: SessionRow, number: int, terms: bytes, items: bytes, box: Box) -> dict[str, Any]:
    session = held.row.id
    return {
        "session": session,
        "number": number,
        "person": held.row.person,
        "project": held.row.project,
        "version": secrets.token_hex(8),
        "terms": box.seal(terms, place("recollections", "terms", session, number)),
        "contents": box.seal(items, place("recollections", "contents", session, number)),
        "meaning": None,
        "embedder": None,
    }


def _items_of(tx: Tx, held: SessionRow) -> list[Item]:
    rows = tx.conn.execute(_of_session, {"session": held.row.id}).all()
    return [item for row in rows if row.number > 0 for item in _items(held.box, row)]


def _items(box: Box, row: Row[Any]) -> list[Item]:
    return [_item(each) for each in _contents(box, row)]


def _contents(box: Box, row: Row[Any]) -> list[Any]:
    data: list[Any] = decode(box.open(row.contents, place("recollections", "contents", row.session, row.number)))
    return data


def _data(item: Item) -> dict[str, Any]:
    return item.data() | {
        "id": item.id,
        "type": item.type,
        "at": item.at.isoformat(),
        "action": item.action,
        "quote": item.quote,
    }


def _item(data: Mapping[str, Any]) -> Item:
    made = {**data, "at": datetime.fromisoformat(data["at"])}
    return Item(**made | {"names": tuple(data["names"]), "taken": tuple(data["taken"])})


def _amended(tx: Tx, held: SessionRow) -> AmendedRecollections:
    sealed = tx.conn.execute(_first, {"session": held.row.id}).scalar()
    if sealed is None:
        return AmendedRecollections()
    data = decode(held.box.open(sealed, place("recollections", "contents", held.row.id, 0)))
    return AmendedRecollections(frozenset(data[_FORGOTTEN]), data[_CORRECTED])


def _note(tx: Tx, held: SessionRow, amended: AmendedRecollections) -> None:
    data = {_FORGOTTEN: sorted(amended.forgotten), _CORRECTED: dict(amended.corrected)}
    row = _row(held, 0, b"", encode(data), held.box)
    tx.conn.execute(upsert(tx.conn, recollections, ("contents", "version")), row)


def forget(tx: Tx, held: SessionRow, quoted: Quotations) -> None:
    """Take the words out of what is remembered of this session: what says them goes, whole, and so does what the person
    has put in their place."""
    items = _items_of(tx, held)
    left = [each for each in items if not _says(each, quoted)]
    if len(left) < len(items):
        write(tx, held, left)
    amended = _amended(tx, held)
    if quoted.out_of(dict(amended.corrected)) != amended.corrected:
        _note(tx, held, replace(amended, corrected={}))


def _says(item: Item, quoted: Quotations) -> bool:
    data = [item.content, item.quote, item.entity, dict(item.fields), item.subject]
    return quoted.out_of(data) != data or bool(item.quote and quoted.proves(item.quote))


def renew(tx: Tx, session: str, at: datetime) -> None:
    """The session is to be remembered anew, as work outside turns."""
    outbox.add_once(tx, session, KIND, at)


def take_back(tx: Tx, session: str, at: datetime) -> None:
    """What is remembered of the session rests on what does not stand any more: it goes, and is made anew."""
    if tx.conn.execute(_clear, {"of_session": session}).rowcount:
        renew(tx, session, at)
