"""The password is asked for again before what somebody signs in by is changed. Whoever has their cookie, and not their
password, guesses it there no better than at the door, and keeps the owner out of nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import pyotp
import pytest
from tests.security.test_staff_matrix import grounds as grounds
from tests.server.authenticator import Device
from tests.server.material import Grounds, problem, run
from tests.server.signing import PASSWORD, Page, account, page
from tests.server.test_passkeys import added

from heartrule.identity import login_throttle

NEW = "another horse 8 staple"


def wrong(number: int) -> str:
    return f"guess number {number}"


async def password(who: Page, given: str) -> Any:
    return await who.ask("POST", "/staff/password", {"old": given, "new": NEW})


async def codes(who: Page, given: str) -> Any:
    return await who.ask("POST", "/staff/totp", {"password": given})


async def no_codes(who: Page, given: str) -> Any:
    return await who.ask("DELETE", "/staff/totp", {"password": given})


async def passkey(who: Page, given: str) -> Any:
    return await who.ask("POST", "/staff/passkeys/begin", {"password": given})


async def no_passkey(who: Page, given: str) -> Any:
    return await who.ask("DELETE", "/staff/passkeys/nosuchkey", {"password": given})


EVERYWHERE = [password, codes, no_codes, passkey, no_passkey]


@pytest.mark.parametrize("ask", EVERYWHERE)
def test_guessing_at_it_is_slowed(grounds: Grounds, ask: Any) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as stolen:
            await account(api, stolen, "wang")
            at_once = await asyncio.gather(*(ask(stolen, wrong(number)) for number in range(12)))
            told = sorted(answer.status_code for answer in at_once)
            assert told == [403] * login_throttle.FREE + [429] * (12 - login_throttle.FREE)
            for other in EVERYWHERE:  # nor is the right one told from the wrong ones meanwhile, here or elsewhere
                answer = await other(stolen, PASSWORD)
                problem(answer, "too-many-requests", 429)
                assert int(answer.headers["Retry-After"]) >= 1
            grounds.clock.pass_(seconds=3)
            assert (await codes(stolen, PASSWORD)).status_code == 200
            assert (await ask(stolen, wrong(0))).status_code == 403  # who has mistyped begins anew

    run(work())


def test_the_owner_is_kept_out_of_nothing(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as stolen, page(api) as own:
            await account(api, stolen, "wang")
            for number in range(login_throttle.FREE + 1):
                last = await password(stolen, wrong(number))
            assert last.status_code == 429
            assert (await own.sign_in("wang")).status_code == 200
            device = Device()
            assert (await added(own, device)).status_code == 201
            assert (await password(own, PASSWORD)).status_code == 204
            problem(await stolen.ask("GET", "/staff/me"), "unauthorized", 401)

    run(work())


def test_a_code_that_is_to_be_confirmed_is_not_guessed_either(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang:
            await account(api, wang, "wang")
            secret = (await codes(wang, PASSWORD)).json()["secret"]
            now = api.context.sessions.clock.now()
            right = pyotp.TOTP(secret).at(now)
            told = []
            for number in range(login_throttle.FREE + 1):
                code = f"{(int(right) + 1 + number) % 1_000_000:06}"
                told.append((await wang.ask("PUT", "/staff/totp", {"code": code})).status_code)
            assert told == [409] * login_throttle.FREE + [429]
            grounds.clock.pass_(seconds=3)
            right = pyotp.TOTP(secret).at(api.context.sessions.clock.now())
            assert (await wang.ask("PUT", "/staff/totp", {"code": right})).status_code == 200

    run(work())
