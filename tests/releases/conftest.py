from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.material import Grounds


@pytest.fixture
def grounds(tmp_path: Path) -> Grounds:
    return Grounds(tmp_path)
