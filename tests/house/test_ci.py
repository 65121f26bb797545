"""What continuous integration makes of a failed run: few, and not of safety, are run once more, alone, and named."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SUMMARY = "{} failed, 19000 passed in 1200.00s (0:20:00)"


def ended(folder: Path, output: str, alone: int) -> subprocess.CompletedProcess[str]:
    """`.ci/run` where `make test` failed and printed `output`, and pytest's second run exits with `alone`."""
    for path, text in {
        "bin/make": f"#!/bin/sh\ncat <<'E'\n{output}\nE\nexit 2\n",
        ".venv/bin/pytest": f"#!/bin/sh\necho again\nexit {alone}\n",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
        (folder / path).chmod(0o755)
    (folder / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", folder / ".ci/run")
    env = os.environ | {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    return subprocess.run([folder / ".ci/run"], capture_output=True, text=True, env=env, timeout=30, check=False)


def failures(*tests: str) -> str:
    return "\n".join([*(f"FAILED {test} - TimeoutError" for test in tests), SUMMARY.format(len(tests))])


def test_what_passes_alone_is_green_and_named(tmp_path: Path) -> None:
    run = ended(tmp_path, failures("tests/browser/test_desk.py::test_a[en]"), 0)
    assert run.returncode == 0
    assert "UNSTEADY" in run.stdout
    assert "FAILED tests/browser/test_desk.py::test_a[en]" in run.stdout


def test_what_fails_alone_too_is_red(tmp_path: Path) -> None:
    run = ended(tmp_path, failures("tests/browser/test_desk.py::test_a[en]"), 1)
    assert run.returncode == 1
    assert "again" in run.stdout


@pytest.mark.parametrize(
    "output",
    [
        failures("tests/safety/test_wishes.py::test_a"),
        failures(*(f"tests/cli/test_a.py::test_{number}" for number in range(4))),
        "ERROR tests/cli/test_a.py - ImportError\n1 failed, 2 errors in 3.00s",
        "web/apps/staff/src/main.tsx: error",
    ],
    ids=["safety", "many", "collecting", "lint"],
)
def test_what_has_to_pass_at_once_is_not_tried_again(tmp_path: Path, output: str) -> None:
    run = ended(tmp_path, output, 0)
    assert run.returncode == 1
    assert "again" not in run.stdout


def test_what_failed_of_the_web_app_is_named_again_at_the_end(tmp_path: Path) -> None:
    """Only the end of a long log is read, and other packages' tests go on after the one that failed."""
    failed = "\x1b[31m\x1b[1m FAIL \x1b[22m\x1b[49m test/chat.test.ts > a session\nError: too late"
    run = ended(tmp_path, "\n".join([failed, *(f" ✓ test/other.test.ts {number}" for number in range(100))]), 0)
    assert run.returncode == 1
    end = run.stdout.splitlines()[-20:]
    assert " FAIL  test/chat.test.ts > a session" in end
    assert "Error: too late" in end


def test_every_long_test_is_there() -> None:
    """Else a list that was written long ago would leave out what nobody knows of."""
    names = [line for line in (ROOT / "tests/long.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
    texts = (file.read_text("utf-8") for file in (ROOT / "tests").rglob("*.py"))
    there = {name for text in texts for name in re.findall(r"def (test_\w+)\(", text)}  # some are inherited
    gone = [
        name for name in names if not (ROOT / name.partition("::")[0]).is_file() or name.split("::")[1] not in there
    ]
    assert gone == [], "run tools/long_tests.py on a run of everything, or take the names out"


def test_of_the_long_ones_each_has_its_turn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    conftest: Any = request.config.pluginmanager.get_plugin(str(ROOT / "tests/conftest.py"))
    listed = (ROOT / "tests/long.txt").read_text("utf-8").splitlines()[1:6]
    names = [*listed[:4], listed[4].replace("::", "::TestOfAClass::")]
    left: list[str] = []
    told = SimpleNamespace(
        hook=SimpleNamespace(pytest_deselected=lambda items: left.extend(each.nodeid for each in items))
    )

    def run(commit: str) -> list[str]:
        left.clear()
        items = [
            SimpleNamespace(nodeid=name) for name in ("tests/a.py::test_short[1]", *(f"{name}[1]" for name in names))
        ]
        monkeypatch.setenv("HEARTRULE_COMMIT", commit)
        conftest.pytest_collection_modifyitems(told, items)
        assert len(items) + len(left) == 6
        return [each.nodeid for each in items]

    monkeypatch.setenv("HEARTRULE_TESTS", "short")
    runs = [run(f"commit {number}") for number in range(200)]
    assert all("tests/a.py::test_short[1]" in each for each in runs)
    turns = [sum(f"{name}[1]" in each for each in runs) for name in names]
    assert all(1 <= times <= 25 for times in turns), turns
    assert run("commit 7") == runs[7], "the same commit, the same tests"
    monkeypatch.delenv("HEARTRULE_TESTS")
    assert len(run("commit 1")) == 6, "all that were named"
