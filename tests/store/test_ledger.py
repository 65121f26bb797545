"""The ledger: every attempt is a row in clear, written with its answer, and the sums are made by the database."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import LargeBinary
from tests.store import worlds
from tests.store.worlds import NOW, attempt, call, later, say

from heartrule.store import Store
from heartrule.store.ledger import By
from heartrule.store.records import AttemptRecord, Figures, Outdated
from heartrule.store.schema import attempts

FULL = attempt(
    1,
    key="ask_sleep",
    template="judge",
    role="judge",
    at=later(3),
    retry=2,
    fallback=True,
    outcome="rejected",
    cause="not_json",
    tokens_in=1000,
    cached=600,
    tokens_out=90,
    reasoning=40,
    cost=9_000_000_000_000,
    currency="CNY",
    seconds=1.25,
    first_token=0.5,
    finish="length",
)


async def keep(store: Store, made: list[AttemptRecord], session: str = "s1", key: str = "k") -> None:
    loaded = await worlds.start(store, session, say(key))
    await store.save_calls(session, "one", loaded.epoch, [], made)


async def begun(store: Store, made: list[AttemptRecord], name: str = "s1", **more: Any) -> None:
    await worlds.session(store, name, **more)
    await keep(store, made, name)


def only(store: Store, **more: Any) -> Figures:
    (found,) = asyncio.run(store.figures(**more))
    return found


def test_only_which_task_it_was_is_sealed() -> None:
    assert [column.name for column in attempts.columns if isinstance(column.type, LargeBinary)] == ["key"]


def test_an_attempt_comes_back_as_it_was_written(store: Store) -> None:
    bare = attempt(1, provider=None, model=None, outcome="timeout", cause="budget")

    async def run() -> None:
        await begun(store, [FULL, bare])
        assert await store.attempts("s1") == (FULL, bare)
        assert await store.attempts("s1", 1) == (FULL, bare)
        assert await store.attempts("s1", 2) == ()
        assert await store.attempts("nobody") == ()

    asyncio.run(run())


def test_every_attempt_stays_in_the_order_it_was_made(store: Store) -> None:
    """The call's own record is replaced by what came later; what was paid for is not."""

    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        failed = call(1, status="failed", data=None)
        for number, record in enumerate([failed, failed, call(1)]):
            await store.save_calls("s1", "one", loaded.epoch, [record], [attempt(1, seconds=float(number))])
        await store.save_calls("s1", "one", loaded.epoch, [], [attempt(2), attempt(1, seconds=3.0), attempt(2)])
        assert len(await store.calls("s1")) == 1
        kept = await store.attempts("s1")
        assert [(one.turn, one.seconds) for one in kept] == [(1, 0.0), (1, 1.0), (1, 2.0), (1, 3.0), (2, 0.0), (2, 0.0)]

    asyncio.run(run())


def test_whoever_lost_the_lease_writes_neither_answer_nor_attempt(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        with pytest.raises(Outdated):
            await store.save_calls("s1", "one", loaded.epoch - 1, [call(1)], [attempt(1)])
        assert await store.attempts("s1") == ()
        assert await store.figures() == ()

    asyncio.run(run())


def test_an_answer_that_cannot_be_written_takes_its_attempts_with_it(store: Store) -> None:
    async def run() -> None:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        broken = replace(attempt(1), seconds=None)  # type: ignore[arg-type]
        with pytest.raises(Exception, match=r"(?i)null"):
            await store.save_calls("s1", "one", loaded.epoch, [call(1)], [attempt(1), broken])
        assert await store.calls("s1") == ()
        assert await store.attempts("s1") == ()

    asyncio.run(run())


@pytest.mark.parametrize("by", [None, "model", "script", "project", "session", "turn", "purpose"])
def test_an_empty_ledger_has_no_figures(store: Store, by: By | None) -> None:
    assert asyncio.run(store.figures(by)) == ()


def test_all_that_is_counted(store: Store) -> None:
    made = [
        attempt(1, tokens_in=1000, cached=600, tokens_out=100, reasoning=40, cost=500, currency="CNY", seconds=1.0),
        attempt(1, outcome="rejected", cause="missing", tokens_in=10, tokens_out=5, seconds=2.0),
        attempt(1, outcome="ok", retry=1, tokens_in=7, tokens_out=None, cost=None, currency="CNY", seconds=3.0),
        attempt(1, outcome="error", cause="server_error:500", model=None, seconds=0.1),
        attempt(1, outcome="error", cause="empty", tokens_in=1, tokens_out=1, cost=70, currency="CNY", seconds=0.2),
        attempt(1, outcome="timeout", cause="timeout", model=None, retry=1, seconds=15.0),
        attempt(1, outcome="ok", provider="other/n", model="n-7", retry=2, fallback=True, cost=9, currency="USD"),
        attempt(1, outcome="cancelled", cause="cancelled", model=None, seconds=99.0),
        attempt(1, outcome="timeout", cause="budget", provider=None, model=None, retry=3),
    ]
    asyncio.run(begun(store, made))
    found = only(store)
    assert (found.calls, found.not_asked, found.turns, found.turns_asking) == (8, 1, 0, 1)
    assert (found.ok, found.rejected, found.failed, found.timed_out, found.cancelled) == (3, 1, 2, 1, 1)
    assert (found.retried, found.fallbacks) == (3, 1)
    assert (found.tokens_in, found.cached, found.tokens_out, found.reasoning) == (1018, 600, 106, 40)
    assert found.untold == 5
    assert found.costs == (("CNY", 570), ("USD", 9))
    assert (found.unpriced, found.unpriced_failures) == (2, 3)
    assert found.models == ("m", "n-7")
    assert (found.p50, found.p99) == (1.0, 15.0)
    assert (found.key, found.first, found.last) == ((), NOW, NOW)


@pytest.mark.parametrize(
    ("seconds", "cuts"),
    [
        ([4.0], (4.0, 4.0, 4.0)),
        ([1.0, 2.0], (1.0, 2.0, 2.0)),
        ([3.0, 1.0, 2.0], (2.0, 3.0, 3.0)),
        ([float(n) for n in range(1, 101)], (50.0, 95.0, 99.0)),
        ([float(n) for n in range(1, 1001)], (500.0, 950.0, 990.0)),
    ],
)
def test_percentiles_are_those_of_the_nearest_rank(store: Store, seconds: list[float], cuts: tuple[float, ...]) -> None:
    asyncio.run(begun(store, [attempt(1, seconds=one) for one in seconds]))
    found = only(store)
    assert (found.p50, found.p95, found.p99) == cuts


async def two_worlds(store: Store) -> None:
    """Two projects, three sessions, four turns, two providers, two purposes; and one turn that asked nobody."""
    await begun(store, [attempt(1, cost=5, currency="CNY"), attempt(1, template="risk", seconds=4.0)])
    await store.commit(worlds.turn("s1", 1, 1, consumed=[1], release=True))
    await keep(store, [attempt(2, at=later(60), provider="b/n", outcome="error", model=None)], key="k2")
    await store.commit(worlds.turn("s1", 2, 2, consumed=[2], release=True, at=later(60)))
    await begun(store, [attempt(1, at=later(10), provider="b/n", model="n")], "s2", script="demo/other")
    await worlds.session(store, "s3", project="more", script="more/main")
    await worlds.start(store, "s3", say("k"))
    await store.commit(worlds.turn("s3", 1, 1, consumed=[1], release=True))


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        (None, {(): (4, 3)}),
        ("model", {("b/n",): (2, 2), ("host/m",): (2, 1)}),
        ("purpose", {("ai_ask",): (3, 3), ("risk",): (1, 1)}),
        ("script", {("demo/main",): (3, 2), ("demo/other",): (1, 0), ("more/main",): (0, 1)}),
        ("project", {("demo",): (4, 2), ("more",): (0, 1)}),
        ("session", {("s1",): (3, 2), ("s2",): (1, 0), ("s3",): (0, 1)}),
        ("turn", {("s1", "2"): (1, 1), ("s2", "1"): (1, 1), ("s1", "1"): (2, 1)}),
    ],
)
def test_groups(store: Store, by: By | None, groups: dict[tuple[str, ...], tuple[int, int]]) -> None:
    asyncio.run(two_worlds(store))
    found = asyncio.run(store.figures(by))
    assert {one.key: (one.calls, one.turns) for one in found} == groups
    assert [one.key for one in found] == list(groups), "and in this order"


def test_figures_of_a_group_are_its_own(store: Store) -> None:
    asyncio.run(two_worlds(store))
    other, host = asyncio.run(store.figures("model"))
    assert (host.key, host.costs, host.models, host.p50, host.p95) == (("host/m",), (("CNY", 5),), ("m",), 0.0, 4.0)
    assert (other.ok, other.failed, other.costs, other.models) == (1, 1, (), ("n",))
    assert (other.unpriced, other.unpriced_failures) == (1, 1)


def test_turns_are_told_apart_and_ordered_by_their_number(store: Store) -> None:
    asyncio.run(begun(store, [attempt(turn) for turn in (9, 10, 2)]))
    assert [one.key for one in asyncio.run(store.figures("turn"))] == [("s1", "10"), ("s1", "9"), ("s1", "2")]


def test_since(store: Store) -> None:
    asyncio.run(two_worlds(store))
    late = only(store, since=later(60))
    assert (late.calls, late.failed, late.turns) == (1, 1, 1)
    assert asyncio.run(store.figures(since=later(61))) == ()
    assert {one.key for one in asyncio.run(store.figures("session", later(10)))} == {("s1",), ("s2",)}
    eastern = later(60).astimezone(tz=None) + timedelta()
    assert only(store, since=eastern).calls == 1


def test_sums_are_exact_beyond_what_a_float_can_hold(store: Store) -> None:
    most = 3_000_000_000_000_000_001
    asyncio.run(begun(store, [attempt(1, cost=most, currency="CNY"), attempt(1, cost=most, currency="CNY")]))
    assert only(store).costs == (("CNY", 2 * most),)


def test_an_erased_person_leaves_no_figures(store: Store) -> None:
    async def run() -> None:
        person = await store.new_person()
        await begun(store, [attempt(1)], person=person)
        await store.erase_person(person)
        assert await store.figures() == ()

    asyncio.run(run())
