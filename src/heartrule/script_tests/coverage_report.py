"""Coverage for the terminal and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from heartrule.script_tests.coverage import Item
from heartrule.script_tests.coverage_words import CoverageWords, Language, percent
from heartrule.script_tests.tally import Count, Tally, count

SHOWN = 40
"""Missed items that are named in a terminal."""


def lines(tally: Tally, language: Language, shown: int = SHOWN) -> Iterator[str]:
    """Totals, and what was missed with its place, in the order of the scripts."""
    words = CoverageWords(language)
    yield f"{words('title')}: {words.counted(tally.whole)}"
    for kind, each in tally.kinds.items():
        yield f"  {words.kind(kind)}: {words.counted(each)}"
    if tally.sessions or tally.others:
        yield words("by_sessions", sessions=tally.sessions)
    if tally.others:
        yield words("others", others=tally.others)
    for item in tally.missed[:shown]:
        yield f"  {place(item)}: {words.named(item)} {item.owner}"
    if len(tally.missed) > shown:
        yield words("more", more=len(tally.missed) - shown)


def too_little(tally: Tally, least: float, language: Language) -> str | None:
    """What is said when less than ``least`` percent were reached; None when it is enough."""
    if tally.enough(least):
        return None
    return CoverageWords(language)("too_little", share=percent(tally.whole.share), least=percent(least))


def place(item: Item) -> str:
    """Where to look: project, file and line."""
    return f"{item.project}/{item.place.file}:{item.place.line}"


def plain(tally: Tally) -> dict[str, Any]:
    """As JSON."""
    beside = count(tally.beside, tally.reached)
    return {
        **_plain(tally.whole),
        "kinds": {kind: _plain(each) for kind, each in tally.kinds.items()},
        "tests": tally.tests,
        "sessions": tally.sessions,
        "other_versions": tally.others,
        "safety_apart": _plain(beside),
        "missed": [
            {"kind": item.kind, "id": item.id, "project": item.project, "file": item.place.file,
             "line": item.place.line}
            for item in tally.missed
        ],
    }  # fmt: skip


def _plain(each: Count) -> dict[str, Any]:
    return {"reached": each.reached, "total": each.total, "percent": round(each.share, 2)}
