"""What is done beside a session's turns: checks that are put off, calls that no turn waits for."""

from __future__ import annotations

import asyncio

import pytest
from tests.store import worlds
from tests.store.conftest import Opener
from tests.store.worlds import attempt, call, later

from heartrule.store import Store
from heartrule.store.records import Entry, Gone


def test_of_several_that_see_to_what_is_due_one_does(opener: Opener) -> None:
    one, other = opener(), opener()

    async def run() -> None:
        await worlds.session(one)
        await worlds.talk(one, "s1", 1, "我睡不着", wake_at=later(90))
        tries = [each.postpone("s1", later(90), later(150)) for each in (one, other) * 3]
        assert sorted(await asyncio.gather(*tries)) == [False] * 5 + [True]
        assert await one.due(later(100), 10) == ()
        assert await other.due(later(150), 10) == ("s1",)

    asyncio.run(run())


def test_a_session_may_be_left_asleep(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await worlds.talk(store, "s1", 1, "我睡不着", wake_at=later(90))
        assert not await store.postpone("s1", later(91), None)
        assert await store.postpone("s1", later(90), None)
        assert await store.due(later(10_000), 10) == ()
        found = await store.session("s1")
        assert found is not None
        assert found.wake_at is None

    asyncio.run(run())


def test_a_turn_says_anew_when_to_wake(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await worlds.talk(store, "s1", 1, "我睡不着", wake_at=later(90))
        await store.postpone("s1", later(90), later(500))
        await worlds.talk(store, "s1", 2, "还是睡不着", wake_at=later(120))
        assert await store.due(later(120), 10) == ("s1",)

    asyncio.run(run())


def test_a_call_beside_the_turns_is_kept_and_counted_while_somebody_else_holds_the_session(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        await worlds.talk(store, "s1", 1, "我睡不着")
        loaded = await worlds.start(store, "s1", worlds.say("k2"), 5)
        made = call(1, "periodic 1", template="periodic")
        await store.save_aside("s1", [made], [attempt(1, "periodic 1", template="periodic", tokens_in=7)])
        await store.save_calls("s1", "one", loaded.epoch, [call(2)], [attempt(2)])
        assert made in await store.calls("s1", 1)
        assert [each.key for each in await store.attempts("s1", 1)] == ["reply", "periodic 1"]
        assert {each.key: each.tokens_in for each in await store.figures("purpose")}[("periodic",)] == 7

    asyncio.run(run())


def test_nothing_is_kept_of_a_session_that_is_no_more(store: Store) -> None:
    async def run() -> None:
        with pytest.raises(Gone):
            await store.save_aside("nobody", [call(1)], [attempt(1)])

    asyncio.run(run())


@pytest.mark.parametrize(("kind", "moves"), [("timer", False), ("noticed", False), ("resume", True)])
def test_what_comes_of_the_time_alone_makes_nobody_active(store: Store, kind: str, moves: bool) -> None:
    async def run() -> None:
        await worlds.session(store)
        await worlds.talk(store, "s1", 1, "我睡不着")
        loaded = await worlds.start(store, "s1", Entry("k", kind), 60)  # type: ignore[arg-type]
        await store.commit(worlds.turn("s1", 2, loaded.epoch, seen=2, consumed=[2], release=True))
        found = await store.session("s1")
        assert found is not None
        assert found.last_active_at == (later(60) if moves else later(1))

    asyncio.run(run())
