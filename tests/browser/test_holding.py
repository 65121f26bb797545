"""The first assessment held to its end in a real browser, with its form, its exercise and its report, in fair weather
and in foul: nothing lost, nothing twice."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import BrowserContext, Page
from tests.browser.conftest import Opened
from tests.browser.served import Served
from tests.browser.visiting import Visitor

from heartrule.testing.openai_server import OpenAIServer

ANSWERS = 40
"""At the least, those of the form among them; troubles fall among so many of the first."""


class Troubles:
    """What goes wrong after which answer: reloads, spells without a network, the other tab taking over, a server that
    is restarted or killed. Drawn once, from a seed."""

    def __init__(self, visitor: Visitor, served: Served, seed: int, among: int = ANSWERS, **counts: int) -> None:
        self.visitor, self.served, self.random = visitor, served, Random(seed)
        moments = self.random.sample(range(1, among), sum(counts.values()))
        kinds = [kind for kind, count in counts.items() for _ in range(count)]
        self.plan = dict(zip(moments, kinds, strict=True))
        self.happened: list[str] = []
        self.tabs: list[Page] = [visitor.page]

    def __call__(self, count: int) -> None:
        kind = self.plan.get(count)
        if kind is None:
            return
        self.visitor.page.wait_for_timeout(self.random.uniform(0, 250))
        trouble: Callable[[], None] = getattr(self, kind)
        trouble()
        self.happened.append(kind)

    def reload(self) -> None:
        self.visitor.page.reload()

    def offline(self) -> None:
        context = self.visitor.page.context
        context.set_offline(True)
        self.visitor.page.wait_for_timeout(self.random.uniform(200, 2500))
        context.set_offline(False)

    def other_tab(self) -> None:
        """The session goes on in another tab, which is opened the first time; the one left stays open."""
        if len(self.tabs) == 1:
            tab = self.visitor.page.context.new_page()
            tab.on("dialog", lambda dialog: dialog.accept())
            tab.goto(self.visitor.page.url)
            self.tabs.append(tab)
        left = self.visitor.page
        self.visitor.page = next(tab for tab in self.tabs if tab is not left)
        self.visitor.page.bring_to_front()

    def restart(self) -> None:
        self.served.stop()
        self.served.start()

    def kill(self) -> None:
        self.served.kill()
        self.visitor.page.wait_for_timeout(self.random.uniform(0, 1500))
        self.served.start()


def same_everywhere(visitor: Visitor, tabs: list[Page]) -> None:
    """What was typed, what the server keeps and what every tab shows are one."""
    kept = visitor.kept()
    assert visitor.standing()["status"] == "ended"
    assert [each["seq"] for each in kept] == list(range(1, len(kept) + 1))
    assert visitor.spoken() == visitor.said
    for tab in tabs:
        visitor.page = tab
        visitor.awaits()
        assert visitor.shown() == [(each["sender"], each["content"]) for each in kept]
    said = [each["content"] for each in kept if each["sender"] == "ai"]
    forms = visitor.results()
    assert [form["name"] for form in forms] == [*visitor.filled], "handed in once"
    assert [form["values"] for form in forms] == [*visitor.filled.values()]
    assert forms[0]["form"] == "cbt/phq9"
    assert sum(text.startswith("会谈报告") for text in said) == 1


@pytest.mark.parametrize("look", ["phone", "desktop"])
def test_in_fair_weather(served: Served, context: Opened, long: bool, look: str) -> None:
    if not long:
        pytest.skip("part of `make browser`; in foul weather it is held in any case")
    visitor = Visitor(context(look).new_page(), served)
    visitor.begin()
    visitor.hold()
    same_everywhere(visitor, [visitor.page])


def test_with_a_model(served_with_model: Served, context: Opened, long: bool) -> None:
    if not long:
        pytest.skip("part of `make browser`; in foul weather it is held in any case")
    visitor = Visitor(context("desktop").new_page(), served_with_model, seed=1)
    visitor.begin()
    visitor.hold()
    assert visitor.standing()["mode"] == "model"
    same_everywhere(visitor, [visitor.page])


def troubled(opened: BrowserContext, served: Served, seed: int, among: int = ANSWERS) -> Visitor:
    visitor = Visitor(opened.new_page(), served, seed=seed)
    few = among < ANSWERS  # a model that leads comes to the end sooner
    counts = {"reload": 4 if few else 20, "offline": 2 if few else 4, "other_tab": 2 if few else 6}
    troubles = Troubles(visitor, served, seed, among, **counts, restart=1 if few else 2, kill=1 if few else 2)
    visitor.twice = Random(seed)
    visitor.meanwhile = troubles
    visitor.begin()
    visitor.hold()
    assert len(troubles.happened) == len(troubles.plan), f"{len(visitor.said)} answers"
    assert len(troubles.tabs) == 2
    same_everywhere(visitor, troubles.tabs)
    return visitor


def test_in_foul_weather(served: Served, context: Opened) -> None:
    troubled(context("phone"), served, seed=7)


def test_in_foul_weather_with_a_model(served_with_model: Served, model: OpenAIServer, context: Opened) -> None:
    model.latency = 0.05  # so that troubles fall into turns, not only between them
    visitor = troubled(context("desktop"), served_with_model, seed=11, among=14)
    assert visitor.standing()["mode"] == "model"


@pytest.mark.parametrize("seed", range(20, 30))
def test_in_all_weathers(served: Served, context: Opened, long: bool, seed: int) -> None:
    if not long:
        pytest.skip("part of `make browser`")
    troubled(context("phone"), served, seed)
