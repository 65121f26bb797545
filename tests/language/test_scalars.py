"""Plain scalars by the core schema of YAML 1.2, not by the habits of 1.1."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.language.texts.scalars import resolve


@pytest.mark.parametrize("text", ["", "~", "null", "Null", "NULL"])
def test_nothing(text: str) -> None:
    assert resolve(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("True", True), ("TRUE", True), ("false", False), ("False", False), ("FALSE", False)],
)
def test_truth(text: str, value: bool) -> None:
    assert resolve(text) is value


@tabled(
    "text",
    [
        *("yes", "no", "Yes", "NO", "on", "off", "y", "n", "Off"),
        *("2024-01-01", "2024-01-01 10:00:00", "12:30", "1:30:00"),
        *("tRUE", "nULL", "none", "None", "是", "否"),
        *("007", "010-12345", "+86 10", "0", "00")[:3],
        *("1_000", "0b101", "0o8", "0xG", "1e", "e3", ".", "-", "+", "--1", "1.2.3", "- 1"),
        *(".inf", "-.INF", ".nan", "1e999", "-1e999"),
        *("9" * 20, "1" * 65, "{a", "12 个", "３"),
    ],
)
def test_text(text: str) -> None:
    assert resolve(text) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("0", 0), ("7", 7), ("-12", -12), ("+3", 3), ("-0", 0), ("12356", 12356)),
        *(("0o17", 15), ("0x1F", 31), ("0xff", 255)),
    ],
)
def test_whole_numbers(text: str, value: int) -> None:
    found = resolve(text)
    assert found == value
    assert type(found) is int


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.5", 1.5), ("-0.5", -0.5), (".5", 0.5), ("1.", 1.0), ("1e3", 1000.0), ("2.5E-1", 0.25), ("+1.0", 1.0)],
)
def test_fractions(text: str, value: float) -> None:
    found = resolve(text)
    assert found == value
    assert type(found) is float


@pytest.mark.parametrize("text", ["00", "007", "-01", "010", "012356"])
def test_leading_zeros_are_kept_as_text(text: str) -> None:
    assert resolve(text) == text


@given(st.integers(-(10**18), 10**18))
def test_every_number_comes_back(number: int) -> None:
    assert resolve(str(number)) == number


@given(st.text(max_size=80))
def test_nothing_fails(text: str) -> None:
    value = resolve(text)
    assert value is None or isinstance(value, str | int | float)
