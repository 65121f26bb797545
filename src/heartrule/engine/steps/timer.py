"""The time of the waiting action is up: what its script, or the action itself, wants to come of that."""

from __future__ import annotations

from heartrule.engine import branches, exits, flow
from heartrule.engine.action_types import registry
from heartrule.engine.repair import late_words
from heartrule.engine.session.moves import Step
from heartrule.engine.steps.effects import Effects
from heartrule.engine.submissions import late_forms
from heartrule.engine.work import Work


def strike(work: Work) -> Effects:
    frame, action = work.frame, flow.present_action(work)
    own = registry()[action.type].struck(work, action) if action is not None else None
    if own is not None:
        frame.wait = None
        return Effects(step=own)
    how = (action.on_timeout if action else None) or "continue"
    frame.timed_out = True
    branches.take(work, branches.acting(work), branches.TIMEOUT)
    if how == "retry" and action is not None:
        flow.put_again(work)
        return Effects(goes_on=False)
    work.running.unfinished = sorted({*work.running.unfinished, frame.id})
    if how == "end":
        work.tell(work.spoken("timed_out", 0), action=frame.id)
        exits.end(work, "timeout")
        return Effects(goes_on=False)
    late_words.note(work)
    late_forms.leave(work.state, frame)
    frame.wait = None
    flow.apply(work, Step(done=True, outcome="timeout"))
    if how == "skip":
        exits.skip_topic(work, "timeout")
    return Effects()
