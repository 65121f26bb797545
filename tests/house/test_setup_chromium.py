"""Finding a browser for the tests: one that is there, one that can be installed, or a sentence."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.house.bare import base_python, put

FONT = "echo /fonts/Noto.ttc: Noto Sans CJK SC"
SUDO = 'shift; case "$1" in *=*) shift;; esac; exec "$@"'
APT = """\
case "$*" in
  *install*) echo "$@" > {log}; printf '#!/bin/sh\\n' > {path}/chromium && chmod +x {path}/chromium;;
esac
"""


def look(copy: Path, machine: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {"PATH": str(machine), "HOME": str(copy.parent), "LC_ALL": "C.UTF-8"}
    command = [base_python(), str(copy / "tools" / "chromium.py")]
    return subprocess.run(command, env=clean | environment, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture(autouse=True)
def with_a_font(machine: Path) -> None:
    put(machine, "fc-list", FONT)
    (machine / "chmod").symlink_to(shutil.which("chmod") or "")


def apt(machine: Path, text: str) -> Path:
    """An apt-get that is called with or without sudo, as whoever runs the tests may call it."""
    log = machine.parent / "installed"
    put(machine, "apt-get", text + APT.format(log=log, path=machine))
    put(machine, "sudo", SUDO)
    return log


@pytest.mark.parametrize("name", ["chromium", "google-chrome", "chrome"])
def test_one_that_is_there_is_used(copy: Path, machine: Path, name: str) -> None:
    put(machine, name, "exit 0")
    ran = look(copy, machine)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_one_that_was_chosen_and_is_not_there(copy: Path, machine: Path) -> None:
    put(machine, "chromium", "exit 0")
    ran = look(copy, machine, HEARTRULE_CHROMIUM="/nowhere/chrome")
    assert ran.returncode == 1
    assert "HEARTRULE_CHROMIUM=/nowhere/chrome is no program" in ran.stderr


def test_it_is_installed_where_that_needs_no_asking(copy: Path, machine: Path) -> None:
    put(machine, "fc-list", "")
    log = apt(machine, "")
    ran = look(copy, machine)
    assert "Installing chromium and fonts-noto-cjk" in ran.stdout
    assert log.read_text(encoding="utf-8").split()[-2:] == ["chromium", "fonts-noto-cjk"]
    assert "--no-install-recommends" in log.read_text(encoding="utf-8")
    assert ran.returncode == 0, ran.stderr
    assert "pictures of pages will show boxes" in ran.stdout, "the font is still not there, and that is no failure"


def test_another_program_that_installs_is_waited_for(copy: Path, machine: Path) -> None:
    held = machine.parent / "held"
    locked = "echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1' >&2; exit 100"
    log = apt(machine, f"[ -e {held} ] || {{ : > {held}; {locked}; }}\n")
    ran = look(copy, machine)
    assert ran.returncode == 0, ran.stderr
    assert log.exists()


@pytest.mark.parametrize("may", [True, False])
def test_none_can_be_had(copy: Path, machine: Path, may: bool) -> None:
    if may:
        apt(machine, "echo 'E: Unable to locate package chromium' >&2; exit 100\n")
    elif os.geteuid() != 0:
        put(machine, "sudo", "echo 'a password is required' >&2; exit 1")
        put(machine, "apt-get", "exit 0")
    ran = look(copy, machine)
    assert ran.returncode == 1
    assert "need Chromium or Chrome, and none was found or could be installed" in ran.stderr
    assert "sudo apt install chromium" in ran.stderr
    assert "Traceback" not in ran.stderr
