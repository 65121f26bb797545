"""Passkeys: made by a link and by who is signed in, signed in with, taken away; and what is shown that is none."""

from __future__ import annotations

from typing import Any

import pyotp
import pytest
from tests.server.authenticator import PRESENT, Device, plain
from tests.server.material import Asked, Grounds, problem, run
from tests.server.signing import PASSWORD, STAFF, Page, account, page

from heartrule.identity import login_throttle


async def asked(browser: Page, path: str, body: Any = None) -> dict[str, Any]:
    answer = await browser.ask("POST", f"/staff/{path}", body)
    assert answer.status_code == 200, answer.text
    options: dict[str, Any] = answer.json()["options"]
    return options


async def shown(browser: Page, device: Device) -> Any:
    options = await asked(browser, "sign-in/passkey/begin")
    answer = await browser.client.post(f"{STAFF}/sign-in/passkey", json={"credential": device.show(options)})
    if answer.status_code == 200:
        browser.take(answer.json())
    return answer


async def added(browser: Page, device: Device, title: str = "phone") -> Any:
    options = await asked(browser, "passkeys/begin", {"password": PASSWORD})
    return await browser.ask("POST", "/staff/passkeys", {"credential": device.make(options), "title": title})


async def by_link(api: Asked, browser: Page, device: Device, name: str = "wang") -> str:
    """Somebody who was invited and has chosen a passkey; their id."""
    _, made = await api.context.accounts.invite("test", name, ("counsellor",))
    options = await asked(browser, f"links/{made.token}/passkey/begin", {})
    body = {"credential": device.make(options), "title": "laptop"}
    answer = await browser.client.post(f"{STAFF}/links/{made.token}/passkey", json=body)
    assert answer.status_code == 200, answer.text
    browser.take(answer.json())
    problem(await browser.client.post(f"{STAFF}/links/{made.token}/passkey", json=body), "passkey-not-made", 409)
    found: str = browser.principal["id"]
    return found


def test_an_account_needs_no_password(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang, page(api) as elsewhere:
            device = Device()
            made = await api.context.accounts.first_link()
            assert made is not None
            problem(await wang.ask("POST", f"/staff/links/{made.token}/passkey/begin", {}), "name-refused", 422)
            options = await asked(wang, f"links/{made.token}/passkey/begin", {"name": "root"})
            assert options["authenticatorSelection"]["userVerification"] == "required"
            assert options["rp"]["id"] == "heartrule.test"
            body = {"credential": device.make(options), "title": "laptop"}
            answer = await wang.client.post(f"{STAFF}/links/{made.token}/passkey", json=body)
            assert answer.status_code == 200, answer.text
            wang.take(answer.json())
            assert plain(options["user"]["id"]).decode() == wang.principal["id"]
            listed = (await wang.done("GET", "/staff/accounts"))["accounts"]
            assert [(each["invited"], each["passkeys"]) for each in listed] == [(False, 1)]
            assert (await shown(elsewhere, device)).status_code == 200
            assert elsewhere.principal["id"] == wang.principal["id"]
            passkeys = (await wang.done("GET", "/staff/passkeys"))["passkeys"]
            assert [(each["title"], each["used_at"] is not None) for each in passkeys] == [("laptop", True)]
            # It is the last way in, and nobody else could make them another link.
            away = f"/staff/passkeys/{passkeys[0]['id']}"
            problem(await wang.ask("DELETE", away, {}), "last-way-in", 409)
            own = f"/staff/accounts/{wang.principal['id']}"
            problem(await wang.ask("PATCH", own, {"disabled": True}), "last-administrator", 409)
            problem(await elsewhere.sign_in("root", PASSWORD), "sign-in-failed", 401)

    run(work())


def test_one_is_added_with_the_password_and_taken_away(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang, page(api) as phone:
            await account(api, wang, "wang")
            wrong = {"password": "wrong wrong wrong"}
            problem(await wang.ask("POST", "/staff/passkeys/begin", wrong), "password-wrong", 403)
            problem(await wang.ask("POST", "/staff/passkeys/begin", {}), "password-wrong", 403)
            device = Device()
            assert (await added(wang, device)).status_code == 201
            assert (await shown(phone, device)).status_code == 200
            assert (await wang.done("GET", "/staff/security"))["password"] is True
            passkey = (await wang.done("GET", "/staff/passkeys"))["passkeys"][0]["id"]
            problem(await wang.ask("DELETE", f"/staff/passkeys/{passkey}", wrong), "password-wrong", 403)
            await wang.done("DELETE", f"/staff/passkeys/{passkey}", {"password": PASSWORD}, 204)
            problem(await wang.ask("DELETE", f"/staff/passkeys/{passkey}", {"password": PASSWORD}), "not-found", 404)
            problem(await phone.ask("GET", "/staff/me"), "unauthorized", 401)
            problem(await shown(phone, device), "passkey-refused", 401)
            deeds = {each.what for each in await api.context.sessions.store.audit.newest()}
            assert "passkey" in deeds

    run(work())


def test_a_passkey_stands_for_two_steps_and_a_link_replaces_all(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang, page(api) as phone:
            device = Device()
            own = await by_link(api, wang, device)
            made = await api.context.accounts.link("test", own)
            assert made.kind == "reset"
            assert (await phone.use_link(made.token)).status_code == 200
            problem(await wang.ask("GET", "/staff/me"), "unauthorized", 401)
            problem(await shown(wang, device), "passkey-refused", 401)  # lost or stolen, it opens nothing any more
            fresh = Device()
            assert (await added(phone, fresh)).status_code == 201
            made = await api.context.accounts.link("test", own)
            options = await asked(wang, f"links/{made.token}/passkey/begin", {})
            body = {"credential": (third := Device()).make(options), "title": "new"}
            answer = await wang.client.post(f"{STAFF}/links/{made.token}/passkey", json=body)
            assert answer.status_code == 200, answer.text
            problem(await phone.sign_in("wang"), "sign-in-failed", 401)
            problem(await shown(phone, fresh), "passkey-refused", 401)
            assert (await shown(phone, third)).status_code == 200

    run(work())


def test_no_link_goes_past_one_time_codes(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang, page(api) as thief:
            await account(api, wang, "wang")
            secret = (await wang.done("POST", "/staff/totp", {"password": PASSWORD}))["secret"]
            await wang.done("PUT", "/staff/totp", {"code": pyotp.TOTP(secret).at(grounds.clock.now())})
            made = await api.context.accounts.link("test", wang.principal["id"])
            assert (await thief.done("GET", f"/staff/links/{made.token}"))["passkey"] is False
            options = await asked(thief, f"links/{made.token}/passkey/begin", {})
            body = {"credential": Device().make(options), "title": "mine"}
            problem(await thief.client.post(f"{STAFF}/links/{made.token}/passkey", json=body), "not-found", 404)
            assert (await wang.done("GET", "/staff/me"))["principal"]["id"] == wang.principal["id"]

    run(work())


def test_without_a_password_whoever_changes_passkeys_has_just_signed_in(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang:
            device = Device()
            await by_link(api, wang, device)
            grounds.clock.pass_(seconds=11 * 60)  # type: ignore[attr-defined]
            problem(await wang.ask("POST", "/staff/passkeys/begin", {}), "proof-needed", 403)
            passkey = (await wang.done("GET", "/staff/passkeys"))["passkeys"][0]["id"]
            problem(await wang.ask("DELETE", f"/staff/passkeys/{passkey}", {}), "proof-needed", 403)
            assert (await shown(wang, device)).status_code == 200
            options = await asked(wang, "passkeys/begin", {})
            again = {"credential": Device().make(options), "title": "second"}
            assert (await wang.ask("POST", "/staff/passkeys", again)).status_code == 201
            problem(await wang.ask("POST", "/staff/passkeys", again), "passkey-not-made", 409)

    run(work())


def broken(device: Device, how: str) -> Device:
    if how == "of another page":
        device.origin = "https://heartrule.example"
    if how == "of nobody who showed who they are":
        device.flags = PRESENT
    if how == "copied":
        device.count = -1
    if how == "of another key":
        device.key = Device().key
    if how == "of another account":
        device.user = b"0123456789abcdef"
    return device


WRONG = ("of another page", "of nobody who showed who they are", "copied", "of another key", "of another account")


@pytest.mark.parametrize("how", WRONG)
def test_what_is_shown_that_is_none_is_refused(grounds: Grounds, how: str) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang, page(api) as thief:
            device = Device()
            device.count = 3
            await by_link(api, wang, device)
            assert (await shown(thief, device)).status_code == 200
            problem(await shown(thief, broken(device, how)), "passkey-refused", 401)

    run(work())


def test_what_was_shown_once_or_is_shown_late_is_refused(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang, page(api) as thief:
            device = Device()
            await by_link(api, wang, device)
            options = await asked(wang, "sign-in/passkey/begin")
            sent = {"credential": device.show(options)}
            assert (await wang.client.post(f"{STAFF}/sign-in/passkey", json=sent)).status_code == 200
            problem(await thief.client.post(f"{STAFF}/sign-in/passkey", json=sent), "passkey-refused", 401)
            late = device.show(await asked(thief, "sign-in/passkey/begin"))
            grounds.clock.pass_(seconds=601)  # type: ignore[attr-defined]
            answer = await thief.client.post(f"{STAFF}/sign-in/passkey", json={"credential": late})
            problem(answer, "passkey-refused", 401)
            # What was made for one thing answers no other, and rubbish is no fault of ours.
            made = await asked(thief, "sign-in/passkey/begin")
            for wrong in ({}, {"response": {}}, {"response": {"clientDataJSON": "!", "userHandle": 3}}, {"id": [made]}):
                answer = await thief.client.post(f"{STAFF}/sign-in/passkey", json={"credential": wrong})
                problem(answer, "passkey-refused", 401)

    run(work())


def test_a_disabled_account_has_no_passkeys_that_open(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.asgi() as api, page(api) as wang, page(api) as root:
            await account(api, root, "root", ["administrator"])
            device = Device()
            own = await by_link(api, wang, device)
            await root.done("PATCH", f"/staff/accounts/{own}", {"disabled": True})
            problem(await shown(wang, device), "passkey-refused", 401)

    run(work())


def test_guesses_at_passwords_keep_nobody_with_a_passkey_out(grounds: Grounds) -> None:
    """Not even from the address that guesses, in a browser that nobody has signed in with."""

    async def work() -> None:
        thief_at = "203.0.113.9"
        async with grounds.asgi() as api, page(api) as wang, page(api, thief_at) as thief:
            await account(api, wang, "wang")
            device = Device()
            assert (await added(wang, device)).status_code == 201
            for number in range(login_throttle.FREE + 1):
                last = await thief.sign_in("wang", f"guess number {number}")
            assert last.status_code == 429
            async with page(api, thief_at) as fresh:
                problem(await fresh.sign_in("wang"), "too-many-requests", 429)
                assert (await shown(fresh, device)).status_code == 200

    run(work())
