"""Signing in without a password: passkeys, in a device that the browser makes up, and a provider; and tokens for
programs. In both languages, and open to everybody's aids."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import CDPSession, Page, expect
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.served import Served
from tests.browser.staffing import PASSWORD, administrator, first_link, seen
from tests.server.providing import providing


def device(page: Page) -> CDPSession:
    """The browser has a device that keeps passkeys, and whoever is before it shows that it is they."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return session


def at_localhost(served: Served) -> str:
    """An address with a name, which passkeys need."""
    return re.sub(r"//127\.0\.0\.1", "//localhost", served.url)


def sign_out(page: Page, words: str) -> None:
    page.locator(".own-menu button").first.click()
    page.get_by_role("button", name=words).click()
    page.locator("#name").wait_for()


def test_somebody_signs_in_with_passkeys_alone(served: Served, context: Opened) -> None:
    page = context("desktop").new_page()
    device(page)
    page.goto(f"{at_localhost(served)}/staff/#/link/{first_link(served)}")
    page.locator("#name").fill("管理员")
    seen(page, "staff-link-passkey-wide-zh-light")
    page.get_by_role("button", name="建一个通行密钥").click()
    page.get_by_role("link", name="管理", exact=True).wait_for()
    page.goto(f"{at_localhost(served)}/staff/account")
    expect(page.get_by_role("list", name="通行密钥").locator("li")).to_have_count(1)
    expect(page.locator("#old")).to_have_count(0)
    seen(page, "staff-account-passkey-wide-zh-light")
    # The last way in stays.
    page.get_by_role("button", name="去掉").click()
    page.locator(".acts").get_by_role("button", name="去掉").click()
    expect(page.get_by_text("这是最后一种登录方式")).to_be_visible()
    sign_out(page, "退出")
    seen(page, "staff-sign-in-passkey-wide-zh-light")
    page.get_by_role("button", name="用通行密钥登录").click()
    page.get_by_role("link", name="管理", exact=True).wait_for()


def test_a_passkey_is_added_beside_a_password_and_removed(served: Served, context: Opened) -> None:
    wang = administrator(served).invite("wang")
    wang.call("PATCH", "/staff/me", {"locale": "en"})
    page = context("phone", locale="en-US", color_scheme="dark").new_page()
    session = device(page)
    page.goto(f"{at_localhost(served)}/staff/")
    page.locator("#name").fill(wang.name)
    page.locator("#password").fill(PASSWORD)
    page.locator(".door button.main").click()
    page.locator(".own-menu").wait_for()
    page.goto(f"{at_localhost(served)}/staff/account")
    page.get_by_role("button", name="Add a passkey").click()
    page.locator("#passkey-title").fill("my phone")
    page.locator("#passkey-password").fill(PASSWORD)
    seen(page, "staff-add-passkey-phone-en-dark")
    page.get_by_role("button", name="Make the passkey").click()
    passkeys = page.get_by_role("list", name="Passkeys").locator("li")
    expect(passkeys).to_contain_text("my phone")
    sign_out(page, "Sign out")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.locator(".own-menu").wait_for()
    page.goto(f"{at_localhost(served)}/staff/account")
    expect(passkeys).to_contain_text("last used")
    passkeys.get_by_role("button", name="Remove").click()
    page.locator("#passkey-password").fill(PASSWORD)
    page.locator(".acts").get_by_role("button", name="Remove").click()
    expect(passkeys).to_have_count(0)
    # The device still has it, and it opens nothing.
    sign_out(page, "Sign out")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator("[role=alert]")).to_contain_text("This passkey does not sign in here")
    session.detach()


def test_a_token_for_a_program_is_made_used_and_called_back(served: Served, context: Opened) -> None:
    root = administrator(served)
    wang = root.invite("wang")
    wang.call("PATCH", "/staff/me", {"locale": "en"})
    page = wang.into(context("desktop", locale="en-US")).new_page()
    page.goto(f"{served.url}/staff/account")
    page.get_by_text("A new token").click()
    page.locator("#service-name").fill("nightly report")
    page.get_by_role("checkbox", name="read sessions").check()
    seen(page, "staff-service-wide-en-light")
    page.get_by_role("button", name="Make it").click()
    token = page.locator("code.service-token").inner_text()
    seen(page, "staff-service-made-wide-en-light")
    assert served.get("/api/v1/desk/sessions", Authorization=f"Bearer {token}")[0] == 200
    assert served.get("/api/v1/desk/figures", Authorization=f"Bearer {token}")[0] == 403
    manager = root.into(context("desktop")).new_page()
    manager.goto(f"{served.url}/staff/administration/services")
    expect(manager.get_by_role("list", name="程序的令牌")).to_contain_text("nightly report")
    seen(manager, "staff-services-wide-zh-light")
    manager.get_by_role("button", name="撤销").click()
    expect(manager.get_by_text("没有令牌")).to_be_visible()
    assert served.get("/api/v1/desk/sessions", Authorization=f"Bearer {token}")[0] == 401


def test_somebody_comes_in_by_a_provider_and_leaves_there_too(tmp_path: Path, context: Opened) -> None:
    with providing() as provider:
        folder = tmp_path / "served"
        served = Served(folder, environment={"HEARTRULE_OIDC_SECRET": provider.client["secret"]})
        served.data.mkdir(parents=True)
        staff = (
            f'[server.staff.provider]\nissuer = "{provider.issuer}"\nname = "Example"\nclient_id = "heartrule"\n'
            'scopes = ["openid", "profile", "groups"]\n'
            '[[server.staff.provider.groups]]\nname = "desk"\nroles = ["counsellor"]\n'
        )
        (served.data / "heartrule.toml").write_text(UNLIMITED + staff, encoding="utf-8")
        with served:
            provider.tell(back=[f"{served.url}/staff/"])
            page = context("desktop", locale="en-US").new_page()
            page.goto(f"{served.url}/staff/")
            page.get_by_role("button", name="Sign in with Example").wait_for()
            seen(page, "staff-sign-in-provider-wide-en-light")
            page.get_by_role("button", name="Sign in with Example").click()
            page.locator("input[name=login]").fill("alice")
            page.locator("input[name=password]").fill("anything")
            page.locator("button[type=submit]").click()
            page.locator(".desk .list").wait_for()
            assert "code=" not in page.url
            page.goto(f"{served.url}/staff/account")
            expect(page.get_by_text("The provider signs this account in")).to_be_visible()
            expect(page.locator("#old")).to_have_count(0)
            page.locator(".own-menu button").first.click()
            page.get_by_role("button", name="Sign out").click()
            page.get_by_text("Yes, sign me out").click()
            page.locator("#name").wait_for()
            assert page.url.startswith(f"{served.url}/staff/")
