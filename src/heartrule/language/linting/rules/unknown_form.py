"""E298: a form that is shown and does not exist."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View, nearest, spellings
from heartrule.language.references import pick


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        reference = action.peek("form")
        if not isinstance(reference, str) or not view.is_whole(reference):
            continue
        project, rest = view.other(reference)
        if project is None or pick(project.forms, rest) is None:
            known = spellings(iter(project.forms)) if project is not None else []
            place = view.project.at(action, "form", value=True)
            mend = view.renamed(place, reference, known)
            yield finding("E298", place, mend=mend, reference=clip(reference), advice=nearest(reference, known))
