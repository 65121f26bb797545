"""Problems that staff meet."""

from __future__ import annotations

import httpx2
import pyotp
from tests.server.material import API, Asked, Grounds
from tests.server.reaching import reaching
from tests.server.signing import PASSWORD, Page, account, administrator, page

SECRET = "我从没跟人说过的话"


async def codes_on(api: Asked, browser: Page) -> pyotp.TOTP:
    secret = (await browser.done("POST", "/staff/totp", {"password": PASSWORD}))["secret"]
    app = pyotp.TOTP(secret)
    await browser.done("PUT", "/staff/totp", {"code": app.at(api.context.sessions.clock.now())})
    return app


@reaching("sign-in-failed")
async def sign_in_failed(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as wang:
        return await wang.sign_in("wang", SECRET)


@reaching("code-needed")
async def code_needed(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as wang:
        await codes_on(api, await account(api, wang, "wang"))
        return await wang.sign_in("wang")


@reaching("code-wrong")
async def code_wrong(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as wang:
        await codes_on(api, await account(api, wang, "wang"))
        return await wang.sign_in("wang", code="000000")


@reaching("code-not-right")
async def code_not_right(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as wang:
        await account(api, wang, "wang")
        await wang.done("POST", "/staff/totp", {"password": PASSWORD})
        return await wang.ask("PUT", "/staff/totp", {"code": "000000"})


@reaching("csrf")
async def csrf(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as wang:
        (await account(api, wang, "wang")).csrf = None
        return await wang.ask("PUT", "/desk/me/here", {"here": True})


@reaching("not-allowed")
async def not_allowed(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as wang:
        return await (await account(api, wang, "wang")).ask("GET", "/staff/accounts")


@reaching("password-wrong")
async def password_wrong(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as wang:
        body = {"old": SECRET, "new": "another good password"}
        return await (await account(api, wang, "wang")).ask("POST", "/staff/password", body)


@reaching("password-refused")
async def password_refused(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as wang:
        body = {"old": PASSWORD, "new": SECRET[:5]}
        return await (await account(api, wang, "wang")).ask("POST", "/staff/password", body)


@reaching("name-refused")
async def name_refused(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as wang:
        return await (await account(api, wang, "wang")).ask("PATCH", "/staff/me", {"name": " 王"})


@reaching("name-taken")
async def name_taken(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as root:
        return await (await administrator(api, root)).ask("POST", "/staff/accounts", {"name": "Root", "roles": []})


@reaching("last-administrator")
async def last_administrator(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as root:
        own = (await administrator(api, root)).principal["id"]
        return await root.ask("PATCH", f"/staff/accounts/{own}", {"roles": ["counsellor"]})


@reaching("reason-needed")
async def reason_needed(api: Asked, _: Grounds) -> httpx2.Response:
    visit, _turn = await api.begun()
    async with page(api) as wang:
        body = {"key": "key-00001", "closed": True, "note": SECRET}
        return await (await account(api, wang, "wang")).ask("POST", f"/desk/sessions/{visit.id}/hand-back", body)


@reaching("placeholder-unknown")
async def placeholder_unknown(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as wang:
        body = {"title": "x", "text": "{nothing}"}
        return await (await account(api, wang, "wang")).ask("POST", "/desk/canned", body)


@reaching("value-refused")
async def value_refused(api: Asked, _: Grounds) -> httpx2.Response:
    answer = await api.post(f"{API}/sessions", {"script": "tests/small", "variables": {"睡了": 3}})
    session = answer.json()["session"]["id"]
    turn = {"key": "key-start", "input": {"type": "start"}}
    await api.post(f"{API}/sessions/{session}/turns", turn, answer.json()["token"])
    async with page(api) as wang:
        body = {"key": "key-value", "scope": "session", "name": "睡了", "value": 99, "reason": SECRET}
        return await (await account(api, wang, "wang")).ask("PUT", f"/desk/sessions/{session}/values", body)
