"""One turn, worked out without touching the outside: everything between one input and the next wait.

``advance`` is a pure function. Given the same world, input and answers it gives the same result, byte for byte; asked
with too few answers it says which it needs. Whoever drives it answers them and asks again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from heartrule.engine import branches, exits, pipeline, takeover
from heartrule.engine.awareness import hook_points, periodic
from heartrule.engine.dialogue.fixed_wording import acknowledgement
from heartrule.engine.forms import form_progress
from heartrule.engine.memory import memory_writes
from heartrule.engine.scheduling import instances
from heartrule.engine.session.io import Input, Message, Needs, Request, Rest, Turn, World
from heartrule.engine.session.state import State
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.supervision import background
from heartrule.engine.tasks import feedback
from heartrule.engine.work import Work
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
        self._run = pipeline.take(self._work, given)
        self._wanted: Sequence[Task] | Rest | None = None

    @property
    def work(self) -> Work:
        """The working copy as it stands, for whoever looks on."""
        return self._work

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


def request_of(state: State, script: Script) -> Request:
    """What a session of this script in this state awaits."""
    if (state.human is not None or state.quiet is not None) and not state.ended:
        return Request("message")
    frame = state.running.action if state.running else None
    if state.ended or frame is None or frame.wait is None:
        return Request("none")
    wait, form = frame.wait, form_progress.waiting(script, frame)
    return Request(wait.kind, tuple(wait.choices), form, offers=tuple(wait.offers), scale=wait.scale)


def _finished(work: Work) -> Turn:
    if work.flags.acknowledge:
        work.tell(acknowledgement(work))
    feedback.used(work)
    memory_writes.renewed(work)
    hook_points.tell(work)
    instances.noted(work)
    branches.record(work)
    state = work.state
    if state.ended:
        state.human = state.quiet = None
    return Turn(
        state=state,
        variables=work.variables,
        messages=tuple(work.messages),
        events=tuple(work.events),
        request=request_of(state, work.world.script),
        wake_at=_wakes(work),
        status=_status(state),
        exit=work.exit,
        memories=work.memories,
        after=() if work.flags.draft else background.tasks(work),
    )


def _status(state: State) -> Literal["waiting_input", "completed", "error"]:
    """``error``: the session could not go on as its script is written, and was ended for that."""
    if not state.ended:
        return "waiting_input"
    return "error" if state.end_reason == exits.LOOP else "completed"


def _wakes(work: Work) -> datetime | None:
    """When the session goes on by itself, or is looked back over: what comes first."""
    periodic.note(work)
    frame = work.state.running.action if work.state.running else None
    times = (frame.wait.due if frame and frame.wait else None, periodic.next_due(work), takeover.due(work.state))
    return min((each for each in times if each is not None), default=None)
