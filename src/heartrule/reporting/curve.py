"""How a score went, drawn. The table beside it says the same in numbers, so that nobody needs the drawing."""

from __future__ import annotations

from html import escape

from heartrule.reporting.report import Course

WIDE, HIGH, EDGE = 320, 124, 10
LEFT, FLOOR = 34, 104
"""Where the numbers of the axis stand, and below which the dates do."""
LINE = 'fill="none" stroke="#2f6b4f" stroke-width="2"'
DOT = 'fill="#2f6b4f"'
BORDER = 'stroke="#c9c2b5" stroke-width="1"'
"""How it looks on paper, where no style reaches into a drawing; on a screen the style wins."""


LETTERS = 'font-size="10" fill="#6a6358"'


def drawn(course: Course, label: str, days: tuple[str, str] = ("", "")) -> str:
    """An SVG; empty for fewer than two points. Its axes say from what to what, and between which ``days``; where the
    score has bands, their borders are lines with their names. Points stand as far apart as their days."""
    points = course.points
    if len(points) < 2:
        return ""
    least, most = course.limits or (0, 1)
    low = min(least, *(point.value for point in points), *(each.low for each in course.ranges))
    high = max(most, *(point.value for point in points), *(each.high for each in course.ranges))
    first, last = points[0].at.timestamp(), points[-1].at.timestamp()

    def across(at: float, index: int) -> float:
        share = (at - first) / (last - first) if last > first else index / (len(points) - 1)
        return LEFT + share * (WIDE - LEFT - EDGE)

    def up(value: float) -> float:
        return FLOOR - (value - low) / (high - low) * (FLOOR - EDGE)

    places = [(across(point.at.timestamp(), index), up(point.value)) for index, point in enumerate(points)]
    borders = [_border(up(each.low), each.label) for each in course.ranges]
    axes = (
        f'<line x1="{LEFT}" x2="{LEFT}" y1="{EDGE}" y2="{FLOOR}" {BORDER}></line>'
        f'<line x1="{LEFT}" x2="{WIDE - EDGE}" y1="{FLOOR}" y2="{FLOOR}" {BORDER}></line>'
        f'<text x="{LEFT - 5}" y="{EDGE + 4}" text-anchor="end" {LETTERS}>{high:g}</text>'
        f'<text x="{LEFT - 5}" y="{FLOOR + 4}" text-anchor="end" {LETTERS}>{low:g}</text>'
        f'<text x="{LEFT}" y="{HIGH - 4}" {LETTERS}>{escape(days[0])}</text>'
        f'<text x="{WIDE - EDGE}" y="{HIGH - 4}" text-anchor="end" {LETTERS}>{escape(days[1])}</text>'
    )
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" {DOT}></circle>' for x, y in places)
    return (
        f'<svg viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{escape(label)}">'
        f'{axes}{"".join(borders)}<polyline points="{line}" {LINE}></polyline>{dots}</svg>'
    )


def _border(height: float, name: str) -> str:
    """Where a band begins, and what it is called."""
    return (
        f'<line x1="{LEFT}" x2="{WIDE - EDGE}" y1="{height:.1f}" y2="{height:.1f}" {BORDER}></line>'
        f'<text x="{WIDE - EDGE}" y="{height - 2:.1f}" text-anchor="end" {LETTERS}>{escape(name)}</text>'
    )
