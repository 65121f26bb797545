"""What a person takes back, over HTTP; and that frames of a stream tell nothing by their length."""

from __future__ import annotations

import json

from tests.server.material import Grounds, Json, problem, run, said, seen, until

from heartrule.server.events import FRAME

WORDS = "其实是因为我离婚了这件事"


def test_the_last_words_go_with_all_that_came_of_them(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as asked:
            assert (await asked.get("/api/v1/about")).json()["recall_seconds"] == 120
            visit, begun = await asked.begun()
            turn = await asked.turn(visit, text=WORDS, after=seen(begun))
            number = turn["messages"][0]["seq"]
            body = {"key": "take-back-1", "message": number}
            lent = (await asked.post(f"{visit.path}/recovery", token=visit.token)).json()["token"]
            problem(await asked.post(f"{visit.path}/recall", body, lent), "only-lent", 403)
            answer = await asked.post(f"{visit.path}/recall", body, visit.token)
            assert answer.status_code == 200, answer.text
            back: Json = answer.json()
            assert (back["recalled"], back["rewound"], back["messages"]) == ([number, number + 1], True, [])
            assert back["position"] == begun["position"]
            assert back["request"] == begun["request"]
            rows = await asked.messages(visit)
            assert [(row["content"], row["recalled"]) for row in rows[-2:]] == [("", True)] * 2
            assert WORDS not in json.dumps(rows, ensure_ascii=False)
            again = await asked.post(f"{visit.path}/recall", body, visit.token)
            assert again.json() == back
            problem(
                await asked.post(f"{visit.path}/recall", {**body, "key": "take-back-2"}, visit.token),
                "nothing-to-recall",
                409,
            )
            problem(await asked.post(f"{visit.path}/recall", body), "unauthorized", 401)
            other = await asked.visit()
            problem(await asked.post(f"{visit.path}/recall", body, other.token), "not-found", 404)
            nobody = {"key": "take-back-3", "message": 0}
            problem(await asked.post(f"{visit.path}/recall", nobody, visit.token), "invalid-request", 422)

    run(work())


def test_when_it_may_no_longer_be_rewound_the_words_go_alone(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi(recall_seconds=60) as asked:
            visit, begun = await asked.begun()
            turn = await asked.turn(visit, text=WORDS, after=seen(begun))
            grounds.clock.pass_(seconds=61)
            body = {"key": "take-back-1", "message": turn["messages"][0]["seq"]}
            back = (await asked.post(f"{visit.path}/recall", body, visit.token)).json()
            assert (back["recalled"], back["rewound"]) == ([turn["messages"][0]["seq"]], False)
            assert back["request"] == turn["request"]
            rows = await asked.messages(visit)
            assert said({"messages": rows}) == [""]
            assert rows[-1]["content"] == turn["messages"][-1]["content"]

    run(work())


def test_another_window_is_told(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as asked:
            visit, begun = await asked.begun()
            turn = await asked.turn(visit, text=WORDS, after=seen(begun))
            async with asked.events(visit) as stream:
                body = {"key": "take-back-1", "message": turn["messages"][0]["seq"]}
                await asked.post(f"{visit.path}/recall", body, visit.token)
                told = await until(stream)
                assert told[-1].data["recalled"] == [message["seq"] for message in turn["messages"]]
            async with asked.events(visit, 0) as stream:
                whole = [*await until(stream), *await until(stream), *await until(stream)]
                assert WORDS not in repr(whole)

    run(work())


def test_frames_tell_nothing_by_their_length(grounds: Grounds) -> None:
    async def lengths(words: str) -> list[int]:
        async with grounds.served() as asked:
            visit, begun = await asked.begun()
            await asked.turn(visit, text=words, after=seen(begun))
            path = f"{visit.path}/events?last_event_id=0"
            headers = {"Authorization": f"Bearer {visit.token}"}
            found, whole = list[int](), b""
            async with asked.client.stream("GET", path, headers=headers) as answer:
                async for piece in answer.aiter_raw():
                    whole += piece
                    if whole.count(b"event: turn.completed") == 2 and whole.endswith(b"\n\n"):
                        break
            for frame in whole.split(b"\n\n")[:-1]:
                found += [len(frame) + 2] if b"event: " in frame else []
            return found

    async def work() -> None:
        short, long = await lengths("嗯"), await lengths("说来话长，前一阵子家里出了一点事情，我一直睡不好")
        assert short == long
        assert {each % FRAME for each in short} == {0}

    run(work())
