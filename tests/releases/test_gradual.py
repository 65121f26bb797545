"""A release that is tried by a share of the persons: sticky by person, beside the other, and halted by itself."""

from __future__ import annotations

from collections import Counter

from tests.releases.material import LIN, TALK, WEI, Member
from tests.server.material import API, Asked, Grounds, Visit, run

SCRIPT = "sleepy/sleep"
BAD = TALK.replace("昨晚睡了几个小时？", "请完整填写昨晚入睡、醒来、起床的时刻和做过的每一个梦。")
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
            assert await api.context.releases.watch(at_once=True) == [bad]
            served = (await wei.get(f"/projects/{project}/releases"))["served"]
            assert (served["release"], served["candidate"]) == (good, None)
            assert {await begun(api, await api.visit(SCRIPT)) for _ in range(10)} == {good}
            last = (await wei.get(f"/projects/{project}/releases/log"))["happened"][0]
            assert (last["what"], last["name"], last["release"]) == ("halted", "HeartRule", bad)
            assert last["detail"]["crossed"][0][0] == "completed"

    run(work())


def test_going_back_while_people_talk_loses_nothing(grounds: Grounds) -> None:
    import asyncio

    async def work() -> None:
        async with grounds.asgi() as api:
            project, _, _ = await two(api, 1.0)

            async def talk() -> int:
                visit = await api.visit(SCRIPT)
                turn = await api.turn(visit, type="start")
                for words in ("叫我小林", "7 个小时"):
                    turn = await api.turn(visit, text=words, after=turn["messages"][-1]["seq"])
                assert turn["session"]["status"] == "ended" if "session" in turn else True
                return len(await api.messages(visit))

            talks = [asyncio.create_task(talk()) for _ in range(20)]
            await asyncio.sleep(0.1)
            await Member(api, WEI).post(f"/projects/{project}/releases/back")
            counts = await asyncio.gather(*talks)
            assert set(counts) == {5}
            sessions = await api.context.sessions.recent()
            assert len([each for each in sessions if each.project == "sleepy" and each.status == "ended"]) == 20

    assert API
    run(work())
