"""The table of interactions and what it comes to; measuring itself takes a browser and half a minute."""

from __future__ import annotations

import pytest

from bench import interaction


@pytest.mark.parametrize(("longest", "code"), [(200.0, 0), (208.0, 1)])
def test_one_interaction_over_the_limit_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], longest: float, code: int
) -> None:
    asked: list[tuple[float, int, int]] = []

    def measured(slower: float, answers: int, rounds: int) -> dict[str, list[float]]:
        asked.append((slower, answers, rounds))
        return {"typing": [16.0], "help opened": [96.0, longest, 104.0]}

    monkeypatch.setattr(interaction, "measured", measured)
    monkeypatch.setattr("sys.argv", ["interaction", "--rounds", "2"])
    assert interaction.main() == code
    assert asked == [(4, 25, 2)]
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == ["help", "opened", "3", "104", f"{longest:.0f}"]
    assert lines[-1] == f"longest {longest:.0f} ms (200 ms)"
