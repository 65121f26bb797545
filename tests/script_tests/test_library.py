"""The conversations of the library itself: each goes as a counsellor expects, and together they come to everything.
What could be taken away unnoticed is measured with ``heartrule mutate library``."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from tests.cli.command import Command
from tests.house.tree import ROOT

from heartrule.script_tests.mutant_explanations import FILE, load_reasons
from heartrule.script_tests.mutation import mutants
from heartrule.script_tests.situations import GROUPS
from heartrule.script_tests.suite import Shelf, collect
from heartrule.script_tests.survey import gathered

FOLDERS = ("cbt", "safety")


@pytest.fixture
def heartrule(tmp_path: Path) -> Command:
    return Command(tmp_path)


def test_every_conversation_holds_and_everything_is_come_to(heartrule: Command) -> None:
    ran = heartrule("test", str(ROOT / "library"), "--coverage", "--min", "100", "--lang", "en")
    told = "\n".join(line for line in ran.stdout.splitlines() if not line.startswith("✓"))
    assert ran.returncode == 0, told + ran.stderr
    assert "(100%)" in told


def test_only_mutants_that_there_are_are_explained() -> None:
    shelf = Shelf()
    ground = gathered(collect([ROOT / "library"], shelf).jobs, shelf)
    known = {each.id for each in mutants(ground.scripts, ground.projects)}
    reasons, findings = load_reasons(_files())
    assert findings == []
    assert [each.mutant for each in reasons if each.mutant not in known] == []


def _files() -> list[Path]:
    return [path for folder in FOLDERS if (path := ROOT / "library" / folder / "tests" / FILE).is_file()]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_situation_is_among_them(folder: str) -> None:
    files = (ROOT / "library" / folder / "tests").glob("*.test.yaml")
    tests = [test for path in files for test in yaml.safe_load(path.read_text(encoding="utf-8"))["tests"]]
    found = {test.get("group", "happy") for test in tests}
    assert found <= set(GROUPS)
    assert len(tests) > 100
    if folder == "cbt":
        assert found == set(GROUPS)
