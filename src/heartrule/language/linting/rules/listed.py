"""W404: a ``for_each`` over what is declared to be no list."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import Body, View
from heartrule.language.nodes import ForEach, Node
from heartrule.language.texts.source import Path


def check(view: View) -> Iterator[Finding]:
    lists = sorted({variable.var for variable in view.variables() if variable.type == "list"})
    for body in view.bodies:
        for node in (body.steps, *body.steps.actions):
            each = node.peek("for_each")
            if isinstance(each, ForEach):
                yield from _over(view, body, node, each, ("for_each", "in"), lists)


def _over(view: View, body: Body, node: Node, each: ForEach, keys: Path, lists: list[str]) -> Iterator[Finding]:
    found = view.declaration(body, each.in_)
    if found is None or found[1].type in (None, "list") or found[1].update in ("append", "merge_unique"):
        return
    place = view.project.at(node, *keys, value=True)
    mend = view.renamed(place, each.in_, lists)
    yield finding("W404", place, mend=mend, name=clip(each.in_), type=found[1].type)
