"""Files that were compressed when they were built, given out as whoever asks accepts them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

SUFFIXES: Mapping[str, str] = {"br": ".br", "gzip": ".gz"}
"""By the name of the coding, the smallest first."""


def accepted(header: str) -> tuple[str, ...]:
    """The codings of ours that an ``Accept-Encoding`` takes, the smallest first; one with ``q=0`` is refused."""
    taken: dict[str, bool] = {}
    for part in header.lower().split(","):
        name, _, rest = part.strip().partition(";")
        quality = rest.strip().removeprefix("q=").strip()
        try:
            taken[name.strip()] = not quality or float(quality) > 0
        except ValueError:
            taken[name.strip()] = False
    return tuple(name for name in SUFFIXES if taken.get(name, taken.get("*", False)))


def packed(file: Path, header: str) -> tuple[Path, str | None]:
    """The file to be sent for ``file``, and its coding; None as it is."""
    for name in accepted(header):
        other = file.with_name(file.name + SUFFIXES[name])
        if other.is_file():
            return other, name
    return file, None
