"""What the staff are given to try a text, or to debug it, is theirs as long as they are let in: it ends with the
sign-in, the program, the role, the account and the sharing by which they asked for it, and so does what comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from tests.security.test_staff_streams import SCRIPT
from tests.server.material import API, Asked, Grounds, headers, problem, run
from tests.server.signing import Page, account
from tests.server.test_workbench import LIN

from heartrule.identity.passwords import Passwords
from heartrule.server.tokens import Staff


@pytest.fixture
def grounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Grounds:
    cheap = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1)
    monkeypatch.setattr("heartrule.server.app.Passwords", lambda: Passwords(cheap))
    return Grounds(tmp_path)


@dataclass(frozen=True)
class Opened:
    """By a token: where it reads, where it goes on, and where it follows."""

    token: str
    at: str

    async def reads(self, api: Asked) -> int:
        return (await api.get(f"{API}{self.at}", self.token)).status_code

    async def goes_on(self, api: Asked) -> int:
        body = {"key": "key-00000001", "input": {"type": "start"}}
        return (await api.post(f"{API}{self.at}/turns", body, self.token)).status_code


Asks = Callable[[str, str, object], Awaitable[dict[str, object]]]


async def tried(asks: Asks) -> tuple[str, Opened]:
    """And the project in which it was."""
    project = await asks("POST", "/workbench/projects", {"name": "p", "template": "empty", "locale": "zh-CN"})
    path = f"/workbench/projects/{project['id']}"
    typed = {"texts": {"session.yaml": SCRIPT}, "script": "s"}
    made = await asks("POST", f"{path}/try", typed)
    return str(project["id"]), Opened(str(made["token"]), f"/sessions/{made['session']}")


async def debugged(asks: Asks) -> Opened:
    made = await asks("POST", "/debug/sessions", {"texts": {"a.yaml": SCRIPT}, "script": "s"})
    chat: dict[str, str] = made["chat"]  # type: ignore[assignment]
    return Opened(chat["token"], f"{chat['base'].removeprefix(API)}/api/v1/sessions/{chat['session']}")


def signed_in(who: Page) -> Asks:
    async def asks(method: str, path: str, body: object) -> dict[str, object]:
        answer = await who.ask(method, path, body)
        assert answer.is_success, answer.text
        return dict(answer.json())

    return asks


def with_token(api: Asked, token: str) -> Asks:
    async def asks(method: str, path: str, body: object) -> dict[str, object]:
        answer = await api.client.request(method, f"{API}{path}", json=body, headers=headers(token, {}))
        assert answer.is_success, answer.text
        return dict(answer.json())

    return asks


async def sign_out(api: Asked, who: Page) -> None:
    await who.done("POST", "/staff/sign-out")


async def end_elsewhere(api: Asked, who: Page) -> None:
    await api.context.accounts.sign_out("test", who.principal["id"])


async def take_the_role(api: Asked, who: Page) -> None:
    await api.context.accounts.change("test", who.principal["id"], roles=["reviewer"])


async def disable(api: Asked, who: Page) -> None:
    await api.context.accounts.change("test", who.principal["id"], disabled=True)


async def leave_it_unused(api: Asked, who: Page) -> None:
    api.context.sessions.clock.pass_(hours=3)  # type: ignore[attr-defined]


ENDS = [sign_out, end_elsewhere, take_the_role, disable, leave_it_unused]


@pytest.mark.parametrize("ends", ENDS)
def test_they_end_with_the_sign_in_the_role_and_the_account(
    grounds: Grounds, ends: Callable[[Asked, Page], Awaitable[None]]
) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin = await account(api, Page(api.client), "lin", ["developer"])
            _, trial = await tried(signed_in(lin))
            link = (await api.post(f"{API}{trial.at}/recovery", None, trial.token)).json()["token"]
            all_ = [trial, Opened(link, trial.at), await debugged(signed_in(lin))]
            for each in all_:
                assert (await each.reads(api), await each.goes_on(api)) == (200, 200)
            await ends(api, lin)
            for each in all_:
                assert (await each.reads(api), await each.goes_on(api)) == (401, 401)

    run(work())


def test_another_sign_in_of_theirs_ends_nothing(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin = await account(api, Page(api.client), "lin", ["developer"])
            _, trial = await tried(signed_in(lin))
            kept = dict(lin.client.cookies)
            lin.client.cookies.clear()
            assert (await lin.sign_in("lin")).status_code == 200
            await lin.done("POST", "/staff/sign-out")
            assert await trial.reads(api) == 200
            lin.client.cookies.update(kept)
            assert (await lin.ask("GET", "/staff/me")).status_code == 200

    run(work())


def test_they_end_with_the_program(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            lin = await account(api, Page(api.client), "lin", ["developer"])
            scopes = ["scripts.read", "scripts.write", "debug"]
            made = await api.context.services.make("test", lin.principal["id"], "program", scopes, 1)
            asks = with_token(api, made.token)
            all_ = [(await tried(asks))[1], await debugged(asks)]
            await sign_out(api, lin)  # it is none of theirs
            for each in all_:
                assert (await each.reads(api), await each.goes_on(api)) == (200, 200)
            await api.context.services.revoke("test", made.record.id)
            for each in all_:
                assert (await each.reads(api), await each.goes_on(api)) == (401, 401)

    run(work())


def test_they_end_with_the_sharing(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            owner = Staff("owner", "Wei", "developer", ("*",))
            project, _ = await tried(with_token(api, api.context.tokens.of_staff(owner).token))
            lin = await account(api, Page(api.client), "lin", ["developer"])
            teams = api.context.workbench.teams
            await teams.share(project, lin.principal["id"], "read")
            typed = {"texts": {"session.yaml": SCRIPT}, "script": "s"}
            made = await lin.done("POST", f"/workbench/projects/{project}/try", typed, 201)
            trial = Opened(made["token"], f"/sessions/{made['session']}")
            assert await trial.reads(api) == 200
            await teams.share(project, lin.principal["id"], None)
            assert (await trial.reads(api), await trial.goes_on(api)) == (401, 401)

    run(work())


def test_what_comes_of_a_token_that_nobody_can_call_back_ends_when_it_does(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api:
            asks = with_token(api, api.context.tokens.of_staff(LIN, timedelta(hours=1)).token)
            all_ = [(await tried(asks))[1], await debugged(asks)]
            for each in all_:
                assert await each.reads(api) == 200
            grounds.clock.pass_(hours=2)
            for each in all_:
                problem(await api.get(f"{API}{each.at}", each.token), "token-expired", 401)

    run(work())


@pytest.mark.parametrize("what", ["try", "debug"])
def test_their_streams_end_too(grounds: Grounds, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setattr("heartrule.server.access.LOOK", 0.0)
    monkeypatch.setattr("heartrule.server.live.QUIET", 0.1)
    monkeypatch.setattr("heartrule.server.routes.debugger_chat.QUIET", 0.1)

    async def work() -> None:
        async with grounds.served() as api:
            lin = await account(api, Page(api.client), "lin", ["developer"])
            asks = signed_in(lin)
            opened = (await tried(asks))[1] if what == "try" else await debugged(asks)
            sent = headers(opened.token, {})
            async with api.client.stream("GET", f"{API}{opened.at}/events", headers=sent) as stream:
                parts = stream.aiter_bytes()
                assert b"retry" in await anext(parts)
                await sign_out(api, lin)
                async with asyncio.timeout(10):
                    async for _ in parts:
                        pass
            async with asyncio.timeout(10):
                while api.context.live.open:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)

    run(work())
