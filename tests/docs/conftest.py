from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.command import Command, prepared


@pytest.fixture
def heartrule(tmp_path: Path) -> Command:
    return prepared(tmp_path)
