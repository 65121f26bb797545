"""Risk rules: what can be noticed in a person's words without a model. Pure, linear in the length of the words.

A rule may only raise. ``unless`` takes a match back only when it overlaps that match within the same clause, so that a
denial or an idiom never hides what stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import re2  # type: ignore[import-untyped]

from heartrule.engine.awareness.risk_text import FoldedText, fold
from heartrule.engine.session.awareness_results import About
from heartrule.language.nodes import RiskPattern, RiskRules
from heartrule.language.patterns import joined

Level = Literal["explicit", "watch"]
Span = tuple[int, int]

_CLAUSE_ENDS = re.compile(r"[!?;,.\n]|。|、|但|可是|不过|\bbut\b".encode())
_SENTENCE_ENDS = re.compile(r"[!?;.\n]|。|但|可是|不过|\bbut\b".encode())
_REACH = 360
"""Bytes on either side of a match that still count as its clause or sentence (120 CJK characters): keeps the work
linear."""
_MEMORY = 2 << 20
"""Bytes that one pattern's automaton may take; beyond it the search is slower and still linear."""
_PATIENCE = 100
"""So many matches of a rule may be taken back in one message. Who denies more often than that is heard."""


@dataclass(frozen=True, slots=True)
class Risk:
    """The strongest finding. ``evidence`` is verbatim: ``text[start:end]`` of the words as they were written. What is
    told of somebody else (``about``) is a watch, whatever it is; so is what is ``doubted``. ``wish``: it is explicit,
    and names no act, means, place or time."""

    level: Level | None = None
    reason: str = ""
    evidence: str = ""
    start: int = 0
    end: int = 0
    about: About = "self"
    doubted: bool = False
    wish: bool = False


NONE = Risk()
_GRAVITY = {None: 0, "watch": 1, "explicit": 2}


@dataclass(frozen=True, slots=True)
class _Rule:
    number: int
    reason: str
    pattern: Any
    unless: Any


class _Sieve:
    """Which of many patterns can match at all, by the pieces of text that each of them needs: one search instead of as
    many as there are rules."""

    def __init__(self) -> None:
        self._filter, self._size = re2.Filter(), 0

    def add(self, each: RiskPattern, rules: RiskRules) -> _Rule:
        pattern = joined(each.pattern, rules.words).encode()
        self._size += 1
        number = self._filter.Add(pattern, _options())
        unless = joined(each.unless, rules.words) if each.unless else ""
        return _Rule(number, each.reason, re2.compile(pattern, _options()), _compiled(unless) if unless else None)

    def close(self) -> None:
        if self._size:
            self._filter.Compile()

    def possible(self, words: bytes) -> frozenset[int]:
        return frozenset(self._filter.Match(words, True) or ()) if self._size else frozenset()


_How = Callable[[Any, bytes, int, int], bool]
_Levels = tuple[tuple[Level, list[_Rule]], ...]


class _SearchedView:
    """Words as one view reads them, and what was found in them that is told of somebody else."""

    def __init__(
        self, view: FoldedText, others: list[_Rule], doubts: list[_Rule], over: list[_Rule], sieve: _Sieve
    ) -> None:
        self.view, self.words = view, view.text.encode()
        self._possible = sieve.possible(self.words)
        self._others, self._doubts, self._over = self.possible(others), self.possible(doubts), self.possible(over)
        self._of_others = self.doubted = NONE

    def possible(self, rules: list[_Rule]) -> list[_Rule]:
        return [rule for rule in rules if rule.number in self._possible]

    def is_told_of_others(self, start: int, end: int) -> bool:
        rule = self._around(self._others, start, end, _covers)
        if rule is not None:
            self._keep(rule, (start, end))
        return rule is not None

    def is_doubtful(self, start: int, end: int) -> bool:
        """Whether what stands around it makes it hardly the person's own and present."""
        rule = self._around(self._doubts, start, end, _encloses)
        if rule is not None and not self.doubted.level:
            self.doubted = replace(_risk("watch", rule, self, (start, end)), doubted=True)
        return rule is not None

    def _around(self, rules: list[_Rule], start: int, end: int, how: _How) -> _Rule | None:
        """The first of these rules that covers it, or encloses it, in its sentence."""
        if not rules:
            return None
        left, right = _within(_SENTENCE_ENDS, self.words, start, end)
        sentence, at, to = self.words[left:right], start - left, end - left
        for rule in rules:
            if how(rule.pattern, sentence, at, to) and not (rule.unless and _covers(rule.unless, sentence, at, to)):
                return rule
        return None

    def somebody_else(self) -> Risk:
        """What is told of somebody else, whether or not a rule of oneself would have heard it."""
        rules, self._others = self._others, []
        for rule in rules if not self._of_others.level else ():
            span = _find(rule, self, doubting=False)
            if span is not None:
                self._keep(rule, span)
                break
        return self._of_others

    def _keep(self, rule: _Rule, span: Span) -> None:
        if not self._of_others.level:
            doubted = self._around(self._over, *span, _encloses) is not None
            self._of_others = replace(_risk("watch", rule, self, span), about="other", doubted=doubted)


class RiskMatcher:
    """Rules compiled once. Safe to share between threads."""

    def __init__(self, rules: RiskRules) -> None:
        self._sieve = _Sieve()

        def compiled(level: list[RiskPattern]) -> list[_Rule]:
            return [self._sieve.add(each, rules) for each in level]

        self._explicit: _Levels = (("explicit", compiled(rules.explicit)),)
        self._wishes: _Levels = (("explicit", compiled(rules.wishes)),)
        self._watch: _Levels = (("watch", compiled(rules.watch)),)
        self._others, self._over = compiled(rules.others), compiled(rules.over)
        self._doubts = [*compiled(rules.doubtful), *self._over]
        self._mentions: _Levels = (("watch", compiled(rules.mentions)),)
        self._graver: _Levels = (("explicit", compiled(rules.graver)),)
        self._sieve.close()
        self._last: tuple[str, Risk] = ("", NONE)

    def match(self, text: str) -> Risk:
        """The first explicit finding, else the first watch finding, else one about somebody else, else a doubtful one.
        The last words' finding is kept: a turn is worked out more than once."""
        words, found = self._last
        if words != text:
            found = self._search(text)
            self._last = (text, found)
        return found

    def across(self, before: str, text: str) -> Risk:
        """What is found in ``text``; or, where that is graver, in what began ``before`` and ends in it. What stands
        whole in either is not found twice, and somebody else is told of in one piece."""
        found = self.match(text)
        if not before or found.level == "explicit":
            return found
        known = max(_GRAVITY[found.level], _GRAVITY[self.match(before).level])
        whole, border = self.match(f"{before}\n{text}"), len(before)
        spans = whole.about == "self" and whole.start < border < whole.end
        return whole if spans and _GRAVITY[whole.level] > known else found

    def graver(self, text: str) -> Risk:
        """Whether the words tell of more than was told before: a plan, means, a time, worse."""
        return _first(self._graver, self._views(text, [], [], []))

    def _search(self, text: str) -> Risk:
        searched = self._views(text, self._others, self._doubts, self._over)
        found = _first(self._explicit, searched)
        if not found.level:
            wish = _first(self._wishes, searched)
            found = replace(wish, wish=True) if wish.level else _first(self._watch, searched)
        if found.level:
            return found
        mentioned = replace(named, doubted=True) if (named := _first(self._mentions, searched)).level else NONE
        told = next((told for each in searched if (told := each.somebody_else()).level), NONE)
        doubted = next((each.doubted for each in searched if each.doubted.level), NONE)
        return next((each for each in (told, mentioned, doubted) if each.level), NONE)

    def _views(self, text: str, others: list[_Rule], doubts: list[_Rule], over: list[_Rule]) -> list[_SearchedView]:
        views = [fold(text)]
        for view in (fold(text, "joined"), fold(text, "unmasked")):
            if all(view.text != other.text for other in views):
                views.append(view)
        return [_SearchedView(view, others, doubts, over, self._sieve) for view in views]


def _first(levels: _Levels, searched: Sequence[_SearchedView]) -> Risk:
    """The first rule's first finding, grave levels first."""
    for level, rules in levels:
        for each in searched:
            for rule in each.possible(rules):
                span = _find(rule, each)
                if span is not None:
                    return _risk(level, rule, each, span)
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
        known = _known[id(rules)] = (rules, _matcher(rules.model_dump_json(by_alias=True)))
    return known[1]


def _options() -> Any:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = _MEMORY
    return options


def _compiled(pattern: str) -> Any:
    return re2.compile(pattern.encode(), _options())


def _find(rule: _Rule, searched: _SearchedView, *, doubting: bool = True) -> Span | None:
    at, words = 0, searched.words
    for _ in range(_PATIENCE):
        found = rule.pattern.search(words, at)
        if found is None or found.start() == found.end():
            return None
        start, end = found.span()
        if not (
            _taken_back(rule, words, start, end)
            or searched.is_told_of_others(start, end)
            or (doubting and searched.is_doubtful(start, end))
        ):
            return start, end
        at = _next_character(words, start + 1)
    found = rule.pattern.search(words, at)
    return found.span() if found is not None and found.start() < found.end() else None


def _taken_back(rule: _Rule, words: bytes, start: int, end: int) -> bool:
    if rule.unless is None:
        return False
    left, right = _within(_CLAUSE_ENDS, words, start, end)
    return _covers(rule.unless, words[left:right], start - left, end - left)


def _covers(pattern: Any, words: bytes, start: int, end: int) -> bool:
    return any(found.start() < end and found.end() > start for found in pattern.finditer(words))


def _encloses(pattern: Any, words: bytes, start: int, end: int) -> bool:
    """Whether a find begins no later and reaches beyond the middle: a match may hold the character behind it."""
    middle = (start + end) / 2
    return any(found.start() <= start and found.end() > middle for found in pattern.finditer(words))


def _within(ends: re.Pattern[bytes], words: bytes, start: int, end: int) -> Span:
    """The clause or sentence around a match, as far as it is looked at."""
    left = _next_character(words, max(0, start - _REACH))
    for separator in ends.finditer(words, left, start):
        left = separator.end()
    after = ends.search(words, end, end + _REACH)
    right = after.start() if after else _next_character(words, min(len(words), end + _REACH))
    return left, right


def _next_character(words: bytes, at: int) -> int:
    while at < len(words) and words[at] & 0xC0 == 0x80:
        at += 1
    return at


def _risk(level: Level, rule: _Rule, searched: _SearchedView, span: Span) -> Risk:
    view, words = searched.view, searched.words
    begins = len(words[: span[0]].decode())
    start, end = view.span(begins, begins + len(words[span[0] : span[1]].decode()))
    return Risk(level, rule.reason, view.original[start:end], start, end)
