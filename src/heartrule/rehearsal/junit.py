"""Results in JUnit's XML, which every build server reads: a suite for each file, a case for each test."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, tostring

from heartrule.rehearsal.held import Held
from heartrule.rehearsal.told import Told


def junit(held: Sequence[Held], told: Told) -> str:
    """Times are in seconds; what failed is told as to people."""
    root = Element("testsuites", _counts(held))
    for file, cases in groupby(held, key=lambda each: each.job.file):
        own = list(cases)
        suite = SubElement(root, "testsuite", {"name": file, **_counts(own)})
        for each in own:
            case = each.job.case
            attributes = {
                "name": case.test,
                "classname": f"{file}.{case.group}",
                "file": file,
                "line": str(case.place.line),
                "time": f"{each.seconds:.3f}",
            }
            element = SubElement(suite, "testcase", attributes)
            if not each.passed:
                kind = "error" if each.shown.fault is not None else "failure"
                why = _legal(told.why(each))
                SubElement(element, kind, {"message": why.splitlines()[0]}).text = why
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _counts(held: Sequence[Held]) -> dict[str, str]:
    failed = [each for each in held if not each.passed]
    errors = sum(each.shown.fault is not None for each in failed)
    return {
        "tests": str(len(held)),
        "failures": str(len(failed) - errors),
        "errors": str(errors),
        "time": f"{sum(each.seconds for each in held):.3f}",
    }


def _legal(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return "".join(
        each for each in text if each in "\t\n\r" or (ord(each) >= 0x20 and ord(each) not in (0xFFFE, 0xFFFF))
    )
