"""What is counted of turns: at their commit, in clear, from numbers that the turn's events hold; and their sums."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import LargeBinary
from tests.store import worlds
from tests.store.worlds import attempt, event, later, say

from heartrule.store import Store
from heartrule.store.ledger import By
from heartrule.store.records import Figures, TurnFigures
from heartrule.store.schema import turns

PERCEIVED = event(1, 1, "perceived", calls=1, asked=7, found=2, again=1, refused=0, unanswered=0)
KEPT = event(1, 2, "replied", task="ai_ask", speculative=True, redone=False, why=[])
REDONE = event(1, 3, "replied", task="ai_ask", speculative=True, redone=True, why=["name"])
ALONE = event(1, 4, "replied", task="ask", speculative=False, redone=False, why=[])
FUSED = event(1, 5, "fused", kept=True)
LOST = event(1, 6, "fused", kept=False)


async def held(store: Store, made: Sequence[dict[str, Any]], name: str = "s1", **more: Any) -> None:
    await worlds.session(store, name, **more)
    loaded = await worlds.start(store, name, say("k"))
    for seq, each in enumerate(made, 1):
        told = [replace(one, turn=seq, number=number) for number, one in enumerate(each.get("events", ()), 1)]
        await store.commit(worlds.turn(name, seq, loaded.epoch, **{**each, "events": told}))


def of_turns(store: Store, **more: Any) -> TurnFigures:
    (found,) = asyncio.run(store.figures(**more))
    assert found.of_turns is not None
    return found.of_turns


def test_what_is_counted_is_in_clear() -> None:
    names = ["rounds", "seconds", "perceptions", "perceived", "speculative", "redone", "fused", "unfused"]
    names += ["completed", "satisfaction"]
    assert [column.name for column in turns.columns][-len(names) :] == names
    assert not any(isinstance(turns.c[name].type, LargeBinary) for name in names)


def test_events_are_counted_and_others_are_not(store: Store) -> None:
    first = {"rounds": 1, "seconds": 0.5, "events": [PERCEIVED, KEPT, FUSED, event(1, 9, "round", calls=99)]}
    second = {"rounds": 2, "seconds": 1.5, "events": [PERCEIVED, REDONE, ALONE, LOST, FUSED]}
    third = {"rounds": 0, "seconds": 0.1}
    asyncio.run(held(store, [first, second, third]))
    assert of_turns(store) == TurnFigures(
        turns=3,
        started=1,
        counted=3,
        waited=2,
        waited_once=1,
        perceptions=2,
        perceived=14,
        speculative=2,
        redone=1,
        fused=3,
        unfused=1,
        p50=0.5,
        p95=1.5,
        p99=1.5,
    )


def test_a_reply_that_was_not_speculative_cannot_be_one_that_was_redone(store: Store) -> None:
    odd = event(1, 1, "replied", task="ask", speculative=False, redone=True, why=[])
    asyncio.run(held(store, [{"rounds": 1, "events": [odd]}]))
    found = of_turns(store)
    assert (found.speculative, found.redone) == (0, 0)


def test_turns_of_older_versions_are_turns_that_nothing_was_counted_of(store: Store) -> None:
    asyncio.run(held(store, [{}, {"rounds": 1, "seconds": 2.0}]))
    found = of_turns(store)
    assert (found.turns, found.counted, found.waited, found.waited_once, found.p50) == (2, 1, 1, 1, 2.0)


def test_no_turn_that_waited_has_no_seconds(store: Store) -> None:
    asyncio.run(held(store, [{"rounds": 0, "seconds": 3.0}]))
    found = of_turns(store)
    assert (found.waited, found.p50, found.p99) == (0, None, None)


@pytest.mark.parametrize(
    ("by", "keys"),
    [("script", ("demo/a", "demo/b")), ("session", ("s1", "s2")), ("project", ("demo",))],
)
def test_by_what_they_belong_to(store: Store, by: By, keys: tuple[str, ...]) -> None:
    asyncio.run(held(store, [{"rounds": 1, "seconds": 1.0}], script="demo/a"))
    asyncio.run(held(store, [{"rounds": 2, "seconds": 9.0}] * 2, "s2", script="demo/b"))
    found = {one.key[0]: one.of_turns for one in asyncio.run(store.figures(by))}
    assert set(found) == set(keys)
    once = [each.waited_once for each in found.values() if each]
    assert (sum(once), sum(each.waited for each in found.values() if each)) == (1, 3)
    if len(keys) == 2:
        assert {each.p50 for each in found.values() if each} == {1.0, 9.0}


@pytest.mark.parametrize("by", ["model", "purpose", "turn"])
def test_where_a_turn_may_belong_to_several_its_sums_are_not_told(store: Store, by: By) -> None:
    async def run() -> tuple[Figures, ...]:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        await store.save_calls("s1", "one", loaded.epoch, [], [attempt(1)])
        await store.commit(worlds.turn("s1", 1, loaded.epoch, rounds=1))
        return await store.figures(by)

    (found,) = asyncio.run(run())
    assert found.of_turns is None


def test_since_when(store: Store) -> None:
    asyncio.run(held(store, [{"rounds": 1, "at": later(0)}, {"rounds": 3, "at": later(100)}]))
    found = of_turns(store, since=later(50))
    assert (found.turns, found.waited, found.waited_once) == (1, 1, 0)


def test_the_first_token_of_those_who_told_it_and_what_was_blocked(store: Store) -> None:
    made = [
        attempt(1, first_token=0.2, seconds=1.0),
        attempt(1, first_token=0.4, seconds=2.0, outcome="rejected", cause="check:diagnosis"),
        attempt(1, first_token=0.3, seconds=2.0, cause="cut:promise"),
        attempt(1, first_token=9.0, outcome="cancelled", cause="cancelled"),
        attempt(1, first_token=None, seconds=5.0, outcome="rejected", cause="checked"),
    ]

    async def run() -> Figures:
        await worlds.session(store)
        loaded = await worlds.start(store, "s1", say("k"))
        await store.save_calls("s1", "one", loaded.epoch, [], made)
        (found,) = await store.figures("model")
        return found

    found = asyncio.run(run())
    assert (found.first_p50, found.first_p95, found.first_p99) == (0.3, 0.4, 0.4)
    assert (found.p50, found.p99, found.blocked, found.rejected) == (2.0, 5.0, 2, 2)
