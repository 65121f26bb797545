"""What hindered somebody who made a session in the flow view for the first time, having seen no text of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.authoring import Author
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.served import Served
from tests.browser.staffing import Account, administrator


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("first"))
    server.data.mkdir(parents=True)
    (server.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
    with server:
        yield server


@pytest.fixture(scope="module")
def account(served: Served) -> Account:
    return administrator(served).invite("lin", ("developer",))


def within(field: Locator, key: str) -> Locator:
    return field.locator(f"[data-field={key}]")


def test_what_is_added_again_breaks_nothing_and_is_what_opens(account: Account, context: Opened) -> None:
    author = Author(account, context)
    page = author.page
    author.make("两次", "first_assessment")
    for _ in range(2):
        page.locator(".card.phase .add").first.click()
        author.choose("话题")
        expect(author.field("topic").locator("input")).to_be_visible()
    expect(author.field("topic").locator("input")).to_have_value("新的话题 2")
    for name in ("新的技术", "新的技术 2"):
        page.get_by_label("新建技术").click()
        author.choose("")
        expect(page.locator(".script.here")).to_have_text(name)
        expect(page.locator(".card.technique .card-title")).to_have_text(name)
    expect(page.locator(".findings-button")).not_to_have_class(re.compile("error"))
    assert author.wrong == []


def test_the_whole_map_is_shown_also_after_something_was_added(account: Account, context: Opened) -> None:
    author = Author(account, context)
    page = author.page
    author.make("全图", "first_assessment")
    page.locator(".card.phase .add").first.click()
    author.choose("话题")
    expect(author.card("新的话题")).to_be_visible()
    for name in ("放大", "缩小", "看全图"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    for _ in range(3):
        page.get_by_role("button", name="放大", exact=True).click()
        page.wait_for_timeout(300)
    viewport = page.locator(".react-flow__viewport")
    before = viewport.get_attribute("style") or ""
    page.get_by_role("button", name="看全图", exact=True).click()
    expect(viewport).not_to_have_attribute("style", before)


def test_a_question_with_options_is_written_without_an_error_on_the_way(account: Account, context: Opened) -> None:
    author = Author(account, context)
    page = author.page
    project = author.make("问卷", "first_assessment")
    page.get_by_label("新建表单").click()
    author.choose("")
    questions = page.locator(".form-fields [data-field=fields]").first
    questions.get_by_role("button", name="＋ 加一项（题目）").click()
    expect(page.locator(".form-fields > .told")).to_have_count(0)
    options = within(questions, "options").last
    for value in ("很多天", "true"):
        options.get_by_role("button", name=re.compile("＋")).click()
        box = within(options, "value").locator("input")
        expect(box).to_have_attribute("type", "text")
        # The option before is open until the new one is there.
        expect(box).not_to_have_value("很多天")
        box.fill(value)
        box.blur()
        page.wait_for_timeout(200)
    expect(page.locator(".findings-button")).not_to_have_class(re.compile("error"))
    author.save("题")
    text = author.texts(project)["session.yaml"]
    assert re.search(r"value: \"?很多天", text)
    assert re.search(r"value: true\b", text)


def test_words_are_heard_without_a_model_and_findings_are_said_as_the_page_calls_things(
    account: Account, context: Opened
) -> None:
    author = Author(account, context)
    page = author.page
    project = author.make("词", "first_assessment")
    page.get_by_label("新建意识").click()
    author.choose("")
    words = author.field("condition").get_by_label("听到这些词就算（一行一个）")
    expect(words).to_have_value("")
    words.fill("安眠药\n怕(上瘾)")
    words.blur()
    page.wait_for_timeout(300)
    author.step("怎么称呼你").locator(".name").click()
    author.field("content").locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("Delete")
    told = author.field("content").locator(".told")
    expect(told).to_contain_text("“内容”还没有填")
    expect(told).not_to_contain_text("content")
    told.get_by_role("button").click()
    expect(told).to_have_count(0)
    expect(author.field("content").locator(".cm-content")).to_contain_text("这里写要")
    author.save("词")
    text = author.texts(project)["session.yaml"]
    assert "安眠药" in text
    assert r"怕\\(上瘾\\)" in text
    assert author.wrong == []
