"""Two authors in two browsers: one project, comments that stay where they belong, and who is at which step."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from tests.browser.authoring import Author
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.served import Served
from tests.browser.staffing import administrator, seen


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("together"))
    server.data.mkdir(parents=True)
    (server.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
    with server:
        yield server


def test_two_authors_comment_see_each_other_and_merge(served: Served, context: Opened) -> None:
    admin = administrator(served)
    lin = Author(admin.invite("lin", ("developer",)), context)
    wei = Author(admin.invite("wei", ("developer",)), context, "english")
    wei.account.call("PATCH", "/staff/me", {"locale": "en"})
    project = lin.make("睡眠", "first_assessment")
    at = f"/workbench/projects/{project}"

    # shared through the page
    lin.page.goto(f"{served.url}/staff/workbench")
    lin.page.get_by_role("button", name="共享").click()
    lin.page.locator(".share-list").get_by_label("wei").select_option("write")
    seen(lin.page, "together-sharing-wide-zh")
    lin.page.keyboard.press("Escape")
    lin.open(project)
    wei.page.goto(f"{served.url}/staff/workbench")
    expect(wei.page.get_by_role("heading", name="Shared with me")).to_be_visible()
    wei.open(project)

    # who is there, and at which step
    expect(lin.page.locator(".others")).to_contain_text("wei")
    step = wei.page.locator(".card.topic .row .name").nth(1)
    step.click()
    expect(lin.page.locator(".row .here-at")).to_have_text("wei")
    lin.page.locator(".card.topic .row .name").nth(1).click()
    expect(lin.page.locator(".also-here")).to_contain_text("wei")
    expect(wei.page.locator(".also-here")).to_contain_text("lin")
    expect(lin.page.locator(".panel-body .field textarea, .panel-body .cm-content").first).to_be_visible()
    seen(lin.page, "together-here-wide-zh")

    # a comment by keyboard, in the flow
    step.focus()
    wei.page.keyboard.press("Control+Alt+m")
    box = wei.page.locator(".composer textarea").first
    expect(box).to_be_focused()
    wei.page.keyboard.insert_text("Too fast, @lin")
    wei.page.keyboard.press("Control+Enter")
    expect(wei.page.locator(".thread")).to_have_count(1)
    expect(lin.page.locator(".row .count.comment")).to_be_visible()
    (thread,) = lin.account.call("GET", f"{at}/threads")["threads"]
    assert thread["comments"][0]["mentions"] == [lin.account.id]

    # it goes along when the step is moved, before that is saved and after
    lin.page.keyboard.press("Escape")
    row = lin.page.locator(".card.topic .row .name").nth(1)
    words = row.locator(".row-text").inner_text()
    row.focus()
    lin.page.keyboard.press("Alt+ArrowUp")
    first = lin.page.locator(".card.topic .row").nth(0)
    expect(first.locator(".row-text")).to_have_text(words)
    expect(first.locator(".count.comment")).to_be_visible()
    lin.save("moved")
    wei.page.get_by_role("button", name="Show it").click()
    expect(wei.page.locator(".card.topic .row").nth(0).locator(".count.comment")).to_be_visible()

    # in the text it stands beside its line, and is answered and resolved there
    lin.view("文本")
    expect(lin.page.locator(".cm-beside.comments")).to_be_visible()
    lin.page.locator(".room-acts").get_by_role("button", name="批注").click()
    lin.page.locator(".thread").get_by_role("button", name="回复").click()
    lin.page.locator(".thread textarea").fill("好，慢一点")
    lin.page.locator(".thread").get_by_role("button", name="发出").click()
    expect(lin.page.locator(".thread")).to_contain_text("好，慢一点")
    seen(lin.page, "together-comments-wide-zh")
    wei.page.locator(".room-acts").get_by_role("button", name="Comments").click()
    expect(wei.page.locator(".thread")).to_contain_text("好，慢一点")
    wei.page.locator(".thread").get_by_role("button", name="Resolve").press("Enter")
    expect(wei.page.locator(".thread")).to_have_count(0)
    expect(lin.page.locator(".cm-beside.comments")).to_have_count(0)

    # by keyboard from the text
    lin.text.click()
    lin.page.keyboard.press("Control+Alt+m")
    expect(lin.page.locator(".composer textarea").first).to_be_focused()

    # who wrote it
    lin.page.get_by_role("button", name="谁写的").click()
    expect(lin.page.locator(".cm-beside.written").first).to_contain_text("lin")
    seen(lin.page, "together-written-wide-zh")

    # gone with the page
    wei.page.close()
    expect(lin.page.locator(".others")).to_have_count(0)
    assert lin.wrong == []
    assert wei.wrong == []
