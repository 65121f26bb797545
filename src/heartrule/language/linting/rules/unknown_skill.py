"""E203: a skill that is called, or may be begun, and does not exist."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.compiling.reach import techniques
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View, nearest
from heartrule.language.nodes import Directive, Node


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        reference = action.peek("skill")
        if isinstance(reference, str):
            yield from _unknown(view, action, reference, "skill")
        for at, use in enumerate(action.peek("may_use") or ()):
            yield from _unknown(view, action, use.skill, "may_use", at)
    for node in view.ordering():
        for directive, reference in techniques(node):
            yield from _unknown(view, directive, reference, key_of(directive, reference))


def key_of(directive: Directive, reference: str) -> str:
    """Where a directive names the technique."""
    return "technique" if reference == directive.technique else "without_model"


def _unknown(view: View, node: Node, reference: str, *path: str | int) -> Iterator[Finding]:
    if view.skill(reference, view.project.node.locale) is None and view.is_whole(reference):
        known = view.known("skills", reference)
        place = view.project.at(node, *path, value=True)
        mend = view.renamed(place, reference, known)
        yield finding("E203", place, mend=mend, reference=clip(reference), advice=nearest(reference, known))
