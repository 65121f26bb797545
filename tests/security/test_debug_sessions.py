"""Debug sessions in the hands of somebody who means ill: files that were never given out, sessions that are closed."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.debugger.material import DEBUG, FILES, debugging
from tests.server.material import Json, problem, run

Change = Callable[[Json], Any]
NAMED = {"name": "n", "move": 77, "passed": None, "text": "zz", "at": "2026-01-01T00:00:00+00:00"}
FORGED: dict[str, Change] = {
    "a branch that stands nowhere": lambda file: file["head"]["branches"][0].update(leaf=99),
    "a move under way that is not there": lambda file: file["head"]["branches"][0].update(open=99),
    "no branch": lambda file: file["head"].update(branch="none"),
    "a branch that is no number": lambda file: file["head"]["branches"].append(
        {**file["head"]["branches"][0], "name": "x"}
    ),
    "a name for nothing": lambda file: file["head"].update(named=[NAMED]),
    "a log of something else": lambda file: file["head"].update(log=[{"a": 1}]),
    "a queue of something else": lambda file: file["head"].update(queue=[{"z": 1}]),
    "no zone": lambda file: file["head"].update(virtual="2026-01-01T00:00:00"),
    "a number that was": lambda file: file["head"].update(next=1),
    "a step of no kind": lambda file: file["head"].update(stepping=["fly", 1, 2]),
    "a version of nothing": lambda file: file["head"].update(version=None),
    "a classifier of no name": lambda file: file["head"].update(classifiers={"own_danger": 7}),
    "a name of another type": lambda file: file["head"].update(name=[7]),
    "another text": lambda file: file["moves"][-1].update(text="zz"),
    "a ring": lambda file: file["moves"][0].update(parent=file["moves"][-1]["number"]),
    "a move behind nothing": lambda file: file["moves"][-1].update(parent=50),
    "a move twice": lambda file: file["moves"].append(file["moves"][0]),
    "an input of no kind": lambda file: file["moves"][-1]["given"].update(kind="fly"),
    "no head": lambda file: file.update(head=[]),
    "files of nothing": lambda file: file.update(texts={name: {"a": None} for name in file["texts"]}),
}


def test_a_forged_file_is_no_session_and_no_fault(tmp_path: Path) -> None:
    async def work() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make()
            await desk.say("Lin")
            file = await desk.get("file")
            told = {}
            for name, change in FORGED.items():
                forged = copy.deepcopy(file)
                change(forged)
                answer = await desk.api.post(f"{DEBUG}/import", {"file": forged}, desk.token)
                told[name] = (answer.status_code, answer.json().get("code"))
            assert {name: found for name, found in told.items() if found != (422, "debug-not-shared")} == {}
            whole = await desk.api.post(f"{DEBUG}/import", {"file": file}, desk.token)
            assert whole.status_code == 201, "and what was given out is one still"

    run(work())


CLOSED: dict[str, tuple[str, Any]] = {
    "go": ("POST", {"go": "run"}),
    "to-here": ("POST", {"file": "talk.yaml", "line": 9}),
    "restart": ("POST", {}),
    "say": ("POST", {"type": "message", "text": "Lin"}),
    "forward": ("POST", {"seconds": 60}),
    "visit": ("POST", {"persona": "cooperative", "moves": 1}),
    "answering": ("PUT", {"by": "none"}),
    "answer": ("POST", {"key": "x", "words": "{}"}),
    "variables": ("PUT", {"name": "名字", "value": "Lin"}),
    "named": ("POST", {"name": "here"}),
    "back": ("POST", {"move": 0}),
    "branch": ("POST", {"branch": "1"}),
    "text": ("POST", {"texts": FILES}),
    "play": ("POST", {}),
}


def test_what_is_closed_takes_nothing_more(tmp_path: Path) -> None:
    async def work() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make()
            await desk.say("Lin")
            await desk.do("close")
            before = await desk.get("file")
            sent = {"Authorization": f"Bearer {desk.token}"}
            for what, (method, body) in CLOSED.items():
                answer = await desk.api.client.request(method, f"{desk.path}/{what}", json=body, headers=sent)
                problem(answer, "debug-closed", 409)
            assert await desk.get("file") == before

    run(work())


@pytest.mark.parametrize("what", ["", "snapshots", "history", "outline", "variables", "texts", "calls"])
def test_it_can_be_looked_at_all_the_same(tmp_path: Path, what: str) -> None:
    async def work() -> None:
        async with debugging(tmp_path) as desk:
            await desk.make()
            await desk.do("close")
            await desk.get(what)

    run(work())
