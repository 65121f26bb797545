"""How long a phone takes to answer a finger: interaction to next paint in Chromium, the processor slowed down.

    python -m bench.interaction [--slower 4] [--answers 25] [--rounds 3]

The first assessment is held up to its form with the processor as it is; from there on, with ``--answers`` answers in
the transcript, everything that people do in a session is done, the processor slowed down, ``--rounds`` times over.
Milliseconds are those that the browser itself reports of events (``PerformanceEventTiming``, in steps of 8), the
longest of each interaction. Exits 1 when one takes more than the limit.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

import chromium
from playwright.sync_api import Page, sync_playwright
from tests.browser.conftest import UNLIMITED
from tests.browser.looks import LOOKS
from tests.browser.served import Served
from tests.browser.visiting import Visitor

LIMIT = 200
"""Milliseconds."""
SETTLED = 350
"""Milliseconds after which whatever an act brought has been painted and reported."""
WATCH = """() => {
    window.interactions = [];
    new PerformanceObserver((list) => {
        for (const each of list.getEntries()) if (each.interactionId) window.interactions.push(each.duration);
    }).observe({type: 'event', durationThreshold: 16, buffered: true});
}"""
FELT = "() => window.interactions.splice(0)"
SLIDING = """
forms:
  - form: 感觉
    id: felt
    fields:
      - {id: heard, label: 我觉得被听见了, type: slider, required: true, ends: [一点没有, 完全是]}
      - {id: way, label: 谈的方式适合我, type: slider, ends: [一点不合, 很合适]}
sessions:
  - session: 滑
    id: sliding
    locale: zh-CN
    phases:
      - phase: 一
        steps:
          - topic: 滑
            actions:
              - {type: say, content: 填一下吧。}
              - {type: show_form, id: slide, form: felt}
              - {type: ask, id: last, content: 还有吗？}
"""


class Watched:
    """A page whose interactions are timed, under the name of what was done."""

    def __init__(self, page: Page, slower: float) -> None:
        self.page = page
        self.found: dict[str, list[float]] = defaultdict(list)
        self._protocol = page.context.new_cdp_session(page)
        self._slower = slower

    @contextmanager
    def slowed(self) -> Iterator[None]:
        self._protocol.send("Emulation.setCPUThrottlingRate", {"rate": self._slower})
        self.page.evaluate(WATCH)
        self.page.wait_for_timeout(SETTLED)
        self.page.evaluate(FELT)
        try:
            yield
        finally:
            self._protocol.send("Emulation.setCPUThrottlingRate", {"rate": 1})

    @contextmanager
    def doing(self, what: str) -> Iterator[None]:
        """What takes less than the browser reports counts as 16 ms."""
        yield
        self.page.wait_for_timeout(SETTLED)
        self.found[what].append(max(self.page.evaluate(FELT), default=16.0))


def conversing(watched: Watched, visitor: Visitor) -> None:
    page = watched.page
    with watched.doing("typing"):
        visitor.box.press_sequentially("这几天还是睡不好，一直在想白天的事", delay=30)
    before = visitor.awaits()["last"]
    with watched.doing("sending"):
        page.locator("heart-chat .send").click()
    visitor.awaits(before)
    with watched.doing("menu opened"):
        page.locator("options-menu button").first.click()
    with watched.doing("menu closed"):
        page.keyboard.press("Escape")
    with watched.doing("help opened"):
        page.locator(".help-button").click()
    with watched.doing("help closed"):
        page.keyboard.press("Escape")
    with watched.doing("steps opened"):
        page.locator(".steps-button").click()
    with watched.doing("steps closed"):
        page.locator(".steps-button").click()


def filling(watched: Watched, visitor: Visitor) -> None:
    page = watched.page
    form = page.locator("heart-form")
    with watched.doing("choosing (opens a form)"):
        visitor.option("好，填一下").click()
        form.locator("h2").wait_for()
    for _ in range(3):
        with watched.doing("form: picked"):
            form.get_by_text("好几天", exact=True).first.click()
        with watched.doing("form: next question"):
            form.get_by_role("button", name="下一题", exact=True).click()
    with watched.doing("form: all questions"):
        form.get_by_role("button", name="一次看全部").click()
    with watched.doing("form: picked among all"):
        form.locator("#f-q5").get_by_text("完全不会").click()
    with watched.doing("form: handed in with gaps"):
        form.get_by_role("button", name="交表").click()
    with watched.doing("form: put away"):
        form.get_by_role("button", name="先不填这张表").click()


def sliding(watched: Watched) -> None:
    page = watched.page
    slider = page.locator("heart-form input[type=range]").first
    for key in ("ArrowRight", "ArrowRight", "End", "ArrowLeft"):
        with watched.doing("slider: by key"):
            slider.press(key)
    place = slider.bounding_box()
    assert place is not None
    with watched.doing("slider: dragged"):
        page.mouse.move(place["x"] + 20, place["y"] + place["height"] / 2)
        page.mouse.down()
        for part in range(10):
            page.mouse.move(place["x"] + 20 + part * place["width"] / 12, place["y"] + place["height"] / 2)
        page.mouse.up()


def until_the_form(visitor: Visitor, answers: int) -> None:
    """Hold the session up to the offer of its form; at least so many answers."""
    visitor.begin()
    while visitor.standing()["position"]["action"]["id"] != "form_offer":
        before = visitor.awaits()["last"]
        visitor.answer()
        visitor.awaits(before)
    assert len(visitor.said) >= answers, f"only {len(visitor.said)} answers"


def measured(slower: float, answers: int, rounds: int) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        project = Path(folder) / "project"
        project.mkdir()
        (project / "project.yaml").write_text("id: bench\nlocale: zh-CN\n", encoding="utf-8")
        (project / "sliding.yaml").write_text(SLIDING, encoding="utf-8")
        served = Served(Path(folder), projects=[project])
        served.data.mkdir()
        (served.data / "heartrule.toml").write_text(UNLIMITED, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=chromium.found(), args=[*chromium.FLAGS])
        with served:
            for seed in range(rounds):
                page = browser.new_context(**LOOKS["phone"]).new_page()
                visitor, watched = Visitor(page, served, seed=seed), Watched(page, slower)
                until_the_form(visitor, answers)
                with watched.slowed():
                    conversing(watched, visitor)
                    filling(watched, visitor)
                visitor = Visitor(page, served, "cbt/mood_check")
                visitor.script = "bench/sliding"
                visitor.begin()
                with watched.slowed():
                    sliding(watched)
                page.context.close()
                for what, times in watched.found.items():
                    found[what] += times
        browser.close()
    return found


def table(found: dict[str, list[float]]) -> list[str]:
    head = f"{'interaction':28} {'times':>5} {'median':>7} {'longest':>8}   ms"
    rows = [
        f"{what:28} {len(times):5} {statistics.median(times):7.0f} {max(times):8.0f}" for what, times in found.items()
    ]
    return [head, *rows]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slower", type=float, default=4)
    parser.add_argument("--answers", type=int, default=25)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    found = measured(given.slower, given.answers, given.rounds)
    print("\n".join(table(found)))
    longest: Any = max(time for times in found.values() for time in times)
    print(f"longest {longest:.0f} ms ({LIMIT} ms)")
    return 0 if longest <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
