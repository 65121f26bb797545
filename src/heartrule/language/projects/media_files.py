"""The pictures and recordings in a project's folder: which there are, and which of them may be shown."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import urlsplit

Kind = Literal["picture", "audio"]
Problem = Literal["", "missing", "type", "content", "size", "path", "kind"]


@dataclass(frozen=True, slots=True)
class Format:
    """``begins``: the bytes that such a file has at an offset."""

    kind: Kind
    mime: str
    begins: tuple[tuple[int, bytes], ...]


# No SVG, which can hold programs; no GIF, which may flash.
_JPEG = Format("picture", "image/jpeg", ((0, b"\xff\xd8\xff"),))
FORMATS: Mapping[str, Format] = {
    ".png": Format("picture", "image/png", ((0, b"\x89PNG\r\n\x1a\n"),)),
    ".jpg": _JPEG,
    ".jpeg": _JPEG,
    ".webp": Format("picture", "image/webp", ((8, b"WEBP"),)),
    ".mp3": Format("audio", "audio/mpeg", ((0, b"ID3"), (0, b"\xff\xfb"), (0, b"\xff\xf3"), (0, b"\xff\xf2"))),
    ".m4a": Format("audio", "audio/mp4", ((4, b"ftyp"),)),
    ".ogg": Format("audio", "audio/ogg", ((0, b"OggS"),)),
}
LARGEST: Mapping[Kind, int] = {"picture": 2_000_000, "audio": 20_000_000}
"""Bytes."""
MOST = 2_000
PROJECT_FILE = "project.yaml"
_HEAD = 16


@dataclass(frozen=True, slots=True)
class MediaFile:
    """``path`` is relative to its project's folder, with forward slashes. ``problem``: why it is not shown."""

    path: str
    place: Path
    format: Format
    problem: Problem = ""


def media_in(folder: Path) -> dict[str, MediaFile]:
    """The media files of a project's folder, by path. Nothing hidden, nothing behind a link, nothing of a project
    that lies in it."""
    found: dict[str, MediaFile] = {}
    for place in sorted(_belonging(folder)):
        if len(found) >= MOST:
            break
        path = place.relative_to(folder).as_posix()
        known = FORMATS[place.suffix.lower()]
        found[path] = MediaFile(path, place, known, _problem(place, known))
    return found


def _belonging(folder: Path) -> Iterator[Path]:
    for above, folders, names in os.walk(folder):
        here = Path(above)
        if here != folder and PROJECT_FILE in names:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            place = here / name
            if not name.startswith(".") and place.suffix.lower() in FORMATS and not place.is_symlink():
                yield place


def _problem(place: Path, known: Format) -> Problem:
    try:
        if place.stat().st_size > LARGEST[known.kind]:
            return "size"
        with place.open("rb") as opened:
            head = opened.read(_HEAD)
    except OSError:
        return "missing"
    return "" if any(head[at:].startswith(begins) for at, begins in known.begins) else "content"


def is_remote(source: str) -> bool:
    return "://" in source


def host_of(source: str) -> str | None:
    """The host of an https address that is no more than an address; None for anything else."""
    try:
        parts = urlsplit(source)
        plain = parts.username is None and parts.password is None and parts.port in (None, 443)
    except ValueError:
        return None
    known = PurePosixPath(parts.path).suffix.lower() in FORMATS or not PurePosixPath(parts.path).suffix
    return parts.hostname if parts.scheme == "https" and plain and known else None


def problem_of(source: str, kind: Kind, media: Mapping[str, MediaFile] | None) -> Problem:
    """What is wrong with a path as a script has it. ``media`` are the project's files; None: they are not known."""
    parts = source.split("/")
    if "\\" in source or source.startswith("/") or any(part in ("", ".", "..") or part[0] == "." for part in parts):
        return "path"
    known = FORMATS.get(PurePosixPath(source).suffix.lower())
    if known is None:
        return "type"
    if known.kind != kind:
        return "kind"
    if media is None:
        return ""
    file = media.get(source)
    return "missing" if file is None else file.problem
