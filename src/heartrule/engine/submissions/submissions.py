"""What a person does with a form: a draft of it, its submission, its being put away.

Danger comes first, in the very turn that tells of it: what ``on_answer`` calls for, and what the rules of P0 find in
the texts, holds for drafts and for forms that are put away as well. A draft says nothing and asks no model anything; a
submission that has problems loses nothing and goes no further; one that nobody waits for any more counts for nothing
but for the danger that it tells of, unless its time was up before it came (``overdue``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrule.engine import flow
from heartrule.engine.awareness import hook_judgements
from heartrule.engine.flow import Flow
from heartrule.engine.forms import form_alarms, form_results
from heartrule.engine.forms.form_alarms import Urgent
from heartrule.engine.forms.form_progress import FormProgress, located, remember, remembered, shown_in
from heartrule.engine.repair import conflict_question, late_words
from heartrule.engine.session.awareness_results import Verdict
from heartrule.engine.session.events import FormAnswered
from heartrule.engine.session.io import Input
from heartrule.engine.session.moves import Step
from heartrule.engine.session.state import TopicFrame
from heartrule.engine.submissions import late_forms
from heartrule.engine.work import Work
from heartrule.language.forms.answers import check
from heartrule.language.nodes.forms import Form

KINDS = ("form_draft", "form_submit", "form_cancel")


def take(work: Work, given: Input) -> Flow:
    """One of ``KINDS``."""
    found = find(work, given)
    if found is None:
        overdue_form = late_forms.take(work, given)
        form_alarms.carry_out(work, _unused(work, given) if overdue_form is None else overdue_form)
    else:
        topic, filling, form = found
        urgent = _kept(work, topic, filling, form, given)
        if topic is work.state.running and given.kind != "form_draft":
            hook_judgements.lookout_of(work.findings)
            conflict_question.settle(work, None)
            _close(work, filling, form, given, urgent)
        form_alarms.carry_out(work, urgent)
    frame = work.state.running.action if work.state.running is not None else None
    if frame is None or frame.wait is None:
        yield from flow.run_on(work)


def find(work: Work, given: Input) -> tuple[TopicFrame, FormProgress, Form] | None:
    """The form that is meant; without a key, the one that waits. None where it waits no more."""
    key = _key(given)
    for topic, filling in shown_in(work.state):
        form = work.world.script.forms.get(filling.form)
        if form is not None and key in ("", filling.key):
            return topic, filling, form
    return None


def keep(work: Work, given: Input) -> list[Verdict]:
    """Keep what was answered, while nobody goes on with it. What it tells of danger."""
    found = find(work, given)
    return form_alarms.danger_verdicts(
        work.world, _unused(work, given) if found is None else _kept(work, *found, given)
    )


def _key(given: Input) -> str:
    return given.form.key if given.form is not None else ""


def _values(given: Input) -> Mapping[str, Any]:
    return given.form.values if given.form is not None else {}


def _how(given: Input) -> str:
    return given.kind.removeprefix("form_")


def _kept(work: Work, topic: TopicFrame, filling: FormProgress, form: Form, given: Input) -> Urgent:
    """Add the answers, and see what they call for at once."""
    values, frame = dict(_values(given)), topic.action
    assert frame is not None
    filling.add(form, values, form_alarms.fields(work.world, form, filling))
    filling.problems = []
    work.emit(FormAnswered(action=frame.id, form=filling.form, key=filling.key, how=_how(given), values=values))
    urgent = form_alarms.heard(work, filling, form, given.kind)
    filling.keep(frame)
    remember(work.state, filling)
    return urgent


def _unused(work: Work, given: Input) -> Urgent:
    """What is sent of a form that nobody waits for any more is kept nowhere; danger that it tells of is heard."""
    filling = remembered(work.state, _key(given))
    form = work.world.script.forms.get(filling.form)
    work.emit(FormAnswered(form=filling.form, key=_key(given), how=_how(given), unused=True))
    if form is None:
        filling.answers = dict(_values(given))
    else:
        filling.add(form, _values(given), form_alarms.fields(work.world, form, filling))
    urgent = form_alarms.heard(work, filling, form, given.kind)
    if filling.form:
        remember(work.state, filling)
    return form_alarms.of_danger(urgent)


def _close(work: Work, filling: FormProgress, form: Form, given: Input, urgent: Urgent) -> None:
    """The form is handed in or put away, as far as that can be."""
    silent = urgent.takes_the_floor(work)
    if given.kind == "form_cancel":
        _put_away(work, filling, form, silent=silent)
        return
    unknown = {name: value for name, value in _values(given).items() if name not in form.by_id}
    checked = check(form, {**unknown, **filling.answers}, whole=True, now=work.world.now)
    if checked.problems:
        filling.problems = located(checked)
        filling.keep(work.frame)
        return
    form_results.submitted(work, filling.key, filling.form, form, checked.values, action=work.frame.id)
    form_results.write(work, filling.name, form, checked.values)
    _end(work, form, "form_submitted", Step(done=True, acknowledge=True), silent=silent)
    form_results.follow(work, filling.form, form, checked.values, urgent=silent)


def _put_away(work: Work, filling: FormProgress, form: Form, *, silent: bool) -> None:
    """A form that is required is asked for once more, and then let go: nobody is held by one."""
    frame = work.frame
    if filling.required and not filling.declined:
        filling.declined = True
        filling.keep(frame)
        if not silent:
            work.tell(work.spoken("form_needed", 0), action=frame.id)
            frame.asked = work.state.messages
        return
    if filling.required:
        work.running.unfinished = sorted({*work.running.unfinished, frame.id})
    _end(work, form, "form_cancelled", Step(done=True, outcome="cancelled"), silent=silent)


def _end(work: Work, form: Form, line: str, step: Step, *, silent: bool) -> None:
    work.receive(work.spoken(line, 0).replace("{form}", form.form), choice=True)
    late_words.note(work)
    work.frame.wait = None
    flow.apply(work, step, silent=silent)
