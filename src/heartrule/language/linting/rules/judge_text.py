"""E219: a question for the model that asks nothing. Below P0, rules may do without one."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes.conditions import judges


def check(view: View) -> Iterator[Finding]:
    for node in view.nodes():
        for keys, condition in view.names.conditions(node):
            for where, judge in judges(condition, keys):
                if not judge.judge.strip():
                    yield finding("E219", view.project.at(node, *where, "judge"))
    for awareness in view.project.awareness:
        asked = awareness.noticing
        by_rules = asked is not None and asked.rules is not None and awareness.priority != "P0"
        if asked is not None and not asked.judge.strip() and not by_rules:
            yield finding("E219", view.project.at(asked, "judge"))
