"""Questions that a number answers are scales that one taps; typing stays."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.pages import findings, overflow
from tests.browser.served import Served
from tests.browser.visiting import Visitor

PICTURES = os.environ.get("HEARTRULE_PICTURES")
LOOKS = ("phone", "narrow", "desktop")
SCALES = {
    "ten": ([0, 10], "最糟", "最好"),
    "hundred": ([0, 100], "完全不信", "完全相信"),
    "five": ([1, 5], "很差", "很好"),
}
SCRIPT = """
sessions:
  - session: 打分
    id: rated
    declare:
%s
    phases:
      - phase: 一
        steps:
          - topic: 分
            actions:
%s
              - {type: ask, id: over, content: 还想说点什么吗？}
"""
TOUCH = 24
"""Pixels that a target has at least each way (WCAG 2.2, 2.5.8); where there is room it has more."""


@pytest.fixture(scope="module")
def rating(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("rating")
    project = folder / "project"
    project.mkdir()
    declared = [
        f"      - {{var: {name}, type: integer, range: {between}, ends: [{low}, {high}], define: {name}}}"
        for name, (between, low, high) in SCALES.items()
    ]
    asked = [
        f'              - {{type: ai_ask, id: {name}, content: "{between[0]} 到 {between[1]}，你打几分？",'
        f" output: [{{get: {name}}}]}}"
        for name, (between, _, _) in SCALES.items()
    ]
    (project / "project.yaml").write_text("id: tests\nlocale: zh-CN\n", encoding="utf-8")
    (project / "rated.yaml").write_text(SCRIPT % ("\n".join(declared), "\n".join(asked)), encoding="utf-8")
    served = Served(folder, projects=[project])
    served.data.mkdir()
    (served.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
    with served:
        yield served


def scale(page: Page) -> Locator:
    return page.locator("heart-chat .options.scale")


def rows(page: Page) -> int:
    """In how many lines the numbers stand."""
    tops: list[float] = (
        scale(page)
        .get_by_role("button")
        .evaluate_all("(all) => all.map((each) => Math.round(each.getBoundingClientRect().top))")
    )
    return len(set(tops))


def tapped(visitor: Visitor, number: str) -> None:
    before = visitor.awaits()["last"]
    scale(visitor.page).get_by_role("button").get_by_text(number, exact=True).click()
    visitor.awaits(before)


@pytest.mark.parametrize("look", LOOKS)
def test_numbers_are_tapped_and_typing_stays(rating: Served, context: Opened, look: str) -> None:
    visitor = Visitor(context(look).new_page(), rating)
    visitor.script, page = "tests/rated", visitor.page
    visitor.begin()
    for name, ((low, high), least, most) in SCALES.items():
        numbers = [str(each) for each in range(low, high + 1, 10 if high == 100 else 1)]
        assert scale(page).get_by_role("button").all_inner_texts() == numbers, name
        expect(scale(page)).to_have_accessible_name(f"从 {low} 到 {high}，可以点一个，也可以自己写")
        expect(scale(page).get_by_role("button").first).to_have_accessible_name(f"{low} {least}")
        expect(scale(page).get_by_role("button").last).to_have_accessible_name(f"{high} {most}")
        for end in (f"{low} {least}", f"{high} {most}"):
            expect(scale(page).locator(".scale-ends").get_by_text(end, exact=True)).to_be_visible()
        assert rows(page) == (1 if look == "desktop" or name == "five" else 2), name
        for box in (each.bounding_box() for each in scale(page).get_by_role("button").all()):
            assert box is not None
            assert min(box["width"], box["height"]) >= TOUCH
        expect(visitor.box).to_be_visible()
        assert findings(page) == []
        assert overflow(page) <= 0
        if PICTURES:
            page.screenshot(path=Path(PICTURES) / f"scale {name} {look}.png")
        if name == "hundred":
            visitor.say("35")
            visitor.awaits(visitor.awaits()["last"] - 1)
            page.wait_for_function("() => document.querySelector('heart-chat').conversation.state.outbox.length === 0")
        else:
            tapped(visitor, numbers[-2])
    expect(scale(page)).to_have_count(0)
    assert [words for words in visitor.spoken() if words] == ["9", "35", "4"]
    assert visitor.standing()["position"]["action"]["id"] == "over", "each was taken as the answer"


def test_a_scale_is_answered_without_a_mouse_and_what_was_typed_stays(rating: Served, context: Opened) -> None:
    visitor = Visitor(context("desktop").new_page(), rating)
    visitor.script, page = "tests/rated", visitor.page
    visitor.begin()
    visitor.box.fill("写了一半")
    scale(page).get_by_role("button").nth(7).focus()
    before = visitor.awaits()["last"]
    page.keyboard.press("Enter")
    visitor.awaits(before)
    assert [words for words in visitor.spoken() if words] == ["7"]
    expect(visitor.box).to_have_value("写了一半")
    expect(scale(page).get_by_role("button").last).to_have_text("100")


@pytest.mark.parametrize("look", ["phone", "desktop"])
def test_the_library_s_own_questions_are_scales(served: Served, context: Opened, look: str) -> None:
    """Mood at the start, and how far a thought is believed."""
    visitor = Visitor(context(look).new_page(), served, "cbt/abc_intro")
    page, seen = visitor.page, set[int]()
    visitor.begin()
    for _ in range(30):
        now = visitor.awaits()
        asked = visitor.standing()["request"].get("scale")
        if asked:
            seen.add(asked["high"])
            tapped(visitor, "3" if asked["high"] == 10 else "80")
        elif visitor.option("改天吧").count():
            visitor.choose("好一些了，学一点吧")
        else:
            visitor.answer()
        visitor.awaits(now["last"])
        if seen == {10, 100}:
            break
    assert seen == {10, 100}
    assert findings(page) == []


@pytest.mark.parametrize("look", ["phone", "desktop"])
def test_a_mood_in_a_form_is_one_row_with_labels(served: Served, context: Opened, look: str) -> None:
    visitor = Visitor(context(look).new_page(), served, "cbt/mood_check")
    page = visitor.page
    visitor.begin()
    assert page.locator("heart-form").get_by_role("radio").count() == 5
    picks = page.locator("heart-form .picks").first.locator("label")
    tops = picks.evaluate_all("(all) => all.map((each) => Math.round(each.getBoundingClientRect().top))")
    assert len(tops) == 5
    assert len(set(tops)) == 1
    for end in ("很糟", "很好"):
        expect(page.locator("heart-form").get_by_text(end).first).to_be_visible()
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"mood row {look}.png")
    assert findings(page) == []
