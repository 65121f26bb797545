"""What is remembered, in "my space": asked plainly, listed with its source, put right, forgotten, drawn as a curve."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.looks import LOOKS
from tests.browser.pages import findings, overflow
from tests.browser.served import Served
from tests.browser.visiting import Visitor

PICTURES = os.environ.get("HEARTRULE_PICTURES")
SCRIPT = """
sessions:
  - session: {name}
    id: knowing{end}
    locale: {locale}
    memory: {{read: {{enabled: true, mode: opening}}}}
    declare:
      - {{var: sleep, type: text, label: {sleep}, define: {sleep}}}
      - {{var: homework, type: text, label: {homework}, define: {homework}}}
    phases:
      - phase: {name}
        id: talk
        steps:
          - topic: {sleep}
            id: sleep
            actions:
              - {{type: ask, id: how, content: "{ask}", output: [{{get: sleep}}]}}
              - {{type: show_form, id: mood, form: mood{end}}}
          - topic: {homework}
            id: tasks
            actions:
              - {{type: ask, id: task, content: "{todo}", output: [{{get: homework}}]}}
forms:
  - form: {mood}
    id: mood{end}
    fields: [{{id: now, label: "{now}", type: integer, required: true}}]
    scores: [{{id: total, sum: [now], bands: [{{from: 0, to: 4, label: {low}}}, {{from: 5, to: 10, label: {high}}}]}}]
"""
ZH: dict[str, Any] = {
    "end": "", "locale": "zh-CN", "name": "近况", "sleep": "睡眠", "homework": "作业", "mood": "心情",
    "ask": "睡得怎么样？", "todo": "这周打算练习什么？", "now": "现在心情几分", "low": "低", "high": "高",
    "said": ("我妈妈住院以后，我每天晚上三点才睡着", "每天散步半小时"),
    "words": {
        "yes": "可以", "no": "不可以", "correct": "改", "do": "改成这样", "forget": "忘掉", "seek": "找",
        "corrected": "改好了", "line": "时间线", "about": "关于你", "people": "提到的人", "mother": "母亲",
    },
}  # fmt: skip
EN: dict[str, Any] = {
    "end": "_en", "locale": "en", "name": "Lately", "sleep": "Sleep", "homework": "Homework", "mood": "Mood",
    "ask": "How do you sleep?", "todo": "What will you practise?", "now": "Mood now", "low": "low", "high": "high",
    "said": ("Since my mother went into hospital I fall asleep at three", "a walk of half an hour every day"),
    "words": {
        "yes": "Yes", "no": "No", "correct": "Correct", "do": "Save", "forget": "Forget", "seek": "Search",
        "corrected": "Corrected", "line": "Timeline", "about": "About you", "people": "People you mentioned",
        "mother": "mother",
    },
}  # fmt: skip
SHOWN = {
    "phone": (ZH, LOOKS["phone"]),
    "desktop": (ZH, LOOKS["desktop"]),
    "english": (EN, LOOKS["english"]),
    "english phone": (EN, {**LOOKS["phone"], "locale": "en-US"}),
}


@pytest.fixture(scope="module")
def knowing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("knowing")
    project = folder / "project"
    project.mkdir()
    (project / "project.yaml").write_text("id: tests\nlocale: zh-CN\n", encoding="utf-8")
    for each in (ZH, EN):
        plain = {name: value for name, value in each.items() if isinstance(value, str)}
        (project / f"knowing{each['end']}.yaml").write_text(SCRIPT.format(**plain), encoding="utf-8")
    served = Served(folder, projects=[project])
    served.data.mkdir()
    (served.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
    with served:
        yield served


def pictured(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


def held(visitor: Visitor, said: tuple[str, str], mood: int) -> None:
    """A session to its end; its form is handed in beside the page."""
    visitor.begin()
    before = visitor.awaits()["last"]
    visitor.say(said[0])
    before = visitor.awaits(before)["last"]
    standing = visitor.standing()
    given = {"type": "form_submit", "form": {"key": standing["request"]["form"]["key"], "values": {"now": mood}}}
    path = f"/sessions/{visitor.session}/turns"
    after = standing["last_message"]
    visitor.served.call("POST", path, {"key": "handed-in-1", "after": after, "input": given}, visitor.token)
    before = visitor.awaits(before)["last"]
    visitor.say(said[1])
    visitor.page.locator("session-rest h2").wait_for(state="attached")


@pytest.mark.parametrize("look", SHOWN)
def test_what_is_remembered_is_seen_put_right_and_forgotten(knowing: Served, context: Opened, look: str) -> None:
    told, options = SHOWN[look]
    words: dict[str, str] = told["words"]
    visitor = Visitor(context("desktop", **options).new_page(), knowing)
    visitor.script, page = f"tests/knowing{told['end']}", visitor.page
    for mood in (3, 7):
        held(visitor, told["said"], mood)
    page.goto(f"{knowing.url}/#/space")
    memories = page.locator("visitor-memories")
    choice = memories.locator("[aria-labelledby=remembering]")
    expect(choice.get_by_role("button", name=words["yes"], exact=True)).to_have_attribute("aria-pressed", "false")
    expect(memories.locator("h3")).to_have_count(0)
    pictured(page, f"memories not answered {look}")
    choice.get_by_role("button", name=words["yes"], exact=True).click()
    expect(memories.get_by_role("heading", name=words["line"])).to_be_visible()  # without being asked for again
    expect(memories.get_by_role("heading", name=words["about"])).to_be_visible()
    expect(memories.locator("li").filter(has_text=told["said"][0]).first).to_be_visible()
    expect(memories.locator(".course svg").first).to_be_visible()
    assert memories.locator(".course").count() == 1
    assert findings(page) == []
    assert overflow(page) <= 0
    pictured(page, f"memories {look}")

    first = memories.locator("li").filter(has=page.get_by_role("button")).first
    first.get_by_role("button").first.click()
    memories.locator("#correct").fill("现在十二点就睡了" if told is ZH else "asleep by midnight now")
    pictured(page, f"memories put right {look}")
    memories.get_by_role("button", name=words["do"]).click()
    expect(memories.locator(".line")).to_contain_text(words["corrected"])
    expect(memories).to_contain_text("现在十二点就睡了" if told is ZH else "asleep by midnight now")

    people = memories.get_by_role("heading", name=words["people"])
    expect(people).to_be_visible()
    mothers = (
        memories.locator("li")
        .filter(has=page.locator("b").get_by_text(words["mother"], exact=True))
        .filter(has=page.get_by_role("button"))
    )
    while mothers.count():
        left = mothers.count()
        mothers.first.get_by_role("button").last.click()
        sure = memories.locator("li .sure")
        if left == 1:
            pictured(page, f"memories forgotten {look}")
        sure.get_by_role("button", name=words["forget"], exact=True).click()
        expect(mothers).to_have_count(left - 1)
    page.reload()
    expect(memories).to_contain_text("现在十二点就睡了" if told is ZH else "asleep by midnight now")
    expect(memories.get_by_role("heading", name=words["people"])).to_have_count(0)

    until = monotonic() + 30  # what was said last is gone through beside the talk
    while not memories.get_by_text(told["said"][1]).count() and monotonic() < until:
        page.reload()
        expect(memories).to_contain_text("现在十二点就睡了" if told is ZH else "asleep by midnight now")
    memories.locator("#seek").fill("散步" if told is ZH else "walk")
    memories.get_by_role("button", name=words["seek"], exact=True).click()
    expect(memories.locator("li").first).to_contain_text(told["said"][1])
    assert findings(page) == []
    pictured(page, f"memories sought {look}")
    choice.get_by_role("button", name=words["no"], exact=True).click()
    expect(memories.locator("li")).to_have_count(0)
    pictured(page, f"memories switched off {look}")
