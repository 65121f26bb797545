"""E298: a form that is shown and does not exist. E300: a field that it has not, or that must be answered, under
``known_as``."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View, nearest, spellings
from heartrule.language.nodes import Action
from heartrule.language.nodes.forms import Form
from heartrule.language.references import pick


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        reference = action.peek("form")
        if not isinstance(reference, str) or not view.is_whole(reference):
            continue
        project, rest = view.other(reference)
        found = pick(project.forms, rest) if project is not None else None
        if found is not None:
            yield from _known(view, action, found, reference)
        else:
            known = spellings(iter(project.forms)) if project is not None else []
            place = view.project.at(action, "form", value=True)
            mend = view.renamed(place, reference, known)
            yield finding("E298", place, mend=mend, reference=clip(reference), advice=nearest(reference, known))


def _known(view: View, action: Action, form: Form, reference: str) -> Iterator[Finding]:
    may = [each.id for each in form.fields if not each.required]
    for name in action.peek("known_as") or ():
        if name not in may:
            place = view.project.at(action, "known_as", name)
            advice = nearest(name, may)
            yield finding("E300", place, reference=clip(reference), field=clip(name), advice=advice)
