"""Our side of the comparison against a real server of its own process, with the stub as its model."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from bench.intake import anatomy, judged
from bench.intake.conversation import conversation
from bench.intake.measure import Run, megabytes, middle, one_by_one, slowest, stub, together
from bench.intake.sides import Ours
from bench.over_http import server

LATENCY = 0.05


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, int]]:
    """The stub's address, the server's, and its process."""
    folder = tmp_path_factory.mktemp("served")
    with stub(LATENCY) as url, server(folder / "data", judged.project(folder / "project"), url) as (address, pid):
        yield url, address, pid


def test_every_turn_is_counted_with_its_calls(running: tuple[str, str, int]) -> None:
    url, address, pid = running

    async def run() -> Run:
        async with Ours.at(address, pid) as ours:
            return await one_by_one(ours, url, 1)

    found = asyncio.run(run())
    assert len(found.turns) == 12
    assert len(found.waits) == 6
    assert all(turn.calls >= 2 and turn.rounds >= 1 for turn in found.turns)
    assert all(turn.seconds >= LATENCY * turn.rounds for turn in found.turns)
    assert all(turn.prompt > 500 and turn.output > 10 for turn in found.turns)
    assert all(turn.discounted < turn.prompt for turn in found.turns[1:6])
    assert found.turns[0].discounted == found.turns[0].prompt, "nothing repeats in a conversation's first turn"
    assert middle(found.waits) <= slowest(found.waits)
    assert found.memory > 50
    assert found.processor > 0.001


def test_what_is_read_first_is_told_by_events(running: tuple[str, str, int]) -> None:
    _, address, pid = running

    async def run() -> Run:
        async with Ours.at(address, pid, judged.SCRIPT, events=True) as ours:
            return await together(ours, 2)

    found = asyncio.run(run())
    assert len(found.waits) == 12
    assert all(LATENCY <= first <= wait for first, wait in zip(found.firsts, found.waits, strict=True))


def test_the_session_took_everything_down(running: tuple[str, str, int]) -> None:
    _, address, pid = running

    async def run() -> Any:
        async with Ours.at(address, pid) as ours, httpx2.AsyncClient(base_url=f"{address}/api/v1") as http:
            talk = await ours.begun()
            for answer in conversation().answers:
                await talk.say(answer.says)
            session, headers = f"/sessions/{talk.session}", {"Authorization": f"Bearer {talk.token}"}
            shown = (await http.get(f"{session}/messages", headers=headers)).json()["messages"]
            return (await http.get(session, headers=headers)).json(), [each["content"] for each in shown]

    session, shown = asyncio.run(run())
    assert session["status"] == "ended"
    for answer in conversation().answers:
        assert answer.says in shown
        assert any(answer.reply in text for text in shown)


@pytest.mark.parametrize("events", [False, True])
def test_a_turn_in_which_the_model_was_not_heard_counts_for_nothing(
    running: tuple[str, str, int], monkeypatch: pytest.MonkeyPatch, events: bool
) -> None:
    _, address, pid = running
    answers = [replace(each, reply="别的话") for each in conversation().answers]
    monkeypatch.setattr("bench.intake.sides.conversation", lambda: replace(conversation(), answers=answers))

    async def run() -> None:
        async with Ours.at(address, pid, events=events) as ours:
            talk = await ours.begun()
            await talk.say(answers[0].says)

    with pytest.raises(SystemExit, match="the model's words are missing"):
        asyncio.run(run())


def test_the_anatomy_tells_each_call(running: tuple[str, str, int], capsys: pytest.CaptureFixture[str]) -> None:
    url, address, pid = running
    anatomy.told(asyncio.run(anatomy.held(address, pid, url)), 3)
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("turn ")] == [f"turn {number}" for number in range(2, 8)]
    assert sum(line.startswith("  in all ") for line in lines) == 6
    assert any(conversation().answers[1].says in line for line in lines), "turn 3 is told word by word"


def test_memory_of_a_process_is_looked_up(running: tuple[str, str, int], tmp_path: Path) -> None:
    assert 20 < megabytes(None) < 2000
    assert 20 < megabytes(running[2]) < 1000
