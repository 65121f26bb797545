"""The first assessment, held to its end with its form and its report, words taken back on the way: its
stream of events, broken off after every one of them, is the same to the byte."""

from __future__ import annotations

import json
from contextlib import aclosing

import pytest
from tests.browser.answers import Answers, entered
from tests.server.material import Asked, Grounds, Json, Visit, headers, run, seen

from heartrule.server import live

SCRIPT = "cbt/first_assessment"
UNSAID = "这一句其实我并不想说出来"
TURNS = 45
"""At the least."""


async def held(api: Asked) -> Visit:
    """To its end; the answer to one question is taken back at once and given anew."""
    visit, turn = await api.begun(script=SCRIPT)
    answers, taken_back, last = Answers(SCRIPT), False, seen(turn)
    while turn["execution_status"] != "completed":
        kind, words = answers.next(turn)
        if turn["position"]["action"]["id"] == "trouble" and not taken_back:
            said = await api.turn(visit, text=UNSAID, after=seen(turn))
            wish = {"key": "take-back-1", "message": said["messages"][0]["seq"]}
            answer = await api.post(f"{visit.path}/recall", wish, visit.token)
            taken_back = answer.json()["rewound"]
            assert taken_back
            last = said["messages"][-1]["seq"]
        body = {"key": f"answer-{turn['turn']['seq']:05}", "after": last}
        body["input"] = entered(turn, answers, kind, words)
        answer = await api.post(f"{visit.path}/turns", body, visit.token)
        assert answer.status_code == 200, answer.text
        turn = answer.json()
        last = max(last, seen(turn))
    assert taken_back
    assert turn["turn"]["seq"] >= TURNS
    return visit


Told = list[tuple[int, bytes]]
"""Frames of events, byte for byte, with the ids of the events."""


async def heard(api: Asked, visit: Visit, last: int, until: int, most: int = 10**6) -> Told:
    """What comes after ``last`` up to event ``until``, before the stream breaks off after ``most`` frames."""
    found: Told = []
    context = api.context
    async with context.sessions.watch(visit.id) as watch, aclosing(context.live.follow(watch, last, "zh")) as coming:
        async for frame in coming:
            if (number := number_of(frame)) is not None:
                found.append((number, frame))
                if number >= until or len(found) >= most:
                    break
    return found


async def over_http(api: Asked, visit: Visit, last: int, until: int) -> bytes:
    """The same, as bytes of an answer."""
    whole = b""
    more = headers(visit.token, {"Last-Event-ID": str(last)})
    async with api.client.stream("GET", f"{visit.path}/events", headers=more) as answer:
        async for piece in answer.aiter_raw():
            whole += piece
            if f"\nid: {until}\n".encode() in whole and whole.endswith(b"\n\n"):
                break
    return whole


def number_of(frame: bytes) -> int | None:
    ids = [line for line in frame.split(b"\n") if line.startswith(b"id: ")]
    return int(ids[0].removeprefix(b"id: ")) if ids else None


def spoken(whole: Told) -> list[Json]:
    found = list[Json]()
    for _, frame in whole:
        fields = dict(line.split(": ", 1) for line in frame.decode().split("\n") if ": " in line and line[0] != ":")
        if fields["event"] == "message.completed":
            found.append(json.loads(fields["data"]))
    return found


def test_a_recorded_assessment_is_the_same_however_its_stream_is_cut(
    grounds: Grounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "AT_ONCE", 2)  # so that it is read in parts as well, and no more than is heard

    async def work() -> None:
        async with grounds.served() as api:
            visit = await held(api)
            end = (await api.session(visit))["last_event_id"]
            whole = await heard(api, visit, 0, end)
            told = b"".join(frame for _, frame in whole)
            for sign in ("PHQ-9", "会谈报告", '"recalled":[', '"form":{', "choice.requested"):
                assert sign.encode() in told, sign
            assert UNSAID.encode() not in told
            numbers = [number for number, _ in whole]
            assert numbers == sorted(set(numbers))
            # broken off after every event, and gone on from the last that was heard
            cut: Told = []
            while len(cut) < len(whole):
                cut += await heard(api, visit, cut[-1][0] if cut else 0, end, most=1)
            assert cut == whole
            # gone on from one that lies further back, as who lost the last frames does: what is told twice is the same
            for place in range(0, len(whole) - 1, 37):
                late = whole[max(0, place - 5)][0]
                again = await heard(api, visit, late, end, most=12)
                known = dict(whole)
                assert [known[number] for number, _ in again] == [frame for _, frame in again]
                kept = [each for each in again if each[0] > whole[place][0]]
                assert kept == whole[place + 1 : place + 1 + len(kept)]
            # the same number twice, and over HTTP
            half = len(numbers) // 2
            for place in (half, half, len(numbers) - 2):
                rest = b"".join(frame for _, frame in whole[place + 1 :])
                assert (await over_http(api, visit, numbers[place], end)).partition(b"\n\n")[2] == rest
            assert await api.messages(visit) == spoken(whole)

    run(work())
