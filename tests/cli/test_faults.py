from __future__ import annotations

import re
from pathlib import Path

from heartrule.cli.faults import LOG, recorded, told_of
from heartrule.cli.words import Words

SECRET = "我昨晚哭了一整夜"


def fail() -> None:
    try:
        raise KeyError(SECRET)
    except KeyError as error:
        raise ValueError(f"cannot take {SECRET}") from error


def fault() -> ValueError:
    try:
        fail()
    except ValueError as error:
        return error
    raise AssertionError


def test_a_fault_gets_a_number_and_is_found_by_it(tmp_path: Path) -> None:
    first, second = recorded(fault(), tmp_path / "logs"), recorded(fault(), tmp_path / "logs")
    log = (tmp_path / "logs" / LOG).read_text(encoding="utf-8")
    assert re.fullmatch(r"[0-9a-f]{8}", first)
    assert first != second
    assert first in log
    assert second in log
    assert "ValueError" in log
    assert "KeyError" in log
    assert "fail" in log


def test_nothing_that_was_said_is_written_down(tmp_path: Path) -> None:
    recorded(fault(), tmp_path)
    assert SECRET not in (tmp_path / LOG).read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_written_is_no_second_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert recorded(fault(), tmp_path / "file" / "logs")


def test_a_log_is_named_when_it_was_written_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    good, bad = tmp_path / "logs", tmp_path / "file"
    told = told_of(fault(), good, Words("en"))
    assert f"are in {good / LOG}" in told
    told = told_of(fault(), bad, Words("en"))
    assert "(ValueError)" in told
    assert "could not be written down" in told
    assert "reference" not in told
    assert SECRET not in told
