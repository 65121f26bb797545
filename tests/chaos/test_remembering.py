"""Kills while something is remembered and deleted: the short form; ``python -m tests.chaos.remembering`` does 1,000."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.chaos.remembering import one_folder


def test_what_is_remembered_through_deaths_is_that_of_a_twin_that_lived(tmp_path: Path) -> None:
    assert one_folder(tmp_path, Random(1), most=80).count > 0
