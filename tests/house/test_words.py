"""What no tracked file may say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.tree import ROOT, SOURCE, TESTS, modules, scripts, tracked

UNFINISHED = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "NotImplemented" + "Error")) + r")\b")
SOMEONES_MACHINE = re.compile(
    r"(?<![\w.{}])/(" + "|".join(("wo" + "rk", "ro" + "ot", "ho" + "me", "Us" + "ers", "op" + "t")) + r")/[\w.]"
)
PACKAGE_HOST = re.compile("|".join(("pypi" + r"\.org", "python" + "hosted", "registry" + r"\.npmjs")))


def texts() -> Iterator[tuple[Path, str]]:
    for path in tracked():
        try:
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def found(pattern: re.Pattern[str], among: Iterator[tuple[Path, str]]) -> list[str]:
    return [
        f"{path}:{number} {line.strip()[:100]}"
        for path, text in among
        if pattern.search(text)
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


def test_nothing_is_left_for_later() -> None:
    files = [*modules(SOURCE), *modules(TESTS), *scripts(tests=False), *scripts(tests=True)]
    code = ((path, path.read_text(encoding="utf-8")) for path in files)
    assert not found(UNFINISHED, code)


@pytest.mark.parametrize("pattern", [SOMEONES_MACHINE, PACKAGE_HOST], ids=["machine", "package-host"])
def test_no_file_knows_where_it_was_written(pattern: re.Pattern[str]) -> None:
    assert not found(pattern, texts())
