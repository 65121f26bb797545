from __future__ import annotations

from pathlib import Path

import pytest
from argon2 import PasswordHasher
from tests.server.material import Grounds

from heartrule.identity.passwords import Passwords


@pytest.fixture
def grounds(tmp_path: Path) -> Grounds:
    return Grounds(tmp_path)


@pytest.fixture(autouse=True)
def _cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """What makes guessing dear is the library's own, and takes a test's time."""
    cheap = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1)
    monkeypatch.setattr("heartrule.server.app.Passwords", lambda: Passwords(cheap))
