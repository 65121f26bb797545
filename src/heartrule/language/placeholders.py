"""Placeholders in text: found once, filled in one pass. What is inserted is data and is never scanned again.

``{name}`` is a script variable and ``{%name%}`` a system variable; ``{{name}}`` and ``${name}`` are read as ``{name}``.
A brace that holds no name (JSON, code) is plain text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any, Literal

from heartrule.language.expressions.tokens import MAX_NAME, name_end
from heartrule.language.expressions.values import plain_number
from heartrule.locales import is_chinese

MAX_INSERTED = 1_000_000
"""Characters that values may add to one text; later ones show as an ellipsis."""
_CACHED = 20_000
_MAX_DEPTH = 6
_SPACES = frozenset(" \t\u3000")


@dataclass(frozen=True, slots=True)
class Placeholder:
    """``source`` is the placeholder as it was written, ``offset`` the 0-based character where it begins."""

    kind: Literal["script", "system"]
    name: str
    offset: int
    source: str


@dataclass(frozen=True, slots=True)
class Template:
    """A text cut at its placeholders."""

    parts: tuple[str | Placeholder, ...]

    @property
    def placeholders(self) -> tuple[Placeholder, ...]:
        return tuple(part for part in self.parts if isinstance(part, Placeholder))


def parse_text(text: str) -> Template:
    """Never fails: what is no placeholder is text. Linear in the length of ``text``."""
    return _parsed(text) if len(text) <= _CACHED else Template(tuple(_parts(text)))


def names(text: str) -> list[Placeholder]:
    """The placeholders of ``text`` in order, as often as they stand there."""
    return list(parse_text(text).placeholders)


def sole_name(text: str) -> str | None:
    """The script variable whose placeholder is all of ``text`` (spaces around it aside), which then means its value."""
    parts = [part for part in parse_text(text).parts if isinstance(part, Placeholder) or part.strip()]
    if len(parts) == 1 and isinstance(parts[0], Placeholder) and parts[0].kind == "script":
        return parts[0].name
    return None


def fill(
    text: str,
    script: Callable[[str], Any],
    system: Callable[[str], Any],
    missing: Callable[[Placeholder], str],
    locale: str = "zh-CN",
) -> str:
    """``text`` with each placeholder replaced by its value in words; by ``missing(placeholder)`` where that is None."""
    filled: list[str] = []
    room = MAX_INSERTED
    for part in parse_text(text).parts:
        if isinstance(part, str):
            filled.append(part)
            continue
        value = (system if part.kind == "system" else script)(part.name)
        words = missing(part) if value is None else format_value(value, locale)
        if len(words) > room:
            words = "…"
        room -= len(words)
        filled.append(words)
    return "".join(filled)


@lru_cache(maxsize=2048)
def _parsed(text: str) -> Template:
    return Template(tuple(_parts(text)))


def _parts(text: str) -> Iterator[str | Placeholder]:
    start = at = 0
    while (at := text.find("{", at)) >= 0:
        found = _placeholder(text, at)
        if found is None:
            at += 1
            continue
        dollar = found.kind == "script" and at > start and text[at - 1] == "$"
        if dollar:
            found = Placeholder(found.kind, found.name, at - 1, "$" + found.source)
        if found.offset > start:
            yield text[start : found.offset]
        yield found
        start = at = found.offset + len(found.source)
    if start < len(text):
        yield text[start:]


def _placeholder(text: str, at: int) -> Placeholder | None:
    """The placeholder that opens with the brace at ``at``."""
    if text.startswith("{%", at):
        return _closed(text, at, 2, "%}", "system")
    if text.startswith("{{", at):
        return _closed(text, at, 2, "}}", "script")
    return _closed(text, at, 1, "}", "script")


def _closed(text: str, at: int, opening: int, closing: str, kind: Literal["script", "system"]) -> Placeholder | None:
    start = _skip_space(text, at + opening)
    if not (text[start : start + 1].isalnum() or text.startswith("_", start)):
        return None
    end = name_end(text, start)
    close = _skip_space(text, end)
    if end == start or not text.startswith(closing, close):
        return None
    return Placeholder(kind, text[start:end], at, text[at : close + len(closing)])


def _skip_space(text: str, at: int) -> int:
    """Bounded, so that a long row of spaces after many braces stays cheap."""
    if text[at : at + 1] not in _SPACES:
        return at
    limit = min(len(text), at + MAX_NAME)
    while at < limit and text[at] in _SPACES:
        at += 1
    return at


def format_value(value: Any, locale: str = "zh-CN", depth: int = 0) -> str:
    """A value in words for people: 是/否, lists joined, objects as ``键：值``, dates in ISO form. None is empty."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    chinese = is_chinese(locale)
    if isinstance(value, bool):
        return ("是" if value else "否") if chinese else ("yes" if value else "no")
    if isinstance(value, int | float):
        return plain_number(value)
    if isinstance(value, date):
        return value.isoformat()
    if depth >= _MAX_DEPTH:
        return "…"
    if isinstance(value, Mapping):
        colon, comma = ("：", "，") if chinese else (": ", ", ")
        pairs = ((str(key), format_value(item, locale, depth + 1)) for key, item in value.items() if item is not None)
        return comma.join(key + colon + words for key, words in pairs)
    if isinstance(value, Sequence):
        nested = any(isinstance(item, Mapping | list) for item in value)
        separator = ("；" if chinese else "; ") if nested else ("、" if chinese else ", ")
        return separator.join(format_value(item, locale, depth + 1) for item in value if item is not None)
    return str(value)
