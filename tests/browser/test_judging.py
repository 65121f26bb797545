"""A reply is reported in the page and judged at the desk; a form that was left to the counsellor is filled there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Opened
from tests.browser.served import Served
from tests.browser.staffing import PICTURES, administrator, seen
from tests.browser.visiting import Visitor

PROJECT = """
sessions:
  - session: {name}
    id: {id}
    locale: {locale}
    phases:
      - phase: P
        id: p
        steps:
          - topic: T
            id: t
            actions:
              - {{type: show_form, id: left, form: {form}, mode: counselor}}
              - {{type: say, id: hello, content: "{hello}"}}
              - {{type: ask, id: how, content: "{how}"}}
              - {{type: ask, id: more, content: "{form}: {{{form}.risk}}"}}
forms:
  - form: {notes}
    id: {form}
    locale: {locale}
    audience: counselor
    fields:
      - id: risk
        label: {risk}
        type: single
        required: true
        options: [{{value: 0, label: {low}}}, {{value: 1, label: {high}}}]
      - {{id: note, label: {note}, type: longtext}}
"""
WORDS = {
    "zh-CN": {
        "name": "谈一谈",
        "hello": "你好，别想太多。",
        "how": "今天怎么样？",
        "notes": "会谈记录",
        "risk": "风险",
        "low": "低",
        "high": "高",
        "note": "记几句",
        "report": "这样说不合适",
        "reason": "让人难受",
        "send": "告诉我们",
        "thanks": "谢谢你告诉我们",
        "known": "已经告诉过我们",
        "said": "什么叫别想太多",
        "recall": "撤回",
        "gone": "这句话被撤回了",
        "forms": "表",
        "test": "下载成对话测试",
        "saved": "记下了。",
    },
    "en": {
        "name": "A talk",
        "hello": "Hello. Do not think so much.",
        "how": "How are you today?",
        "notes": "Session notes",
        "risk": "Risk",
        "low": "low",
        "high": "high",
        "note": "A few words",
        "report": "Report this reply",
        "reason": "It is hurtful",
        "send": "Tell us",
        "thanks": "Thank you for telling us",
        "known": "You have told us",
        "said": "What do you mean, not so much",
        "recall": "Take back",
        "gone": "Taken back",
        "forms": "Forms",
        "test": "Download as a conversation test",
        "saved": "Saved.",
    },
}
LOOKS = [("phone", "zh-CN", "light"), ("desktop", "en", "dark"), ("desktop", "zh-CN", "dark"), ("phone", "en", "light")]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "project.yaml").write_text("id: tests\n", encoding="utf-8")
    for locale, words in WORDS.items():
        text = PROJECT.format(**words, id=locale[:2], locale=locale, form=f"notes_{locale[:2]}")
        (folder / f"{locale}.yaml").write_text(text, encoding="utf-8")
    with Served(tmp_path, projects=[folder]) as running:
        yield running


def chosen(long: bool) -> list[tuple[str, str, str]]:
    return LOOKS if long or PICTURES else LOOKS[:2]


@pytest.mark.parametrize(("look", "locale", "theme"), LOOKS)
def test_a_reply_is_reported_judged_and_a_form_filled(
    served: Served, context: Opened, long: bool, look: str, locale: str, theme: str
) -> None:
    if (look, locale, theme) not in chosen(long):
        pytest.skip("part of `make browser`")
    words, name = WORDS[locale], f"judging-{look}-{locale}"
    tag = {"en": "en-US"}.get(locale, locale)
    visitor = Visitor(context(look, locale=tag, color_scheme=theme).new_page(), served)
    visitor.script = f"tests/{locale[:2]}"
    visitor.begin()
    report(visitor.page, words, name)
    account = administrator(served).invite("Dr. Wang")
    account.call("PATCH", "/staff/me", {"locale": locale})
    ours = account.into(context(look, locale=tag, color_scheme=theme)).new_page()
    ours.goto(f"{served.url}/staff/desk/replies")
    judge(ours, words, name)
    fill(ours, visitor, words, name)
    take_back(ours, visitor, words, name)


def report(page: Page, words: dict[str, str], name: str) -> None:
    """By hand where there is a pointer; nothing moves before somebody asks for it."""
    reply = page.locator("heart-chat .message.ai").first
    before = page.locator("heart-chat .message.ai").last.bounding_box()
    offer = page.locator("heart-chat .report .offer").first
    reply.hover()
    expect(offer).to_have_css("opacity", "1")
    assert page.locator("heart-chat .message.ai").last.bounding_box() == before
    seen(page, f"{name}-1-offered")
    offer.click()
    asked = page.locator("heart-chat form.report")
    expect(asked.locator("input").first).to_be_focused()
    seen(page, f"{name}-2-asked")
    page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    expect(offer).to_be_focused()
    offer.press("Enter")
    asked.get_by_label(words["reason"]).check()
    asked.locator("textarea").fill(words["said"])
    asked.get_by_role("button", name=words["send"]).click()
    expect(page.locator("heart-chat .report.told")).to_contain_text(words["thanks"])
    seen(page, f"{name}-3-thanked")
    page.reload()
    offer.focus()
    offer.press("Enter")
    expect(page.locator("heart-chat .report.told")).to_contain_text(words["known"])


def judge(page: Page, words: dict[str, str], name: str) -> None:
    item = page.locator(".list .item.urgent")
    expect(item).to_have_count(1)
    assert words["said"] not in page.locator("body").inner_text()
    seen(page, f"{name}-4-queue")
    item.click()
    expect(page.locator(".log .current")).to_contain_text(words["hello"])
    expect(page.locator(".passed")).to_contain_text(words["said"])
    page.locator("input[value=unsuitable]").check()
    page.locator("select[name=category]").select_option("hurtful")
    page.locator("#judge-note").fill("…")
    seen(page, f"{name}-5-judging")
    with page.expect_download() as download:
        page.get_by_role("button", name=words["test"]).click()
    test = download.value.path().read_text(encoding="utf-8")
    assert words["hello"] in test
    page.locator(".judge button.main").click()
    expect(page.locator(".foot [role=status]")).to_have_text(words["saved"])
    seen(page, f"{name}-6-judged")
    if page.locator(".back").is_visible():
        page.locator(".back").click()
    expect(page.locator(".list .item.urgent")).to_have_count(0)


def fill(page: Page, visitor: Visitor, words: dict[str, str], name: str) -> None:
    page.goto(f"{visitor.served.url}/staff/desk/s/{visitor.session}")
    narrow = page.locator(".views .filter").last
    page.locator(".log").wait_for()
    if narrow.is_visible():
        narrow.click()
    page.get_by_role("tab", name=words["forms"]).click()
    forms = page.locator(".panel .rows")
    expect(forms).to_contain_text(words["notes"])
    forms.get_by_role("button").click()
    form = page.locator("heart-form")
    form.locator("button.main").click()
    expect(form.locator(".errors")).to_be_visible()  # what is required is missing
    form.get_by_text(words["high"], exact=True).click()
    form.locator("textarea").fill("…")
    seen(page, f"{name}-7-form")
    form.locator("button.main").click()
    expect(form).to_have_count(0)
    expect(forms.locator("li")).to_have_count(1)
    before = visitor.standing()["last_message"]
    visitor.say(words["said"])
    visitor.awaits(before)
    assert ": 1" in visitor.kept()[-1]["content"]
    assert words["notes"] not in visitor.page.locator("body").inner_text()
    if narrow.is_visible():
        page.locator(".views .filter").first.click()


def take_back(page: Page, visitor: Visitor, words: dict[str, str], name: str) -> None:
    log = page.locator(".log")
    expect(log).to_contain_text(words["said"])
    visitor.page.get_by_role("button", name=words["recall"], exact=True).click()
    visitor.page.locator("#take-back").click()
    expect(log.locator(".spoken.person .words").last).to_have_text(words["gone"])
    expect(log).not_to_contain_text(words["said"])
    seen(page, f"{name}-8-taken-back")
