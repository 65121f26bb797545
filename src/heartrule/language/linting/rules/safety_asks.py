"""E264: a P0 script without a question: safety is never left to an expression alone."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View


def check(view: View) -> Iterator[Finding]:
    for node in view.project.awareness:
        if node.priority == "P0" and node.noticing is None:
            yield finding("E264", view.project.at(node, "condition"))
