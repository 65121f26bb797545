"""How a conversation stands, without a word of it: which messages are the person's, and when who wrote last. And the
words themselves, for who looks for some."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select

from heartrule.store.codec import decode
from heartrule.store.crypto import Box, Unreadable, place
from heartrule.store.database import Database, Tx
from heartrule.store.history import RECALLED, message_of
from heartrule.store.records import Gone, MessageRecord
from heartrule.store.schema import messages, sessions

_persons = select(sessions.c.id, sessions.c.person).where(sessions.c.id.in_(bindparam("sessions", expanding=True)))
_said = (
    select(messages.c.session, messages.c.number, messages.c.at, messages.c.about)
    .where(messages.c.session.in_(bindparam("sessions", expanding=True)), messages.c.reply.is_(False))
    .order_by(messages.c.session, messages.c.number)
)
_all = (
    select(messages)
    .where(messages.c.session == bindparam("session"))
    .order_by(messages.c.number.desc())
    .limit(bindparam("limit"))
)


@dataclass(frozen=True, slots=True)
class Talk:
    """``person``: number and time of each message of the person's, oldest first; ``human_at``: when a human of the
    staff last wrote."""

    person: tuple[tuple[int, datetime], ...] = ()
    human_at: datetime | None = None

    def unread(self, seen: int) -> int:
        """Messages of the person's after that number."""
        return sum(1 for number, _ in self.person if number > seen)

    def waiting_since(self, since: datetime) -> datetime | None:
        """Since when the person waits for a human who came at ``since``: the first of theirs that nobody answered."""
        answered = self.human_at
        return next((at for _, at in self.person if at >= since and (answered is None or at > answered)), None)


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A message with some words in it; ``at``: where they begin, in characters."""

    message: MessageRecord = field(repr=False)
    session: str
    start: int


class Talks:
    """Every method is one transaction."""

    def __init__(self, database: Database) -> None:
        self._db = database

    async def of(self, asked: Collection[str]) -> dict[str, Talk]:
        def work(tx: Tx) -> dict[str, Talk]:
            boxes = _boxes(tx, asked)
            person: dict[str, list[tuple[int, datetime]]] = {}
            human: dict[str, datetime] = {}
            for row in tx.conn.execute(_said, {"sessions": list(boxes)}):
                sender, recalled = _sender(boxes[row.session], row)
                if sender == "person" and not recalled:
                    person.setdefault(row.session, []).append((row.number, row.at))
                elif sender == "human":
                    human[row.session] = row.at
            return {each: Talk(tuple(person.get(each, ())), human.get(each)) for each in boxes}

        return await self._db.read(work) if asked else {}

    async def find(
        self, words: str, asked: Sequence[str], most: int, looked_at: int
    ) -> tuple[tuple[FoundMessage, ...], bool]:
        """Messages of these sessions that have the words in them, whatever their capitals; and whether all were looked
        at: no more than ``looked_at`` are opened, those of the first sessions first."""

        def work(tx: Tx) -> tuple[tuple[FoundMessage, ...], bool]:
            boxes, found, left = _boxes(tx, asked), list[FoundMessage](), looked_at
            wanted = words.casefold()
            for session in asked:
                if session not in boxes:
                    continue
                if left <= 0 or len(found) >= most:
                    return tuple(found[:most]), False
                for row in tx.conn.execute(_all, {"session": session, "limit": left}):
                    left -= 1
                    message = message_of(boxes[session], row)
                    start = message.text.casefold().find(wanted)
                    if start >= 0 and not message.metadata.get(RECALLED):
                        found.append(FoundMessage(message, session, start))
            return tuple(found[:most]), len(found) <= most

        return await self._db.read(work)


def _boxes(tx: Tx, asked: Collection[str]) -> dict[str, Box]:
    found = {}
    for row in tx.conn.execute(_persons, {"sessions": list(asked)}):
        try:
            found[row.id] = tx.keys.box(row.person)
        except Gone:
            continue
    return found


def _sender(box: Box, row: Any) -> tuple[str, bool]:
    try:
        about = decode(box.open(row.about, place("messages", "about", row.session, row.number)))
    except Unreadable:
        return "", False
    return about[0], bool(about[-1].get(RECALLED))
