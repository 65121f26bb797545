"""Words that are taken back leave every sealed column of every table, of their own session and of those that read them.

Whatever is sealed is looked at, by its place and not by what reads it: a column that comes to the schema without
anybody thinking of what is taken back fails here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import LargeBinary, select
from tests.store import worlds
from tests.store.worlds import NOW, call, event, message, remembered, variable

from heartrule.store import Store, cards, escalations, notes
from heartrule.store.audit import AuditRecord
from heartrule.store.codec import decode_text
from heartrule.store.crypto import Unreadable, place
from heartrule.store.records import NewEscalation, Outdated, Recall
from heartrule.store.reviews import ReplyReview
from heartrule.store.schema import metadata
from heartrule.store.schema import notes as notes_table

WORDS = "其实是因为我离婚了这件事"
QUOTE = f"你说过：{WORDS}"
NOT_SAID_IN_A_SESSION = {
    "persons.subject": "how somebody else names the person",
    "contacts.content": "whom the person wants told; it is theirs to change",
    "sources.text": "a script",
    "sessions.about": "where it stands, and who of the staff holds it",
    "variables.about": "names of the script",
    "attempts.key": "names of the script",
    "events.course": "places of the script",
    "escalations.content": "who is told, and when",
    "audit.content": "who of the staff did what",
    "accounts.content": "who of the staff can sign in",
    "sign_ins.content": "which browser they use",
    "challenges.content": "what must be answered by whoever of them signs in",
    "service_tokens.content": "what a program of theirs is called and may do",
    "canned.content": "what the staff say to anybody",
    "rota.content": "when they are there",
    "comments.content": "what authors say of scripts",
    "digest_addresses.content": "where authors are told of that",
    "cards.about": "who of the staff has to do with it",
    "project_drafts.texts": "scripts",
    "project_runs.result": "what tests of scripts came to",
    "debug_sessions.head": "an author's own session with a script",
    "debug_moves.content": "an author's own session with a script",
    "push_subscriptions.content": "where a browser of the staff is told",
    "recollections.terms": "numbers; rewritten with the contents",
    "recollections.meaning": "numbers; rewritten with the contents",
}


def sealed() -> set[str]:
    return {
        str(column)
        for table in metadata.sorted_tables
        for column in table.columns
        if isinstance(column.type, LargeBinary) and not column.name.endswith("_digest")
    } - set(NOT_SAID_IN_A_SESSION)


def kept(store: Store, person: str, *, among_others: bool = False) -> Iterator[tuple[str, str, str]]:
    """Column, row and content of everything sealed for the person, who is alone unless they are ``among_others``."""
    box = store._db.keys.box(person)
    with store._db.engines.reader.begin() as connection:
        for table in metadata.sorted_tables:
            for row in connection.execute(select(table)).all():
                key = [getattr(row, column.name) for column in table.primary_key.columns]
                where = [each.hex() if isinstance(each, bytes | memoryview) else each for each in key]
                for column in table.columns:
                    value = getattr(row, column.name)
                    if str(column) in sealed() and value is not None:
                        at = place(table.name, column.name, *where)
                        try:
                            opened = box.open(value, at)
                        except Unreadable:
                            assert among_others, column
                            continue
                        yield str(column), str(where[0]), decode_text(opened)


def holding(store: Store, person: str) -> set[tuple[str, str]]:
    """Columns that hold the words, and the sessions of their rows."""
    keys = store._db.keys
    called = {escalations.row_of(keys, f"{session}/2-1"): session for session in ("s1", "s2")}
    called |= {cards._digest(keys.index(), session).hex(): session for session in ("s1", "s2")}
    with store._db.engines.reader.begin() as connection:
        noted = {notes._digest(keys.index(), session): session for session in ("s1", "s2")}
        rows = connection.execute(select(notes_table.c.id, notes_table.c.session_digest)).all()
        called |= {row.id: noted[bytes(row.session_digest)] for row in rows}
    found = ((column, called.get(row, row), text) for column, row, text in kept(store, person))
    return {(column, row.partition("/")[0]) for column, row, text in found if WORDS in text}


async def quoting(store: Store, session: str) -> None:
    """A session in which the words are said, and quoted afterwards wherever something can be quoted."""
    await worlds.talk(store, session, 1, WORDS)
    loaded = await worlds.start(store, session, worlds.Entry(f"{session}-2", "human", text=QUOTE), 2)
    attempts: list[Any] = [{"number": 1, "raw": QUOTE}]
    await store.save_calls(session, "one", loaded.epoch, [call(2, data={"a": QUOTE}, attempts=attempts)])
    state = {**worlds.STATE, "memory": QUOTE}
    for seq in range(2, 22):  # a snapshot is taken on the way
        if seq > 2:
            loaded = await worlds.start(store, session, worlds.say(f"{session}-{seq}", "嗯"), seq)
        number = loaded.pending[-1].number
        made = worlds.turn(session, seq, loaded.epoch, seen=number, consumed=[number], state=state, release=True)
        if seq == 2:
            made = replace(
                made,
                messages=[message(3, 2, QUOTE, metadata={"card": QUOTE}), message(4, 2, "嗯")],
                events=[event(2, 1, heard=QUOTE)],
                variables=[
                    variable("quoted", QUOTE, evidence=WORDS),
                    remembered(f"{session}/1", "说过一件事", session=session, evidence=WORDS),
                ],
                outcome={"status": "waiting_input", "said": QUOTE},
                escalations=[NewEscalation("2-1", "desk", "awareness safety/x", "P0", QUOTE)],
            )
        await store.commit(made)
    await store.reports.add(session, 4, "other", QUOTE, NOW)
    looked = AuditRecord("c-1", "counsellor", session, "review", NOW)
    await store.reviews.judge(4, ReplyReview("unsuitable", None, QUOTE), "王老师", looked)
    await store.drafts.add(session, "f1-1", {"notes": QUOTE}, "c-1", NOW)
    await store.notes.add(session, "c-1", "王老师", QUOTE, NOW, lambda _: None)
    await store.cards.change(session, NOW, lambda card: replace(card, tags=(QUOTE,)))
    await store.recollections.keep(session, [worlds.recollection(session, QUOTE)])


async def take_back(store: Store, recall: Recall, seq: int = 22) -> None:
    loaded = await worlds.start(store, "s1", worlds.Entry("back", "recall", text="{}"), seq)
    number = loaded.pending[-1].number
    gone = [("session", "", "said"), ("session", "", "quoted")]
    made = worlds.turn("s1", seq, loaded.epoch, seen=number, consumed=[number], removed=gone, release=True)
    await store.commit(replace(made, recall=recall))


def test_words_leave_every_sealed_column(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person()
        for name in ("s1", "s2"):
            given = {"channel": QUOTE} if name == "s2" else {}
            await worlds.session(store, name, person, metadata=given)
            await quoting(store, name)
        before = holding(store, person)
        assert {column for column, session in before if session == "s2"} == sealed(), "plant it in what is new"
        own = {column for column, session in before if session == "s1"}
        assert own == sealed() - {"sessions.metadata"}
        await take_back(store, Recall((1,), (1,), (1,), words=(WORDS,), elsewhere=("s2",)))
        assert holding(store, person) == set()
        assert await store.escalations.note("s1/2-1") == "你说过："

    asyncio.run(run())


def test_who_has_read_the_words_may_not_write_them_again(store: Store) -> None:
    """Another session is at work with them while they are taken back: what it comes to does not stand."""

    async def run() -> None:
        person = await store.new_person()
        for name in ("s1", "s2"):
            await worlds.session(store, name, person)
            await quoting(store, name)
        loaded = await worlds.start(store, "s2", worlds.say("at work", "嗯"), 30, owner="two")
        await take_back(store, Recall((1,), (1,), (1,), words=(WORDS,), elsewhere=("s2",)), 22)
        made = worlds.turn("s2", 22, loaded.epoch, owner="two", state={**worlds.STATE, "memory": QUOTE})
        with pytest.raises(Outdated):
            await store.commit(made)
        assert holding(store, person) == set()

    asyncio.run(run())


def test_another_session_that_knows_nothing_of_them_goes_on(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person()
        for name in ("s1", "s2"):
            await worlds.session(store, name, person)
        await quoting(store, "s1")
        loaded = await worlds.start(store, "s2", worlds.say("at work", "嗯"), 30, owner="two")
        await take_back(store, Recall((1,), (1,), (1,), words=(WORDS,), elsewhere=("s2",)), 22)
        number = loaded.pending[-1].number
        assert await store.commit(worlds.turn("s2", 1, loaded.epoch, owner="two", seen=number, consumed=[number])) == 0

    asyncio.run(run())
