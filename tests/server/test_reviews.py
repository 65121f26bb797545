"""Replies that counsellors judge: which wait, what is seen of one, what is said of it, and what is counted."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.server.material import Asked, Grounds, Json, Visit, problem, run, seen
from tests.server.test_desk import DESK, ELSEWHERE, LI, WANG, deeds, desk
from tests.server.test_reports import WORDS, reply_of, report

from heartrule.server import review_metrics
from heartrule.server.masking import VEIL, veiled
from heartrule.server.review_metrics import Sums
from heartrule.server.tokens import Staff
from heartrule.store.judgements import Judgements

SAID = "我的电话是 138-0013-8000，邮箱 ming@example.org"


async def queue(api: Asked, staff: Staff = WANG) -> list[Json]:
    answer = await desk(api, "GET", "/reviews", staff=staff)
    assert answer.status_code == 200, answer.text
    found: list[Json] = answer.json()["replies"]
    return found


def one(visit: Visit, number: int) -> str:
    return f"/sessions/{visit.id}/reviews/{number}"


async def judge(api: Asked, visit: Visit, number: int, staff: Staff = WANG, **body: Any) -> Any:
    return await desk(api, "PUT", one(visit, number), body, staff)


def test_no_token_of_a_visitor_opens_a_review(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, begun = await api.begun()
            number = reply_of(begun)
            path = f"{DESK}{one(visit, number)}"
            for token in (visit.token, visit.person_token):
                sent = {"Authorization": f"Bearer {token}"}
                for method, where in (("GET", f"{DESK}/reviews"), ("GET", path), ("PUT", path)):
                    body = {"json": {"verdict": "fitting"}} if method == "PUT" else {}
                    problem(await api.client.request(method, where, headers=sent, **body), "not-staff", 403)
            problem(await desk(api, "GET", one(visit, number), staff=ELSEWHERE), "not-found", 404)
            problem(await judge(api, visit, number, ELSEWHERE, verdict="fitting"), "not-found", 404)
            assert await deeds(api, visit) == []

    run(work())


def test_a_reported_reply_is_judged(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, begun = await api.begun()
            turn = await api.turn(visit, text=SAID, after=seen(begun))
            number = reply_of(turn)
            assert await queue(api) == []
            await report(api, visit, message=number, reason="hurtful", text=WORDS)
            (item,) = await queue(api)
            assert WORDS not in str(item)
            told = {name: item[name] for name in ("session", "message", "cause", "reason", "name")}
            assert told == {
                "session": visit.id,
                "message": number,
                "cause": "reported",
                "reason": "hurtful",
                "name": "小谈",
            }
            assert await queue(api, LI) == [item]
            assert await queue(api, ELSEWHERE) == []
            assert await deeds(api, visit) == []  # the list shows no word, so that it is no reading
            opened = (await desk(api, "GET", one(visit, number))).json()
            assert opened["report"]["text"] == WORDS
            assert opened["review"] is None
            assert [each["seq"] for each in opened["context"]] == list(range(1, seen(turn) + 1))
            shown = next(each["content"] for each in opened["context"] if each["sender"] == "person")
            assert shown == f"我的电话是 {VEIL}，邮箱 {VEIL}"
            answer = await judge(api, visit, number, LI, verdict="unsuitable", category="hurtful", note="太冷淡")
            assert answer.status_code == 200, answer.text
            assert answer.json()["by"] == "Dr. Li"
            assert await queue(api) == []
            again = (await desk(api, "GET", one(visit, number))).json()
            assert (again["review"]["verdict"], again["review"]["note"]) == ("unsuitable", "太冷淡")
            assert [what for _, _, what in await deeds(api, visit)] == ["read", "review", "read"]
            # Nothing of it reaches the visitor.
            assert "太冷淡" not in (await api.get(f"{visit.path}/reports", visit.token)).text

    run(work())


def test_what_is_no_reply_cannot_be_judged(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, begun = await api.begun()
            for number in (998, 999):
                problem(await desk(api, "GET", one(visit, number)), "no-such-reply", 409)
                problem(await judge(api, visit, number, verdict="fitting"), "no-such-reply", 409)
            number = reply_of(begun)
            for wrong in ({}, {"verdict": "fine"}, {"verdict": "fitting", "note": ""}, {"verdict": "harmful", "x": 1}):
                problem(await judge(api, visit, number, **wrong), "invalid-request", 422)
            nobody = Visit("0" * 32, "")
            problem(await judge(api, nobody, number, verdict="fitting"), "not-found", 404)

    run(work())


def test_a_sample_is_drawn_where_the_settings_say_so(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(review_share=1) as api:
            visit, begun = await api.begun()
            turn = await api.turn(visit, text="你好", after=seen(begun))
            assert {each["cause"] for each in await queue(api)} == {"sampled"}
            numbers = sorted(each["seq"] for each in [*begun["messages"], *turn["messages"]] if each["sender"] == "ai")
            assert [each["message"] for each in await queue(api)] == numbers[::-1]
            await judge(api, visit, numbers[-1], verdict="fitting")
            await report(api, visit, message=numbers[0])
            left = [(numbers[0], "reported"), *((each, "sampled") for each in numbers[-2:0:-1])]
            assert [(each["message"], each["cause"]) for each in await queue(api)] == left
        async with grounds.asgi() as api:
            assert (await desk(api, "GET", "/reviews")).json()["share"] == 0

    run(work())


def gauges(text: str) -> dict[str, float]:
    return {
        sample.name.removeprefix("heartrule_replies_"): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name.startswith("heartrule_replies_") and sample.labels == {"script": "tests/small"}
    }


def test_a_database_is_summed_for_a_hundredth_of_the_time_at_most() -> None:
    clock, summed = [0.0], list[float]()

    async def sums() -> tuple[Judgements, ...]:
        summed.append(clock[0])
        clock[0] += 0.5
        return (Judgements("demo/main", 4, len(summed)),)

    async def work() -> None:
        told = Sums(lambda: clock[0])
        for _ in range(1000):
            text = (await told.text(sums)).decode()
            assert f'heartrule_replies_reported{{script="demo/main"}} {len(summed)}.0' in text
            clock[0] += 0.25

    run(work())
    assert [later - sooner for sooner, later in pairwise(summed)] == [50.5] * 4


def test_rates_are_metrics_without_a_word(grounds: Grounds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_metrics, "KEPT", 0)

    async def work() -> None:
        async with grounds.asgi() as api:
            visit, begun = await api.begun()
            assert gauges((await api.get("/metrics")).text) == {
                **dict.fromkeys(("reported", "reviewed", "unsuitable", "harmful", "sampled", "reported_share"), 0.0)
            }
            turn = await api.turn(visit, text="你好", after=seen(begun))
            await report(api, visit, message=reply_of(begun), text=WORDS)
            await judge(api, visit, reply_of(begun), verdict="harmful", note=WORDS)
            await judge(api, visit, reply_of(turn), verdict="fitting")
            text = (await api.get("/metrics")).text
            told = gauges(text)
            assert told["reported_share"] == 0.5
            assert told["unsuitable_share"] == 0.0  # of the sample
            counts = [told[name] for name in ("reported", "reviewed", "unsuitable", "harmful", "sampled")]
            assert counts == [1, 2, 1, 1, 1]
            assert visit.id not in text
            assert WORDS not in text

            async def away(*_: Any) -> None:
                raise OSError("the database is away")

            monkeypatch.setattr(api.context.sessions.store, "judgements", away)
            left = await api.get("/metrics")
            assert left.status_code == 200
            assert gauges(left.text) == {}
            assert "heartrule_turns_total" in left.text

    run(work())


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("打 13800138000 找我", "打 ••• 找我"),
        ("+86 (138) 0013-8000", "•••"),
        ("身份证 11010519491231002X。", "身份证 •••。"),
        ("a.b+c@mail.example.org 在用", "••• 在用"),
        ("看 https://example.org/x?y=1 吧", "看 ••• 吧"),
        ("我 2024 年，PHQ-9 得了 17 分，0 到 10 打 3", "我 2024 年，PHQ-9 得了 17 分，0 到 10 打 3"),
    ],
)
def test_what_finds_somebody_is_covered_and_nothing_else(said: str, shown: str) -> None:
    assert veiled(said) == shown
