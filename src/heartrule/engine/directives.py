"""What an awareness script orders, and its being carried out by the topic scheduler."""

from __future__ import annotations

from heartrule.engine import flow, scopes, topics
from heartrule.engine.awareness import Verdict, target
from heartrule.engine.events import DirectiveApplied
from heartrule.engine.extraction import literal
from heartrule.engine.state import Planned
from heartrule.engine.work import Work, identity
from heartrule.language.nodes import Directive

FLOOR = ("CALL_TECHNIQUE", "SUSPEND_CURRENT", "END_SESSION")
"""Directives after which something else comes than the reply to what was said."""


def takes_the_floor(verdict: Verdict) -> bool:
    return any(directive.directive in FLOOR for directive in verdict.directives())


def give_way(work: Work, verdict: Verdict) -> None:
    """Its directives are not carried out, because the person's safety comes first."""
    for directive in verdict.directives():
        _applied(work, directive, verdict, "safety comes first")


def carry_out(work: Work, verdict: Verdict) -> None:
    """All directives of a verdict, in the order written, each recorded with its cause."""
    if verdict.verdict == "watch":
        work.state.watched[verdict.ref] = work.state.seq
    elif verdict.verdict == "unknown":
        work.state.unsure[verdict.ref] = work.state.seq
    for directive in verdict.directives():
        _applied(work, directive, verdict, _apply(work, directive, verdict))
        if work.state.ended:
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
    cause = f"awareness {verdict.ref}"
    match directive.directive:
        case "CALL_TECHNIQUE":
            ref = target(work, directive, verdict.ref)
            params = {"heard": verdict.source} | {
                name: literal(work, value) for name, value in directive.params.items()
            }
            return topics.interrupt(work, ref, cause, verdict.node.resume, verdict.ref, params)
        case "INSERT_TOPIC":
            return _insert(work, directive, cause)
        case "SUSPEND_CURRENT":
            if work.state.running is None:
                return "nothing is running"
            topics.suspend(work, directive.reason or cause)
            work.state.suspended[-1].gives_way = True
        case "SKIP_TOPICS":
            if not topics.skip_planned(work, directive.topics or (), cause):
                return "no such topic is planned"
        case "REORDER_TOPICS":
            if not topics.reorder(work, directive.priority_map or {}, cause):
                return "no such topic is planned"
        case "SET_VAR":
            if not scopes.write(
                work, directive.var or "", literal(work, directive.value), strategy="set", source=cause
            ):
                return "the value was refused"
        case "END_SESSION":
            flow.end(work, directive.reason or cause)
    return ""


def _insert(work: Work, directive: Directive, cause: str) -> str:
    topic = next((t for t in work.phase.steps if directive.topic in (t.id, t.topic)), None)
    if topic is None:
        return "no such topic in this phase"
    planned = Planned(
        key=work.key("t"),
        kind="topic",
        ref=identity(topic),
        name=topic.topic,
        priority=topic.priority,
        cause=cause,
    )
    topics.insert(work, planned, directive.position, cause)
    return ""
