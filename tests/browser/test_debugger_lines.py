"""What the debugger can do, line by line, in a real browser with a real server and a model that stands in: the table in
``docs/debugger.md`` names each of these tests and its picture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.browser.authoring import Author
from tests.browser.conftest import UNLIMITED, Opened, counselling
from tests.browser.debugging import Held
from tests.browser.served import Served
from tests.browser.staffing import Account, administrator
from tests.debugger.material import LED, TALK

from heartrule.testing.openai_server import OpenAIServer

WATCHED = """awareness:
  - awareness: 困得不行
    id: sleepy
    priority: P1
    at: [answer]
    cooldown: 3 turns
    condition:
      judge: 困不困
      rules:
        explicit:
          - {pattern: 睁不开眼, reason: 说睁不开眼}
    then:
      - {directive: CALL_TECHNIQUE, technique: breathing}
"""
FILES = {
    "project.yaml": "id: sleepy\nlocale: zh-CN\n",
    "talk.yaml": TALK.replace("id: opening\n", "id: opening\n        awareness: {enable: [sleepy]}\n", 1),
    "led.yaml": LED,
    "watch.yaml": WATCHED,
}
LABELLED = (
    '{"text": "我睁不开眼了", "risk": "none", "sub": ["sleepy"]}',
    '{"text": "眼皮打架", "risk": "none", "sub": ["sleepy"]}',
    '{"text": "太阳晒得睁不开眼", "risk": "none"}',
)
FILES["tests/own.risk.jsonl"] = "\n".join(LABELLED)
TEST = """script: sleepy/sleep
tests:
  - test: 睡得少
    turns: [{say: 小林}, {say: 4 个小时}, {say: 好些}]
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with OpenAIServer(answer=counselling) as model:
        asked = {"BASE_URL": model.url, "API_KEY": "loopback", "MODEL": "loopback-counsellor"}
        environment = {f"HEARTRULE_LLM_{name}": value for name, value in asked.items()}
        folder = tmp_path_factory.mktemp("debugger")
        dangers = folder / "dangers.jsonl"
        rows = ("我想自杀", "self_harm"), ("周五我去取快递", "self_harm"), ("今天天气不错", "none")
        dangers.write_text(
            "\n".join(json.dumps({"text": text, "risk": risk}) for text, risk in rows * 90), encoding="utf-8"
        )
        environment["HEARTRULE_RISK_FILES"] = str(dangers)
        server = Served(folder, environment=environment)
        server.data.mkdir(parents=True)
        (server.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
        with server:
            yield server


@pytest.fixture(scope="module")
def account(served: Served) -> Account:
    return administrator(served).invite("lin", ("developer",))


@pytest.fixture
def project(account: Account) -> str:
    made = account.call("POST", "/workbench/projects", {"name": "睡", "template": "empty", "locale": "zh-CN"})
    project = str(made["id"])
    here = account.call("GET", f"/workbench/projects/{project}/texts")["texts"]
    changes = {**dict.fromkeys(here), **FILES}
    account.call("POST", f"/workbench/projects/{project}/versions", {"base": 1, "changes": changes})
    return project


@pytest.fixture
def author(account: Account, project: str, context: Opened) -> Iterator[Author]:
    yield Author(account, context)
    account.call("DELETE", f"/workbench/projects/{project}")


def _point(held: Held, on: str, **fields: str) -> None:
    held.tab("断点")
    form = held.page.locator(".debug-new-point")
    form.locator("select").first.select_option(on)
    for name, value in fields.items():
        place = form.locator(f"[name={name}]")
        if name == "edge":
            place.select_option(value)
        else:
            place.fill(value)
    before = held.page.locator(".debug-points > ul > li").count()
    form.get_by_role("button", name="加上").click()
    expect(held.page.locator(".debug-points > ul > li")).to_have_count(before + 1)


def test_it_holds_wherever_something_happens(author: Author) -> None:
    held = Held(author, "sleepy/sleep")
    held.stands("等来访者说话")
    _point(held, "topic", name="hours")
    _point(held, "phase", name="sleep", edge="after")
    _point(held, "technique", name="breathing")
    _point(held, "return")
    _point(held, "variable", name="睡了", condition="睡了 < 6")
    _point(held, "exit", name="felt")
    _point(held, "verdict", name="P0")
    _point(held, "directive")
    _point(held, "round")
    _point(held, "action", log="现在睡了 {睡了}", hits="1", name="breathe_in")
    held.seen("breakpoints")
    found = []
    for words in ("小林", "4 个小时", "还好"):
        held.stands("等来访者说话")
        held.say(words)
        for _ in range(12):
            expect(held.where).to_contain_text("停着", timeout=15_000) if not found else None
            held.page.wait_for_timeout(900)
            where = held.where.inner_text()
            if "停着" not in where:
                break
            found.append(where)
            held.key("F8")
    told = "\n".join(found)
    for name in ("topic · sleep › hours", "sleepy/breathing", "variable", "round", "exit", "phase"):
        assert name in told, told
    held.tab("断点")
    expect(held.page.locator(".debug-points")).to_contain_text("现在睡了 4")
    held.seen("logged")


def test_it_steps_over_into_out_to_here_and_begins_again(author: Author) -> None:
    held = Held(author, "sleepy/sleep", entry=True)
    page = held.page
    held.stands("停着")
    held.key("F8")
    held.stands("等来访者说话")
    held.say("小林")
    held.said("睡了几个小时")
    page.locator(".debug-editor .cm-line", has_text="id: breathe").first.click()
    page.keyboard.press("F9")
    held.say("4 个小时")
    held.stands("breathe")
    held.key("F11")
    held.stands("breathing")
    held.key("F11")
    held.stands("breathe_in")
    expect(page.locator(".debug-running")).to_be_visible()
    page.get_by_role("button", name="地图").click()
    running = page.locator(".debug-map [aria-current=step]")
    expect(running).to_be_in_viewport()
    expect(running).to_contain_text("breathe_in")
    expect(page.locator(".debug-map .within")).not_to_have_count(0)
    held.seen("stepping")
    running.click()
    expect(page.locator(".debug-running")).to_be_in_viewport()
    held.key("F10")
    held.stands("felt")
    held.key("Shift+F11")
    held.stands("等来访者说话")
    held.say("好些")
    page.locator(".debug-editor .cm-line", has_text="id: good_night").first.wait_for()
    held.press("重启")
    held.stands("opening › meet")
    held.press("关闭")
    expect(page.locator(".debug-head")).to_contain_text("已关闭")


def test_variables_are_looked_into_changed_and_followed(author: Author) -> None:
    held = Held(author, "sleepy/sleep")
    page = held.page
    held.stands("等来访者说话")
    held.say("小林")
    held.said("睡了几个小时")
    _point(held, "action", name="how_long", edge="after")
    held.say("4 个小时")
    held.stands("断点")
    held.tab("变量")
    slept = page.locator(".debug-variables li", has=page.locator("summary", has_text="睡了 = 4"))
    slept.locator("summary").click()
    expect(slept).to_contain_text("依据")
    expect(slept).to_contain_text("4 个小时")
    slept.get_by_role("button", name="谁在用").click()
    expect(slept.locator(".debug-readers")).to_contain_text("条件")
    page.get_by_placeholder("表达式").fill("睡了 < 6")
    page.locator("section", has_text="监视").get_by_role("button", name="加上").click()
    expect(page.locator(".debug-variables code", has_text="睡了 < 6").locator("..")).to_contain_text("true")
    page.get_by_label("第几条消息").fill("4")
    page.locator("section", has_text="一句话从哪来").get_by_role("button", name="看").click()
    expect(page.locator(".debug-lineage")).to_contain_text("how_long")
    expect(page.locator(".debug-lineage")).to_contain_text("小林")
    held.seen("lineage")
    slept.get_by_role("button", name="改", exact=True).click()
    slept.locator("input").fill("9")
    slept.get_by_role("button", name="改成这个").click()
    expect(page.locator(".debug-variables code", has_text="睡了 < 6").locator("..")).to_contain_text("false")
    held.key("F8")
    held.said("睡得不错")


def test_calls_are_opened_answered_by_hand_worked_on_and_written_back(author: Author, project: str) -> None:
    held = Held(author, "sleepy/led", by="typed")
    page = held.page
    held.stands("停着")
    held.tab("模型调用")
    answer = {"content": "这几天什么事最烦？"}
    page.locator(".debug-calls textarea").first.fill(json.dumps(answer, ensure_ascii=False))
    page.get_by_role("button", name="就这样答").first.click()
    held.press("继续")
    held.said("这几天什么事最烦？")
    page.get_by_label("谁来回答").select_option("model")
    held.say("工作太多")
    held.stands("等来访者说话")
    call = page.locator(".debug-calls > ol > li", has_text="ai_ask").last
    call.locator("summary").click()
    expect(call.locator("pre").first).not_to_be_empty()
    call.get_by_role("button", name="改这个提示词").click()
    prompt = call.locator(".debug-prompt")
    prompt.locator("textarea").fill("只问一件烦心事，问到为止。")
    prompt.get_by_label("次数").fill("2")
    prompt.get_by_role("button", name="试", exact=True).click()
    expect(prompt.locator("tbody tr")).to_have_count(2)
    held.seen("prompt")
    prompt.get_by_role("button", name="采用，写回脚本").click()
    expect(page.locator(".debug-report")).to_be_visible()
    page.once("dialog", lambda asked: asked.accept("只问一件"))
    held.press("存成新版本")
    expect(page.get_by_text("已存成第 3 版")).to_be_visible()
    assert "只问一件烦心事" in author.texts(project)["led.yaml"]


def test_the_visitor_is_played_by_others_and_time_passes(author: Author) -> None:
    held = Held(author, "sleepy/sleep")
    page = held.page
    held.stands("等来访者说话")
    held.tab("来访者")
    page.select_option("select[name=persona]", "terse")
    page.fill("input[name=moves]", "2")
    held.press("让他说")
    expect(page.locator(".debug-head")).not_to_contain_text("第 1 轮", timeout=20_000)
    page.get_by_label("测试文件的内容").fill(TEST)
    expect(page.get_by_role("button", name="继续")).to_be_enabled()
    held.seen("visitor")
    held.press("重启")
    held.stands("等来访者说话")
    held.press("照着走")
    held.said("今晚早点睡，小林。")
    held.press("重放分支 1")
    expect(page.locator(".debug-head")).to_contain_text("分支 3", timeout=15_000)
    held.press("重启")
    held.stands("等来访者说话")
    clock = page.locator(".debug-visitor form", has_text="时间").locator(".soft")
    before = clock.inner_text()
    page.locator("select[name=unit]").select_option("days")
    held.press("时间往前走")
    expect(clock).not_to_have_text(before)


def test_places_are_named_opened_compared_and_gone_back_to_with_another_text(author: Author) -> None:
    held = Held(author, "sleepy/sleep")
    page = held.page
    held.stands("等来访者说话")
    held.say("小林")
    held.said("睡了几个小时")
    page.once("dialog", lambda asked: asked.accept("问睡眠前"))
    held.press("给位置取名")
    held.tab("快照和分支")
    expect(page.locator(".debug-timeline")).to_contain_text("问睡眠前")
    page.get_by_role("button", name="看快照 name").first.click()
    expect(page.locator(".debug-snapshot")).to_contain_text("怎么称呼你")
    held.seen("snapshot")
    held.say("4 个小时")
    held.said("感觉怎样")
    held.type("睡了 < 6", "睡了 < 3")
    held.press("用改过的脚本重放")
    expect(page.locator(".debug-head")).to_contain_text("分支 2", timeout=15_000)
    page.get_by_role("button", name="和分支 1 比").click()
    expect(page.locator(".debug-compared")).to_contain_text("前 2 轮相同")
    held.seen("compared")
    page.locator("li", has_text="问睡眠前").get_by_role("button", name="退回", exact=True).click()
    held.said("睡了几个小时")
    expect(page.locator(".debug-timeline")).to_contain_text("原样接着")
    page.get_by_label("退回到第几条消息").fill("3")
    page.locator(".debug-timeline form").get_by_role("button", name="退回", exact=True).click()
    expect(page.locator(".debug-offer input")).to_have_value("小林")


def test_awareness_tells_why_and_why_not(author: Author) -> None:
    held = Held(author, "sleepy/sleep")
    page = held.page
    held.stands("等来访者说话")
    held.tab("意识")
    watchers = page.locator(".debug-watchers")
    expect(watchers).to_contain_text("这个阶段开了它")
    page.locator(".debug-awareness textarea").fill("我睁不开眼了\n今天天气不错")
    held.press("试一下")
    expect(page.locator(".debug-awareness form + ul")).to_contain_text("CALL_TECHNIQUE")
    held.seen("awareness-tried")
    held.say("我睁不开眼了")
    held.said("慢慢吸气")
    expect(watchers).to_contain_text("应了 1 次")
    page.get_by_label("没有听出什么的也列出来").check()
    expect(page.locator(".debug-awareness > ol")).to_contain_text("safety/suicide_risk")
    held.seen("awareness-why")
    held.say("好些")
    held.said("我们接着刚才的话说")
    held.say("小林")
    held.said("睡了几个小时")
    expect(watchers).to_contain_text("只在 opening 开着")


def test_a_rule_is_tried_on_the_projects_risk_file_and_on_others(author: Author, tmp_path: Path) -> None:
    held = Held(author, "sleepy/sleep")
    page = held.page
    held.stands("等来访者说话")
    held.tab("意识")
    risk = page.locator(".debug-risk")
    page.get_by_role("button", name="拿语料试困得不行").click()
    expect(risk.locator("select[name=rule]")).to_have_value("sleepy/sleepy")
    expect(risk.locator("select[name=file]")).to_have_value("project tests/own.risk.jsonl")
    held.press("试这份语料")
    expect(risk.get_by_role("status")).to_contain_text("听了 3 句，共 3 句")
    expect(risk.locator("summary")).to_contain_text("漏了 1 句（sleepy）")
    expect(risk.locator("summary")).to_contain_text("误报 1 句")
    risk.get_by_role("button", name="眼皮打架").click()
    expect(risk.locator(".debug-why")).to_contain_text("没有一条规则对上")
    expect(risk.locator(".debug-why")).to_contain_text("没有什么被注意到")
    risk.get_by_role("button", name="太阳晒得睁不开眼").click()
    expect(risk.locator(".debug-why").last).to_contain_text("“睁不开眼”")
    expect(risk.locator(".debug-why").last).to_contain_text("CALL_TECHNIQUE")
    held.seen("risk-file")
    risk.locator("select[name=rule]").select_option("")
    risk.locator("select[name=file]").select_option("server dangers.jsonl")
    held.press("试这份语料")
    expect(risk.get_by_role("status")).to_contain_text("听了 270 句，共 270 句", timeout=30_000)
    danger = risk.locator("details", has_text="safety/suicide_risk")
    expect(danger.locator("summary")).to_contain_text("漏了 90 句（self_harm）")
    expect(danger.get_by_role("row", name="self_harm")).to_contain_text("90")
    expect(page.locator(".debug-head")).to_contain_text("第 1 轮")
    broken = tmp_path / "broken.jsonl"
    broken.write_text(LABELLED[0] + "\n不是 JSON", encoding="utf-8")
    risk.locator("select[name=file]").select_option("given")
    risk.get_by_label("文件（.jsonl）").set_input_files(broken)
    held.press("试这份语料")
    expect(risk.get_by_role("alert")).to_contain_text("第 2 行")
    broken.write_text(LABELLED[0], encoding="utf-8")
    with page.expect_file_chooser() as asked:
        risk.get_by_label("文件（.jsonl）").click()
    asked.value.set_files(broken)
    held.press("试这份语料")
    expect(risk.get_by_role("status")).to_contain_text("共 1 句")


def test_it_is_taken_elsewhere_as_a_test_and_as_a_file(author: Author, tmp_path: Path) -> None:
    held = Held(author, "sleepy/sleep")
    page = held.page
    held.stands("等来访者说话")
    held.say("小林")
    held.said("睡了几个小时")
    with page.expect_download() as test:
        held.press("存成测试")
    test.value.save_as(tmp_path / "a.test.yaml")
    assert "小林" in (tmp_path / "a.test.yaml").read_text(encoding="utf-8")
    with page.expect_download() as file:
        held.press("存成文件")
    file.value.save_as(tmp_path / "a.json")
    held.seen("shared")
    before = page.url
    page.goto(f"{author.served.url}/staff/debugger")
    page.locator("input[type=file]").set_input_files(tmp_path / "a.json")
    expect(page.locator(".debug-where")).to_contain_text("how_long", timeout=15_000)
    assert page.url != before
    held.said("睡了几个小时")
