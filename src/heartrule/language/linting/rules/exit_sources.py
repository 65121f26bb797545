"""W417: an action that is to end by what it never has, as an explanation by the flag of a question."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View

_FLAG = "exit_flag"
"""A question's own decision that it has what it asked for."""


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        sources = action.peek("exit_sources") or ()
        if action.traits.asks != "model" and _FLAG in sources:
            place = view.project.at(action, "exit_sources", list(sources).index(_FLAG), value=True)
            yield finding("W417", place, source=_FLAG, type=action.type)
