"""Replies that a person reports: kept once, theirs to see, and gone with the words that they are about."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.material import Asked, Grounds, Json, Visit, problem, run, seen

WORDS = "它根本没有在听我说离婚的事"


async def report(api: Asked, visit: Visit, token: str | None = None, **body: Any) -> Any:
    given = {"reason": "not_heard", **body}
    return await api.post(f"{visit.path}/reports", given, token or visit.token)


async def reported(api: Asked, visit: Visit) -> list[Json]:
    answer = await api.get(f"{visit.path}/reports", visit.token)
    assert answer.status_code == 200, answer.text
    found: list[Json] = answer.json()["reports"]
    return found


def reply_of(turn: Json) -> int:
    return next(int(each["seq"]) for each in turn["messages"] if each["sender"] == "ai")


def test_a_reply_is_reported_once(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, begun = await api.begun()
            number = reply_of(begun)
            assert await reported(api, visit) == []
            first = await report(api, visit, message=number, text=WORDS)
            assert first.status_code == 201, first.text
            told = first.json()
            assert (told["message"], told["reason"], told["text"], told["new"]) == (number, "not_heard", WORDS, True)
            again = await report(api, visit, message=number, reason="unsafe")
            assert again.status_code == 200
            assert again.json() == {**told, "new": False}
            assert await reported(api, visit) == [{**told, "new": False}]
            assert (await api.session(visit))["turn"] == 1  # the conversation goes on as it was

    run(work())


def test_nothing_but_a_reply_of_ones_own_session_can_be_reported(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, begun = await api.begun()
            turn = await api.turn(visit, text="我叫小李", after=seen(begun))
            own = next(each["seq"] for each in turn["messages"] if each["sender"] == "person")
            for number in (own, 999):
                problem(await report(api, visit, message=number), "no-such-reply", 409)
            other = await api.visit()
            number = reply_of(begun)
            problem(await report(api, visit, other.token, message=number), "not-found", 404)
            path = f"{visit.path}/reports"
            problem(await api.post(path, {"message": number, "reason": "other"}), "unauthorized", 401)
            for wrong in ({"message": 0}, {"reason": "bored"}, {"text": ""}, {"text": "a" * 2001}, {"more": 1}):
                problem(await report(api, visit, **{"message": number, **wrong}), "invalid-request", 422)
            assert await reported(api, visit) == []

    run(work())


def test_a_session_that_is_over_can_be_reported_too(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit = await api.visit()
            turns = await api.whole(visit)
            number = reply_of(turns[0])
            assert (await report(api, visit, message=number)).status_code == 201

    run(work())


def test_a_report_goes_with_the_words_and_with_the_session(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            visit, begun = await api.begun()
            turn = await api.turn(visit, text="其实是因为我离婚了这件事", after=seen(begun))
            assert (await report(api, visit, message=reply_of(begun), text=WORDS)).status_code == 201
            assert (await report(api, visit, message=reply_of(turn), text=WORDS)).status_code == 201
            back = {"key": "take-back-1", "message": turn["messages"][0]["seq"]}
            assert (await api.post(f"{visit.path}/recall", back, visit.token)).status_code == 200
            assert [each["message"] for each in await reported(api, visit)] == [reply_of(begun)]
            problem(await report(api, visit, message=reply_of(turn)), "no-such-reply", 409)
            removed = await api.client.delete(visit.path, headers={"Authorization": f"Bearer {visit.token}"})
            assert removed.status_code == 204
            problem(await api.get(f"{visit.path}/reports", visit.token), "not-found", 404)

    run(work())


def test_no_word_of_a_report_is_logged(grounds: Grounds, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)

    async def work() -> None:
        async with grounds.asgi() as api:
            visit, begun = await api.begun()
            await report(api, visit, message=reply_of(begun), text=WORDS)
            problem(await report(api, visit, message=reply_of(begun), text=WORDS, more=WORDS), "invalid-request", 422)
            problem(await report(api, visit, message=999, text=WORDS), "no-such-reply", 409)

    run(work())
    assert WORDS not in caplog.text
    assert "离婚" not in "".join(str(record.__dict__) for record in caplog.records)
