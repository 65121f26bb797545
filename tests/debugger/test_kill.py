"""Killed with -9 while held, while going back, while moving to another text: it comes back held at the same place."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.debugger import killed
from tests.server.material import run

from heartrule.debugger.service import Debugger
from heartrule.sessions import open_sessions

CASES = (("held", 2), ("held in a technique", 9), ("moving to another text", 10), ("going back", 11))


@pytest.mark.parametrize(("what", "number"), CASES, ids=[each[0] for each in CASES])
def test_it_comes_back_where_it_was(tmp_path: Path, what: str, number: int) -> None:
    command = [sys.executable, "-m", "tests.debugger.killed", str(tmp_path), str(number)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        lines = iter(child.stdout.readline, "")
        session = json.loads(next(lines))["id"]
        before: Any = None
        for line in lines:
            told = json.loads(line)
            if told.get("begins") == number and not what.startswith("held"):
                time.sleep(Random(number).random() * 0.02)
                break
            before = told.get("place", before)
            if told.get("done") == number:
                break
        child.kill()

    async def found() -> None:
        async with open_sessions(killed.settings(tmp_path)) as sessions:
            debugger = Debugger(sessions.store, sessions.library, sessions.model, sessions.clock)
            again = await debugger.session(session, killed.WHO)
            place = killed.place(again)
            if place != before:  # what was begun had been done
                assert "moving" in what or "going" in what
                assert again.head.branch != before["branch"]
                assert place["held"]
            assert place["said"][: len(before["said"])] == before["said"] or again.head.branch != before["branch"]
            for each in range(number, killed.LAST):
                if place == before or each > number:
                    await killed.step(again, debugger, each)
            assert killed.place(again)["stack"]

    run(found())
