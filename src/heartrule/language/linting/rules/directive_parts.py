"""E208: a directive without what it needs, such as ``CALL_TECHNIQUE`` without ``technique``."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.compiling.reach import orders
from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View

_NEEDS = {
    "INSERT_TOPIC": "topic",
    "SKIP_TOPICS": "topics",
    "REORDER_TOPICS": "priority_map",
    "CALL_TECHNIQUE": "technique",
    "SET_VAR": "var",
    "FEEDBACK": "text",
    "ENABLE": "awareness",
    "DISABLE": "awareness",
    "ESCALATE": "to",
}


def check(view: View) -> Iterator[Finding]:
    for node in view.ordering():
        for directive in orders(node):
            key = _NEEDS.get(directive.directive)
            if key is not None and not getattr(directive, key):
                place = view.project.at(directive, "directive")
                yield finding("E208", place, directive=directive.directive, key=key)
