"""A device that others use too: how long it keeps what opens the conversations, leaving at once, and nobody looking."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.conftest import UNLIMITED, Opened, Serving
from tests.browser.pages import findings, overflow
from tests.browser.served import Served
from tests.browser.test_taking_back import picture
from tests.browser.visiting import Visitor

KEPT = "(area) => Object.keys(area === 'tab' ? sessionStorage : localStorage).filter((key) => /session\\./.test(key))"
ELSEWHERE = "https://www.baidu.com/"


def away(opened: BrowserContext) -> None:
    """Nothing leaves this machine."""
    page = "<!doctype html><title>elsewhere</title>"
    opened.route("https://*.*.*/**", lambda route: route.fulfill(body=page, content_type="text/html"))


def choose(page: Page, label: str) -> None:
    page.locator("options-menu > button").click()
    page.get_by_role("radio", name=label, exact=True).click()


def test_what_opens_a_conversation_goes_with_the_tab(served: Served, context: Opened) -> None:
    opened = context("phone")
    visitor = Visitor(opened.new_page(), served, "cbt/abc_intro")
    visitor.begin()
    page = visitor.page
    choose(page, "只到关掉标签页")
    expect(page.locator(".option-note")).to_contain_text("关掉这个标签页")
    picture(page, "menu-keeping")
    assert findings(page) == []
    assert overflow(page) == 0
    assert page.evaluate(KEPT, "device") == []
    assert len(page.evaluate(KEPT, "tab")) == 1
    page.reload()
    visitor.awaits()
    other = opened.new_page()
    other.goto(page.url)
    expect(other.locator("h1")).to_have_text("这里找不到这场谈话。")


def test_a_device_that_keeps_nothing_keeps_nothing(serving: Serving, context: Opened) -> None:
    served = serving()
    served.stop()
    served.data.joinpath("heartrule.toml").write_text('[server]\npersistence = "none"\n' + UNLIMITED, encoding="utf-8")
    served.start()
    page = context("desktop").new_page()
    visitor = Visitor(page, served, "cbt/abc_intro")
    visitor.begin()
    visitor.box.fill("只打了一半")
    assert page.evaluate("Object.keys(localStorage)") == []
    assert page.evaluate("Object.keys(sessionStorage)") == ["heartrule.visitor.persistence.site"]
    page.locator("options-menu > button").click()
    expect(page.locator(".option-note")).to_contain_text("什么也不记")
    assert page.get_by_text("一直记着", exact=True).count() == 0
    page.wait_for_function("navigator.serviceWorker.getRegistrations().then((all) => all.length === 0)")
    page.reload()
    expect(page.locator("h1")).to_have_text("这里找不到这场谈话。")


@pytest.mark.parametrize("way", ["button", "key", "word"])
def test_leaving_at_once_leaves_nothing_on_the_screen_or_in_the_way_back(
    served: Served, context: Opened, way: str
) -> None:
    opened = context("phone" if way == "button" else "desktop")
    away(opened)
    page = opened.new_page()
    page.goto(served.url)
    visitor = Visitor(page, served, "cbt/abc_intro")
    visitor.begin()
    session, token = visitor.session, visitor.token
    if way == "button":
        picture(page, "quick-exit")
        assert overflow(page) == 0
        page.locator(".quick-exit").click()
    elif way == "key":
        visitor.box.focus()
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
    else:
        visitor.box.fill("快速离开")
        visitor.box.press("Enter")
    page.wait_for_url(ELSEWHERE)
    assert [each["content"] for each in served.messages(session, token) if each["sender"] == "person"] == []
    page.evaluate("history.forward()")
    assert page.url == ELSEWHERE
    page.go_back()
    assert "session" not in page.url
    back = opened.new_page()
    back.goto(f"{served.url}/#/")
    expect(back.locator(".onward a")).to_have_count(1)


def test_nobody_can_read_a_page_that_nobody_looks_at(served: Served, context: Opened) -> None:
    visitor = Visitor(context("phone").new_page(), served, "cbt/abc_intro")
    visitor.begin()
    page = visitor.page
    visitor.box.fill("还在打的字")
    veiled = "getComputedStyle(document.body, '::after').position === 'fixed'"
    assert not page.evaluate(veiled)
    page.evaluate("dispatchEvent(new Event('blur'))")
    assert page.evaluate(veiled)
    picture(page, "veiled")
    page.evaluate("dispatchEvent(new Event('focus'))")
    assert not page.evaluate(veiled)
    expect(visitor.box).to_have_value("还在打的字")


def test_after_an_hour_on_screen_somebody_is_reminded_once(served: Served, context: Opened) -> None:
    opened = context("phone")
    page = opened.new_page()
    page.clock.install()
    visitor = Visitor(page, served, "cbt/abc_intro")
    visitor.begin()
    reminder = page.locator(".long-stay")
    expect(reminder).to_have_count(0)
    page.clock.fast_forward("01:00:00")
    expect(reminder).to_contain_text("一个小时")
    picture(page, "long-stay")
    assert findings(page) == []
    assert overflow(page) == 0
    reminder.get_by_role("button", name="知道了").click()
    expect(reminder).to_have_count(0)
    page.clock.fast_forward("02:00:00")
    expect(reminder).to_have_count(0)
