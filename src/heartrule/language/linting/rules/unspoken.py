"""W220: an ``ai_say`` that says its notes to the model where there is none. W221: an ``ai_ask`` likewise, unless each
of its outputs has a question of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Get, Set


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        if action.fallback is not None:
            continue
        if action.type == "ai_say":
            yield finding("W220", view.project.at(action, "content"))
        elif action.type == "ai_ask" and action.peek("question") is None and not _in_items(action.peek("output")):
            yield finding("W221", view.project.at(action, "content"))


def _in_items(output: Sequence[Get | Set] | None) -> bool:
    items = [item for item in output or () if isinstance(item, Get)]
    return len(items) > 1 and all(item.question for item in items)
