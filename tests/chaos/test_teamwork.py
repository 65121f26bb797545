"""Three authors at once, and kills: the short form; ``make teamwork`` does 1,000 runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.chaos.teamwork import one

RUNS = int(os.environ.get("HEARTRULE_TEAMWORK", "3"))


@pytest.mark.parametrize("number", range(RUNS))
def test_nothing_saved_is_lost_and_comments_stand_at_their_node(tmp_path: Path, number: int) -> None:
    found = one(tmp_path, f"ci/{number}")
    assert found["saved"]
    assert found["versions"] >= 1  # on a busy machine the kills come before the first version is saved
