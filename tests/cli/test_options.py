from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartrule.cli.options import folded, keys, picked
from heartrule.engine.session.state import Choice

FREQUENCY = [
    Choice(value="0", label="完全没有"),
    Choice(value="1", label="有几天"),
    Choice(value="2", label="一半以上的日子"),
    Choice(value="3", label="几乎每天"),
]
LETTERS = [Choice(value="A", label="Not now"), Choice(value="B", label="Yes, please")]
WORDS = [Choice(value="倾听", label="先听我说"), Choice(value="办法", label="想要些办法")]
NUMBERED_LABELS = [Choice(value="two", label="1"), Choice(value="one", label="2")]
TWINS = [Choice(value="a", label="好"), Choice(value="b", label="好")]


def test_short_values_stand_before_their_options() -> None:
    assert keys(FREQUENCY) == ["0", "1", "2", "3"]
    assert keys(LETTERS) == ["A", "B"]


@pytest.mark.parametrize(
    "choices",
    [
        [Choice(value="listen", label="先听我说"), Choice(value="advise", label="想要些办法")],
        [Choice(value="a", label="x"), Choice(value="A", label="y")],
        [Choice(value="", label="x")],
        [Choice(value="-", label="x"), Choice(value="+", label="y")],
        [Choice(value="开始", label="可以，开始吧"), Choice(value="改天", label="今天先不聊了")],
    ],
)
def test_other_values_are_numbered(choices: list[Choice]) -> None:
    assert keys(choices) == [str(number) for number in range(1, len(choices) + 1)]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("0", "0"),
        ("3", "3"),
        (" 2 ", "2"),
        ("２", "2"),
        ("1.", "1"),
        ("1、", "1"),
        ("几乎每天", "3"),
        ("几乎每天。", "3"),
        ("4", "3"),
    ],
)
def test_the_value_comes_before_the_number(line: str, value: str) -> None:
    choice = picked(line, FREQUENCY)
    assert choice is not None
    assert choice.value == value


@pytest.mark.parametrize(
    ("line", "value"),
    [("a", "A"), ("Ｂ", "B"), ("b)", "B"), ("yes, please", "B"), ("YES, PLEASE", "B"), ("2", "B"), ("1：", "A")],
)
def test_letters_labels_and_numbers(line: str, value: str) -> None:
    choice = picked(line, LETTERS)
    assert choice is not None
    assert choice.value == value


def test_a_label_that_looks_like_a_number_is_the_label() -> None:
    choice = picked("1", NUMBERED_LABELS)
    assert choice is not None
    assert choice.value == "two"


@pytest.mark.parametrize("line", ["", "   ", "说不好", "A B", "有几天吧", "99", "我不想活了"])
def test_own_words_pick_nothing(line: str) -> None:
    assert picked(line, FREQUENCY) is None


def test_a_text_that_two_options_share_picks_neither() -> None:
    assert picked("好", TWINS) is None
    assert picked("b", TWINS) == TWINS[1]


def test_nothing_is_picked_where_nothing_is_offered() -> None:
    assert picked("1", []) is None
    assert keys([]) == []


@given(st.text(max_size=50))
def test_any_line_is_taken_or_left(line: str) -> None:
    choice = picked(line, [*LETTERS, *WORDS])
    assert choice is None or choice in [*LETTERS, *WORDS]
    assert folded(folded(line)) == folded(line) or not line.isascii()


@given(st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=9, unique=True))
def test_what_is_shown_can_be_typed(values: list[str]) -> None:
    choices = [Choice(value=value, label=f"label {number}") for number, value in enumerate(values)]
    shown = keys(choices)
    if shown == values:
        for key, choice in zip(shown, choices, strict=True):
            assert picked(key, choices) == choice
