"""Forms in the page: filled, left and come back to, handed in once; by thumb, by keyboard, and in danger."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page
from tests.browser.conftest import Opened
from tests.browser.pages import findings, overflow
from tests.browser.served import Served
from tests.browser.visiting import Visitor

HERE = "document.querySelector('heart-chat').conversation.state"
FORM = f"(id) => {HERE}.request.form?.id === id && {HERE}.outbox.length === 0"
DEEPEST = """() => {
    let at = document.activeElement;
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at.id || at.className || at.tagName;
}"""
KEPT = f"(count) => Object.keys({HERE}.request.form?.values ?? {{}}).length === count"
CRISIS = f"() => {HERE}.inCrisis"


class Filling:
    """Somebody with a form of the mood check before them."""

    def __init__(self, served: Served, page: Page, script: str) -> None:
        self.page = page
        self.visitor = Visitor(page, served, script)
        self.violated: list[str] = []
        page.on("console", lambda message: self.violated.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.violated.append(str(error)))
        self.visitor.begin()

    @property
    def form(self) -> Locator:
        return self.page.locator("heart-form")

    def comes(self, form: str) -> None:
        self.page.wait_for_function(FORM, arg=form)
        self.form.locator("h2").wait_for()

    def press(self, label: str) -> None:
        self.form.get_by_role("button", name=label, exact=True).click()

    def pick(self, label: str) -> None:
        self.form.get_by_text(label, exact=True).click()

    def kept(self, count: int) -> None:
        """So many answers are at the server."""
        self.page.wait_for_function(KEPT, arg=count)

    def results(self) -> list[dict[str, Any]]:
        visitor = self.visitor
        path = f"/sessions/{visitor.session}/forms"
        answer: dict[str, list[dict[str, Any]]] = visitor.served.call("GET", path, None, visitor.token)
        return answer["forms"]


def test_the_phq_9_by_thumb_left_midway_and_handed_in_once(served: Served, context: Opened) -> None:
    filling = Filling(served, context("phone").new_page(), "cbt/mood_check")
    filling.comes("cbt/mood")
    filling.pick("2")
    filling.press("交表")
    filling.visitor.option("好，填一下").click()
    filling.comes("cbt/phq9")
    assert findings(filling.page) == []
    for number in range(4):
        filling.pick("好几天")
        on = filling.form.get_by_role("button", name="下一题", exact=True)
        on.dblclick() if number % 2 else on.click()
    filling.form.get_by_text("胃口不好，或吃得太多").wait_for()
    assert filling.form.locator("[aria-invalid=true]").count() == 0, "a double click goes on once"
    filling.kept(4)
    filling.page.reload()
    filling.comes("cbt/phq9")
    filling.form.get_by_text("胃口不好，或吃得太多").wait_for()
    filling.press("一次看全部")
    assert overflow(filling.page) == 0
    filling.press("交表")
    filling.form.locator("#errors").wait_for()
    assert filling.page.evaluate(DEEPEST) == "errors"
    assert findings(filling.page) == []
    for number in range(5, 10):
        filling.form.locator(f"#f-q{number}").get_by_text("完全不会").click()
    filling.form.get_by_role("button", name="交表").dblclick()
    filling.page.get_by_role("log").get_by_text("PHQ-9 总分 4").wait_for()
    (_, result) = filling.results()
    assert (result["scores"], result["bands"]) == ({"total": 4}, {"total": "无或极轻微"})
    assert filling.visitor.spoken().count("（填好了“PHQ-9 抑郁症筛查量表”）") == 1
    assert filling.violated == []


def test_item_nine_by_keyboard_and_then_left_leads_to_crisis_support_in_that_turn(
    served: Served, context: Opened
) -> None:
    filling = Filling(served, context("english", color_scheme="dark").new_page(), "cbt/mood_check_en")
    page = filling.page
    filling.comes("cbt/mood_en")
    filling.press("Leave this form")
    filling.visitor.option("All right, I'll fill it in").click()
    filling.comes("cbt/phq9_en")
    filling.press("Show all questions")
    filling.form.locator("#f-q9 input").first.focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_function(CRISIS)
    assert findings(page) == []
    standing = filling.visitor.standing()
    assert standing["in_crisis"]
    assert standing["request"]["type"] == "message"
    assert filling.results() == []
    assert filling.visitor.spoken()[-1] == "All right, I'll fill it in"
    assert filling.violated == []


def test_a_form_that_is_put_away_with_item_nine_in_it_is_heard_too(served: Served, context: Opened) -> None:
    filling = Filling(served, context("desktop").new_page(), "cbt/mood_check")
    filling.comes("cbt/mood")
    filling.press("先不填这张表")
    filling.visitor.option("好，填一下").click()
    filling.comes("cbt/phq9")
    key = filling.page.evaluate(f"{HERE}.request.form.key")
    turn = served.call(
        "POST",
        f"/sessions/{filling.visitor.session}/turns",
        {"key": "put-away-1", "input": {"type": "form_cancel", "form": {"key": key, "values": {"q9": 1}}}},
        filling.visitor.token,
    )
    assert turn["in_crisis"]
    filling.page.wait_for_function(CRISIS)
    filling.form.wait_for(state="detached")
    assert filling.results() == []
