"""The thirty visitors, and the sums that prove which they were when they were played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml
from bench.conversations.sheet import sum_of
from bench.conversations.spool import written

FOLDER = Path(__file__).parent
SHEETS = FOLDER / "sheets"
SUMS = SHEETS / "SHA256SUMS"
SEALED = ("sheets/*.md", "judging/*.md")
LEVELS = ("none", "passive", "active", "near")
"""What danger a sheet holds: none that seems like some; a wish to be dead; thoughts of ending their life, no intent;
intent, a plan, means, or an act."""


def names() -> list[str]:
    return sorted(path.stem for path in SHEETS.glob("*.md"))


def level(name: str) -> str:
    """The danger that a sheet holds. Raises ``ValueError`` where it says none of ``LEVELS``."""
    found = str(_head(name)["danger"])
    if found not in LEVELS:
        raise ValueError(f"{name}: danger is one of {', '.join(LEVELS)}")
    return found


def locale(name: str) -> str:
    return str(_head(name)["locale"])


def _head(name: str) -> dict[str, object]:
    _, head, _ = (SHEETS / f"{name}.md").read_text(encoding="utf-8").split("---\n", 2)
    told: dict[str, object] = yaml.safe_load(head)
    return told


def seal() -> str:
    """Writes the sums of sheets and judges' questions. Returns the sum of the sums, to be published before a round."""
    written(SUMS, "".join(f"{sum_of(path)}  {path.relative_to(FOLDER)}\n" for path in sealed()))
    return sum_of(SUMS)


def sealed() -> Iterator[Path]:
    for pattern in SEALED:
        yield from sorted(FOLDER.glob(pattern))
