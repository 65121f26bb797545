"""What a person does with a form: a draft of it, its submission, its being put away.

Danger comes first, in the very turn that tells of it: what ``on_answer`` calls for, and what the rules of P0 find in
the texts, holds for drafts and for forms that are put away as well. A draft says nothing and asks no model anything; a
submission that has problems loses nothing and goes no further; one that nobody waits for any more counts for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from heartrule.engine import awareness, crisis, directives, flow, form_results, late, lookout, settling
from heartrule.engine.actions.base import Step
from heartrule.engine.awareness import Verdict
from heartrule.engine.events import FormAnswered, FormSubmitted
from heartrule.engine.fillings import Filling, located, shown_in
from heartrule.engine.flow import Flow
from heartrule.engine.io import Input
from heartrule.engine.state import TopicFrame
from heartrule.engine.work import Work
from heartrule.language.form_nodes import Form
from heartrule.language.forms.answers import Checked, check
from heartrule.language.forms.results import on_answer
from heartrule.language.forms.scoring import scores
from heartrule.language.nodes import Directive

KINDS = ("form_draft", "form_submit", "form_cancel")
WORDS = ("text", "longtext")
"""Types of fields whose answers are the person's own words."""


@dataclass(frozen=True, slots=True)
class Urgent:
    """What comes before everything else. ``words``: the verdicts of P0 on the texts; ``orders``: directives of
    ``on_answer`` that newly hold."""

    words: list[Verdict] = field(default_factory=list)
    orders: list[Directive] = field(default_factory=list)

    def takes_the_floor(self) -> bool:
        return any(directives.takes_the_floor(each) for each in self.words) or any(
            directives.is_for_now(each) for each in self.orders
        )


def take(work: Work, given: Input) -> Flow:
    """One of ``KINDS``."""
    found = find(work, given)
    if found is None:
        work.emit(FormAnswered(form="", key=_key(given), how=_how(given), unused=True))
        return
    topic, filling, form = found
    urgent = _kept(work, topic, filling, form, given)
    if topic is work.state.running and given.kind != "form_draft":
        lookout.begin(work)
        settling.settle(work, None)
        _close(work, filling, form, given, urgent)
    _carry_out(work, urgent, form, filling)
    frame = work.state.running.action if work.state.running is not None else None
    if frame is None or frame.wait is None:
        yield from flow.run_on(work)


def find(work: Work, given: Input) -> tuple[TopicFrame, Filling, Form] | None:
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
    if found is None:
        return []
    urgent = _kept(work, *found, given)
    known = work.world.script.awareness.get(crisis.WATCHER)
    calls = any(form_results.is_crisis(work, each, found[1].form) for each in urgent.orders)
    told = [Verdict(crisis.WATCHER, known, "yes", "rules", "form")] if calls and known is not None else []
    return [*urgent.words, *told]


def _key(given: Input) -> str:
    return given.form.key if given.form is not None else ""


def _values(given: Input) -> Mapping[str, Any]:
    return given.form.values if given.form is not None else {}


def _how(given: Input) -> str:
    return given.kind.removeprefix("form_")


def _kept(work: Work, topic: TopicFrame, filling: Filling, form: Form, given: Input) -> Urgent:
    """Add the answers, and see what they call for at once. A watch word may be half of another one while it is being
    written: it is looked at when the form is handed in or put away."""
    values, frame = dict(_values(given)), topic.action
    assert frame is not None
    filling.add(form, values)
    filling.problems = []
    work.emit(FormAnswered(action=frame.id, form=filling.form, key=filling.key, how=_how(given), values=values))
    checked = check(form, filling.answers, whole=False, now=work.world.now)
    words = _in_words(work, filling, form, explicit=given.kind == "form_draft")
    urgent = Urgent(words, _newly_called(filling, form, checked))
    filling.keep(frame)
    return urgent


def _in_words(work: Work, filling: Filling, form: Form, *, explicit: bool) -> list[Verdict]:
    """What P0 says of what the person has written in the form, and has not said of it before."""
    own = [each.id for each in form.fields if each.type in WORDS or not each.options]
    text = "\n".join(each for name in own if isinstance(each := filling.answers.get(name), str))
    if not text.strip():
        return []
    found = [
        each
        for each in awareness.in_text(work, text)
        if (each.verdict == "yes" or not explicit) and _quote(each) not in filling.noticed
    ]
    filling.noticed = [*filling.noticed, *map(_quote, found)]
    return found


def _quote(verdict: Verdict) -> str:
    return f"{verdict.ref} {verdict.verdict} {verdict.evidence}"


def _newly_called(filling: Filling, form: Form, checked: Checked) -> list[Directive]:
    """The directives that hold now for an answer that they have not acted upon."""
    holding = on_answer(form, checked.values)
    found: list[Directive] = []
    acted: dict[str, Any] = {}
    for number, rule in enumerate(form.on_answer):
        if any(each is rule for each in holding):
            answer = checked.values[rule.field]
            if str(number) not in filling.acted or filling.acted[str(number)] != answer:
                found.append(rule)
            acted[str(number)] = answer
    filling.acted = acted
    return found


def _close(work: Work, filling: Filling, form: Form, given: Input, urgent: Urgent) -> None:
    """The form is handed in or put away, as far as that can be."""
    silent = urgent.takes_the_floor()
    if given.kind == "form_cancel":
        _put_away(work, filling, form, silent=silent)
        return
    unknown = {name: value for name, value in _values(given).items() if name not in form.by_id}
    checked = check(form, {**unknown, **filling.answers}, whole=True, now=work.world.now)
    if checked.problems:
        filling.problems = located(checked)
        filling.keep(work.frame)
        return
    found = scores(form, checked.values)
    work.emit(
        FormSubmitted(
            action=work.frame.id,
            form=filling.form,
            key=filling.key,
            name=form.form,
            values=checked.values,
            scores={name: each.value for name, each in found.items()},
            bands={name: each.band for name, each in found.items() if each.band is not None},
            labels={name: each.label or name for name, each in form.score_by_id.items()},
            at=work.world.now,
        )
    )
    form_results.write(work, filling.name, form, checked.values)
    _end(work, form, "form_submitted", Step(done=True, acknowledge=True), silent=silent)
    form_results.follow(work, filling.form, form, checked.values, urgent=silent)


def _put_away(work: Work, filling: Filling, form: Form, *, silent: bool) -> None:
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
    late.note(work)
    work.frame.wait = None
    flow.apply(work, step, silent=silent)


def _carry_out(work: Work, urgent: Urgent, form: Form, filling: Filling) -> None:
    """Words of explicit intent before what an answer calls, and both before a gentle question."""
    told = [verdict for verdict, now in awareness.acting(work, urgent.words) if now]
    called = any(form_results.is_crisis(work, each, filling.form) for each in urgent.orders)
    grave = called or crisis.runs(work) or any(each.verdict == "yes" for each in told)
    if urgent.takes_the_floor():
        late.put_aside(work)
    for verdict in told:
        if grave and verdict.verdict != "yes":
            directives.give_way(work, verdict)
        else:
            directives.carry_out(work, verdict)
    for order in urgent.orders:
        if not work.state.ended:
            form_results.order(work, order, filling.form, form)
