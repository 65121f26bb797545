"""The canonical form of a session: equal when the conversations were, different when anything said was."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from tests.store import worlds
from tests.store.worlds import call, event, later, message, say, variable

from heartrule.store import Store


async def converse(store: Store, name: str, seconds: float = 0, **change: Any) -> dict[str, Any]:
    """One turn. ``seconds`` shifts all its times; ``change`` replaces parts of the commit."""
    await worlds.session(store, name, created_at=later(seconds))
    loaded = await worlds.start(store, name, say("k", "我睡不着", after=0), seconds)
    answer = call(1, attempts=[{"number": 1, "raw": "{}", "seconds": 0.1 + seconds}], at=later(seconds))
    await store.save_calls(name, "one", loaded.epoch, [answer])
    made = worlds.turn(
        name,
        1,
        loaded.epoch,
        seen=1,
        consumed=[1],
        state={"format": 1, "running": {"key": "t1", "started_at": later(seconds).isoformat(), "wait": None}},
        messages=[
            message(1, 1, "我睡不着", sender="person", action=None, inbox=1, at=later(seconds)),
            message(2, 1, "多久了？", at=later(seconds)),
        ],
        events=[event(1, 1, "variable", name="said", value="我睡不着", at=later(seconds).isoformat())],
        variables=[variable("said", "我睡不着", updated_at=later(seconds))],
        outcome={"request": {"kind": "message", "since": later(seconds).isoformat()}},
        wake_at=later(seconds + 60),
        at=later(seconds),
    )
    await store.commit(replace(made, **change))
    return await store.dump(name)


def test_times_names_and_leases_do_not_matter(store: Store) -> None:
    async def run() -> None:
        first = await converse(store, "first")
        second = await converse(store, "second", seconds=12345.6)
        await store.release("first", "one", 1)
        await store.claim("second", "another", later(99999), later(100000))
        assert await store.dump("second") == second == first

    asyncio.run(run())


@pytest.mark.parametrize(
    "change",
    [
        {"state": {"format": 2}},
        {"status": "interrupted"},
        {"ended": True},
        {"position": {"phase": "p2"}},
        {"outcome": {"request": {"kind": "choice"}}},
        {"messages": []},
        {"messages": [message(1, 1, "我睡得着")]},
        {"messages": [message(1, 1, "我睡不着", withheld=True)]},
        {"messages": [message(1, 1, "我睡不着", metadata={"x": 1})]},
        {"events": []},
        {"events": [event(1, 1, "round")]},
        {"events": [event(1, 1, "variable", name="said", value="别的")]},
        {"variables": []},
        {"variables": [variable("said", "别的")]},
        {"variables": [variable("said", "我睡不着", evidence=None)]},
        {"variables": [variable("said", "我睡不着", scope="global")]},
        {"consumed": []},
    ],
    ids=lambda change: next(iter(change)),
)
def test_everything_else_does(store: Store, change: dict[str, Any]) -> None:
    async def run() -> None:
        assert await converse(store, "first") != await converse(store, "second", **change)

    asyncio.run(run())


def test_what_waits_and_what_was_bought_matters(store: Store) -> None:
    async def run() -> None:
        first = await converse(store, "first")
        await converse(store, "second")
        await store.accept("second", say("k2"), later(5))
        assert await store.dump("second") != first
        await converse(store, "third")
        await store.save_calls("third", "one", 1, [call(2)])
        assert await store.dump("third") != first

    asyncio.run(run())


def test_the_order_of_calls_does_not_matter(store: Store) -> None:
    calls = [call(1, "reply"), call(1, "judge"), call(1, "reply", "q" * 64)]

    async def run() -> None:
        for name, saved in (("first", calls), ("second", calls[::-1])):
            await worlds.session(store, name)
            loaded = await worlds.start(store, name, say("k"))
            for number, one in enumerate(saved):
                await store.save_calls(name, "one", loaded.epoch, [replace(one, at=later(number))])
        assert await store.dump("first") == await store.dump("second")

    asyncio.run(run())


def test_the_parts_and_their_order(store: Store) -> None:
    async def run() -> None:
        made = await converse(store, "s1")
        parts = ["session", "state", "variables", "memories", "inbox", "messages", "turns", "events", "calls"]
        assert list(made) == parts
        assert made["session"] == {
            "project": "demo",
            "script": "demo/main",
            "bundle": "bundle-1",
            "locale": "zh",
            "status": "active",
            "seq": 1,
            "position": {"action": "a1", "phase": "p1", "topic": "t1"},
            "metadata": {"channel": "web"},
            "ended": False,
        }
        assert made["state"] == {"format": 1, "running": {"key": "t1", "wait": None}}
        assert made["inbox"] == [
            {
                "number": 1,
                "turn": 1,
                "key": "k",
                "kind": "message",
                "text": "我睡不着",
                "choice": None,
                "after": 0,
                "who": None,
            }
        ]
        assert made["turns"] == [{"seq": 1, "outcome": {"request": {"kind": "message"}}}]
        assert [one["text"] for one in made["messages"]] == ["我睡不着", "多久了？"]
        assert made["calls"][0]["attempts"] == [{"number": 1, "raw": "{}"}]

    asyncio.run(run())
