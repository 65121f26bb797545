"""E239: a P0 awareness script that takes no answer for an all-clear."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View


def check(view: View) -> Iterator[Finding]:
    for node in view.project.awareness:
        asked = node.noticing
        if node.priority == "P0" and asked is not None and asked.if_unanswered == "miss":
            place = view.project.at(asked, "if_unanswered", value=True)
            yield finding("E239", place, mend=view.replaced(place, "miss", "rules", safe=False))
