"""What tests came to, for programs: every one that was chosen, in the order in which they are written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from heartrule.script_tests.case_run import RanCase, Took
from heartrule.script_tests.parallel_runs import CaseResult
from heartrule.script_tests.report_text import ReportTexts, filled_in, form_awaited
from heartrule.script_tests.suite import Job, Unrun

LIVE = "live"
"""Why a test was not held that wants a live model."""


def results(
    held: Sequence[CaseResult], left: Sequence[Job], unrun: Sequence[Unrun], told: ReportTexts
) -> list[dict[str, Any]]:
    """``left``: tests for which there is no live model; ``unrun``: those that could not be run. Of these ``skipped``
    says why, and ``passed`` is null."""
    found = [*map(plain, held), *(_left(job, told) for job in left), *(_unrun(each, told) for each in unrun)]
    files = {file: number for number, file in enumerate(dict.fromkeys(str(each["file"]) for each in found))}
    return sorted(found, key=lambda each: (files[each["file"]], each["line"]))


def plain(held: CaseResult) -> dict[str, Any]:
    """One test that was held."""
    case, ran = held.job.case, held.shown
    return {
        **_what(held.job.file, case.place.line, case.test, case.group, held.job.reference),
        "passed": held.passed,
        "skipped": None,
        "runs": len(held.runs),
        "passes": held.passes,
        "seconds": round(held.seconds, 3),
        "fault": None if ran.fault is None else {"code": ran.fault[0], "about": ran.fault[1]},
        "failed": [line for number, each in enumerate(held.runs, 1) for line in _failed(each, number)],
        "notes": [{"code": code, "about": about} for code, about in ran.notes],
        "calls": ran.calls,
        "transcript": [line for took in ran.took for line in _transcript(took)],
    }


def _failed(ran: RanCase, run: int) -> list[dict[str, Any]]:
    return [
        {"kind": o.kind, "wanted": o.wanted, "got": o.got, "turn": o.turn, "line": o.place.line, "run": run}
        for o in ran.outcomes
        if not o.held
    ]


def _transcript(took: Took) -> Iterator[dict[str, Any]]:
    """What was said, and what a form was given and has against it."""
    said = [(m.sender, m.text) for m in took.messages]
    lines = [("person", filled_in(took)), *said, ("form", form_awaited(took))]
    yield from ({"turn": took.number, "sender": sender, "text": text} for sender, text in lines if text)


def _left(job: Job, told: ReportTexts) -> dict[str, Any]:
    case = job.case
    what = _what(job.file, case.place.line, case.test, case.group, job.reference)
    return {**what, **_skipped(LIVE, told("wants_live"))}


def _unrun(unrun: Unrun, told: ReportTexts) -> dict[str, Any]:
    first = unrun.findings[0]
    what = _what(unrun.file, unrun.line, unrun.name or None, unrun.group or None, None)
    return {**what, **_skipped(first.code, first.message.localized(told.lang))}


def _what(file: str, line: int, test: str | None, group: str | None, script: str | None) -> dict[str, Any]:
    return {"file": file, "line": line, "test": test, "group": group, "script": script}


def _skipped(code: str, reason: str) -> dict[str, Any]:
    return {
        "passed": None,
        "skipped": {"code": code, "reason": reason},
        "runs": 0,
        "passes": 0,
        "seconds": 0.0,
        "fault": None,
        "failed": [],
        "notes": [],
        "calls": 0,
        "transcript": [],
    }
