"""Versions of a project as commits of a folder, and the other way round, by the ``git`` that is installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from heartrule.authoring.project_map import TESTS
from heartrule.language.projects.places import PACKAGE_FILE
from heartrule.language.projects.project import RISK_FILE, belongs
from heartrule.language.projects.requirements import LOCK
from heartrule.workbench.workbench import BadPath, check

MOST = 2_000
"""Commits that are read."""
SECONDS = 60.0


class NoGit(Exception):
    """There is no ``git`` here, or it refused; the text says what it said."""


@dataclass(frozen=True, slots=True)
class Commit:
    author: str
    at: datetime
    note: str
    texts: Mapping[str, str] = field(repr=False)


def is_there() -> bool:
    return shutil.which("git") is not None


def holds_history(folder: Path) -> bool:
    """Whether a folder is kept by git."""
    return is_there() and _try(folder, "rev-parse", "--is-inside-work-tree") == "true"


def commits(folder: Path) -> Iterator[Commit]:
    """The commits that touched a folder, the oldest first, each with its files as they were then."""
    told = _run(folder, "log", "--reverse", f"--max-count={MOST}", "--format=%H%x1f%an%x1f%aI%x1f%B%x1e", "--", ".")
    for each in told.split("\x1e"):
        if not each.strip():
            continue
        commit, author, at, note = each.strip("\n").split("\x1f", 3)
        texts = dict(_files(folder, commit))
        try:
            check(texts)
        except BadPath:
            continue
        yield Commit(author, datetime.fromisoformat(at), note.strip(), texts)


def commit(folder: Path, one: Commit) -> None:
    """The folder as in one version, as a commit of its own; the repository is made where there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / ".git").exists():
        _run(folder, "init", "--quiet")
    write(folder, one.texts)
    _run(folder, "add", "--all", ".")
    who = one.author.replace("<", "").replace(">", "").strip() or "author"
    _run(
        folder,
        "-c",
        f"user.name={who}",
        "-c",
        "user.email=",
        "-c",
        "commit.gpgsign=false",
        "commit",
        "--quiet",
        "--allow-empty",
        "--allow-empty-message",
        "--no-verify",
        f"--date={one.at.isoformat()}",
        f"--author={who} <>",
        f"--message={one.note}",
    )


def write(folder: Path, texts: Mapping[str, str]) -> None:
    """The files of a project into a folder; scripts of it that are no longer there go."""
    check(texts)
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).as_posix()
        if path.is_file() and not path.is_symlink() and is_ours(inside) and inside not in texts:
            path.unlink()
    for inside, text in texts.items():
        path = folder / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.resolve().is_relative_to(folder.resolve()):
            raise BadPath(inside)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))


def is_ours(path: str) -> bool:
    """Whether a file is part of a project of scripts: its scripts and prompts, what they are told from, its tests,
    and what it requires."""
    return (
        belongs(path)
        or path in (PACKAGE_FILE, LOCK)
        or (path.endswith((*TESTS, RISK_FILE)) and not any(part.startswith(".") for part in path.split("/")))
    )


def _files(folder: Path, commit: str) -> Iterator[tuple[str, str]]:
    for name in _run(folder, "ls-tree", "-r", "-z", "--name-only", commit, "--", ".").split("\0"):
        if name and is_ours(name):
            yield name, _run(folder, "show", f"{commit}:./{name}", strip=False)


def _try(folder: Path, *arguments: str) -> str:
    try:
        return _run(folder, *arguments)
    except NoGit:
        return ""


def _run(folder: Path, *arguments: str, strip: bool = True) -> str:
    if not is_there():
        raise NoGit("git")
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, timeout=SECONDS, check=True)
    except (subprocess.SubprocessError, OSError) as error:
        said = getattr(error, "stderr", b"") or b""
        raise NoGit(said.decode("utf-8", "replace").strip() or str(error)) from None
    text = done.stdout.decode("utf-8", "replace")
    return text.strip() if strip else text
