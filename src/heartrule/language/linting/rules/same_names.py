"""W231: two scripts of a kind with one name and different ids; a reference by that name finds neither."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Awareness, Session, Skill
from heartrule.language.references import identity


def check(view: View) -> Iterator[Finding]:
    project = view.project
    shelves: tuple[Sequence[Session | Skill | Awareness], ...] = (
        list(project.sessions),
        list(project.skills),
        list(project.awareness),
    )
    for shelf in shelves:
        first: dict[str, str] = {}
        for node in shelf:
            if node.peek("translation_of") is not None:
                continue
            before = first.setdefault(node.name, identity(node))
            if before != identity(node):
                yield finding("W231", node.place, name=node.name, other=before)
