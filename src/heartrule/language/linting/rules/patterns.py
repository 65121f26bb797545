"""E222: a pattern that is no RE2 pattern (which has no look-around and no back references)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import re2  # type: ignore[import-untyped]

from heartrule.checks.patterns import is_sound
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Awareness, Node, RiskRules, VariableRules
from heartrule.language.patterns import MAX_PATTERN, joined
from heartrule.language.texts.source import Path

_RISK_MEMORY = 16 << 20


def check(view: View) -> Iterator[Finding]:
    for node, keys, pattern, risk in _written(view):
        problem = _problem(pattern, risk)
        if problem:
            yield finding("E222", view.project.at(node, *keys, value=True), problem=clip(problem, 80))


def _written(view: View) -> Iterator[tuple[Node, Path, str, bool]]:
    for variable in view.variables():
        yield from _of_rules(variable)
    for _, action in view.actions():
        for write in view.names.writes(action):
            if write.rules is not None:
                yield from _of_rules(write.rules)
        for reply in action.peek("replies") or ():
            for key in ("pattern", "unless"):
                if isinstance(written := getattr(reply, key, None), str):
                    yield reply, (key,), written, False
    for awareness in view.project.awareness:
        yield from _of_awareness(awareness)


def _of_rules(rules: VariableRules) -> Iterator[tuple[Node, Path, str, bool]]:
    if rules.pattern is not None:
        yield rules, ("pattern",), rules.pattern, False
    for field in rules.fields or ():
        if field.pattern is not None:
            yield field, ("pattern",), field.pattern, False
    for rule in rules.rules or ():
        if rule.pattern is not None:
            yield rule, ("pattern",), rule.pattern, False
        if rule.beside is not None:
            yield rule, ("beside",), rule.beside, False


def _of_awareness(awareness: Awareness) -> Iterator[tuple[Node, Path, str, bool]]:
    rules = awareness.noticing.rules if awareness.noticing is not None else None
    if rules is None:
        return
    for rule in rules.all():
        yield rule, ("pattern",), _filled(rule.pattern, rules), True
        if rule.unless is not None:
            yield rule, ("unless",), _filled(rule.unless, rules), True


def _filled(written: str | list[str], rules: RiskRules) -> str:
    """With its words put in. A name that there is no word of makes it a pattern that RE2 refuses."""
    try:
        return joined(written, rules.words)
    except KeyError as error:
        return f"(?P<{error.args[0]}"


@lru_cache(maxsize=2048)
def _problem(pattern: str, risk: bool) -> str:
    """Why RE2 refuses the pattern; nothing when it takes it."""
    if not pattern:
        return "empty"
    if not risk and len(pattern) > MAX_PATTERN:
        return f"> {MAX_PATTERN}"
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _RISK_MEMORY if risk else options.max_mem
    if is_sound(pattern, options.max_mem):
        return ""
    try:
        re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0] if error.args else ""
        return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
    except UnicodeEncodeError:
        return "not UTF-8"
    return ""
