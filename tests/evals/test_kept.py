"""Answers that were bought once."""

from __future__ import annotations

from pathlib import Path

from heartrule.evals.answer_cache import AnswerCache
from heartrule.evals.figures import CallSpend

SPENT = CallSpend(10, 2, 5, "CNY", 0.5)


def test_what_is_kept_is_found_by_whoever_comes_later(tmp_path: Path) -> None:
    path = tmp_path / "answers"
    AnswerCache(path).keep("a", {"holds": []}, SPENT)
    again = AnswerCache(path)
    assert again.find("a") == ({"holds": []}, SPENT)
    assert again.find("b") is None


def test_half_a_line_spoils_nothing(tmp_path: Path) -> None:
    path = tmp_path / "answers"
    first = AnswerCache(path)
    first.keep("a", {"holds": [1]}, SPENT)
    first.keep("b", {"holds": []}, SPENT)
    path.write_text(path.read_text(encoding="utf-8")[:-25], encoding="utf-8")
    second = AnswerCache(path)
    assert second.find("a") is not None
    assert second.find("b") is None
    second.keep("c", {"holds": []}, SPENT)
    third = AnswerCache(path)
    assert third.find("a") is not None
    assert third.find("c") is not None


def test_without_a_file_nothing_stays(tmp_path: Path) -> None:
    kept = AnswerCache(None)
    kept.keep("a", {}, SPENT)
    assert kept.find("a") == ({}, SPENT)
    assert list(tmp_path.iterdir()) == []
