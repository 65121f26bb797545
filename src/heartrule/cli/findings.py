"""Findings of the linter: for people, for programs, and for code hosts (SARIF 2.1.0)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from heartrule.cli.words import Words
from heartrule.language.diagnostic import diagnostic
from heartrule.language.findings import Finding

SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def told(findings: Iterable[Finding], words: Words) -> list[str]:
    """One paragraph a finding: where, what, how to mend it."""
    lines = []
    for found in findings:
        path, message, hint = found.localized(words.language)
        where = f"{found.file}:{found.line}:{found.column}"
        lines.append(f"{where}: {words(found.severity)} {found.code}: {message}")
        lines += [f"    {text}" for text in (path, hint) if text]
    return lines


def as_json(findings: Iterable[Finding], words: Words) -> str:
    rows = []
    for found in findings:
        path, message, hint = found.localized(words.language)
        rows.append(
            {
                "file": found.file,
                "line": found.line,
                "column": found.column,
                "code": found.code,
                "severity": found.severity,
                "path": path,
                "message": message,
                "hint": hint,
            }
        )
    return json.dumps(rows, ensure_ascii=False, indent=2)


def as_sarif(findings: Sequence[Finding], words: Words, version: str) -> str:
    rules = []
    for code in sorted({found.code for found in findings}):
        kind = diagnostic(code)
        rules.append(
            {
                "id": code,
                "name": kind.name,
                "shortDescription": {"text": kind.message.localized(words.language)},
                "help": {"text": kind.mend.localized(words.language)},
                "defaultConfiguration": {"level": kind.severity},
            }
        )
    driver = {"name": "heartrule", "version": version, "rules": rules}
    run = {"tool": {"driver": driver}, "results": [_result(found, words) for found in findings]}
    return json.dumps({"$schema": SARIF, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2)


def _result(found: Finding, words: Words) -> dict[str, Any]:
    path, message, hint = found.localized(words.language)
    return {
        "ruleId": found.code,
        "level": found.severity,
        "message": {"text": f"{message} {hint}".strip()},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": found.file},
                    "region": {"startLine": max(found.line, 1), "startColumn": max(found.column, 1)},
                },
                "logicalLocations": [{"fullyQualifiedName": path}],
            }
        ],
    }
