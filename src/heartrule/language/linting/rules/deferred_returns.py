"""E213: a skill that runs later and returns into a topic's variable, which is gone by then."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import Body, View
from heartrule.language.names import Write
from heartrule.language.nodes import Scope


def check(view: View) -> Iterator[Finding]:
    for body, action in view.actions():
        timing = action.peek("timing") or "now"
        if timing == "now":
            continue
        for write in view.names.writes(action):
            if _scope(view, body, write) == "topic":
                place = view.project.at(action, *write.keys, value=True)
                yield finding("E213", place, name=write.head, timing=timing)


def _scope(view: View, body: Body, write: Write) -> Scope:
    declared = view.declaration(body, write.head)
    if declared is not None:
        return declared[0]
    guess = view.guesses(body.session).get(write.head) if body.session is not None else None
    return guess.scope if guess is not None else "topic"
