"""What counsellors keep of a session beside what was said: tags, to whom it is assigned, what is left for the next
shift, and who has read how far. It goes with the session.

That there is a card tells that somebody was needed: a row names its session by a keyed digest. Whose it is, is sealed
with the key of the store, so that it is found without opening anything of the person's; every word with their own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, select

from heartrule.store.codec import decode, encode
from heartrule.store.crypto import Box, Unreadable, place
from heartrule.store.database import Database, Tx
from heartrule.store.dialects import upsert
from heartrule.store.keys import Keyring
from heartrule.store.quotations import Quotations
from heartrule.store.records import Gone
from heartrule.store.schema import cards
from heartrule.store.sessions import SessionRow, hold

ABOUT_BYTES, WORDS_BYTES = 512, 512

_one = select(cards).where(cards.c.session_digest == bindparam("session"))
_some = select(cards).where(cards.c.session_digest.in_(bindparam("sessions", expanding=True)))
_since = select(cards).where(cards.c.day >= bindparam("since"))
_remove = delete(cards).where(cards.c.session_digest == bindparam("of_session"))
_forget = delete(cards).where(cards.c.person_digest == bindparam("of_person"))


@dataclass(frozen=True, slots=True)
class CardSeen:
    """How far somebody of the staff has read, and when they last looked."""

    name: str
    message: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Assignment:
    to: str
    to_name: str
    by: str
    at: datetime
    note: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class HandOver:
    """Left for the next shift."""

    by: str
    at: datetime
    note: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Card:
    """``seen``: by the id of who looked."""

    session: str
    person: str
    assigned: Assignment | None = None
    handover: HandOver | None = None
    seen: Mapping[str, CardSeen] = field(default_factory=dict)
    tags: tuple[str, ...] = field(default=(), repr=False)


Change = Callable[[Card], Card]


class Cards:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def of(self, sessions: Collection[str]) -> dict[str, Card]:
        """Of those of these sessions that have one."""

        def work(tx: Tx) -> dict[str, Card]:
            index = tx.keys.index()
            digests = [_digest(index, each) for each in sessions]
            found = _cards(tx, tx.conn.execute(_some, {"sessions": digests}))
            return {card.session: card for card in found}

        return await self._db.read(work) if sessions else {}

    async def since(self, day: datetime) -> tuple[Card, ...]:
        """Those that were changed on that day or later."""

        def work(tx: Tx) -> tuple[Card, ...]:
            return tuple(_cards(tx, tx.conn.execute(_since, {"since": _day(day)})))

        return await self._db.read(work)

    async def moved(self, day: datetime, known: Mapping[bytes, bytes]) -> tuple[dict[bytes, bytes], list[str]]:
        """What stands in cards changed on that day or later, as it is sealed, and the sessions of those that stand
        otherwise than is ``known``. Only these are opened."""

        def work(tx: Tx) -> tuple[dict[bytes, bytes], list[str]]:
            index = tx.keys.index()
            now = {bytes(row.session_digest): bytes(row.about) for row in tx.conn.execute(_since, {"since": _day(day)})}
            other = [digest for digest, about in now.items() if known.get(digest) != about]
            opened = (index.open(now[each], place("cards", "about", each.hex())) for each in other)
            return now, [str(decode(each)["session"]) for each in opened]

        return await self._db.read(work)

    async def change(
        self, session: str, now: datetime, change: Change, also: Callable[[Tx], None] | None = None
    ) -> Card:
        """As it is then. ``also``: what else belongs into the transaction. ``Gone`` where there is no such session."""

        def work(tx: Tx) -> Card:
            held = hold(tx, session)
            index, box = tx.keys.index(), held.box
            row = tx.conn.execute(_one, {"session": _digest(index, session)}).one_or_none()
            known = _opened(index, box, row) if row is not None else Card(session, held.row.person)
            left = change(known)
            if also is not None:
                also(tx)
            if left != known:
                _put(tx, index, box, left, now)
            return left

        return await self._db.write(work)


def _put(tx: Tx, index: Box, box: Box, card: Card, now: datetime) -> None:
    digest = _digest(index, card.session)
    about = {
        "session": card.session,
        "person": card.person,
        "assigned": _plain(card.assigned),
        "handover": _plain(card.handover),
        "seen": {who: _plain(seen) for who, seen in card.seen.items()},
    }
    notes = [each.note if each is not None else "" for each in (card.assigned, card.handover)]
    values = {
        "session_digest": digest,
        "person_digest": _digest_of_person(index, card.person),
        "day": _day(now),
        "about": index.seal(encode(about), place("cards", "about", digest.hex()), ABOUT_BYTES),
        "words": box.seal(encode([list(card.tags), *notes]), place("cards", "words", digest.hex()), WORDS_BYTES),
    }
    tx.conn.execute(upsert(tx.conn, cards, ("day", "about", "words")), values)


def forget_words(tx: Tx, held: SessionRow, quoted: Quotations) -> None:
    """Out of what counsellors wrote on the session's card that quotes them."""
    index, box = tx.keys.index(), held.box
    row = tx.conn.execute(_one, {"session": _digest(index, held.row.id)}).one_or_none()
    if row is None:
        return
    known = _opened(index, box, row)
    left = replace(
        known,
        tags=tuple(quoted.out_of(each) for each in known.tags),
        assigned=known.assigned and replace(known.assigned, note=quoted.out_of(known.assigned.note)),
        handover=known.handover and replace(known.handover, note=quoted.out_of(known.handover.note)),
    )
    if left != known:
        _put(tx, index, box, left, row.day)


def _plain(record: CardSeen | Assignment | HandOver | None) -> dict[str, Any] | None:
    if record is None:
        return None
    values = {name: value for name, value in asdict(record).items() if name != "note"}
    return {**values, "at": record.at.isoformat()}


def _cards(tx: Tx, rows: Iterable[Row[Any]]) -> Iterable[Card]:
    """Of persons who are being erased nothing is left to see."""
    index = tx.keys.index()
    for row in rows:
        about = decode(index.open(row.about, place("cards", "about", bytes(row.session_digest).hex())))
        try:
            yield _opened(index, tx.keys.box(about["person"]), row)
        except (Gone, Unreadable):
            continue


def _opened(index: Box, box: Box, row: Row[Any]) -> Card:
    where = bytes(row.session_digest).hex()
    about = decode(index.open(row.about, place("cards", "about", where)))
    tags, assigned, handover = decode(box.open(row.words, place("cards", "words", where)))
    return Card(
        session=about["session"],
        person=about["person"],
        assigned=Assignment(**_timed(about["assigned"]), note=assigned) if about["assigned"] else None,
        handover=HandOver(**_timed(about["handover"]), note=handover) if about["handover"] else None,
        seen={who: CardSeen(**_timed(seen)) for who, seen in about["seen"].items()},
        tags=tuple(tags),
    )


def _timed(values: Mapping[str, Any]) -> dict[str, Any]:
    return {**values, "at": datetime.fromisoformat(values["at"])}


def _digest(index: Box, session: str) -> bytes:
    return index.digest(place("cards", "session", session))


def _digest_of_person(index: Box, person: str) -> bytes:
    return index.digest(place("cards", "person", person))


def _day(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def remove(tx: Tx, session: str) -> None:
    tx.conn.execute(_remove, {"of_session": _digest(tx.keys.index(), session)})


def forget(connection: Connection, keys: Keyring, person: str) -> None:
    connection.execute(_forget, {"of_person": _digest_of_person(keys.index(), person)})
