"""Utterances labelled for risk: a JSON object a line, ``text``, ``risk`` and, where there are finer kinds, ``sub``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from heartrule.evals.labelled_files import BadFile

RISKS = ("self_harm", "exploration", "aggression", "none")
"""``exploration`` is talk about suicide, ``aggression`` harm to or by others, ``none`` nothing of all this."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """``id`` is the row's own, else its line in the file."""

    id: str
    text: str = field(repr=False)
    risk: str
    sub: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The finest there are."""
        return self.sub or (self.risk,)


def load_utterances(path: Path, part: tuple[int, int] = (0, 1)) -> list[Utterance]:
    """Every ``part[1]``-th row beginning with row ``part[0]`` (the first is 0). Raises ``BadFile``."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise BadFile("unread", path=path) from None
    rows = parsed(text)[part[0] :: part[1]]
    if not rows:
        raise BadFile("empty", path=path)
    return rows


def parsed(text: str) -> list[Utterance]:
    """The rows of a file's text, none where it has none. Raises ``BadFile``."""
    return list(_rows(text.removeprefix("\ufeff")))


def benign(path: Path) -> list[Utterance]:
    """Messages without danger: those labelled ``none`` of a JSON Lines file, or every line of any other. The id is the
    file's name and the line. Raises ``BadFile``."""
    if path.suffix.lower() in (".jsonl", ".json"):
        found = [row for row in load_utterances(path) if row.risk == "none"]
    else:
        try:
            lines = path.read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError):
            raise BadFile("unread", path=path) from None
        found = [Utterance(str(number), text.strip(), "none") for number, text in enumerate(lines, 1) if text.strip()]
    if not found:
        raise BadFile("empty", path=path)
    return [replace(row, id=f"{path.name}:{row.id}") for row in found]


def _rows(text: str) -> Iterator[Utterance]:
    for line, written in enumerate(text.split("\n"), 1):
        if not written.strip():
            continue
        try:
            row = json.loads(written)
        except ValueError:
            raise BadFile("not_json", line) from None
        if not isinstance(row, dict):
            raise BadFile("not_json", line)
        yield _utterance(row, line)


def _utterance(row: Mapping[str, Any], line: int) -> Utterance:
    text, risk, sub = row.get("text"), row.get("risk"), row.get("sub", [])
    if not isinstance(text, str) or not text.strip():
        raise BadFile("no_text", line, column="text", columns=", ".join(map(str, row)))
    if risk not in RISKS:
        raise BadFile("no_risk", line, known=", ".join(RISKS))
    if not isinstance(sub, list) or not all(isinstance(each, str) for each in sub):
        raise BadFile("no_sub", line)
    named = row.get("id")
    return Utterance(str(named if named is not None else line), text, str(risk), tuple(sub))
