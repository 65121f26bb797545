"""A form that a script left to the counsellor, handed in by one.

It reaches the session without a word to the person and without moving it: what was answered is the script's from the
next hook point on. Nothing in it is the person's own, so that no danger is heard in it, and what it orders is left to
whoever filled it.
"""

from __future__ import annotations

from heartrule.engine.forms import form_results
from heartrule.engine.session.events import Fault
from heartrule.engine.session.io import Input
from heartrule.engine.work import Work
from heartrule.language.forms.answers import check

PRIVATE = "desk:private"
"""The source of values that only counsellors see; no action has such an id."""
DESK = "desk:form"
"""The source of other values that a counsellor filled in."""


def take(work: Work, given: Input) -> None:
    """What cannot be handed in so is not: whoever sent it has seen to that, unless the script is another by now."""
    filled = given.filled
    form = work.world.script.forms.get(filled.form) if filled is not None else None
    if filled is None or form is None:
        work.emit(Fault(what="no such form"))
        return
    checked = check(form, dict(filled.values), whole=True, now=work.world.now)
    if checked.problems:
        work.emit(Fault(what=f"{filled.form}: {checked.problems[0].code}"))
        return
    by = given.who.id if given.who is not None else ""
    form_results.submitted(work, filled.key, filled.form, form, checked.values, by=by)
    source = PRIVATE if form.audience == "counselor" else DESK
    form_results.write(work, filled.name, form, checked.values, source=source)
    form_results.note(work, filled.form, form, checked.values, source=source)
