"""W266: a directive that the project does not allow to scripts below P0; it would be refused each time."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.project import SAFETY
from heartrule.language.view import View


def check(view: View) -> Iterator[Finding]:
    project = view.project
    for node in project.awareness if project.id != SAFETY else ():
        for directive in node.directives() if node.priority != "P0" else ():
            if not project.node.may_order(directive.directive):
                yield finding("W266", project.at(directive, "directive"), directive=directive.directive)
