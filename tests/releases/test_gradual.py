"""A release that is tried by a share of the persons: sticky by person, beside the other, halted by itself, and taken
back.

``HEARTRULE_ROLLBACK=50x20`` (``make rollback``): conversations begun a second, and seconds, for the long form."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from typing import Any

from tests.releases.material import LIN, TALK, WEI, Member
from tests.server.material import Asked, Grounds, Visit, run

SCRIPT = "sleepy/sleep"
RATE, SECONDS = (float(each) for each in os.environ.get("HEARTRULE_ROLLBACK", "50x1").split("x"))
DREAMS = "请完整填写昨晚入睡、醒来、起床的时刻和做过的每一个梦。"
BAD = TALK.replace("昨晚睡了几个小时？", DREAMS)
EASY = {"least": 8, "completed": 0.2, "noticed": None, "faulty": None, "reported": None, "unsuitable": None}


async def two(api: Asked, share: float, limits: dict[str, float | None] | None = None) -> tuple[str, str, str]:
    """A project with a published release and one that is tried."""
    lin, wei = Member(api, LIN), Member(api, WEI)
    project = await lin.project()
    good = await lin.ready(project)
    await wei.post(f"/releases/{good}/publish")
    await lin.save(project, {"talk.yaml": BAD})
    bad = await lin.ready(project)
    body = {"share": share, **({"limits": limits} if limits else {})}
    await wei.post(f"/releases/{bad}/publish", body)
    return project, good, bad


async def begun(api: Asked, visit: Visit) -> str | None:
    return (await api.context.sessions.session(visit.id)).release


def test_a_share_of_the_persons_each_of_whom_stays_where_they_are(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            project, good, bad = await two(api, 0.4)
            visits = [await api.visit(SCRIPT) for _ in range(30)]
            first = [await begun(api, each) for each in visits]
            assert set(first) == {good, bad}
            assert 2 <= Counter(first)[bad] <= 28
            again = [await begun(api, await api.visit(SCRIPT, each.person_token)) for each in visits]
            assert again == first
            await Member(api, WEI).post(f"/projects/{project}/releases/share", {"share": 0.7})
            more = [await begun(api, await api.visit(SCRIPT, each.person_token)) for each in visits]
            assert all(new == bad for old, new in zip(first, more, strict=True) if old == bad)
            assert Counter(more)[bad] >= Counter(first)[bad]
            whole = await Member(api, WEI).post(f"/projects/{project}/releases/share", {"share": 1})
            assert (whole["release"], whole["former"], whole["candidate"]) == (bad, good, None)

    run(work())


def test_a_bad_version_halts_by_itself(grounds: Grounds) -> None:
    """Half the persons meet a question that nobody answers: they leave. Nothing else tells the two apart."""

    async def work() -> None:
        async with grounds.asgi() as api:
            project, good, bad = await two(api, 0.5, EASY)
            for _ in range(30):
                visit = await api.visit(SCRIPT)
                turn = await api.turn(visit, type="start")
                turn = await api.turn(visit, text="叫我小林", after=turn["messages"][-1]["seq"])
                if await begun(api, visit) == good:
                    await api.turn(visit, text="7 个小时", after=turn["messages"][-1]["seq"])
            assert await api.context.releases.watch(at_once=True) == []  # nobody has been away for long
            grounds.clock.pass_(minutes=31)
            lin, wei = Member(api, LIN), Member(api, WEI)
            figures = await lin.get(f"/projects/{project}/releases/figures")
            assert (figures["release"]["completed"], figures["candidate"]["completed"]) == (1.0, 0.0)
            assert figures["candidate"]["left"] == {"hours": figures["candidate"]["decided"]}
            assert [each["what"] for each in figures["crossed"]] == ["completed"]
            watch = api.context.releases.watch  # two look at once, and the server's own may have been before them
            both = await asyncio.gather(watch(at_once=True), watch(at_once=True))
            assert [each for found in both for each in found] in ([bad], [])
            served = (await wei.get(f"/projects/{project}/releases"))["served"]
            assert (served["release"], served["candidate"]) == (good, None)
            assert {await begun(api, await api.visit(SCRIPT)) for _ in range(10)} == {good}
            last = (await wei.get(f"/projects/{project}/releases/log"))["happened"][0]
            assert (last["what"], last["name"], last["release"]) == ("halted", "HeartRule", bad)
            assert last["detail"]["crossed"][0][0] == "completed"

    run(work())


def test_going_back_while_people_talk_loses_nothing(grounds: Grounds) -> None:
    """New persons come all the time; at half of it the release is taken back. Whatever was answered is in the records,
    every conversation comes to its end in the release that it began with, and whoever comes afterwards has the former
    one."""

    async def work() -> None:
        async with grounds.asgi() as api:
            project, good, bad = await two(api, 1.0)
            loop = asyncio.get_running_loop()
            back = asyncio.Event()

            async def talk() -> tuple[Visit, list[Any], bool]:
                after = back.is_set()
                visit = await api.visit(SCRIPT)
                turn = await api.turn(visit, type="start")
                heard = turn["messages"]
                for words in ("叫我小林", "7 个小时"):
                    turn = await api.turn(visit, text=words, after=turn["messages"][-1]["seq"])
                    heard = [*heard, *turn["messages"]]
                return visit, heard, after

            async def take_back() -> float:
                began = loop.time()
                await Member(api, WEI).post(f"/projects/{project}/releases/back")
                back.set()
                return loop.time() - began

            began, talks, taken = loop.time(), [], None
            for number in range(int(RATE * SECONDS)):
                await asyncio.sleep(max(0.0, began + number / RATE - loop.time()))
                talks.append(asyncio.create_task(talk()))
                if taken is None and number >= RATE * SECONDS / 2:
                    taken = asyncio.create_task(take_back())
            done = await asyncio.gather(*talks)
            took, whole = loop.time() - began, Counter[str | None]()
            assert taken is not None
            assert await taken <= 5.0
            for visit, heard, after in done:
                release = await begun(api, visit)
                whole[release] += 1
                assert release == good if after else release in (good, bad)
                kept = {each["seq"]: each for each in await api.messages(visit)}
                assert [kept[each["seq"]]["content"] for each in heard] == [each["content"] for each in heard]
                assert len(kept) == 5
                assert any(DREAMS in each["content"] for each in heard) == (release == bad), "each in its own release"
                assert (await api.context.sessions.session(visit.id)).status == "ended"
            assert min(whole[good], whole[bad]) > 0
            sys.stdout.write(
                f"\n{len(done)} conversations, {RATE:g} begun a second, over after {took:.1f} s: {whole[bad]} in the "
                f"release that was taken back, {whole[good]} in the former one; going back took {await taken:.2f} s\n"
            )

    run(work(), 60 + 20 * SECONDS)
