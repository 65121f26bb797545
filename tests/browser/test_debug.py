"""The debug drawer in a real browser: beside the conversation, on a phone, with a model that fails, not for others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import Opened, Serving, counselling
from tests.browser.pages import findings, overflow
from tests.browser.served import Served
from tests.browser.visiting import Visitor

from heartrule.testing.openai_server import Fault, OpenAIServer

UNFOLD = "(all) => all.forEach((one) => one.open = true)"
LOOKS = [("desktop", "zh-CN"), ("phone", "zh-CN"), ("desktop", "en"), ("phone", "en")]
SHORT = (("desktop", "zh-CN"), ("phone", "en"))
"""The looks and languages of the short form: each of them once."""
NAMES = {"zh-CN": "调试", "en": "Debug"}


class Debugging(Visitor):
    """Somebody who works on a script, and says so in the address."""

    def begin(self) -> None:
        self.page.goto(f"{self.served.url}/?debug#/begin/{self.script}")
        self.page.locator(".notice button.main").click()
        self.page.wait_for_url("**#/session/*")
        self.awaits(0)

    def answers_given(self, count: int) -> None:
        for _ in range(count):
            before = self.awaits()["last"]
            self.answer()
            self.awaits(before)

    @property
    def drawer(self) -> Locator:
        return self.page.locator("debug-drawer")

    def turn(self) -> int:
        """The turn that the drawer shows."""
        said = self.drawer.get_by_role("status").text_content() or ""
        found = re.search(r"\d+", said)
        return int(found[0]) if found else 0

    def shows(self, turn: int) -> None:
        expect(self.drawer.get_by_role("status")).to_contain_text(re.compile(rf"(第|Turn) {turn}\b"))


@pytest.fixture
def failing() -> Iterator[OpenAIServer]:
    """A model that is away at first, and talks nonsense now and then."""
    faults = [Fault(kind) for kind in ("none", "500", "not_json", "none", "none", "500", "not_json", "503")]  # type: ignore[arg-type]
    with OpenAIServer(answer=counselling, faults=faults) as server:
        yield server


def debugged(serving: Serving, model: OpenAIServer, **more: str) -> Served:
    return serving(
        HEARTRULE_LLM_BASE_URL=model.url,
        HEARTRULE_LLM_API_KEY="loopback",
        HEARTRULE_LLM_MODEL="loopback-counsellor",
        **{"HEARTRULE_DEBUG": "full", "HEARTRULE_DEVELOPMENT": "1", **more},
    )


def held(context: Opened, served: Served, look: str = "desktop", answers: int = 2, **more: Any) -> Debugging:
    visitor = Debugging(context(look, **more).new_page(), served)
    visitor.begin()
    visitor.answers_given(answers)
    return visitor


def test_it_follows_the_conversation_and_goes_back(serving: Serving, model: OpenAIServer, context: Opened) -> None:
    visitor = held(context, debugged(serving, model))
    drawer = visitor.drawer
    visitor.shows(visitor.standing()["turn"])
    visitor.answers_given(1)
    last = visitor.standing()["turn"]
    visitor.shows(last)
    drawer.get_by_role("button", name="上一轮").click()
    visitor.shows(last - 1)
    expect(drawer.get_by_role("checkbox")).not_to_be_checked()
    visitor.answers_given(1)
    visitor.shows(last - 1)
    drawer.get_by_role("combobox").select_option("1")
    visitor.shows(1)
    expect(drawer.get_by_role("button", name="上一轮")).to_be_disabled()
    drawer.get_by_role("checkbox").check()
    visitor.shows(visitor.standing()["turn"])
    expect(drawer).to_contain_text("照记录重算，一字不差")


def test_an_inserted_variable_leads_to_its_bubble(serving: Serving, model: OpenAIServer, context: Opened) -> None:
    visitor = held(context, debugged(serving, model), answers=6)
    drawer = visitor.drawer
    last = visitor.standing()["turn"]
    for turn in range(last, 0, -1):
        drawer.get_by_role("combobox").select_option(str(turn))
        visitor.shows(turn)
        expect(drawer.locator(".turn")).to_have_attribute("aria-busy", "false")
        if drawer.locator(".inserted:not([disabled])").count():
            break
    place = drawer.locator(".inserted:not([disabled])").first
    words = place.text_content() or ""
    assert words
    drawer.locator("details:has(.inserted:not([disabled]))").evaluate_all(
        "(all) => all.forEach((one) => one.open = true)"
    )
    place.click()
    bubble = drawer.locator("details.bubble[open]")
    expect(bubble.locator("pre")).to_contain_text(words)
    expect(bubble.locator("summary")).to_be_focused()
    expect(bubble).to_contain_text("写它的动作")


def test_every_try_of_a_model_that_fails(serving: Serving, failing: OpenAIServer, context: Opened) -> None:
    visitor = held(context, debugged(serving, failing), answers=3)
    drawer = visitor.drawer
    seen: list[str] = []
    for turn in range(1, visitor.standing()["turn"] + 1):
        drawer.get_by_role("combobox").select_option(str(turn))
        visitor.shows(turn)
        expect(drawer.locator(".turn")).to_have_attribute("aria-busy", "false")
        seen += drawer.locator(".bubble.bad summary").all_text_contents()
        for each in drawer.locator(".bubble.bad").all():
            each.locator("> summary").click()
            expect(each).to_contain_text("loopback-counsellor")
    assert any("server_error:500" in each for each in seen)
    assert any("not_json" in each for each in seen)


def test_every_awareness_script_says_why_it_acted_or_did_not(serving: Serving, context: Opened) -> None:
    where = serving(HEARTRULE_DEBUG="full", HEARTRULE_DEVELOPMENT="1")
    visitor = held(context, where, answers=1)
    told = visitor.drawer.locator("section[aria-labelledby=debug-awareness]")
    risk = told.locator("details.bubble", has_text="safety/suicide_risk")
    before = visitor.awaits()["last"]
    visitor.say("我不想活了")
    visitor.awaits(before)
    visitor.shows(visitor.standing()["turn"])
    expect(risk.locator("summary")).to_contain_text("是 → 照做了")
    risk.locator("summary").click()
    expect(risk).to_contain_text("CALL_TECHNIQUE")
    expect(risk).to_contain_text("不想活")
    other = told.locator("details.bubble", has_text="→ 没有命中，不用做")
    expect(other.first.locator("summary")).to_contain_text("否")


def test_what_is_masked_says_so(serving: Serving, model: OpenAIServer, context: Opened) -> None:
    visitor = held(context, debugged(serving, model, HEARTRULE_DEVELOPMENT="0"))
    drawer = visitor.drawer
    expect(drawer).to_contain_text("提示词和记忆已遮住")
    drawer.locator(".call > summary").first.click()
    drawer.locator(".call .layer > summary").first.click()
    expect(drawer.locator(".call .layer .note").first).to_contain_text("遮住了")
    assert drawer.locator(".layer pre").count() == 0


@pytest.mark.parametrize(("address", "level"), [("", "full"), ("?debug", "none")])
def test_nobody_else_loads_it(served: Served, serving: Serving, context: Opened, address: str, level: str) -> None:
    where = serving(HEARTRULE_DEBUG=level)
    page = context("desktop").new_page()
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    visitor = Visitor(page, where)
    page.goto(f"{where.url}/{address}#/begin/{visitor.script}")
    page.locator(".notice button.main").click()
    page.wait_for_url("**#/session/*")
    visitor.awaits(0)
    assert page.locator("debug-drawer").count() == 0
    assert not [url for url in loaded if "drawer" in url]


@pytest.mark.parametrize(("look", "locale"), LOOKS)
def test_axe_and_narrow_screens(
    serving: Serving, failing: OpenAIServer, context: Opened, long: bool, look: str, locale: str
) -> None:
    if not long and (look, locale) not in SHORT:
        pytest.skip("part of `make browser`")
    more = {"locale": {"en": "en-US"}.get(locale, locale)}
    visitor = held(context, debugged(serving, failing), look, 1, **more)
    drawer = visitor.drawer
    if look == "phone":
        drawer.get_by_role("button", name=NAMES[locale]).click()
    expect(drawer.get_by_role("heading", name=NAMES[locale], exact=True)).to_be_visible()
    expect(drawer.locator(".turn")).to_have_attribute("aria-busy", "false")
    assert findings(visitor.page) == []
    drawer.locator("details").evaluate_all(UNFOLD)
    assert findings(visitor.page) == []
    assert overflow(visitor.page) <= 0
    if locale == "en":
        assert not re.search(r"[\u4e00-\u9fff]", " ".join(drawer.locator("h2, h3, dt, .picker").all_text_contents()))


def test_a_phone_and_no_mouse(serving: Serving, model: OpenAIServer, context: Opened) -> None:
    visitor = held(context, debugged(serving, model), "phone")
    drawer, page = visitor.drawer, visitor.page
    opener = drawer.get_by_role("button", name="调试")
    expect(opener).to_have_attribute("aria-expanded", "false")
    opener.focus()
    page.keyboard.press("Enter")
    expect(drawer.get_by_role("heading", name="调试", exact=True)).to_be_focused()
    expect(drawer.locator(".turn")).to_have_attribute("aria-busy", "false")
    _tab_to(page, drawer.locator(".call > summary").first)
    page.keyboard.press("Enter")
    expect(drawer.locator(".call").first).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    assert drawer.get_by_role("heading").count() == 0


def _tab_to(page: Page, wanted: Locator) -> None:
    for _ in range(80):
        page.keyboard.press("Tab")
        if wanted.evaluate("(one) => one === document.activeElement"):
            return
    raise AssertionError("it is not reached with Tab")
