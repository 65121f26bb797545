"""E212: an output or action that says another scope than the declaration of its name."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.names import aliases


def check(view: View) -> Iterator[Finding]:
    for body, action in view.actions():
        own = {*aliases(body.steps), *aliases(action)}
        for write in view.names.writes(action):
            declared = view.declaration(body, write.head)
            if write.scope is None or declared is None or write.head in own or declared[0] == write.scope:
                continue
            place = view.project.at(action, *write.keys[:-1], "scope")
            mend = view.without(place)
            yield finding("E212", place, mend=mend, name=write.head, scope=write.scope, declared=declared[0])
