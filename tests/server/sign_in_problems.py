"""Problems that staff meet who sign in without a password, and those who make tokens for programs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx2
from tests.server.authenticator import Device
from tests.server.material import Asked, Grounds
from tests.server.reaching import reaching
from tests.server.signing import STAFF, Page, account, page

from heartrule.identity.accounts import Accounts
from heartrule.identity.federation import Federation, ProviderClaims
from heartrule.identity.provider_settings import ProviderSettings
from heartrule.identity.services import MOST
from heartrule.sessions.clock import Clock
from heartrule.store.store import Store

BACK = {"code": "x", "state": "x"}


async def by_passkey(api: Asked, browser: Page) -> Page:
    """Somebody who has a passkey and no password."""
    _, made = await api.context.accounts.invite("test", "wang", ["counsellor"])
    options = (await browser.done("POST", f"/staff/links/{made.token}/passkey/begin", {}))["options"]
    body = {"credential": Device().make(options), "title": "laptop"}
    browser.take(await browser.done("POST", f"/staff/links/{made.token}/passkey", body))
    return browser


class Stranger(Federation):
    """A provider that knows somebody whom nobody here knows."""

    async def finish(self, handle: str, code: str, state: str, issuer: str | None) -> ProviderClaims:
        return ProviderClaims("http://127.0.0.1:9", "s", "stranger", "Stranger", frozenset(), "x.y.z")


def provider(api: Asked, kind: type[Federation] = Federation) -> None:
    settings = ProviderSettings.model_validate(
        {
            "issuer": "http://127.0.0.1:9",
            "name": "Example",
            "client_id": "x",
            "groups": [{"name": "desk", "roles": ["counsellor"]}],
        }
    )
    store: Store = api.context.sessions.store
    clock: Clock = api.context.sessions.clock
    app: Any = api.client._transport.app  # type: ignore[attr-defined]
    app.state.context = replace(api.context, federation=kind(store, clock, settings))


@reaching("passkey-refused")
async def passkey_refused(api: Asked, _: Grounds) -> httpx2.Response:
    return await api.client.post(f"{STAFF}/sign-in/passkey", json={"credential": {"id": "x"}})


@reaching("passkey-not-made")
async def passkey_not_made(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as wang:
        body = {"credential": {"id": "x"}, "title": "mine"}
        return await (await account(api, wang, "wang")).ask("POST", "/staff/passkeys", body)


@reaching("proof-needed")
async def proof_needed(api: Asked, grounds: Grounds) -> httpx2.Response:
    async with page(api) as wang:
        await by_passkey(api, wang)
        grounds.clock.pass_(seconds=3600)
        return await wang.ask("POST", "/staff/passkeys/begin", {})


@reaching("last-way-in")
async def last_way_in(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as wang:
        await by_passkey(api, wang)
        only = (await wang.done("GET", "/staff/passkeys"))["passkeys"][0]["id"]
        return await wang.ask("DELETE", f"/staff/passkeys/{only}", {})


@reaching("no-waking")
async def no_waking(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as wang:
        await account(api, wang, "wang")
        return await wang.ask("PUT", "/desk/me/waking", {"endpoint": "https://push.example.org/x"})


@reaching("provider-signs-in")
async def provider_signs_in(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as root:
        accounts: Accounts = api.context.accounts
        theirs = await accounts.admit(("i", "s"), "alice", "Alice", ["counsellor"], [])
        await account(api, root, "root", ["administrator"])
        return await root.ask("POST", f"/staff/accounts/{theirs.id}/link")


@reaching("provider-unreachable")
async def provider_unreachable(api: Asked, _: Grounds) -> httpx2.Response:
    provider(api)
    return await api.client.post(f"{STAFF}/sign-in/provider/begin")


@reaching("provider-refused")
async def provider_refused(api: Asked, _: Grounds) -> httpx2.Response:
    provider(api)
    return await api.client.post(f"{STAFF}/sign-in/provider", json=BACK)


@reaching("not-admitted")
async def not_admitted(api: Asked, _: Grounds) -> httpx2.Response:
    provider(api, Stranger)
    return await api.client.post(f"{STAFF}/sign-in/provider", json=BACK)


@reaching("scope-refused")
async def scope_refused(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as wang:
        body = {"name": "p", "scopes": ["scripts.write"]}
        return await (await account(api, wang, "wang")).ask("POST", "/staff/service-tokens", body)


@reaching("too-many-services")
async def too_many_services(api: Asked, _: Grounds) -> httpx2.Response:
    async with page(api) as wang:
        await account(api, wang, "wang")
        body = {"name": "p", "scopes": ["desk.read"]}
        for _number in range(MOST):
            await wang.done("POST", "/staff/service-tokens", body, 201)
        return await wang.ask("POST", "/staff/service-tokens", body)
