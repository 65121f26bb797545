"""How judgements are read off whatever a model wrote: what cannot be read is asked again, and is never a "no"."""

from __future__ import annotations

from typing import Any

import pytest

from heartrule.engine.session.tasks import Answer
from heartrule.engine.tasks.answers import number_of, share
from heartrule.engine.tasks.checkpoint import Call, Judgement, Outcome, parse_answer

TWO = (Judgement("是否在回避"), Judgement("是否累了"))


def outcome(holds: Any) -> Outcome:
    answer = Answer("perceive", "answered", {"holds": holds})
    return parse_answer(
        Call("understand", TWO), answer, lambda quote: quote if quote == "不想" else None, lambda _: None
    )


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (0, 0.0), (0.6, 0.6), (1, 1.0), (30, 0.3), (100, 1.0), ("90%", 0.9), ("0.9", 0.9), (" 55 ％", 0.55),
        ("1%", 0.01), (1.5, None), (-1, None), (101, None), (1e999, None), (float("nan"), None), ("高", None),
        (None, None), (True, None), ([], None),
    ],
)  # fmt: skip
def test_how_sure_it_is(raw: Any, expected: float | None) -> None:
    assert share(raw) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [(1, 1), (1.0, 1), ("1", 1), ("第1题", 1), ("Q2.", 2), ("1 or 2", None), ("一", None), (True, None), (1.5, None)],
)
def test_which_question_it_answers(raw: Any, expected: int | None) -> None:
    assert number_of(raw) == expected


@pytest.mark.parametrize(
    "given", [1, "第1题", {"id": "1"}, {"id": 1, "confidence": 0.9, "evidence": "不想"}, {"id": 1.0}]
)
def test_it_holds(given: Any) -> None:
    found = outcome([given])
    assert list(found.held) == [TWO[0]]
    assert not found.unusable
    assert not found.unanswered


@pytest.mark.parametrize("sure", [[0.1, 0.9], [0.9, 0.1]])
def test_of_two_the_surer_counts(sure: list[float]) -> None:
    assert outcome([{"id": 1, "confidence": each} for each in sure]).held[TWO[0]].confidence == 0.9


def test_percent_are_no_certainty() -> None:
    assert outcome([{"id": 1, "confidence": 30}]).held[TWO[0]].confidence == 0.3


@pytest.mark.parametrize(
    ("given", "again"),
    [
        ({"id": 1, "confidence": "高"}, [TWO[0]]),
        ({"id": 1, "evidence": "没有说过"}, [TWO[0]]),
        ({"id": 1, "evidence": 5}, [TWO[0]]),
        ({"confidence": 0.9}, list(TWO)),
        ({"id": "甲"}, list(TWO)),
        (None, list(TWO)),
    ],
)
def test_what_cannot_be_read_is_asked_again(given: Any, again: list[Judgement]) -> None:
    found = outcome([given])
    assert found.unusable == again
    assert not found.held


def test_what_could_be_read_beside_it_stands() -> None:
    found = outcome([{"id": 2}, {"id": "甲"}])
    assert (list(found.held), found.unusable) == ([TWO[1]], [TWO[0]])


@pytest.mark.parametrize("given", [{"id": 3}, {"id": 0}, {"id": 1, "verdict": False}])
def test_what_is_no_answer_of_these(given: Any) -> None:
    found = outcome([given])
    assert (found.held, found.unusable, found.unanswered) == ({}, [], [])
