"""A reply that is read while the model still writes it, in a real browser, from a real server and a model that streams:
it grows in its place, can be stopped, and whatever happens to page and server, what was read stays read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import UNLIMITED, Opened, counselling
from tests.browser.served import Served
from tests.browser.visiting import Visitor

from heartrule.testing.openai_server import Answer, Body, OpenAIServer, Pace

SCRIPT = """
sessions:
  - session: 听
    id: listen
    locale: zh-CN
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - {type: ask, id: mood, content: 最近怎样？}
              - {type: ai_say, id: explain, content: 讲一讲想法和心情, max_rounds: 9, fallback: 我们先停在这里。}
"""
SENTENCES = (
    "听起来这几天很不容易。",
    "睡不着的时候，脑子里常常停不下来，越想睡越清醒。",
    "很多人在这种时候会对自己说：我又要完了，明天什么都做不成。",
    "这样的念头来得很快，快到我们几乎不觉得它是一个念头，而是把它当成事实。",
    "我们可以先把它写下来，看看它说了什么。",
    "写下来的时候，它和我们之间就有了一点距离。",
    "你愿意先说说，昨晚躺下之后，最先想到的是什么吗？",
)
REPLY = "".join(SENTENCES)
LONG = "\n".join(REPLY for _ in range(4))
UNSURE = "你现在是安全的吗？"
READ = """() => {
    const seen = window.seen = {steps: [], tops: [], times: 0};
    const root = document.querySelector('heart-chat').shadowRoot;
    const look = () => {
        const all = [...root.querySelectorAll('.message.ai')];
        const texts = all.map((one) => [one.id, one.querySelector('.words').textContent]);
        const before = seen.steps.at(-1);
        if (JSON.stringify(before) !== JSON.stringify(texts)) seen.steps.push(texts);
        const scroll = root.querySelector('.scroll');
        seen.tops.push(all.map((one) => one.offsetTop));
        seen.heights = [...(seen.heights || []), scroll.clientHeight];
        seen.frame = requestAnimationFrame(look);
    };
    look();
}"""
"""Looks at every frame at what stands on the screen."""


def streaming(body: Body) -> Answer:
    """As a counsellor, but at length, where it is to speak."""
    answer = counselling(body)
    if isinstance(answer, dict) and answer.get("content"):
        if "长一点" not in body["messages"][-1]["content"].rpartition("来访者")[2]:
            return {**answer, "content": REPLY}
        going_on = {"should_exit": False, "progress_suggestion": "continue_needed"} if "assessment" in answer else {}
        return {**answer, **going_on, "content": LONG}
    return answer


@pytest.fixture
def writer() -> Iterator[OpenAIServer]:
    """A model that writes some 120 characters a second."""
    with OpenAIServer(answer=streaming, pace=Pace(first=0.1, per_second=60, characters=2)) as server:
        yield server


@pytest.fixture
def served(tmp_path: Path, writer: OpenAIServer) -> Iterator[Served]:
    project = tmp_path / "project"
    project.mkdir()
    (project / "project.yaml").write_text("id: tests\nlocale: zh-CN\n", encoding="utf-8")
    (project / "listen.yaml").write_text(SCRIPT, encoding="utf-8")
    environment = {
        "HEARTRULE_LLM_BASE_URL": writer.url,
        "HEARTRULE_LLM_API_KEY": "loopback",
        "HEARTRULE_LLM_MODEL": "loopback-writer",
    }
    made = Served(tmp_path / "served", environment=environment, projects=[project])
    made.data.mkdir(parents=True)
    (made.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
    with made:
        yield made


def asked(context: Opened, served: Served, look: str) -> Visitor:
    """Somebody who has been asked how they are."""
    visitor = Visitor(context(look).new_page(), served)
    visitor.script = "tests/listen"
    visitor.begin()
    visitor.page.evaluate(READ)
    return visitor


def growing(page: Page, text: str = SENTENCES[0]) -> None:
    """Wait until so much of a reply stands there, and it is not finished."""
    expect(page.locator("heart-chat .growing .words")).to_contain_text(text, timeout=20_000)


def read(page: Page) -> list[dict[str, str]]:
    """What stood on the screen, each time that it changed."""
    steps: list[list[list[str]]] = page.evaluate("window.seen.steps")
    return [dict(step) for step in steps]


def only_grew(steps: list[dict[str, str]]) -> None:
    """Nothing that could be read went away, or became something else."""
    for before, after in pairwise(steps):
        for name, text in before.items():
            assert after.get(name, "").startswith(text), (text, after.get(name))


def same_at_the_server(visitor: Visitor) -> None:
    visitor.awaits()
    assert visitor.shown() == [(each["sender"], each["content"]) for each in visitor.kept()]


@pytest.mark.parametrize("look", ["phone", "desktop"])
def test_a_reply_grows_in_its_place(context: Opened, served: Served, look: str, tmp_path: Path) -> None:
    visitor = asked(context, served, look)
    before = visitor.awaits()["last"]
    visitor.say("睡不着")
    growing(visitor.page, SENTENCES[1])
    visitor.page.screenshot(path=tmp_path / f"{look}.png")
    assert visitor.kept()[-1]["seq"] == before, "it is read before the turn stands"
    visitor.awaits(before)
    steps = read(visitor.page)
    only_grew(steps)
    last = f"m{visitor.awaits()['last']}"
    lengths = sorted({len(step[last]) for step in steps if last in step})
    assert len(lengths) >= 4, "sentence by sentence"
    assert steps[-1][last] == visitor.kept()[-1]["content"]
    found: dict[str, Any] = visitor.page.evaluate("window.seen")
    for one, other in pairwise(found["tops"]):
        assert other[: len(one)] == one, "nothing that stood there moved"
    expect(visitor.page.locator("heart-chat .stop")).to_have_count(0)
    same_at_the_server(visitor)


def test_it_is_announced_sentence_by_sentence_and_not_again(context: Opened, served: Served) -> None:
    visitor = asked(context, served, "desktop")
    visitor.page.evaluate(
        """() => {
            window.told = [];
            const region = document.querySelector('heart-chat').shadowRoot.querySelector('#announced');
            new MutationObserver((all) => {
                for (const one of all) for (const node of one.addedNodes) {
                    if (node.textContent.trim()) window.told.push(node.textContent);
                }
            }).observe(region, {childList: true});
        }"""
    )
    before = visitor.awaits()["last"]
    visitor.say("睡不着")
    visitor.awaits(before)
    told: list[str] = visitor.page.evaluate("window.told")
    spoken = [each["content"] for each in visitor.kept() if each["seq"] > before and each["sender"] == "ai"]
    assert "".join(told) == "".join(spoken)
    assert len(told) >= len(spoken) + 3


def test_the_keyboard_stops_it_and_it_ends_where_it_was(context: Opened, served: Served) -> None:
    visitor = asked(context, served, "desktop")
    page = visitor.page
    before = visitor.awaits()["last"]
    visitor.say("长一点")
    growing(page)
    page.locator("heart-chat textarea").focus()
    page.keyboard.press("Shift+Tab")
    stop = page.locator("heart-chat").get_by_role("button", name="停下这段回复")
    expect(stop).to_be_focused()
    page.keyboard.press("Enter")
    visitor.awaits(before)
    said = visitor.kept()[before + 1]["content"]
    assert said.startswith(SENTENCES[0])
    assert LONG.startswith(said)
    assert len(said) < len(LONG)
    assert said.endswith(("。", "？", "\n"))
    expect(page.locator("heart-chat textarea")).to_be_focused()
    only_grew(read(page))
    same_at_the_server(visitor)
    before = visitor.awaits()["last"]
    visitor.say("睡不着")
    visitor.awaits(before)
    assert visitor.kept()[-1]["content"].startswith("".join(SENTENCES[:5])), "only that one was stopped"


def test_stopped_before_a_word_was_read_a_model_is_not_needed_to_answer(
    context: Opened, served: Served, writer: OpenAIServer
) -> None:
    """Nobody has judged yet whether what was said tells of danger: the safety project asks, as where a model fails."""
    visitor = asked(context, served, "phone")
    writer.pace = Pace(first=30)
    before = visitor.awaits()["last"]
    visitor.say("睡不着")
    stop = visitor.page.locator("heart-chat .stop")
    stop.click()
    visitor.awaits(before)
    assert visitor.spoken() == ["睡不着"]
    assert visitor.kept()[-1]["content"] == UNSURE
    expect(visitor.page.locator("heart-chat .stop")).to_have_count(0)
    same_at_the_server(visitor)


def test_a_reload_another_tab_and_a_lost_network_tear_nothing(context: Opened, served: Served) -> None:
    visitor = asked(context, served, "phone")
    page, tab = visitor.page, visitor.page.context.new_page()
    before = visitor.awaits()["last"]
    visitor.say("长一点")
    growing(page)
    tab.goto(page.url)
    growing(tab)
    tab.evaluate(READ)
    first = read(page)
    page.reload()
    growing(page, first[-1][f"m{before + 2}"])
    page.evaluate(READ)
    page.context.set_offline(True)
    page.wait_for_timeout(400)
    page.context.set_offline(False)
    visitor.awaits(before)
    for each in (page, tab):
        only_grew(read(each))
    only_grew([first[-1], read(page)[-1]])
    assert LONG.startswith(visitor.kept()[before + 1]["content"])
    assert visitor.spoken() == ["长一点"]
    same_at_the_server(visitor)
    visitor.page = tab
    same_at_the_server(visitor)


def test_a_server_that_dies_in_the_middle_goes_on_from_what_was_read(context: Opened, served: Served) -> None:
    visitor = asked(context, served, "desktop")
    before = visitor.awaits()["last"]
    visitor.say("长一点")
    growing(visitor.page, SENTENCES[1])
    served.kill()
    visitor.page.wait_for_timeout(500)
    held = read(visitor.page)[-1][f"m{before + 2}"]
    served.start()
    visitor.awaits(before)
    only_grew(read(visitor.page))
    replies = [each["content"] for each in visitor.kept() if each["seq"] > before and each["sender"] == "ai"]
    assert replies[0].startswith(held)
    assert visitor.spoken() == ["长一点"]
    same_at_the_server(visitor)


def test_who_reads_further_up_is_left_in_peace(context: Opened, served: Served, writer: OpenAIServer) -> None:
    visitor = asked(context, served, "phone")
    slowly, writer.pace = writer.pace, Pace()
    for _ in range(2):
        before = visitor.awaits()["last"]
        visitor.say("长一点")
        visitor.awaits(before)
    writer.pace = slowly
    page = visitor.page
    before = visitor.awaits()["last"]
    visitor.say("长一点")
    growing(page)
    page.evaluate("document.querySelector('heart-chat').shadowRoot.querySelector('.scroll').scrollTop = 40")
    page.wait_for_timeout(100)
    where = "document.querySelector('heart-chat').shadowRoot.querySelector('.scroll').scrollTop"
    assert page.evaluate(where) == 40
    expect(page.locator("heart-chat .fresh")).to_be_visible()
    expect(page.locator("heart-chat .stop")).to_be_visible()
    visitor.awaits(before)
    assert page.evaluate(where) == 40
    page.locator("heart-chat .fresh").click()
    expect(page.locator("heart-chat article").last).to_be_in_viewport()
    only_grew(read(page))
    same_at_the_server(visitor)


@pytest.mark.parametrize("locale", ["zh-CN", "en-US"])
def test_a_long_wait_is_said_and_nothing_covers_it(context: Opened, served: Served, locale: str) -> None:
    page = context("narrow", locale=locale).new_page()
    page.clock.install()
    visitor = Visitor(page, served)
    visitor.script = "tests/listen"
    visitor.begin()
    page.evaluate(
        """() => {
            const chat = document.querySelector('heart-chat');
            chat.take = () => {};  // whatever the server says meanwhile
            chat.state = {...chat.state, status: 'thinking', reply: 'coming'};
        }"""
    )
    for words in {"zh-CN": ("没有卡住", "不会丢"), "en-US": ("nothing is stuck", "is safe")}[locale]:
        page.clock.fast_forward(6_000 if words in ("没有卡住", "nothing is stuck") else 60_000)
        line = page.locator("heart-chat .dots span")
        expect(line).to_contain_text(words)
        expect(line).to_be_in_viewport(ratio=1)
        said, stop = line.bounding_box(), page.locator("heart-chat .stop").bounding_box()
        assert said is not None
        assert stop is not None
        assert said["x"] + said["width"] <= stop["x"], "the words and the button lie side by side"
        assert stop["x"] + stop["width"] <= 320
