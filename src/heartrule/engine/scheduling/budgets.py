"""What gives way near the end of a ``time_budget``: planned topics of low priority, rounds, and follow-up questions.

What matters most runs in any case and is not cut by the phase's time: topics of high priority, what an awareness script
has called or put in, and everything of the project ``safety``.
"""

from __future__ import annotations

from heartrule.engine.scheduling import phase_queue
from heartrule.engine.session.events import Shortened
from heartrule.engine.session.state import PlannedTopic
from heartrule.engine.variables import scopes
from heartrule.engine.variables.elapsed_time import phase_left, short
from heartrule.engine.work import Work
from heartrule.language.nodes import Get

ROUND = 60.0
"""Seconds that one round is reckoned to take."""


def drop_planned(work: Work) -> None:
    """Near the end of the phase's time planned topics of low priority are skipped, with what was deferred to them."""
    left = phase_left(work)
    if left is None or not left.near:
        return
    gone = [planned for planned in work.phase_frame.queue if _may_go(planned)]
    refs = {planned.ref for planned in gone if planned.kind == "topic"}
    if gone:
        cause = f"time_budget: {left.seconds:.0f} of {left.budget:.0f} s left in the phase"
        phase_queue.leave(work, [p for p in work.phase_frame.queue if p in gone or p.to in refs], cause)


def _may_go(planned: PlannedTopic) -> bool:
    ordered = planned.urgent or planned.cause.kind == "awareness"
    return planned.priority == "low" and not ordered


def shorten(work: Work) -> None:
    """Cut the rounds of the waiting action to what is left. A question about a risk is not cut."""
    left = short(work)
    frame = work.state.running.action if work.state.running else None
    if left is None or frame is None or frame.max_rounds is None:
        return
    rounds = max(0, int(left.seconds // ROUND))
    limit = max(frame.round + rounds, _least(work))
    if limit < frame.max_rounds:
        work.emit(
            Shortened(action=frame.id, of=left.of, left=round(left.seconds, 3), was=frame.max_rounds, max_rounds=limit)
        )
        frame.max_rounds = limit


def _least(work: Work) -> int:
    """Rounds that the action needs in any case: without a model it asks for its values one after another."""
    frame, action = work.frame, work.action_at(work.frame.index)
    wanted = [item for item in (action.peek("output") if action else None) or [] if isinstance(item, Get)]
    if any(scopes.rules_for(scopes.definition(work, item.get)[1], item).risk for item in wanted):
        return frame.max_rounds or 1
    return len(wanted) if action is not None and action.traits.asks == "own" and not work.model else 1
