"""E239: a P0 awareness script that takes no answer for an all-clear. E438: one that says beforehand what it counts as.
E439: what no answer counts as is said twice."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View


def check(view: View) -> Iterator[Finding]:
    for node in view.project.awareness:
        asked = node.noticing
        if asked is None:
            continue
        if asked.default is not None:
            place = view.project.at(asked, "default")
            if node.priority == "P0":
                yield finding("E438", place, mend=view.without(place, safe=False))
            elif "if_unanswered" in asked.model_fields_set:
                yield finding("E439", place, mend=view.without(place, safe=False))
        if node.priority == "P0" and asked.if_unanswered == "miss" and asked.default is None:
            place = view.project.at(asked, "if_unanswered", value=True)
            yield finding("E239", place, mend=view.replaced(place, "miss", "rules", safe=False))
