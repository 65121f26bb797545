"""W220: an ``ai_say`` that says its notes to the model where there is none. W221: an ``ai_ask`` likewise."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        if action.fallback is not None:
            continue
        if action.type == "ai_say":
            yield finding("W220", view.project.at(action, "content"))
        elif action.type == "ai_ask" and action.peek("question") is None:
            yield finding("W221", view.project.at(action, "content"))
