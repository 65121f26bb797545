"""W423: the items of a ``for_each`` called as something else already is, their list most of all: who reads the name
gets one item, and nobody the list."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.names import SCOPES
from heartrule.language.nodes import ForEach


def check(view: View) -> Iterator[Finding]:
    for body in view.bodies:
        for node in (body.steps, *body.steps.actions):
            each = node.peek("for_each")
            if not isinstance(each, ForEach):
                continue
            taken = each.as_ == each.in_ or view.declaration(body, each.as_) is not None
            if taken or each.as_ in SCOPES:
                yield finding("W423", view.project.at(each, "as", value=True), name=clip(each.as_))
