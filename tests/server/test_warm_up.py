"""The first turn after a start costs what the next ones do."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FIRST = """
import asyncio, json, sys, time
from pathlib import Path
from heartrule.llm.model import Model
from heartrule.server.app import build
from heartrule.server.settings import ServerSettings
from heartrule.sessions import Settings
from heartrule.store.records import Entry

async def held():
    app = build(Settings(data=Path(sys.argv[1]), model=Model(), synchronous="OFF"), ServerSettings())
    async with app.router.lifespan_context(app):
        sessions = app.state.context.sessions
        before, costs = set(sys.modules), []
        for number in range(6):
            began = time.process_time()
            session = await sessions.create("cbt/first_assessment")
            await sessions.start(session.id)
            await sessions.take(session.id, Entry("k", "message", text="好的"))
            costs.append(time.process_time() - began)
        print(json.dumps({"new": sorted(set(sys.modules) - before), "costs": costs}))

asyncio.run(held())
"""


def test_what_a_first_turn_needs_is_there_before_the_server_is_ready(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", FIRST, str(tmp_path)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    first, *later = told["costs"]
    assert told["new"] == []
    assert first < 3 * max(later), "today 40 ms against 35; without preparing 2,600"
