"""Runs code in another process, which may be made to die at a given moment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEAD = """
import asyncio, os, signal, sys
from tests.store import worlds
from tests.store.worlds import *
from heartrule.store import Store

def die():
    os.kill(os.getpid(), signal.SIGKILL)

"""


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
    return subprocess.Popen(
        [sys.executable, "-c", HEAD + code, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment,
    )


def run(code: str, *arguments: str, dies: bool = False) -> str:
    """What it printed. ``dies``: it must have killed itself."""
    process = start(code, *arguments)
    out, err = process.communicate(timeout=60)
    expected = -9 if dies else 0
    assert process.returncode == expected, err
    return out
