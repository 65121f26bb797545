"""A counsellor leaves: the program waits for the person, or the session ends in the counsellor's words; what is kept
ready is put in by a key; and everybody sees who comes next."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.conftest import Opened
from tests.browser.served import Served
from tests.browser.staffing import Account, administrator, seen
from tests.browser.test_desk import at_the_desk, side_by_side

WORDS = {
    "zh-CN": {
        "search": "学校",
        "reply": "班主任",
        "closing": "明天下午三点，我们再说。",
        "person": "没人在乎我",
        "program": "AI 程序，不是真人",
        "quiet": "对方写之前，程序不出声",
        "numbers": "12356",
        "next": "下一位：李老师",
        "over": "会谈已经结束",
    },
    "en": {
        "search": "school",
        "reply": "form teacher",
        "closing": "Tomorrow at three we talk again.",
        "person": "nobody cares about me",
        "program": "an AI program, not a person",
        "quiet": "The program says nothing until",
        "numbers": "988",
        "next": "Next: 李老师",
        "over": "The session is over",
    },
}


@pytest.fixture
def admin(served: Served) -> Account:
    return administrator(served)


@pytest.mark.parametrize(("view", "locale"), [("desktop", "zh-CN"), ("phone", "en")])
def test_the_program_waits_and_a_session_ends_quietly(
    served: Served, admin: Account, context: Opened, view: str, locale: str
) -> None:
    words = WORDS[locale]
    visitor, desk = side_by_side(served, admin, context, view, locale)
    page, theirs = desk.page, visitor.page.locator("heart-chat")
    li = admin.invite("李老师", ["counsellor"])
    other = at_the_desk(li, context("desktop"))
    other.page.goto(f"{served.url}/staff/desk/shift")
    other.page.locator("summary").click()
    for day in range(7):
        other.page.locator("[name=day]").nth(day).check()
    other.page.locator("#rota-start").fill("23:58")
    other.page.locator("#rota-end").fill("23:59")
    seen(other.page, f"leaving-{view}-rota")
    other.page.locator("details .main").click()
    expect(other.page.locator(".rows").first).to_contain_text("23:58")

    desk.open()
    desk.take_over()
    # A ready reply in the person's language, found by its words; put in, not sent.
    desk.box.press("/")
    page.locator(".menu input").fill(words["search"])
    expect(page.get_by_role("menuitem")).to_have_count(1)
    expect(page.get_by_role("menuitem")).to_be_in_viewport()
    seen(page, f"leaving-{view}-ready")
    page.locator(".menu input").press("Enter")
    expect(desk.box).to_be_focused()
    assert words["reply"] in desk.box.input_value()
    assert words["reply"] not in visitor.page.locator("body").inner_text()
    desk.box.fill("")

    # Behind danger the program waits, unless somebody says otherwise.
    page.locator(".write .leaving").click()
    leaf = page.locator(".leaf")
    expect(leaf.locator("[name=then]").nth(1)).to_be_checked()
    expect(leaf).to_contain_text(words["next"])
    leaf.locator("#closing").fill(words["closing"])
    leaf.locator("[name=closed]").last.check()
    leaf.locator("#reason").select_option("safe")
    seen(page, f"leaving-{view}-hand-back")
    assert leaf.evaluate("leaf => leaf.scrollWidth <= leaf.clientWidth")
    leaf.locator(".main").click()
    expect(page.locator(".stands")).to_contain_text(words["quiet"])
    expect(theirs.locator(".message.human").last).to_contain_text(words["closing"])
    count = theirs.locator(".message.ai").count()
    seen(visitor.page, f"leaving-{view}-quiet")
    visitor.say(words["person"])
    expect(theirs.locator(".message.ai")).to_have_count(count + 2)
    expect(theirs.locator(".message.ai").nth(count)).to_contain_text(words["program"])
    seen(visitor.page, f"leaving-{view}-back")

    # An end in the counsellor's own words.
    desk.take_over()
    page.locator(".write .ending").click()
    expect(leaf.locator("[name=then]").last).to_be_checked()
    leaf.locator("#closing").fill(words["closing"])
    seen(page, f"leaving-{view}-end")
    leaf.locator(".main").click()
    expect(page.locator(".stands")).to_contain_text(words["over"])
    expect(theirs).to_contain_text(words["numbers"])
    assert visitor.standing()["status"] == "ended"
    seen(visitor.page, f"leaving-{view}-ended")
