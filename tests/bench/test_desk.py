"""The desk's bench in its short form: it tells figures of a real server."""

from __future__ import annotations

import pytest

from bench import desk


def test_the_short_form_measures_lists_news_and_what_the_server_takes(capsys: pytest.CaptureFixture[str]) -> None:
    found = desk.main(["--sessions", "3", "--counsellors", "2", "--seconds", "1"])
    assert found["list_ms"]["count"] >= 1
    assert found["told_ms"]["count"] >= 1
    assert found["turn_ms"]["p50"] > 0
    assert found["memory_mib"]["with_desks"] > 50
    assert '"cpu_share"' in capsys.readouterr().out
