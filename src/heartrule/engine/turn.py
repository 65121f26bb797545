"""One turn, worked out without touching the outside: everything between one input and the next wait.

``advance`` is a pure function. Given the same world, input and answers it gives the same result, byte for byte; asked
with too few answers it says which it needs. Whoever drives it answers them and asks again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from heartrule.engine import branches, flow, human, leaving
from heartrule.engine.actions import registry
from heartrule.engine.actions.base import Step
from heartrule.engine.adapting import feedback
from heartrule.engine.calling import beside
from heartrule.engine.calling.prompting import fill
from heartrule.engine.calling.tasks import Answer, Task
from heartrule.engine.filling import counselled, fillings, forms, overdue
from heartrule.engine.filling.fillings import Filling
from heartrule.engine.flow import Flow
from heartrule.engine.hearing import after_the_end, choose, hear
from heartrule.engine.io import Input, Message, Needs, Request, Rest, Turn, World
from heartrule.engine.remembering import keeping
from heartrule.engine.scheduling import budgets, elapsed, instances
from heartrule.engine.speaking.wording import acknowledgement
from heartrule.engine.state import State
from heartrule.engine.understanding import late
from heartrule.engine.watching import crisis, joints, pending, periodic
from heartrule.engine.work import SAFETY, Work
from heartrule.language.compiling.script import Script


def advance(world: World, given: Input, answers: Mapping[str, Answer]) -> Needs | Turn:
    """Work a turn out as far as ``answers`` (by task key) allow.

    Returns ``Needs`` with all tasks of the present checkpoint, those already answered left out, or the finished
    ``Turn``. Never raises for anything a script, a person or a model may say.
    """
    return UnderWay(world, given).go_on(answers)


class UnderWay:
    """A turn that goes on from where it needed answers. What it comes to is what ``advance`` gives for all of them."""

    def __init__(self, world: World, given: Input) -> None:
        self._work = Work.of(world)
        self._work.state.seq += 1
        self._run = _turn(self._work, given)
        self._wanted: Sequence[Task] | Rest | None = None

    @property
    def said(self) -> Sequence[Message]:
        """The messages of the turn so far, the person's own among them."""
        return self._work.messages

    def go_on(self, answers: Mapping[str, Answer]) -> Needs | Turn:
        """As ``advance``. ``answers`` are all there are, the earlier ones too; a finished turn does not go on."""
        try:
            wanted = next(self._run) if self._wanted is None else self._wanted
            while True:
                missing = _missing(wanted, answers)
                if missing is not None:
                    self._wanted = wanted
                    return missing
                keys = [wanted.key] if isinstance(wanted, Rest) else [task.key for task in wanted]
                wanted = self._run.send({key: answers[key] for key in keys})
        except StopIteration:
            return _finished(self._work)


def _missing(wanted: Sequence[Task] | Rest, answers: Mapping[str, Answer]) -> Needs | None:
    if isinstance(wanted, Rest):
        return Needs(rest=wanted) if answers[wanted.key].status == "speaking" else None
    tasks = tuple(task for task in wanted if task.key not in answers)
    return Needs(tasks) if tasks else None


def _turn(work: Work, given: Input) -> Flow:
    if given.kind == "advised":
        beside.take(work, given.advice)
        return
    if given.kind == "counsel_form":
        counselled.take(work, given)
        return
    if work.state.ended:
        if given.kind == "message":
            after_the_end(work, given)
        elif given.kind == "human":
            human.speak(work, given)
        return
    if work.state.started_at is None:
        elapsed.pass_time(work, given)
        flow.begin(work, given.values)
        yield from flow.run_on(work)
        return
    if given.kind not in ("timer", "noticed"):
        _tick(work, given)
    if given.kind == "recalled":
        yield from _recalled(work, given)
        return
    if human.concerns(work, given):
        yield from human.turn(work, given)
        return
    if given.kind in ("choice", "form_submit", "form_cancel"):
        work.state.heard += 1
        pending.forget(work)
    match given.kind:
        case "message":
            yield from hear(work, given)
        case "choice":
            yield from choose(work, given)
        case "form_draft" | "form_submit" | "form_cancel":
            work.draft = given.kind == "form_draft"
            yield from forms.take(work, given)
        case "timer":
            yield from _timer(work, given)
        case "noticed":
            pending.take(work, given.found)
        case "end":
            _end(work)
        case "start" | "resume":
            yield from flow.run_on(work)


def _recalled(work: Work, given: Input) -> Flow:
    """What was said has been taken back, and the session stands where it stood before. A crisis is not taken back."""
    if given.danger:
        crisis.call(work, crisis.RECALLED)
        yield from flow.run_on(work)


def _tick(work: Work, given: Input) -> None:
    """Time has passed while the session waited."""
    elapsed.pass_time(work, given)
    budgets.shorten(work)


def _end(work: Work) -> None:
    """The person ends the session. Who does so in a crisis is told once more whom to call."""
    running, held = work.state.running, work.state.human
    in_crisis = running is not None and running.project == SAFETY
    if in_crisis or (held is not None and held.danger):
        contacts = fill(work, "{%crisis_contacts%}", to_person=True)
        work.tell(contacts, action=running.action.id if running and running.action else None)
    if running is not None and in_crisis:
        work.state.ended_in = running.ref
    leaving.end(work, "ended by the person")


def _timer(work: Work, given: Input) -> Flow:
    """An action's time is up. A timer that comes too early or too late changes nothing."""
    frame = work.state.running.action if work.state.running else None
    if frame is None or frame.wait is None or frame.wait.due is None or frame.wait.due > work.world.now:
        return
    _tick(work, given)
    action = flow.present_action(work)
    own = registry()[action.type].struck(work, action) if action is not None else None
    if own is not None:
        frame.wait = None
        flow.apply(work, own)
        yield from flow.run_on(work)
        return
    how = (action.on_timeout if action else None) or "continue"
    frame.memory["timed_out"] = True
    branches.take(work, branches.acting(work), branches.TIMEOUT)
    if how == "retry" and action is not None:
        flow.put_again(work)
        return
    work.running.unfinished = sorted({*work.running.unfinished, frame.id})
    if how == "end":
        work.tell(work.spoken("timed_out", 0), action=frame.id)
        leaving.end(work, "timeout")
        return
    late.note(work)
    overdue.leave(work, frame)
    frame.wait = None
    flow.apply(work, Step(done=True, outcome="timeout"))
    if how == "skip":
        leaving.skip_topic(work, "timeout")
    yield from flow.run_on(work)


def request_of(state: State, script: Script) -> Request:
    """What a session of this script in this state awaits."""
    if state.human is not None and not state.ended:
        return Request("message")
    frame = state.running.action if state.running else None
    if state.ended or frame is None or frame.wait is None:
        return Request("none")
    filling = Filling.of(frame)
    form = fillings.request(script, filling) if filling is not None and frame.wait.kind == "form" else None
    return Request(frame.wait.kind, tuple(frame.wait.choices), form)


def _finished(work: Work) -> Turn:
    if work.acknowledge:
        work.tell(acknowledgement(work))
    feedback.used(work)
    keeping.renewed(work)
    joints.tell(work)
    instances.noted(work)
    branches.told(work)
    state = work.state
    state.human = None if state.ended else state.human
    return Turn(
        state=state,
        variables=work.variables,
        messages=tuple(work.messages),
        events=tuple(work.events),
        request=request_of(state, work.world.script),
        wake_at=_wakes(work),
        status="completed" if state.ended else "waiting_input",
        exit=work.exit,
        memories=work.memories,
        after=() if work.draft else beside.tasks(work),
    )


def _wakes(work: Work) -> datetime | None:
    """When the session goes on by itself, or is looked back over: what comes first."""
    periodic.note(work)
    frame = work.state.running.action if work.state.running else None
    times = (frame.wait.due if frame and frame.wait else None, periodic.next_due(work), human.due(work.state))
    return min((each for each in times if each is not None), default=None)
