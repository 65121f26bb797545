"""A real ``heartrule serve`` in a process of its own: started, asked over HTTP, stopped and killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from email.message import Message
from pathlib import Path
from typing import Any

from tests.house.tree import ROOT

PATIENCE = 60.0
"""Seconds after which a server that does not answer is a failure."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Served:
    """``program``: the command, where it has to be started as it is installed; ``environment``: settings besides those
    of this process, without its own of ours. The port stays the same when it is started again."""

    def __init__(
        self,
        folder: Path,
        *,
        environment: Mapping[str, str] | None = None,
        projects: Sequence[Path] = (),
        program: Sequence[str | Path] = (),
        cwd: Path = ROOT,
    ) -> None:
        self.data = folder / "data"
        self.log = folder / "server.log"
        self.port = free_port()
        self._options = [str(part) for project in projects for part in ("--project", project)]
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith("HEARTRULE_")}
        self._environment |= {"LANG": "zh_CN.UTF-8", **(environment or {})}
        self._program, self._cwd = [str(part) for part in program], cwd
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def __enter__(self) -> Served:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        command = ["serve", "--host", "127.0.0.1", "--port", str(self.port), "--data", str(self.data)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*(self._program or (sys.executable, "-m", "heartrule")), *command, *self._options],
                cwd=self._cwd,
                env={"HEARTRULE_PREPARE": "no", **self._environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + PATIENCE
        while not self._ready():
            said = self.log.read_text(encoding="utf-8", errors="replace")
            assert self._process.poll() is None, f"the server ended with {self._process.returncode}:\n{said}"
            assert time.monotonic() < deadline, f"the server does not get ready:\n{said}"
            time.sleep(0.05)

    def stop(self) -> int:
        """As a service manager stops it; its exit code."""
        return self._end(signal.SIGTERM)

    def kill(self) -> int:
        return self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(how)
        try:
            return process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise

    def _ready(self) -> bool:
        try:
            return self.get("/readyz")[0] == 200
        except OSError:
            return False

    # asking

    def get(self, path: str, **headers: str) -> tuple[int, bytes, Message]:
        return self._ask(urllib.request.Request(self.url + path, headers=headers))

    def call(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        """A request under ``/api/v1``; what it answers, which must be good."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        made = urllib.request.Request(f"{self.url}/api/v1{path}", data=data, headers=headers, method=method)
        status, answer, _ = self._ask(made)
        assert status < 400, f"{method} {path}: {status} {answer.decode()}"
        return json.loads(answer)

    def session(self, session: str, token: str) -> dict[str, Any]:
        found: dict[str, Any] = self.call("GET", f"/sessions/{session}", token=token)
        return found

    def messages(self, session: str, token: str) -> list[dict[str, Any]]:
        """The whole transcript."""
        found: list[dict[str, Any]] = []
        while True:
            after = found[-1]["seq"] if found else 0
            page = self.call("GET", f"/sessions/{session}/messages?after={after}&limit=500", token=token)
            found += page["messages"]
            if not page["more"]:
                return found

    def _ask(self, made: urllib.request.Request) -> tuple[int, bytes, Message]:
        try:
            with urllib.request.urlopen(made, timeout=30) as answer:
                return answer.status, answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read(), error.headers
