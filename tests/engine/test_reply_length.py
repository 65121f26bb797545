"""A question fits the length of what the person has written lately; an ordinary length changes no prompt."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, ai_ask, asked, get
from tests.engine.scripts import only

from heartrule.engine.dialogue.exit_policy import compare
from heartrule.language.nodes import ExitCondition
from heartrule.llm.prompt import render
from heartrule.testing.talk import Talk

LONG = "最近这段时间工作特别多，回到家也停不下来，" * 10


def styles(*words: str, style: str = "open", locale: str = "zh-CN") -> list[str]:
    """The style that each prompt of a round was given."""
    action = ai_ask("问", get("x"), question="说说？", max_rounds=9, style=style)
    talk = Talk(only(action, locale=locale), {"risk": CALM, "ai_ask": asked("还有呢？" if locale != "en" else "And?")})
    for each in words:
        talk.say(each)
    return [task.values["style"] for task in talk.asked if task.template == "ai_ask"]


def test_three_short_answers_in_a_row_ask_for_a_small_concrete_question() -> None:
    first, second, third = styles("还好", "嗯", "没有")
    assert (first, second) == ("", "")
    assert "话很少" in third


def test_one_longer_answer_makes_it_ordinary_again() -> None:
    assert styles("还好", "嗯", "昨天和同事吵了一架，心里很堵")[-1] == ""


def test_much_is_taken_up_at_one_point() -> None:
    (told,) = styles(LONG)
    assert "写了很多" in told


@pytest.mark.parametrize("words", ["昨天和同事吵了一架", "睡不着，半夜总醒", "35"])
def test_ordinary_lengths_say_nothing(words: str) -> None:
    assert styles(words) == [""]


def test_the_scripts_own_style_stays() -> None:
    told = styles("还好", "嗯", "没有", style="choice")
    assert told[0]
    assert told[-1].startswith(told[0])
    assert told[-1] != told[0]


def test_english_counts_letters_and_says_it_in_english() -> None:
    assert "very little" in styles("fine", "ok", "no", locale="en")[-1]
    assert styles("I had a row with my boss", "ok", "no", locale="en")[-1] == ""
    assert "one thing" in styles("I keep going over it in my head at night and cannot stop. " * 12, locale="en")[-1]


def test_the_block_of_the_prompt_is_there_only_then() -> None:
    action = ai_ask("问", get("x"), question="说说？", max_rounds=9)
    talk = Talk(only(action), {"risk": CALM, "ai_ask": asked("还有呢？")})
    for each in ("昨天吵了一架", LONG):
        talk.say(each)
    prompts = [render(task, talk.script) for task in talk.asked if task.template == "ai_ask"]
    shown = ["问法：" in "\n".join(message.text for message in prompt.messages) for prompt in prompts]
    assert shown == [False, True]


@pytest.mark.parametrize(
    ("value", "wanted", "holds"),
    [
        (["父亲", "母亲"], "父亲", True),
        (["父亲", "母亲"], "奶奶", False),
        ([1, 2], "2", True),
        ([{"称呼": "父亲", "年龄": 60}], "父亲", True),
        ([{"称呼": "父亲", "年龄": 60}], 60, True),
        ([{"称呼": "父亲"}], "母亲", False),
        ([], "父亲", False),
        ("睡不着，心慌", "心慌", True),
        ("睡不着", "心慌", False),
        (None, "父亲", False),
        (5, 5, False),
        ([[1]], 1, False),
    ],
)
def test_contains_looks_into_lists(value: Any, wanted: Any, holds: bool) -> None:
    assert compare(value, ExitCondition(variable="x", operator="contains", value=wanted)) is holds
