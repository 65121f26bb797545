"""E296: an action in a block that cannot stand in one. E297: a block in which more than one waits for the person."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Action


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        yield from _block(view, action.peek("actions") or [])


def _block(view: View, actions: list[Action]) -> Iterator[Finding]:
    waiting = ""
    for action in actions:
        if not action.traits.is_leaf:
            yield finding("E296", view.project.at(action, "type", value=True), type=action.type)
        elif action.may_wait():
            if waiting:
                yield finding("E297", view.project.at(action, "type", value=True), type=action.type, other=waiting)
            waiting = waiting or action.id or action.type
