"""What a turn costs over HTTP: `heartrule serve` in a process of its own, a loopback model server in another.

    python -m bench.over_http [--turns 200] [--latency 0] [--streams 1000]

Prints, side by side from one run: the bare model calls of a turn (two at once, by the client that the server uses too),
a whole turn over HTTP, and the difference; the start of a session; coming back to one with 2,000 messages; the server's
memory after its start, with idle event streams, and after 200 conversations; turns a second of 50 conversations.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
from bench.turns import WORDS, script

from heartrule.llm.provider import PromptMessage, Request
from heartrule.llm.providers.openai_wire import OpenAIWire

SCRIPT = "long/long"
MODEL = """
import sys
from heartrule.llm.provider import PromptMessage, Request
from heartrule.testing.counsellor import counsel
from heartrule.testing.openai_server import OpenAIServer
import json
def answer(body):
    schema = ((body.get("response_format") or {}).get("json_schema") or {}).get("schema")
    messages = tuple(PromptMessage(m["role"], m["content"]) for m in body["messages"])
    return json.dumps(counsel(Request(messages=messages, schema=schema)), ensure_ascii=False)
with OpenAIServer(answer, latency=float(sys.argv[1])) as server:
    print(server.url, flush=True)
    sys.stdin.read()
"""


@contextmanager
def model_server(latency: float) -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", MODEL, str(latency)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.wait(10)


@contextmanager
def server(folder: Path, project: Path, model: str | None) -> Iterator[tuple[str, int]]:
    """Its address and process id."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HEARTRULE_")}
    if model:
        environment |= {"HEARTRULE_LLM_BASE_URL": model, "HEARTRULE_LLM_MODEL": "bench"}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "heartrule.toml").write_text(
        "[server]\nstreams_a_session = 100000\n[server.rates]\ntoken = 0\naddress = 0\nsessions = 0\nturns = 0\n"
    )
    command = [sys.executable, "-m", "heartrule", "serve", "--port", "0", "--lang", "en"]
    process = subprocess.Popen(
        [*command, "--data", str(folder), "--project", str(project)],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        found = re.search(r"http://\S+?:\d+", process.stdout.readline())
        if found is None:
            raise SystemExit("the server did not start")
        yield found.group(), process.pid
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


def megabytes(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


@asynccontextmanager
async def client(address: str) -> AsyncIterator[httpx2.AsyncClient]:
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx2.AsyncClient(base_url=f"{address}/api/v1", limits=limits, timeout=120) as found:
        yield found


class Talk:
    """One conversation, turn after turn."""

    def __init__(self, http: httpx2.AsyncClient, session: str, token: str) -> None:
        self._http, self.session, self.headers = http, session, {"Authorization": f"Bearer {token}"}
        self._number, self._seen = 0, 0

    @classmethod
    async def begun(cls, http: httpx2.AsyncClient, script: str = SCRIPT) -> Talk:
        made = (await http.post("/sessions", json={"script": script})).raise_for_status().json()
        talk = cls(http, made["session"]["id"], made["token"])
        await talk._post({"type": "start"})
        return talk

    async def say(self, text: str) -> None:
        await self._post({"type": "message", "text": text})

    async def _post(self, given: dict[str, Any]) -> None:
        self._number += 1
        body = {"key": f"turn-{self._number:06}", "after": self._seen, "input": given}
        turn = (await self._http.post(f"/sessions/{self.session}/turns", json=body, headers=self.headers)).json()
        self._seen = max((each["seq"] for each in turn["messages"]), default=self._seen)


def spread(name: str, seconds: Sequence[float]) -> str:
    cuts = statistics.quantiles(seconds, n=20)
    return f"  {name}: median {statistics.median(seconds) * 1e3:.1f} ms, p95 {cuts[18] * 1e3:.1f} ms"


async def turns(address: str, model: str, count: int) -> None:
    """Whole turns, and the bare model calls of one, in turn: what else is going on meets both."""
    schema = {"type": "object", "properties": {"reply": {"type": "string"}}, "required": ["reply"]}
    prompt = "".join(f"来访者：{WORDS}\n" for _ in range(12))
    bare = Request(messages=(PromptMessage("user", prompt),), schema=schema)
    provider = OpenAIWire(model, "bench", "")
    whole, calls = [], []
    async with client(address) as http:
        talk = await Talk.begun(http)
        for number in range(count):
            began = time.perf_counter()
            await asyncio.gather(provider.complete(bare), provider.complete(bare))
            between = time.perf_counter()
            await talk.say(f"{number} {WORDS}")
            calls.append(between - began)
            whole.append(time.perf_counter() - between)
    await provider.aclose()
    print(spread("two bare model calls at once", calls[5:]))
    print(spread("a turn over HTTP", whole[5:]))
    print(spread("the difference", [w - c for w, c in zip(whole[5:], calls[5:], strict=True)]))


async def starts(address: str) -> None:
    seconds = []
    async with client(address) as http:
        for _ in range(20):
            began = time.perf_counter()
            await Talk.begun(http)
            seconds.append(time.perf_counter() - began)
    print(spread("making and starting a session", seconds[1:]))


async def coming_back(address: str) -> None:
    """What the page asks for when it opens a session again."""
    async with client(address) as http:
        talk = await Talk.begun(http)
        for number in range(1000):
            await talk.say(f"{number} 还是睡不好")
        seconds = []
        for _ in range(20):
            began = time.perf_counter()
            shown = (await http.get(f"/sessions/{talk.session}", headers=talk.headers)).json()
            await http.get(f"/sessions/{talk.session}/messages", params={"limit": 100}, headers=talk.headers)
            seconds.append(time.perf_counter() - began)
        whole = []
        for _ in range(5):
            began, after = time.perf_counter(), 0
            while after < shown["last_message"]:
                page = await http.get(
                    f"/sessions/{talk.session}/messages", params={"after": after, "limit": 500}, headers=talk.headers
                )
                after = page.json()["messages"][-1]["seq"]
            whole.append(time.perf_counter() - began)
    print(spread(f"coming back to {shown['last_message']} messages, the last 100 of them", seconds))
    print(f"  all of them: {statistics.median(whole) * 1e3:.0f} ms")


async def crowd(address: str, conversations: int, turns_each: int) -> None:
    async with client(address) as http:
        talks = await asyncio.gather(*(Talk.begun(http) for _ in range(conversations)))

        async def hold(talk: Talk) -> None:
            for number in range(turns_each):
                await talk.say(f"{number} 还是睡不好")

        began = time.perf_counter()
        await asyncio.gather(*(hold(talk) for talk in talks))
        print(
            f"  {conversations} conversations: {conversations * turns_each / (time.perf_counter() - began):.0f} turns/s"
        )


async def idle(address: str, pid: int, streams: int) -> None:
    """Raw sockets on this side, so that what is measured is the server's."""
    async with client(address) as http:
        talk = await Talk.begun(http)
    host, port = address.removeprefix("http://").split(":")
    head = (
        f"GET /api/v1/sessions/{talk.session}/events HTTP/1.1\r\nHost: x\r\nAuthorization: "
        f"{talk.headers['Authorization']}\r\n\r\n"
    ).encode()
    before = megabytes(pid)
    opened = []
    for _ in range(streams):
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(head)
        await reader.readuntil(b"\n\n")
        opened.append(writer)
    await asyncio.sleep(1)
    each = (megabytes(pid) - before) * 1024 / streams
    print(f"  {streams} idle event streams: {each:.0f} kB each")
    for writer in opened:
        writer.close()
    with contextlib.suppress(OSError):
        await asyncio.gather(*(writer.wait_closed() for writer in opened), return_exceptions=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds each model answer takes")
    parser.add_argument("--streams", type=int, default=1000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project = folder / "long"
        project.mkdir()
        (project / "long.yaml").write_text(script(2000), encoding="utf-8")
        (project / "project.yaml").write_text(json.dumps({"id": "long", "name": "long", "locale": "zh-CN"}))
        with model_server(arguments.latency) as model, server(folder / "a", project, model) as (address, pid):
            print(f"With a loopback model at {arguments.latency * 1e3:.0f} ms:")
            print(f"  memory after the start: {megabytes(pid):.0f} MB")
            asyncio.run(turns(address, model, arguments.turns))
            asyncio.run(crowd(address, 50, 6))
            asyncio.run(crowd(address, 150, 2))
            print(f"  memory after 200 conversations: {megabytes(pid):.0f} MB")
        with server(folder / "b", project, None) as (address, pid):
            print("In script mode:")
            asyncio.run(starts(address))
            asyncio.run(coming_back(address))
        with server(folder / "c", project, None) as (address, pid):
            asyncio.run(idle(address, pid, arguments.streams))


if __name__ == "__main__":
    main()
