"""``output.<locale>.yaml`` of the safety project: what a model may not write, by language."""

from __future__ import annotations

import re
from collections.abc import Callable

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from heartrule.checks.patterns import BadPattern, compiled, is_sound
from heartrule.checks.rules import ContentCode, Guard, Guards, OutputRules, Reason, Rule, Style, StyleCode
from heartrule.language.findings import Finding, clip
from heartrule.language.shape import Shape
from heartrule.language.texts.source import Path
from heartrule.language.yaml import parse

FILE = re.compile(r"output\.[A-Za-z0-9-]+\.ya?ml\Z")
_WORD = re.compile(r"<([a-z][a-z_]*)>")


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class _Reason(_Part):
    zh: str = Field(min_length=1)
    en: str = Field(min_length=1)


class _Guards(_Part):
    clause: str = Field(min_length=1)
    denied: str = Field(min_length=1)
    undenied: str = Field(min_length=1)
    told: str = Field(min_length=1)
    untold: str = Field(min_length=1)
    supposed: str = Field(min_length=1)
    asked: str = Field(min_length=1)


class _Rule(_Part):
    id: str
    pattern: str = Field(min_length=1)
    unless: str = ""
    even: list[Guard] = []
    reason: _Reason | None = None
    match: list[str] = Field(min_length=1)
    pass_: list[str] = Field(alias="pass", min_length=1)


class _Group(_Part):
    code: ContentCode
    reason: _Reason
    rules: list[_Rule] = Field(min_length=1)


class _Style(_Part):
    limit: int = Field(default=0, ge=0)
    reason: _Reason


class _Output(_Part):
    locale: str
    words: dict[str, str] = {}
    guards: _Guards
    checks: list[_Group]
    style: dict[StyleCode, _Style] = {}


def read_output_rules(raw: bytes | str, path: str) -> tuple[OutputRules | None, list[Finding]]:
    """The rules in a file, and what is wrong with it; None when it cannot be used."""
    parsed = parse(raw, path)
    data = parsed.documents[0] if parsed.documents else None
    shape = Shape(parsed, {}, _Output)
    if not isinstance(data, dict):
        return None, parsed.findings or [shape.found("E015", (0,))]
    try:
        read = _Output.model_validate(data)
    except ValidationError as error:
        return None, [*parsed.findings, *shape.findings(error, (0,))]
    reader = _Reader(read, lambda path, problem: shape.found("E222", path, problem=problem))
    rules = reader.rules()
    found = [*parsed.findings, *reader.findings]
    return (None if any(each.stops for each in found) else rules), found


class _Reader:
    """Puts the words into the patterns and sees that RE2 can read each."""

    def __init__(self, read: _Output, bad: Callable[[Path, str], Finding]) -> None:
        self.read = read
        self.findings: list[Finding] = []
        self._bad = bad
        self._words: dict[str, str] = {}
        for name, text in read.words.items():
            self._words[name] = self._put(text, (0, "words", name))

    def rules(self) -> OutputRules:
        guards = {name: self._put(text, (0, "guards", name)) for name, text in self.read.guards.model_dump().items()}
        rules = [
            self._rule(rule, group, (0, "checks", number, "rules", index))
            for number, group in enumerate(self.read.checks)
            for index, rule in enumerate(group.rules)
        ]
        styles = [Style(code, each.limit, _said(each.reason)) for code, each in self.read.style.items()]
        return OutputRules(self.read.locale, Guards(**guards), tuple(rules), tuple(styles))

    def _rule(self, rule: _Rule, group: _Group, path: Path) -> Rule:
        return Rule(
            id=rule.id,
            code=group.code,
            reason=_said(rule.reason or group.reason),
            pattern=self._put(rule.pattern, (*path, "pattern")),
            unless=self._put(rule.unless, (*path, "unless")) if rule.unless else "",
            even=frozenset(rule.even),
            match=tuple(rule.match),
            let_pass=tuple(rule.pass_),
        )

    def _put(self, text: str, path: Path) -> str:
        """``text`` with its words put in. A pattern that cannot be read is a finding."""

        def word(found: re.Match[str]) -> str:
            return self._words.get(found[1], found[0])

        filled = _WORD.sub(word, text)
        try:
            if not is_sound(filled):
                compiled(filled)
        except BadPattern as error:
            self.findings.append(self._bad(path, clip(error)))
        return filled


def _said(reason: _Reason) -> Reason:
    return Reason(reason.zh, reason.en)
