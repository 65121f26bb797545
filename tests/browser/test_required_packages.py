"""From the gallery, with the packages that a course requires, to a trial, a newer version and a published release."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.authoring import Author
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.served import Served
from tests.browser.staffing import Account, administrator, seen
from tests.browser.test_releases import Visitor, gate, publish
from tests.server.required import Shelf, shelved


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    return shelved(tmp_path_factory.mktemp("shelf"))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, shelf: Shelf) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("required"), environment={"HEARTRULE_PACKAGES": str(shelf.index)})
    server.data.mkdir(parents=True)
    (server.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
    with server:
        yield server


def test_from_the_gallery_to_a_published_release(served: Served, shelf: Shelf, context: Opened) -> None:
    admin = administrator(served)
    lin, wei = admin.invite("lin", ("developer",)), admin.invite("wei", ("reviewer",))
    wei.call("PATCH", "/staff/me", {"locale": "en"})
    author = Author(lin, context)
    page = author.page

    # all that comes is shown before anything is kept
    page.goto(f"{served.url}/staff/workbench/gallery")
    item = page.locator(".gallery-list > li", has_text="About course")
    item.get_by_role("button", name="看看").click()
    expect(item.locator(".brought > li")).to_have_count(2)
    expect(item.locator(".brought")).to_contain_text("breathe")
    item.locator(".brought").scroll_into_view_if_needed()
    seen(page, "required-gallery-wide-zh")
    assert all(each["origin"] != "store" for each in lin.call("GET", "/workbench/projects")["projects"])
    item.locator("button.main").click()
    page.locator(".card.topic").first.wait_for()
    project = page.url.rpartition("/")[2].partition("?")[0]
    expect(page.locator(".findings-button")).not_to_have_class("error")

    # tried at once
    page.locator("[data-tour=try]").click()
    page.locator(".try .main").click()
    expect(page.locator("heart-chat")).to_contain_text("In, and out.")
    expect(page.locator("heart-chat")).to_contain_text("See you.")
    page.locator(".try .panel-head .icon").click()

    # looked at, kept because it is used, brought up to date when that was seen
    shelf.breathing("1.1.0", "In, and out. Slowly.", **{"more.yaml": LINK})
    dialog = required(page)
    expect(row(dialog, "warmth")).to_contain_text(">=1,<2")
    seen(page, "required-list-wide-zh")
    row(dialog, "breathing").get_by_role("button", name="看内容").click()
    dialog.get_by_text("skills.yaml").click()
    expect(dialog.locator("pre", has_text="breathe_in")).to_be_visible()
    seen(page, "required-texts-wide-zh")
    dialog.get_by_role("button", name="返回").click()
    row(dialog, "warmth").get_by_role("button", name="不再用").click()
    expect(dialog.get_by_role("alert")).to_contain_text("talk.yaml:12")
    seen(page, "required-used-wide-zh")
    row(dialog, "breathing").get_by_role("button", name="更新到 1.1.0").click()
    expect(dialog.locator(".brought")).to_contain_text("1.0.0 → 1.1.0")
    expect(dialog.locator(".brought")).to_contain_text("example.org")
    expect(dialog.locator(".brought")).to_contain_text("Slowly")
    seen(page, "required-update-wide-zh")
    dialog.locator("button.main").press("Enter")
    expect(row(dialog, "breathing")).to_contain_text("1.1.0")
    page.keyboard.press("Escape")
    page.locator(".card.topic").first.wait_for()
    narrow(lin, context, project)

    # released whole
    tried = Visitor(lin, lin.call("POST", f"/workbench/projects/{project}/try", {"script": "calm_down"}))
    tried.send(type="start")
    page.goto(f"{served.url}/staff/releases/of/{project}")
    page.get_by_role("button", name="做一个发布").click()
    page.get_by_role("button", name="检查（跑测试）").click()
    for name in ("lint", "tests", "debug", "notes"):
        gate(page, name)
    other = wei.into(context("english")).new_page()
    publish(other, page.url)
    expect(other.get_by_text("It is published.")).to_be_visible()
    told = lin.call("POST", "/sessions", {"script": "course/calm_down"})
    visitor = Visitor(lin, {"session": told["session"]["id"], "token": told["token"]})
    assert visitor.send(type="start") == "See you."
    assert author.wrong == []


LINK = "skills:\n  - skill: Read\n    id: read\n    actions:\n      - {type: say, id: link, content: https://example.org}\n"


def required(page: Page, more: str = "更多", name: str = "所用的包") -> Locator:
    page.get_by_role("button", name=more).click()
    page.get_by_role("menuitem", name=name).click()
    dialog = page.get_by_role("dialog", name=name)
    dialog.locator(".gallery-list").first.wait_for()
    return dialog


def row(dialog: Locator, name: str) -> Locator:
    return dialog.locator(".gallery-list > li", has=dialog.page.locator("h3", has_text=name))


def narrow(account: Account, context: Opened, project: str) -> None:
    """The same on a phone, in English."""
    account.call("PATCH", "/staff/me", {"locale": "en"})
    other = Author(account, context, "phone", locale="en-US")
    other.page.goto(f"{account.served.url}/staff/workbench/{project}")
    other.page.locator(".card.topic").first.wait_for()
    required(other.page, "More", "Required packages")
    seen(other.page, "required-list-phone-en")
    other.page.goto(f"{account.served.url}/staff/workbench/gallery")
    item = other.page.locator(".gallery-list > li", has_text="About course")
    item.get_by_role("button", name="Have a look").click()
    item.locator(".brought").scroll_into_view_if_needed()
    seen(other.page, "required-gallery-phone-en")
    assert other.wrong == []
    account.call("PATCH", "/staff/me", {"locale": "zh-CN"})
