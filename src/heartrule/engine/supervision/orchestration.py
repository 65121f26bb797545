"""The topic orchestrator (seed 004, path 2): where a monitor asks for more than other words, a model proposes another
plan for the rest of the topic, beside the conversation. ``plans`` decides whether it may be; what it may not leaves
the topic as it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrule.engine import topic_plan
from heartrule.engine.session.events import AdviceUnused, PlanChanged
from heartrule.engine.session.state import PlanRequest, State, TopicFrame
from heartrule.engine.session.tasks import Task
from heartrule.engine.supervision import plans
from heartrule.engine.tasks.prompt_context import fill, shared
from heartrule.engine.work import SAFETY, Work
from heartrule.language.nodes import Action, Skill, Topic

TEMPLATE = "topic_orchestrator"
KINDS = ("insert", "modify", "skip", "reorder", "none")
SHOWN = 160
"""Characters of an action's content that the list of actions shows."""
LONGEST = 300
"""Characters of a reason that are kept."""
ELSEWHERE, NO_PLAN = "it is about another topic", "no plan in it"
_TEXT: Mapping[str, Any] = {"type": "string"}
_ROUNDS: Mapping[str, Any] = {"type": "integer"}


def question(work: Work) -> Task | None:
    """What the orchestrator is asked as long as a monitor wants it to be; None where nobody does, or no plan could be
    carried out any more."""
    wanted = work.state.wanted
    frame = work.state.running
    if wanted is None or frame is None or frame.key != wanted.topic or _closed(work.state, frame) or plans.spent(frame):
        return None
    body = work.body(frame)
    if body is None:
        return None
    return Task(
        key=_key(frame),
        kind="analyse",
        role="understand",
        template=TEMPLATE,
        context=shared(work),
        values={
            "reason": wanted.reason,
            "suggestion": work.spoken(f"retries.{wanted.suggestion}", 0) if wanted.suggestion else "",
            "actions": _listed(work, frame, body),
            "insert": _room(work.state, frame),
        },
        schema=schema(),
        required=("action",),
        temperature=0.3,
    )


def schema() -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": {
            "action": {"enum": list(KINDS)},
            "target": {"type": "integer"},
            "new_action": {
                "type": "object",
                "properties": {
                    "type": {"enum": plans.new_types()},
                    "content": _TEXT,
                    "tone": _TEXT,
                    "max_rounds": _ROUNDS,
                    "require_acknowledgment": {"type": "boolean"},
                },
            },
            "modifications": {"type": "object"},
            "order": {"type": "array", "items": {"type": "integer"}},
            "reason": _TEXT,
        },
        "required": ["action", "reason"],
    }


def _key(frame: TopicFrame) -> str:
    """What a change is about. Its numbers mean something as long as the plan and the pass are the same."""
    action = frame.action
    place = f"{action.id} {action.round}" if action is not None else f"#{frame.next}"
    return f"{TEMPLATE} {frame.key} {place} {frame.passes}.{frame.plan_changes}"


def _closed(state: State, frame: TopicFrame) -> str:
    """Why no plan may change this topic at all; empty: one may."""
    if frame.project == SAFETY:
        return "it is a topic of the safety project"
    if frame.awareness is not None:
        return "it was called for by an awareness script"
    return "the person speaks with a human" if state.human is not None else ""


def _listed(work: Work, frame: TopicFrame, body: Topic | Skill) -> str:
    """The actions from the one that is running on: number, type, content, and what may be done to each."""
    start = frame.action.index if frame.action is not None else frame.next
    rows = []
    for index in range(start, len(body.actions)):
        action = body.actions[index]
        may = plans.allowed(work, frame, body, index)
        now = "*" if frame.action is not None and index == start else ""
        rows.append(f"{index + 1}. {action.type}{now} [{', '.join(may) or '-'}] {_brief(work, action)}".rstrip())
    return "\n".join(rows)


def _brief(work: Work, action: Action) -> str:
    text = " ".join(fill(work, action.peek("question") or action.peek("content")).split())
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _room(state: State, frame: TopicFrame) -> str:
    """How many actions may still be put in."""
    return str(max(0, min(plans.INSERTED - frame.inserted, plans.IN_SESSION - state.inserted)))


def take(work: Work, key: str, data: Mapping[str, Any]) -> None:
    """Carry a plan out, or write down why not. What it was wanted for is settled either way; what is wanted for another
    topic is not."""
    wanted = work.state.wanted
    if not isinstance(data, Mapping) or (wanted is not None and not key.startswith(f"{TEMPLATE} {wanted.topic} ")):
        work.emit(AdviceUnused(template=TEMPLATE, about=key, why=ELSEWHERE if isinstance(data, Mapping) else NO_PLAN))
        return
    work.state.wanted = None
    frame = _frame(work, wanted, key)
    if frame is None:
        _nowhere(work, wanted, key)
        return
    cause = _clipped(data.get("reason")) or (wanted.reason if wanted is not None else "")
    before = topic_plan.ids(work.body(frame), frame.ref)
    try:
        change = _change(work, frame, key, data)
    except plans.Refused as refused:
        frame.declined += 1
        _record(work, frame, cause, {"action": _asked_for(data)}, before, str(refused))
        return
    _carry_out(frame, change)
    work.state.inserted += change.inserted
    _record(work, frame, cause, dict(change.did), before, "")


def _asked_for(data: Mapping[str, Any]) -> str:
    asked = data.get("action")
    return "none" if asked is None else asked if asked in ("none", *KINDS) else "unknown"


def _change(work: Work, frame: TopicFrame, key: str, data: Mapping[str, Any]) -> plans.Change:
    """What the plan comes to. Raises ``plans.Refused`` where it may not be carried out, or asks for nothing."""
    if data.get("action") in ("none", None):
        raise plans.Refused("no change proposed")
    if why := _closed(work.state, frame) or _stale(frame, key):
        raise plans.Refused(why)
    return plans.change(work, frame, data)


def _carry_out(frame: TopicFrame, change: plans.Change) -> None:
    frame.plan_changes += 1
    frame.inserted += change.inserted
    frame.plan = change.plan
    if change.rounds is not None and frame.action is not None:
        before_it = frame.action.max_rounds
        frame.action.planned = before_it is None or change.rounds < before_it
        frame.action.max_rounds = change.rounds


def _frame(work: Work, wanted: PlanRequest | None, key: str) -> TopicFrame | None:
    """The topic that a plan is for: running, or put aside for a while."""
    found = key.split(" ")
    topic = wanted.topic if wanted is not None else found[1] if len(found) > 1 else ""
    return next((each for each in work.state.frames if each.key == topic and work.body(each) is not None), None)


def _stale(frame: TopicFrame, key: str) -> str:
    """Whether the numbers of a plan no longer mean what they meant when it was asked for."""
    told = key.rpartition(" ")
    if not key.startswith(f"{TEMPLATE} {frame.key} "):
        return ELSEWHERE
    return "" if told[2] == f"{frame.passes}.{frame.plan_changes}" else "the plan has changed since"


def _nowhere(work: Work, wanted: PlanRequest | None, key: str) -> None:
    topic = wanted.topic if wanted is not None else ([*key.split(" "), ""])[1]
    work.emit(
        PlanChanged(
            topic="",
            topic_key=topic,
            cause=wanted.reason if wanted is not None else "",
            written=[],
            before=[],
            after=[],
            refused="the topic has ended",
        )
    )


def _record(work: Work, frame: TopicFrame, cause: str, plan: dict[str, Any], before: list[str], refused: str) -> None:
    work.emit(
        PlanChanged(
            action=frame.action.id if frame.action is not None else None,
            topic=frame.ref,
            topic_key=frame.key,
            cause=cause,
            plan=plan,
            written=topic_plan.ids(work.script_node(frame), frame.ref),
            before=before,
            after=topic_plan.ids(work.body(frame), frame.ref),
            refused=refused,
        )
    )


def _clipped(reason: Any) -> str:
    """A model's reason on one line; halves of characters cannot be written down."""
    words = " ".join(reason.split()) if isinstance(reason, str) else ""
    return words.encode(errors="replace").decode()[:LONGEST]
