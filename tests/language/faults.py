"""Faults seeded in good scripts: where each must be found, and what its mend must do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from tests.language.material import linted_whole

from heartrule.language.findings import Finding
from heartrule.language.findings.mends import applied

FOLDER = Path(__file__).parent / "seeded"
GOOD = {
    "zh": FOLDER / "intake.zh.yaml",
    "en": FOLDER / "sleep.en.yaml",
    "check": FOLDER / "check.zh.yaml",
    "family": FOLDER / "family.zh.yaml",
}
SETS = ("faults.yaml", "faults_check.yaml", "faults_family.yaml", "faults_third.yaml")


@dataclass(frozen=True, slots=True)
class Fault:
    """``text`` is a good script with the fault in it, ``line`` where a finding must stand."""

    name: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Looked:
    """What lint made of a fault. ``mended``: whether a mend that was offered mends it; None where none was."""

    fault: Fault
    found: bool
    mended: bool | None


def faults() -> Iterator[Fault]:
    for name in SETS:
        yield from faults_of(name)


def faults_of(name: str) -> Iterator[Fault]:
    """Those of one file."""
    good = {lang: path.read_text(encoding="utf-8") for lang, path in GOOD.items()}
    for row in yaml.load((FOLDER / name).read_text(encoding="utf-8"), yaml.CSafeLoader)["faults"]:
        before, old, new = good[row["in"]], row["old"], row["new"]
        begins = before.index(old)
        text = before[:begins] + new + before[begins + len(old) :]
        at = text.index(row["at"], max(0, begins - 2_000)) if "at" in row else begins
        yield Fault(row["fault"], text, text.count("\n", 0, at) + 1 + row.get("down", 0))


def looked(fault: Fault) -> Looked:
    """A fault counts as found where an error or warning stands in its line."""
    findings = linted_whole(fault.text)
    here = [each for each in findings if each.line == fault.line]
    mendable = [each for each in here if each.mend is not None]
    return Looked(fault, bool(here), _mends(fault, findings, mendable) if mendable else None)


def _mends(fault: Fault, findings: list[Finding], mendable: list[Finding]) -> bool:
    """Whether each mend makes its finding go away and brings none that was not there."""
    before = {(each.code, each.line, each.message) for each in findings}
    for found in mendable:
        assert found.mend is not None
        after = {(each.code, each.line, each.message) for each in linted_whole(applied(fault.text, found.mend.edits))}
        if (found.code, found.line, found.message) in after or len(after) >= len(before):
            return False
    return True
