"""kill -9 in a short form; ``make chaos`` kills a thousand times."""

from __future__ import annotations

from tests.chaos import jobs


def test_killed_again_and_again_everybody_is_told_and_everything_is_put_down_once() -> None:
    sums = jobs.run(10, 5)
    assert sums.moments.total() >= 10
    assert sums.escalations == sums.folders * jobs.SESSIONS * jobs.CALLS
    assert sums.calls >= sums.escalations
