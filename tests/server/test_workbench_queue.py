"""What takes an author a minute keeps nobody waiting who types."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from tests.server.material import Grounds, run
from tests.server.test_workbench import WEI, Author

from heartrule.server.workbench import project_runs
from heartrule.workbench.project_tests import ProjectTestRun


def test_runs_of_tests_keep_no_question_waiting(grounds: Grounds, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, over, side_by_side = threading.Semaphore(0), threading.Event(), []

    def held(*_: Any) -> ProjectTestRun:
        side_by_side.append(1)
        begun.release()
        over.wait(30)
        return ProjectTestRun((), {}, frozenset(), 0)

    async def work() -> None:
        async with grounds.asgi() as api:
            lin, wei = Author(api), Author(api, WEI)
            hers, his = await lin.made(), await wei.made()
            runs = [asyncio.create_task(lin.post(f"/projects/{hers['id']}/tests")) for _ in range(4)]
            try:
                await asyncio.to_thread(begun.acquire)
                for author, project in ((wei, his), (lin, hers)):
                    assert (await author.post(f"/projects/{project['id']}/findings"))["findings"] == []
                assert len(side_by_side) == 1
            finally:
                over.set()
            assert [each["failed"] for each in await asyncio.gather(*runs)] == [0] * 4

    monkeypatch.setattr(project_runs, "run_project_tests", held)
    run(work())
