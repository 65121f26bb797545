"""W035: a text that a ``#`` behind a space cuts off: YAML takes the rest of the line for a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Node
from heartrule.language.yaml.flow_mappings import quoted

_KEYS = ("content", "question", "fallback", "follow_up", "goal", "exercise", "on_stop", "caption", "alt", "value")
_REST = re.compile(r" (#\d.*?)\s*$")
"""A number: what people remark often stands right behind its sign, too."""


def check(view: View) -> Iterator[Finding]:
    signed = {file for file, known in view.project.maps.items() if any(" #" in line for line in known.lines)}
    for _, action in view.actions():
        for key in _KEYS if action.place.file in signed else ():
            text = action.peek(key)
            if isinstance(text, str) and text:
                yield from _cut(view, action, key, text)


def _cut(view: View, action: Node, key: str, text: str) -> Iterator[Finding]:
    place = view.project.at(action, key, value=True)
    source = view.project.maps.get(place.file)
    if source is None or not 0 < place.line <= len(source.lines) or source.value(place.path).style:
        return
    line = source.lines[place.line - 1][place.column - 1 :]
    found = _REST.fullmatch(line[len(text) :]) if line.startswith(text) else None
    if found is not None:
        new = quoted(f"{text} {found[1]}").replace("\\", r"\\")
        mend = view.rewritten(place, re.escape(line.rstrip()), new, safe=False)
        yield finding("W035", place, mend=mend, rest=clip(found[1]))
