"""Several people in one pair of hands: who is in danger stays on top, who waits is seen, nothing that was said is
covered, and nobody is left behind by who goes off duty."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Opened
from tests.browser.served import Served
from tests.browser.staffing import Account, Counsellor, administrator, seen
from tests.browser.test_desk import NAME, at_the_desk, side_by_side
from tests.browser.tour import SCRIPTS
from tests.browser.visiting import Visitor

WORDS = {
    "zh-CN": {
        "held": "你接手中",
        "crisis": "在危机里",
        "over": "现在不在危机里",
        "choose": "请选一个。",
        "off": "你不在值班",
    },
    "en": {
        "held": "held by you",
        "crisis": "in a crisis",
        "over": "There is no crisis now.",
        "choose": "Please choose one.",
        "off": "You are not on duty",
    },
}


@pytest.fixture
def admin(served: Served) -> Account:
    return administrator(served)


def another(served: Served, context: Opened, locale: str) -> Visitor:
    tag = {"en": "en-US"}.get(locale, locale)
    visitor = Visitor(context("desktop", locale=tag).new_page(), served, SCRIPTS[locale])
    visitor.begin()
    return visitor


def inside(page: Page, one: Locator) -> bool:
    """It is drawn within the window."""
    box, size = one.bounding_box(), page.viewport_size
    assert box is not None
    assert size is not None
    return box["x"] + box["width"] <= size["width"] and box["y"] + box["height"] <= size["height"]


def settled_at_end(desk: Counsellor) -> None:
    desk.page.wait_for_function(
        "() => (log => log.scrollHeight - log.scrollTop - log.clientHeight < 2)(document.querySelector('.log'))"
    )


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_a_shift_with_several_people(served: Served, admin: Account, context: Opened, locale: str) -> None:
    words = WORDS[locale]
    endangered, desk = side_by_side(served, admin, context, "desktop", locale)
    page = desk.page
    page.get_by_role("switch").check()
    desk.open()
    desk.take_over()
    # What was danger keeps its place and colour in somebody's hands, and the marks stand where they belong.
    filters = page.locator(".filters .filter")
    filters.nth(3).click()
    card = page.locator(".list .item.danger")
    expect(card).to_have_count(1)
    expect(card.locator(".tag.urgent").filter(has_text=words["crisis"])).to_be_visible()
    assert inside(page, card.locator(".tag.own").filter(has_text=words["held"]))
    calm = another(served, context, locale)
    for line in range(12):
        before = calm.standing()["last_message"]
        calm.say(f"{line + 1}")
        calm.awaits(before)
    page.locator(".list .item:not(.danger)").click()
    desk.log.locator(".spoken").first.wait_for()
    desk.take_over()
    settled_at_end(desk)

    # Nobody waits, and then both do: who is in danger first.
    desk.say("Hello.")
    filters.first.click()
    expect(filters.nth(1).locator(".count")).to_have_count(0)
    calm.say("I am here.")
    expect(desk.log.locator(".spoken.person").last).to_contain_text("I am here.")
    settled_at_end(desk)
    expect(filters.nth(1).locator(".count")).to_contain_text("1")
    endangered.say("...")
    alert = page.locator(".alert.message.danger")
    expect(alert).to_have_count(1)
    expect(page.locator(".alert")).to_have_count(1)  # none of what is open
    box = desk.box.bounding_box()
    above = alert.bounding_box()
    assert box is not None
    assert above is not None
    assert above["y"] + above["height"] <= box["y"]
    settled_at_end(desk)  # whatever came above
    seen(page, f"shift-{locale}-alert")
    expect(filters.nth(1).locator(".count")).to_contain_text("2")
    expect(page.locator(".list .item")).to_have_count(2)
    expect(page.locator(".list .item").first).to_have_class("item  danger")
    waiting = page.locator(".list .item").first.locator(".waits")
    first = waiting.inner_text()
    page.wait_for_function(
        "([before]) => document.querySelector('.list .item .waits').innerText !== before", arg=[first]
    )

    # Left for the next shift, the newest sentence stays in sight; changed, its words are there.
    alert.locator(".main").click()
    expect(page.locator(".alert")).to_have_count(0)  # what was read while it was open is no news now
    desk.log.locator(".spoken").first.wait_for()
    settled_at_end(desk)
    handing = page.locator(".handling button")
    handing.nth(1).click()
    page.locator("#handover-note").fill("Ask about the night.\n" * 6)
    page.locator(".leaf .main").click()
    expect(page.locator(".passed")).to_be_visible()
    settled_at_end(desk)
    handing.nth(1).click()
    expect(page.locator("#handover-note")).to_have_value("Ask about the night.\n" * 5 + "Ask about the night.")
    page.keyboard.press("Escape")

    # Who goes off duty is asked first, about each.
    page.get_by_role("switch").click()
    leaf = page.locator(".leaf")
    expect(leaf.locator(".rows > li")).to_have_count(2)
    expect(leaf.locator("[role=status] .waits")).to_contain_text("1")
    expect(leaf).to_contain_text("5")
    seen(page, f"shift-{locale}-leaving")
    leaf.locator(".acts .main").click()
    expect(page.get_by_role("switch")).to_be_checked()
    page.get_by_role("switch").click()
    endangered_row = leaf.locator(".rows > li").filter(has=page.locator(".tag.urgent"))
    endangered_row.locator("button").first.click()
    leaf.locator("input[type=radio]").last.check()
    leaf.locator(".main").click()
    assert leaf.locator("#reason").evaluate("field => field.validationMessage") == words["choose"]
    page.locator("#reason").select_option("with_somebody")
    leaf.locator(".main").click()
    expect(leaf.locator(".rows > li")).to_have_count(1)
    # The danger was cleared, and no line above says otherwise.
    expect(page.locator(".calls")).to_contain_text(words["over"])
    leaf.locator(".acts .second").last.click()
    expect(page.get_by_role("switch")).not_to_be_checked()
    assert endangered.standing()["human"] is None
    assert calm.standing()["human"]["name"] == NAME[locale]
    page.locator(".list .item").filter(has_text=words["held"]).click()
    expect(page.locator(".stands")).to_contain_text(words["off"])


def test_who_asks_for_a_human_is_not_said_to_be_in_danger(served: Served, admin: Account, context: Opened) -> None:
    desk, other = [at_the_desk(admin.invite(name), context("desktop")) for name in ("王老师", "李老师")]
    for each in (desk, other):
        each.page.get_by_role("switch").check()
        expect(each.page.locator(".switch")).to_contain_text("我在值班")
    visitor = Visitor(context("desktop").new_page(), served, "cbt/exercises")
    visitor.begin()
    before = visitor.standing()["last_message"]
    visitor.say("我想跟真人说")
    visitor.awaits(before)
    visitor.option("请替我告诉他们").click()
    desk.items.first.wait_for()
    desk.open()
    calls = desk.page.locator(".calls li")
    expect(calls).to_contain_text("对方要找真人")
    expect(calls).to_contain_text("来访者想和真人谈，同意告诉值班的人。")
    assert "Asks for a human" not in calls.inner_text()
    assert "危险" not in calls.inner_text()
    # Who is on duty is seen in the shift, where they are named.
    desk.page.goto(f"{served.url}/staff/desk/shift")
    mark = desk.page.locator("li.tag.own").filter(has_text="李老师")
    expect(mark).to_be_visible()
    section = desk.page.locator("section").filter(has=mark).bounding_box()
    drawn = mark.bounding_box()
    assert section is not None
    assert drawn is not None
    assert section["y"] <= drawn["y"] <= section["y"] + section["height"]
    seen(desk.page, "shift-colleagues")


def test_who_has_left_the_page_is_told_that_a_human_talks_with_them(
    served: Served, admin: Account, context: Opened
) -> None:
    """A played shift: a counsellor wrote, and the front page was silent about it."""
    endangered, desk = side_by_side(served, admin, context, "desktop", "zh-CN")
    page = endangered.page
    page.goto(served.url)
    page.locator(".onward a").wait_for()
    expect(page.locator(".human a")).to_have_count(0)
    desk.page.get_by_role("switch").check()
    desk.open()
    # Whose session it is, is said wherever something is asked about them.
    named = desk.page.locator(".list .item .whom b").first.inner_text()
    desk.take_over()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # as when they look again
    told = page.locator(".human a")
    expect(told).to_contain_text(NAME["zh-CN"])
    seen(page, "arrive-human")
    told.click()
    page.locator("visitor-session").wait_for()
    desk.page.locator(".handling button").first.click()
    expect(desk.page.get_by_role("dialog")).to_contain_text(named)
