"""What is done with an input, from its coming to the next wait: one step after another, in this order.

Each step is a function that returns what it has found out; the next takes it from there. A person's words are a
``Case`` on its way: whose they are is a table (``steps/claims.py``), which is asked again whenever more is known, until
a row has them for whom nothing is left to find out. What is to come of them are ``Effects``, done in one place. Other
inputs are shorter forms of the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from heartrule.engine import exits, flow, takeover, takeover_end
from heartrule.engine.awareness import crisis, hook_judgements, pending_notices
from heartrule.engine.flow import Flow
from heartrule.engine.forms import counsellor_forms
from heartrule.engine.repair import conflict_question, late_choice, late_words, set_right
from heartrule.engine.scheduling import budgets
from heartrule.engine.session.awareness_results import Verdict
from heartrule.engine.session.io import Input
from heartrule.engine.steps import danger
from heartrule.engine.steps.after_the_end import hear_after_the_end
from heartrule.engine.steps.case import Case, Danger, Words
from heartrule.engine.steps.claims import claimed
from heartrule.engine.steps.commit import commit, run_on
from heartrule.engine.steps.danger import screen, weigh
from heartrule.engine.steps.effects import Alarm, Effects
from heartrule.engine.steps.outcomes import act
from heartrule.engine.steps.questions import ask, perceive, settle
from heartrule.engine.steps.receive import arrive, receive
from heartrule.engine.steps.timer import strike
from heartrule.engine.submissions import submissions
from heartrule.engine.supervision import background
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.variables import elapsed_time
from heartrule.engine.work import SAFETY, Work


def take(work: Work, given: Input) -> Flow:
    """Whatever came, in the session as it stands."""
    if given.kind in _BESIDE:
        _BESIDE[given.kind](work, given)
    elif work.state.ended:
        _after_the_end(work, given)
    elif work.state.started_at is None:
        elapsed_time.pass_time(work, given)
        flow.begin(work, given.values)
        yield from flow.run_on(work)
    else:
        if given.kind not in _TIMELESS:
            pass_time(work, given)
        if given.kind != "recalled" and takeover.concerns(work.state, given):
            yield from takeover.turn(work, given)
        elif given.kind in _INPUTS:
            yield from _INPUTS[given.kind](work, given)


def message(work: Work, given: Input) -> Flow:
    """One answer (a message or a burst of them) from the person."""
    case = claimed(arrive(work, given), "arrived")
    if case.is_open:
        case = claimed(screen(receive(case)), "screened")
    if case.is_open:
        asked = ask(case)
        answers = (yield asked.tasks) if asked.tasks else {}
        case = claimed(weigh(case, asked.risk, answers), "weighed")
        if case.is_open:
            case = yield from perceive(case, asked, answers)
            case = yield from settle(case, asked, answers)
            case = claimed(case, "answered")
    yield from _concluded(case)


def choice(work: Work, given: Input) -> Flow:
    """A choice was picked, or a suggested line pressed."""
    _answered(work)
    frame = work.state.running.action if work.state.running else None
    wait = frame.wait if frame else None
    label = next((each.label for each in wait.choices if each.value == given.choice), None) if wait else None
    if wait is None or label is None or late_words.is_late_choice(work.state, given.after):
        whose, line = late_choice.take(work, given.after, given.choice)
        told = takeover_end.come_back(work)
        flow.say_before(work, line)
        alarm = Alarm(whose, aside=True) if whose is not None and not crisis.runs(work) else None
        yield from _done(work, Effects(alarm=alarm, urgent=danger.urgent(work, told)))
        return
    hook_judgements.lookout_of(work.findings)
    conflict_question.settle(work, None)
    work.receive(label, choice=True)
    told = takeover_end.come_back(work)
    case = Case(work, Words(label, label, choice=given.choice), waiting=flow.present_action(work))
    case = replace(case, danger=Danger(ruled=told, found=danger.urgent(work, told)))
    yield from _concluded(claimed(case, "answered"))


def form(work: Work, given: Input) -> Flow:
    """A form that waits is filled, handed in or put away."""
    work.flags.draft = given.kind == "form_draft"
    told: list[Verdict] = []
    if not work.flags.draft:
        _answered(work)
        told = takeover_end.come_back(work)
    yield from submissions.take(work, given)
    if told and not work.state.ended:
        yield from _done(work, Effects(urgent=danger.urgent(work, told)))


def timer(work: Work, given: Input) -> Flow:
    """An action's time is up. A timer that comes too early or too late changes nothing."""
    frame = work.state.running.action if work.state.running else None
    if frame is None or frame.wait is None or frame.wait.due is None or frame.wait.due > work.world.now:
        return
    pass_time(work, given)
    yield from _done(work, strike(work))


def noticed(work: Work, given: Input) -> Flow:
    """What was judged beside the conversation waits for the next hook point."""
    yield from ()
    pending_notices.take(work, given.found)


def taken_back(work: Work, given: Input) -> Flow:
    """What was said has been taken back, and the session stands where it stood before. A crisis is not taken back."""
    if given.danger:
        takeover_end.come_back(work)
        crisis.call(work, crisis.RECALLED, heard="recalled")
        yield from flow.run_on(work)


def end(work: Work, given: Input) -> Flow:
    """The person ends the session. Who does so in a crisis is told once more whom to call."""
    yield from ()
    running = work.state.running
    in_crisis = running is not None and running.project == SAFETY
    if in_crisis or takeover_end.told_a_human(work.state):
        contacts = fill(work, "{%crisis_contacts%}", to_person=True)
        work.tell(contacts, action=running.action.id if running and running.action else None)
    if running is not None and in_crisis:
        work.state.ended_in = running.ref
    exits.end(work, "ended by the person")


def again(work: Work, given: Input) -> Flow:
    """Nothing came; the session goes on from where it stands. Behind a human the program is quiet until somebody
    writes."""
    if work.state.quiet is None:
        yield from flow.run_on(work)


def _concluded(case: Case) -> Flow:
    """Whose they are is known: what they wanted is done, and the session goes on."""
    yield from _done(case.work, (yield from act(case)))


def _done(work: Work, effects: Effects) -> Flow:
    commit(work, effects)
    yield from run_on(work, effects)


def _answered(work: Work) -> None:
    work.state.heard += 1
    pending_notices.forget(work)


def pass_time(work: Work, given: Input) -> None:
    """Time has passed while the session waited."""
    elapsed_time.pass_time(work, given)
    budgets.shorten(work)


def _after_the_end(work: Work, given: Input) -> None:
    if given.kind == "message":
        hear_after_the_end(work, given)
    elif given.kind == "human":
        takeover.speak(work, given)


_BESIDE: Mapping[str, Callable[[Work, Input], None]] = {
    "advised": lambda work, given: background.take(work, given.advice),
    "counsel_form": counsellor_forms.take,
    "correct": set_right.take,
}
"""What is taken in beside the conversation, whatever stands in it."""
_TIMELESS = ("timer", "noticed")
_INPUTS: Mapping[str, Callable[[Work, Input], Flow]] = {
    "message": message,
    "choice": choice,
    "form_draft": form,
    "form_submit": form,
    "form_cancel": form,
    "timer": timer,
    "noticed": noticed,
    "recalled": taken_back,
    "end": end,
    "start": again,
    "resume": again,
}
"""Of a session that goes on."""
