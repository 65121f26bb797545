"""A form whose time was up before it was handed in. What is sent of it then still counts: it is kept, scored and said
to have come, and what ``on_submit`` sets and orders is done, but for the end of the session."""

from __future__ import annotations

from heartrule.engine import flow
from heartrule.engine.forms import form_alarms, form_results
from heartrule.engine.forms.form_alarms import Urgent
from heartrule.engine.forms.form_progress import FormProgress, remember
from heartrule.engine.session.events import FormAnswered
from heartrule.engine.session.io import Input
from heartrule.engine.session.state import ActionFrame, State
from heartrule.engine.work import Work
from heartrule.language.forms.answers import check
from heartrule.language.nodes.forms import Form

LATE = "handed in late"


def leave(state: State, frame: ActionFrame) -> None:
    """The time of what this action shows is up."""
    filling = FormProgress.of(frame)
    if filling is not None:
        remember(state, filling)
        state.forms[filling.key].left = filling.model_dump(mode="json")


def take(work: Work, given: Input) -> Urgent | None:
    """What is sent of such a form, and the danger that it tells of; None where it is none."""
    key = given.form.key if given.form is not None else ""
    known = work.state.forms.get(key or next(reversed(work.state.forms), ""))
    form = work.world.script.forms.get(known.form) if known is not None else None
    if known is None or form is None or not known.left:
        return None
    filling, how = FormProgress.model_validate(known.left), given.kind.removeprefix("form_")
    values = dict(given.form.values) if given.form is not None else {}
    filling.add(form, values, form_alarms.fields(work.world, form, filling))
    work.emit(FormAnswered(form=filling.form, key=filling.key, how=how, values=values))
    urgent = form_alarms.of_danger(form_alarms.heard(work, filling, form, given.kind))
    remember(work.state, filling)
    if given.kind == "form_draft" or (given.kind == "form_submit" and not _submitted(work, filling, form, urgent)):
        work.state.forms[filling.key].left = filling.model_dump(mode="json")
    return urgent


def _submitted(work: Work, filling: FormProgress, form: Form, urgent: Urgent) -> bool:
    """False where something in it is missing or wrong, which nobody can be shown any more: it is said."""
    checked = check(form, filling.answers, whole=True, now=work.world.now)
    silent = urgent.takes_the_floor(work)
    if checked.problems:
        _say(work, "form_late_open", form, silent=silent)
        return False
    work.receive(work.spoken("form_submitted", 0).replace("{form}", form.form), choice=True)
    form_results.submitted(work, filling.key, filling.form, form, checked.values)
    form_results.write(work, filling.name, form, checked.values)
    _say(work, "form_late", form, silent=silent)
    form_results.follow(work, filling.form, form, checked.values, urgent=silent, stays=LATE)
    return True


def _say(work: Work, key: str, form: Form, *, silent: bool) -> None:
    if not silent:
        flow.say_before(work, work.spoken(key, 0).replace("{form}", form.form))
