"""The conversation on a real terminal (a pseudo one), as someone at a keyboard has it."""

from __future__ import annotations

import errno
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.cli.command import Command

pty = pytest.importorskip("pty")
CTRL_C, CTRL_D = "\x03", "\x04"
AT_THE_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Makes the terminal the one that keys like Ctrl-C are meant for, then becomes the program."""
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07")


class Screen:
    """What has come from the program since the last look, without colours."""

    def __init__(self, terminal: int, running: subprocess.Popen[bytes]) -> None:
        self._terminal = terminal
        self.running = running
        self._bytes = b""
        self._looked = 0

    def _read(self, seconds: float) -> bool:
        if not select.select([self._terminal], [], [], seconds)[0]:
            return True
        try:
            chunk = os.read(self._terminal, 65536)
        except OSError as gone:
            if gone.errno != errno.EIO:
                raise
            return False
        self._bytes += chunk
        return bool(chunk)

    @property
    def text(self) -> str:
        whole = ESCAPES.sub("", self._bytes.decode("utf-8", "replace")).replace("\r\n", "\n")
        return whole[self._looked :]

    def until(self, wanted: str, seconds: float = 60.0) -> str:
        """What came up to the end of ``wanted``; the rest is left for the next look."""
        end = time.monotonic() + seconds
        while wanted not in self.text:
            more = self._read(0.2)
            assert more, f"the program ended before {wanted!r}:\n{self.text}"
            assert time.monotonic() < end, f"no {wanted!r} in:\n{self.text}"
        seen = self.text[: self.text.index(wanted) + len(wanted)]
        self._looked += len(seen)
        return seen

    def type(self, text: str) -> None:
        """As if typed, once the prompt stands."""
        os.write(self._terminal, text.encode())

    def answer(self, text: str, *, prompt: str = "你 ›") -> None:
        self.until(prompt)
        time.sleep(0.05)
        self.type(text + "\r")

    def end(self, seconds: float = 60.0) -> tuple[int, str]:
        end = time.monotonic() + seconds
        while self._read(0.5):
            if self.running.poll() is not None and not select.select([self._terminal], [], [], 0.1)[0]:
                break
            assert time.monotonic() < end, f"it did not end:\n{self.text}"
        return self.running.wait(10), self.text


@contextmanager
def terminal(heartrule: Command, *arguments: str) -> Iterator[Screen]:
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-c", AT_THE_TERMINAL, *heartrule.line(*arguments)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=heartrule.variables() | {"TERM": "xterm-256color", "COLUMNS": "90", "LINES": "40"},
        cwd=heartrule.folder,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Screen(ours, running)
    finally:
        running.kill()
        running.wait()
        os.close(ours)


def test_a_session_at_the_keyboard(heartrule: Command) -> None:
    with terminal(heartrule, "chat", "hello.yaml") as screen:
        before = screen.until("怎么称呼你？")
        assert "AI 程序" in before
        assert "脚本模式" in before
        assert "/quit" in before
        screen.answer("小林")
        assert "小林，这两周常觉得没意思吗？" in screen.until("大多数日子")
        screen.answer("b")
        screen.until("按回车说“我们继续吧”")
        screen.answer("")
        code, rest = screen.end()
    assert code == 0
    assert "谢谢你，今天先到这里。" in rest
    assert "会谈到此结束" in rest


def test_commands_at_the_keyboard(heartrule: Command) -> None:
    with terminal(heartrule, "chat", "hello.yaml") as screen:
        screen.answer("/quti")
        screen.until("没有 /quti 这个命令")
        screen.answer("小林")
        screen.answer("/vars")
        screen.until("小林")
        screen.answer("/where")
        screen.until("阶段：心情")
        screen.answer("/quit")
        code, rest = screen.end()
    assert code == 3
    assert "heartrule chat --resume" in rest


@pytest.mark.parametrize(("key", "code"), [(CTRL_C, 130), (CTRL_D, 3)])
def test_leaving_by_key(key: str, code: int, heartrule: Command) -> None:
    with terminal(heartrule, "chat", "hello.yaml") as screen:
        screen.until("你 ›")
        time.sleep(0.1)
        screen.type(key)
        left, rest = screen.end()
    assert left == code
    assert "heartrule chat --resume" in rest
    assert "Traceback" not in rest


def test_what_is_pasted_is_one_answer(heartrule: Command) -> None:
    with terminal(heartrule, "chat", "hello.yaml") as screen:
        screen.until("你 ›")
        time.sleep(0.1)
        screen.type("我\r今天很难受\r睡不着\r")
        screen.until("这两周常觉得没意思吗？")
        screen.answer("/quit")
        screen.end()
    shown = heartrule("chat", "--resume").stdout
    assert "> 我\n今天很难受\n睡不着\n" in shown


def test_a_half_line_stands_again_after_the_session_has_spoken(heartrule: Command) -> None:
    script = (heartrule.folder / "hello.yaml").read_text(encoding="utf-8")
    timed = script.replace("id: ask_name\n", "id: ask_name\n                timeout: 2s\n")
    timed = timed.replace("timeout: 2s\n", "timeout: 2s\n                on_timeout: retry\n")
    (heartrule.folder / "timed.yaml").write_text(timed, encoding="utf-8")
    with terminal(heartrule, "chat", "timed.yaml") as screen:
        screen.until("你 ›")
        time.sleep(0.1)
        screen.type("小")
        screen.until("怎么称呼你？")
        screen.until("小")
        screen.type("林\r")
        screen.until("小林，这两周常觉得没意思吗？")


def test_the_terminal_is_left_as_it_was(heartrule: Command) -> None:
    import termios

    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    running = subprocess.Popen(
        heartrule.line("chat", "hello.yaml"),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=heartrule.variables() | {"TERM": "xterm"},
        cwd=heartrule.folder,
    )
    screen = Screen(ours, running)
    screen.until("你 ›")
    time.sleep(0.2)
    running.send_signal(signal.SIGINT)
    screen.end()
    after = termios.tcgetattr(theirs)
    os.close(theirs)
    os.close(ours)
    assert after[:4] == before[:4]
