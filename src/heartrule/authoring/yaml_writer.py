"""Data as the YAML that an author would have written: lists of items on lines of their own, short lists in one line,
texts in lines where they have several."""

from __future__ import annotations

import re
from typing import Any

from heartrule.language.texts import page
from heartrule.language.texts.tree import Tree

_BREAKS = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")
"""What YAML takes for a break, or does not take, and JSON leaves as it is."""

_SHORT = 100
"""Columns that a list of plain values may take in one line."""


def scalar(value: Any) -> str:
    """A text, number, true, false or null as it may stand anywhere."""
    return _BREAKS.sub(lambda found: f"\\u{ord(found[0]):04x}", page.scalar(value))


def flow(value: Any) -> str:
    """In one line, also within braces and brackets."""
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key_of(key)}: {flow(each)}" for key, each in value.items()) + "}"
    return scalar(value)


def key_of(key: Any) -> str:
    return str(key) if isinstance(key, int) and not isinstance(key, bool) else scalar(str(key))


def value_of(value: Any, column: int) -> str:
    """Behind ``key: `` of a key at a column; what goes on lines of its own begins with a break."""
    if isinstance(value, str):
        return _text(value, column)
    if isinstance(value, dict) and value:
        room = " " * (column + 2)
        return "".join(f"\n{room}{entry(key, each, column + 2)}" for key, each in value.items())
    if isinstance(value, list) and value and not _in_one_line(value, column):
        room = " " * (column + 2)
        return "".join(f"\n{room}- {item(each, column + 4)}" for each in value)
    return flow(value)


def entry(key: Any, value: Any, column: int) -> str:
    """``key: value`` at a column."""
    written = value_of(value, column)
    return f"{key_of(key)}:{written}" if written.startswith("\n") else f"{key_of(key)}: {written}"


def item(value: Any, column: int) -> str:
    """An item of a list behind its dash, its further lines at ``column``."""
    if isinstance(value, dict) and value:
        return f"\n{' ' * column}".join(entry(key, each, column) for key, each in value.items())
    if isinstance(value, list) and value and not _in_one_line(value, column):
        return flow(value)
    if isinstance(value, str):
        return _text(value, column - 2)
    return flow(value)


def _in_one_line(value: list[Any], column: int) -> bool:
    plain = all(not isinstance(each, dict | list) and not (isinstance(each, str) and "\n" in each) for each in value)
    return plain and column + len(flow(value)) <= _SHORT


def _text(value: str, column: int) -> str:
    if "\n" not in value or value.startswith((" ", "\n")) or not value.strip() or "\r" in value:
        return scalar(value)
    if any(line != line.rstrip(" \t") or "\t" in line or not (line + "x").isprintable() for line in value.split("\n")):
        return scalar(value)
    room = " " * (column + 2)
    ends = {0: "-", 1: ""}.get(len(value) - len(value.rstrip("\n")), "+")
    if ends == "+":
        return scalar(value)
    lines = value.rstrip("\n").split("\n")
    return f"|{ends}\n" + "\n".join(f"{room}{line}" if line else "" for line in lines)


def styled(value: Any, old: Tree, column: int) -> str:
    """A value in place of another one, as that was written where this can hold it."""
    if isinstance(value, str) and old.style == "'" and "\n" not in value and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, str) and old.style == '"':
        said = scalar(value)
        return said if said.startswith('"') else f'"{value}"'
    return value_of(value, column)
