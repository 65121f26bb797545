"""Moments as tests write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.script_tests.material import codes, file_of

from heartrule.script_tests.clock import moment


def test_moments() -> None:
    assert moment("2026-11-20") == datetime(2026, 11, 20, tzinfo=UTC)
    assert moment("2026-11-20T09:00+08:00") == datetime(2026, 11, 20, 1, tzinfo=UTC)


@pytest.mark.parametrize("text", ["9999-12-31T23:59:59", "0001-01-01", "tomorrow", "0050-01-01T00:00+08:00"])
def test_what_is_no_moment_or_leaves_no_time(text: str) -> None:
    assert moment(text) is None
    assert [code for code, _ in codes(file_of("- start: {ended: false}", f"given: {{clock: '{text}'}}"))] == ["E704"]
