"""One value told and nothing else."""

from __future__ import annotations

import pytest
from tests.table import tabled

from heartrule.parsing.numbers import unit_asked
from heartrule.parsing.single_values import corrects, denies, is_telling, tells, told_number


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("7", 7, ""), ("7分", 7, "分"), ("7 分吧", 7, "分"), ("改成7", 7, ""), ("其实是9", 9, ""),
        ("应该是七吧", 7, ""),
        ("我一直是5分的", 5, "分"), ("还是5", 5, ""), ("it's 9", 9, ""), ("no it's seven", 7, ""),
        ("make it 9", 9, ""), ("actually 7 points", 7, "points"), ("7.5", 7.5, ""),
    ],
)  # fmt: skip
def test_a_number_and_nothing_else(text: str, value: float, unit: str) -> None:
    only = told_number(text, 10)
    assert only is not None
    assert (only.value, only.unit) == (value, unit)


@tabled(
    "text",
    [
        "", "睡了6小时", "昨晚7点睡的", "不是7", "7吗", "7我睡不着", "7，我睡不着", "7 hours of sleep", "5到7", "不到7",
        "十分难过", "is it 7?", "not 7", "没有", "7" * 5_000,
    ],
)  # fmt: skip
def test_more_than_a_number_is_not_read(text: str) -> None:
    assert told_number(text, 10) is None


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("都不对", True), ("不是7", True), ("不对", True), ("neither", True), ("not 7", True), ("it's not 7", True),
        ("7", False), ("不对劲", False), ("我不想说", False), ("not really", False), ("", False), ("是不是7？", False),
    ],
)  # fmt: skip
def test_a_denial(text: str, plain: bool) -> None:
    assert denies(text) is plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("其实是9", True), ("改成9吧", True), ("说错了，是9", False), ("说错了是9", True), ("actually 9", True),
        ("change it to 9", True), ("9", False), ("大概9", False), ("是9", False), ("其实睡9个小时也不够", False),
    ],
)  # fmt: skip
def test_a_correction(text: str, plain: bool) -> None:
    assert corrects(text) is plain


def test_courtesies() -> None:
    assert is_telling("courtesy", "谢谢你")
    assert is_telling("courtesy", "Thanks!")
    assert not is_telling("courtesy", "谢谢你的关心但我很难受")
    assert not is_telling("courtesy", "谢谢" * 5_000)


@pytest.mark.parametrize(
    ("text", "words", "plain"),
    [
        ("跑步", "跑步", True), ("跑步吧", "跑步", True), ("改成跑步", "跑步", True), ("it's red", "red", True),
        ("我去跑步了很难受", "跑步", False), ("the tired one", "red", False), ("跑步", "", False),
    ],
)  # fmt: skip
def test_words_said_once_more(text: str, words: str, plain: bool) -> None:
    assert tells(text, words) is plain


@pytest.mark.parametrize(
    ("question", "unit"),
    [("睡几个小时？", "个小时"), ("难受几分？", "分"), ("How many hours do you sleep?", "hours"), ("多累？", "")],
)
def test_the_unit_that_is_asked_for(question: str, unit: str) -> None:
    assert unit_asked(question) == unit
