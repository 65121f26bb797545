"""What the language defines and this version does not execute. Each is refused by a code of its own (E190).

Kinds are the lists that an item stands in (``phases``, ``actions``, …), ``""`` the top level of a script file,
``project`` the file ``project.yaml``, and with a colon the mappings in it.
"""

from __future__ import annotations

from typing import Any

_STEPS = frozenset({"memory"})

KEYS: dict[str, frozenset[str]] = {
    "project": frozenset({"memory"}),
    "defaults:": frozenset({"memory"}),
    "sessions": frozenset({"memory"}),
    "phases": frozenset({"memory"}),
    "steps": _STEPS,
    "skills": _STEPS,
    "actions": frozenset({"memory"}),
}

TYPES: frozenset[str] = frozenset()

VALUES: dict[tuple[str, str], frozenset[str]] = {
    ("actions", "type"): TYPES,
}

DECIDING = frozenset({"type", "directive", "priority"})
"""Keys that decide what else may stand beside them: when their value is refused, the rest is not looked at."""


def is_later(kind: str, key: str, value: Any) -> str | None:
    """How to name what is not executed yet (``knowledge``, ``verify: llm``), None when it is nothing of that sort."""
    if key in KEYS.get(kind, frozenset()):
        return key
    if isinstance(value, str) and value in VALUES.get((kind, key), frozenset()):
        return f"{key}: {value}"
    return None
