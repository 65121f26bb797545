"""A way through every page and every state of one that a visitor can come to, in an order that needs one session."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page
from tests.browser.visiting import Visitor

DANGER = {"zh-CN": "我不想活了，今晚就想结束自己的生命", "en": "I want to kill myself tonight"}
SCRIPTS = {"zh-CN": "cbt/first_assessment", "en": "cbt/abc_intro_en"}


def tour(visitor: Visitor, locale: str) -> Iterator[str]:
    """Goes from page to page and says the name of each one it has come to. ``visitor`` has not begun anything."""
    page, url = visitor.page, visitor.served.url
    page.goto(url)
    page.locator(".scripts a").first.wait_for()
    yield "arrive"
    menu(page)
    yield "options"
    page.keyboard.press("Escape")
    yield from helping(page, "help on the first page")
    yield from addresses(page, url)
    visitor.begin()
    yield "session, its first words"
    visitor.answer()
    visitor.awaits(visitor.awaits()["last"] - 1)
    yield "session"
    page.locator(".steps-button").click()
    yield "session, with its steps"
    page.locator(".steps-button").click()
    menu(page)
    yield "session, options"
    page.locator(".option-items button").nth(1).click()
    page.get_by_role("dialog").wait_for()
    yield "ending?"
    page.get_by_role("dialog").locator(".second").click()
    page.locator(".rest").wait_for()
    yield "paused"
    page.locator(".rest button").first.click()
    page.locator(".rest").wait_for(state="detached")
    yield "going on"
    page.locator(".top .icon-button").first.click()
    page.get_by_role("dialog").wait_for()
    yield "leaving?"
    page.keyboard.press("Escape")
    visitor.awaits()
    before = visitor.awaits()["last"]
    visitor.say(DANGER[locale])
    visitor.awaits(before)
    page.wait_for_function("() => document.querySelector('heart-chat').conversation.state.inCrisis")
    yield "crisis"
    yield from helping(page, "help in a crisis")
    visitor.hold()
    page.locator(".rest").wait_for()
    yield "ended"
    session = visitor.session
    page.goto(f"{url}/#/read/{session}")
    page.locator(".transcript").wait_for()
    yield "read"
    for name, address, sign in (
        ("summary", f"#/summary/{session}", "summary-paper h2"),
        ("record", "#/record", "summary-paper h2"),
        ("space", "#/space", "#consents + p + ul li"),
    ):
        page.goto(f"{url}/{address}")
        page.locator(sign).first.wait_for()
        yield name
    page.goto(f"{url}/#/")
    page.locator(".onward a").wait_for()
    yield "arrive, with something to go on with"


def addresses(page: Page, url: str) -> Iterator[str]:
    for name, address, sign in (
        ("what", "#/what", ".notice h1"),
        ("begin", "#/begin/cbt/first_assessment", ".notice h1"),
        ("a script that is not there", "#/begin/cbt/none", ".message h1, .message h2"),
        ("a session that is not here", "#/session/none", ".message h1, .message h2"),
        ("a link that is broken", "#/back/broken", ".message h1, .message h2"),
        ("an address that leads nowhere", "#/elsewhere", ".scripts a"),
    ):
        page.goto("about:blank")
        page.goto(f"{url}/{address}")
        page.locator(sign).first.wait_for()
        yield name


def helping(page: Page, name: str) -> Iterator[str]:
    page.locator(".help-button").click()
    page.locator("help-sheet").get_by_role("link").first.wait_for()
    yield name
    page.keyboard.press("Escape")
    page.locator("help-sheet").wait_for(state="detached")


def menu(page: Page) -> None:
    page.locator("options-menu button").first.click()
    page.locator("#options").wait_for()
