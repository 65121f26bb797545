"""A desk under load: many open sessions and counsellors at their pages, on one server, over loopback.

``python -m bench.desk`` begins 500 sessions, lets 20 counsellors follow the desk's stream and ask for the list
again and again, while persons go on writing; it tells how long lists take, how soon a turn reaches the counsellors'
pages, and what memory and processor time the server takes with the desks and without. ``--sessions 20 --counsellors 2``
is about the short form that is tested.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

import httpx2

SCRIPT = """
sessions:
  - session: 小谈
    id: small
    locale: zh-CN
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
""" + "".join(
    f"              - {{type: ask, id: how{number}, content: 还有吗？, output: [{{get: 近况{number}}}]}}\n"
    for number in range(60)
)
CRISIS = "我不想活了，今晚就去跳楼"
DANGER = 20
"""One in so many sessions is in a crisis."""
API = "/api/v1"
PASSWORD = "bench password 7 words"
AT_ONCE = 20
LISTED = 5.0
"""Seconds between a counsellor's looks at a list; their page follows the stream and need not look at all."""
PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Measured:
    """Seconds. ``lists``: until the list had come; ``told``: from a person's message to a counsellor's page."""

    lists: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    turns: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Spent:
    """By the server: processor seconds until now, and MiB of memory."""

    cpu: float
    memory: float


def spent(process: int) -> Spent:
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    resident = int(Path(f"/proc/{process}/statm").read_text(encoding="utf-8").split()[1])
    return Spent((int(fields[11]) + int(fields[12])) / TICKS, resident * PAGE / 2**20)


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[tuple[str, int, str]]:
    """Its address, its process, and the token of the first administrator's link."""
    project = folder / "project"
    project.mkdir()
    (project / "project.yaml").write_text("id: bench\nlocale: zh-CN\n", encoding="utf-8")
    (project / "small.yaml").write_text(SCRIPT, encoding="utf-8")
    rates = "token = 0\naddress = 0\nsessions = 0\nturns = 0\npages = 0"
    (folder / "heartrule.toml").write_text(
        f"[server]\nprepare = false\nstreams_an_address = 1000\n[server.rates]\n{rates}\n", encoding="utf-8"
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HEARTRULE_")}
    command = [sys.executable, "-m", "heartrule", "serve", "--port", str(port), "--data", str(folder / "data")]
    process = await asyncio.create_subprocess_exec(
        *command, "--project", str(project), cwd=folder, env=kept, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        token = ""
        assert process.stdout is not None
        async with asyncio.timeout(120):
            while not token:
                line = (await process.stdout.readline()).decode()
                if not line:
                    raise RuntimeError("the server did not start")
                if "#/link/" in line:
                    token = line.rpartition("/link/")[2].strip()
        yield f"http://127.0.0.1:{port}", process.pid, token
    finally:
        process.send_signal(signal.SIGTERM)
        await process.wait()


class Person:
    def __init__(self, client: httpx2.AsyncClient, session: str, token: str) -> None:
        self._client, self.session = client, session
        self._headers = {"Authorization": f"Bearer {token}"}
        self._count = 0

    @classmethod
    async def begun(cls, client: httpx2.AsyncClient) -> Person:
        made = (await client.post(f"{API}/sessions", json={"script": "bench/small"})).raise_for_status().json()
        person = cls(client, made["session"]["id"], made["token"])
        await person._send({"type": "start"})
        return person

    async def say(self, text: str) -> None:
        await self._send({"type": "message", "text": text})

    async def _send(self, given: dict[str, Any]) -> None:
        self._count += 1
        body = {"key": f"key-{self._count:08}", "input": given}
        answer = await self._client.post(f"{API}/sessions/{self.session}/turns", json=body, headers=self._headers)
        answer.raise_for_status()


async def signed_in(address: str, clients: list[httpx2.AsyncClient], first: str, count: int) -> None:
    """The administrator, then as many counsellors."""
    client = httpx2.AsyncClient(base_url=address, timeout=60)
    clients.append(client)
    made = await client.post(f"{API}/staff/links/{first}", json={"name": "root", "password": PASSWORD})
    csrf = made.raise_for_status().json()["csrf"]
    for number in range(count):
        body = {"name": f"counsellor {number}", "roles": ["counsellor"]}
        answer = await client.post(f"{API}/staff/accounts", json=body, headers={"X-CSRF-Token": csrf})
        token = answer.raise_for_status().json()["link"]["token"]
        own = httpx2.AsyncClient(base_url=address, timeout=60)
        clients.append(own)
        (await own.post(f"{API}/staff/links/{token}", json={"password": PASSWORD})).raise_for_status()


async def follow(client: httpx2.AsyncClient, spoken: dict[str, float], measured: Measured) -> None:
    """The desk's stream; how long after a message its session came."""
    async with client.stream("GET", f"{API}/desk/events") as answer:
        name = ""
        async for line in answer.aiter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: ") and name == "item":
                session = json.loads(line.removeprefix("data: "))["session"]
                if session in spoken:
                    measured.told.append(time.perf_counter() - spoken[session])


async def ask_lists(client: httpx2.AsyncClient, after: float, every: float, measured: Measured) -> None:
    """Nobody's page asks at the same moment as all others."""
    await asyncio.sleep(after)
    shows = ("help", "all", "mine", "help", "taken")
    number = 0
    while True:
        started = time.perf_counter()
        answer = await client.get(f"{API}/desk/sessions", params={"show": shows[number % len(shows)]})
        answer.raise_for_status()
        measured.lists.append(time.perf_counter() - started)
        number += 1
        await asyncio.sleep(every)


async def write(
    people: Sequence[Person], seconds: float, every: float, spoken: dict[str, float], measured: Measured
) -> None:
    """One message every so often, by one person after the other."""
    until, number = time.perf_counter() + seconds, 0
    while time.perf_counter() < until:
        person = people[number % len(people)]
        spoken.clear()
        spoken[person.session] = started = time.perf_counter()
        await person.say(f"第{number}句话，今天有点累")
        measured.turns.append(time.perf_counter() - started)
        number += 1
        await asyncio.sleep(every)


async def measure(sessions: int, counsellors: int, seconds: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        async with serving(Path(name)) as (address, process, first):
            clients: list[httpx2.AsyncClient] = []
            visiting = httpx2.AsyncClient(base_url=address, timeout=60)
            try:
                people: list[Person] = []
                for start in range(0, sessions, AT_ONCE):
                    some = range(start, min(start + AT_ONCE, sessions))
                    people += await asyncio.gather(*(Person.begun(visiting) for _ in some))
                await signed_in(address, clients, first, counsellors)
                for person in people[::DANGER]:
                    await person.say(CRISIS)
                calm = [person for number, person in enumerate(people) if number % DANGER]
                alone = Measured()
                before = spent(process)
                await write(calm, seconds, 0.2, {}, alone)
                without = spent(process)
                measured, spoken = Measured(), dict[str, float]()
                work = [asyncio.create_task(follow(each, spoken, measured)) for each in clients[1:]]
                work += [
                    asyncio.create_task(ask_lists(each, LISTED * place / counsellors, LISTED, measured))
                    for place, each in enumerate(clients[1:])
                ]
                begun = spent(process)
                await write(calm, seconds, 0.2, spoken, measured)
                after = spent(process)
                for each in work:
                    each.cancel()
                await asyncio.gather(*work, return_exceptions=True)
            finally:
                for each in (visiting, *clients):
                    await each.aclose()
    return {
        "sessions": sessions,
        "counsellors": counsellors,
        "seconds": seconds,
        "list_ms": _told(measured.lists),
        "told_ms": _told(measured.told),
        "turn_ms": _told(measured.turns),
        "turn_ms_without_desks": _told(alone.turns),
        "memory_mib": {"without_desks": round(without.memory, 1), "with_desks": round(after.memory, 1)},
        "cpu_share": {
            "without_desks": round((without.cpu - before.cpu) / seconds, 3),
            "with_desks": round((after.cpu - begun.cpu) / seconds, 3),
        },
    }


def _told(found: Sequence[float]) -> dict[str, float]:
    """Milliseconds."""
    if len(found) < 2:
        return {"count": len(found)}
    cut = quantiles(found, n=100, method="inclusive")
    shown = {"p50": cut[49], "p95": cut[94], "longest": max(found)}
    return {"count": len(found), **{name: round(value * 1000, 1) for name, value in shown.items()}}


def main(arguments: Sequence[str] | None = None) -> dict[str, Any]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=500)
    parser.add_argument("--counsellors", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=30.0)
    given = parser.parse_args(arguments)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    found = asyncio.run(measure(given.sessions, given.counsellors, given.seconds))
    print(json.dumps(found, indent=2))
    return found


if __name__ == "__main__":
    main()
