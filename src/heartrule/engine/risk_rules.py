"""Risk rules: what can be noticed in a person's words without a model. Pure, linear in the length of the words.

A rule may only raise. ``unless`` takes a match back only when it overlaps that match within the same clause, so that a
denial or an idiom never hides what stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import re2  # type: ignore[import-untyped]

from heartrule.engine.risk_text import Folded, fold
from heartrule.language.nodes import RiskPattern, RiskRules

Level = Literal["explicit", "watch"]
Span = tuple[int, int]

_CLAUSE_ENDS = re.compile(r"[!?;,.\n]|。|、|但|可是|不过|\bbut\b".encode())
_REACH = 360
"""Bytes on either side of a match that still count as its clause (120 CJK characters): keeps the work linear."""
_MEMORY = 2 << 20
"""Bytes that one pattern's automaton may take; beyond it the search is slower and still linear."""
_PATIENCE = 100
"""So many matches of a rule may be taken back in one message. Who denies more often than that is heard."""


@dataclass(frozen=True, slots=True)
class Risk:
    """The strongest finding. ``evidence`` is verbatim: ``text[start:end]`` of the words as they were written."""

    level: Level | None = None
    reason: str = ""
    evidence: str = ""
    start: int = 0
    end: int = 0


NONE = Risk()


@dataclass(frozen=True, slots=True)
class _Rule:
    reason: str
    pattern: Any
    unless: Any


class RiskMatcher:
    """Rules compiled once. Safe to share between threads."""

    def __init__(self, rules: RiskRules) -> None:
        self._levels: tuple[tuple[Level, list[_Rule]], ...] = (
            ("explicit", [_rule(each) for each in rules.explicit]),
            ("watch", [_rule(each) for each in rules.watch]),
        )
        self._graver = [_rule(each) for each in rules.graver]
        self._last: tuple[str, Risk] = ("", NONE)

    def match(self, text: str) -> Risk:
        """The first explicit finding, else the first watch finding, else nothing. The last words' finding is kept:
        a turn is worked out more than once."""
        words, found = self._last
        if words != text:
            found = self._find(text)
            self._last = (text, found)
        return found

    def graver(self, text: str) -> Risk:
        """Whether the words tell of more than was told before: a plan, means, a time, worse."""
        return self._search(text, (("explicit", self._graver),))

    def _find(self, text: str) -> Risk:
        return self._search(text, self._levels)

    @staticmethod
    def _search(text: str, levels: tuple[tuple[Level, list[_Rule]], ...]) -> Risk:
        views = [fold(text)]
        joined = fold(text, "joined")
        if joined.text != views[0].text:
            views.append(joined)
        encoded = [view.text.encode() for view in views]
        for level, rules in levels:
            for view, words in zip(views, encoded, strict=True):
                for rule in rules:
                    span = _find(rule, words)
                    if span is not None:
                        return _risk(level, rule, view, words, span)
        return NONE


@lru_cache(maxsize=64)
def _matcher(rules: str) -> RiskMatcher:
    return RiskMatcher(RiskRules.model_validate_json(rules))


_KNOWN = 64
_known: dict[int, tuple[RiskRules, RiskMatcher]] = {}
"""By the rules' identity, which is theirs alone for as long as they are kept here."""


def matcher_for(rules: RiskRules) -> RiskMatcher:
    """The matcher of these rules, compiled at most once for the same content."""
    known = _known.get(id(rules))
    if known is None or known[0] is not rules:
        if len(_known) >= _KNOWN:
            _known.clear()
        known = _known[id(rules)] = (rules, _matcher(rules.model_dump_json()))
    return known[1]


def _compiled(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = _MEMORY
    return re2.compile(pattern.encode(), options)


def _rule(each: RiskPattern) -> _Rule:
    return _Rule(each.reason, _compiled(each.pattern), _compiled(each.unless) if each.unless else None)


def _find(rule: _Rule, words: bytes) -> Span | None:
    at = 0
    for _ in range(_PATIENCE):
        found = rule.pattern.search(words, at)
        if found is None or found.start() == found.end():
            return None
        start, end = found.span()
        if rule.unless is None or not _taken_back(rule, words, start, end):
            return start, end
        at = _next_character(words, start + 1)
    found = rule.pattern.search(words, at)
    return found.span() if found is not None and found.start() < found.end() else None


def _taken_back(rule: _Rule, words: bytes, start: int, end: int) -> bool:
    left, right = _clause(words, start, end)
    return any(begins + left < end and ends + left > start for begins, ends in _spans(rule.unless, words[left:right]))


def _spans(pattern: Any, words: bytes) -> Iterator[Span]:
    for found in pattern.finditer(words):
        yield found.span()


def _clause(words: bytes, start: int, end: int) -> Span:
    left = _next_character(words, max(0, start - _REACH))
    for separator in _CLAUSE_ENDS.finditer(words, left, start):
        left = separator.end()
    after = _CLAUSE_ENDS.search(words, end, end + _REACH)
    right = after.start() if after else _next_character(words, min(len(words), end + _REACH))
    return left, right


def _next_character(words: bytes, at: int) -> int:
    while at < len(words) and words[at] & 0xC0 == 0x80:
        at += 1
    return at


def _risk(level: Level, rule: _Rule, view: Folded, words: bytes, span: Span) -> Risk:
    begins = len(words[: span[0]].decode())
    start, end = view.span(begins, begins + len(words[span[0] : span[1]].decode()))
    return Risk(level, rule.reason, view.original[start:end], start, end)
