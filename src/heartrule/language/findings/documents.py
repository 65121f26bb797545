"""Diagnostics are documents: one file a code in ``diagnostics/``, with its texts, a failing and a mended example."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from heartrule.language.bilingual import Bilingual
from heartrule.language.texts.plain import read_yaml

_FOLDER = Path(__file__).parent / "diagnostics"
_DOCUMENT = re.compile(r"\A---\n(?P<head>.*?)\n---\n(?P<body>.*)\Z", re.DOTALL)
_FENCE = re.compile(r"^```yaml(?: (?P<file>\S+))?\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Example:
    """Files by name. The first one is the file that is looked at."""

    files: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One kind of finding. In the failing example a comment ``# ← CODE`` marks the line where it must be found."""

    code: str
    name: str
    severity: Literal["error", "warning"]
    message: Bilingual
    mend: Bilingual
    failing: Example
    mended: Example


@cache
def diagnostic(code: str) -> Diagnostic:
    """The document of ``code``. Raises ``LookupError`` for a code that has none."""
    path = _paths().get(code) or _elsewhere(code)
    if path is None:
        raise LookupError(f"no diagnostic {code}")
    match = _DOCUMENT.match(path.read_text(encoding="utf-8"))
    if match is None:
        raise LookupError(f"{path.name} has no front matter")
    head = read_yaml(match["head"])
    failing, _, mended = match["body"].partition("\n## Mended\n")
    return Diagnostic(
        code=code,
        name=path.stem.partition("-")[2],
        severity="error" if code.startswith("E") else "warning",
        message=Bilingual(head["message"]["zh"], head["message"]["en"]),
        mend=Bilingual(head["mend"]["zh"], head["mend"]["en"]),
        failing=_example(failing),
        mended=_example(mended),
    )


def codes() -> list[str]:
    """Every code there is, in order."""
    return sorted(_paths(), key=lambda code: code[1:])


def announce(folder: Path) -> None:
    """Documents of another room, about files that are no scripts, are found by their codes too."""
    _ROOMS[folder] = None


_ROOMS: dict[Path, None] = {}


def _elsewhere(code: str) -> Path | None:
    return next((path for folder in _ROOMS for path in folder.glob(f"{code}-*.md")), None)


@cache
def _paths() -> dict[str, Path]:
    return {path.name.partition("-")[0]: path for path in _FOLDER.glob("[EW]*.md")}


def _example(body: str) -> Example:
    return Example(tuple((match["file"] or "script.yaml", match["text"]) for match in _FENCE.finditer(body)))
