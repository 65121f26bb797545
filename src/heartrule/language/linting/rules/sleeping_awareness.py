"""W236: an awareness script that no session enables and that is not always on."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.compiling.reach import enabled, switched_on
from heartrule.language.findings import Finding, finding, mends
from heartrule.language.linting.view import View
from heartrule.language.references import pick, split


def check(view: View) -> Iterator[Finding]:
    project = view.project
    if not project.whole or not any(True for _ in project.sessions):
        return
    named = {split(reference, project.id) for session in project.sessions for reference in enabled(session)}
    named |= {split(reference, project.id) for node in project.awareness for reference in switched_on(node)}
    names = {rest for owner, rest in named if owner == project.id}
    unknown = " ".join(rest for owner, rest in named if owner == project.id and pick(project.awareness, rest) is None)
    for node in project.awareness:
        if not node.always and not {node.id, node.name} & names and not _meant(node.id or node.name, unknown):
            yield finding("W236", project.at(node, "awareness"), name=node.name)


def _meant(name: str, unknown: str) -> bool:
    """Whether a reference that is misspelt may mean it; that is told where it stands."""
    return name in unknown or any(mends.alike(each, [name]) for each in unknown.split())
