"""What was said is taken back in the page, and what is kept of a person is seen, taken along and erased."""

from __future__ import annotations

import json
import os
from pathlib import Path

from playwright.sync_api import Page, expect
from tests.browser.conftest import Opened
from tests.browser.pages import findings, overflow
from tests.browser.served import Served
from tests.browser.visiting import Visitor

WORDS = "其实是因为我离婚了这件事"
PICTURES = os.environ.get("HEARTRULE_PICTURES")


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


def test_the_last_words_are_taken_back_and_other_ones_are_said(served: Served, context: Opened) -> None:
    opened = context("phone")
    visitor = Visitor(opened.new_page(), served, "cbt/abc_intro")
    visitor.begin()
    before = visitor.standing()["request"]
    seen = visitor.awaits()["last"]
    visitor.say(WORDS)
    visitor.awaits(seen)
    page, other = visitor.page, opened.new_page()
    other.goto(page.url)
    expect(other.get_by_role("log")).to_contain_text(WORDS)
    page.get_by_role("button", name="撤回", exact=True).click()
    expect(page.get_by_role("group", name="撤回")).to_contain_text("连同它引出的回复")
    picture(page, "recall-asked")
    assert findings(page) == []
    page.get_by_role("button", name="留着").click()
    expect(page.get_by_role("log")).to_contain_text(WORDS)
    page.get_by_role("button", name="撤回", exact=True).click()
    page.locator("#take-back").click()
    for each in (page, other):
        expect(each.get_by_role("log")).to_contain_text("你在这里撤回了一句话")
        expect(each.get_by_role("log")).not_to_contain_text(WORDS)
    picture(page, "recalled")
    assert findings(page) == []
    assert overflow(page) == 0
    assert visitor.standing()["request"] == before
    assert visitor.spoken() == [""]
    visitor.say("小林")
    visitor.awaits(visitor.awaits()["last"] - 1)
    page.reload()
    expect(page.get_by_role("log")).to_contain_text("小林")
    expect(page.get_by_role("log")).to_contain_text("你在这里撤回了一句话")
    assert [words for words in visitor.spoken() if words] == ["小林"]


def test_my_space_shows_what_is_kept_lets_it_be_taken_along_and_erases_it(served: Served, context: Opened) -> None:
    page = context("phone").new_page()
    page.goto(f"{served.url}/#/space")
    expect(page.get_by_role("heading", name="我的空间")).to_be_visible()
    expect(page.get_by_text("这台设备上还没有你的空间")).to_be_visible()
    visitor = Visitor(page, served, "cbt/mood_check")
    for score in ("2", "4"):
        visitor.begin()
        page.locator("heart-form").get_by_text(score, exact=True).click()
        page.locator("heart-form").get_by_role("button", name="交表").click()
        page.locator("heart-form").wait_for(state="detached")
    page.goto(f"{served.url}/#/")
    page.get_by_role("link", name="我的空间").click()
    expect(page.locator(".course .curve")).to_have_count(1)
    expect(page.locator(".course figcaption").first).to_contain_text("4")
    picture(page, "space")
    assert findings(page) == []
    assert overflow(page) == 0
    with page.expect_download() as taken:
        page.get_by_role("button", name="下载全部").click()
    whole = json.loads(Path(taken.value.path()).read_text(encoding="utf-8"))
    assert [each["script"] for each in whole["sessions"]] == ["cbt/mood_check"] * 2
    page.get_by_role("button", name="删除“").first.click()
    page.locator(".sure").get_by_role("button", name="删除", exact=True).click()
    expect(page.locator("section[aria-labelledby=sessions] li")).to_have_count(1)
    expect(page.locator(".course .curve")).to_have_count(0)
    page.get_by_role("button", name="全部抹去").click()
    page.locator(".sure").get_by_role("button", name="全部抹去").click()
    expect(page.get_by_text("都抹去了")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter((key) => /session|person/.test(key))") == []
    page.goto(f"{served.url}/#/space")
    expect(page.get_by_text("这台设备上还没有你的空间")).to_be_visible()


def test_my_space_in_english_in_the_dark_on_a_desktop(served: Served, context: Opened) -> None:
    page = context("english", color_scheme="dark").new_page()
    visitor = Visitor(page, served, "cbt/mood_check_en")
    visitor.begin()
    page.goto(f"{served.url}/#/space")
    expect(page.get_by_role("heading", name="My space")).to_be_visible()
    expect(page.get_by_text("You have not filled any in yet.")).to_be_visible()
    picture(page, "space-en-dark")
    assert findings(page) == []
