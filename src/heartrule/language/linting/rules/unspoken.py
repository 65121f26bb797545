"""W220: an ``ai_say`` that says its notes to the model where there is none. W221: an ``ai_ask`` likewise; of a stretch
of talk in its items' own questions, a needed item that has none."""

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
        if action.traits.asks == "model":
            yield from _asked(view, action)
        elif action.traits.says == "model" and action.fallback is None:
            yield finding("W220", view.project.at(action, "content"))


def _asked(view: View, action: Action) -> Iterator[Finding]:
    wanted = [(at, item) for at, item in enumerate(action.peek("output") or ()) if isinstance(item, Get)]
    if len(wanted) < 2 or not any(item.question for _, item in wanted):
        if action.fallback is None and action.peek("question") is None:
            yield finding("W221", view.project.at(action, "content"))
        return
    for at, item in wanted:
        needed = action.peek("required") if item.required is None else item.required
        if needed and not item.question:
            yield finding("W221", view.project.at(action, "output", at, "get", value=True))
