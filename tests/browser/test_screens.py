"""A session on screens of every height: what was asked can be read, what is written can be sent."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Opened
from tests.browser.served import Served
from tests.browser.tour import DANGER, SCRIPTS
from tests.browser.visiting import Visitor

LOW = [
    (390, 450, "normal"),
    (360, 330, "normal"),
    (320, 290, "normal"),
    (320, 290, "larger"),
    (320, 568, "larger"),
    (390, 844, "normal"),
]
"""A phone with its keyboard open, and small phones with large type."""
READABLE = 0.35
DRAFT = "我想把这几天的事都写下来。\n" * 40
PLACES = """() => {
    const chat = document.querySelector('heart-chat').shadowRoot;
    const seen = (node) => {
        const {top, bottom, left, right, width, height} = node.getBoundingClientRect();
        return {top, bottom, left, right, width, height};
    };
    const composer = chat.querySelector('heart-composer').shadowRoot;
    return {
        screen: innerHeight, wide: innerWidth, page: document.documentElement.scrollHeight,
        transcript: seen(chat.querySelector('.scroll')).height,
        send: seen(composer.querySelector('.send')), field: seen(composer.querySelector('textarea')).height,
        numbers: [...document.querySelectorAll('.crisis a b')].map(seen),
        help: seen(document.querySelector('.help-button')),
    };
}"""


def places(page: Page) -> dict[str, Any]:
    page.wait_for_timeout(150)
    found: dict[str, Any] = page.evaluate(PLACES)
    return found


def in_danger(visitor: Visitor, locale: str) -> None:
    visitor.begin()
    before = visitor.awaits()["last"]
    visitor.say(DANGER[locale])
    visitor.awaits(before)
    visitor.page.wait_for_function("() => document.querySelector('heart-chat').conversation.state.inCrisis")


def test_a_long_transcript_does_not_make_the_page_higher(served: Served, context: Opened) -> None:
    visitor = Visitor(context("desktop").new_page(), served)
    visitor.begin()
    for _ in range(12):
        before = visitor.awaits()["last"]
        visitor.answer()
        visitor.awaits(before)
    scrolled = "() => { const {scrollHeight, clientHeight} = document.querySelector('heart-chat').shadowRoot"
    scrolled += ".querySelector('.scroll'); return scrollHeight / clientHeight; }"
    assert visitor.page.evaluate(scrolled) > 2
    assert places(visitor.page)["page"] == visitor.page.evaluate("innerHeight")


def test_it_is_read_from_its_first_word_and_what_is_written_keeps_its_place(served: Served, context: Opened) -> None:
    visitor = Visitor(context("phone").new_page(), served)
    visitor.begin()
    first = visitor.page.locator("heart-chat .message").first
    strip = visitor.page.locator("heart-chat .scroll")
    expect(first).to_be_in_viewport(ratio=0.3)
    top, above = first.bounding_box(), strip.bounding_box()
    assert top is not None
    assert above is not None
    assert top["y"] >= above["y"]
    cut = "(field) => field.scrollHeight - field.clientHeight"
    assert visitor.box.evaluate(cut) <= 0
    visitor.page.evaluate("document.documentElement.dataset.size = 'larger'")
    visitor.page.wait_for_timeout(300)
    assert visitor.box.evaluate(cut) <= 0
    assert not visitor.box.evaluate("(field) => field.getRootNode().activeElement === field"), "no keyboard comes up"


def test_who_has_a_keyboard_before_them_just_types(served: Served, context: Opened) -> None:
    visitor = Visitor(context("english").new_page(), served, "cbt/abc_intro")
    visitor.begin()
    visitor.page.keyboard.type("hello")
    expect(visitor.box).to_have_value("hello")
    expect(visitor.page.locator("heart-chat .about")).to_have_count(1)
    expect(visitor.page.locator("heart-chat .about")).to_be_hidden()


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_in_a_crisis_the_question_can_be_read_and_answered_on_any_screen(
    served: Served, context: Opened, locale: str
) -> None:
    opened = context("narrow", locale={"en": "en-US"}.get(locale, locale))
    visitor = Visitor(opened.new_page(), served, SCRIPTS[locale])
    in_danger(visitor, locale)
    page, found = visitor.page, {}
    choices = bool(page.locator("heart-chat .options").count())
    for wide, high, size in LOW:
        page.set_viewport_size({"width": wide, "height": high})
        page.evaluate("(size) => document.documentElement.dataset.size = size", size)
        for draft in ("", DRAFT):
            visitor.box.fill(draft)
            now = places(page)
            assert now["send"]["bottom"] <= high, (wide, high, size, draft[:5], now)
            assert 0 <= now["send"]["left"] <= now["send"]["right"] <= wide
            assert now["page"] <= high
            for number in now["numbers"]:
                assert 0 <= number["top"] < number["bottom"] <= now["send"]["top"], (wide, high, size, number)
                assert 0 <= number["left"] < number["right"] <= wide, (wide, high, size, number)
            assert len(now["numbers"]) >= 3
            assert now["help"]["top"] >= 0
            assert now["help"]["height"] >= 44
            assert now["field"] <= max(0.31 * high, 48)
            found[wide, high, size, draft == ""] = now["transcript"] / high
    assert choices or {screen: part for screen, part in found.items() if part < READABLE - 0.01} == {}
    assert all(part > 0.14 for part in found.values())


def test_the_end_in_a_crisis_gives_the_numbers_and_covers_nothing(served: Served, context: Opened) -> None:
    visitor = Visitor(context("narrow").new_page(), served)
    in_danger(visitor, "zh-CN")
    page = visitor.page
    page.locator("options-menu button").first.click()
    page.locator(".option-items button").nth(1).click()
    assert page.locator("end-sheet .contact-line a").count() == 3
    page.locator("end-sheet .main").click()
    page.locator("session-rest .care").wait_for()
    page.locator("heart-composer").wait_for(state="hidden")
    page.wait_for_timeout(300)
    now = places(page)
    assert len(now["numbers"]) >= 3
    for number in now["numbers"]:
        assert 0 <= number["top"] < number["bottom"] <= now["screen"], number
    words, rest = (page.locator(name).bounding_box() for name in ("heart-chat .message >> nth=-1", "session-rest"))
    assert words is not None
    assert rest is not None
    assert words["y"] + words["height"] <= rest["y"] + 1
