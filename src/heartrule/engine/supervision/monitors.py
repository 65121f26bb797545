"""Monitors: how a round of ``ai_ask`` or ``ai_say`` went is thought over beside the conversation (seed 004).

Their advice goes into the next prompt of its topic, once (path 1); where words alone will not do, a change of plan in
the topic is wanted (path 2, ``orchestration``). Advice that the conversation has left behind is recorded and not
followed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast, get_args

from heartrule.engine.action_types import registry
from heartrule.engine.dialogue import rounds
from heartrule.engine.dialogue.rounds import UNAVAILABLE, UNPARSED
from heartrule.engine.installed_types import traits_of
from heartrule.engine.session.events import AdviceUnused, Monitored, RoundInfo
from heartrule.engine.session.io import World
from heartrule.engine.session.state import PlanRequest, Round, State
from heartrule.engine.session.tasks import Task
from heartrule.engine.tasks import feedback
from heartrule.engine.tasks.prompt_context import fill, shared
from heartrule.engine.variables.evidence import gets
from heartrule.engine.work import Work
from heartrule.language.nodes import TopicStrategy

Level = Literal["action_feedback", "topic_orchestration"]
Suggestion = Literal["rephrase", "simplify", "comfort", "accept_partial", "skip", ""]

"""By the type of the action that is watched."""
LINES = 8
"""What a monitor is shown of the conversation: how it went before is in the rounds' own words."""
LONGEST = 200
"""Characters of each part of an advice."""
LATE, LEFT = "too late", "the topic was left"


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a monitor's answer says, whatever it left out or got wrong. ``approach``: a way to do it, or an example."""

    needed: bool = False
    reason: str = field(default="", repr=False)
    level: Level = "action_feedback"
    suggestion: Suggestion = ""
    feedback: str = field(default="", repr=False)
    approach: str = field(default="", repr=False)
    orchestrate: bool = False

    @property
    def prompt_line(self) -> str:
        """For the next prompt."""
        return " ".join(part for part in (self.feedback, self.approach) if part)


def analysis(data: Mapping[str, Any]) -> Analysis:
    """Of either template's answer. What is missing or illegal asks for nothing."""
    if not isinstance(data, Mapping):
        return Analysis()
    level, wanted = data.get("intervention_level"), data.get("strategy_suggestion")
    above, orchestrate = level == "topic_orchestration", data.get("orchestration_needed")
    implied = above and orchestrate is True  # seed 004, scene 4: what asks for a change of plan says no more than that
    if data.get("intervention_needed", data.get("understanding_issue", implied)) is not True:
        return Analysis()
    return Analysis(
        needed=True,
        reason=_line(data.get("intervention_reason") or data.get("issue_type") or data.get("orchestration_reason")),
        level="topic_orchestration" if above else "action_feedback",
        suggestion=cast("Suggestion", wanted) if wanted in get_args(Suggestion) else "",
        feedback=_line(data.get("feedback_for_action")),
        approach=_line(data.get("modified_approach") or data.get("example_suggestion")),
        orchestrate=orchestrate if isinstance(orchestrate, bool) else above,
    )


def _line(value: Any) -> str:
    """On one line; halves of characters cannot be written down."""
    words = " ".join(value.split()) if isinstance(value, str) else ""
    return words.encode(errors="replace").decode()[:LONGEST]


def holds(data: Mapping[str, Any]) -> bool:
    """Whether an answer is worth a turn."""
    found = analysis(data)
    return found.needed and bool(found.prompt_line or found.orchestrate)


# asked


def question(work: Work) -> Task | None:
    """About the round that this turn has brought, if it did and its action is not done well. The same account of an
    action is not thought over twice. Every round of a topic that goes on is where the project wants it."""
    if not enabled(work.world) or not any(isinstance(event, RoundInfo) for event in work.events):
        return None
    running, kept = work.state.running, work.state.rounds
    last = kept[-1] if kept else None
    if last is None or last.heard != work.state.heard or running is None or running.key != last.topic:
        return None
    return _task(work, last) if rounds.whole(work) or _stands_out(last, kept[:-1]) else None


def _stands_out(last: Round, before: Sequence[Round]) -> bool:
    """Whether there is something to think over in a round that has not been thought over."""
    told = bool(last.metrics) or last.exit_class == "user_blocked"
    if last.over == "met" or not told or set(last.metrics.values()) == {UNPARSED}:
        return False
    return all(_account(each) != _account(last) for each in before)


def enabled(world: World) -> bool:
    """What the session says counts, then the project."""
    script = world.script
    own = script.session.monitors
    return script.project.monitors if own is None else own


def _account(of: Round) -> object:
    return of.metrics, of.suggestion, of.exit_class


def key(of: Round) -> str:
    """What the advice is about: the same for the same round."""
    return f"{traits_of(of.type).monitor} {of.topic} {of.action} {of.number} {of.heard}"


def templates() -> tuple[str, ...]:
    """Those of all types of actions that are looked at."""
    return tuple(kind.traits.monitor for kind in registry().values() if kind.traits.monitor)


def _task(work: Work, last: Round) -> Task:
    context = shared(work)
    return Task(
        key=key(last),
        kind="analyse",
        role="understand",
        template=traits_of(last.type).monitor,
        context=replace(context, history=context.history[-LINES:]),
        values=_values(work, last),
        schema={"type": "object", "properties": _ASKED if traits_of(last.type).asks else _SAID},
        temperature=0.0,
    )


def _values(work: Work, last: Round) -> dict[str, str]:
    body, metrics = work.body(), {name: _known(value) for name, value in last.metrics.items()}
    action = work.action_at(last.index)
    strategy = body.strategy if body else None
    return metrics | {
        "retry": strategy.retry or "" if isinstance(strategy, TopicStrategy) else "",
        "max_retries": str(strategy.max_retries) if isinstance(strategy, TopicStrategy) else "",
        "action_type": last.type,
        "content": fill(work, action.peek("content")) if action else "",
        "targets": ", ".join(item.define or item.get for item in gets(action.peek("output") or [])) if action else "",
        "current_round": str(last.number),
        "max_rounds": str(last.max_rounds or ""),
        "progress_suggestion": last.suggestion,
        "exit_class": last.exit_class,
        "engagement_trend": _trend(work.state, "user_engagement"),
        "emotion_trend": _trend(work.state, "emotional_intensity"),
    }


def _trend(state: State, name: str) -> str:
    """How it went over the last rounds; nothing where there is one round, or nothing was told."""
    told = [_known(each.metrics.get(name, "")) for each in state.rounds]
    return " → ".join(each or "–" for each in told) if len(told) > 1 and any(told) else ""


def _known(value: str) -> str:
    return "" if value in (UNAVAILABLE, UNPARSED) else value


_TEXT: dict[str, Any] = {"type": "string", "minLength": 0}
_ASKED: dict[str, Any] = {
    "intervention_needed": {"type": "boolean"},
    "intervention_reason": _TEXT,
    "intervention_level": {"enum": list(get_args(Level))},
    "strategy_suggestion": {"enum": [each for each in get_args(Suggestion) if each]},
    "feedback_for_action": _TEXT,
    "modified_approach": _TEXT,
    "orchestration_needed": {"type": "boolean"},
}
_SAID: dict[str, Any] = {
    "understanding_issue": {"type": "boolean"},
    "issue_type": _TEXT,
    "feedback_for_action": _TEXT,
    "example_suggestion": _TEXT,
}


# taken


def take(work: Work, about: str, data: Mapping[str, Any]) -> None:
    """Follow the advice where the conversation is still where it was asked for."""
    of = next((each for each in work.state.rounds if key(each) == about), None)
    if of is None:
        work.emit(AdviceUnused(template=about.split(" ", 1)[0], about=about, why=LATE))
        return
    found, running = analysis(data), work.state.running
    rest = LATE if of.heard != work.state.heard else LEFT if running is None or running.key != of.topic else ""
    work.emit(
        Monitored(
            action=of.action,
            type=of.type,
            round=of.number,
            needed=found.needed,
            reason=found.reason,
            level=found.level,
            suggestion=found.suggestion,
            feedback=found.prompt_line,
            orchestrate=found.orchestrate,
            rest=rest,
        )
    )
    if rest or not found.needed:
        return
    feedback.instead(work, found.prompt_line, of.topic)
    if found.orchestrate:
        work.state.wanted = PlanRequest(
            topic=of.topic, action=of.action, suggestion=found.suggestion, reason=found.reason or found.feedback
        )
