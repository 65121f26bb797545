"""How well danger was heard in beginnings of sessions, as people read it and as programs do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from heartrule.cli.evaluation_output import share
from heartrule.cli.words import Words
from heartrule.evals.figures import Count
from heartrule.evals.judge_figures import Report, Row

_FEW = 12
"""Ids of what went wrong that are told unasked."""


def shown(report: Report, words: Words, *, show: bool) -> Iterator[str]:
    yield words("judge_items", count=report.items)
    if "judge" in report.tiers:
        came = ", ".join(f"{words.of('extract_came', name)} {count}" for name, count in sorted(report.came.items()))
        yield words("judge_came", came=came or "–", unasked=report.unasked)
    if report.stale:
        yield words("extract_stale", count=len(report.stale), ids=" ".join(_few(report.stale, show)))
    if report.unanswered:
        yield words("judge_unanswered", count=report.unanswered)
    for label, rows in groupby(report.groups, lambda row: row.label):
        yield from _table(words.of("judge_groups", label), list(rows), words)
    if show:
        for label, rows in groupby(report.labels, lambda row: row.label):
            yield from _table(label, list(rows), words)
    yield ""
    told = {
        "judge_missed": report.missed,
        "judge_unheard": report.unheard,
        "judge_alarmed": report.alarmed,
        "judge_stopped": report.stopped,
    }
    for key, ids in told.items():
        yield words(key, count=len(ids), ids=" ".join(_few(ids, show)) or "–")


def _table(title: str, rows: Sequence[Row], words: Words) -> Iterator[str]:
    yield ""
    yield title
    for row in rows:
        yield words(
            "judge_row",
            lang=f"{row.locale or words('judge_all'):<6}",
            tier=words.of("judge_tiers", row.tier),
            heard=_share(row.heard),
            interrupted=_share(row.interrupted),
        )
        if (row.heard_by_then.count, row.interrupted_by_then.count) != (row.heard.count, row.interrupted.count):
            counts = {"heard": row.heard_by_then, "interrupted": row.interrupted_by_then}
            yield words("judge_by_then", **{key: f"{each.count}/{each.of}" for key, each in counts.items()})


def _few(ids: Sequence[str], show: bool) -> list[str]:
    return [*ids] if show or len(ids) <= _FEW else [*ids[:_FEW], "…"]


def _share(each: Count) -> str:
    return f"{share(each.share)} {each.count}/{each.of}"


def plain(report: Report) -> dict[str, Any]:
    """For JSON."""
    return {**asdict(report), "interval": "Wilson, 95 %"}
