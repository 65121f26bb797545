"""E202: ids are used in addresses and references, so they are made of ASCII letters, digits, ``-`` and ``_``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Place
from heartrule.language.projects.project import PROJECT_FILE

_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}\Z")


def check(view: View) -> Iterator[Finding]:
    project = view.project
    if PROJECT_FILE in project.sources and not _SLUG.match(project.id):
        head = project.node.place
        place = project.at(project.node, "id") if head.file == PROJECT_FILE else Place(PROJECT_FILE, 1, 1)
        yield finding("E202", place, id=clip(project.id))
    for node in view.nodes():
        name = node.peek("id")
        if isinstance(name, str) and not _SLUG.match(name):
            yield finding("E202", project.at(node, "id"), id=clip(name))
