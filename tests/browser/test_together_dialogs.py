"""What is decided between two authors, packages of others, what a script is worth, and sharing with a group: in the
pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from tests.browser.authoring import Author
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.served import Served
from tests.browser.staffing import Account, administrator, seen
from tests.releases.material import FILES
from tests.server.test_gallery import shelf


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("dialogs")
    server = Served(folder, environment={"HEARTRULE_PACKAGES": str(shelf(folder / "shelf"))})
    server.data.mkdir(parents=True)
    (server.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
    with server:
        yield server


@pytest.fixture(scope="module")
def admin(served: Served) -> Account:
    return administrator(served)


@pytest.fixture(scope="module")
def lin(admin: Account) -> Account:
    return admin.invite("lin", ("developer",))


@pytest.fixture(scope="module")
def wei(admin: Account) -> Account:
    return admin.invite("wei", ("developer",))


def project(of: Account, name: str = "睡眠") -> str:
    made = of.call("POST", "/workbench/projects", {"name": name, "template": "empty", "locale": "zh-CN"})
    before = of.call("GET", f"/workbench/projects/{made['id']}/texts")["texts"]
    changes = {**dict.fromkeys(before), **FILES}
    of.call("POST", f"/workbench/projects/{made['id']}/versions", {"base": 1, "changes": changes})
    return str(made["id"])


def test_what_both_have_changed_is_shown_in_both_views_and_decided(lin: Account, wei: Account, context: Opened) -> None:
    made = project(lin)
    at = f"/workbench/projects/{made}"
    lin.call("PUT", f"{at}/sharing", {"who": wei.id, "level": "write"})
    author = Author(lin, context)
    author.open(made)
    page = author.page

    # the other has saved: other words for the same question, and a step before it
    theirs = FILES["talk.yaml"].replace("怎么称呼你？", "请问怎么称呼？").replace("今晚早点睡。", "晚安。")
    theirs = theirs.replace(
        "- {type: ask, id: name", "- {type: say, id: hello, content: 你好。}\n              - {type: ask, id: name"
    )
    wei.call("POST", f"{at}/versions", {"base": 2, "changes": {"talk.yaml": theirs}})
    author.step("怎么称呼你").locator(".name").click()
    author.write("content", "我怎么叫你？")
    page.keyboard.press("Escape")
    author.page.locator(".room-acts .main").click()
    page.locator(".window input").fill("我的说法")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="有人先保存了")
    expect(dialog.locator("fieldset")).to_have_count(1)
    expect(dialog).to_contain_text("我怎么叫你？")
    expect(dialog).to_contain_text("请问怎么称呼？")
    seen(page, "together-conflict-wide-zh")

    # where it stands, on the map and in the text, while it is not decided
    dialog.get_by_role("button", name="看它在流程里的位置").click()
    expect(dialog).to_have_count(0)
    expect(author.step("我怎么叫你").locator(".count.conflict")).to_be_visible()
    expect(page.locator(".panel-body")).to_be_visible()
    seen(page, "together-conflict-map-wide-zh")
    page.keyboard.press("Escape")
    author.view("文本")
    expect(page.locator(".cm-beside.conflicts")).to_be_visible()
    seen(page, "together-conflict-text-wide-zh")
    assert "<<<<" not in author.text.inner_text()

    # theirs is taken at its step, though another one stands before it now
    page.locator(".room-acts .main").click()
    page.locator(".window input").fill("用他的说法")
    page.keyboard.press("Enter")
    dialog.get_by_label("对方的").check()
    dialog.get_by_role("button", name="看它的文本").click()
    expect(page.locator(".cm-beside.conflicts")).to_be_visible()
    page.locator(".room-acts .main").click()
    page.keyboard.press("Enter")
    dialog.get_by_label("对方的").check()
    dialog.get_by_role("button", name="就这样").click()
    expect(dialog).to_have_count(0)
    expect(page.locator(".cm-beside.conflicts")).to_have_count(0)
    expect(author.text).to_contain_text("请问怎么称呼？")
    expect(author.text).to_contain_text("你好。")
    assert author.texts(made)["talk.yaml"] == theirs
    assert author.wrong == []


def test_a_package_is_found_looked_at_and_made_a_project(lin: Account, context: Opened) -> None:
    author = Author(lin, context)
    page = author.page
    page.goto(f"{lin.served.url}/staff/workbench")
    page.get_by_role("link", name="现成的包").click()
    page.get_by_label("找包").fill("no such thing")
    expect(page.locator(".gallery-list li")).to_have_count(0)
    page.get_by_label("找包").fill("hello")
    item = page.locator(".gallery-list > li")
    expect(item).to_have_count(1)
    item.get_by_role("button", name="看看").press("Enter")
    expect(item).to_contain_text("talk")
    expect(item).to_contain_text("A book")
    seen(page, "gallery-wide-zh")
    item.locator("button.main").click()
    page.locator(".card.topic").first.wait_for()
    expect(page.locator(".room-head")).to_contain_text("greeting")
    assert author.wrong == []


def test_what_a_script_is_worth_and_what_lowers_it(lin: Account, context: Opened) -> None:
    author = Author(lin, context)
    author.open(project(lin, "评分"))
    page = author.page
    page.get_by_role("button", name="更多").click()
    page.get_by_role("menuitem", name="质量评分").click()
    dialog = page.get_by_role("dialog", name="质量评分")
    expect(dialog.locator("h3")).to_contain_text("满分 100", timeout=90_000)
    expect(dialog.locator(".score-parts tr")).to_have_count(5)
    expect(dialog.locator(".score-parts li").first).to_be_visible()
    seen(page, "score-wide-zh")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert author.wrong == []


def test_a_project_is_shared_with_a_group(lin: Account, wei: Account, context: Opened) -> None:
    made = project(lin, "给同事看")
    author, other = Author(lin, context), Author(wei, context)
    page = author.page
    page.goto(f"{lin.served.url}/staff/workbench")
    row = page.locator("li", has_text="给同事看")
    row.get_by_role("button", name="共享").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("新建或修改组").click()
    dialog.get_by_label("组的名字").fill("晚班")
    dialog.get_by_role("checkbox", name="wei").check()
    dialog.get_by_role("button", name="好").click()
    dialog.get_by_label("晚班").select_option("read")
    expect(dialog.get_by_label("晚班")).to_have_value("read")
    seen(page, "sharing-group-wide-zh")
    other.page.goto(f"{lin.served.url}/staff/workbench")
    expect(other.page.get_by_role("heading", name="别人和我共享的")).to_be_visible()
    other.open(made)
    expect(other.page.locator(".room-acts .main")).to_have_count(0)
    dialog.get_by_label("晚班").select_option("")
    expect(dialog.get_by_label("晚班")).to_have_value("")
    other.page.goto(f"{lin.served.url}/staff/workbench")
    expect(other.page.locator(".page.projects")).to_be_visible()
    expect(other.page.locator("li", has_text="给同事看")).to_have_count(0)
    assert author.wrong == []
    assert other.wrong == []
