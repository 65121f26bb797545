"""Leaving: a topic before its end, a phase, the session."""

from __future__ import annotations

from heartrule.engine.scheduling import instances, topics
from heartrule.engine.session.events import Ended, PhaseChanged
from heartrule.engine.variables import contradictions, scopes
from heartrule.engine.work import Work
from heartrule.language.nodes import Topic

LOOP = "loop"
"""Why a session ended that went on and on without waiting."""


def skip_topic(work: Work, cause: str) -> None:
    """Leave the running topic unfinished; its caller, if it is a technique, goes on."""
    frame, body = work.running, work.body()
    topics.drop(work, frame, cause)
    work.state.running = None
    if isinstance(body, Topic):
        instances.grow(work, frame, body)


def leave_phase(work: Work, cause: str) -> None:
    """Take what is left of the phase out of the plan, and close its scope."""
    topics.drop_all(work, cause)
    frame = work.phase_frame
    scopes.close_scope(work, ("phase", frame.key), frame.id)
    work.emit(PhaseChanged(id=frame.id, state="left", cause=cause))
    if frame.id not in work.state.left:
        work.state.left.append(frame.id)
    work.state.phase = None


def end(work: Work, reason: str) -> None:
    """The session is over."""
    if work.state.phase is not None:
        leave_phase(work, reason)
    contradictions.drop(work, "the session has ended")
    work.state.ended = True
    work.state.end_reason = reason
    work.emit(Ended(reason=reason))
