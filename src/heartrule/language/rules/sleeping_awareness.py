"""W236: an awareness script that no session enables and that is not always on."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.reach import enabled, switched_on
from heartrule.language.references import split
from heartrule.language.view import View


def check(view: View) -> Iterator[Finding]:
    project = view.project
    if not project.whole or not any(True for _ in project.sessions):
        return
    named = {split(reference, project.id) for session in project.sessions for reference in enabled(session)}
    named |= {split(reference, project.id) for node in project.awareness for reference in switched_on(node)}
    names = {rest for owner, rest in named if owner == project.id}
    for node in project.awareness:
        if not node.always and not {node.id, node.name} & names:
            yield finding("W236", project.at(node, "awareness"), name=node.name)
