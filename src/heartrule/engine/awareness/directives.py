"""What an awareness script orders, and its being carried out by the topic scheduler."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from heartrule.engine import branches, exits
from heartrule.engine.awareness import alerts
from heartrule.engine.awareness.awareness import target
from heartrule.engine.extraction.extraction import literal
from heartrule.engine.scheduling import phase_queue, topics
from heartrule.engine.session.awareness_results import Verdict
from heartrule.engine.session.events import DirectiveApplied, Escalated, Noticed
from heartrule.engine.session.io import World
from heartrule.engine.session.state import Alert, Cause
from heartrule.engine.tasks import feedback
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.variables import scopes
from heartrule.engine.work import SAFETY, Work, identity
from heartrule.language.nodes import Directive, Topic

FLOOR = ("CALL_TECHNIQUE", "SUSPEND_CURRENT", "END_SESSION")
"""Directives after which something else comes than the reply to what was said."""
SESSION, TURN = 40, 8
"""Directives below P0 that a session, and one turn of it, may carry out; beyond that they are refused. Those of the
project ``safety`` are not counted."""
GAVE_WAY = "gave way"
"""To what took the floor before it."""
NO_TOPIC = "no such topic in this phase"
NOT_PLANNED = "no such topic is planned"
UNTOLD = "nobody was told"
"""Why a script does not go on after its ``ESCALATE`` was refused: what comes then takes somebody to be coming."""


def wants_the_floor(verdict: Verdict) -> bool:
    return any(is_for_now(directive) for directive in verdict.directives())


def takes_the_floor(work: Work, verdict: Verdict) -> bool:
    """Whether it orders what comes in place of the reply, and may do so here and now: what would be refused takes
    nothing."""
    ordered = 0
    for directive in verdict.directives():
        refused = _refused(work, directive, verdict, ordered)
        if refused and directive.directive == "ESCALATE":
            return False
        if not refused and is_for_now(directive) and not _hindered(work, directive, verdict):
            return True
        ordered += not refused
    return False


def _hindered(work: Work, directive: Directive, verdict: Verdict) -> str:
    """Why what it calls cannot come now, or nothing."""
    match directive.directive:
        case "CALL_TECHNIQUE":
            return topics.refuses(work, _called(work.world, directive, verdict), verdict.ref)
        case "INSERT_TOPIC":
            topic = _topic(work, directive)
            return NO_TOPIC if topic is None else phase_queue.refuses(work, identity(topic), directive.position)
        case "SUSPEND_CURRENT":
            return topics.keeps(work.state)
    return ""


def _called(world: World, directive: Directive, verdict: Verdict) -> str | None:
    return target(world, directive, verdict.ref, answered=verdict.answered)


def is_for_now(directive: Directive) -> bool:
    """Whether something else comes than what was going on."""
    return directive.directive in FLOOR or (directive.directive == "INSERT_TOPIC" and directive.position == "HEAD")


def give_way(work: Work, verdict: Verdict) -> None:
    """Its directives are not carried out, because the person's safety comes first."""
    give_up(work, verdict, "safety comes first")


def give_up(work: Work, verdict: Verdict, why: str) -> None:
    """None of its directives is carried out, for one cause."""
    for directive in verdict.directives():
        _applied(work, directive, verdict, why)
    _mark(work, verdict, [why])


def carry_out(work: Work, verdict: Verdict, place: str = "") -> bool:
    """All directives of a verdict, in the order written, each recorded with its cause; whether one of them has taken
    the floor: what would take it after that gives way. ``place``: the hook point in the script that this is at."""
    if verdict.verdict == "watch":
        work.state.watched[verdict.ref] = work.state.seq
    elif verdict.verdict == "unknown":
        work.state.unsure[verdict.ref] = work.state.seq
    refusals = _in_order(work, verdict)
    _mark(work, verdict, refusals)
    if "" in refusals or not refusals:
        branches.take(work, branches.awareness_place(verdict.ref), verdict.way)
    if "" in refusals and not verdict.repeat and verdict.verdict in ("yes", "watch") and verdict.node.priority != "P2":
        alerts.struck(work, verdict.ref, place)
    floor = zip(verdict.directives(), refusals, strict=False)
    return any(not why and is_for_now(directive) for directive, why in floor)


def _in_order(work: Work, verdict: Verdict) -> list[str]:
    """Why each was refused, or nothing where it was carried out; as far as the session had not ended before."""
    refusals: list[str] = []
    alone = taken = False
    for directive in verdict.directives():
        before = GAVE_WAY if taken and is_for_now(directive) else ""
        refusals.append(order(work, directive, verdict, UNTOLD if alone else before))
        if work.state.ended:
            break
        alone = alone or bool(refusals[-1] and directive.directive == "ESCALATE")
        # What only puts something aside makes room for what comes next.
        taken = taken or (not refusals[-1] and is_for_now(directive) and directive.directive != "SUSPEND_CURRENT")
    return refusals


def order(work: Work, directive: Directive, verdict: Verdict, refused: str = "") -> str:
    """Carry one directive out for what a verdict stands for, unless it is ``refused``, and record it. Why it was not
    done, or nothing."""
    why = refused or _refused(work, directive, verdict) or _apply(work, directive, verdict)
    _applied(work, directive, verdict, why)
    if not why and _is_counted(verdict):
        work.state.ordered += 1
        work.schedule.ordered += 1
    return why


def _is_of_safety(ref: str) -> bool:
    return ref.partition("/")[0] == SAFETY


def _is_counted(verdict: Verdict) -> bool:
    return verdict.node.priority != "P0" and not _is_of_safety(verdict.ref)


def _refused(work: Work, directive: Directive, verdict: Verdict, before: int = 0) -> str:
    """Why a script may not order this now; nothing where it may. The person's own contact is told by the project
    ``safety`` alone, whose script asks for their consent; nothing else is refused to it or to P0. ``before``: so many
    directives of the same verdict come first."""
    if directive.directive == "ESCALATE" and directive.to == "contact" and not _is_of_safety(verdict.ref):
        return "no consent"
    if not _is_counted(verdict):
        return ""
    if not work.world.script.project.may_order(directive.directive):
        return "not allowed"
    return "budget" if work.state.ordered + before >= SESSION or work.schedule.ordered + before >= TURN else ""


def _mark(work: Work, verdict: Verdict, refusals: Sequence[str]) -> None:
    """Say in the verdict's own record whether it has acted, and why not."""
    acted = "" in refusals
    if not refusals:
        return
    for index in range(len(work.events) - 1, -1, -1):
        event = work.events[index]
        if isinstance(event, Noticed) and event.awareness == verdict.ref:
            rest = "" if acted else refusals[0]
            work.events[index] = event.model_copy(update={"acted": acted, "rest": rest})
            return


def _applied(work: Work, directive: Directive, verdict: Verdict, refused: str) -> None:
    work.emit(
        DirectiveApplied(
            directive=directive.directive,
            cause=f"{verdict.ref} {verdict.verdict}",
            detail=directive.model_dump(exclude_defaults=True, exclude={"directive"}),
            refused=refused,
        )
    )


def _apply(work: Work, directive: Directive, verdict: Verdict) -> str:
    """Carry one directive out. Returns why it was refused, or nothing."""
    return _DEEDS[directive.directive](work, directive, verdict)


def _call_technique(work: Work, directive: Directive, verdict: Verdict) -> str:
    ref = _called(work.world, directive, verdict)
    params = {"heard": verdict.source} | {name: literal(work, value) for name, value in directive.params.items()}
    return topics.interrupt(work, ref, _cause(verdict), verdict.node.resume, verdict.ref, params)


def _suspend_current(work: Work, directive: Directive, verdict: Verdict) -> str:
    return topics.suspend(work, _cause(verdict, directive.reason))


def _skip_topics(work: Work, directive: Directive, verdict: Verdict) -> str:
    return "" if phase_queue.skip(work, directive.topics or (), str(_cause(verdict))) else NOT_PLANNED


def _reorder_topics(work: Work, directive: Directive, verdict: Verdict) -> str:
    return "" if phase_queue.reorder(work, directive.priority_map or {}, str(_cause(verdict))) else NOT_PLANNED


def _set_var(work: Work, directive: Directive, verdict: Verdict) -> str:
    value = literal(work, directive.value)
    written = scopes.write(work, directive.var or "", value, strategy="set", source=str(_cause(verdict)))
    return "" if written else "the value was refused"


def _feedback(work: Work, directive: Directive, verdict: Verdict) -> str:
    feedback.give(work, fill(work, directive.text))
    return ""


def _escalate(work: Work, directive: Directive, verdict: Verdict) -> str:
    escalate(work, directive.to or "", fill(work, directive.note), str(_cause(verdict)))
    return ""


def _end_session(work: Work, directive: Directive, verdict: Verdict) -> str:
    exits.end(work, directive.reason or str(_cause(verdict)))
    return ""


def _cause(verdict: Verdict, words: str | None = None) -> Cause:
    return Cause(kind="awareness", ref=verdict.ref, words=words or "")


def _switch(work: Work, directive: Directive, verdict: Verdict) -> str:
    found = work.world.script.noticing(directive.awareness or "", verdict.ref.partition("/")[0])
    if found is None:
        return "no such awareness script"
    ref, node = found
    on = directive.directive == "ENABLE"
    if not on and (_is_of_safety(ref) or (node.always and node.priority == "P0")):
        return "safety is always on"
    work.state.switched[ref] = on
    if on:
        work.state.alerts[ref] = Alert(since=work.world.now)
    return ""


def escalate(work: Work, to: str, note: str, cause: str) -> None:
    """Call for somebody. The id is the same however often the turn is worked out."""
    if to == "desk":
        work.state.handled.called = work.world.now
    number = sum(event.kind == "escalated" for event in work.events) + 1
    work.emit(Escalated(id=f"{work.state.seq}-{number}", to=to, note=note, cause=cause))


def _insert(work: Work, directive: Directive, verdict: Verdict) -> str:
    topic = _topic(work, directive)
    if topic is None:
        return NO_TOPIC
    return phase_queue.insert(work, topic, directive.position, _cause(verdict), verdict.node.resume)


def _topic(work: Work, directive: Directive) -> Topic | None:
    """The topic of this phase that it names."""
    steps = work.phase.steps if work.state.phase is not None else []
    return next((t for t in steps if directive.topic in (t.id, t.topic)), None)


_DEEDS: Mapping[str, Callable[[Work, Directive, Verdict], str]] = {
    "CALL_TECHNIQUE": _call_technique,
    "INSERT_TOPIC": _insert,
    "SUSPEND_CURRENT": _suspend_current,
    "SKIP_TOPICS": _skip_topics,
    "REORDER_TOPICS": _reorder_topics,
    "SET_VAR": _set_var,
    "FEEDBACK": _feedback,
    "ENABLE": _switch,
    "DISABLE": _switch,
    "ESCALATE": _escalate,
    "END_SESSION": _end_session,
}
"""What each directive does: why it was refused, or nothing."""
