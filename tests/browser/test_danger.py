"""Somebody in danger at the page: whatever brought them there, the same call, numbers in sight, one touch to dial; and
what ends a talk is read before anything lies over it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Opened, Serving, counselling
from tests.browser.pages import findings, overflow
from tests.browser.served import Served
from tests.browser.visiting import Visitor
from tests.chaos.fuzz import token_of

from heartrule.testing.openai_server import Answer, Body, OpenAIServer

PICTURES = os.environ.get("HEARTRULE_PICTURES")
"""A folder, for whoever wants to look at the pages."""
LOOKS = ("phone", "desktop")
ENDINGS = ("a low mood", "a whole talk", "no form")
CALL = ("desk", "awareness safety/danger_to_desk", "P0")
LED_CALL = ("desk", "awareness safety/near_to_desk", "P0")
SEEN = """() => {
    const area = document.querySelector('heart-chat').shadowRoot.querySelector('.scroll').getBoundingClientRect();
    const rest = document.querySelector('session-rest')?.getBoundingClientRect();
    const all = [...document.querySelector('heart-chat').shadowRoot.querySelectorAll('.message')];
    const last = all.at(-1).getBoundingClientRect();
    return {area: [area.top, area.bottom], last: [last.top, last.bottom], rest: rest && [rest.top, rest.bottom]};
}"""
AT_HAND = """() => {
    const screen = [innerWidth, innerHeight];
    const chat = document.querySelector('heart-chat')?.shadowRoot;
    const dials = 'a[href^="tel:"]';
    const links = [...document.querySelectorAll(dials), ...(chat?.querySelectorAll(dials) ?? [])];
    const clip = chat?.querySelector('.scroll').getBoundingClientRect();
    return [...new Set(links.filter((link) => {
        const {top, bottom, left, right, width, height} = link.getBoundingClientRect();
        if (width === 0 || height === 0 || left < 0 || right > screen[0] || top < 0 || bottom > screen[1]) return false;
        const x = (left + right) / 2, y = (top + bottom) / 2;
        let hit = document.elementFromPoint(x, y);
        while (hit?.shadowRoot?.elementFromPoint(x, y) && hit.shadowRoot.elementFromPoint(x, y) !== hit) {
            hit = hit.shadowRoot.elementFromPoint(x, y);
        }
        return link === hit || link.contains(hit);
    }).map((link) => link.href))];
}"""
"""Numbers that one touch dials, where the person looks now."""


def pictured(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=str(Path(PICTURES) / f"{name}.png"))


def dialled(page: Page) -> set[str]:
    page.wait_for_timeout(300)
    return set(page.evaluate(AT_HAND))


def say(visitor: Visitor, words: str) -> None:
    before = visitor.standing()["last_message"]
    visitor.say(words)
    visitor.awaits(before)


def at_form(visitor: Visitor) -> None:
    """To item 9 of a PHQ-9, which says more than half the days."""
    page = visitor.page
    visitor.script = "cbt/mood_check"
    visitor.begin()
    page.get_by_role("button", name="先不填这张表").click()
    before = visitor.awaits()["last"]
    visitor.option("好，填一下").click()
    visitor.awaits(before)
    form = visitor.standing()["request"]["form"]
    before = visitor.standing()["last_message"]
    for field in [each for each in form["fields"] if each.get("options")]:
        asked = page.locator(f"heart-form #f-{field['id']}")
        asked.wait_for()
        label = next(each["label"] for each in field["options"] if each["value"] == (2 if field["id"] == "q9" else 1))
        asked.get_by_text(label, exact=True).click()
        if field["id"] == "q9":
            break
        page.locator("heart-form .acts button.main").click()
    visitor.awaits(before)


def by_words(visitor: Visitor) -> None:
    visitor.begin()
    say(visitor, "我不想活了")


def by_form(visitor: Visitor) -> None:
    at_form(visitor)
    before = visitor.standing()["last_message"]
    visitor.page.locator("heart-chat .options").get_by_role("button", name="有", exact=True).click()
    visitor.awaits(before)


def by_a_yes(visitor: Visitor) -> None:
    visitor.begin()
    say(visitor, "活着没意思")
    before = visitor.standing()["last_message"]
    visitor.page.locator("heart-chat .options").get_by_role("button", name="有", exact=True).click()
    visitor.awaits(before)


def by_asking_for_a_human(visitor: Visitor) -> None:
    by_words(visitor)
    say(visitor, "我想跟真人说")


def by_the_verdict_of_a_model(visitor: Visitor) -> None:
    """Where a model leads, numbers come first, those on duty are told, and it goes on to talk about it."""
    visitor.begin()
    say(visitor, UNHEARD)


PATHS: dict[str, Callable[[Visitor], None]] = {
    "words": by_words,
    "item 9": by_form,
    "a yes": by_a_yes,
    "a human": by_asking_for_a_human,
    "a model": by_the_verdict_of_a_model,
}
UNHEARD = "猫已经托付给邻居了，密码也写在信封里，这样谁都不会被麻烦到"
"""What no rule takes for danger, and a model does."""


def warned(body: Body) -> Answer:
    """A model that hears danger in these words."""
    answer = counselling(body)
    if isinstance(answer, dict) and "verdicts" in answer and UNHEARD in body["messages"][-1]["content"]:
        heard = {"verdict": "yes", "confidence": 0.97, "evidence": UNHEARD[:9]}
        system = body["messages"][0]["content"]
        asked = next(
            (found[1] for found in re.finditer(r"^(\d+)[.、．) ].*(?:自杀|结束生命|不想活)", system, re.M)), "1"
        )
        return {**answer, "verdicts": [{"id": int(asked), **heard}]} if _asks(answer) else answer
    return answer


def _asks(answer: Answer) -> bool:
    return isinstance(answer, dict) and any(each["verdict"] == "no" for each in answer["verdicts"])


@pytest.fixture
def listening(serving: Serving) -> Iterator[Callable[[str], Served]]:
    with OpenAIServer(answer=warned) as model:
        named = {"BASE_URL": model.url, "API_KEY": "loopback", "MODEL": "loopback-counsellor"}
        of_model = {f"HEARTRULE_LLM_{name}": value for name, value in named.items()}
        yield lambda path: serving(**(of_model if path == "a model" else {}))


def calls_of(served: Served, session: str) -> list[tuple[str, str, str | None]]:
    """Whom a session has called, for what."""
    token = token_of(served, "counsellor")
    told = served.call("GET", "/desk/escalations", None, token)["escalations"]
    return [(each["to"], each["cause"], each["level"]) for each in told if each["session"] == session]


def is_short(value: str, values: Iterable[str], look: str) -> bool:
    """Whether the short form has this, which takes the looks in turns: each of the values once, and each look."""
    return look == LOOKS[list(values).index(value) % len(LOOKS)]


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("path", PATHS)
def test_every_path_has_the_same_call_and_the_numbers_in_sight(
    listening: Callable[[str], Served], context: Opened, long: bool, path: str, look: str
) -> None:
    if not long and not is_short(path, PATHS, look):
        pytest.skip("part of `make browser`")
    served = listening(path)
    visitor = Visitor(context(look).new_page(), served)
    page = visitor.page
    PATHS[path](visitor)
    assert {"tel:120", "tel:110", "tel:12356"} <= dialled(page), "in sight, and one touch dials"
    called = page.locator("heart-chat .message.ai a[href^='tel:']")
    assert called.count() >= 3, "numbers in messages are links"
    told = served.call("GET", f"/sessions/{visitor.session}", None, visitor.token)
    assert told["in_crisis"]
    call = LED_CALL if path == "a model" else CALL
    assert calls_of(served, visitor.session).count(call) == 1, "the same call, once, whatever led here"
    pictured(page, f"danger {path} {look}")
    assert findings(page) == []
    assert overflow(page) <= 0
    page.reload()
    page.locator("heart-chat .message").first.wait_for()
    visitor.awaits()
    assert {"tel:120", "tel:110", "tel:12356"} <= dialled(page), "after a reload"
    page.locator("options-menu button").first.click()
    page.locator(".option-items button").nth(1).click()
    assert {"tel:120", "tel:110", "tel:12356"} <= dialled(page), "before it is ended"
    page.locator("end-sheet .main").click()
    page.locator("session-rest h2").wait_for()
    assert {"tel:120", "tel:110", "tel:12356"} <= dialled(page), "and after its end"
    pictured(page, f"danger {path} {look} ended")


NEAR = (("en-US", "Europe/London"), ("en-US", "America/New_York"), ("en-US", "UTC"), ("en-GB", "UTC"))
"""The places of the short form: the clock says where, the clock and the language, neither, the language alone."""


@pytest.mark.parametrize(
    ("locale", "zone", "numbers"),
    [
        ("en-GB", "Europe/London", ["999", "116123"]),
        ("en-US", "Europe/London", ["999", "116123"]),
        ("en-US", "America/New_York", ["911", "988"]),
        ("en-GB", "UTC", ["999", "116123"]),
        ("en-US", "UTC", ["112", "116123", "988"]),
        ("en-GB", "Europe/Berlin", ["112", "116123", "988"]),
    ],
)
def test_numbers_are_those_of_where_somebody_is_and_nobody_is_asked(
    serving: Serving, context: Opened, long: bool, locale: str, zone: str, numbers: list[str]
) -> None:
    if not long and (locale, zone) not in NEAR:
        pytest.skip("part of `make browser`")
    served = serving()
    page = context("phone", locale=locale, timezone_id=zone).new_page()
    visitor = Visitor(page, served, "cbt/abc_intro_en")
    visitor.begin()
    say(visitor, "I want to kill myself")
    page.wait_for_timeout(300)
    bar = page.locator("[slot=crisis] a")
    dials = [f"tel:{number}" for number in numbers]
    assert [href for href in (each.get_attribute("href") for each in bar.all()) if str(href)[:4] == "tel:"] == dials
    assert set(dials) <= dialled(page)
    expect(bar.last).to_have_attribute("href", "https://findahelpline.com")
    said = " ".join(page.locator("heart-chat .message.ai").all_inner_texts())
    linked = set(page.locator("heart-chat .message.ai a[href^='tel:']").all_inner_texts())
    if zone in ("Europe/London", "America/New_York"):
        assert {number.replace(" ", "") for number in linked} == set(numbers), (
            "those of the clock's country, and no others"
        )
    else:
        assert all(number in said for number in ("112", "999", "911", "116 123", "988")), "words name none alone"
        assert {"112", "999", "911", "000", "116 123", "988"} <= linked
    pictured(page, f"where {locale} {zone.replace('/', ' ')}")
    assert findings(page) == []
    assert overflow(page) <= 0
    page.locator(".help-button").click()
    assert page.locator("help-sheet .contacts a").first.get_attribute("href") == dials[0]


@pytest.mark.parametrize("look", [*LOOKS, "narrow"])
def test_a_direct_question_has_buttons_and_stands_in_sight(served: Served, context: Opened, look: str) -> None:
    visitor = Visitor(context(look).new_page(), served)
    by_words(visitor)
    page = visitor.page
    offered = page.locator("heart-chat .options button")
    expect(offered).to_have_text(["有", "没有", "说不清"])
    expect(visitor.box).to_be_visible()
    question = page.locator("heart-chat .message").last
    expect(question).to_contain_text("念头")
    page.wait_for_timeout(300)
    now = page.evaluate(SEEN)
    assert now["area"][0] <= now["last"][0] + 1, "the question is in sight from its first word"
    assert now["last"][1] <= now["area"][1] + 1
    if look != "desktop":
        expect(page.locator("session-progress")).to_be_hidden()
    pictured(page, f"direct question {look}")
    offered.nth(1).click()
    page.locator("heart-chat .message.person", has_text="没有").wait_for()
    visitor.awaits(visitor.awaits()["last"] - 1)
    assert visitor.spoken()[-1] == "没有"


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("ending", ENDINGS)
def test_what_ends_a_talk_is_wholly_readable(
    serving: Serving, context: Opened, long: bool, ending: str, look: str
) -> None:
    if not long and not is_short(ending, ENDINGS, look):
        pytest.skip("part of `make browser`")
    served = serving()
    visitor = Visitor(context(look).new_page(), served, "cbt/mood_check" if ending == "no form" else "cbt/abc_intro")
    page = visitor.page
    visitor.begin()
    if ending == "a whole talk":
        visitor.hold()
    elif ending == "a low mood":
        say(visitor, "小林")
        say(visitor, "1")
        while not visitor.option("改天吧").count():
            before = visitor.standing()["last_message"]
            visitor.answer()
            visitor.awaits(before)
        visitor.option("改天吧").click()
    else:
        page.get_by_role("button", name="先不填这张表").click()
        visitor.option("今天先不填").click()
    page.locator("session-rest h2").wait_for(state="attached")
    page.wait_for_timeout(500)
    pictured(page, f"ended {ending} {look}")
    said = visitor.kept()
    last = [each for each in said if each["turn"] == said[-1]["turn"] and each["sender"] == "ai"]
    node = page.locator(f"heart-chat #m{last[-1]['seq']}")
    now = page.evaluate(SEEN)
    if now["last"][1] > now["area"][1] + 1:
        expect(page.locator("heart-chat .fresh")).to_be_visible()
        page.locator("heart-chat .fresh").click()
    node.scroll_into_view_if_needed()
    now = page.evaluate(SEEN)
    assert now["rest"] is None or now["rest"][0] >= now["last"][1] - 1, "what follows stands below, and over nothing"
    assert now["last"][1] <= now["area"][1] + 1, "its end can be read"
    assert findings(page) == []


def test_escape_that_closes_something_does_not_leave(served: Served, context: Opened) -> None:
    visitor = Visitor(context("desktop").new_page(), served)
    visitor.begin()
    page = visitor.page
    address = page.url
    for opens, there in (
        (".help-button", "help-sheet h2"),
        (".top .icon-button >> nth=0", "leave-sheet h2"),
        ("options-menu button >> nth=0", "#options:not([hidden])"),
        (".steps-button", "#steps:not([hidden])"),
    ):
        page.locator(opens).click()
        page.locator(there).wait_for()
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        page.wait_for_timeout(200)
        assert page.url == address, opens
        expect(page.locator(there)).to_have_count(0)
        page.mouse.move(5, 400)
        page.wait_for_timeout(800)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.wait_for_function("() => !location.href.includes('session')")


@pytest.mark.parametrize("look", LOOKS)
def test_the_steps_close_and_never_cover_quick_exit(served: Served, context: Opened, look: str) -> None:
    visitor = Visitor(context(look).new_page(), served)
    visitor.begin()
    page = visitor.page
    page.locator(".steps-button").click()
    steps, leaving = (page.locator(each).bounding_box() for each in ("#steps", ".quick-exit"))
    assert steps
    assert leaving
    assert leaving["y"] + leaving["height"] <= steps["y"] + 1 or leaving["x"] >= steps["x"] + steps["width"]
    pictured(page, f"steps {look}")
    page.mouse.click(20, page.viewport_size["height"] * 0.8 if page.viewport_size else 500)
    expect(page.locator("#steps")).to_be_hidden()
    page.locator(".steps-button").click()
    page.keyboard.press("Escape")
    expect(page.locator("#steps")).to_be_hidden()
