"""What was noticed beside the conversation: recorded at once, acted upon at the next hook point of the person's next
turn.

A hook point is where one action has ended and the next thing has not begun. Until then directives wait, and not for
ever: what was seen in one phase, or ten of the person's turns ago, is of no use any more.
"""

from __future__ import annotations

from collections.abc import Sequence

from heartrule.engine.awareness import alerts, crisis, directives
from heartrule.engine.awareness.awareness import enabled
from heartrule.engine.session.awareness_results import Verdict
from heartrule.engine.session.events import Noticed
from heartrule.engine.session.io import PeriodicFinding, World
from heartrule.engine.session.state import LastJudgement, PendingDirective, State
from heartrule.engine.work import SAFETY, Work

TURNS = 10
"""Turns of the person for which a directive waits for its hook point."""
WAITS, OFF, LOOKED = "waits for the next hook point", "disabled", "judged already"
LEFT, OLD = "the phase was left", "too old"


def take(work: Work, found: Sequence[PeriodicFinding]) -> None:
    """Record what was found. A finding that rests on an earlier look than the last one counts for nothing: somebody
    else has looked meanwhile."""
    on = enabled(work, "P2")
    for each in found:
        last, node = work.state.periodic.get(each.awareness), on.get(each.awareness)
        if node is None or last is None:
            _record(work, each, OFF)
        elif last.turn != each.since:
            _record(work, each, LOOKED)
        else:
            state = work.state
            state.periodic[each.awareness] = LastJudgement(
                turn=state.seq, at=work.world.now, heard=state.heard, message=state.messages
            )
            _record(work, each, _keep(work, Verdict(each.awareness, node, each.verdict, each.source), each))


def _keep(work: Work, verdict: Verdict, found: PeriodicFinding) -> str:
    """Whether it will act: why not, or that it waits."""
    # That nothing can be seen yet is not that nobody could look.
    unsure = found.verdict == "unknown" and found.source == "model"
    if unsure or not verdict.directives():
        return ""
    rest = alerts.resting(work, verdict.ref, verdict.node)
    if rest:
        return rest
    if verdict.verdict in ("yes", "watch"):
        alerts.struck(work, verdict.ref)
    others = [one for one in work.state.pending if one.awareness != verdict.ref]
    work.state.pending = [
        *others,
        PendingDirective(
            awareness=found.awareness,
            verdict=found.verdict,
            source=found.source,
            turn=work.state.seq,
            heard=work.state.heard,
            phase=work.state.phase.key if work.state.phase else "",
        ),
    ]
    return WAITS


def _record(work: Work, found: PeriodicFinding, rest: str) -> None:
    work.emit(
        Noticed(
            awareness=found.awareness,
            verdict=found.verdict,
            source=found.source,
            confidence=found.confidence,
            evidence=found.evidence,
            reason=found.reason,
            priority="P2",
            rest=rest,
        )
    )


# at the hook point


def act(work: Work) -> bool:
    """Carry out what waits, where this is a hook point of a turn of the person; the first that takes the floor has it,
    those that would take it too give way. Whether there was any."""
    if not work.state.pending or not _at_hook_point(work):
        return False
    forget(work)
    waiting, work.state.pending = work.state.pending, []
    taken = False
    for each in waiting:
        verdict = _verdict(work.world, each)
        if taken and directives.wants_the_floor(verdict):
            directives.give_up(work, verdict, directives.GAVE_WAY)
        else:
            taken = directives.carry_out(work, verdict) or taken
        if work.state.ended:
            break
    return bool(waiting)


def _at_hook_point(work: Work) -> bool:
    """Nothing waits, and whatever interrupts already comes to its end first."""
    state, running = work.state, work.state.running
    if state.phase is None or not any(message.sender == "person" for message in work.messages):
        return False
    if crisis.runs(work) or (running is not None and running.action is not None):
        return False
    return not any(frame.awareness or frame.project == SAFETY for frame in state.frames)


def forget(work: Work) -> None:
    """What has waited too long, or is off by now, is given up with its cause."""
    on, kept = enabled(work, "P2"), []
    for each in work.state.pending:
        why = _given_up(work.state, each, each.awareness in on)
        if not why:
            kept.append(each)
        elif each.awareness in work.world.script.awareness:
            directives.give_up(work, _verdict(work.world, each), why)
    work.state.pending = kept


def _given_up(state: State, waiting: PendingDirective, on: bool) -> str:
    if not on:
        return OFF
    if waiting.phase != (state.phase.key if state.phase else ""):
        return LEFT
    return OLD if state.heard - waiting.heard > TURNS else ""


def _verdict(world: World, waiting: PendingDirective) -> Verdict:
    node = world.script.awareness[waiting.awareness]
    return Verdict(waiting.awareness, node, waiting.verdict, waiting.source)
