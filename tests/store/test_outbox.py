"""The outbox: found when it is due, taken in hand by one, free again when that one is gone."""

from __future__ import annotations

import asyncio

from tests.store import worlds
from tests.store.conftest import Opener
from tests.store.worlds import NOW, later

from heartrule.store import Store
from heartrule.store.database import Tx
from heartrule.store.outbox import Again, OutboxRecord
from heartrule.store.records import NewEscalation

TODAY = NOW.replace(hour=0, minute=0, second=0, microsecond=0)
"""When it came is told by the day: its time would name the turn."""


async def filled(store: Store, number: int = 1, session: str = "s1") -> None:
    await worlds.session(store, session)
    news = [NewEscalation(f"1-{n}", "desk", "c") for n in range(1, number + 1)]
    await worlds.talk(store, session, 1, "在", escalations=news)


async def row(store: Store, number: int = 1) -> str:
    return await store.escalations.row(f"s1/1-{number}")


async def due(store: Store, seconds: float = 10, *dead: str) -> list[str]:
    return [each.id for each in await store.outbox.due(later(seconds), 10, dead)]


async def work(store: Store) -> OutboxRecord:
    found = await store.outbox.find(await row(store))
    assert found is not None
    return found


def nothing(tx: Tx) -> None:
    """No effect."""


def test_what_is_due_is_found_the_oldest_first(store: Store) -> None:
    async def run() -> None:
        assert await due(store) == []
        assert await store.outbox.next_due() is None
        await filled(store, 3)
        one, two, three = [await row(store, number) for number in (1, 2, 3)]
        assert await store.outbox.next_due() == TODAY
        assert sorted(await due(store)) == sorted([one, two, three])
        assert len(await store.outbox.due(later(10), 2)) == 2
        assert await store.outbox.settle(one, 1, Again(later(5)), nothing)
        assert (await due(store))[-1] == one
        assert one not in await due(store, 4)

    asyncio.run(run())


def test_one_of_two_takes_it_in_hand(opener: Opener) -> None:
    one, other = opener(), opener()

    async def run() -> None:
        await filled(one)
        record = await work(one)
        taken = await asyncio.gather(
            one.outbox.claim(record, "n:1", later(60)), other.outbox.claim(record, "n:2", later(60))
        )
        assert sorted(taken) == [False, True]
        assert await due(one) == []
        assert await one.outbox.owners(later(10)) == ("n:1" if taken[0] else "n:2",)

    asyncio.run(run())


def test_it_is_free_again_when_its_time_is_over_or_its_owner_has_died(store: Store) -> None:
    async def run() -> None:
        await filled(store)
        assert await store.outbox.claim(await work(store), "n:1", later(60))
        assert await due(store, 59) == []
        assert await due(store, 59, "n:2") == []
        assert await due(store, 59, "n:1", "n:2") == [await row(store)]
        assert await due(store, 60) == [await row(store)]
        assert await store.outbox.owners(later(60)) == ()
        lapsed = await work(store)
        assert await store.outbox.claim(lapsed, "n:2", later(120))
        assert not await store.outbox.claim(lapsed, "n:3", later(120))

    asyncio.run(run())


def test_an_attempt_is_settled_once(store: Store) -> None:
    effects: list[str] = []

    async def run() -> None:
        await filled(store)
        assert await store.outbox.claim(await work(store), "n:1", later(60))
        again = Again(later(30), ("webhook",))
        assert await store.outbox.settle(await row(store), 1, again, lambda _: effects.append("one"))
        assert not await store.outbox.settle(await row(store), 1, again, lambda _: effects.append("one more"))
        record = await work(store)
        assert (record.attempt, record.due_at, record.done) == (2, later(30), ("webhook",))
        assert (record.owner, record.until, record.created_at) == (None, None, TODAY)
        assert not await store.outbox.settle(await row(store), 1, None, lambda _: effects.append("late"))
        assert await store.outbox.settle(await row(store), 2, None, lambda _: effects.append("two"))
        assert await store.outbox.find(await row(store)) is None
        assert not await store.outbox.settle(await row(store), 2, None, lambda _: effects.append("twice"))

    asyncio.run(run())
    assert effects == ["one", "two"]


def test_what_fails_with_its_effect_is_not_settled(store: Store) -> None:
    def broken(tx: Tx) -> None:
        raise ValueError

    async def run() -> None:
        await filled(store)
        for then in (None, Again(later(30))):
            try:
                await store.outbox.settle(await row(store), 1, then, broken)
            except ValueError:
                pass
            else:
                raise AssertionError
            assert (await work(store)).attempt == 1

    asyncio.run(run())


def test_an_attempt_of_which_nothing_is_known_is_passed_over(store: Store) -> None:
    async def run() -> None:
        await filled(store)
        assert await store.outbox.settle(await row(store), 1, Again(later(3), ("email",)), nothing)
        assert not await store.outbox.skip(await row(store), 1, later(9))
        assert not await store.outbox.skip("s1/9-9", 1, later(9))
        assert await store.outbox.skip(await row(store), 2, later(9))
        record = await work(store)
        assert (record.attempt, record.due_at, record.done) == (3, later(9), ("email",))

    asyncio.run(run())
