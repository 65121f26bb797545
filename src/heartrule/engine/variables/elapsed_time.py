"""How long a phase and a topic have been gone through, and what is left of their ``time_budget``.

Time is that of the turns' own clock. It rests for a topic that was put aside; for everything while a topic of the
project ``safety`` runs, the person has paused, or a counsellor speaks; and over a silence in which the session slept.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from heartrule.engine.session.io import Input
from heartrule.engine.session.state import State
from heartrule.engine.work import SAFETY, Work
from heartrule.language.lengths import length

QUIET = timedelta(minutes=30)
"""A longer silence counts for nothing: the session was suspended in it."""
NEAR = 0.2
"""The share of a budget that is its end."""


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """Seconds that are left of a budget of so many; less than 0 when it is used up."""

    of: Literal["topic", "phase"]
    seconds: float
    budget: float

    @property
    def near(self) -> bool:
        """Whether the end has come near."""
        return self.seconds <= self.budget * NEAR


def pass_time(work: Work, given: Input) -> None:
    """Count the time since the last turn for the phase and the topic that were waiting in it."""
    if given.kind in ("noticed", "advised"):  # what is asked beside it is no end of a silence
        return
    state, now = work.state, work.world.now
    clock = state.clock
    gap = now - clock.at if clock.at is not None and not clock.paused else timedelta()
    clock.at = now
    clock.paused = given.kind == "pause" or (given.kind == "timer" and clock.paused)
    running = state.running
    alone = state.human is None and state.quiet is None
    if not timedelta() < gap <= QUIET or (running is not None and running.project == SAFETY) or not alone:
        return
    if state.phase is not None:
        state.phase.spent += gap / timedelta(seconds=1)
    if running is not None:
        running.spent += gap / timedelta(seconds=1)


def stood_still(state: State, span: timedelta) -> State:
    """The state of a session that rested for so long: what times the waiting action has stood still."""
    wait = state.running.action.wait if state.running and state.running.action else None
    if wait is None or wait.due is None:
        return state
    state = state.model_copy(deep=True)
    assert state.running
    assert state.running.action
    assert state.running.action.wait
    state.running.action.wait.due = wait.due + max(span, timedelta(0))
    return state


def topic_left(work: Work) -> TimeLeft | None:
    """Of the running topic's own budget; None when it has none."""
    body = work.body() if work.state.running is not None else None
    return None if body is None else _left("topic", body.time_budget, work.running.spent)


def phase_left(work: Work) -> TimeLeft | None:
    if work.state.phase is None:
        return None
    return _left("phase", work.phase.time_budget, work.phase_frame.spent)


def _left(of: Literal["topic", "phase"], written: str | None, spent: float) -> TimeLeft | None:
    budget = length(written) if written else None
    seconds = budget / timedelta(seconds=1) if budget else 0.0
    return TimeLeft(of, seconds - spent, seconds) if seconds else None


def short(work: Work) -> TimeLeft | None:
    """What is near its end for the topic that runs, the most pressing; None when there is time, or it is not cut."""
    running = work.state.running
    if running is None or running.project == SAFETY or running.awareness is not None:
        return None
    whole = None if running.priority == "high" or running.cause.kind == "awareness" else phase_left(work)
    found = [left for left in (topic_left(work), whole) if left is not None and left.near]
    return min(found, key=lambda left: left.seconds, default=None)
