"""The command itself: quick to start, helpful, and silent about what is inside."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from tests.cli.command import Command

from heartrule.cli import main as command


def test_the_version(heartrule: Command) -> None:
    assert heartrule("--version").stdout.strip() == f"heartrule {version('heartrule')}"


def test_it_starts_quickly() -> None:
    """In processor time, against what its framework alone takes on the same machine: here 2.8 times."""

    def seconds(*command: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *command], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    both = [(seconds("-m", "heartrule", "--version"), seconds("-c", "import typer")) for _ in range(5)]
    assert min(ours for ours, _ in both) < 4 * min(bare for _, bare in both), both


def test_nothing_heavy_is_loaded_before_it_is_needed() -> None:
    heavy = (
        "sqlalchemy",
        "alembic",
        "pydantic",
        "anyio",
        "asyncio",
        "rich.console",
        "yaml",
        "httpcore2",
        "cryptography",
    )
    program = f"import sys, heartrule.cli.main; print([m for m in {heavy} if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert ran.stdout.strip() == "[]"


def test_help_names_every_command(heartrule: Command) -> None:
    text = heartrule("--help").stdout
    for name in ("chat", "scripts", "lint", "schema", "keys"):
        assert re.search(rf"\b{name}\b", text)
        assert heartrule(name, "--help").returncode == 0
    assert heartrule().returncode == 2


def test_a_fault_is_a_sentence_and_a_number(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise RuntimeError("我昨晚哭了")

    monkeypatch.setattr(command, "app", fail)
    monkeypatch.setenv("HEARTRULE_DATA", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    with pytest.raises(SystemExit) as left:
        command.main()
    assert left.value.code == 1
    error = capsys.readouterr().err
    reference = re.search(r"reference ([0-9a-f]{8})", error)
    assert reference is not None
    assert "Traceback" not in error
    assert f"ERROR heartrule fault reference={reference[1]} kind=builtins.RuntimeError\n" in error
    assert "test_main.py" in error
    assert "哭" not in error


class TestKeys:
    def test_showing_it(self, heartrule: Command) -> None:
        ran = heartrule("keys", "show")
        assert ran.returncode == 0
        assert str(heartrule.data / "master.key") in ran.stdout
        key = (heartrule.data / "master.key").read_text(encoding="ascii").split()
        assert key[0] in ran.stdout
        assert key[1] not in ran.stdout, "the key itself is never shown"

    def test_changing_it_keeps_everything_readable(self, heartrule: Command) -> None:
        heartrule("chat", "hello.yaml", lines=["小林"])
        before = (heartrule.data / "master.key").read_text(encoding="ascii")
        ran = heartrule("keys", "rotate", "--lang", "en")
        assert ran.returncode == 0
        assert (heartrule.data / "master.key").read_text(encoding="ascii") != before
        assert "小林" in heartrule("chat", "--resume").stdout

    def test_a_key_that_others_can_read_is_refused(self, heartrule: Command) -> None:
        heartrule("keys", "show")
        (heartrule.data / "master.key").chmod(0o644)
        for arguments in (["keys", "show"], ["keys", "rotate"], ["chat", "hello.yaml"]):
            ran = heartrule(*arguments)
            assert ran.returncode == 1
            assert "chmod 600" in ran.stderr

    def test_a_key_that_is_lost_is_not_made_anew(self, heartrule: Command) -> None:
        heartrule("chat", "hello.yaml", lines=["小林"])
        (heartrule.data / "master.key").unlink()
        ran = heartrule("chat", "--resume")
        assert ran.returncode == 1
        assert "missing" in ran.stderr
        assert not (heartrule.data / "master.key").exists()
