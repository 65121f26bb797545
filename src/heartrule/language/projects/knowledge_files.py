"""The files of a project that it, or a session of it, names as ``knowledge``: texts that prompts are told from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Literal

from heartrule.language.nodes import Project, Session
from heartrule.locales import is_chinese

Problem = Literal["", "missing", "type", "path", "size"]
TYPES = frozenset({".md", ".txt"})
LARGEST = 200_000
"""Bytes of a file."""
_ROOM, _WIDER = 3_000, 3
_ELSEWHERE = ("prompts", "tests")
_PROJECT_FILE = "project.yaml"


@dataclass(frozen=True, slots=True)
class Document:
    """``path`` is relative to its project's folder, with forward slashes. ``problem``: why it is not used."""

    path: str
    text: str = field(repr=False)
    problem: Problem = ""


def room(locale: str) -> int:
    """Characters that a prompt holds of all of them; English needs three times as many for the same."""
    return _ROOM if is_chinese(locale) else _ROOM * _WIDER


def is_document(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in TYPES


def named(project: Project, sessions: Iterable[Session]) -> list[str]:
    """Every path that is named, once: the project's own first."""
    return list(dict.fromkeys([*project.knowledge, *(path for session in sessions for path in session.knowledge)]))


def problem_of(path: str) -> Problem:
    """What is wrong with a path as it is written, whatever files there are."""
    parts = path.split("/")
    if "\\" in path or parts[0] in _ELSEWHERE or any(part in ("", ".", "..") or part[0] == "." for part in parts):
        return "path"
    return "" if is_document(path) else "type"


def place_of(folder: Path, path: str) -> Path | None:
    """Where the file lies; None where there is none that belongs to the project: nothing behind a link, nothing of a
    project that lies in it."""
    if problem_of(path):
        return None
    place = folder / path
    between = [each for each in place.parents if each != folder and folder in each.parents]
    try:
        apart = any(each.is_symlink() or (each / _PROJECT_FILE).exists() for each in between)
        return None if apart or place.is_symlink() or not place.is_file() else place
    except (OSError, ValueError):
        return None
