"""A table in one test fails where one of its rows would have failed by itself, and says which."""

from __future__ import annotations

import pytest
from tests.table import tabled


def test_every_row_that_fails_is_told_and_the_others_are_tried() -> None:
    tried: list[int] = []

    @tabled("number", [1, 2, 3, 4])
    def even(number: int) -> None:
        tried.append(number)
        assert number % 2 == 0, f"{number} is odd"

    with pytest.raises(AssertionError, match=r"2 rows failed") as caught:
        even()
    assert tried == [1, 2, 3, 4]
    assert "{'number': 1}: 1 is odd" in str(caught.value)
    assert "{'number': 3}: 3 is odd" in str(caught.value)
    assert isinstance(caught.value.__cause__, AssertionError)


def test_an_error_is_a_failure_too() -> None:
    @tabled("key", ["a", "b"])
    def known(key: str) -> None:
        assert {"a": 1}[key]

    with pytest.raises(AssertionError, match="'key': 'b'"):
        known()


def test_stacked_it_takes_every_combination() -> None:
    seen: set[tuple[str, int, bool]] = set()

    @tabled(("letter", "number"), [("a", 1), ("b", 2)])
    @tabled("flag", [True, False])
    def combined(letter: str, number: int, flag: bool) -> None:
        seen.add((letter, number, flag))

    combined()
    assert seen == {("a", 1, True), ("a", 1, False), ("b", 2, True), ("b", 2, False)}


class TestInAClass:
    seen: list[str] = []

    @tabled("word", ["a", "b"])
    def test_it_is_a_method_all_the_same(self, word: str) -> None:
        self.seen.append(word)

    def test_with_every_row(self) -> None:
        type(self).test_it_is_a_method_all_the_same(self)
        assert self.seen[-2:] == ["a", "b"]


def test_an_empty_table_and_a_wrong_row_are_refused() -> None:
    with pytest.raises(AssertionError, match="proves nothing"):
        tabled("word", [])
    with pytest.raises(ValueError, match="zip"):
        tabled(("one", "other"), [("a",)])
