"""Values taken back within one answer, and values that differ."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from heartrule.language.nodes import Variable
from heartrule.parsing import parse_value, several

NOW = datetime(2026, 11, 20, 10)
NUMBER = Variable(var="强度", type="number", range=(0, 120))
YES = Variable(var="焦虑", type="boolean")
RISK = Variable(var="想死", type="boolean", risk=True)
SEX = Variable(var="性别", type="enum", options=["男", "女"])
DAY = Variable(var="哪天", type="date")
NAME = Variable(var="称呼", type="text")
MANY = Variable(var="症状", type="list")


def value(rules: Variable, text: str) -> Any:
    found = parse_value(rules, text, now=NOW)
    return None if found is None else found.value


@pytest.mark.parametrize(
    ("rules", "text", "wanted"),
    [
        (NUMBER, "30\n不对，是31", 31),
        (NUMBER, "8分，不对，6分", 6),
        (NUMBER, "30。不，31", 31),
        (NUMBER, "30\n应该是31", 31),
        (NUMBER, "7小时，其实是6小时", 6),
        (NUMBER, "7，说错了，8，不对，9", 9),
        (NUMBER, "大概7，确切说是7.5", 7.5),
        (NUMBER, "7, no wait, 8", 8),
        (NUMBER, "7, actually 8", 8),
        (NUMBER, "I said 7, sorry, 8", 8),
        (YES, "有\n打错了，没有", False),
        (YES, "没有，不对，有", True),
        (YES, "yes, sorry, no", False),
        (SEX, "男\n错了，女", "女"),
        (SEX, "不是男的，是女的", "女"),
        (DAY, "昨天\n不对，是前天", "2026-11-18"),
        (DAY, "昨天，记错了，前天", "2026-11-18"),
        (NAME, "小林\n打错了，是小琳", "小琳"),
        (NAME, "小林，不对，是小琳", "小琳"),
        (NAME, "Anna, sorry, I meant Hanna", "Hanna"),
    ],
)
def test_what_is_said_last_counts(rules: Variable, text: str, wanted: Any) -> None:
    found = parse_value(rules, text, now=NOW)
    assert found is not None
    assert found.value == wanted
    assert found.evidence in text


@pytest.mark.parametrize(
    "text",
    [
        "我很难受，其实是失望",
        "我觉得不对，是他的错",
        "他骂我，我说错了话",
        "工作，不对，是我和妈妈的关系不好",
        "不是做梦，是醒着",
        "他说我笨，不，他说我没用，我什么都做不好",
    ],
)
def test_a_text_that_only_goes_on_is_kept_whole(text: str) -> None:
    assert value(NAME, text) == text


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (NUMBER, "30。打错了"),
        (NUMBER, "8分，说错了"),
        (NUMBER, "不是8"),
        (NUMBER, "不是8，是7"),
        (NUMBER, "没有10那么多，8吧"),
        (NUMBER, "not 8, 7"),
        (NUMBER, "8分，不对，挺高的"),
        (YES, "有，我说错了"),
        (RISK, "有\n打错了，没有"),
        (RISK, "有，不是，没有"),
        (RISK, "有，不对，没有"),
        (RISK, "不是有，是没有"),
    ],
)
def test_what_is_taken_back_is_not_read_and_of_danger_no_yes_is(rules: Variable, text: str) -> None:
    assert value(rules, text) is None


def test_of_danger_a_yes_that_takes_the_place_of_a_no_counts() -> None:
    assert value(RISK, "没有，不对，有") is True


@pytest.mark.parametrize(
    ("rules", "text", "wanted"),
    [
        (NUMBER, "前天8分，今天6分", [8, 6]),
        (NUMBER, "30\n31", [30, 31]),
        (YES, "有，也没有", [True, False]),
        (SEX, "男，女", ["男", "女"]),
        (DAY, "昨天，前天", ["2026-11-19", "2026-11-18"]),
        (NUMBER, "8分", []),
        (NUMBER, "挺难受", []),
        (NAME, "累，烦", []),
        (MANY, "累，烦", []),
    ],
)
def test_values_that_differ_are_told_apart(rules: Variable, text: str, wanted: list[Any]) -> None:
    assert several(rules, text, NOW) == wanted
    if wanted:
        assert value(rules, text) is None


@pytest.mark.parametrize("text", ["有，不对，没有", "没有，不过以前有一回", "不是没有，是有", "没受伤"])
def test_a_yes_or_no_with_rules_of_its_own_is_read_by_them_alone(text: str) -> None:
    own = Variable(var="受伤", type="boolean", rules=[{"pattern": "受伤了", "value": True}])
    assert parse_value(own, text, now=NOW, question="你受伤了吗？") is None
