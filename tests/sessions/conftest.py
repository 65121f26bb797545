from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.sessions.material import Place, script_file
from tests.sessions.replaying import Replayed, replayed
from tests.sessions.speaking import TALK


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """Where sessions are held; those of ``replaying.MODULES`` are replayed as well."""
    if not replayed(request.function):
        yield Place(tmp_path)
        return
    made = Replayed(tmp_path)
    yield made
    assert made.turns > 0


@pytest.fixture
def talk(place: Place) -> Place:
    """Where the script has the model speak."""
    script_file(place.folder, TALK)
    return place
