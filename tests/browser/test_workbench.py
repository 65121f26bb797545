"""The workbench in a real browser with a real server: what an author does who has never seen YAML, and who has."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.authoring import Author, kept
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.pages import findings, overflow
from tests.browser.served import Served
from tests.browser.staffing import Account, administrator


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all of these: what each makes is a project of its own."""
    server = Served(tmp_path_factory.mktemp("workbench"))
    server.data.mkdir(parents=True)
    (server.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
    with server:
        yield server


@pytest.fixture(scope="module")
def account(served: Served) -> Account:
    return administrator(served).invite("lin", ("developer",))


PICTURES = os.environ.get("HEARTRULE_PICTURES")
"""A folder, for whoever wants to look at the pages."""


def seen(author: Author, name: str) -> None:
    """Nothing that keeps somebody out, nothing wider than the screen, nothing that the page's policy forbids."""
    if PICTURES:
        author.page.screenshot(path=str(Path(PICTURES) / f"workbench-{name}.png"))
    assert findings(author.page) == []
    assert overflow(author.page) <= 0
    assert author.wrong == []


def test_in_the_flow_alone_a_session_is_made_tried_and_repaired(
    served: Served, account: Account, context: Opened
) -> None:
    """From a template: a topic, a technique, a form and an awareness script are added, three findings repaired, all
    without a word of YAML; what was not touched stays as it was, byte for byte."""
    author = Author(account, context)
    page = author.page
    page.goto(f"{served.url}/staff/workbench")
    page.locator(".projects .main").click()
    page.locator(".window input:not([type=radio])").fill("睡眠咨询")
    seen(author, "new-zh-light")
    page.locator(".window .main").click()
    page.locator(".card.topic").first.wait_for()
    project = page.url.rsplit("/", 1)[-1].split("?")[0]
    before = author.texts(project)

    page.locator(".card.phase .add").nth(1).scroll_into_view_if_needed()
    page.locator(".card.phase .add").first.click()
    author.choose("")
    author.field("topic").locator("input").fill("睡得怎么样")
    expect(author.card("睡得怎么样")).to_be_visible()

    page.get_by_label("新建技术").click()
    author.choose("")
    expect(page.locator(".card.technique")).to_be_visible()
    page.get_by_label("新建表单").click()
    author.choose("")
    page.locator("heart-form input[type=radio]").nth(1).check()
    page.locator("heart-form input[type=radio]").nth(4).check()
    expect(page.locator(".scores dd").first).to_contain_text("2")
    page.locator(".script", has_text="初次评估").click()
    page.get_by_label("新建意识").click()
    author.choose("")
    expect(page.locator(".card.awareness")).to_be_visible()

    author.card("睡得怎么样").locator(".add").click()
    author.choose("表单")
    expect(page.locator(".findings-button")).to_have_class(re.compile("error"))
    author.field("form").locator("select").select_option(label="新的表单")
    expect(page.locator(".findings-button")).not_to_have_class(re.compile("error"))
    author.card("睡得怎么样").locator(".add").click()
    author.choose("技术")
    expect(page.locator(".findings-button")).to_have_class(re.compile("error"))
    author.field("skill").locator("select").select_option(label="新的技术")
    expect(page.locator(".findings-button")).not_to_have_class(re.compile("error"))
    expect(page.locator(".react-flow__edge.call")).to_have_count(1)
    author.step("怎么称呼你").locator(".name").click()
    author.write("content", "怎么称呼你？你刚才说是{称乎}吗？")
    told = author.field("content").locator(".told")
    expect(told).to_be_visible()
    seen(author, "finding-zh-light")
    page.locator(".findings-button").click()
    page.locator(".findings .told", has_text="称乎").locator(".second").click()
    expect(told.filter(has_text="称乎")).to_have_count(0)
    expect(author.field("content").locator(".cm-content")).to_contain_text("{称呼}")
    page.locator(".findings header .icon").click()

    page.locator("[data-tour=try]").click()
    page.locator(".try .main").click()
    expect(page.locator("heart-chat")).to_contain_text("你好，我是一个程序", timeout=60_000)
    seen(author, "flow-zh-light")
    author.save("睡眠")
    after = author.texts(project)["session.yaml"]
    gone = kept(before["session.yaml"], after)
    assert [line.strip() for line in gone] == ["content: 怎么称呼你？"]
    assert after.startswith(before["session.yaml"].split("\n", 1)[0])


def test_both_views_are_one_text_with_one_list_of_things_to_undo(
    served: Served, account: Account, context: Opened
) -> None:
    author = Author(account, context)
    page = author.page
    project = author.make("两边", "first_assessment")
    before = author.texts(project)["session.yaml"]
    author.step("你好，我是一个程序").locator(".name").click()
    author.write("content", "你好。")
    expect(author.step("你好。")).to_be_visible()
    author.view("文本")
    expect(author.text).to_contain_text(re.compile('content: "?你好。'))
    author.text.locator(".cm-line", has_text="goal: 知道来访者").click()
    page.keyboard.press("End")
    page.keyboard.type("XX")
    author.view("流程")
    page.get_by_role("button", name="“初次评估”的设置").click()
    expect(author.field("goal").locator(".cm-content")).to_contain_text("XX")

    row = author.step("怎么称呼你").locator(".name")
    row.focus()
    row.press("Alt+ArrowUp")
    expect(page.locator(".row .row-text").first).to_have_text("怎么称呼你？")
    expect(page.locator("button[data-node]:focus")).to_contain_text("怎么称呼你")
    page.keyboard.press("ControlOrMeta+z")
    expect(page.locator(".row .row-text").first).to_have_text("你好。")
    page.keyboard.press("ControlOrMeta+z")
    expect(author.field("goal").locator(".cm-content")).not_to_contain_text("XX")
    page.keyboard.press("ControlOrMeta+z")
    expect(author.step("你好，我是一个程序")).to_be_visible()
    expect(page.locator(".room-acts .main")).to_be_disabled()
    assert author.texts(project)["session.yaml"] == before
    assert author.wrong == []


def test_what_was_typed_outlives_a_dead_server_and_a_reload(served: Served, account: Account, context: Opened) -> None:
    author = Author(account, context)
    page = author.page
    project = author.make("草稿", "first_assessment")
    author.view("文本")
    author.text.locator(".cm-line", has_text="# 初次评估").click()
    page.keyboard.press("End")
    page.keyboard.type(" one")
    expect(page.locator(".kept")).to_contain_text("草稿已存")
    served.kill()
    expect(page.locator(".kept.away")).to_be_visible()
    page.keyboard.type(" two")
    page.wait_for_timeout(1_500)
    served.start()
    page.reload()
    page.locator(".notice", has_text="没有保存的稿子").wait_for()
    expect(author.text.locator(".cm-line").first).to_contain_text("one two")
    author.save("")
    assert " one two" in author.texts(project)["session.yaml"].split("\n")[0]

    second = author.browser.new_page()
    second.goto(page.url)
    second.locator(".notice", has_text="另一个标签页").wait_for()


def test_the_text_has_a_language_service(served: Served, account: Account, context: Opened) -> None:
    """Completion, hover, definition, a new name over all of it, a mend by one click, an outline, search."""
    author = Author(account, context)
    page = author.page
    project = author.make("文本", "first_assessment")
    author.view("文本")
    author.text.locator(".cm-line", has_text="怎么称呼你").click()
    page.keyboard.press("End")
    page.keyboard.type("{称")
    page.keyboard.press("Control+Space")
    expect(page.locator(".cm-tooltip-autocomplete li").first).to_contain_text("称呼")
    page.wait_for_timeout(200)
    page.keyboard.press("Enter")
    expect(author.text).to_contain_text("怎么称呼你？{称呼")
    page.keyboard.press("ControlOrMeta+z")
    page.keyboard.press("ControlOrMeta+z")

    page.locator(".outline .script", has_text="有多难受").click()
    author.point("get: 难受程度", "受程")
    page.locator(".cm-lsp-hover-tooltip").wait_for()
    author.text.locator(".cm-line", has_text="get: 难受程度").click()
    page.keyboard.press("End")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("F12")
    expect(author.text.locator(".cm-activeLine")).to_contain_text("var: 难受程度")
    page.keyboard.press("F2")
    page.locator(".window input").fill("难过几分")
    page.keyboard.press("Enter")
    expect(author.text).to_contain_text("var: 难过几分")
    page.locator(".outline .script", has_text="有多难受").click()
    expect(author.text).to_contain_text("condition: 难过几分 >= 8")

    page.locator(".text-tools button").first.click()
    page.locator(".project-search input").fill("希望")
    expect(page.locator(".project-search li")).not_to_have_count(0)
    page.locator(".project-search input").press("Escape")

    page.locator(".outline .script", has_text="初次评估").click()
    author.text.locator(".cm-line", has_text="audience:").click()
    page.keyboard.press("Home")
    page.keyboard.press("Shift+End")
    page.keyboard.insert_text("audiense: 成年人")
    page.locator(".editor .cm-lintRange-error").first.hover()
    page.locator(".cm-diagnosticAction").first.click()
    expect(author.text).to_contain_text("audience: 成年人")
    page.get_by_role("button", name="和保存的对照").click()
    page.locator(".cm-mergeView").wait_for()
    seen(author, "compare-zh-light")
    author.save("改名")
    assert author.texts(project)["session.yaml"].count("难过几分") >= 3


def test_what_cannot_be_read_is_locked_and_the_rest_goes_on(served: Served, account: Account, context: Opened) -> None:
    author = Author(account, context)
    page = author.page
    author.make("坏了", "first_assessment")
    author.view("文本")
    author.text.locator(".cm-line", has_text="content: 怎么称呼你").click()
    page.keyboard.press("End")
    page.keyboard.type(" x: y")
    author.view("流程")
    page.locator(".locked, .locked-file").first.wait_for()
    seen(author, "locked-zh-light")


@pytest.mark.parametrize(("look", "locale", "theme"), [("desktop", "en", "dark"), ("phone", "zh-CN", "light")])
def test_every_view_lets_everybody_in(account: Account, context: Opened, look: str, locale: str, theme: str) -> None:
    """Both languages, light and dark, wide and narrow."""
    author = Author(account, context, look, color_scheme=theme, locale={"en": "en-US"}.get(locale, locale))
    author.browser.add_init_script(f"localStorage.setItem('heartrule.staff.locale', '{locale}')")
    project = author.make("样子", "screening")
    name = f"{look}-{locale}-{theme}"
    seen(author, f"flow-{name}")
    author.page.locator(".row .name").first.click()
    author.page.locator(".panel .field").first.wait_for()
    seen(author, f"panel-{name}")
    for view in ("text", "variables", "relations", "versions"):
        author.open(project, view)
        author.page.wait_for_timeout(700)
        seen(author, f"{view}-{name}")
    author.page.goto(f"{account.served.url}/staff/workbench")
    author.page.locator(".project").first.wait_for()
    seen(author, f"projects-{name}")


@pytest.mark.parametrize("project", ["library.cbt", "library.safety"])
def test_what_is_shipped_is_opened_by_its_address_and_every_step_keeps_in_its_card(
    account: Account, context: Opened, project: str
) -> None:
    """Its id has a dot, as a file has; and it has steps with many outputs."""
    author = Author(account, context)
    author.page.goto(f"{author.served.url}/staff/workbench/{project}")
    author.page.locator(".row").first.wait_for(timeout=60_000)
    outside = author.page.evaluate(
        "() => [...document.querySelectorAll('.row .badge')].filter(each =>"
        " each.getBoundingClientRect().right > each.closest('.row').getBoundingClientRect().right + 1)"
        ".map(each => each.closest('.row').textContent)"
    )
    assert outside == []
    assert author.wrong == []


def test_without_what_checks_it_does_not_say_that_all_is_well(account: Account, context: Opened) -> None:
    made = account.call("POST", "/workbench/projects", {"name": "睡眠", "template": "empty", "locale": "zh-CN"})
    author = Author(account, context)
    author.page.route_web_socket(re.compile(r"/lsp"), lambda socket: socket.close())
    author.open(made["id"], view="text")
    button = author.page.locator(".findings-button")
    expect(button).to_have_text("还没检查")
    button.click()
    expect(author.page.get_by_role("region", name="发现的问题")).to_contain_text("还没有检查")
