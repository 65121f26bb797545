"""A finding: what is wrong in a script, where, and how to mend it, in Chinese and English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from heartrule.language.bilingual import Bilingual
from heartrule.language.findings.documents import diagnostic
from heartrule.language.findings.mends import Mend
from heartrule.language.nodes import Place

Severity = Literal["error", "warning"]
_SLOT = re.compile(r"\{(\w+)\}")
_CLIP = 40


class LocalizedFinding(NamedTuple):
    """A finding in one language."""

    path: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Finding:
    """``file`` is relative to its project; ``line`` and ``column`` count from 1. Codes ``E…`` stop loading, ``W…`` do
    not. ``path`` says in words where it is, ``message`` what is wrong, ``hint`` how to mend it, and ``mend`` how the
    text is edited to that end, where there is one plain way. ``about``: the key or the name that is spoken of."""

    file: str
    line: int
    column: int
    code: str
    severity: Severity
    path: Bilingual
    message: Bilingual
    hint: Bilingual
    mend: Mend | None = None
    about: str = ""

    @property
    def stops(self) -> bool:
        """Whether the script cannot be loaded while this stands."""
        return self.code.startswith("E")

    def localized(self, lang: str) -> LocalizedFinding:
        """The texts in Chinese (any ``zh…`` tag) or English (any other)."""
        return LocalizedFinding(self.path.localized(lang), self.message.localized(lang), self.hint.localized(lang))

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.code} {self.message}"


class Refused(Exception):
    """A script cannot be loaded. ``findings`` say why, errors and warnings, in the order of the files."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings: tuple[Finding, ...] = tuple(findings)
        super().__init__()

    def __str__(self) -> str:
        return "; ".join(str(found) for found in self.findings if found.stops)


def finding(code: str, place: Place, *, mend: Mend | None = None, **values: object) -> Finding:
    """A finding of the kind ``code`` (a document in ``diagnostics/``) at ``place``; ``values`` fill its texts."""
    kind = diagnostic(code)
    return Finding(
        file=place.file,
        line=place.line,
        column=place.column,
        code=code,
        severity=kind.severity,
        path=Bilingual(place.words, place.words_en or place.words),
        message=Bilingual(_fill(kind.message.zh, values, "zh"), _fill(kind.message.en, values, "en")),
        hint=Bilingual(_fill(kind.mend.zh, values, "zh"), _fill(kind.mend.en, values, "en")),
        mend=mend,
        about=str(values.get("key", values.get("name", ""))),
    )


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """By file, line, column and code; what is said twice is kept once."""
    unique = dict.fromkeys(findings)
    return sorted(unique, key=lambda found: (found.file, found.line, found.column, found.code, found.message))


def clip(value: object, length: int = _CLIP) -> str:
    """A value as it may stand in a message: on one line and never at length."""
    text = " ".join(str(value).split())
    return text if len(text) <= length else text[: length - 1] + "…"


def _fill(text: str, values: Mapping[str, object], lang: str) -> str:
    def slot(match: re.Match[str]) -> str:
        value = values.get(match[1], match[0])
        return value.localized(lang) if isinstance(value, Bilingual) else str(value)

    return _SLOT.sub(slot, text).strip()
