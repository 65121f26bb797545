"""Somebody leaves on a computer that others use too: what is removed in one tab is gone in all of them."""

from __future__ import annotations

from tests.browser.conftest import Opened
from tests.browser.served import Served
from tests.browser.visiting import Visitor

OF_IT = """(id) => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) => key.includes(id))"""


def test_what_one_tab_removes_is_in_no_other(served: Served, context: Opened) -> None:
    opened = context("desktop")
    visitor = Visitor(opened.new_page(), served, "cbt/abc_intro")
    visitor.begin()
    visitor.answer()
    session = visitor.session
    reading, listing, typing = (opened.new_page() for _ in range(3))
    reading.goto(f"{served.url}/#/read/{session}")
    reading.locator(".transcript .said").first.wait_for()
    typing.goto(f"{served.url}/#/session/{session}")
    typing.locator("heart-chat textarea").fill("只有这一页知道的话")
    assert typing.evaluate(OF_IT, session)
    typing.goto(f"{served.url}/#/what")
    listing.goto(served.url)
    listing.locator(".onward a").wait_for()
    page = visitor.page
    page.goto(f"{served.url}/#/")
    page.locator(".onward .quiet").click()
    page.locator(".sure .second").click()
    for tab in (page, listing):
        tab.locator(".onward a").wait_for(state="detached")
    reading.locator(".transcript").wait_for(state="detached")
    assert reading.locator("h1").inner_text() == "这里找不到这场谈话。"
    for tab in opened.pages:
        assert tab.evaluate(OF_IT, session) == []
