"""W266: a directive that the project does not allow to forms and scripts below P0; it would be refused each time."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.compiling.reach import orders
from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes.forms import Form
from heartrule.language.projects.project import SAFETY
from heartrule.language.references import split


def check(view: View) -> Iterator[Finding]:
    project = view.project
    for node in view.ordering() if project.id != SAFETY else ():
        below = isinstance(node, Form) or node.priority != "P0"
        for directive in orders(node) if below else ():
            crisis = isinstance(node, Form) and split(directive.technique or "", project.id)[0] == SAFETY
            if not project.node.may_order(directive.directive) and not crisis:
                yield finding("W266", project.at(directive, "directive"), directive=directive.directive)
