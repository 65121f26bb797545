"""Results in JUnit's XML, which every build server reads: a suite for each file, a case for each test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from heartrule.language.findings.report import report
from heartrule.script_tests.parallel_runs import CaseResult
from heartrule.script_tests.report_text import ReportTexts
from heartrule.script_tests.suite import Job, Unrun


def junit(held: Sequence[CaseResult], told: ReportTexts, unrun: Sequence[Unrun] = (), left: Sequence[Job] = ()) -> str:
    """Times are in seconds; what failed is told as to people. What could not be run is an error: a build server that
    hears nothing of it takes it for gone. ``left``: tests for which there is no live model."""
    root = Element("testsuites", _counts(held, unrun, left))
    files = [*(each.job.file for each in held), *(job.file for job in left), *(each.file for each in unrun)]
    for file in dict.fromkeys(files):
        own = [each for each in held if each.job.file == file]
        missing = [each for each in unrun if each.file == file]
        skipped = [each for each in left if each.file == file]
        suite = SubElement(root, "testsuite", {"name": _legal(file), **_counts(own, missing, skipped)})
        _add(suite, own, told)
        for job in skipped:
            element = _case(suite, file, job.case.test, job.case.group, job.case.place.line, 0)
            SubElement(element, "skipped", {"message": told("wants_live")})
        for each in missing:
            why = _legal(report(each.findings, lang=told.lang))
            element = _case(suite, file, each.name or file, each.group, each.line, 0)
            SubElement(element, "error", {"message": _legal(each.findings[0].message.localized(told.lang))}).text = why
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _add(suite: Element, held: Iterable[CaseResult], told: ReportTexts) -> None:
    for each in held:
        case = each.job.case
        element = _case(suite, each.job.file, case.test, case.group, case.place.line, each.seconds)
        if not each.passed:
            kind = "error" if each.shown.fault is not None else "failure"
            why = _legal(told.why(each))
            SubElement(element, kind, {"message": why.splitlines()[0]}).text = why


def _case(suite: Element, file: str, name: str, group: str, line: int, seconds: float) -> Element:
    attributes = {
        "name": name,
        "classname": f"{file}.{group}" if group else file,
        "file": file,
        "line": str(line),
        "time": f"{seconds:.3f}",
    }
    return SubElement(suite, "testcase", {key: _legal(value) for key, value in attributes.items()})


def _counts(held: Sequence[CaseResult], unrun: Sequence[Unrun], left: Sequence[Job]) -> dict[str, str]:
    failed = [each for each in held if not each.passed]
    errors = sum(each.shown.fault is not None for each in failed)
    return {
        "tests": str(len(held) + len(unrun) + len(left)),
        "failures": str(len(failed) - errors),
        "errors": str(errors + len(unrun)),
        "skipped": str(len(left)),
        "time": f"{sum(each.seconds for each in held):.3f}",
    }


def _legal(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return "".join(
        each for each in text if each in "\t\n\r" or (ord(each) >= 0x20 and ord(each) not in (0xFFFE, 0xFFFF))
    )
