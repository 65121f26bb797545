"""What a topic is told about its place among the others (seed 000 §5.2.5): names that conditions and texts read."""

from __future__ import annotations

from heartrule.engine.session.io import World
from heartrule.engine.session.state import Cause, PlannedTopic, TopicFrame
from heartrule.engine.variables import danger_statements
from heartrule.engine.variables.elapsed_time import TimeLeft, phase_left, topic_left
from heartrule.engine.work import Work
from heartrule.locales import is_chinese
from heartrule.parsing.farewells import is_leaving

Counted = float | int | str | list[str] | None


def counter(work: Work, head: str, rest: str) -> Counted:
    """The value of ``head.rest`` where that is one of the engine's own names; None where it is none, or has none."""
    match head:
        case "topic":
            return _topic(work, rest)
        case "phase":
            return work.elapsed(head) if rest == "elapsed" else _seconds(phase_left(work)) if rest == "left" else None
        case "session":
            return _session(work, rest)
        case "action":
            running = work.state.running
            return running.action.round if rest == "round" and running and running.action else None
        case "safety":
            return _safety(work, rest)
    return None


def _session(work: Work, rest: str) -> Counted:
    match rest:
        case "elapsed":
            return work.elapsed("session")
        case "model":
            return work.world.model
        case "human":
            return work.state.takeovers > 0
        case "leaving":
            said = (message.text for message in reversed(work.transcript()) if message.sender == "person")
            return is_leaving(next(said, ""))
    return None


def _safety(work: Work, rest: str) -> Counted:
    handled = work.state.handled
    match rest:
        case "desk" | "contact":
            return rest in work.world.reaches
        case "explored":
            last = max(handled.message, handled.explored)
            return work.state.messages - last if last else None
        case "handled":
            return handled.times
        case "asked":
            return list(handled.asked)
        case "told":
            return list(danger_statements.quotes(work))
        case "open":
            return handled.open
        case "wish":
            return bool(handled.times or handled.explored)
    return None


def _topic(work: Work, rest: str) -> Counted:
    match rest:
        case "left":
            return _seconds(topic_left(work))
        case "completed" | "skipped":
            return _refs(work, rest)
        case "planned":
            queue = work.phase_frame.queue if work.state.phase else []
            return list(dict.fromkeys(planned.ref for planned in queue))
    if work.state.running is not None:
        return _running(work.state.running, rest)
    return (
        attempted(work, work.schedule.considered)
        if rest == "attempts" and work.schedule.considered is not None
        else None
    )


def _running(topic: TopicFrame, rest: str) -> Counted:
    match rest:
        case "attempts":
            return topic.attempts
        case "elapsed":
            return topic.spent
        case "suspended":
            return str(topic.because) if topic.because else None
        case "exit":
            return topic.exit or None
    return None


def counted_as(work: Work, topic: TopicFrame | PlannedTopic) -> str:
    """The name under which its attempts are counted."""
    if topic.kind == "skill":
        return topic.ref
    return f"{work.phase_frame.id} {topic.ref} {topic.item or ''}".strip()


def attempted(work: Work, topic: TopicFrame | PlannedTopic) -> int:
    """How often it has been begun so far."""
    return work.state.attempts.get(counted_as(work, topic), 0)


def _refs(work: Work, state: str) -> list[str]:
    finished = work.phase_frame.finished if work.state.phase else []
    return list(dict.fromkeys(each.ref for each in finished if each.state == state))


def _seconds(left: TimeLeft | None) -> float | None:
    return None if left is None else left.seconds


def prompt_value(work: Work, name: str) -> str | None:
    """The same as words for a prompt or a text; None when the name is none of these."""
    running = work.state.running
    match name:
        case "topic_attempts":
            return str(running.attempts) if running else ""
        case "suspended_because":
            return _reason(work.world, running.because) if running and running.because else ""
        case "completed_topics":
            finished = work.phase_frame.finished if work.state.phase else []
            return _listed(work.world, [each.name for each in finished if each.state == "completed"])
        case "planned_topics":
            queue = work.phase_frame.queue if work.state.phase else []
            return _listed(work.world, [planned.name for planned in queue])
    return None


def _listed(world: World, names: list[str]) -> str:
    comma = "、" if is_chinese(world.script.locale) else ", "
    return comma.join(dict.fromkeys(names))


def _reason(world: World, cause: Cause) -> str:
    """A cause in the words of the script: the author's own, else an awareness script by its name."""
    node = world.script.awareness.get(cause.ref) if cause.kind == "awareness" and not cause.words else None
    return node.awareness if node is not None else str(cause)
