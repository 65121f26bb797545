"""``examples/return_visit``: what was told and explained in the first session comes back in the second."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from tests.engine.minds import CALM, asked, values

from heartrule.engine.installed_types import field_models
from heartrule.engine.session.variables import Variables
from heartrule.language.compiling.script import Script
from heartrule.language.linting.lint import lint_paths
from heartrule.language.projects.library import Library
from heartrule.testing.talk import Talk

FOLDER = Path(__file__).parents[2] / "examples" / "return_visit"


@cache
def script(session: str) -> Script:
    return Library([], field_models()).script(f"{FOLDER / 'return_visit.yaml'}#{session}")


def first() -> Variables:
    talk = Talk(script("first"), session="s1")
    talk.play(["论文一直写不完", "八分", "没太懂", "哦，明白了"])
    assert talk.ended
    assert [each.importance for each in talk.happened("memory_written")] == [0.8, 0.8, 0.5]
    return talk.memories


def test_it_is_clean() -> None:
    assert [str(each) for each in lint_paths([FOLDER], field_models()).findings] == []


def test_each_action_is_told_what_concerns_it() -> None:
    mind = {
        "risk": CALM,
        "ai_ask_open": {"content": "后来怎样？"},
        "ai_ask": asked(exit="YES", values=values(变化=("写完了一章", "写完了一章"))),
    }
    mind |= {"ai_say_open": {"content": "想法在中间，记得吗？"}}
    talk = Talk(script("again"), mind, session="s2", memories=first())
    opening = next(task for task in talk.asked if task.template == "ai_ask_open")
    assert opening.context.values["memory"].splitlines()[:2] == [
        "- [2026-11-20 困扰] 最近最困扰的事：论文一直写不完",
        "- [2026-11-20 困扰] 这件事让人难受的程度：8（原话“八分”）",
    ]
    talk.say("好一点了，写完了一章")
    explaining = next(task for task in talk.asked if task.template == "ai_say_open")
    told = explaining.context.values["memory"]
    assert "知道想法在事情和情绪中间：" in told
    assert "（当时有疑问; 当时有回应）" in told


@pytest.mark.parametrize("known", [True, False])
def test_without_a_model_it_goes_on_as_written(known: bool) -> None:
    talk = Talk(script("again"), session="s2", memories=first() if known else None)
    assert talk.said == ["上次说的那件事，后来怎样了？"]
    talk.play(["好一点了", "有一次"])
    assert talk.ended
