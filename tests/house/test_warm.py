"""A program that is forked is what it would be if it had been started: its own folder, environment, pipes and end."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.warm import Program

TELLS = """
import os, random, sys
print(sys.argv[1:], os.getcwd(), sorted(os.environ), sys.stdin.read(), __name__)
print("加油", file=sys.stderr)
sys.exit(int(sys.argv[1]))
"""
ENVIRONMENT = {"OF_ITS_OWN": "yes", "LANG": "C.UTF-8"}


def begun(how: str) -> Callable[..., subprocess.Popen[str]]:
    return Program if how == "forked" else lambda line, **more: subprocess.Popen([sys.executable, *line], **more)


def told(how: str, folder: Path, code: str, *arguments: str) -> tuple[str, str, int]:
    pipe = subprocess.PIPE
    begin = begun(how)
    with begin(
        ["-c", code, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, env=ENVIRONMENT, encoding="utf-8"
    ) as process:
        out, err = process.communicate("给它的", timeout=60)
    return out, err, process.returncode


@pytest.mark.parametrize("code", ["0", "3"])
def test_a_forked_program_is_told_and_tells_the_same(tmp_path: Path, code: str) -> None:
    forked = told("forked", tmp_path, TELLS, code)
    assert forked == told("started", tmp_path, TELLS, code)
    assert "给它的" in forked[0]
    assert forked[2] == int(code)


@pytest.mark.parametrize("how", ["forked", "started"])
def test_a_failure_ends_it_with_one(tmp_path: Path, how: str) -> None:
    out, err, code = told(how, tmp_path, "print('so far')\nraise ValueError('that far')")
    assert out == "so far\n"
    assert err.endswith("ValueError: that far\n")
    assert code == 1


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=str)
def test_it_is_stopped_and_killed(how: signal.Signals) -> None:
    with Program(["-c", "print('here', flush=True)\nimport time\ntime.sleep(600)"], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        assert process.poll() is None
        process.send_signal(how)
        assert process.wait(60) == -how


def test_two_at_once_share_nothing() -> None:
    code = "import sys\nkept = sys.modules.setdefault('kept', [])\nkept.append(input())\nprint(kept)"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
    with Program(["-c", code], **pipes) as one, Program(["-c", code], **pipes) as other:
        assert other.communicate("b\n", timeout=60)[0] == "['b']\n"
        assert one.communicate("a\n", timeout=60)[0] == "['a']\n"
