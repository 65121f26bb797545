"""kill -9 in a short form; ``make chaos`` kills two hundred times."""

from __future__ import annotations

from random import Random

import pytest
from tests.chaos import bursts, kill


@pytest.mark.parametrize("model", [True, False], ids=["model", "script"])
def test_killed_again_and_again_a_session_ends_as_its_twin(model: bool) -> None:
    deaths = kill.one_session("cbt/abc_intro", 7, Random(7), model=model)
    assert deaths.count >= 2


def test_killed_with_bursts_and_timers_in_flight() -> None:
    deaths = bursts.one_session(Random(3), model=True)
    assert deaths.count >= 2
