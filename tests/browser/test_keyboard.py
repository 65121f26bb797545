"""A whole session by keyboard alone: every control is reached with Tab, seen when reached, and worked with Enter."""

from __future__ import annotations

from tests.browser.conftest import Opened
from tests.browser.served import Served
from tests.browser.visiting import Visitor

STEPS = 40
"""So many presses of Tab lead anywhere on a page, or a keyboard is of no use on it."""
FOCUSED = """() => {
    let it = document.activeElement;
    while (it && it.shadowRoot && it.shadowRoot.activeElement) it = it.shadowRoot.activeElement;
    if (!it || it === document.body) return null;
    const {top, bottom, left, right} = it.getBoundingClientRect();
    return {
        tag: it.localName,
        name: (it.ariaLabel || it.innerText || '').trim(),
        seen: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
        marked: it.matches(':focus-visible') && getComputedStyle(it).outlineStyle !== 'none',
    };
}"""


class WithoutAMouse(Visitor):
    def begin(self) -> None:
        self.page.goto(self.served.url)
        self.page.locator(".scripts a").first.wait_for()
        self.to("a", "抑郁首次评估会谈")
        self.page.keyboard.press("Enter")
        self.page.wait_for_url("**/#/begin/*/*")
        self.page.locator(".notice .main").wait_for()
        self.to("button", "我知道了，开始")
        self.page.keyboard.press("Enter")
        self.page.wait_for_url("**/#/session/*")
        self.awaits()

    def say(self, text: str) -> None:
        self.to("textarea")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")
        self.said.append(text)

    def choose(self, label: str) -> None:
        self.option(label).wait_for()
        self.to("button", label)
        self.page.keyboard.press("Enter")
        self.said.append(label)

    def to(self, tag: str, name: str = "") -> None:
        """Tab on until the focus is there. What is used next is not far from what was used last: backwards first."""
        passed: list[object] = []
        for step in range(STEPS):
            now = self.page.evaluate(FOCUSED)
            if now and now["tag"] == tag and now["name"].startswith(name):
                assert now["seen"], f"the focus is out of sight: {now}"
                assert now["marked"], f"the focus cannot be seen: {now}"
                return
            passed.append(now)
            self.page.keyboard.press("Shift+Tab" if step < STEPS // 4 and self.said else "Tab")
        raise AssertionError(f"no {tag} {name} among {passed}")


def test_a_session_without_a_mouse(served: Served, context: Opened) -> None:
    visitor = WithoutAMouse(context("desktop").new_page(), served, seed=3)
    visitor.begin()
    visitor.hold()
    assert visitor.spoken() == visitor.said
    assert visitor.standing()["status"] == "ended"


def test_sheets_hold_the_focus_and_give_it_back(served: Served, context: Opened) -> None:
    visitor = WithoutAMouse(context("desktop").new_page(), served)
    visitor.begin()
    page = visitor.page
    visitor.to("button", "求助电话")
    page.keyboard.press("Enter")
    page.locator("help-sheet a").first.wait_for()
    for _ in range(15):
        page.keyboard.press("Tab")
        inside = page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('help-corner')"
        )
        assert inside, "the focus has left the help for what lies beneath it"
    page.keyboard.press("Escape")
    page.locator("help-sheet").wait_for(state="detached")
    page.wait_for_function(f"() => (({FOCUSED})() || {{}}).name === '求助电话'")


def test_nothing_behind_a_sheet_is_reached(served: Served, context: Opened) -> None:
    visitor = Visitor(context("desktop").new_page(), served, "cbt/abc_intro")
    visitor.begin()
    page = visitor.page
    page.locator(".top .icon-button").first.click()
    page.get_by_role("dialog").wait_for()
    reached = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.closest('.sheet, .help-button, body').className"))
    assert reached <= {"sheet", "help-button", ""}
    assert {"sheet", "help-button"} <= reached
    behind = "() => document.activeElement.classList.contains('skip')"
    for _ in range(12):
        page.keyboard.press("Shift+Tab")
        assert not page.evaluate(behind)
