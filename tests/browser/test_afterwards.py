"""What somebody has of it afterwards: one thing to do next, what is their own, curves, a link."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.pages import findings, overflow
from tests.browser.served import Served
from tests.browser.visiting import Visitor

PICTURES = os.environ.get("HEARTRULE_PICTURES")
ENGLISH = {"phone": False, "english": True}
SCRIPT = """
sessions:
  - session: 认识
    id: knowing
    locale: zh-CN
    declare:
      - {var: jintian, type: text, define: 今天, label: {zh: 今天的心里话, en: What today was like}}
    phases:
      - phase: 谈
        steps:
          - topic: 近况
            actions:
              - {type: ask, id: name, content: 怎么称呼你？, output: [{get: chenghu}]}
              - {type: ask, id: today, content: 今天怎样？, output: [{get: jintian}]}
              - {type: ask, id: more, content: 还有吗？}
global:
  - {var: chenghu, scope: global, type: text, define: 称呼, label: {zh: 怎么称呼你, en: What to call you}}
"""


def pictured(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


def through(visitor: Visitor) -> list[float]:
    """To the end, without its last form; what share of its steps the page had crossed off before each answer."""
    page, steps = visitor.page, list[float]()
    visitor.begin()
    expect(page.locator("session-progress")).to_contain_text(re.compile("大约还要 \\d+ 分钟"))
    now = visitor.awaits()
    while now["status"] != "ended":
        strokes = page.locator(".strokes > span")
        steps.append(page.locator(".strokes > .done").count() / max(1, strokes.count()))
        if now["asked"] == "form":
            page.get_by_role("button", name="先不填这张表").click()
        else:
            visitor.answer()
        now = visitor.awaits(now["last"])
    page.locator("session-rest h2").wait_for(state="attached")
    return steps


@pytest.mark.parametrize("look", ["phone", "desktop"])
def test_at_the_end_one_button_leads_on_and_the_summary_is_the_person_s(
    served: Served, context: Opened, look: str
) -> None:
    visitor = Visitor(context(look).new_page(), served, "cbt/abc_intro")
    page = visitor.page
    steps = through(visitor)
    assert len(steps) > 8
    assert len(set(steps)) > 2
    assert steps == sorted(steps), "progress never grows backwards"
    acts = page.locator("session-rest .acts button")
    kinds = [each.get_attribute("class") for each in acts.all()]
    assert kinds == ["main", *["quiet"] * (len(kinds) - 1)]
    assert len(kinds) >= 4
    assert findings(page) == []
    assert overflow(page) <= 0
    pictured(page, f"ended, what next {look}")
    acts.first.click()
    paper = page.locator("summary-paper .report")
    paper.wait_for()
    told = paper.inner_text()
    script = visitor.answers.script
    for label in ("发生的事", "那一刻的想法", "那一刻的心情", "别的看法", "心情有多强", "约好的小练习"):
        assert label in told, label
    assert re.search(r"心情有多强（0 到 10）\s*\d+ → \d+", told), "the change has both its ends"
    labels = " ".join(str(each.label) for each in script.session.summary)
    names = {each.var for each in script.session.declare}
    topics = {topic.topic for phase in script.session.phases for topic in phase.topics.values()}
    phases = {phase.phase for phase in script.session.phases}
    inner = {name for name in names | topics | phases if len(name) > 3 and name not in labels}
    assert len(inner) > 5
    assert [name for name in inner if name in told] == []
    assert page.locator(".summary .acts .main").count() == 1
    assert findings(page) == []
    pictured(page, f"summary {look}")


@pytest.mark.parametrize("look", ENGLISH)
def test_curves_have_axes_dates_bands_their_direction_and_their_table(
    served: Served, context: Opened, look: str
) -> None:
    english = ENGLISH[look]
    visitor = Visitor(context(look).new_page(), served, "cbt/mood_check_en" if english else "cbt/mood_check")
    page = visitor.page
    for _ in range(2):
        visitor.begin()
        hand_in(visitor, english=english)
    page.goto(f"{served.url}/#/space")
    page.locator(".course").nth(1).wait_for()
    courses = {each.locator("figcaption b").inner_text(): each for each in page.locator(".course").all()}
    assert len(courses) == 2
    mood = next(each for name, each in courses.items() if "PHQ" not in name)
    heavy = next(each for name, each in courses.items() if "PHQ" in name)
    expect(mood).to_contain_text("↑ higher is better" if english else "↑ 越高越好")
    expect(heavy).to_contain_text("↓ lower is better" if english else "↓ 越低越好")
    bands = heavy.locator("text.band").all_text_contents()
    assert bands == (
        ["Mild", "Moderate", "Moderately severe", "Severe"] if english else ["轻度", "中度", "中重度", "重度"]
    )
    for each in (mood, heavy):
        written = [text.strip() for text in each.locator("svg text").all_text_contents()]
        assert sum(bool(re.fullmatch(r"\d{4}-\d{1,2}-\d{1,2}", text)) for text in written) == 2, "dates at both ends"
        assert {"1", "5"} <= set(written) if each is mood else {"0", "27"} <= set(written), "and what it can be"
        each.locator("summary").click()
        assert each.locator("table tr").count() == 2
        expect(each.locator("svg")).to_have_attribute("role", "img")
    assert findings(page) == []
    assert overflow(page) <= 0
    pictured(page, f"curves {look}")
    page.goto(f"{served.url}/#/record")
    paper = page.locator("summary-paper .report")
    paper.wait_for()
    told = paper.inner_text()
    assert ("higher is better" if english else "越高越好") in told
    assert ("lower is better" if english else "越低越好") in told
    assert paper.locator("svg").count() == 2
    assert paper.locator("table").count() >= 2
    assert findings(page) == []
    pictured(page, f"record {look}")


def hand_in(visitor: Visitor, *, english: bool) -> None:
    """The mood, and a PHQ-9 of light answers."""
    page = visitor.page
    page.locator("heart-form").get_by_text("2", exact=True).click()
    page.locator("heart-form").get_by_role("button", name="Hand it in" if english else "交表").click()
    before = visitor.awaits()["last"]
    yes = page.locator("heart-chat .options button").first
    yes.wait_for()
    yes.click()
    visitor.awaits(before)
    form = visitor.standing()["request"]["form"]
    answers = {each["id"]: 0 if each["id"] == "q9" else 1 for each in form["fields"] if each.get("options")}
    given = {"type": "form_submit", "form": {"key": form["key"], "values": answers}}
    path = f"/sessions/{visitor.session}/turns"
    after = visitor.standing()["last_message"]
    visitor.served.call("POST", path, {"key": "handed-in", "after": after, "input": given}, visitor.token)


@pytest.fixture(scope="module")
def knowing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("knowing")
    project = folder / "project"
    project.mkdir()
    (project / "project.yaml").write_text("id: tests\nlocale: zh-CN\n", encoding="utf-8")
    (project / "knowing.yaml").write_text(SCRIPT, encoding="utf-8")
    served = Served(folder, projects=[project])
    served.data.mkdir()
    (served.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
    with served:
        yield served


@pytest.mark.parametrize(
    ("look", "call", "day"),
    [("phone", "怎么称呼你", "今天的心里话"), ("english", "What to call you", "What today was like")],
)
def test_names_are_labels_in_the_language_of_the_page_also_taken_along(
    knowing: Served, context: Opened, look: str, call: str, day: str
) -> None:
    visitor = Visitor(context(look).new_page(), knowing)
    visitor.script, page = "tests/knowing", visitor.page
    visitor.begin()
    for words in ("小林", "下了一天雨"):
        before = visitor.awaits()["last"]
        visitor.say(words)
        visitor.awaits(before)
    page.goto(f"{knowing.url}/#/space")
    known = page.locator("section[aria-labelledby=known]")
    expect(known).to_contain_text(call)
    expect(known).to_contain_text("小林")
    expect(known).not_to_contain_text("chenghu")
    with page.expect_download() as taken:
        page.get_by_role("button", name="Download everything" if look == "english" else "下载全部").click()
    whole = json.loads(Path(taken.value.path()).read_text(encoding="utf-8"))
    assert [each["label"] for each in whole["known"]] == [call]
    assert [each["label"] for each in whole["sessions"][0]["values"]] == [day]


@pytest.mark.parametrize("look", ["phone", "english"])
def test_a_link_says_who_reads_along_and_cannot_delete(served: Served, context: Opened, look: str) -> None:
    english = look == "english"
    visitor = Visitor(context(look).new_page(), served, "cbt/abc_intro_en" if english else "cbt/abc_intro")
    page = visitor.page
    visitor.begin()
    page.locator(".top .icon-button").first.click()
    page.get_by_role("button", name="Make a link" if english else "做一个链接").click()
    address = page.locator("input.link").input_value()
    said = page.locator("leave-sheet").inner_text()
    assert ("read along and go on, and cannot delete anything" if english else "都能一起看、接着谈，不能删除") in said
    pictured(page, f"link made {look}")
    other = context(look).new_page()
    other.goto(address)
    notice = other.locator("visitor-notice .care")
    expect(notice).to_contain_text("Whoever gave it to you can read along" if english else "给你链接的人能一起看到")
    expect(notice).to_contain_text("nothing can be deleted" if english else "不能删除")
    assert findings(other) == []
    assert overflow(other) <= 0
    pictured(other, f"link opened {look}")
    other.locator(".notice button.main").click()
    other.locator("heart-chat .message").first.wait_for()
    token = Visitor(other, served, "cbt/abc_intro").token
    refused = other.evaluate(
        """async ([session, token]) => {
            const path = `/api/v1/sessions/${session}`;
            const answer = await fetch(path, {method: "DELETE", headers: {Authorization: `Bearer ${token}`}});
            return [answer.status, (await answer.json()).code];
        }""",
        [visitor.session, token],
    )
    assert refused == [403, "only-lent"]
    page.keyboard.press("Escape")
    page.reload()
    expect(page.locator("visitor-notice .care")).to_have_count(0)


def test_who_runs_this_is_named_or_that_is_said_at_the_start(tmp_path: Path, context: Opened) -> None:
    named = '[server.operator]\nname = "晨光中心"\ncontact = "021-5555"\n'
    for folder, settings, warned in (("nobody", "", True), ("named", named, False)):
        served = Served(tmp_path / folder)
        served.data.mkdir(parents=True)
        (served.data / "heartrule.toml").write_text(settings + UNLIMITED, encoding="utf-8")
        with served:
            log = served.log.read_text(encoding="utf-8")
            assert ("还没有写明这里由谁负责" in log) is warned, log
            page = context("phone").new_page()
            page.goto(f"{served.url}/#/begin/cbt/abc_intro")
            notice = page.locator(".notice")
            expect(notice).to_contain_text("还没有写明" if warned else "021-5555")
            expect(notice).to_contain_text("永久删掉")
            pictured(page, f"consent {folder}")
