"""Staff sign in at a provider that really is one: who is let in, as what, and which answers are not believed."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from tests.server.material import Grounds, problem, run
from tests.server.providing import ALICE, Provider, providing
from tests.server.signing import STAFF, Page, account, page

from heartrule.identity import federation
from heartrule.sessions.clock import SystemClock

BACK = "http://heartrule.test/staff/"
NOW: Any = {"clock": SystemClock()}


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with providing(BACK) as found:
        yield found


@pytest.fixture
def provider(running: Provider) -> Provider:
    running.tell(wrong="", people={"alice": ALICE})
    return running


async def sent(browser: Page) -> str:
    answer = await browser.client.post(f"{STAFF}/sign-in/provider/begin")
    assert answer.status_code == 200, answer.text
    url: str = answer.json()["url"]
    return url


async def come_back(browser: Page, back: dict[str, str]) -> Any:
    answer = await browser.client.post(f"{STAFF}/sign-in/provider", json=back)
    if answer.status_code == 200:
        browser.take(answer.json())
    return answer


async def sign_in(browser: Page, provider: Provider, who: str = "alice") -> Any:
    return await come_back(browser, provider.signs_in(await sent(browser), who))


def test_groups_decide_what_somebody_may_do_at_every_sign_in(grounds: Grounds, provider: Provider) -> None:
    groups = (
        {"name": "desk", "roles": ["counsellor"]},
        {"name": "sleep", "roles": ["developer", "reviewer"], "project": "p-1"},
    )
    staff = {"provider": provider.settings(groups)}

    async def work() -> None:
        async with grounds.asgi(store=NOW, staff=staff) as api, page(api) as alice:
            assert (await alice.client.get(f"{STAFF}/ways")).json() == {"provider": "Example"}
            assert (await sign_in(alice, provider)).status_code == 200
            assert alice.principal["name"] == "Alice 李"
            assert (alice.principal["roles"], alice.principal["granted"]) == (["counsellor"], [])
            first = alice.principal["id"]
            await alice.done("GET", "/desk/sessions")
            provider.tell(people={"alice": {**ALICE, "groups": ["sleep"]}})
            assert (await sign_in(alice, provider)).status_code == 200
            assert alice.principal["id"] == first
            assert alice.principal["roles"] == []
            assert {each["role"] for each in alice.principal["granted"]} == {"developer", "reviewer"}
            problem(await alice.ask("GET", "/desk/sessions"), "not-allowed", 403)
            await alice.done("GET", "/workbench/projects")
            provider.tell(people={"alice": {**ALICE, "groups": ["people who knit"]}})
            async with page(api) as elsewhere:
                problem(await sign_in(elsewhere, provider), "not-admitted", 403)
            # Whoever is in no group any more is signed out where they still were.
            problem(await alice.ask("GET", "/staff/me"), "unauthorized", 401)

    run(work())


WRONG = {
    "expired": "claims exp",
    "audience": "claims aud",
    "issuer": "claims iss",
    "nonce": "claims nonce",
    "unsigned": "signature",
    "secret": "signature",
    "stranger": "signature",
    "changed": "signature",
}
"""What it is refused for, as the log says."""


@pytest.mark.parametrize("wrong", WRONG)
def test_an_answer_that_is_not_for_this_sign_in_is_refused(
    grounds: Grounds, provider: Provider, wrong: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="heartrule")

    async def work() -> None:
        async with grounds.asgi(store=NOW, staff={"provider": provider.settings()}) as api, page(api) as alice:
            provider.tell(wrong=wrong)
            problem(await sign_in(alice, provider), "provider-refused", 401)
            problem(await alice.ask("GET", "/staff/me"), "unauthorized", 401)
            assert await api.context.accounts.are_none()
            provider.tell(wrong="")
            assert (await sign_in(alice, provider)).status_code == 200

    run(work())
    assert f"why={WRONG[wrong]}" in caplog.text.replace('"', "")


def test_a_token_of_another_sign_in_is_refused(grounds: Grounds, provider: Provider) -> None:
    async def work() -> None:
        async with (
            grounds.asgi(store=NOW, staff={"provider": provider.settings()}) as api,
            page(api) as alice,
            page(api) as thief,
        ):
            assert (await sign_in(alice, provider)).status_code == 200
            provider.tell(wrong="replayed")
            problem(await sign_in(thief, provider), "provider-refused", 401)

    run(work())


def test_what_comes_back_counts_once_and_in_the_browser_that_was_sent(grounds: Grounds, provider: Provider) -> None:
    async def work() -> None:
        async with (
            grounds.asgi(store=NOW, staff={"provider": provider.settings()}) as api,
            page(api) as alice,
            page(api) as other,
        ):
            back = provider.signs_in(await sent(alice))
            problem(await come_back(other, back), "provider-refused", 401)  # sent by nobody
            await sent(other)
            problem(await come_back(other, back), "provider-refused", 401)  # sent with another state
            handle = dict(alice.client.cookies)
            assert (await come_back(alice, back)).status_code == 200
            alice.client.cookies.update(handle)
            problem(await come_back(alice, back), "provider-refused", 401)
            again = provider.signs_in(await sent(alice))
            problem(await come_back(alice, {**again, "iss": "https://x.example"}), "provider-refused", 401)
            elsewhere = {"Sec-Fetch-Site": "cross-site"}
            for path in ("/sign-in/provider/begin", "/sign-in/provider"):
                answer = await alice.client.post(f"{STAFF}{path}", json=back, headers=elsewhere)
                problem(answer, "csrf", 403)

    run(work())


def test_keys_change_and_withdrawn_ones_count_no_more(
    grounds: Grounds, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(federation, "PATIENCE", 0.0)

    async def work() -> None:
        async with grounds.asgi(store=NOW, staff={"provider": provider.settings()}) as api, page(api) as alice:
            assert (await sign_in(alice, provider)).status_code == 200
            provider.tell(rotate=True)
            assert (await sign_in(alice, provider)).status_code == 200
            provider.tell(wrong="withdrawn")
            problem(await sign_in(alice, provider), "provider-refused", 401)

    run(work())


def test_what_is_asked_is_bound_by_pkce_state_and_nonce(grounds: Grounds, provider: Provider) -> None:
    async def work() -> None:
        async with grounds.asgi(store=NOW, staff={"provider": provider.settings()}) as api, page(api) as alice:
            asked = [dict(parse_qsl(urlsplit(await sent(alice)).query)) for _ in range(2)]
            assert {each["code_challenge_method"] for each in asked} == {"S256"}
            assert {each["redirect_uri"] for each in asked} == {BACK}
            for name in ("state", "nonce", "code_challenge"):
                assert len({each[name] for each in asked}) == 2
                assert all(len(each[name]) >= 43 for each in asked)

    run(work())


def test_a_local_account_of_the_same_name_is_not_theirs(grounds: Grounds, provider: Provider) -> None:
    async def work() -> None:
        async with (
            grounds.asgi(store=NOW, staff={"provider": provider.settings()}) as api,
            page(api) as local,
            page(api) as alice,
            page(api) as root,
        ):
            await account(api, root, "root", ["administrator"])
            await account(api, local, "alice", ["administrator"])
            assert (await sign_in(alice, provider)).status_code == 200
            assert alice.principal["id"] != local.principal["id"]
            assert alice.principal["roles"] == ["counsellor"]
            theirs = f"/staff/accounts/{alice.principal['id']}"
            problem(await root.ask("POST", f"{theirs}/link"), "provider-signs-in", 409)
            problem(await alice.ask("POST", "/staff/passkeys/begin", {}), "provider-signs-in", 409)
            await root.done("PATCH", theirs, {"disabled": True})
            problem(await alice.ask("GET", "/staff/me"), "unauthorized", 401)
            problem(await sign_in(alice, provider), "not-admitted", 403)

    run(work())


def test_signing_out_goes_on_to_the_provider(grounds: Grounds, provider: Provider) -> None:
    async def work() -> None:
        async with (
            grounds.asgi(store=NOW, staff={"provider": provider.settings()}) as api,
            page(api) as alice,
            page(api) as local,
        ):
            assert (await sign_in(alice, provider)).status_code == 200
            url = (await alice.done("POST", "/staff/sign-out"))["url"]
            given = dict(parse_qsl(urlsplit(url).query))
            assert url.startswith(f"{provider.issuer}/session/end?")
            assert given["post_logout_redirect_uri"] == BACK
            assert given["id_token_hint"].count(".") == 2
            problem(await alice.ask("GET", "/staff/me"), "unauthorized", 401)
            await account(api, local, "local")
            assert (await local.done("POST", "/staff/sign-out")) == {"url": None}

    run(work())


def test_a_provider_that_is_not_there_or_says_it_is_another_is_told(grounds: Grounds, provider: Provider) -> None:
    async def work() -> None:
        for issuer in ("http://127.0.0.1:9", f"{provider.issuer}/"):
            staff = {"provider": {**provider.settings(), "issuer": issuer}}
            async with grounds.asgi(store=NOW, staff=staff) as api, page(api) as alice:
                answer = await alice.client.post(f"{STAFF}/sign-in/provider/begin")
                problem(answer, "provider-unreachable", 502)
        async with grounds.asgi() as api, page(api) as alice:
            assert (await alice.client.get(f"{STAFF}/ways")).json() == {"provider": None}
            problem(await alice.client.post(f"{STAFF}/sign-in/provider/begin"), "not-found", 404)

    run(work())
