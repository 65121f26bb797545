"""How well values were taken from what was said, as people read it and as programs do."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from heartrule.cli import safe_text
from heartrule.cli.evaluation_output import share
from heartrule.cli.words import Words
from heartrule.evals.extraction_figures import KindCount, Report, VariableOutcome

_WIDTH = 16
_ORDER = {"invented": "extract_invented", "wrong": "extract_wrong", "missed": "extract_missed"}
"""The worst first."""


def shown(report: Report, words: Words, *, show: bool) -> Iterator[str]:
    yield words("extract_success", share=share(report.success), count=report.successes, of=report.items)
    names = {name: words.of("extract_came", name) for name in report.came}
    came = ", ".join(f"{names[name]} {count}" for name, count in sorted(report.came.items()))
    yield words("extract_attempts", came=came)
    if report.stale:
        yield words("extract_stale", count=len(report.stale), ids=" ".join(report.stale))
    yield words("extract_head")
    yield _line(words("extract_all"), report.values)
    for title, group in (
        ("extract_types", report.types),
        ("extract_empty", report.empty),
        ("extract_strategies", report.strategies),
    ):
        if group:
            yield words(title)
            yield from (_line(words.of("extract_why", each.label), each) for each in group)
    yield words("extract_tags")
    yield "  " + ", ".join(f"{each.tag} {each.success.value:.0%}/{each.items}" for each in report.tags)
    for verdict, text in _ORDER.items():
        found = [each for each in report.faults if each.verdict == verdict]
        ids = "" if show else " ".join(f"{each.id}.{each.name}" for each in found) or "–"
        yield words(text, count=len(found), ids=ids)
        if show:
            yield from (_fault(each) for each in found)


def _line(label: str, each: KindCount) -> str:
    wide = _WIDTH - sum(ord(character) > 0x2E80 for character in label)
    return f"  {label:<{wide}}{each.right:>6}{each.wrong:>7}{each.missed:>8}{each.invented:>10}  {share(each.share)}"


def _fault(each: VariableOutcome) -> str:
    gold, held = (safe_text.shown(json.dumps(value, ensure_ascii=False)) for value in (each.gold, each.held))
    how = f" ({each.strategy})" if each.strategy else ""
    return f"  {each.id}.{each.name}: {gold} ← {held}{how}"


def plain(report: Report, *, show: bool) -> dict[str, Any]:
    """For JSON. What is not right by its id and name, with the values where they are wanted."""
    told = asdict(report)
    told["faults"] = [_one(each, show=show) for each in report.faults]
    return {**told, "interval": "Wilson, 95 %"}


def _one(each: VariableOutcome, *, show: bool) -> Mapping[str, Any]:
    told = asdict(each)
    return told if show else {key: value for key, value in told.items() if key not in ("gold", "held")}
