"""Counting what was heard: tables, pooled recall, precision, what interrupts."""

from __future__ import annotations

import pytest

from heartrule.evals.risk_figures import Found, UtteranceResult, drawn, interruptions, report, strongest
from heartrule.evals.risk_items import Utterance


def heard(risk: str, found: Found, *sub: str, seconds: float = 0.001) -> UtteranceResult:
    return UtteranceResult(Utterance("1", "text", risk, sub), found, seconds)


ROWS = [
    heard("self_harm", "explicit", "active_ideation", "plan"),
    heard("self_harm", "none", "attempt"),
    heard("self_harm", "watch", "passive_ideation"),
    heard("self_harm", "explicit", "nssi_behaviour"),
    heard("exploration", "watch"),
    *[heard("none", "none")] * 97,
    heard("none", "watch"),
    heard("none", "explicit", seconds=0.009),
]


def test_the_table_has_each_finest_label() -> None:
    told = {each.label: (each.explicit, each.watch, each.none) for each in report(ROWS).labels}
    assert told["plan"] == told["active_ideation"] == (1, 0, 0)
    assert told["attempt"] == (0, 0, 1)
    assert told["exploration"] == (0, 1, 0)
    assert told["none"] == (1, 1, 97)
    assert "self_harm" not in told


def test_recall_is_pooled_and_a_row_with_two_kinds_counts_once() -> None:
    pooled = {each.label: each for each in report(ROWS).pooled}
    assert (pooled["active"].all, pooled["active"].none) == (2, 1)
    assert (pooled["passive"].all, pooled["passive"].none) == (1, 0)
    assert (pooled["self_harm"].all, pooled["self_harm"].none) == (4, 1)
    recall = pooled["self_harm"].recall
    assert recall is not None
    assert recall.value == 0.75
    assert recall.low == pytest.approx(0.3006, abs=1e-3)


def test_precision_f1_and_false_alarms() -> None:
    told = report(ROWS)
    assert told.precision is not None
    assert told.precision.value == 3 / 6
    assert told.f1 is not None
    assert told.f1.value == pytest.approx(0.6)
    assert told.false_alarms is not None
    assert told.false_alarms.value == 2 / 99


def test_what_was_missed_is_named() -> None:
    assert [each.row.sub for each in report(ROWS).missed] == [("attempt",)]


def test_latency() -> None:
    told = report(ROWS)
    assert (told.p50, told.p95) == (0.001, 0.001)
    assert report([heard("none", "none", seconds=0.2), heard("none", "none", seconds=0.4)]).p95 == 0.4


def test_interrupted_sessions_follow_from_interrupted_messages() -> None:
    found = interruptions(1, 2_000)
    assert found.sessions is not None
    assert found.share is not None
    assert found.sessions.value == pytest.approx(1 - (1 - 1 / 2_000) ** 40)
    assert found.sessions.low < found.sessions.value < found.sessions.high
    assert found.sessions.high == pytest.approx(1 - (1 - found.share.high) ** 40)


def test_nothing_gives_no_share() -> None:
    told = report([])
    assert (told.precision, told.f1, told.false_alarms, told.interruptions.sessions) == (None,) * 4
    assert (told.p50, told.p95, told.labels, told.missed) == (0.0, 0.0, [], [])
    assert interruptions(0, 0).share is None


def test_of_several_scripts_the_strongest_finding_counts() -> None:
    assert strongest(["none", "watch", "explicit"]) == "explicit"
    assert strongest(["none", "watch", "none"]) == "watch"
    assert strongest([]) == "none"


def test_sessions_are_drawn_the_same_with_the_same_seed() -> None:
    found: list[Found] = ["none"] * 380 + ["watch"] * 18 + ["explicit"] * 2
    assert drawn(found, 200, 7) == drawn(found, 200, 7) != drawn(found, 200, 8)


def test_the_share_of_sessions_drawn_is_what_chance_makes_of_the_messages() -> None:
    """Two of 400 interrupt: 1 - C(398, 40)/C(400, 40) of sessions hold one of them."""
    found: list[Found] = ["none"] * 380 + ["watch"] * 18 + ["explicit"] * 2
    told = drawn(found, 4_000, 1)
    assert told.interrupted is not None
    assert told.asked is not None
    assert told.interrupted.low < 1 - (360 * 359) / (400 * 399) < told.interrupted.high
    assert told.interrupted.value + told.asked.value < 1


def test_nothing_that_interrupts_interrupts_no_session_and_all_interrupt_every_one() -> None:
    calm, loud = drawn(["none"] * 50, 100, 1), drawn(["explicit"] * 3, 100, 1)
    assert (calm.interrupted, calm.asked) == (calm.asked, calm.interrupted)
    assert calm.interrupted is not None
    assert calm.interrupted.value == 0
    assert calm.interrupted.high < 0.04
    assert loud.interrupted is not None
    assert loud.interrupted.value == 1
    assert drawn([], 100, 1).interrupted is None
