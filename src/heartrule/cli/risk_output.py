"""How well risk was heard, as people read it and as programs do."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from heartrule.cli import safe_text
from heartrule.cli.evaluation_output import share
from heartrule.cli.words import Words
from heartrule.evals.risk_figures import DrawnSessions, Interruptions, LabelCount, Report, UtteranceResult

_WIDTH = 22
_POOLED = {"active": "risk_pooled_active", "passive": "risk_pooled_passive", "self_harm": "risk_pooled_self_harm"}


def shown(report: Report, heard: Sequence[UtteranceResult], words: Words, *, show: bool) -> Iterator[str]:
    yield words("risk_messages", messages=report.messages, labels=len(report.labels))
    yield words("risk_head")
    yield from (_line(each) for each in report.labels)
    yield ""
    for each in report.pooled:
        yield words(_POOLED[each.label], recall=share(each.recall), of=each.all)
    yield words("risk_precision", precision=share(report.precision), f1=share(report.f1))
    yield words("risk_false_alarms", share=share(report.false_alarms), of=report.interruptions.messages)
    yield words("risk_interruptions", **_interruptions(report.interruptions))
    yield words("risk_latency", p50=f"{report.p50 * 1000:.2f}", p95=f"{report.p95 * 1000:.2f}")
    if report.unanswered:
        yield words("risk_unanswered", count=report.unanswered)
    if not show:
        yield words("risk_missed", count=len(report.missed), ids=" ".join(each.row.id for each in report.missed) or "–")
        return
    yield words("risk_missed", count=len(report.missed), ids="")
    yield from (f"  {each.row.id}: {_text(each)}" for each in report.missed)
    wrong = [each for each in heard if each.row.risk == "none" and each.alarm]
    yield words("risk_wrong", count=len(wrong))
    yield from (f"  {each.row.id}: {each.found} ({each.reason}) {_text(each)}" for each in wrong)


def _text(heard: UtteranceResult) -> str:
    return safe_text.shown(" ".join(heard.row.text.split()))


def _line(each: LabelCount) -> str:
    return f"{each.label:<{_WIDTH}}{each.explicit:>9}{each.watch:>7}{each.none:>7}  {share(each.recall)}"


def _interruptions(found: Interruptions) -> dict[str, object]:
    return {
        "explicit": found.explicit,
        "messages": found.messages,
        "share": share(found.share, 2),
        "sessions": share(found.sessions),
    }


def plain(report: Report, heard: Sequence[UtteranceResult], *, show: bool) -> dict[str, Any]:
    """For JSON. What was missed by its id, with its text where that is wanted."""
    told = asdict(report)
    told["missed"] = [_one(each, show) for each in report.missed]
    told["false_alarms_on"] = [_one(each, show) for each in heard if each.row.risk == "none" and each.alarm]
    return {**told, "interval": "Wilson, 95 %"}


def _one(each: UtteranceResult, show: bool) -> dict[str, str]:
    told = {"id": each.row.id, "found": each.found, "reason": each.reason, "about": each.about}
    return {**told, "text": each.row.text} if show else told


def interrupted(
    found: Interruptions,
    watched: int,
    lots: DrawnSessions,
    wrong: Sequence[tuple[str, UtteranceResult]],
    words: Words,
    *,
    form: str,
    show: bool,
) -> Iterator[str]:
    """What interrupts words without danger. ``wrong``: the script that would, and what it found."""
    if form == "json":
        told = {**asdict(found), "watch": watched, "drawn": asdict(lots), "interval": "Wilson, 95 %"}
        told["explicit_on"] = [{"script": ref, **_one(each, show)} for ref, each in wrong]
        yield json.dumps(told, ensure_ascii=False, indent=2)
        return
    yield words("risk_interruptions", **_interruptions(found))
    yield words("risk_watched", count=watched, of=found.messages)
    yield words(
        "risk_drawn",
        sessions=lots.sessions,
        seed=lots.seed,
        interrupted=share(lots.interrupted),
        asked=share(lots.asked),
    )
    for ref, each in wrong:
        yield f"  {each.row.id}: {ref} ({each.reason})" + (f" {_text(each)}" if show else "")
