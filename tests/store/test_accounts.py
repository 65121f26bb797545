"""Accounts, sign-ins, links and guesses: the same on both databases."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.store.worlds import NOW

from heartrule.store import Store
from heartrule.store.accounts import AccountRecord, NameTaken
from heartrule.store.canned_replies import CannedReply
from heartrule.store.links import Link
from heartrule.store.sign_ins import SignIn

WANG = AccountRecord("a1", "wang", "王老师", ("counsellor",), ("*",), "zh-CN", NOW, password="hash")


def test_a_name_belongs_to_one_account_however_it_is_written(store: Store) -> None:
    async def run() -> None:
        assert await store.accounts.add(WANG, first=True)
        assert not await store.accounts.add(replace(WANG, id="a2", name="li"), first=True)
        for name in ("Wang", " WANG", "ｗａｎｇ"):
            assert await store.accounts.named(name) == WANG
            with pytest.raises(NameTaken):
                await store.accounts.add(replace(WANG, id="a3", name=name))
        changed = await store.accounts.change("a1", lambda known: replace(known, disabled=True, recovery=("x",)))
        assert changed == await store.accounts.find("a1")
        assert await store.accounts.change("nobody", lambda known: known) is None
        assert [each.id for each in await store.accounts.all()] == ["a1"]

    asyncio.run(run())


def test_a_sign_in_is_found_by_its_token_and_ends(store: Store) -> None:
    async def run() -> None:
        await store.accounts.add(WANG)
        later = NOW + timedelta(hours=1)
        one, two = (SignIn(f"s{n}", "a1", NOW, NOW, later, "Firefox") for n in (1, 2))
        await store.sign_ins.begin(one, "token 1", "device", None)
        assert await store.sign_ins.of_token("token 1") == (one, WANG)
        await store.sign_ins.begin(two, "token 2", "device", "token 1")
        assert await store.sign_ins.of_token("token 1") is None
        assert await store.sign_ins.knows_device("device", "a1")
        assert not await store.sign_ins.knows_device("device", "a2")
        await store.sign_ins.seen("s2", later)
        assert await store.sign_ins.last_seen() == {"a1": later}
        assert not await store.sign_ins.end("a2", "s2")
        assert await store.sign_ins.end("a1", "s2")
        await store.sign_ins.begin(one, "token 3", "device", None)
        await store.sign_ins.end_all("a1")
        assert await store.sign_ins.of_account("a1") == ()
        assert not await store.sign_ins.knows_device("device", "a1")

    asyncio.run(run())


def test_a_link_opens_once_and_not_late(store: Store) -> None:
    async def run() -> None:
        until = NOW + timedelta(hours=1)
        await store.links.add(Link("first", None, until), "old", NOW)
        await store.links.add(Link("first", None, until), "new", NOW)
        assert await store.links.find("old", NOW) is None
        assert await store.links.use("new", until, lambda known: known, WANG) is None
        used = await asyncio.gather(*(store.links.use("new", NOW, lambda known: known, WANG) for _ in range(5)))
        assert [each for each in used if each is not None] == [WANG]
        await store.links.add(Link("reset", "a1", until), "reset", NOW)
        done = await store.links.use("reset", NOW, lambda known: replace(known, password="other"), None)
        assert done is not None
        assert done.password == "other"

    asyncio.run(run())


def test_guesses_that_come_at_once_are_all_counted(store: Store) -> None:
    async def run() -> None:
        def delay(failures: int) -> timedelta:
            return timedelta(seconds=60 if failures >= 3 else 0)

        waits = await asyncio.gather(*(store.guesses.begin("wang", "here", NOW, delay) for _ in range(10)))
        assert sum(1 for wait in waits if not wait) == 3
        assert await store.guesses.begin("wang", "there", NOW, delay) == timedelta(0)
        await store.guesses.right("wang", "here")
        assert await store.guesses.begin("wang", "here", NOW, delay) == timedelta(0)
        await store.guesses.take_back("wang", "here", NOW)

    asyncio.run(run())


def test_replies_are_kept_and_changed(store: Store) -> None:
    async def run() -> None:
        reply = CannedReply("c1", "a1", "问好", "你好", "zh-CN", shared=False)
        await store.canned_replies.put(reply, lambda _: None)
        await store.canned_replies.put(replace(reply, text="您好"), lambda _: None)
        assert await store.canned_replies.all() == (replace(reply, text="您好"),)
        await store.canned_replies.remove("c1")
        assert await store.canned_replies.find("c1") is None

    asyncio.run(run())
