"""W277: an action that gets the same name twice."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Get


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        seen: set[str] = set()
        for index, item in enumerate(action.peek("output") or ()):
            if not isinstance(item, Get):
                continue
            if item.get in seen:
                place = view.project.at(action, "output", index, "get", value=True)
                yield finding("W277", place, name=clip(item.get))
            seen.add(item.get)
