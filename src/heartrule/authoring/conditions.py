"""A condition for a builder: its text as a tree of comparisons, and the tree as text again, in the one expression
language. What the builder does not split stays the text that it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from heartrule.authoring.wire import Json
from heartrule.language.expressions import ExpressionError, parse
from heartrule.language.expressions.syntax import COMPARE, Call, Chain, ListOf, Literal, Name, Prefix, Tree

OPERATORS = ("==", "!=", "<", "<=", ">", ">=", "in", "not in", "contains", "not contains", "known", "unknown")
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*\Z")
_WORDS = frozenset({"and", "or", "not", "in", "contains", "true", "false", "null"})


class NoCondition(ValueError):
    """The tree is not one that could be written."""


def split(value: Any) -> Json:
    """``{tree, text, error}`` of a condition as a script has it: a text, or a mapping with ``judge``, ``all``, …"""
    if isinstance(value, bool | int | float):
        value = str(value).lower()
    if isinstance(value, str):
        try:
            expression = parse(value)
        except ExpressionError as error:
            return {"tree": None, "text": value, "error": {"zh": error.message_zh, "en": error.message_en}}
        return {"tree": _split(expression.tree, value), "text": value, "error": None}
    tree = _mapping(value)
    return {"tree": tree, "text": None, "error": None if tree is not None else {"zh": "不是条件", "en": "no condition"}}


def _mapping(value: Any) -> Json | None:
    if not isinstance(value, dict) or len(set(value) & {"judge", "all", "any", "not"}) != 1:
        return None
    if "judge" in value:
        return dict(value)
    if "not" in value:
        return {"not": split(value["not"])["tree"] or {"expr": str(value["not"])}}
    key = "all" if "all" in value else "any"
    parts = value[key] if isinstance(value[key], list) else [value[key]]
    return {key: [split(each)["tree"] or {"expr": str(each)} for each in parts]}


def _split(tree: Tree, source: str) -> Json:
    match tree:
        case Chain() if tree.rest[0][0] in ("and", "or"):
            parts = (tree.first, *(right for _, right in tree.rest))
            return {"all" if tree.rest[0][0] == "and" else "any": [_split(each, source) for each in parts]}
        case Prefix(operator="not", operand=Call(function="exists", arguments=(Name() as name,))):
            return {"var": name.name, "op": "unknown", "value": None}
        case Prefix(operator="not"):
            return {"not": _split(tree.operand, source)}
        case Call(function="exists", arguments=(Name() as name,)):
            return {"var": name.name, "op": "known", "value": None}
        case Chain() if tree.level == COMPARE and len(tree.rest) == 1 and isinstance(tree.first, Name):
            sign, right = tree.rest[0]
            if isinstance(right, Literal) or (
                isinstance(right, ListOf) and all(isinstance(each, Literal) for each in right.items)
            ):
                return {"var": tree.first.name, "op": sign, "value": _value(right)}
    return {"expr": unparse(tree)}


def _value(tree: Literal | ListOf) -> Any:
    if isinstance(tree, ListOf):
        return [each.value for each in tree.items if isinstance(each, Literal)]
    return tree.value


def joined(tree: Any) -> Any:
    """The condition that a tree says, as a script has it. Raises ``NoCondition``."""
    if isinstance(tree, dict) and _asks(tree):
        return _plain(tree)
    text = _joined(tree, 0)
    try:
        parse(text)
    except ExpressionError as error:
        raise NoCondition(error.message_en) from None
    return text


def _asks(tree: Json) -> bool:
    """Whether a question for the model is in it, which only mappings can hold."""
    if "judge" in tree:
        return True
    below = [*tree.get("all", ()), *tree.get("any", ()), *([tree["not"]] if "not" in tree else [])]
    return any(isinstance(each, dict) and _asks(each) for each in below)


def _plain(tree: Any) -> Any:
    if not isinstance(tree, dict):
        raise NoCondition("no condition")
    if "judge" in tree:
        return {key: tree[key] for key in ("judge", "default", "threshold") if key in tree}
    for key in ("all", "any"):
        if key in tree:
            return {key: [_plain(each) for each in tree[key]]}
    if "not" in tree:
        return {"not": _plain(tree["not"])}
    return _joined(tree, 0)


def _joined(tree: Any, level: int) -> str:
    if not isinstance(tree, dict):
        raise NoCondition("no condition")
    for key, word, own in (("all", "and", 2), ("any", "or", 1)):
        if isinstance(tree.get(key), list) and tree[key]:
            if len(tree[key]) == 1:
                return _joined(tree[key][0], level)
            text = f" {word} ".join(_joined(each, own) for each in tree[key])
            return f"({text})" if level > own or level == own == 2 else text
    if "not" in tree:
        return f"not {_joined(tree['not'], 3)}"
    if isinstance(tree.get("expr"), str) and tree["expr"].strip():
        return f"({tree['expr']})" if level else tree["expr"]
    return _compared(tree)


def _compared(tree: Json) -> str:
    name, sign = tree.get("var"), tree.get("op")
    if not isinstance(name, str) or sign not in OPERATORS:
        raise NoCondition("no condition")
    shown = name if _NAME.match(name) and name.lower() not in _WORDS else "{" + name + "}"
    if sign in ("known", "unknown"):
        return f"{'not ' if sign == 'unknown' else ''}exists({shown})"
    return f"{shown} {sign} {_literal(tree.get('value'))}"


def _literal(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    quote = "'" if "'" not in str(value) else '"'
    escaped = str(value).replace("\\", "\\\\").replace(quote, f"\\{quote}")
    return f"{quote}{escaped}{quote}"


def unparse(tree: Tree) -> str:
    """A tree of the expression language as text."""
    match tree:
        case Name():
            return "{" + tree.name + "}" if tree.braced else tree.name
        case Literal():
            return _literal(tree.value)
        case ListOf():
            return f"[{_row(tree.items)}]"
        case Call():
            return f"{tree.function}({_row(tree.arguments)})"
        case Prefix():
            return f"{'not ' if tree.operator == 'not' else '-'}{_bracketed(tree.operand)}"
        case Chain():
            rest = "".join(f" {sign} {_bracketed(right)}" for sign, right in tree.rest)
            return f"{_bracketed(tree.first)}{rest}"


def _bracketed(tree: Tree) -> str:
    return f"({unparse(tree)})" if isinstance(tree, Chain) else unparse(tree)


def _row(trees: Sequence[Tree]) -> str:
    return ", ".join(map(unparse, trees))
