"""While a model keeps everyone waiting: one can see it, end the wait, leave, and go on typing."""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Iterator

import pytest
from tests.cli.command import Command
from tests.cli.test_terminal import terminal


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of someone who takes every call and never says a word."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"


def slow(heartrule: Command, address: str, scale: float) -> None:
    toml = f'[llm]\nbase_url = "{address}"\nmodel = "silent"\ntime_scale = {scale}\n'
    (heartrule.folder / "heartrule.toml").write_text(toml, encoding="utf-8")


@pytest.mark.parametrize("pause", [0.1, 0.3])
def test_one_can_leave_while_it_thinks(heartrule: Command, silent: str, pause: float) -> None:
    """By the second Ctrl-C, however soon it comes after the first."""
    slow(heartrule, silent, 1.0)
    with terminal(heartrule, "chat", "hello.yaml") as screen:
        screen.until("silent")
        screen.answer("小林")
        screen.until("正在想")
        time.sleep(0.3)
        begun = time.monotonic()
        screen.type("\x03")
        time.sleep(pause)
        screen.type("\x03")
        code, rest = screen.end()
    assert code == 130
    assert time.monotonic() - begun < 10, "it did not wait for the model"
    assert "heartrule chat --resume" in rest
    assert "Traceback" not in rest

    (heartrule.folder / "heartrule.toml").unlink()
    back = heartrule("chat", "--resume", lines=["/vars", "A", ""])
    assert back.returncode == 0, back.stdout + back.stderr
    assert "称呼\t小林" in back.stdout, "the line that had been sent was kept, and is worked on now"


def test_the_first_ctrl_c_ends_the_wait_and_not_the_session(heartrule: Command, silent: str) -> None:
    """What was said is kept, and whether it tells of danger is asked, as where a model fails."""
    slow(heartrule, silent, 1.0)
    with terminal(heartrule, "chat", "hello.yaml") as screen:
        screen.until("silent")
        screen.answer("小林")
        screen.until("正在想")
        time.sleep(0.3)
        begun = time.monotonic()
        screen.type("\x03")
        screen.until("再按一次 Ctrl-C 就离开")
        screen.until("你现在是安全的吗？", seconds=15)
        assert time.monotonic() - begun < 10, "it did not wait for the model"
        screen.answer("/quit")
        code, _ = screen.end()
    assert code == 3
    (heartrule.folder / "heartrule.toml").unlink()
    assert "小林" in heartrule("chat", "--resume").stdout


def test_killed_while_it_thinks_the_line_is_kept(heartrule: Command, silent: str) -> None:
    slow(heartrule, silent, 1.0)
    with heartrule.running("chat", "hello.yaml") as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("小林\n")
        running.stdin.flush()
        for line in running.stdout:
            if "> 小林" in line:
                break
        time.sleep(1.5)
        running.send_signal(signal.SIGKILL)
    (heartrule.folder / "heartrule.toml").unlink()
    back = heartrule("chat", "--resume", lines=["/vars"])
    assert "称呼\t小林" in back.stdout


def test_what_is_typed_while_it_thinks_answers_no_question_that_was_not_seen(heartrule: Command, silent: str) -> None:
    """The model fails, so the safety project asks whether the person is safe; the "no" that was typed before they saw
    that is no answer to it."""
    slow(heartrule, silent, 0.1)
    with terminal(heartrule, "chat", "hello.yaml") as screen:
        screen.answer("小林")
        screen.until("正在想")
        screen.type("没有\r")
        screen.until("你现在是安全的吗？", seconds=90)
        screen.until("你 › 没有", seconds=90)
        screen.answer("/quit")
        code, rest = screen.end()
    assert code == 3
    assert "要走之前" in rest
    (heartrule.folder / "heartrule.toml").unlink()
    assert "你现在是安全的吗？" in heartrule("chat", "--resume").stdout
