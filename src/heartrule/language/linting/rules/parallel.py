"""E296: an action in a block that cannot stand in one. E297: a block in which more than one waits for the person."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Action

_NOT_A_LEAF = frozenset({"parallel_actions", "use_skill", "show_form"})
_WAITING = frozenset({"ask", "ai_ask", "ai_guide", "user_option", "user_say"})


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        if action.type == "parallel_actions":
            yield from _block(view, action.peek("actions") or [])


def _block(view: View, actions: list[Action]) -> Iterator[Finding]:
    waiting = ""
    for action in actions:
        if action.type in _NOT_A_LEAF:
            yield finding("E296", view.project.at(action, "type", value=True), type=action.type)
        elif waits(action):
            if waiting:
                yield finding("E297", view.project.at(action, "type", value=True), type=action.type, other=waiting)
            waiting = waiting or action.id or action.type


def waits(action: Action) -> bool:
    """Whether it may wait for the person."""
    if action.type == "ai_say":
        explains = action.peek("max_rounds") is not None or action.peek("exit_criteria") is not None
        return explains or action.peek("require_acknowledgment") is not False
    return action.type in _WAITING
