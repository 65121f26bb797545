"""The walk that counts replies made again: it holds sessions, the same every time, and what it counts are events."""

from __future__ import annotations

import pytest
from bench.redo import INTAKE, MINDS, walked

from bench import redo


def test_who_hears_nothing_makes_nothing_again() -> None:
    """Over what listens at every turn: where nothing is listened for beside it, no reply is made early."""
    found = walked(str(INTAKE), 0.0, 1)
    assert found["ended"] == 1
    assert found["speculative"] == found["turns"] > 5
    assert (found["redone"], found["heard"]) == (0, 0)
    assert found["items"] > found["calls"] > 0


def test_a_walk_is_the_same_every_time_and_another_with_another_seed() -> None:
    first = walked("cbt/abc_intro", 0.3, 3)
    assert first == walked("cbt/abc_intro", 0.3, 3)
    assert first != walked("cbt/abc_intro", 0.3, 4)
    assert first["heard"] > 0


def test_what_is_heard_is_proved_and_taken() -> None:
    """Else the figures would be of a mind that nobody listens to."""
    found = walked("cbt/first_assessment", MINDS["a great deal"], 0)
    assert found["heard"] > 0.1 * found["items"]


def test_replies_that_open_the_next_action_are_counted() -> None:
    found = walked(str(INTAKE), 0.0, 0)
    assert found["following"] >= found["fused"] > 0
    assert 0 <= found["unfused"] <= found["fused"]


def test_the_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(redo, "SHIPPED", ("cbt/abc_intro",))
    monkeypatch.setattr("sys.argv", ["redo", "--seeds", "1"])
    redo.main()
    told = capsys.readouterr().out
    assert told.count("bench/intake") == len(MINDS)
    assert told.count("made again because of") == len(MINDS)
