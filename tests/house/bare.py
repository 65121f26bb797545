"""A copy of what sets up, on a machine with hardly anything on it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.house.tree import ROOT

PROGRAMS = ("sh", "dirname", "cat")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The files that setting up reads, in a folder of their own."""
    folder = tmp_path / "checkout"
    shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "requirements.lock", "requirements-dev.lock"):
        shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A search path with hardly anything on it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for program in PROGRAMS:
        found = shutil.which(program)
        assert found is not None
        (folder / program).symlink_to(found)
    return folder


def base_python() -> str:
    """The interpreter that the environment was made from."""
    return os.path.realpath(sys.executable)


def put(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def setup(copy: Path, path: Path, purpose: str = "chat", **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {"PATH": str(path), "HOME": str(copy.parent), "PIP_CONFIG_FILE": os.devnull, "LC_ALL": "C.UTF-8"}
    command = [str(copy / "tools" / "setup.sh"), purpose]
    return subprocess.run(command, env=clean | environment, capture_output=True, text=True, check=False, timeout=120)
