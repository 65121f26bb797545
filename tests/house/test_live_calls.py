"""No test reaches a model elsewhere, nor does a program that a test starts."""

from __future__ import annotations

import subprocess
import sys

import pytest

from heartrule.llm.live import LiveCallForbidden, check_live

CHILD = "from heartrule.llm.live import check_live; check_live('api.deepseek.com')"


def test_a_test_may_not_call_a_model() -> None:
    with pytest.raises(LiveCallForbidden):
        check_live("api.deepseek.com")


def test_nor_may_what_a_test_starts() -> None:
    ran = subprocess.run([sys.executable, "-c", CHILD], capture_output=True, text=True, check=False)
    assert "LiveCallForbidden" in ran.stderr
