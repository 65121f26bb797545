"""An exercise at the page: it moves and counts, is stopped by button, key and word, and what is shown has words."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page
from tests.browser.conftest import UNLIMITED, Opened
from tests.browser.pages import findings, overflow
from tests.browser.served import Served
from tests.browser.visiting import Visitor

SCRIPT = """
sessions:
  - session: 练习
    id: exercise
    declare: [{var: 前, value: 8}, {var: 后, value: 3}]
    phases:
      - phase: 一
        steps:
          - topic: 呼吸
            actions:
              - {type: show_pic, picture: pictures/calm.png, alt: 一片平静的水面, caption: 先看一会儿}
              - type: say
                content: 几句话放在这里。
                card: {title: 记住, text: 任何时候都可以停。, items: [按按钮, 按 Esc, 说“停”]}
              - {type: say, content: 上次做之前和之后。, chart: {variables: [前, 后], title: 紧张, range: [0, 10]}}
              - type: ai_guide
                id: breath
                exercise: 慢呼吸
                exercise_steps:
                  - {say: 坐好了吗？, wait: done}
                  - {say: 跟着圆圈呼吸。, wait: 10m, pacer: {in: 4, hold: 1, out: 6}}
                on_stop: 好，停在这里。
              - {type: ask, content: 现在怎么样？}
"""
COUNT = """() => document.querySelector('heart-chat').shadowRoot.querySelector('heart-pacer')?.shadowRoot
    .querySelector('.count').innerText"""
MOVES = """() => document.querySelector('heart-chat').shadowRoot.querySelector('heart-pacer').shadowRoot
    .querySelector('.circle').getAnimations().length"""


def png() -> bytes:
    """A small picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes((120, 160, 150)) * 64 for _ in range(40))
    head = struct.pack(">IIBBBBB", 64, 40, 8, 2, 0, 0, 0)
    parts = (chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.fixture(scope="module")
def exercising(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("exercising")
    project = folder / "project"
    (project / "pictures").mkdir(parents=True)
    (project / "project.yaml").write_text("id: tests\nlocale: zh-CN\n", encoding="utf-8")
    (project / "exercise.yaml").write_text(SCRIPT, encoding="utf-8")
    (project / "pictures" / "calm.png").write_bytes(png())
    served = Served(folder, projects=[project])
    served.data.mkdir()
    (served.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
    with served:
        yield served


def breathing(served: Served, page: Page) -> Visitor:
    """Somebody who has begun to breathe with the circle."""
    visitor = Visitor(page, served)
    visitor.script = "tests/exercise"
    visitor.begin()
    before = visitor.awaits()["last"]
    visitor.choose("做好了")
    visitor.awaits(before)
    page.wait_for_function(COUNT)
    return visitor


def last(visitor: Visitor) -> list[str]:
    return [content for _, content in visitor.shown()[-2:]]


def test_it_counts_moves_and_stops_by_escape(exercising: Served, context: Opened) -> None:
    page = context("phone").new_page()
    visitor = breathing(exercising, page)
    assert page.evaluate(MOVES) == 1
    page.wait_for_function(f"() => ({COUNT})() === '吸气 2'")
    shown = page.locator("heart-chat figure img")
    assert shown.get_attribute("alt") == "一片平静的水面"
    assert page.evaluate("(img) => img.naturalWidth", shown.element_handle()) == 64
    assert overflow(page) == 0
    before = visitor.awaits()["last"]
    visitor.box.focus()
    page.keyboard.press("Escape")
    visitor.awaits(before)
    assert last(visitor) == ["好，停在这里。", "现在怎么样？"]
    assert page.locator("heart-chat heart-pacer").count() == 0
    assert "停下练习" in visitor.spoken()
    page.wait_for_timeout(800)  # two presses that belong together would leave at once
    page.keyboard.press("Escape")
    assert visitor.standing()["status"] == "active"


@pytest.mark.parametrize("how", ["button", "word"])
def test_it_stops_by_button_and_by_word(exercising: Served, context: Opened, how: str) -> None:
    page = context("desktop").new_page()
    visitor = breathing(exercising, page)
    before = visitor.awaits()["last"]
    visitor.choose("停下练习") if how == "button" else visitor.say("不做了")
    visitor.awaits(before)
    assert last(visitor) == ["好，停在这里。", "现在怎么样？"]


def test_nothing_moves_for_whom_movement_is_too_much_and_nobody_is_kept_out(
    exercising: Served, context: Opened
) -> None:
    page = context("narrow", reduced_motion="reduce", color_scheme="dark").new_page()
    breathing(exercising, page)
    assert page.evaluate(MOVES) == 0
    page.wait_for_function(f"() => ({COUNT})() === '吸气 2'")
    assert findings(page) == []
    assert overflow(page) == 0
    page.locator("heart-chat .chart summary").click()
    assert page.locator("heart-chat .chart table").inner_text().split() == ["前", "8", "后", "3"]


def test_an_exercise_goes_on_where_it_was_when_the_page_is_read_again(exercising: Served, context: Opened) -> None:
    page = context("desktop").new_page()
    visitor = breathing(exercising, page)
    page.reload()
    page.wait_for_function(COUNT)
    before = visitor.awaits()["last"]
    page.locator("body").press("Escape")
    visitor.awaits(before)
    assert last(visitor) == ["好，停在这里。", "现在怎么样？"]
