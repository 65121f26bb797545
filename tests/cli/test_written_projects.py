"""``heartrule new`` and ``heartrule projects``: from a template into a folder, into the workbench, and out with its
history."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.cli.command import Command

from heartrule.workbench.templates import templates


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def test_a_project_is_made_and_nothing_is_written_over(heartrule: Command) -> None:
    made = heartrule("new", "sleep", "--template", "screening", "--locale", "en", "--lang", "en")
    assert made.returncode == 0, made.stderr
    assert heartrule("lint", "sleep", "--lang", "en").returncode == 0
    assert heartrule("new", "sleep", "--lang", "en").returncode == 2
    unknown = heartrule("new", "other", "--template", "nothing", "--lang", "en")
    assert unknown.returncode == 2
    assert all(each.id in unknown.stderr for each in templates())


@pytest.mark.skipif(shutil.which("git") is None, reason="no git here")
def test_history_goes_both_ways(heartrule: Command) -> None:
    heartrule("new", "sleep", "--template", "technique", "--lang", "en")
    folder = heartrule.folder / "sleep"
    risk = "tests/own.risk.jsonl"
    (folder / risk).parent.mkdir(exist_ok=True)
    (folder / risk).write_text('{"text": "a", "risk": "none"}\n', encoding="utf-8")
    git(folder, "init", "--quiet")
    for number, author in enumerate(("Lin", "Wei"), 1):
        with (folder / "session.yaml").open("a", encoding="utf-8") as file:
            file.write(f"# {number}\n")
        git(folder, "add", "--all")
        git(folder, "-c", f"user.name={author}", "-c", "user.email=", "commit", "--quiet", "-m", f"note {number}")
    taken = heartrule("projects", "import", "sleep", "--owner", "lin", "--lang", "en")
    assert taken.returncode == 0, taken.stderr
    (found,) = json.loads(heartrule("projects", "list", "--format", "json").stdout)
    assert (found["name"], found["owner"], found["version"]) == ("sleep", "lin", 2)
    out = heartrule("projects", "export", "sleep", "out", "--git", "--lang", "en")
    assert out.returncode == 0, out.stderr
    assert git(heartrule.folder / "out", "log", "--format=%an %s").splitlines() == ["Wei note 2", "Lin note 1"]
    written = (heartrule.folder / "out" / "session.yaml").read_bytes()
    assert written == (folder / "session.yaml").read_bytes()
    assert (heartrule.folder / "out" / risk).read_bytes() == (folder / risk).read_bytes()
    assert heartrule("projects", "export", "sleep", "out", "--lang", "en").returncode == 2


@pytest.mark.skipif(shutil.which("git") is None, reason="no git here")
def test_two_versions_are_compared_in_words(heartrule: Command) -> None:
    heartrule("new", "sleep", "--template", "technique", "--lang", "en")
    folder = heartrule.folder / "sleep"
    git(folder, "init", "--quiet")
    for number in (1, 2):
        with (folder / "session.yaml").open("a", encoding="utf-8") as file:
            file.write(f"# {number}\n")
        git(folder, "add", "--all")
        git(folder, "-c", "user.name=Lin", "-c", "user.email=", "commit", "--quiet", "-m", "note")
    heartrule("projects", "import", "sleep", "--owner", "lin", "--lang", "en")
    ran = heartrule("projects", "compare", "sleep", "1", "2", "--lang", "en")
    assert ran.stdout.splitlines() == ["session.yaml", "  file session.yaml: new comment: “# 2”"], ran.stderr
    assert "一样" in heartrule("projects", "compare", "sleep", "2", "2", "--lang", "zh").stdout
    missing = heartrule("projects", "compare", "sleep", "1", "7", "--lang", "en")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "There is no version 7; the newest is 2." in missing.stderr
