"""What a JSON Schema makes of an answer: what fits stays, what nearly fits is read kindly, the rest is dropped.

Not a validator: a model that got one optional field wrong has still answered. The part of JSON Schema that tasks use is
understood (type, enum, const, properties, required, items, additionalProperties, minimum, maximum, anyOf); other
keywords are ignored, ``required`` among them: what an answer cannot do without is the task's own ``required``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrule.language.texts.visible import visible

_YES = {"true", "yes", "y", "1", "是", "对", "有"}
_NO = {"false", "no", "n", "0", "否", "不是", "没有", "无"}
_DEPTH = 20


class Unfit(Exception):
    """The value cannot be read as the schema asks."""


def sieve(data: Mapping[str, Any], schema: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """``data`` with what does not fit taken out, and the paths of what was."""
    dropped: list[str] = []
    kept = _properties(_other_names(data, schema), schema, "", dropped, 0)
    if isinstance(said := kept.get("content"), str):
        kept["content"] = visible(said)
    return kept, tuple(dropped)


def _other_names(data: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """``response: {<speaker>: …}`` is how some templates (seed 003) ask for what we call ``content``: its first text.
    Nothing is left of it under its own name, where nobody would check it."""
    if "content" not in schema.get("properties", {}) or "response" not in data:
        return data
    rest = {key: value for key, value in data.items() if key != "response"}
    if isinstance(said := rest.get("content"), str) and said.strip():
        return rest
    response = data["response"]
    texts = response.values() if isinstance(response, Mapping) else [response]
    first = next((text for text in texts if isinstance(text, str) and text.strip()), None)
    return rest if first is None else {**rest, "content": first}


def _properties(
    data: Mapping[str, Any], schema: Mapping[str, Any], path: str, dropped: list[str], depth: int
) -> dict[str, Any]:
    known = schema.get("properties", {})
    others = schema.get("additionalProperties")
    unknown = others if isinstance(others, Mapping) else {}
    kept: dict[str, Any] = {}
    for key, value in data.items():
        if not isinstance(key, str):
            continue
        rule = known.get(key, unknown)
        try:
            kept[key] = _fit(value, rule, f"{path}{key}.", dropped, depth + 1)
        except Unfit:
            dropped.append(f"{path}{key}")
    return kept


def _fit(value: Any, rule: Mapping[str, Any], path: str, dropped: list[str], depth: int) -> Any:
    if depth > _DEPTH:
        raise Unfit
    if not rule:
        return value
    if choices := rule.get("anyOf") or rule.get("oneOf"):
        return _first_fit(value, choices, path, dropped, depth)
    if "const" in rule or "enum" in rule:
        return _one_of(value, rule.get("enum", [rule.get("const")]))
    types = rule.get("type")
    if isinstance(types, str):
        return _typed(value, types, rule, path, dropped, depth)
    if not types:
        types = ["object"] if "properties" in rule else [_type_of(value)]
    for name in sorted(types, key=lambda each: each != _type_of(value)):
        try:
            return _typed(value, name, rule, path, dropped, depth)
        except Unfit:
            continue
    raise Unfit


def _first_fit(value: Any, choices: list[Mapping[str, Any]], path: str, dropped: list[str], depth: int) -> Any:
    for choice in choices:
        inner: list[str] = []
        try:
            found = _fit(value, choice, path, inner, depth + 1)
        except Unfit:
            continue
        dropped.extend(inner)
        return found
    raise Unfit


def _one_of(value: Any, options: list[Any]) -> Any:
    for option in options:
        if option == value and isinstance(option, bool) == isinstance(value, bool):
            return option
    if isinstance(value, bool):
        words = _YES if value else _NO
        return _only(option for option in options if str(option).casefold() in words)
    plain = str(value).strip(" \t\r\n\"'“”‘’。.").casefold()
    return _only(
        option for option in options if isinstance(option, str | int | float) and str(option).casefold() == plain
    )


def _only(found: Any) -> Any:
    for option in found:
        return option
    raise Unfit


def _type_of(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    for kind, name in ((int, "integer"), (float, "number"), (str, "string"), (list, "array")):
        if isinstance(value, kind):
            return name
    return "object"


def _typed(value: Any, name: str, rule: Mapping[str, Any], path: str, dropped: list[str], depth: int) -> Any:
    if name == "object":
        return _object(value, rule, path, dropped, depth)
    if name == "array":
        return _array(value, rule, path, dropped, depth)
    if name in ("integer", "number"):
        return _number(value, name, rule)
    if name == "boolean":
        return _boolean(value)
    if name == "null":
        if value is None:
            return None
        raise Unfit
    return _text(value)


def _object(value: Any, rule: Mapping[str, Any], path: str, dropped: list[str], depth: int) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        if "value" not in rule.get("properties", {}) or isinstance(value, list):
            raise Unfit
        value = {"value": value}
    return _properties(value, rule, path, dropped, depth)


def _array(value: Any, rule: Mapping[str, Any], path: str, dropped: list[str], depth: int) -> list[Any]:
    if not isinstance(value, list):
        raise Unfit
    kept = []
    items = rule.get("items", {})
    for index, item in enumerate(value):
        try:
            kept.append(_fit(item, items, f"{path}{index}.", dropped, depth + 1))
        except Unfit:
            dropped.append(f"{path}{index}")
            kept += [{}] if _is_row(items) else []
    return kept


def _is_row(rule: Mapping[str, Any]) -> bool:
    """Of a list of objects what is none stays as one that says nothing, as an object does of which no field fits: who
    reads the list sees that something was written there."""
    return rule.get("type") == "object" or ("type" not in rule and "properties" in rule)


def _number(value: Any, name: str, rule: Mapping[str, Any]) -> int | float:
    if isinstance(value, str):
        try:
            value = float(value.strip().removesuffix("%"))
        except ValueError:
            raise Unfit from None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) == float("inf"):
        raise Unfit
    if name == "integer":
        if isinstance(value, float) and not value.is_integer():
            raise Unfit
        value = int(value)
    if value < rule.get("minimum", value) or value > rule.get("maximum", value):
        raise Unfit
    number: int | float = value
    return number


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().casefold() if isinstance(value, str | int) else ""
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise Unfit


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise Unfit
