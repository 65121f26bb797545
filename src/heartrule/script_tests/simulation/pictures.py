"""Charts as inline SVG, each with a title and a text that says the same. Rows stand below one another, so that a phone
shows them as large as a desktop does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from heartrule.script_tests.simulation.element import Markup, tag

WIDTH = 360
_ROW = 44
_BAR = 14


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a stacked bar: its share of the whole, the name of its colour, and its words."""

    share: float
    colour: str
    words: str


@dataclass(frozen=True, slots=True)
class Row:
    """``label`` stands above the bar, ``words`` at its right end. ``muted``: drawn faintly."""

    label: str
    words: str
    parts: tuple[Part, ...] = ()
    muted: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """A range with its middle, on the scale of all of them."""

    label: str
    words: str
    least: float
    middle: float
    most: float


def bars(ident: str, title: str, rows: Sequence[Row]) -> Markup:
    """Horizontal bars, each divided by its parts."""
    drawn = []
    for number, row in enumerate(rows):
        top = number * _ROW
        drawn += _words(row.label, row.words, top)
        drawn.append(tag("rect", x=0, y=top + 22, width=WIDTH, height=_BAR, rx=4, fill="var(--line)"))
        x = 0.0
        for part in row.parts:
            width = part.share * WIDTH
            colour = "var(--faint)" if row.muted else f"var(--{part.colour})"
            if width > 0:
                shape = tag(
                    "rect", tag("title", part.words), x=x, y=top + 22, width=width, height=_BAR, rx=4, fill=colour
                )
                drawn.append(shape)
            x += width
    said = [f"{row.label}: {'; '.join(part.words for part in row.parts) or row.words}" for row in rows]
    return _picture(ident, title, ". ".join(said), len(rows) * _ROW, drawn)


def spans(ident: str, title: str, rows: Sequence[Span], most: float) -> Markup:
    """For each, a line from least to most and a dot at the middle, on a scale that ends with ``most``."""
    most = most or 1
    drawn = []
    for number, row in enumerate(rows):
        top = number * _ROW
        left, dot, right = (6 + each / most * (WIDTH - 12) for each in (row.least, row.middle, row.most))
        y = top + 29
        drawn += _words(row.label, row.words, top)
        drawn.append(tag("line", x1=0, x2=WIDTH, y1=y, y2=y, stroke="var(--line)", stroke_width=2))
        drawn.append(
            tag("line", x1=left, x2=right, y1=y, y2=y, stroke="var(--bar)", stroke_width=5, stroke_linecap="round")
        )
        drawn.append(tag("circle", cx=dot, cy=y, r=6, fill="var(--bar)", stroke="var(--card)", stroke_width=2))
    return _picture(ident, title, ". ".join(f"{row.label}: {row.words}" for row in rows), len(rows) * _ROW, drawn)


def _picture(ident: str, title: str, words: str, height: int, drawn: Sequence[Markup]) -> Markup:
    return tag(
        "svg",
        tag("title", title, id=f"{ident}-title"),
        tag("desc", words, id=f"{ident}-desc"),
        drawn,
        viewBox=f"0 0 {WIDTH} {max(height, _ROW)}",
        role="img",
        aria_labelledby=f"{ident}-title {ident}-desc",
    )


def _words(label: str, words: str, top: int) -> list[Markup]:
    room = WIDTH - _wide(words) - 12
    return [
        tag("text", _cut(label, room), x=0, y=top + 15),
        tag("text", words, x=WIDTH, y=top + 15, text_anchor="end", class_="soft"),
    ]


def _wide(text: str) -> float:
    """About how many units of the picture a text takes at 13 px."""
    return sum(13 if east_asian_width(each) in "WF" else 7 for each in text)


def _cut(text: str, room: float) -> str:
    if _wide(text) <= room:
        return text
    while text and _wide(text) > room - 13:
        text = text[:-1]
    return f"{text}…"
