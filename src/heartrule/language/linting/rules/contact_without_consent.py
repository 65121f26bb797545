"""E267: a script outside the project ``safety`` that tells whom the person has named; it would be refused each time."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.projects.project import SAFETY


def check(view: View) -> Iterator[Finding]:
    project = view.project
    for node in project.awareness if project.id != SAFETY else ():
        for directive in node.directives():
            if directive.directive == "ESCALATE" and directive.to == "contact":
                yield finding("E267", project.at(directive, "to", value=True))
