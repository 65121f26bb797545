"""Python programs in processes of their own that start at once: forked from a process of each worker which has imported
beforehand what they need, and has laid out a database. It saves each more than two seconds of a processor.

What starts is a process like any other, with its own environment, folder, pipes and end; it can be stopped and killed.
What says something of starting itself (what is imported, the installed command) has to be started by ``subprocess``.
Only on Linux, which tells when a process ends that is not one's own child; elsewhere they start as usual.
"""

from __future__ import annotations

import atexit
import os
import pickle
import runpy
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
POSSIBLE = sys.platform == "linux" and hasattr(os, "pidfd_open")
LONGEST = 1 << 20
"""Bytes in which a program is told at most: its code, arguments and environment."""


class Program(subprocess.Popen[Any]):
    """``arguments``: ``["-m", module, …]`` or ``["-c", code, …]``; ``more``: what ``Popen`` takes of pipes, ``cwd``
    and ``env``."""

    def __init__(self, arguments: Sequence[str], **more: Any) -> None:
        self._told = tuple(arguments)
        super().__init__([sys.executable, *arguments], **more)

    def _execute_child(self, *how: Any) -> None:
        if not POSSIBLE:
            super()._execute_child(*how)  # type: ignore[misc]
            return
        cwd, environment = how[5], how[6]
        ends = how[10], how[13], how[15]
        wanted = (self._told, os.fspath(cwd or "."), dict(os.environ if environment is None else environment))
        given = [standard if end == -1 else end for standard, end in enumerate(ends)]
        self.pid = int(_warm().ask(wanted, given))
        self._child_created = True
        self._seen = os.pidfd_open(self.pid)
        self._close_pipe_fds(*how[10:16])  # type: ignore[attr-defined]

    def _try_wait(self, flags: int) -> tuple[int, int]:
        if not POSSIBLE:
            return super()._try_wait(flags)  # type: ignore[misc,no-any-return]
        ended = select.poll()
        ended.register(self._seen, select.POLLIN)
        if not ended.poll(0 if flags & os.WNOHANG else None):
            return 0, 0
        os.close(self._seen)
        return self.pid, int(_warm().ask(self.pid))

    def _internal_poll(self, _deadstate: int | None = None, **_: Any) -> int | None:
        if self.returncode is None and self._waitpid_lock.acquire(False):  # type: ignore[attr-defined]
            try:
                pid, status = self._try_wait(os.WNOHANG) if self.returncode is None else (0, 0)
                if pid:
                    self._handle_exitstatus(status)  # type: ignore[attr-defined]
            finally:
                self._waitpid_lock.release()  # type: ignore[attr-defined]
        return self.returncode


class _Warm:
    """The process that forks, as its worker speaks to it. It ends with its worker."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LONGEST)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("HEARTRULE_")}
        environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(ROOT / "src")])
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.warm", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                cwd=ROOT,
                env=environment,
            )
        atexit.register(self.end)

    def end(self) -> None:
        self._socket.close()
        self._process.wait()

    def ask(self, wanted: object, ends: Sequence[int] = ()) -> bytes:
        """``wanted``: a program to start, whose number is told, or one that has ended, how."""
        socket.send_fds(self._socket, [pickle.dumps(wanted)], list(ends))
        answer = self._socket.recv(100)
        assert answer, "the process that starts programs has ended"
        return answer


@cache
def _warm() -> _Warm:
    return _Warm()


# what follows is done in the process that forks


def prepare() -> None:
    """Import what a command, a server or a test of the store imports in the course of its work, and open a store."""
    from tests.store import laid, worlds  # noqa: F401

    import heartrule.cli.chat
    import heartrule.cli.folder
    import heartrule.server.serving
    import heartrule.tracing.exporting  # noqa: F401
    from heartrule.server.app import build
    from heartrule.server.settings import ServerSettings
    from heartrule.sessions import Settings
    from heartrule.store import Store, migrate
    from heartrule.testing.talk import shipped

    shipped("cbt/first_assessment")
    migrate._upgrade = laid.upgrade
    with TemporaryDirectory() as folder, Store.open(folder):
        build(Settings(data=Path(folder)), ServerSettings()).openapi()
    assert len(os.listdir("/proc/self/task")) == 1, "what has several threads must not fork"


def fork_what_is_asked(asked: socket.socket) -> tuple[str, ...] | None:
    """The arguments of the program that this process is from now on; None when nothing more will be asked."""
    while True:
        told, ends, _, _ = socket.recv_fds(asked, LONGEST, 3)
        if not told:
            return None
        wanted = pickle.loads(told)
        if isinstance(wanted, int):
            asked.send(b"%d" % os.waitpid(wanted, 0)[1])
            continue
        number = os.fork()
        if not number:
            asked.close()
            arguments, cwd, environment = wanted
            become(arguments, cwd, environment, ends)
            return tuple(arguments)
        for end in ends:
            os.close(end)
        asked.send(b"%d" % number)


def become(arguments: Sequence[str], cwd: str, environment: dict[str, str], ends: list[int]) -> None:
    for standard, end in enumerate(ends):
        os.dup2(end, standard)
    os.closerange(3, max(ends) + 1)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.path.insert(0, os.getcwd() if arguments[0] == "-m" else "")
    sys.argv = list(arguments[1:])
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker gets it as well, and ends
    prepare()
    program = fork_what_is_asked(socket.socket(fileno=int(sys.argv[1])))
    if program is None:
        return
    how, what, *_ = program
    if how == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        sys.argv[0] = "-c"
        exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})


if __name__ == "__main__":
    main()
