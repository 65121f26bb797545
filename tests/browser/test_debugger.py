"""The debugger in a real browser with a real server: somebody who sees only the page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.authoring import Author
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.debugging import Held
from tests.browser.served import Served
from tests.browser.staffing import Account, administrator


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("debugger"))
    server.data.mkdir(parents=True)
    (server.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
    with server:
        yield server


@pytest.fixture(scope="module")
def account(served: Served) -> Account:
    return administrator(served).invite("lin", ("developer",))


def test_stepped_held_looked_into_gone_back_and_compared(account: Account, context: Opened) -> None:
    held = Held(Author(account, context), entry=True)
    page = held.page
    held.stands("停着")
    for _ in range(10):  # a step that is still being made takes no other
        if "abc_name" in page.locator(".debug-where").inner_text():
            break
        held.key("F11")
        page.wait_for_timeout(500)
    held.stands("abc_name")
    expect(page.locator(".cm-line.debug-running")).to_contain_text("ai_ask")
    held.seen("held")
    held.key("F8")
    held.stands("等来访者说话")
    page.locator(".cm-line", has_text="abc_mood").first.click()
    page.keyboard.press("F9")
    held.tab("断点")
    expect(page.locator(".debug-points li")).to_have_count(1)
    question = page.locator("heart-chat article", has_text="怎么称呼")
    question.last.scroll_into_view_if_needed()  # what is said before it was in sight counts for no answer to it
    expect(question.last).to_be_in_viewport(ratio=1)
    held.say("小林")
    held.stands("断点")
    held.seen("breakpoint")
    held.tab("变量")
    expect(page.locator(".debug-variables")).to_contain_text("小林")
    page.get_by_placeholder("表达式").fill('称呼 == "小林"')
    page.get_by_role("button", name="加上").click()
    expect(page.locator(".debug-variables")).to_contain_text("true")
    held.seen("variables")
    held.key("F8")
    held.stands("等来访者说话")
    held.tab("快照和分支")
    page.get_by_role("button", name="退回到 abc_mood").first.click()
    held.stands("退回到这里")
    held.key("F8")
    held.stands("等来访者说话")
    page.get_by_role("button", name="和分支 1 比").click()
    expect(page.locator(".debug-compared")).to_contain_text("两条分支完全一样")
    held.seen("timeline")


def test_edited_and_gone_on_with(account: Account, context: Opened) -> None:
    held = Held(Author(account, context), "cbt/mood_check")
    page = held.page
    held.stands("等来访者说话")
    waiting = page.locator(".cm-line.debug-running")
    expect(waiting).to_be_visible()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.type("awarenes: x\n")
    page.get_by_role("button", name=re.compile("改了就接着走")).click()
    trouble = page.locator(".debug-trouble")
    expect(trouble).to_contain_text(re.compile(r"mood_check\.yaml:\d+ .*awarenes"))
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    wrong = page.locator(".cm-line", has_text=re.compile("awarenes: x|^awarene?s?:?$"))
    for _ in range(20):  # what completion and closing brackets have made of the keys is taken back too
        if wrong.count() == 0:
            break
        page.keyboard.press("Control+z")
    expect(trouble).to_have_text("")
    page.keyboard.type("# 改过了\n")
    page.get_by_role("button", name=re.compile("改了就接着走")).click()
    expect(page.locator(".debug-report")).to_contain_text("原样接着")
    held.seen("edited")
    held.tab("来访者")
    page.get_by_role("button", name="让他说").click()
    expect(page.locator(".debug-head")).not_to_contain_text("第 1 轮", timeout=20_000)
    held.tab("意识")
    page.locator(".debug-awareness textarea").fill("我想自杀")
    page.get_by_role("button", name="试一下").click()
    expect(page.locator(".debug-awareness")).to_contain_text("safety/suicide_risk", timeout=15_000)
    held.seen("awareness")


def test_on_a_phone_in_english_in_the_dark(account: Account, context: Opened, tmp_path: Path) -> None:
    author = Author(account, context, "phone", locale="en", color_scheme="dark")
    author.browser.add_init_script("try { localStorage.setItem('heartrule.staff.locale', 'en') } catch {}")
    held = Held(author, "cbt/abc_intro_en")
    for name in ("Model calls", "Awareness", "Breakpoints", "Snapshots and branches", "Visitor", "Variables"):
        if held.page.get_by_role("tab", name=name).count():
            held.tab(name)
    held.seen("phone-en-dark")
    labelled = tmp_path / "labelled.jsonl"
    rows = ("I want to kill myself", "self_harm"), ("On Friday I pick up the parcel", "self_harm")
    labelled.write_text("\n".join(json.dumps({"text": text, "risk": risk}) for text, risk in rows), encoding="utf-8")
    held.tab("Awareness")
    risk = held.page.locator(".debug-risk")
    risk.get_by_label("File (.jsonl)").set_input_files(labelled)
    held.press("Try this file")
    expect(risk.get_by_role("status")).to_contain_text("2 of 2 sentences heard")
    expect(risk.locator("summary").first).to_contain_text("1 missed (self_harm)")
    risk.get_by_role("button", name="the parcel").click()
    expect(risk.locator(".debug-why")).to_contain_text("no rule matches")
    held.seen("risk-phone-en-dark")
    held.tab("Visitor")
    held.page.get_by_label("Id of the session").scroll_into_view_if_needed()
    held.seen("visitor-phone-en-dark")
