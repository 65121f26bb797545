"""What was shown stands, in a short form; ``make chaos`` holds a thousand turns."""

from __future__ import annotations

import pytest
from tests.chaos.shown import Seen, run


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_shown_is_withdrawn(seed: int) -> None:
    counts = run(60, seed)
    assert counts["turns"] >= 60
    assert counts["parts"] >= counts["messages shown"] > 0


def test_what_was_changed_would_be_noticed() -> None:
    seen = Seen()
    seen.released(3, 0, "听着")
    seen.released(3, 2, "很难。")
    seen.released(3, 0, "听着很难。")
    with pytest.raises(AssertionError, match="changed"):
        seen.released(3, 0, "听我说。")
    with pytest.raises(AssertionError, match="gap"):
        seen.released(3, 9, "。")
