"""Findings as text for people, JSON for programs and SARIF 2.1.0 for code hosts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal
from urllib.parse import quote

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings import Finding
from heartrule.language.findings.documents import diagnostic
from heartrule.language.findings.mends import Mend

Form = Literal["text", "json", "sarif"]
_SEVERITIES = {"error": Bilingual("错误", "error"), "warning": Bilingual("提醒", "warning")}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def report(findings: Sequence[Finding], form: Form = "text", lang: str = "zh", version: str = "") -> str:
    """The findings in one form and language. ``version`` is that of the program, for SARIF."""
    if form == "json":
        return json.dumps([as_dict(found, lang) for found in findings], ensure_ascii=False, indent=2)
    if form == "sarif":
        return json.dumps(as_sarif(findings, lang, version), ensure_ascii=False, indent=2)
    return "\n".join(as_text(found, lang) for found in findings)


def as_text(found: Finding, lang: str = "zh") -> str:
    """``file:line:column: error CODE: message``, then where it is in words and how to mend it."""
    told = found.localized(lang)
    severity = _SEVERITIES[found.severity].localized(lang)
    lines = [f"{found.file}:{found.line}:{found.column}: {severity} {found.code}: {told.message}"]
    if told.path:
        lines.append(f"    {told.path}")
    if told.hint:
        lines.append(f"    → {told.hint}")
    return "\n".join(lines)


def as_dict(found: Finding, lang: str = "zh") -> dict[str, object]:
    """``mend``: edits that mend it, and whether they are safe to make unasked; null where there is no plain way."""
    told = found.localized(lang)
    mend = found.mend
    return {
        "file": found.file,
        "line": found.line,
        "column": found.column,
        "code": found.code,
        "severity": found.severity,
        "path": told.path,
        "message": told.message,
        "hint": told.hint,
        "mend": {"safe": mend.safe, "edits": [edit._asdict() for edit in mend.edits]} if mend else None,
    }


def as_sarif(findings: Sequence[Finding], lang: str = "zh", version: str = "") -> dict[str, object]:
    """A SARIF log with one run."""
    codes = sorted({found.code for found in findings})
    driver: dict[str, object] = {"name": "heartrule", "rules": [_rule(code, lang) for code in codes]}
    if version:
        driver["version"] = version
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_result(found, codes.index(found.code), lang) for found in findings],
            }
        ],
    }


def _rule(code: str, lang: str) -> dict[str, object]:
    kind = diagnostic(code)
    return {
        "id": code,
        "name": kind.name,
        "shortDescription": {"text": kind.message.localized(lang)},
        "help": {"text": kind.mend.localized(lang)},
        "defaultConfiguration": {"level": kind.severity},
    }


def _result(found: Finding, index: int, lang: str) -> dict[str, object]:
    told = found.localized(lang)
    text = f"{told.message}\n{told.hint}" if told.hint else told.message
    where: dict[str, object] = {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(found.file)},
            "region": {"startLine": max(1, found.line), "startColumn": max(1, found.column)},
        }
    }
    if told.path:
        where["logicalLocations"] = [{"fullyQualifiedName": told.path}]
    result: dict[str, object] = {
        "ruleId": found.code,
        "ruleIndex": index,
        "level": found.severity,
        "message": {"text": text},
        "locations": [where],
    }
    if found.mend is not None:
        result["fixes"] = [_fix(found, found.mend, told.hint)]
    return result


def _fix(found: Finding, mend: Mend, hint: str) -> dict[str, object]:
    replacements = [
        {
            "deletedRegion": {
                "startLine": edit.line,
                "startColumn": edit.column,
                "endLine": edit.end_line,
                "endColumn": edit.end_column,
            },
            "insertedContent": {"text": edit.text},
        }
        for edit in mend.edits
    ]
    change = {"artifactLocation": {"uri": quote(found.file)}, "replacements": replacements}
    return {"description": {"text": hint or found.code}, "artifactChanges": [change]}
