"""The numbers: intervals and tests against values worked out elsewhere."""

from __future__ import annotations

import pytest

from heartrule.evals.figures import CallSpend, JudgedQuestion, Share, Size, f1, largest, mcnemar, measured, wilson

RIGHT, WRONG, MISSED, LOST = (
    JudgedQuestion(True, True),
    JudgedQuestion(False, True),
    JudgedQuestion(True, False),
    JudgedQuestion(True, None),
)


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962)],
)
def test_wilsons_interval(part: int, whole: int, low: float, high: float) -> None:
    found = wilson(part, whole)
    assert found is not None
    assert found.value == part / whole
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))
    assert found.low <= found.value <= found.high


def test_nothing_has_no_share() -> None:
    assert wilson(0, 0) is None
    assert f1(0, 0, 0) is None


def test_f1_and_its_interval() -> None:
    found = f1(6, 2, 4)
    share = wilson(6, 12)
    assert found is not None
    assert share is not None
    assert found.value == pytest.approx(12 / 18)
    assert found.low == pytest.approx(2 * share.low / (1 + share.low))
    assert found.low < found.value < found.high < 1


@pytest.mark.parametrize(
    ("worse", "better", "p"),
    [(0, 0, 1.0), (5, 0, 0.0625), (6, 0, 0.03125), (0, 6, 0.03125), (10, 2, 0.0385742), (3, 3, 1.0), (1, 0, 1.0)],
)
def test_mcnemars_test(worse: int, better: int, p: float) -> None:
    assert mcnemar(worse, better) == pytest.approx(p, abs=1e-6)


def test_all_that_is_measured() -> None:
    alone = [RIGHT, RIGHT, JudgedQuestion(False, False), RIGHT, WRONG]
    now = [RIGHT, MISSED, WRONG, LOST, JudgedQuestion(False, False)]
    spent = [
        CallSpend(100, 10, 5, "CNY", 1.0),
        CallSpend(None, 3, None, None, 3.0, tries=2),
        CallSpend(50, 5, 7, "CNY", 2.0),
    ]
    found = measured(4, now, alone, spent)
    assert (found.size, found.items, found.calls, found.tries) == (4, 5, 3, 4)
    assert (found.accuracy.value, found.unanswered.value) == (0.4, 0.2)
    assert found.precision is not None
    assert found.recall is not None
    assert (found.precision.value, found.recall.value) == (0.5, pytest.approx(1 / 3))
    assert (found.worse, found.better) == (3, 1)
    assert (found.tokens_in, found.tokens_out, found.untold) == (150, 18, 1)
    assert (found.costs, found.unpriced, found.p50, found.p95) == ({"CNY": 12}, 1, 2.0, 3.0)


def test_what_was_not_answered_and_does_not_hold_is_wrong_but_not_found() -> None:
    found = measured(1, [JudgedQuestion(False, None)], [JudgedQuestion(False, None)], [])
    assert (found.accuracy.value, found.precision, found.recall) == (0.0, None, None)


def of(size: int, worse: int, better: int = 0) -> Size:
    share = Share(0.5, 0.4, 0.6)
    p = mcnemar(worse, better)
    return Size(size, 20, share, None, None, None, share, worse, better, p, 1, 1, 0, 0, 0)


def test_the_largest_size_stops_at_the_first_that_is_below() -> None:
    assert largest([of(1, 0), of(2, 1), of(4, 3), of(8, 9)]) == 4
    assert largest([of(8, 0), of(4, 9), of(1, 0), of(2, 0)]) == 2, "in any order, and not past one that is below"
    assert largest([of(1, 0), of(2, 0, 9)]) == 2, "better is not below"
    assert largest([of(1, 0), of(2, 9)]) == 1
