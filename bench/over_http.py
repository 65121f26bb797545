"""What a turn costs over HTTP: `heartrule serve` in a process of its own, a loopback model server in another.

    python -m bench.over_http [--turns 200] [--streams 1000]

Prints, with a model that answers at once and with one that takes 300 ms: the bare model calls of a turn (two at once,
by the client that the server uses too), a whole turn over HTTP, and the difference, from one run; turns a second of 50
and of 150 conversations at once, and the server's processor time a turn; its memory after its start and after 200
conversations. Then, in script mode, the start of a session, coming back to one with 2,000 messages, and the memory of
idle event streams.
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
from bench.wire import Wire

from heartrule.llm.provider import PromptMessage, Request
from heartrule.llm.providers.openai_wire import OpenAIWire

SCRIPT = "long/long"
LATENCIES = (0.0, 0.3)
"""Seconds each model answer takes."""
LOGGED = "server.log"
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
    """Its address and process id. No limit meant for one person is in the way of one client that is many, and what it
    logs goes into a file, lest it stands between the figures."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HEARTRULE_")}
    if model:
        environment |= {"HEARTRULE_LLM_BASE_URL": model, "HEARTRULE_LLM_MODEL": "bench"}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "heartrule.toml").write_text(
        "[server]\nstreams_a_session = 100000\nstreams_an_address = 100000\n"
        "[server.rates]\ntoken = 0\naddress = 0\nsessions = 0\nturns = 0\n"
    )
    command = [sys.executable, "-m", "heartrule", "serve", "--port", "0", "--lang", "en"]
    with (folder / LOGGED).open("w", encoding="utf-8") as logged:
        process = subprocess.Popen(
            [*command, "--data", str(folder), "--project", str(project)],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=logged,
            text=True,
        )
    assert process.stdout is not None
    try:
        found = re.search(r"http://\S+?:\d+", process.stdout.readline())
        if found is None:
            raise SystemExit(f"the server did not start:\n{(folder / LOGGED).read_text(encoding='utf-8')}")
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


def processor_seconds(pid: int) -> float:
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def client(address: str) -> AsyncIterator[httpx2.AsyncClient]:
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx2.AsyncClient(base_url=f"{address}/api/v1", limits=limits, timeout=120) as found:
        yield found


class Talk:
    """One conversation, turn after turn."""

    def __init__(self, wire: Wire, session: str, token: str) -> None:
        self._wire, self.session, self.token = wire, session, token
        self.headers = {"Authorization": f"Bearer {token}"}
        self._number, self._seen = 0, 0

    @classmethod
    async def begun(cls, address: str, script: str = SCRIPT) -> Talk:
        wire = await Wire.to(address)
        made = await wire.post("/sessions", {"script": script})
        talk = cls(wire, made["session"]["id"], made["token"])
        await talk._post({"type": "start"})
        return talk

    async def say(self, text: str) -> list[str]:
        """What is answered."""
        return await self._post({"type": "message", "text": text})

    async def _post(self, given: dict[str, Any]) -> list[str]:
        self._number += 1
        body = {"key": f"turn-{self._number:06}", "after": self._seen, "input": given}
        turn = await self._wire.post(f"/sessions/{self.session}/turns", body, self.token)
        self._seen = max((each["seq"] for each in turn["messages"]), default=self._seen)
        return [each["content"] for each in turn["messages"] if each["sender"] == "ai"]

    def close(self) -> None:
        self._wire.close()


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
    talk = await Talk.begun(address)
    for number in range(count):
        began = time.perf_counter()
        await asyncio.gather(provider.complete(bare), provider.complete(bare))
        between = time.perf_counter()
        answered(await talk.say(f"{number} {WORDS}"))
        calls.append(between - began)
        whole.append(time.perf_counter() - between)
    await provider.aclose()
    print(spread("two bare model calls at once", calls[5:]))
    print(spread("a turn over HTTP", whole[5:]))
    print(spread("the difference", [w - c for w, c in zip(whole[5:], calls[5:], strict=True)]))


def answered(said: list[str]) -> None:
    """A turn in which the model was not heard costs less, and is none of those that are counted."""
    if not any(mark in text for text in said for mark in ("我听到了", "可以再说")):
        raise SystemExit(f"the model's words are missing: {said}")


async def starts(address: str) -> None:
    seconds = []
    for _ in range(20):
        began = time.perf_counter()
        await Talk.begun(address)
        seconds.append(time.perf_counter() - began)
    print(spread("making and starting a session", seconds[1:]))


async def coming_back(address: str) -> None:
    """What the page asks for when it opens a session again."""
    async with client(address) as http:
        talk = await Talk.begun(address)
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


async def crowd(address: str, pid: int, conversations: int, turns_each: int) -> None:
    """All of them at once. Processor time is the server's, of all its threads."""
    talks = await asyncio.gather(*(Talk.begun(address) for _ in range(conversations)))

    async def hold(talk: Talk, count: int) -> None:
        for number in range(count):
            answered(await talk.say(f"{number} 还是睡不好"))

    await asyncio.gather(*(hold(talk, 1) for talk in talks))
    count, used, began = conversations * turns_each, processor_seconds(pid), time.perf_counter()
    await asyncio.gather(*(hold(talk, turns_each) for talk in talks))
    seconds, used = time.perf_counter() - began, processor_seconds(pid) - used
    print(
        f"  {conversations} conversations: {count / seconds:.0f} turns/s, "
        f"{used / count * 1e3:.1f} ms of the server's processor time a turn"
    )
    for talk in talks:
        talk.close()


async def idle(address: str, pid: int, streams: int) -> None:
    """Raw sockets on this side, so that what is measured is the server's."""
    talk = await Talk.begun(address)
    host, port = address.removeprefix("http://").split(":")
    head = (
        f"GET /api/v1/sessions/{talk.session}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: "
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
    parser.add_argument("--streams", type=int, default=1000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project = folder / "long"
        project.mkdir()
        (project / "long.yaml").write_text(script(2000), encoding="utf-8")
        (project / "project.yaml").write_text(json.dumps({"id": "long", "name": "long", "locale": "zh-CN"}))
        for latency in LATENCIES:
            with (
                model_server(latency) as model,
                server(folder / f"at {latency}", project, model) as (address, pid),
            ):
                print(f"With a loopback model at {latency * 1e3:.0f} ms:")
                print(f"  memory after the start: {megabytes(pid):.0f} MB")
                asyncio.run(turns(address, model, arguments.turns))
                asyncio.run(crowd(address, pid, 50, 12))
                asyncio.run(crowd(address, pid, 150, 4))
                print(f"  memory after 200 conversations: {megabytes(pid):.0f} MB")
        with server(folder / "b", project, None) as (address, pid):
            print("In script mode:")
            asyncio.run(starts(address))
            asyncio.run(coming_back(address))
        with server(folder / "c", project, None) as (address, pid):
            asyncio.run(idle(address, pid, arguments.streams))


if __name__ == "__main__":
    main()
