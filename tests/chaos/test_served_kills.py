"""The short form of `make chaos`: the server dies under visitors who hold whole sessions, forms included."""

from __future__ import annotations

from pathlib import Path

from tests.chaos.served_kills import run


def test_the_server_dies_and_nothing_is_lost_doubled_or_out_of_order(tmp_path: Path) -> None:
    assert run(3, 1, 2, tmp_path) == (3, 2)
