"""W220: an ``ai_say`` that says its notes to the model where there is none. W221: an ``ai_ask`` likewise; a stretch of
talk whose outputs each have a question of their own has something to say."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Action, Get


def is_literal(action: Action) -> bool:
    """Whether everything that it is to find out has a question of its own."""
    items = [item for item in action.peek("output") or () if isinstance(item, Get)]
    return len(items) > 1 and all(item.question for item in items)


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        if action.fallback is not None:
            continue
        if action.type == "ai_say":
            yield finding("W220", view.project.at(action, "content"))
        elif action.type == "ai_ask" and action.peek("question") is None and not is_literal(action):
            yield finding("W221", view.project.at(action, "content"))
