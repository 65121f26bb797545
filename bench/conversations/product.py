"""The real product without a network: its HTTP API, engine and store in a temporary folder, a reader as its model."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
from bench.conversations.reader import ReaderProvider

from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.server.app import API, build
from heartrule.server.settings import Rates, ServerSettings
from heartrule.sessions import Settings
from heartrule.sessions.clock import Clock

PATIENCE = 5000.0
"""How many times longer than a model a reader may take: ten hours for a call that has eight seconds."""
SWEEP = 0.5
"""Seconds between the looks for sessions whose time has come."""
AGAIN = 0.05
"""Seconds before words are sent again that overtook those before them."""

Json = dict[str, Any]


class Refused(Exception):
    """The API took something for wrong. ``code`` is its problem's."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Session:
    """One session of one person, as the page holds it."""

    def __init__(self, http: httpx2.AsyncClient, made: Json) -> None:
        self._http, self.id = http, made["session"]["id"]
        self._headers = {"Authorization": f"Bearer {made['token']}"}
        self._keys = count(1)
        self.seen = 0

    @property
    def path(self) -> str:
        return f"{API}/sessions/{self.id}"

    async def begin(self) -> None:
        await self._post("/turns", {"key": self._key(), "input": {"type": "start"}})

    async def say(self, texts: Sequence[str]) -> None:
        """One after another without waiting for an answer, as somebody does who types on."""
        keys = [self._key() for _ in texts]
        after = self.seen
        before: Sequence[str | None] = [None, *keys]
        sent = [
            self._message(text, key, follows, after) for text, key, follows in zip(texts, keys, before, strict=False)
        ]
        await asyncio.gather(*sent)

    async def send(self, given: Mapping[str, Any]) -> None:
        """Any other input of the API."""
        await self._post("/turns", {"key": self._key(), "after": self.seen, "input": dict(given)})

    async def end(self) -> None:
        await self._post("/end", {"key": self._key()})

    async def state(self) -> Json:
        return await self._get("")

    async def news(self) -> list[Json]:
        """All messages that have not been seen; now they have."""
        found: list[Json] = (await self._get(f"/messages?after={self.seen}&limit=500"))["messages"]
        self.seen = max((message["seq"] for message in found), default=self.seen)
        return found

    async def summary(self) -> str:
        answer = await self._http.get(f"{self.path}/summary", headers=self._headers)
        return answer.text if answer.is_success else ""

    async def _message(self, text: str, key: str, follows: str | None, after: int) -> None:
        body = {"key": key, "after": after, "input": {"type": "message", "text": text}}
        body |= {} if follows is None else {"follows": follows}
        while True:
            try:
                await self._post("/turns", body)
            except Refused as refused:
                if refused.code != "out-of-order":
                    raise
                await asyncio.sleep(AGAIN)
            else:
                return

    async def _post(self, path: str, body: Json) -> Json:
        return _told(await self._http.post(f"{self.path}{path}", json=body, headers=self._headers))

    async def _get(self, path: str) -> Json:
        return _told(await self._http.get(f"{self.path}{path}", headers=self._headers))

    def _key(self) -> str:
        return f"said-{next(self._keys):06}"


class Product:
    def __init__(self, http: httpx2.AsyncClient) -> None:
        self._http = http

    async def session(self, script: str, locale: str, zone: str = "") -> Session:
        made = await self._http.post(f"{API}/sessions", json={"script": script, "locale": locale, "zone": zone})
        return Session(self._http, _told(made))

    async def numbers(self, locale: str, zone: str = "") -> list[str]:
        """Whom the page says to call in danger."""
        about = _told(await self._http.get(f"{API}/about", params={"locale": locale, "zone": zone}))
        return [f"{each['number']} ({each['name']})" for each in about["contacts"]]


@asynccontextmanager
async def product(reader: ReaderProvider, clock: Clock, projects: Sequence[Path] = ()) -> AsyncIterator[Product]:
    """Deadlines are those of somebody who reads every prompt; all else is as it is shipped."""
    model = Model([reader], Policy(time_scale=PATIENCE))
    model.listeners.append(reader.listen)
    with tempfile.TemporaryDirectory() as data:
        settings = Settings(Path(data), projects, model=model, clock=clock, synchronous="OFF")
        rates = Rates(token=0, address=0, sessions=0, turns=0)
        app = build(settings, ServerSettings(rates=rates, sweep_seconds=SWEEP, stop_seconds=1))
        async with app.router.lifespan_context(app):
            transport = httpx2.ASGITransport(app)
            async with httpx2.AsyncClient(transport=transport, base_url="http://product.test", timeout=None) as http:
                yield Product(http)


def _told(answer: httpx2.Response) -> Json:
    found: Json = answer.json()
    if not answer.is_success:
        raise Refused(str(found.get("code", answer.status_code)))
    return found
