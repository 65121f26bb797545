"""How a score went, drawn. The table beside it says the same in numbers, so that nobody needs the drawing."""

from __future__ import annotations

from html import escape

from heartrule.reporting.report import Course

WIDE, HIGH, EDGE = 320, 96, 10
LINE = 'fill="none" stroke="#2f6b4f" stroke-width="2"'
DOT = 'fill="#2f6b4f"'
BORDER = 'stroke="#c9c2b5" stroke-width="1"'
"""How it looks on paper, where no style reaches into a drawing; on a screen the style wins."""


def drawn(course: Course, label: str) -> str:
    """An SVG without words in it; empty for fewer than two. Where the score has bands, their borders are lines. Points
    stand as far apart as their days."""
    points = course.points
    if len(points) < 2:
        return ""
    low = min(0, *(point.value for point in points), *(each.low for each in course.ranges))
    high = max(1, *(point.value for point in points), *(each.high for each in course.ranges))
    first, last = points[0].at.timestamp(), points[-1].at.timestamp()

    def across(at: float, index: int) -> float:
        share = (at - first) / (last - first) if last > first else index / (len(points) - 1)
        return EDGE + share * (WIDE - 2 * EDGE)

    def up(value: float) -> float:
        return HIGH - EDGE - (value - low) / (high - low) * (HIGH - 2 * EDGE)

    places = [(across(point.at.timestamp(), index), up(point.value)) for index, point in enumerate(points)]
    borders = [f'<line x1="{EDGE}" x2="{WIDE - EDGE}" y1="{up(each.low):.1f}" y2="{up(each.low):.1f}" {BORDER}></line>'
               for each in course.ranges]  # fmt: skip
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" {DOT}></circle>' for x, y in places)
    return (
        f'<svg viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{escape(label)}">'
        f'{"".join(borders)}<polyline points="{line}" {LINE}></polyline>{dots}</svg>'
    )
