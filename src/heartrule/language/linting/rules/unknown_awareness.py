"""E204: an awareness script that is switched on or off, by a session or by another script, and does not exist."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.compiling.reach import orders
from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View, nearest
from heartrule.language.nodes import Node
from heartrule.language.texts.source import Path


def check(view: View) -> Iterator[Finding]:
    for node, keys, reference in _switched(view):
        if view.noticing(reference) is None and view.is_whole(reference):
            known = view.known("awareness", reference)
            place = view.project.at(node, *keys, value=True)
            mend = view.renamed(place, reference, known)
            yield finding("E204", place, mend=mend, reference=clip(reference), advice=nearest(reference, known))


def _switched(view: View) -> Iterator[tuple[Node, Path, str]]:
    for session in view.project.sessions:
        for index, reference in enumerate(session.awareness):
            yield session, ("awareness", index), reference
        for phase in session.phases:
            for switch in phase.switches:
                for index, reference in enumerate(switch.enable):
                    yield switch, ("enable", index), reference
                for index, reference in enumerate(switch.disable):
                    yield switch, ("disable", index), reference
    for node in view.ordering():
        for directive in orders(node):
            if directive.awareness is not None:
                yield directive, ("awareness",), directive.awareness
