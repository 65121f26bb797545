"""The server as those meet it who ask: over ASGI for single answers, over a real socket for streams and stops."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
from tests.sessions.material import ANSWERS, SMALL

from heartrule.llm.model import Model
from heartrule.server.app import API, build
from heartrule.server.context import AppContext
from heartrule.server.process import Server
from heartrule.server.settings import Rates, ServerSettings
from heartrule.sessions import Settings
from heartrule.testing.hold import MovedClock

SCRIPT = "tests/small"
ENGLISH = (
    SMALL.replace("id: small", "id: small_en\n    translation_of: small")
    .replace("locale: zh-CN", "locale: en")
    .replace("小谈", "Small talk")
)
BROKEN = SMALL.replace("id: small", "id: broken").replace("type: say, id: bye, content", "type: sing, song")
TYPED = """
sessions:
  - session: 各种类型
    id: typed
    locale: zh-CN
    declare:
      - {var: 文字, type: text, define: 文字}
      - {var: 整数, type: integer, range: [0, 10], define: 整数}
      - {var: 数字, type: number, define: 数字}
      - {var: 是否, type: boolean, define: 是否}
      - {var: 列表, type: list, define: 列表}
      - {var: 对象, type: object, define: 对象}
      - {var: 随便, define: 随便}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions: [{type: ask, id: more, content: 还有吗？, output: [{get: 余下}]}]
"""
UNLIMITED = Rates(token=0, address=0, sessions=0, turns=0, pages=0)
UNHURRIED: dict[str, Any] = {"rates": UNLIMITED, "prepare": False}
"""What a server of a test is like where the test says nothing else. To compile every shipped script before it is ready
would cost each of them more than all else that it does; ``test_preparing`` holds that one that does is prepared."""
SECRET = "an embedding service's own secret of many bytes"
Json = dict[str, Any]


def run(work: Any, seconds: float = 90) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(seconds):
            return await work

    return asyncio.run(bounded())


def project(folder: Path) -> Path:
    made = folder / "project"
    made.mkdir(exist_ok=True)
    for name, text in {
        "project.yaml": "id: tests\nlocale: zh-CN\n",
        "small.yaml": SMALL,
        "small_en.yaml": ENGLISH,
        "typed.yaml": TYPED,
        "broken.yaml": BROKEN,
    }.items():
        (made / name).write_text(text, encoding="utf-8")
    return made


@dataclass(frozen=True)
class Told:
    """One event as it came over the wire."""

    id: int | None
    name: str
    data: Any


@dataclass
class Visit:
    """A session and what opens it."""

    id: str
    token: str
    person_token: str | None = None
    session: Json = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"{API}/sessions/{self.id}"


class Asked:
    """Somebody who asks the server. Short paths are under ``/api/v1``."""

    _keys = count(1)

    def __init__(self, client: httpx2.AsyncClient, context: AppContext, server: Server | None = None) -> None:
        self.client, self.context, self.server = client, context, server

    async def get(self, path: str, token: str | None = None, **more: Any) -> httpx2.Response:
        return await self.client.get(path, headers=headers(token, more.pop("headers", {})), **more)

    async def post(self, path: str, body: Any = None, token: str | None = None, **more: Any) -> httpx2.Response:
        sent = {} if body is None else {"json": body}
        return await self.client.post(path, headers=headers(token, more.pop("headers", {})), **sent, **more)

    # sessions

    async def visit(self, script: str = SCRIPT, token: str | None = None, **more: Any) -> Visit:
        """A new session."""
        answer = await self.post(f"{API}/sessions", {"script": script, **more}, token)
        assert answer.status_code == 201, answer.text
        made = answer.json()
        return Visit(made["session"]["id"], made["token"], made["person_token"], made["session"])

    async def begun(self, **more: Any) -> tuple[Visit, Json]:
        """A session that has asked its first question, and its first turn."""
        visit = await self.visit(**more)
        return visit, await self.turn(visit, type="start")

    async def send(self, visit: Visit, token: str | None = None, **given: Any) -> httpx2.Response:
        key = given.pop("key", None) or f"key-{next(self._keys):08}"
        body = {"key": key, "input": {"type": "message"}}
        for name in ("type", "text", "choice"):
            if name in given:
                body["input"][name] = given.pop(name)
        for name in ("after", "follows", "debug"):
            if name in given:
                body[name] = given.pop(name)
        return await self.post(f"{visit.path}/turns", body, token or visit.token, **given)

    async def turn(self, visit: Visit, **given: Any) -> Json:
        answer = await self.send(visit, **given)
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    async def session(self, visit: Visit) -> Json:
        answer = await self.get(visit.path, visit.token)
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    async def messages(self, visit: Visit) -> list[Json]:
        answer = await self.get(f"{visit.path}/messages?after=0&limit=500", visit.token)
        assert answer.status_code == 200, answer.text
        found: list[Json] = answer.json()["messages"]
        return found

    async def whole(self, visit: Visit) -> list[Json]:
        """Hold the small script to its end; its turns."""
        turns = [await self.turn(visit, type="start")]
        for kind, words in ANSWERS:
            given = {"text": words} if kind == "message" else {"choice": words}
            turns.append(await self.turn(visit, type=kind, after=seen(turns[-1]), **given))
        return turns

    # events

    @asynccontextmanager
    async def events(self, visit: Visit, last: Any = None, query: bool = False) -> AsyncIterator[AsyncIterator[Told]]:
        """The stream of live events, opened; entered when the server has begun to answer."""
        more = {} if last is None or query else {"Last-Event-ID": str(last)}
        path = f"{visit.path}/events" + (f"?last_event_id={last}" if query else "")
        async with self.client.stream("GET", path, headers=headers(visit.token, more)) as answer:
            assert answer.status_code == 200, await answer.aread()
            assert answer.headers["content-type"].startswith("text/event-stream")
            async with aclosing(told(answer)) as stream:
                yield stream

    @asynccontextmanager
    async def aloud(self, visit: Visit, **body: Any) -> AsyncIterator[AsyncIterator[Told]]:
        """A turn, as events."""
        sent = headers(visit.token, {"Accept": "text/event-stream"})
        async with self.client.stream("POST", f"{visit.path}/turns", json=body, headers=sent) as answer:
            assert answer.status_code == 200, await answer.aread()
            async with aclosing(told(answer)) as stream:
                yield stream


def headers(token: str | None, more: dict[str, str]) -> dict[str, str]:
    return {**({"Authorization": f"Bearer {token}"} if token else {}), **more}


async def told(answer: httpx2.Response) -> AsyncIterator[Told]:
    """The events of a stream, as the standard reads them."""
    found: dict[str, str] = {}
    async for line in answer.aiter_lines():
        if line:
            name, _, value = line.partition(":")
            found[name] = value.removeprefix(" ")
            continue
        if "data" in found:
            number = int(found["id"]) if "id" in found else None
            yield Told(number, found.get("event", "message"), json.loads(found["data"]))
        found = {}


async def take(stream: AsyncIterator[Told], count: int, seconds: float = 20) -> list[Told]:
    async with asyncio.timeout(seconds):
        return [await anext(stream) for _ in range(count)]


async def until(stream: AsyncIterator[Told], name: str = "turn.completed", seconds: float = 20) -> list[Told]:
    """The events up to the first one of this name."""
    found: list[Told] = []
    async with asyncio.timeout(seconds):
        while not found or found[-1].name != name:
            found.append(await anext(stream))
    return found


async def rest(stream: AsyncIterator[Told], seconds: float = 20) -> list[Told]:
    """What still comes before the server ends the stream."""
    async with asyncio.timeout(seconds):
        return [event async for event in stream]


def seen(turn: Json) -> int:
    """The number of the newest message, for ``after``."""
    return max((message["seq"] for message in turn["messages"]), default=0)


def said(turn: Json, sender: str = "person") -> list[str]:
    return [message["content"] for message in turn["messages"] if message["sender"] == sender]


def problem(answer: httpx2.Response, code: str, status: int) -> Json:
    """The answer as the problem that it must be."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    found: Json = answer.json()
    assert found["code"] == code, found
    assert found["status"] == status
    assert found["type"] == f"urn:heartrule:problem:{code}"
    assert found["title"]
    assert len(found["reference"]) == 8
    return found


class Grounds:
    """A data folder, a project beside it and a clock; each server opened on it is another process, as far as it
    knows."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data = folder, folder / "data"
        self.clock = MovedClock()
        self.project = project(folder)

    def settings(self, **more: Any) -> Settings:
        made = Settings(data=self.data, projects=[self.project], model=Model(), clock=self.clock, synchronous="OFF")
        return replace(made, **more)

    @asynccontextmanager
    async def asgi(self, *, store: dict[str, Any] | None = None, **server: Any) -> AsyncIterator[Asked]:
        """The application without a network. ``server``: its settings; ``store``: those of its sessions."""
        app = build(self.settings(**(store or {})), ServerSettings(**{**UNHURRIED, **server}))
        async with app.router.lifespan_context(app):
            transport = httpx2.ASGITransport(app, raise_app_exceptions=True)
            async with httpx2.AsyncClient(transport=transport, base_url="http://heartrule.test") as client:
                yield Asked(client, app.state.context)

    @asynccontextmanager
    async def served(self, *, store: dict[str, Any] | None = None, **server: Any) -> AsyncIterator[Asked]:
        """A real server in this event loop, on a port of its own."""
        settings = ServerSettings(**{**UNHURRIED, "stop_seconds": 5, **server})
        app = build(self.settings(**(store or {})), settings)
        ready = asyncio.Event()
        running = Server(app, settings, ready.set)
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{listening.getsockname()[1]}"
            serving = asyncio.create_task(running.serve(sockets=[listening]))
            await ready.wait()
            try:
                async with httpx2.AsyncClient(base_url=address, timeout=20) as client:
                    yield Asked(client, app.state.context, running)
            finally:
                running.should_exit = True
                await serving
