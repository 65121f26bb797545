"""Values of variables: coerced to their type, checked against their rules, merged into what is there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, tzinfo
from itertools import count
from typing import Any

from heartrule.language.nodes import VariableRules
from heartrule.language.values import types
from heartrule.language.values.merge import Update, merge
from heartrule.language.values.types import MAX_ITEMS, MAX_TEXT, Bad, LeftOut, Ok, Refused, type_name

__all__ = [
    "MAX_ITEMS",
    "MAX_TEXT",
    "Bad",
    "LeftOut",
    "Ok",
    "Outcome",
    "Update",
    "accept",
    "check",
    "coerce",
    "merge",
    "type_name",
]

Outcome = Ok | Bad


def accept(
    rules: VariableRules,
    raw: Any,
    lookup: Callable[[str], Any],
    now: datetime | None = None,
    zone: tzinfo | None = None,
) -> Outcome:
    """``coerce`` and then ``check``: what a write to a variable goes through."""
    outcome = coerce(rules, raw)
    if isinstance(outcome, Bad):
        return outcome
    checked = check(rules, outcome.value, lookup, now, zone)
    return checked if isinstance(checked, Bad) else Ok(checked.value, (*outcome.left_out, *checked.left_out))


def coerce(rules: VariableRules, raw: Any) -> Outcome:
    """``raw`` as a value of the declared type (any JSON value where none is declared), or why it is none.

    Null is refused as ``missing``: clearing a variable is the caller's business. Untyped values stay as they are. Of a
    composite the items and fields that cannot be of their type are left out, as long as anything is left.
    """
    left: list[LeftOut] = []
    if rules.type == "list" and rules.update in ("append", "merge_unique") and raw is not None:
        raw = raw if isinstance(raw, list | tuple) else [raw]
    try:
        value = types.typed(rules, raw, left=left)
        return Ok(_known_by_key(rules, value, left), tuple(left))
    except Refused as refused:
        return refused.bad


def _known_by_key(rules: VariableRules, value: Any, left: list[LeftOut]) -> Any:
    """An item whose key field was refused is no item: nobody could know it again."""
    nameless = {each.path.partition(".")[0] for each in left if each.path.endswith(f".{rules.key}")}
    if rules.key is None or not nameless or not isinstance(value, list):
        return value
    gone = {each.path for each in left}
    numbers = (str(number) for number in count(1))
    kept = [
        item
        for number, item in zip((each for each in numbers if each not in gone), value, strict=False)
        if number not in nameless
    ]
    if not kept:
        bad = left[0].bad
        raise Refused(bad.code, bad.zh, bad.en)
    return kept


def check(
    rules: VariableRules,
    value: Any,
    lookup: Callable[[str], Any],
    now: datetime | None = None,
    zone: tzinfo | None = None,
) -> Outcome:
    """A coerced value against options, range, pattern, min_length and validate, in this order.

    The variable's own name (``var`` or ``get``, where ``rules`` has one) means the new value inside ``validate``. An
    option comes out as the script wrote it. Of a list the items that are no option or lack the form are left out.
    """
    left: list[LeftOut] = []
    try:
        if isinstance(value, list) and value and (rules.options or rules.pattern is not None):
            value = types.kept(value, lambda item, _: _checked(rules, item), left)
        else:
            value = _checked(rules, value)
        _check_length(rules, value)
        _check_expression(rules, value, lookup, now, zone)
    except Refused as refused:
        return refused.bad
    return Ok(value, tuple(left))


def _checked(rules: VariableRules, value: Any) -> Any:
    if rules.options and not isinstance(value, list):
        value = types.option(rules.options, value)
    types.in_range(rules, value)
    if not isinstance(value, list):
        types.has_form(rules, value)
    return value


def _check_length(rules: VariableRules, value: Any) -> None:
    if not rules.min_length:
        return
    length = len(value.strip()) if isinstance(value, str) else len(value) if isinstance(value, list | dict) else None
    if length is not None and length < rules.min_length:
        raise Refused("too_short", f"至少要有 {rules.min_length} 个", f"Needs at least {rules.min_length}")


def _check_expression(
    rules: VariableRules, value: Any, lookup: Callable[[str], Any], now: datetime | None, zone: tzinfo | None
) -> None:
    if rules.validate_ is None:
        return
    own = _own_names(rules)
    if not rules.validate_.holds(lambda name: value if name in own else lookup(name), now, zone):
        raise Refused("validate", f"不满足 {rules.validate_.source}", f"Does not satisfy {rules.validate_.source}")


def _own_names(rules: VariableRules) -> frozenset[str]:
    name = getattr(rules, "var", None) or getattr(rules, "get", None)
    if not isinstance(name, str):
        return frozenset()
    return frozenset((name, *(f"{scope}.{name}" for scope in ("global", "session", "phase", "topic"))))
