"""The conversations of the library itself: each goes as a counsellor expects, and together they come to everything."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from tests.cli.command import Command
from tests.house.tree import ROOT

from heartrule.rehearsal.situations import GROUPS

FOLDERS = ("cbt", "safety")


@pytest.fixture
def heartrule(tmp_path: Path) -> Command:
    return Command(tmp_path)


def test_every_conversation_holds_and_everything_is_come_to(heartrule: Command) -> None:
    ran = heartrule("test", str(ROOT / "library"), "--coverage", "--min", "100", "--lang", "en")
    told = "\n".join(line for line in ran.stdout.splitlines() if not line.startswith("✓"))
    assert ran.returncode == 0, told + ran.stderr
    assert "(100%)" in told


def test_every_situation_is_among_them() -> None:
    files = [path for folder in FOLDERS for path in (ROOT / "library" / folder / "tests").glob("*.test.yaml")]
    tests = [test for path in files for test in yaml.safe_load(path.read_text(encoding="utf-8"))["tests"]]
    assert {test.get("group", "happy") for test in tests} == set(GROUPS)
    assert len(tests) > 200
