"""Copies of everything that is kept, and the way back from them. The keys that open it are copied apart, to another
place or not at all: who finds a copy can read nothing, and a person whose key was destroyed is gone from old ones too.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

from sqlalchemy import URL, inspect, make_url

from heartrule.store import master
from heartrule.store.engines import make_private, open_engines
from heartrule.store.migrate import VERSION_TABLES
from heartrule.store.records import StoreError

MAIN, KEYS = "heartrule.db", "keys.db"
_NAMED, _SQLITE, _POSTGRESQL = "heartrule-", ".db", ".dump"
_WRITTEN = "%Y%m%dT%H%M%SZ"


class BackupError(StoreError):
    """``code`` says what is wrong (a text of the command line), ``about`` what it is wrong with."""

    def __init__(self, code: str, about: str | os.PathLike[str]) -> None:
        super().__init__(f"{code}: {about}")
        self.code, self.about = code, str(about)


def take(home: Path, folder: Path, now: datetime, *, database: str | None = None) -> Path:
    """A copy of the main database as it stands, while others may go on writing; the file it lies in. ``database``: its
    URL where it is not the SQLite file in ``home``. Raises ``BackupError``."""
    url = make_url(database) if database else URL.create("sqlite", database=str(home / MAIN))
    is_sqlite = url.get_backend_name() == "sqlite"
    _apart(folder, home)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = folder / f"{_NAMED}{now:{_WRITTEN}}{_SQLITE if is_sqlite else _POSTGRESQL}"
    part = made.with_suffix(".part")
    part.unlink(missing_ok=True)
    try:
        if is_sqlite:
            _copy(Path(url.database or ""), part)
        else:
            _run("pg_dump", ["--format=custom", f"--file={part}"], url)
            part.chmod(0o600)
        part.replace(made)
    finally:
        part.unlink(missing_ok=True)
    return made


def take_keys(home: Path, folder: Path, *, backups: Path | None = None) -> Path:
    """A copy of the master key and of the data keys beside the data; the folder they lie in, which may be neither the
    data's own nor that of the copies of the data. Raises ``BackupError``."""
    _apart(folder, home)
    if backups is not None:
        _apart(folder, backups)
    if not (home / master.FILE).is_file():
        raise BackupError("backup_no_key", home / master.FILE)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = folder / master.FILE
    make_private(key)
    shutil.copyfile(home / master.FILE, key)
    if (home / KEYS).is_file():
        part = folder / f"{KEYS}.part"
        part.unlink(missing_ok=True)
        _copy(home / KEYS, part)
        part.replace(folder / KEYS)
    return folder


def prune(folder: Path, keep: int) -> list[Path]:
    """Remove all but the newest ``keep`` copies; those that went."""
    gone = taken(folder)[:-keep] if keep else []
    for each in gone:
        each.unlink()
    return gone


def taken(folder: Path) -> list[Path]:
    """The copies in a folder, the oldest first."""
    return sorted(path for kind in (_SQLITE, _POSTGRESQL) for path in folder.glob(f"{_NAMED}*{kind}"))


def time_of(path: Path) -> datetime | None:
    """When a copy was made (UTC), by its name; None of a file that is no copy."""
    try:
        return datetime.strptime(path.stem.removeprefix(_NAMED) + "+0000", f"{_WRITTEN}%z")
    except ValueError:
        return None


def restore(file: Path, home: Path, *, keys: Path | None = None, database: str | None = None) -> None:
    """Put a copy where nothing is kept yet, and with ``keys`` the keys too. Raises ``BackupError``; then nothing has
    been changed."""
    if not file.is_file():
        raise BackupError("backup_no_file", file)
    if keys is not None and not (keys / master.FILE).is_file():
        raise BackupError("backup_no_key", keys / master.FILE)
    if keys is not None and (home / master.FILE).exists():
        raise BackupError("backup_in_use", home / master.FILE)
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    if database is None:
        _restore_file(file, home / MAIN)
    else:
        _restore_dump(file, make_url(database), database)
    for name in (master.FILE, KEYS) if keys is not None else ():
        if (found := Path(keys or home, name)).is_file():
            make_private(home / name)
            shutil.copyfile(found, home / name)


def _restore_file(file: Path, target: Path) -> None:
    if target.exists():
        raise BackupError("backup_in_use", target)
    if not _is_ours(file):
        raise BackupError("backup_broken", file)
    part = target.with_suffix(".part")
    make_private(part)
    shutil.copyfile(file, part)
    part.replace(target)


def _restore_dump(file: Path, url: URL, database: str) -> None:
    engines = open_engines(database, size=1)
    try:
        with engines.reader.begin() as connection:
            if inspect(connection).has_table(VERSION_TABLES["main"]):
                raise BackupError("backup_in_use", url.render_as_string(hide_password=True))
    finally:
        engines.dispose()
    _run(
        "pg_restore",
        ["--no-owner", "--exit-on-error", "--single-transaction", f"--dbname={url.database}", str(file)],
        url,
    )


def _copy(source: Path, target: Path) -> None:
    """By SQLite's own online copy: one unmoving state, whoever writes meanwhile."""
    if not source.is_file():
        raise BackupError("backup_no_data", source)
    make_private(target)
    reading = sqlite3.connect(f"file:{source}?mode=ro", uri=True, timeout=30)
    with closing(reading), closing(sqlite3.connect(target)) as written:
        reading.backup(written)
        written.execute("PRAGMA journal_mode=DELETE")
        if written.execute("PRAGMA quick_check").fetchone() != ("ok",):
            raise BackupError("backup_broken", source)
    with target.open("rb") as copied:
        os.fsync(copied.fileno())


def _is_ours(file: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as opened:
            if opened.execute("PRAGMA quick_check").fetchone() != ("ok",):
                return False
            count: int = opened.execute(f"SELECT count(*) FROM {VERSION_TABLES['main']}").fetchone()[0]
            return count == 1
    except sqlite3.DatabaseError:
        return False


def _apart(folder: Path, other: Path) -> None:
    """Copies within what they are copies of are lost with it, and keys beside them would open them."""
    one, two = folder.resolve(), other.resolve()
    if one == two or one.is_relative_to(two):
        raise BackupError("backup_not_apart", folder)


def _run(program: str, arguments: Sequence[str], url: URL) -> None:
    """A program of PostgreSQL's own. Who looks at the list of processes sees no password."""
    given = {"PGHOST": url.host, "PGPORT": url.port, "PGUSER": url.username, "PGPASSWORD": url.password}
    given["PGDATABASE"] = url.database
    given["PGHOST"] = given["PGHOST"] or next(iter(_many(url.query.get("host"))), None)
    given["PGPORT"] = given["PGPORT"] or next(iter(_many(url.query.get("port"))), None)
    set_ = {name: str(value) for name, value in given.items() if value}
    try:
        ran = subprocess.run([program, *arguments], env=os.environ | set_, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise BackupError("backup_no_program", program) from None
    if ran.returncode:
        raise BackupError("backup_failed", ran.stderr.strip().splitlines()[-1][:300] if ran.stderr.strip() else program)


def _many(given: str | Sequence[str] | None) -> Sequence[str]:
    return (given,) if isinstance(given, str) else given or ()
