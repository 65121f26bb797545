"""Whole sessions with a model that fails, in a short form; ``make faults`` holds two hundred."""

from __future__ import annotations

import pytest
from tests.chaos.faults import KINDS, Counts, run

from heartrule.testing.faults import KINDS as EVERY_KIND


def test_a_tenth_of_all_calls_fails() -> None:
    counts = run(3, seed=2)
    assert counts.sessions == 3
    assert sum(counts.faults.values()) >= counts.calls * 0.05
    assert counts.values["json"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_call_fails_in_one_way(kind: str) -> None:
    """What the rules read is then all there is; fenced answers are answers all the same."""
    counts = run(1, seed=3, rate=1.0, kinds=(kind,), script="cbt/abc_intro")
    assert counts.faults == {kind: counts.calls}
    assert bool(counts.values["json"]) == (kind == "fenced")


def test_half_of_all_calls_fail() -> None:
    counts = run(1, seed=4, rate=0.5)
    assert counts.sessions == 1
    assert len(counts.faults) > 5


def test_without_faults_nothing_is_degraded() -> None:
    counts = run(1, seed=5, rate=0.0)
    assert not counts.faults


def test_the_counts_are_told() -> None:
    said = str(Counts(sessions=2, turns=5, calls=9))
    assert said.startswith("2 sessions ended, 5 turns")
    assert set(KINDS) == set(EVERY_KIND)
