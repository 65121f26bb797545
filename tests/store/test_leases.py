"""One writer per session: claiming, taking over, shutting out."""

from __future__ import annotations

import asyncio

import pytest
from tests.store import worlds
from tests.store.conftest import Opener
from tests.store.worlds import NOW, UNTIL, later, say

from heartrule.store import Store
from heartrule.store.records import Outdated


def test_who_holds_a_session_keeps_others_out(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        assert await store.claim("s1", "one", NOW, later(30)) == 1
        assert await store.claim("s1", "two", later(29), later(60)) is None
        assert await store.claim_and_load("s1", "two", later(29), later(60), 20) is None

    asyncio.run(run())


def test_claiming_again_prolongs_and_keeps_the_epoch(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        assert await store.claim("s1", "one", NOW, later(30)) == 1
        assert await store.claim("s1", "one", later(20), later(50)) == 1
        assert await store.claim("s1", "two", later(40), later(70)) is None

    asyncio.run(run())


@pytest.mark.parametrize("owner", ["one", "two"])
def test_an_expired_lease_is_taken_over_under_a_new_epoch(store: Store, owner: str) -> None:
    async def run() -> None:
        await worlds.session(store)
        await store.claim("s1", "one", NOW, later(30))
        assert await store.claim("s1", owner, later(30), later(60)) == 2

    asyncio.run(run())


def test_a_released_lease_is_free_at_once(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await store.claim("s1", "one", NOW, later(30))
        assert not await store.release("s1", "two", 1)
        assert not await store.release("s1", "one", 2)
        assert await store.release("s1", "one", 1)
        assert not await store.release("s1", "one", 1)
        assert await store.claim("s1", "two", later(1), later(31)) == 2

    asyncio.run(run())


def test_who_holds_a_session_can_be_asked(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        assert await store.holder("nowhere") is None
        assert await store.holder("s1") is None
        await store.claim("s1", "one", NOW, later(30))
        assert await store.holder("s1") == ("one", 1)
        await store.claim("s1", "two", later(30), later(60))
        assert await store.holder("s1") == ("two", 2)
        await store.release("s1", "two", 2)
        assert await store.holder("s1") is None

    asyncio.run(run())


def test_who_lost_the_lease_can_write_nothing(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        await store.claim("s1", "two", later(31), later(61))
        with pytest.raises(Outdated):
            await store.save_calls("s1", "one", loaded.epoch, [worlds.call(1)])
        with pytest.raises(Outdated):
            await store.commit(worlds.turn("s1", 1, loaded.epoch, consumed=[1]))
        assert await store.calls("s1") == ()
        found = await store.session("s1")
        assert found is not None
        assert found.seq == 0

    asyncio.run(run())


def test_a_late_holder_may_still_commit_if_nobody_took_over(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        await store.commit(worlds.turn("s1", 1, loaded.epoch, consumed=[1], at=later(500)))
        found = await store.session("s1")
        assert found is not None
        assert found.seq == 1

    asyncio.run(run())


def test_taking_over_goes_on_where_the_other_stopped(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k", "接着说"))
        await store.save_calls("s1", "one", loaded.epoch, [worlds.call(1, "reply"), worlds.call(1, "judge")])
        taken = await store.claim_and_load("s1", "two", later(31), later(61), 20)
        assert taken is not None
        assert taken.epoch == loaded.epoch + 1
        assert [one.entry.text for one in taken.pending] == ["接着说"]
        assert sorted(one.key for one in taken.calls) == ["judge", "reply"]
        await store.commit(worlds.turn("s1", 1, taken.epoch, owner="two", consumed=[1]))

    asyncio.run(run())


def test_only_one_of_many_wins(opener: Opener) -> None:
    stores = [opener(), opener()]

    async def run() -> None:
        await worlds.session(stores[0])
        for round_ in range(5):
            now = later(round_ * 100)
            epochs = await asyncio.gather(
                *(stores[n % 2].claim("s1", f"owner {n}", now, later(round_ * 100 + 30)) for n in range(10))
            )
            assert [one for one in epochs if one is not None] == [round_ + 1]

    asyncio.run(run())


def test_a_commit_gives_the_lease_back_unless_inputs_wait(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k1"))
        await store.accept("s1", say("k2"), later(1))
        assert await store.commit(worlds.turn("s1", 1, loaded.epoch, consumed=[1], release=True)) == 1
        assert await store.claim("s1", "two", later(2), later(32)) is None
        assert await store.commit(worlds.turn("s1", 2, loaded.epoch, consumed=[2], release=True)) == 0
        assert await store.claim("s1", "two", later(2), later(32)) == loaded.epoch + 1

    asyncio.run(run())


def test_who_holds_what_waits_and_giving_it_all_back(store: Store) -> None:
    async def work() -> None:
        for number in range(4):
            await worlds.session(store, f"s{number}")
        for number, owner in ((0, "dead"), (1, "dead"), (2, "alive")):
            await worlds.start(store, f"s{number}", say("k"), owner=owner)
        await store.claim("s3", "idle", NOW, UNTIL)  # nothing waits there
        assert sorted(await store.owners(NOW)) == ["alive", "dead"]
        assert await store.owners(UNTIL) == ()
        assert await store.release_all("dead") == 2
        assert await store.release_all("dead") == 0
        assert await store.owners(NOW) == ("alive",)
        assert await store.holder("s0") is None
        again = await worlds.start(store, "s0", say("l"), owner="alive")
        assert again.epoch == 2

    asyncio.run(work())


def test_who_lost_a_session_neither_marks_it_nor_takes_it_away(store: Store) -> None:
    """A turn breaks long after its lease ran out; another is at work on the session, or has been."""

    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"), 0, owner="one")
        assert await store.claim("s1", "two", later(100), later(130)) == loaded.epoch + 1
        await store.put_down("s1", "one", loaded.epoch, interrupted=True)
        assert await store.holder("s1") == ("two", loaded.epoch + 1)
        assert await status(store) == "created"
        await store.release("s1", "two", loaded.epoch + 1)
        await store.put_down("s1", "one", loaded.epoch, interrupted=True)
        assert await status(store) == "created"

    asyncio.run(run())


@pytest.mark.parametrize("owner", ["one", None])
def test_who_holds_a_session_or_found_it_free_marks_it(store: Store, owner: str | None) -> None:
    """It cannot even be loaded: then nobody has claimed it."""

    async def run() -> None:
        await worlds.session(store)
        epoch = (await worlds.start(store, "s1", say("k"))).epoch if owner else None
        await store.put_down("s1", "one", epoch, interrupted=True)
        assert await store.holder("s1") is None
        assert await status(store) == "interrupted"

    asyncio.run(run())


async def status(store: Store) -> str:
    record = await store.session("s1")
    assert record is not None
    return record.status
