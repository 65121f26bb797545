"""How soon a debug session is shown where it is held: ``python -m bench.debugging``. The real server in this process,
an author over HTTP on loopback: from a stop to all that the page draws, with one session and with 20 authors who each
take a step every two seconds; going back in a session of 2,000 messages. Exits 1 where a limit is passed."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

import httpx2

from heartrule.llm.model import Model
from heartrule.server.app import build
from heartrule.server.process import Server
from heartrule.server.settings import Rates, ServerSettings
from heartrule.server.tokens import Staff
from heartrule.sessions import Settings

AT_ONCE = 20
STEPS = 12
PAUSE = 2.0
"""Seconds between an author's steps."""
QUESTIONS = 1_000
PLACES = 20
LIMITS = {"held": 200.0, "back": 1_000.0}
"""Milliseconds, of 95 in 100."""
PANEL = "variables"
"""What the open panel asks for where a session is held."""
HEAD = """sessions:
  - session: 长谈
    id: long
    locale: zh-CN
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
"""


def script(questions: int) -> str:
    lines = (
        f"              - {{type: ask, id: how{n}, content: 第 {n} 件事呢？, output: [{{get: 事{n % 40}}}]}}\n"
        for n in range(questions)
    )
    return HEAD + "".join(lines)


class Author:
    """One debug session, over HTTP."""

    def __init__(self, client: httpx2.AsyncClient, token: str) -> None:
        self._client, self._headers = client, {"Authorization": f"Bearer {token}"}
        self.path = ""

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = await self._client.request(method, f"/api/v1/debug{path}", json=body, headers=self._headers)
        assert answer.status_code < 300, answer.text
        return answer.json()

    async def begin(self, questions: int) -> None:
        texts = {"project.yaml": "id: bench\nlocale: zh-CN\n", "a.yaml": script(questions)}
        made = await self.ask("POST", "/sessions", {"texts": texts, "script": "long"})
        self.path = f"/sessions/{made['id']}"

    async def do(self, what: str, body: Any) -> Any:
        return await self.ask("POST", f"{self.path}/{what}", body)

    async def look(self) -> None:
        """The state, and the panel that is open."""
        await self.ask("GET", self.path)
        await self.ask("GET", f"{self.path}/{PANEL}")


async def held(author: Author, steps: int, pause: float = 0.0) -> list[float]:
    """Seconds from the answer that says it is held until all is there that is drawn."""
    found, random = [], Random(author.path)
    await author.ask("PUT", f"{author.path}/breakpoints", {"breakpoints": [{"id": "a", "on": "action"}]})
    for number in range(steps):
        await asyncio.sleep(pause * (0.5 + random.random()))
        await author.do("say", {"type": "message", "text": f"第 {number} 件"})
        stopped = time.perf_counter()
        await author.look()
        found.append(time.perf_counter() - stopped)
        await author.do("go", {"go": "run"})
    return found


async def went_back(author: Author, places: int) -> list[float]:
    """Seconds of going back to messages all over a session of very many."""
    for number in range(QUESTIONS - 1):
        await author.do("say", {"type": "message", "text": f"第 {number} 件"})
    random, found = Random(7), []
    for _ in range(places):
        number = random.randrange(2, 2 * QUESTIONS - 3, 2)
        begun = time.perf_counter()
        await author.do("back", {"message": number})
        await author.look()
        found.append(time.perf_counter() - begun)
        await author.do("branch", {"branch": "1"})
    return found


async def measured() -> int:
    with tempfile.TemporaryDirectory() as folder, socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        rates = Rates(token=0, address=0, sessions=0, turns=0)
        settings = ServerSettings(rates=rates)
        app = build(Settings(Path(folder), model=Model()), settings)
        ready = asyncio.Event()
        server = Server(app, settings, ready.set)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        await ready.wait()
        token = app.state.context.tokens.of_staff(Staff("lin", "Lin", "developer", ("*",))).token
        base = f"http://127.0.0.1:{listening.getsockname()[1]}"
        async with httpx2.AsyncClient(base_url=base, timeout=300) as client:
            failed = await _all(lambda: Author(client, token))
        server.should_exit = True
        await serving
    return failed


async def _all(author: Any) -> int:
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    one = author()
    await one.begin(60)
    failed = told("held, one session", await held(one, 40), LIMITS["held"])
    many = [author() for _ in range(AT_ONCE)]
    for each in many:
        await each.begin(60)
    times = await asyncio.gather(*(held(each, STEPS, PAUSE) for each in many))
    failed += told(f"held, {AT_ONCE} at once", [each for some in times for each in some], LIMITS["held"])
    long = author()
    await long.begin(QUESTIONS)
    failed += told(f"back among {2 * QUESTIONS} messages", await went_back(long, PLACES), LIMITS["back"])
    failed += told(f"held behind {2 * QUESTIONS} messages", await looked(long), LIMITS["held"])
    return failed


async def looked(author: Author) -> list[float]:
    found = []
    for _ in range(20):
        begun = time.perf_counter()
        await author.look()
        found.append(time.perf_counter() - begun)
    return found


def told(what: str, seconds: Sequence[float], limit: float) -> int:
    ms = [1_000 * each for each in seconds]
    p95 = quantiles(ms, n=20)[-1]
    print(f"{what:<32} median {median(ms):7.1f} ms   p95 {p95:7.1f} ms   limit {limit:.0f}   of {len(ms)}", flush=True)
    return int(p95 > limit)


if __name__ == "__main__":
    sys.exit(min(1, asyncio.run(measured())))
