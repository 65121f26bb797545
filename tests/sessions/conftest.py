from __future__ import annotations

from pathlib import Path

import pytest
from tests.sessions.material import Place, script_file
from tests.sessions.speaking import TALK


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def talk(place: Place) -> Place:
    """Where the script has the model speak."""
    script_file(place.folder, TALK)
    return place
