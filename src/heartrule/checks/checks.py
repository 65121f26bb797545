"""What a model wrote, held against the rules of the safety project and of the script's own project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from heartrule.checks import reply_shape, writing_system
from heartrule.checks.normalization import fold
from heartrule.checks.patterns import compiled, one_of
from heartrule.checks.rules import CONTENT, OutputRules, Own, Reason, Rule, Style, StyleCode
from heartrule.checks.stance import Clauses, GuardClauses, Span

_BEFORE = 120
"""Characters of what was said before in the same message that still belong to a sentence."""
_PATIENCE = 40
"""So many places of a rule may be taken back in one sentence; the next one counts."""


@dataclass(frozen=True, slots=True)
class Objection:
    """``code`` names the kind, ``reason`` tells the model in the script's language how to do better, ``evidence`` is
    what was objected to, verbatim, and ``rule`` the id of the rule."""

    code: str
    reason: str
    evidence: str = field(repr=False)
    rule: str = ""


class _Matcher:
    """The rules of one file, compiled. One search over all of them lets almost every sentence through."""

    def __init__(self, rules: OutputRules) -> None:
        self._standing = GuardClauses(rules.guards)
        self._any = one_of(tuple(rule.pattern for rule in rules.rules)) if rules.rules else None
        self._groups = [
            (one_of(tuple(rule.pattern for rule in own)), [_compiled(rule) for rule in own])
            for code in CONTENT
            if (own := [rule for rule in rules.rules if rule.code == code])
        ]

    def find(self, text: str, start: int, allowed: list[Span]) -> tuple[Rule, Span] | None:
        """The first rule that objects to something that ends behind ``start``."""
        if self._any is None or self._any.search(text) is None:
            return None
        clauses = self._standing.clauses(text)
        for group, rules in self._groups:
            if group.search(text) is None:
                continue
            for rule in rules:
                for span in self._places(text, start, rule, clauses):
                    if rule.rule.code in ("method", "incitement") or not _overlaps(span, allowed):
                        return rule.rule, span
        return None

    def _places(self, text: str, start: int, rule: _Compiled, clauses: Clauses) -> Iterator[Span]:
        at = 0
        for attempt in range(_PATIENCE + 1):
            found = rule.pattern.search(text, at)
            if found is None or found.start() == found.end():
                return
            span: Span = found.span()
            at = span[0] + 1
            if span[1] <= start:
                continue
            if attempt == _PATIENCE or not self._taken_back(text, span, rule, clauses.around(span)):
                yield span

    def _taken_back(self, text: str, span: Span, rule: _Compiled, clause: Span) -> bool:
        left, right = clause
        if rule.unless is not None:
            found = rule.unless.finditer(text[left:right])
            if any(_overlaps((left + each.start(), left + each.end()), [span]) for each in found):
                return True
        return self._standing.meant_otherwise(text, span, clause, rule.rule.even)


@dataclass(frozen=True, slots=True)
class _Compiled:
    rule: Rule
    pattern: Any
    unless: Any


def _compiled(rule: Rule) -> _Compiled:
    return _Compiled(rule, compiled(rule.pattern), compiled(rule.unless) if rule.unless else None)


@lru_cache(maxsize=16)
def _matcher(rules: OutputRules) -> _Matcher:
    return _Matcher(rules)


class Checks:
    """Compiled once for the same rules, project and locale (``checks_for``). Safe to share between threads."""

    def __init__(self, rules: tuple[OutputRules, ...] = (), own: Own | None = None, locale: str = "zh-CN") -> None:
        """``rules``: every language's, the one that replies are styled by first. All of them are searched, whatever
        the locale: a model may answer in another."""
        own = own or Own()
        self.locale = locale
        self._rules = rules
        self._styles = {style.code: style for style in (rules[0].styles if rules else ()) if style.code not in own.off}
        self._length = own.length
        self._allow = tuple(fold(phrase) for phrase in own.allow if phrase.strip())
        self._words = _words(own.sensitive)
        self._word_reason = _reason_of(rules, "sensitive")

    @cached_property
    def _matchers(self) -> tuple[_Matcher, ...]:
        """Compiled when something is to be held against them: a script can be read without."""
        return tuple(_matcher(each) for each in self._rules)

    def objection(self, sentence: str, before: str = "") -> Objection | None:
        """What may not be said in ``sentence``, given what was said ``before`` in the same message. None: nothing."""
        earlier = before[-_BEFORE:]
        written = earlier + sentence
        text = fold(written)
        allowed = list(_spans(text, self._allow))
        for matcher in self._matchers:
            if (found := matcher.find(text, len(earlier), allowed)) is not None:
                rule, (begin, end) = found
                return Objection(rule.code, rule.reason.within(self.locale), written[begin:end], rule.id)
        for found in self._words.finditer(text) if self._words is not None else ():
            if found.end() > len(earlier) and not _overlaps(found.span(), allowed):
                evidence = written[found.start() : found.end()]
                return Objection("sensitive", self._word_reason.within(self.locale), evidence, "project")
        return None

    def whole(self, text: str, heard: str = "") -> Objection | None:
        """What is wrong with the manner of a reply: its length, several questions, markup, emoji, the language. But for
        the language it may be asked of the beginning of a reply too. ``heard`` are the person's last words: a reply in
        their language is all right."""
        for code, evidence in self._manner(text, heard):
            style = self._styles.get(code)
            if style is not None and evidence:
                return Objection(code, style.reason.within(self.locale), evidence, code)
        return None

    def _manner(self, text: str, heard: str) -> Iterator[tuple[StyleCode, str]]:
        yield "locale", "" if writing_system.meant_for(text, self.locale, heard) else text[:40]
        yield "markup", reply_shape.marked_up(text, self._limit("markup"))
        emoji = reply_shape.emoji(text)
        yield "emoji", "".join(emoji) if len(emoji) > self._limit("emoji") else ""
        asked = reply_shape.questions(text)
        yield "questions", asked[-1] if len(asked) > self._limit("questions") else ""
        yield "length", text[-40:] if reply_shape.length(text) > (self._length or self._limit("length")) else ""

    def _limit(self, code: StyleCode) -> int:
        style: Style | None = self._styles.get(code)
        return style.limit if style is not None else 0


@lru_cache(maxsize=64)
def checks_for(rules: tuple[OutputRules, ...], own: Own, locale: str) -> Checks:
    """The checks of a script, compiled at most once for the same content."""
    return Checks(rules, own, locale)


def _words(words: tuple[str, ...]) -> Any:
    """A project's own words. Latin ones are matched as whole words."""
    folded = [fold(word.strip()) for word in words if word.strip()]
    if not folded:
        return None
    return one_of(tuple(_edge(word[0]) + _literal(word) + _edge(word[-1]) for word in folded))


def _edge(character: str) -> str:
    return r"\b" if character.isascii() and (character.isalnum() or character == "_") else ""


def _literal(word: str) -> str:
    return "".join(f"\\x{{{ord(character):x}}}" for character in word)


def _reason_of(rules: tuple[OutputRules, ...], code: str) -> Reason:
    found = (rule.reason for each in rules for rule in each.rules if rule.code == code)
    return next(found, Reason("这个词不能说，换一个说法。", "This word may not be used; put it another way."))


def _spans(text: str, phrases: tuple[str, ...]) -> Iterator[Span]:
    for phrase in phrases:
        at = text.find(phrase)
        while at >= 0:
            yield at, at + len(phrase)
            at = text.find(phrase, at + 1)


def _overlaps(span: Span, others: list[Span]) -> bool:
    return any(start < span[1] and end > span[0] for start, end in others)
