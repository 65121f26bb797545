"""The figures of both sides beside each other, each with the limit we hold ourselves to and whether it is met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Figure:
    """``limit``: at most (``most``) or at least so much of ours; without one there is nothing to hold to."""

    name: str
    ours: float
    other: float | None = None
    unit: str = ""
    limit: float | None = None
    bound: Literal["most", "least"] = "most"
    digits: int = 0

    @property
    def kept(self) -> bool | None:
        if self.limit is None:
            return None
        return self.ours <= self.limit if self.bound == "most" else self.ours >= self.limit

    def said(self, value: float | None) -> str:
        return "–" if value is None else f"{value:,.{self.digits}f}{self.unit}"

    @property
    def judged(self) -> str:
        if self.limit is None:
            return ""
        sign = "≤" if self.bound == "most" else "≥"
        return f"{sign} {self.said(self.limit)}  {'ok' if self.kept else 'MISSED'}"


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    figures: Sequence[Figure]


def printed(sections: Sequence[Section], names: tuple[str, str]) -> Iterator[str]:
    width = max(len(figure.name) for section in sections for figure in section.figures) + 2
    yield f"{'':{width}}{names[0]:>14}{names[1]:>18}"
    for section in sections:
        yield section.title
        for each in section.figures:
            row = f"  {each.name:{width - 2}}{each.said(each.ours):>14}{each.said(each.other):>18}"
            yield f"{row}   {each.judged}".rstrip()


def missed(sections: Sequence[Section]) -> list[str]:
    return [figure.name for section in sections for figure in section.figures if figure.kept is False]
