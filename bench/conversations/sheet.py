"""Visitors' sheets, and the sums that prove which they were when they were played."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

import yaml
from bench.conversations.spool import written

FOLDER = Path(__file__).parent
SHEETS = FOLDER / "sheets"
SUMS = SHEETS / "SHA256SUMS"
SEALED = ("sheets/*.md", "playing/*.md", "plain/*.txt", "judging/*.md")
"""What may not change once a round has begun: who is played, how, against what, and what judges are asked."""
Locale = Literal["zh-CN", "en"]


class Unsealed(Exception):
    """A sheet is not the one of which the sum was written down."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """``kind`` is the conversation it is for (``first`` assessment or ``abc``), ``manner`` what the visitor is like;
    ``text`` is all that whoever plays them reads; ``zone`` is the time zone of their browser (IANA), ``today`` the
    day on which they write, where told: what a sheet says of a wedding in seven weeks has to fit the day."""

    name: str
    kind: Literal["first", "abc"]
    locale: Locale
    manner: str
    text: str
    sum: str
    zone: str = ""
    today: date | None = None

    @property
    def script(self) -> str:
        """The conversation of ours that it is played against, in the sheet's language."""
        return "cbt/first_assessment" if self.kind == "first" else "cbt/abc_intro"

    @property
    def prompt(self) -> str:
        """The plain prompt that it is played against."""
        return f"{self.locale[:2]}_{'assessment' if self.kind == 'first' else 'abc'}"

    @property
    def playing(self) -> str:
        """How to play any visitor."""
        return (FOLDER / "playing" / f"{self.locale}.md").read_text(encoding="utf-8")


def sheet(named: str) -> Sheet:
    """By the name of one of ours, which must be sealed, or by the path of another. Where sums lie beside it, it must be
    as they say."""
    file = Path(named)
    if not file.is_file():
        file = SHEETS / f"{named.removesuffix('.md')}.md"
        if not file.is_file():
            raise FileNotFoundError(f"there is no sheet {named}; ours are: {', '.join(names())}")
    beside = file.resolve().parent / SUMS.name
    if beside.is_file() and sums(beside).get(f"{beside.parent.name}/{file.name}") != sum_of(file):
        raise Unsealed(f"{file.name} is not as it was sealed; write the sums anew before a round, never within one")
    _, head, text = file.read_text(encoding="utf-8").split("---\n", 2)
    told = yaml.safe_load(head)
    return Sheet(
        name=file.stem,
        kind=told["kind"],
        locale=told["locale"],
        manner=told["manner"],
        text=text.strip(),
        sum=sum_of(file),
        zone=told.get("zone", ""),
        today=told.get("today"),
    )


def names() -> list[str]:
    return sorted(path.stem for path in SHEETS.glob("*.md"))


def seal() -> str:
    """Writes the sums of everything that is sealed. Returns the sum of the sums, to be published before the round."""
    lines = [f"{sum_of(path)}  {path.relative_to(FOLDER)}\n" for path in sealed()]
    written(SUMS, "".join(lines))
    return sum_of(SUMS)


def sealed() -> Iterator[Path]:
    for pattern in SEALED:
        yield from sorted(FOLDER.glob(pattern))


def sums(file: Path | None = None) -> dict[str, str]:
    """Of a file of sums, by default ours."""
    file = file or SUMS
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return {name: found for found, name in (line.split("  ", 1) for line in lines)}


def sum_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
