"""How staff get in: the first administrator, an invitation, one-time codes, sign-ins ended from elsewhere."""

from __future__ import annotations

import re

import pyotp
from playwright.sync_api import Page, expect
from tests.browser.conftest import Opened
from tests.browser.served import Served
from tests.browser.staffing import PASSWORD, administrator, first_link, seen


def sign_in(page: Page, name: str, password: str = PASSWORD, code: str = "") -> None:
    page.locator("#name").fill(name)
    page.locator("#password").fill(password)
    if code:
        page.locator("#code").fill(code)
    page.locator(".door button.main").click()


def test_the_first_administrator_invites_a_counsellor_who_comes_in_with_codes(served: Served, context: Opened) -> None:
    page = context("desktop").new_page()
    page.goto(f"{served.url}/staff/#/link/{first_link(served)}")
    page.locator("#again").wait_for()
    assert first_link(served) not in page.url
    seen(page, "staff-first-wide-zh-light")
    page.locator("#name").fill("管理员")
    page.locator("#password").fill(PASSWORD)
    page.locator("#again").fill("something else")
    page.locator(".door button.main").click()
    expect(page.locator("[role=alert]")).to_contain_text("两遍不一样")
    page.locator("#again").fill(PASSWORD)
    page.locator(".door button.main").click()
    page.get_by_role("link", name="管理", exact=True).click()
    page.locator("#add-name").fill("wang")
    page.locator("#add-shown").fill("王老师")
    page.locator(".fields button.main").click()
    page.locator(".given code").wait_for()
    seen(page, "staff-accounts-wide-zh-light")
    invitation = page.locator(".given code").inner_text()

    phone = context("phone", locale="en-US", color_scheme="dark").new_page()
    phone.goto(invitation)
    phone.locator("#password").fill(PASSWORD)
    phone.locator("#again").fill(PASSWORD)
    seen(phone, "staff-invitation-phone-en-dark")
    phone.locator(".door button.main").click()
    expect(phone.locator(".head nav")).to_have_text("Desk")
    phone.locator(".own-menu button").first.click()
    phone.get_by_role("link", name="My account").click()
    phone.get_by_role("button", name="Turn two-step sign-in on").click()
    phone.locator("#totp-password").fill(PASSWORD)
    phone.get_by_role("button", name="Turn two-step sign-in on").click()
    codes = pyotp.TOTP(phone.locator("form:has(svg.qr) code").inner_text())
    expect(phone.locator("svg.qr")).to_be_visible()
    seen(phone, "staff-codes-phone-en-dark")
    phone.locator("#totp-code").fill(codes.now())
    phone.get_by_role("button", name="Confirm").click()
    expect(phone.locator(".codes code")).to_have_count(10)
    recovery = phone.locator(".codes code").first.inner_text()
    phone.get_by_role("button", name="I have written them down").click()
    seen(phone, "staff-account-phone-en-dark")
    phone.locator(".own-menu button").first.click()
    seen(phone, "staff-menu-phone-en-dark")
    phone.get_by_role("button", name="Sign out").click()

    phone.locator("#name").wait_for()
    seen(phone, "staff-sign-in-phone-en-dark")
    sign_in(phone, "wang", "not the password")
    expect(phone.locator("[role=alert]")).not_to_be_empty()
    assert phone.locator("#code").count() == 0
    sign_in(phone, "wang")
    phone.locator("#code").wait_for()
    sign_in(phone, "wang", code=recovery)
    expect(phone.locator(".head nav")).to_have_text("Desk")

    phone.goto(invitation)
    expect(phone.locator("h1")).to_have_text("This link does not open")
    page.get_by_role("link", name="审计").click()
    expect(page.locator("table")).to_contain_text("王老师")
    seen(page, "staff-audit-wide-zh-light")


def test_a_sign_in_that_is_ended_elsewhere_shows_nothing_more(served: Served, context: Opened) -> None:
    admin = administrator(served)
    page = admin.into(context("desktop")).new_page()
    page.goto(f"{served.url}/staff/account")
    own = page.locator(".rows li")
    expect(own).to_have_count(1)
    other = context("english").new_page()
    other.goto(f"{served.url}/staff/account")
    sign_in(other, "admin")
    expect(other.locator(".rows li")).to_have_count(2)
    page.reload()
    page.get_by_role("button", name="让它退出").click()
    expect(own).to_have_count(1)
    other.locator("a[href='/staff/administration']").click()
    expect(other.locator("#password")).to_be_visible()
    expect(other.locator(".rows")).to_have_count(0)


def test_a_role_in_one_project_is_chosen_by_its_name(served: Served, context: Opened) -> None:
    """Somebody is given a role in one project, and it is seen afterwards where it counts."""
    admin = administrator(served)
    author = admin.invite("li", ("developer",))
    for name in ("睡眠", "焦虑"):
        author.call("POST", "/workbench/projects", {"name": name, "template": "empty", "locale": "zh-CN"})
    page = admin.into(context("desktop")).new_page()
    page.goto(f"{served.url}/staff/administration")
    page.locator("#add-name").fill("zhao")
    page.get_by_role("checkbox", name=re.compile("^咨询师")).uncheck()
    reviews = page.get_by_role("group", name="只在这些项目里审阅和发布")
    reviews.get_by_role("checkbox", name=re.compile("睡眠")).check()
    page.locator(".fields button.main").click()
    page.locator(".given code").wait_for()
    row = page.locator(".rows:not(.members) li", has_text="zhao")
    expect(row).to_contain_text("(睡眠)")
    seen(page, "staff-role-in-a-project-wide-zh-light")
    row.get_by_role("button", name="修改").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("checkbox", name=re.compile("睡眠")).nth(1)).to_be_checked()
    expect(dialog.get_by_role("checkbox", name=re.compile("焦虑")).nth(1)).not_to_be_checked()


def test_who_works_on_a_project_is_seen_and_chosen_in_one_place(served: Served, context: Opened) -> None:
    admin = administrator(served)
    lin, wang = admin.invite("lin", ("developer",)), admin.invite("wang")
    project = lin.call("POST", "/workbench/projects", {"name": "睡眠", "template": "empty", "locale": "zh-CN"})
    other = lin.call("POST", "/workbench/projects", {"name": "情绪", "template": "empty", "locale": "zh-CN"})

    def granted() -> list[tuple[str, str]]:
        accounts = admin.call("GET", "/staff/accounts")["accounts"]
        (found,) = [each for each in accounts if each["id"] == wang.id]
        return [(each["role"], each["project"]) for each in found["granted"]]

    page = admin.into(context("desktop")).new_page()
    page.goto(f"{served.url}/staff/administration")
    page.get_by_label("项目", exact=True).select_option(project["id"])
    row = page.locator(".members li", has_text="wang")
    expect(page.locator(".members li", has_text="lin")).to_contain_text("编写者（所有项目）")
    row.get_by_label("审阅者").click()
    expect(row.get_by_label("审阅者")).to_be_checked()
    seen(page, "staff-members-wide-zh-light")
    assert granted() == [("reviewer", project["id"])]
    page.get_by_label("项目", exact=True).select_option(other["id"])
    expect(row.get_by_label("审阅者")).not_to_be_checked()
    row.get_by_label("编写者").click()
    expect(row.get_by_label("编写者")).to_be_checked()
    assert sorted(granted()) == sorted([("reviewer", project["id"]), ("developer", other["id"])])
    page.get_by_label("项目", exact=True).select_option(project["id"])
    row.get_by_label("审阅者").click()
    expect(row.get_by_label("审阅者")).not_to_be_checked()
    assert granted() == [("developer", other["id"])]
