"""E408: braces round a name where a variable is written to (``get: "{称呼}"``); the name itself belongs there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Node

_BRACED = re.compile(r"\$?\{{1,2}\s*([^{}%\s]+)\s*\}{1,2}")


def check(view: View) -> Iterator[Finding]:
    nodes: list[Node] = [action for _, action in view.actions()]
    nodes += [*view.project.awareness, *view.project.forms]
    for node in nodes:
        for write in view.names.writes(node):
            found = _BRACED.fullmatch(write.name.strip()) if "{" in write.name else None
            if found is not None:
                place = view.project.at(node, *write.keys, value=True)
                mend = view.replaced(place, write.name, found[1])
                yield finding("E408", place, mend=mend, written=clip(write.name), name=clip(found[1]))
