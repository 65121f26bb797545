"""What is remembered of a person, in SQLite and in PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from tests.store import worlds
from tests.store.worlds import WORDS, remembered

from heartrule.store import Store
from heartrule.store.memories import without
from heartrule.store.quotations import Quotations
from heartrule.store.records import Commit, Gone, Outdated, Recall


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


async def turn(store: Store, session: str = "s1", **more: Any) -> Commit:
    record = await store.session(session)
    assert record is not None
    return await worlds.talk(store, session, record.seq + 1, "在", **more)


async def ids(store: Store, session: str = "s1") -> list[str]:
    return [each.name for each in await store.memories.seen(session)]


async def two(store: Store) -> str:
    """Two sessions of one person, who wants them to know of each other, and one of somebody else."""
    person = await store.new_person()
    assert await store.recollections.choose(person, True, worlds.NOW)
    for name in ("s1", "s2"):
        await worlds.session(store, name, person)
    await worlds.session(store, "s3")
    return person


def test_what_is_written_is_read_as_it_was(store: Store) -> None:
    async def work() -> None:
        await two(store)
        item = remembered("s1.1", "和妈妈吵架", evidence=WORDS)
        await turn(store, variables=[item, worlds.variable("said", 1)])
        assert await store.memories.seen("s1") == (item,)
        assert [each.name for each in await store.variables("s1")] == ["said"]
        again = remembered("s1.1", "不吵了", evidence=None)
        await turn(store, variables=[again])
        assert await store.memories.seen("s1") == (again,)

    run(work())


@pytest.mark.parametrize(
    ("kind", "elsewhere"), [("short", False), ("mid", False), ("long", True), ("structured", True)]
)
def test_which_of_it_other_sessions_see(store: Store, kind: str, elsewhere: bool) -> None:
    async def work() -> None:
        await two(store)
        await turn(store, variables=[remembered("s1.1", kind=kind)])
        assert await ids(store, "s1") == ["s1.1"]
        assert await ids(store, "s2") == (["s1.1"] if elsewhere else [])
        assert await ids(store, "s3") == []

    run(work())


def test_another_project_sees_nothing(store: Store) -> None:
    async def work() -> None:
        person = await two(store)
        await worlds.session(store, "s4", person, project="other")
        await turn(store, variables=[remembered("s1.1")])
        assert await ids(store, "s4") == []

    run(work())


def test_cells_close_and_single_items_make_room(store: Store) -> None:
    async def work() -> None:
        await two(store)
        kept = [remembered("s1.1"), remembered("s1.2", kind="short", scope_key="t1"), remembered("s1.3", kind="mid")]
        await turn(store, variables=kept)
        await turn(store, "s2", variables=[remembered("s2.1", kind="short", scope_key="t1", session="s2")])
        await turn(store, removed_scopes=[("memory", "t1"), ("topic", "t1")])
        assert await ids(store) == ["s1.1", "s1.3"]
        assert await ids(store, "s2") == ["s1.1", "s2.1"]
        await turn(store, "s2", removed=[("memory", "long", "s1.1"), ("memory", "mid", "none")])
        assert (await ids(store), await ids(store, "s2")) == (["s1.3"], ["s2.1"])

    run(work())


def test_a_turn_that_is_not_written_leaves_nothing(store: Store) -> None:
    async def work() -> None:
        await two(store)
        made = await turn(store, variables=[remembered("s1.1")])
        with pytest.raises(Outdated):
            await store.commit(worlds.turn("s1", 9, made.epoch, variables=[remembered("s1.2")]))
        assert await ids(store) == ["s1.1"]

    run(work())


def test_it_goes_with_the_session_that_it_came_from(store: Store) -> None:
    async def work() -> None:
        person = await two(store)
        await turn(store, variables=[remembered("s1.1")])
        await turn(store, "s2", variables=[remembered("s2.1", session="s2")])
        await store.belongings.remove_session("s1")
        assert await ids(store, "s2") == ["s2.1"]
        found = await store.memories.of_person(person)
        assert [(each.session, each.project, each.item.name) for each in found] == [("s2", "demo", "s2.1")]
        with pytest.raises(Gone):
            await store.memories.seen("s1")

    run(work())


def test_one_item_is_forgotten_by_its_own_person_only(store: Store) -> None:
    async def work() -> None:
        person = await two(store)
        stranger = await store.session("s3")
        assert stranger is not None
        await turn(store, variables=[remembered("s1.1"), remembered("s1.2")])
        assert not await store.memories.forget(stranger.person, "s1.1")
        assert await store.memories.forget(person, "s1.1")
        assert not await store.memories.forget(person, "s1.1")
        assert await ids(store) == ["s1.2"]
        assert await store.memories.of_person("nobody") == ()

    run(work())


def test_words_that_are_taken_back_leave_it(store: Store) -> None:
    async def work() -> None:
        await two(store)
        said = [
            remembered("s1.1", "心情：2", evidence=WORDS),
            remembered("s1.2", f"近况：{WORDS}"),
            remembered("s1.3", "别的"),
        ]
        made = await turn(store, variables=said)
        recall = Recall(turns=(), messages=(), inputs=(), words=(WORDS,))
        await turn(store, recall=recall)
        assert made.seq == 1
        assert [(each.name, each.evidence) for each in await store.memories.seen("s1")] == [
            ("s1.1", None),
            ("s1.3", "原话"),
        ]

    run(work())


@pytest.mark.parametrize(
    ("content", "evidence", "left"),
    [
        ("心情：2", WORDS, ("心情：2", None)),
        ("心情：2", "别的话", ("心情：2", "别的话")),
        ("心情：2", None, ("心情：2", None)),
        (f"近况：{WORDS}", WORDS, None),
        (f"近况：{WORDS}", None, None),
        ("近况：睡不着", "睡不着", None),
        ("近况：睡不着", None, ("近况：睡不着", None)),
    ],
)
def test_what_of_an_item_quotes_the_words(content: str, evidence: str | None, left: Any) -> None:
    found = without(remembered("a", content, evidence=evidence), Quotations([WORDS]))
    assert (None if found is None else (found.value["content"], found.evidence)) == left
