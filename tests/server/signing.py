"""Staff who are signed in, as a browser is: with cookies, and what a page of ours sends along."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from tests.server.material import API, Asked, Json

STAFF = f"{API}/staff"
PASSWORD = "correct horse 7 battery"


class Page:
    """One browser."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self.client = client
        self.csrf: str | None = None
        self.principal: Json = {}

    async def ask(self, method: str, path: str, body: Any = None, **more: Any) -> httpx2.Response:
        headers = {**({"X-CSRF-Token": self.csrf} if self.csrf else {}), **more.pop("headers", {})}
        given = {} if body is None else {"json": body}
        return await self.client.request(method, f"{API}{path}", headers=headers, **given, **more)

    async def done(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        answer = await self.ask(method, path, body)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    def take(self, told: Json) -> None:
        self.csrf, self.principal = told["csrf"], told["principal"]

    async def sign_in(self, name: str, password: str = PASSWORD, code: str | None = None) -> httpx2.Response:
        body = {"name": name, "password": password, **({"code": code} if code else {})}
        answer = await self.client.post(f"{STAFF}/sign-in", json=body)
        if answer.status_code == 200:
            self.take(answer.json())
        return answer

    async def use_link(self, token: str, **body: Any) -> httpx2.Response:
        answer = await self.client.post(f"{STAFF}/links/{token}", json={"password": PASSWORD, **body})
        if answer.status_code == 200 and answer.json()["principal"]:
            self.take(answer.json())
        return answer


@asynccontextmanager
async def page(api: Asked, address: str = "127.0.0.1") -> AsyncIterator[Page]:
    app = api.client._transport.app  # type: ignore[attr-defined]
    transport = httpx2.ASGITransport(app, raise_app_exceptions=True, client=(address, 1234))
    language = {name: value for name, value in api.client.headers.items() if name == "accept-language"}
    async with httpx2.AsyncClient(transport=transport, base_url="http://heartrule.test", headers=language) as client:
        yield Page(client)


async def administrator(api: Asked, browser: Page) -> Page:
    """The first one, signed in."""
    made = await api.context.accounts.first_link()
    assert made is not None
    answer = await browser.use_link(made.token, name="root")
    assert answer.status_code == 200, answer.text
    return browser


async def account(
    api: Asked, browser: Page, name: str, roles: Sequence[str] = ("counsellor",), projects: Sequence[str] = ("*",)
) -> Page:
    """Somebody who was invited and has chosen a password, signed in in this browser."""
    _, made = await api.context.accounts.invite("test", name, roles, projects)  # type: ignore[arg-type]
    answer = await browser.use_link(made.token)
    assert answer.status_code == 200, answer.text
    return browser
