"""W418: full-width commas between what was meant to be several items of a list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Node

_COMMAS = re.compile(r"[，、；]")


def check(view: View) -> Iterator[Finding]:
    for rules in view.rules():
        yield from _listed(view, rules, "options", rules.options or ())
    for skill in view.project.skills:
        yield from _listed(view, skill, "returns", skill.returns)


def joined(items: Sequence[Any]) -> list[str]:
    """The items that a single one was meant to be, where it was; else none."""
    if len(items) != 1 or not isinstance(items[0], str):
        return []
    parts = [part.strip() for part in _COMMAS.split(items[0])]
    return parts if len(parts) > 1 and all(parts) else []


def _listed(view: View, node: Node, key: str, items: Sequence[Any]) -> Iterator[Finding]:
    parts = joined(items)
    if parts and key in node.model_fields_set:
        place = view.project.at(node, key, 0, value=True)
        mend = view.rewritten(place, re.escape(items[0]), ", ".join(parts).replace("\\", r"\\"), safe=False)
        yield finding("W418", place, mend=mend, item=clip(items[0]), number=len(parts))
