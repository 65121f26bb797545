"""The long form of the fuzzing, for a moment: ``make fuzz`` runs 100,000 documents of it."""

from __future__ import annotations

import random

import pytest
from tests.language import fuzz


def test_each_kind_is_gone_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "SECONDS", 3.0)  # beside other tests; by itself the long form holds a second
    told = fuzz.run(60, seed=1)
    assert sum(told[kind] for kind in fuzz.KINDS) == 60
    assert 0 < told["refused"] <= 60


@pytest.mark.parametrize("kind", sorted(fuzz.KINDS))
def test_the_same_seed_makes_the_same_document(kind: str) -> None:
    make = fuzz.KINDS[kind][1]
    assert make(random.Random("a")) == make(random.Random("a"))
    assert len({make(random.Random(f"{number}")) for number in range(8)}) > 1


@pytest.mark.parametrize(("name", "value", "told"), [("SECONDS", 0.0, "took 0"), ("MEGABYTES", -1, "MB")])
def test_what_costs_too_much_is_told(monkeypatch: pytest.MonkeyPatch, name: str, value: float, told: str) -> None:
    monkeypatch.setattr(fuzz, name, value)
    with pytest.raises(AssertionError, match=told):
        fuzz.run(1, seed=1)


def test_a_crash_is_told_with_what_makes_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "rewritten", lambda raw: 1 / 0)
    with pytest.raises(AssertionError, match=r"--seed 7, document 0 .*ZeroDivisionError"):
        fuzz.run(1, seed=7)
