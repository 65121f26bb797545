"""E237: rounds that contradict each other; an action that may not end before it must."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View

_EXPLAINING = 5


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        if "max_rounds" not in type(action).model_fields:
            continue
        most = action.peek("max_rounds") or _EXPLAINING
        least = action.peek("min_rounds")
        if least is not None and least > most:
            place = view.project.at(action, "min_rounds", value=True)
            yield finding("E237", place, mend=view.replaced(place, least, most, safe=False), least=least, most=most)
        criteria = action.peek("exit_criteria")
        least = criteria.peek("min_rounds") if criteria is not None else None
        if least is not None and least > most:
            place = view.project.at(action, "exit_criteria", "min_rounds", value=True)
            yield finding("E237", place, mend=view.replaced(place, least, most, safe=False), least=least, most=most)
