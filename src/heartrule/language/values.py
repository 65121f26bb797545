"""Values of variables: coerced to their type, checked against their rules, merged into what is there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, tzinfo
from typing import Any, Literal

from heartrule.language import value_types as types
from heartrule.language.expression_values import plain_number
from heartrule.language.nodes import VariableRules
from heartrule.language.patterns import compiled
from heartrule.language.value_types import MAX_ITEMS, MAX_TEXT, Bad, Ok, Refused, loose

__all__ = ["MAX_ITEMS", "MAX_TEXT", "Bad", "Ok", "Outcome", "accept", "check", "coerce", "merge", "type_name"]

Outcome = Ok | Bad
Update = Literal["overwrite", "append", "merge_unique", "versioned"]
TypeName = Literal["string", "number", "boolean", "array", "object", "null"]


def accept(
    rules: VariableRules,
    raw: Any,
    lookup: Callable[[str], Any],
    now: datetime | None = None,
    zone: tzinfo | None = None,
) -> Outcome:
    """``coerce`` and then ``check``: what a write to a variable goes through."""
    outcome = coerce(rules, raw)
    return outcome if isinstance(outcome, Bad) else check(rules, outcome.value, lookup, now, zone)


def coerce(rules: VariableRules, raw: Any) -> Outcome:
    """``raw`` as a value of the declared type (any JSON value where none is declared), or why it is none.

    Null is refused as ``missing``: clearing a variable is the caller's business. Untyped values stay as they are.
    """
    try:
        return Ok(types.typed(rules, raw))
    except Refused as refused:
        return refused.bad


def check(
    rules: VariableRules,
    value: Any,
    lookup: Callable[[str], Any],
    now: datetime | None = None,
    zone: tzinfo | None = None,
) -> Outcome:
    """A coerced value against options, range, pattern, min_length and validate, in this order.

    The variable's own name (``var`` or ``get``, where ``rules`` has one) means the new value inside ``validate``. An
    option comes out as the script wrote it.
    """
    try:
        value = _chosen(rules, value)
        _check_range(rules, value)
        _check_pattern(rules, value)
        _check_length(rules, value)
        _check_expression(rules, value, lookup, now, zone)
    except Refused as refused:
        return refused.bad
    return Ok(value)


def _chosen(rules: VariableRules, value: Any) -> Any:
    if not rules.options:
        return value
    if isinstance(value, list):
        return [types.option(rules.options, item) for item in value]
    return types.option(rules.options, value)


def _check_range(rules: VariableRules, value: Any) -> None:
    if rules.range is None or rules.type not in (None, "integer", "number"):
        return
    low, high = rules.range
    if not low <= types.number(value) <= high:
        shown = f"{plain_number(low)}–{plain_number(high)}"
        raise Refused("range", f"应当在 {shown} 之间", f"Must be within {shown}")


def _check_pattern(rules: VariableRules, value: Any) -> None:
    if rules.pattern is None:
        return
    pattern = compiled(rules.pattern)
    if pattern is None:
        raise Refused("bad_pattern", "脚本里的 pattern 写错了", "The script's pattern is no valid pattern")
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, str | int | float) or pattern.fullmatch(types.loose_text(item)) is None:
            raise Refused("pattern", "不符合规定的格式", "Does not have the required form")


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


def merge(update: Update, key: str | None, old: Any, new: Any, kind: str | None = None) -> Any:
    """What a variable holds after ``new`` came to ``old``; the arguments are left as they were.

    ``append`` makes a list, except where ``kind`` is text: then lines. ``merge_unique`` adds what is not there yet;
    objects are the same when their ``key`` is, and the newer fields win. A list keeps its newest items within bounds.
    ``versioned`` holds the newest value; earlier ones are in the record of events.
    """
    if update in ("overwrite", "versioned") or new is None:
        return old if new is None else new
    if kind == "text" and isinstance(new, str):
        return _appended_text(old, new, unique=update == "merge_unique")
    added = list(new) if isinstance(new, list) else [new]
    merged = [] if old is None else list(old) if isinstance(old, list) else [old]
    if update == "append":
        return [*merged, *added][-MAX_ITEMS:]
    places = {_identity(key, item): index for index, item in reversed(list(enumerate(merged)))}
    for item in added:
        place = places.setdefault(_identity(key, item), len(merged))
        if place == len(merged):
            merged.append(item)
        elif key and isinstance(item, Mapping) and isinstance(merged[place], Mapping):
            merged[place] = {**merged[place], **{name: each for name, each in item.items() if each is not None}}
    return merged[-MAX_ITEMS:]


def _appended_text(old: Any, new: str, *, unique: bool) -> str:
    if not isinstance(old, str) or not old:
        return new
    if unique and loose(new) in map(loose, old.split("\n")):
        return old
    return f"{old}\n{new}"[-MAX_TEXT:]


def _identity(key: str | None, item: Any) -> Any:
    """Equal for items that are one and the same to a person."""
    if key and isinstance(item, Mapping) and item.get(key) is not None:
        return "key", _identity(None, item[key])
    if isinstance(item, Mapping):
        return "object", tuple(sorted((str(name), _identity(None, each)) for name, each in item.items()))
    if isinstance(item, list):
        return "list", tuple(_identity(None, each) for each in item)
    return type_name(item), loose(item)


def type_name(value: Any) -> TypeName:
    """The kind of a value in the names that records use."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str | date):
        return "string"
    return "object" if isinstance(value, Mapping) else "array"
