"""A visitor's page and a counsellor's, side by side: who speaks is seen on both, at every moment."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Opened
from tests.browser.pages import findings, overflow
from tests.browser.served import Served
from tests.browser.tour import SCRIPTS
from tests.browser.visiting import Visitor

CRISIS = {"zh-CN": "我不想活了，今晚就去跳楼", "en": "I want to kill myself tonight"}
NAME = {"zh-CN": "王老师", "en": "Dr. Wang"}
ROLE = {"zh-CN": "真人咨询师", "en": "human counsellor"}
PROGRAM = {"zh-CN": "程序", "en": "program"}
PICTURES = os.environ.get("HEARTRULE_PICTURES")
"""A folder, for whoever wants to look at the pages."""


def pictured(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=str(Path(PICTURES) / f"{name}.png"))


def token(served: Served, name: str, *more: str) -> str:
    """What the command gives whoever runs the server."""
    command = [sys.executable, "-m", "heartrule", "token", "--name", name, "--data", str(served.data), *more]
    ran = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    return ran.stdout.strip()


class Counsellor:
    def __init__(self, page: Page, served: Served, name: str) -> None:
        self.page, self.name = page, name
        page.goto(f"{served.url}/desk#token={token(served, name)}")
        page.locator("desk-list .list").wait_for()
        assert "token" not in page.url

    def open(self) -> None:
        self.page.locator("desk-list .item").first.click()
        self.page.locator("desk-session .said-log .spoken").first.wait_for()

    def take_over(self) -> None:
        self.page.locator("desk-session .foot .acts button").first.click()
        self.page.locator("desk-session .confirm .main").click()
        self.page.locator("desk-session textarea").wait_for()

    def say(self, text: str) -> None:
        box = self.page.locator("desk-session textarea")
        box.fill(text)
        box.press("Enter")
        expect(box).to_have_value("")

    def hand_back(self) -> None:
        self.page.locator("desk-session .write .second").click()
        self.page.locator("desk-session .confirm .main").click()
        self.page.locator("desk-session .foot .acts .main").wait_for()


def side_by_side(served: Served, context: Opened, look: str, locale: str, **more: object) -> tuple[Visitor, Counsellor]:
    tag = {"en": "en-US"}.get(locale, locale)
    visitor = Visitor(context(look, locale=tag, **more).new_page(), served, SCRIPTS[locale])
    visitor.begin()
    before = visitor.standing()["last_message"]
    visitor.say(CRISIS[locale])
    visitor.awaits(before)
    return visitor, Counsellor(context(look, locale=tag, **more).new_page(), served, NAME[locale])


@pytest.mark.parametrize(
    ("look", "locale", "theme"),
    [("desktop", "zh-CN", "light"), ("phone", "en", "dark"), ("phone", "zh-CN", "light"), ("desktop", "en", "dark")],
)
def test_taking_over_and_handing_back(
    served: Served, context: Opened, long: bool, look: str, locale: str, theme: str
) -> None:
    if not long and not PICTURES and (look, locale) not in (("desktop", "zh-CN"), ("phone", "en")):
        pytest.skip("part of `make browser`")
    name = f"{look}-{locale}"
    visitor, counsellor = side_by_side(served, context, look, locale, color_scheme=theme)
    theirs, ours = visitor.page, counsellor.page
    expect(ours.locator("desk-list .item.urgent")).to_have_count(1)
    assert CRISIS[locale] not in ours.locator("body").inner_text()
    seen(ours, f"{name}-1-list")
    counsellor.open()
    expect(ours.locator("desk-session .said-log")).to_contain_text(CRISIS[locale])
    seen(ours, f"{name}-2-opened")
    ours.locator("desk-session .foot .acts button").first.click()
    seen(ours, f"{name}-3-confirm")
    ours.keyboard.press("Escape")
    expect(ours.locator("desk-session .confirm")).to_have_count(0)
    counsellor.take_over()
    expect(theirs.locator("heart-chat .message.system")).to_contain_text(NAME[locale])
    expect(theirs.locator("heart-chat .foot .row.quiet [role=status]")).to_contain_text(ROLE[locale])
    counsellor.say("A line to them.")
    human = theirs.locator("heart-chat .message.human")
    expect(human.locator(".who")).to_contain_text(f"{NAME[locale]} · {ROLE[locale]}")
    expect(human).to_contain_text("A line to them.")
    ours.locator("desk-session textarea").press_sequentially("…")
    expect(theirs.locator("heart-chat .foot .row.quiet [role=status]")).to_contain_text(
        "正在写" if locale == "zh-CN" else "is writing"
    )
    expect(theirs.locator(".quiet-line")).to_contain_text("真人" if locale == "zh-CN" else "person")
    visitor.say("An answer to the human.")
    expect(ours.locator("desk-session .spoken.person").last).to_contain_text("An answer to the human.")
    expect(theirs.locator("heart-chat .message.person.sending")).to_have_count(0)
    seen(theirs, f"{name}-4-visitor")
    seen(ours, f"{name}-5-taken")
    counsellor.hand_back()
    expect(theirs.locator("heart-chat .message.system")).to_have_count(2)
    expect(theirs.locator("heart-chat .message.system").last).to_contain_text(PROGRAM[locale])
    expect(theirs.locator("heart-chat .message.ai").last).to_contain_text("AI")
    expect(theirs.locator("heart-chat .foot .row.quiet [role=status]")).to_have_text("")
    seen(theirs, f"{name}-6-back")
    standing = visitor.standing()
    assert standing["human"] is None
    assert standing["in_crisis"]
    assert [each["sender"] for each in visitor.kept()][-5:] == ["system", "human", "person", "system", "ai"]


def seen(page: Page, name: str) -> None:
    """Nothing that keeps somebody out, nothing wider than the screen."""
    pictured(page, name)
    assert findings(page) == []
    assert overflow(page) <= 0


def test_the_second_counsellor_sees_who_has_it_and_may_relieve_them(served: Served, context: Opened) -> None:
    _, first = side_by_side(served, context, "desktop", "zh-CN")
    second = Counsellor(context("desktop").new_page(), served, "李老师")
    second.open()
    first.open()
    first.take_over()
    stands = second.page.locator("desk-session .stands")
    expect(stands).to_contain_text("王老师")
    expect(second.page.locator("desk-list .tag.held")).to_contain_text("王老师")
    second.take_over()
    expect(stands).to_contain_text("你在和对方说话")
    expect(first.page.locator("desk-session .stands")).to_contain_text("李老师")
    expect(first.page.locator("desk-session textarea")).to_have_count(0)


def test_a_visitor_s_token_opens_no_desk(served: Served, context: Opened) -> None:
    visitor = Visitor(context("desktop").new_page(), served, SCRIPTS["zh-CN"])
    visitor.begin()
    page = context("desktop").new_page()
    page.goto(f"{served.url}/desk")
    page.locator("#token").fill(visitor.token)
    page.locator(".door .main").click()
    expect(page.locator(".door [role=alert]")).not_to_be_empty()
    assert findings(page) == []
    assert page.locator("desk-list").count() == 0


def test_the_desk_is_used_without_a_mouse(served: Served, context: Opened) -> None:
    _, counsellor = side_by_side(served, context, "desktop", "zh-CN")
    page = counsellor.page
    page.locator("desk-list .item").first.focus()
    page.keyboard.press("Enter")
    page.locator("desk-session .said-log .spoken").first.wait_for()
    for name in tabbed(page):
        if "接手" in name:
            break
    page.keyboard.press("Enter")
    expect(page.locator("desk-session .confirm .main")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("desk-session textarea")).to_be_focused()
    page.keyboard.type("你好，我在。")
    page.keyboard.press("Enter")
    expect(page.locator("desk-session .spoken.human")).to_contain_text("你好，我在。")
    expect(page.locator("desk-session textarea")).to_be_focused()


def tabbed(page: Page) -> Iterator[str]:
    """The names of what Tab comes to."""
    for _ in range(40):
        page.keyboard.press("Tab")
        yield str(page.evaluate("document.activeElement.innerText ?? ''"))
    raise AssertionError("Tab does not come there")
