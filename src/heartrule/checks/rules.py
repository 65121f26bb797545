"""Rules for what a model writes, as they are read from a file of the safety project. Immutable and hashable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from heartrule.locales import is_chinese

ContentCode = Literal[
    "diagnosis", "prescription", "guarantee", "blame", "method", "incitement", "sensitive", "role", "secrecy", "leak"
]
StyleCode = Literal["length", "questions", "markup", "emoji", "locale"]
Guard = Literal["quoted", "denied", "told", "asked", "supposed"]
"""How words may be meant otherwise than they read: in quotation marks, denied, told of somebody, asked, supposed."""

CONTENT: tuple[ContentCode, ...] = get_args(ContentCode)
STYLE: tuple[StyleCode, ...] = get_args(StyleCode)


@dataclass(frozen=True, slots=True)
class Reason:
    """Words for the model, so that it can do better."""

    zh: str
    en: str

    def within(self, locale: str) -> str:
        """In Chinese for any ``zh…``, else in English."""
        return self.zh if is_chinese(locale) else self.en


@dataclass(frozen=True, slots=True)
class Guards:
    """Patterns of one language. ``undenied`` and ``untold`` are taken out before ``denied`` and ``told`` are sought."""

    clause: str
    denied: str
    undenied: str
    told: str
    untold: str
    supposed: str
    asked: str


@dataclass(frozen=True, slots=True)
class Rule:
    """``pattern`` in folded text is objected to, but where ``unless`` or a guard not in ``even`` takes it back."""

    id: str
    code: ContentCode
    reason: Reason
    pattern: str
    unless: str
    even: frozenset[Guard]
    match: tuple[str, ...]
    let_pass: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Style:
    """A bound on a whole reply: Chinese characters and words (``length``), questions put at once, list lines, emoji."""

    code: StyleCode
    limit: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class OutputRules:
    """One file: what is never written in one language, and the style of replies in it."""

    locale: str
    guards: Guards
    rules: tuple[Rule, ...]
    styles: tuple[Style, ...]


@dataclass(frozen=True, slots=True)
class Own:
    """What a project adds: words never shown, phrases that are all right, a length, and styles that it does without."""

    sensitive: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    length: int | None = None
    off: frozenset[str] = frozenset()


def nearest(files: Mapping[str, OutputRules], locale: str) -> OutputRules | None:
    """The rules for ``locale``: the same, the same language, else the first there are."""
    language = locale.replace("_", "-").partition("-")[0].lower()
    near = (rules for tag, rules in files.items() if tag.replace("_", "-").partition("-")[0].lower() == language)
    return files.get(locale) or next(near, None) or next(iter(files.values()), None)
