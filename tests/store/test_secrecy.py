"""Nothing that people say, nor what is derived from it, can be read in any file, log or error."""

from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import LargeBinary, Table, insert, select
from sqlalchemy.exc import DBAPIError
from tests.store import worlds
from tests.store.conftest import Opener
from tests.store.postgres import Server
from tests.store.worlds import NOW, call, event, later, message, say, variable

from heartrule.language.compiling.script import Source
from heartrule.store import Store
from heartrule.store.audit import AuditRecord
from heartrule.store.contacts import ContactRecord
from heartrule.store.crypto import VERSION, Unreadable
from heartrule.store.records import Entry, InboxEntry, NewEscalation, NewSession, SnapshotRecord, TurnRecord
from heartrule.store.reviews import ReplyReview
from heartrule.store.schema import metadata, persons

PLACES = (
    *("subject", "metadata", "state0", "key", "text", "choice", "person", "reply", "message metadata", "value"),
    *("evidence", "event", "answer", "attempt", "prompt", "state", "outcome", "global", "nested"),
    *("note", "contact", "address", "known as", "report", "review", "draft", "remembered", "remembered quote"),
    *("recollected", "recollected quote"),
)
BEGIN = "秘密："
PLANTED = {where: f"{BEGIN}{where} my secret number {number}" for number, where in enumerate(PLACES)}
CLEAR = {"sources.text": True}


async def plant(store: Store) -> None:
    """One sentence in everything that can hold one, over enough turns for a snapshot."""
    person = await store.new_person(PLANTED["subject"])
    contact = ContactRecord("email", PLANTED["contact"], PLANTED["address"], PLANTED["known as"])
    await store.contacts.save(person, contact, NOW)
    state = {**worlds.STATE, "memory": PLANTED["state0"]}
    await worlds.session(store, person=person, metadata={"note": PLANTED["metadata"]}, state=state)
    for seq in range(1, 22):
        entry = Entry(f"{PLANTED['key']} {seq}", "message", PLANTED["text"], PLANTED["choice"], after=0)
        loaded = await worlds.start(store, "s1", entry, seq)
        made = call(
            seq,
            prompt=PLANTED["prompt"],
            data={"reply": [PLANTED["answer"]]},
            attempts=[{"raw": PLANTED["attempt"]}],
        )
        await store.save_calls("s1", "one", loaded.epoch, [made])
        spoken = message(seq * 2 - 1, seq, PLANTED["person"], sender="person", inbox=seq)
        reply = message(seq * 2, seq, PLANTED["reply"], metadata={"card": PLANTED["message metadata"]})
        await store.commit(
            worlds.turn(
                "s1",
                seq,
                loaded.epoch,
                consumed=[seq],
                messages=[spoken, reply],
                events=[event(seq, 1, value=PLANTED["event"], deep={"er": [PLANTED["nested"]]})],
                variables=[
                    variable("v", PLANTED["value"], evidence=PLANTED["evidence"]),
                    variable("g", [PLANTED["global"]], scope="global"),
                    worlds.remembered("s1.1", PLANTED["remembered"], evidence=PLANTED["remembered quote"]),
                ],
                state={**worlds.STATE, "memory": PLANTED["state"]},
                outcome={"reply": PLANTED["outcome"]},
                escalations=[NewEscalation(f"{seq}-1", "desk", "awareness safety/x", "P0", PLANTED["note"])],
                release=True,
            )
        )
    await store.reports.add("s1", 2, "other", PLANTED["report"], NOW)
    looked = AuditRecord("c-1", "counselor", "s1", "review", NOW)
    await store.reviews.judge(2, ReplyReview("unsuitable", None, PLANTED["review"]), "王老师", looked)
    await store.drafts.add("s1", "f1-1", {"notes": PLANTED["draft"]}, "c-1", NOW)
    made = worlds.recollection("s1", PLANTED["recollected"], quote=PLANTED["recollected quote"])
    await store.recollections.keep("s1", [made])


def spellings(sentence: str) -> Iterable[bytes]:
    yield sentence.encode()
    yield sentence.encode("utf-16-le")
    yield sentence.encode("unicode-escape")
    yield sentence.encode().hex().encode()
    yield base64.b64encode(sentence.encode())[:-4]


def content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:  # a server at work takes files away
        return b""


def found_in(files: Iterable[Path]) -> set[tuple[str, str]]:
    return {
        (path.name, where)
        for path in files
        for data in [content(path)]
        if any(beginning in data for beginning in spellings(BEGIN))
        for where, sentence in PLANTED.items()
        if any(spelling in data for spelling in spellings(sentence))
    }


def test_every_spelling_would_be_found(tmp_path: Path) -> None:
    for number, sentence in enumerate(PLANTED.values()):
        for spelling in spellings(sentence):
            path = tmp_path / f"{number}"
            path.write_bytes(b"\x00" * 9 + spelling + b"\x00")
            assert [where for _, where in found_in([path])] == [list(PLANTED)[number]]


@pytest.fixture
def files(where: str, tmp_path: Path, request: pytest.FixtureRequest) -> Callable[[], list[Path]]:
    """Every file the store writes to, of the database server as well."""

    def every() -> list[Path]:
        own = [path for path in tmp_path.rglob("*") if path.is_file()]
        if "://" not in where:
            return own
        server: Server = request.getfixturevalue("server")
        server.flush()
        return own + server.files()

    return every


def test_planted_sentences_are_in_no_file(opener: Opener, files: Callable[[], list[Path]]) -> None:
    store = opener()
    asyncio.run(plant(store))
    written = files()
    assert any(b"demo/main" in content(path) for path in written)  # we are looking in the right place
    assert found_in(written) == set()
    store.close()
    assert found_in(files()) == set()


def test_planted_sentences_all_come_back(store: Store) -> None:
    """Else their absence would mean nothing."""

    async def run() -> None:
        await plant(store)
        person = await store.person_of_subject(PLANTED["subject"])
        assert person is not None
        snapshot = await store.snapshot("s1", 0)
        assert snapshot is not None
        contact = await store.contacts.find(person)
        assert contact is not None
        whole = str(await store.dump("s1")) + str(snapshot.state) + str(asdict(contact))
        whole += str(await store.escalations.note("s1/1-1"))
        looked = AuditRecord("c-1", "counselor", "s1", "read", NOW)
        opened = await store.reviews.open("s1", 2, 0, 0, looked)
        assert opened.report is not None
        assert opened.review is not None
        whole += f"{opened.report.text} {opened.review.note} {await store.drafts.of_session('s1')}"
        whole += str([(each.content, each.quote) for each in await store.recollections.of_session("s1")])
        missing = {where for where, sentence in PLANTED.items() if sentence not in whole}
        assert missing == {"subject"}

    asyncio.run(run())


def rows(store: Store, table: Table) -> list[dict[str, object]]:
    with store._db.engines.reader.begin() as connection:
        return [dict(row._mapping) for row in connection.execute(select(table))]


def test_every_value_column_is_sealed_and_every_other_is_bland(store: Store) -> None:
    asyncio.run(plant(store))
    for table in metadata.sorted_tables:
        for row in rows(store, table):
            for column in table.columns:
                value = row[column.name]
                if not isinstance(column.type, LargeBinary):
                    assert "secret" not in str(value), column
                elif column.name.endswith("_digest"):
                    assert value is None or len(value) == 32  # type: ignore[arg-type]
                elif str(column) not in CLEAR and value is not None:
                    assert bytes(value).startswith(VERSION)  # type: ignore[call-overload]


def test_equal_bodies_do_not_look_equal(store: Store) -> None:
    """Between persons not even their digests; within one, only to who holds the key."""

    async def run() -> None:
        for name in ("s1", "s2"):
            await worlds.session(store, name)
            await store.accept(name, say("k", "同一句话"), NOW)

    asyncio.run(run())
    one, other = rows(store, metadata.tables["inbox"])
    for column in ("key_digest", "body_digest", "body"):
        assert one[column] != other[column]


def test_a_row_copied_to_another_place_does_not_open(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person()
        for name in ("s1", "s2"):
            await worlds.session(store, name, person)
            await worlds.talk(store, name, 1, f"in {name}")

    asyncio.run(run())
    with store._db.engines.writer.begin() as connection:
        connection.exec_driver_sql(
            "UPDATE messages SET text = (SELECT text FROM messages m WHERE m.session = 's1' AND m.number = 1)"
            " WHERE session = 's2' AND number = 1"
        )
    with pytest.raises(Unreadable):
        asyncio.run(store.messages("s2"))
    assert worlds.texts(asyncio.run(store.messages("s1")))[0] == "in s1"


def test_nothing_said_is_logged(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        asyncio.run(plant(store))
    assert "secret" not in caplog.text


SECRET = "my secret"
RECORDS = (
    NewSession("s", "p", "demo", "demo/main", "b", "zh", {"it": SECRET}, NOW, {"it": SECRET}),
    Entry(SECRET, "message", SECRET, SECRET),
    InboxEntry(1, Entry(SECRET, "message", SECRET), NOW, None),
    message(1, 1, SECRET, metadata={"it": SECRET}),
    variable("v", SECRET, evidence=SECRET),
    event(1, 1, it=SECRET),
    call(1, data={"it": SECRET}, attempts=[{"raw": SECRET}]),
    worlds.turn(
        "s",
        1,
        1,
        state={"it": SECRET},
        outcome={"it": SECRET},
        messages=[message(1, 1, SECRET)],
        events=[event(1, 1, it=SECRET)],
        variables=[variable("v", SECRET)],
    ),
    TurnRecord("s", 1, NOW, {"it": SECRET}, (message(1, 1, SECRET),)),
    SnapshotRecord("s", 1, 1, None, 1, NOW, {"it": SECRET}, (variable("v", SECRET),)),
    Source("demo", "main.yaml", "a" * 64, SECRET),
)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_no_record_shows_its_content(record: object) -> None:
    """A traceback, a debugger or a careless log line prints them."""
    assert SECRET in str(asdict(record))  # type: ignore[call-overload]
    assert SECRET not in repr(record)
    assert SECRET not in f"{record}"


def test_what_was_loaded_shows_no_content(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store, metadata={"it": SECRET}, state={"it": SECRET})
        await worlds.talk(store, "s1", 1, SECRET, state={"it": SECRET})
        loaded = await worlds.start(store, "s1", say("k2", SECRET), 2)
        await store.save_calls("s1", "one", loaded.epoch, [call(2, data={"it": SECRET})])
        loaded = await store.load("s1", 20)
        assert str(asdict(loaded)).count(SECRET) >= 6
        assert SECRET not in repr(loaded)
        assert SECRET not in repr(store) + repr(store._db) + repr(store._db.keys)

    asyncio.run(run())


def test_errors_of_the_database_do_not_quote_what_was_written(store: Store) -> None:
    row = {"id": "p", "subject": b"my secret", "created_at": NOW, "erasing": False}
    with pytest.raises(DBAPIError) as caught, store._db.engines.writer.begin() as connection:
        connection.execute(insert(persons), [row, row])
    assert "secret" not in str(caught.value)
    assert "hide" in str(caught.value)


def test_what_goes_wrong_says_nothing_of_the_input(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await store.accept("s1", say("k", "my secret"), NOW)
        refused = [
            store.accept("s1", say("k", "another secret"), NOW),
            store.commit(worlds.turn("s1", 1, 7, messages=[message(1, 1, "secret")])),
            store.accept("no secret session", say("k", "my secret"), NOW),
            store.accept("s1", replace(say("secret"), text=b"secret"), NOW),  # type: ignore[arg-type]
        ]
        for work in refused:
            with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever it is, it is quiet
                await work
            assert "secret" not in str(caught.value)

    asyncio.run(run())


any_text = st.text(st.characters(exclude_categories=()), max_size=60)
any_value = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | any_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
    max_leaves=8,
)


@pytest.fixture
def counted(store: Store) -> tuple[Store, list[int]]:
    asyncio.run(worlds.session(store))
    return store, [0]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=any_text, value=any_value)
def test_anything_that_can_be_said_comes_back(counted: tuple[Store, list[int]], text: str, value: object) -> None:
    store, turns = counted
    turns[0] += 1
    seq = turns[0]

    async def run() -> None:
        entry = Entry(f"{seq}:{text}", "message", text, text)
        loaded = await worlds.start(store, "s1", entry, seq)
        assert loaded.pending[0].entry == entry
        await store.save_calls("s1", "one", loaded.epoch, [call(seq, data={"it": value})])
        made = worlds.turn(
            "s1",
            seq,
            loaded.epoch,
            consumed=[loaded.pending[0].number],
            messages=[message(seq, seq, text, metadata={"it": value})],
            events=[event(seq, 1, it=value)],
            variables=[variable("v", value, evidence=text)],
            state={"it": value},
            outcome={"it": value},
            at=later(seq),
        )
        await store.commit(made)
        loaded = await store.load("s1", 1)
        assert loaded.messages[0] == replace(made.messages[0], id=f"s1.{seq}")
        assert loaded.variables == tuple(made.variables)
        assert loaded.state == made.state
        assert (await store.events("s1"))[-1] == made.events[0]
        assert (await store.calls("s1"))[-1].data == {"it": value}
        found = await store.turn("s1", seq)
        assert found is not None
        assert found.outcome == made.outcome

    asyncio.run(run())
