"""E234: a template scheme that the project has no folder for. W259: a script that came without a project names one."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View, nearest
from heartrule.language.nodes import Node
from heartrule.language.projects.project import PROJECT_FILE

_SHIPPED = "default"


def check(view: View) -> Iterator[Finding]:
    known = {_SHIPPED, *(path.partition("/")[0] for path in view.project.schemes)}
    named: list[tuple[Node, str | None]] = [(session, session.template_scheme) for session in view.project.sessions]
    if view.project.node.place.file == PROJECT_FILE:
        named.append((view.project.node, view.project.node.template_scheme))
    for node, scheme in named:
        if scheme is not None and scheme not in known:
            place = view.project.at(node, "template_scheme", value=True)
            mend = view.renamed(place, scheme, sorted(known))
            if PROJECT_FILE not in view.project.sources:
                yield finding("W259", place, scheme=clip(scheme))
                continue
            yield finding("E234", place, mend=mend, scheme=clip(scheme), advice=nearest(scheme, sorted(known)))
