"""The record of one round of an interactive action (seed 004: metrics, progress suggestion; seed 001: last round)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrule.engine.dialogue.exit_policy import Progress, progress_of
from heartrule.engine.installed_types import traits_of
from heartrule.engine.memory import memory_writes
from heartrule.engine.session.events import RoundInfo
from heartrule.engine.session.question_state import QuestionState
from heartrule.engine.session.state import Round
from heartrule.engine.session.tasks import Answer
from heartrule.engine.tasks import strategies
from heartrule.engine.work import Work

ASK_METRICS = ("information_completeness", "user_engagement", "emotional_intensity", "reply_relevance")
SAY_METRICS = ("user_engagement", "emotional_intensity", "understanding_level")
"""The types of actions whose rounds are thought over."""
KEPT, KEPT_LENGTH = 3, 200
"""Rounds, and characters of each of their metrics, that stay in the state."""
BRIEF = 300
"""Characters of what a round's answer comes to."""
UNAVAILABLE = "信息不可用"
UNPARSED = "LLM输出解析失败，无法评估"


def metrics(work: Work, names: tuple[str, ...]) -> dict[str, Any]:
    """JSON Schema of the metrics: only what stands out is written, what is not counts as not available; all of them
    where the project wants every round described whole."""
    shape: dict[str, Any] = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    shape |= {"required": list(names)} if whole(work) else {"default": dict[str, str]()}
    return shape


def whole(work: Work) -> bool:
    """Whether every round is to be described whole, and thought over."""
    return work.world.script.project.monitoring == "full"


def of_stretch(work: Work) -> tuple[str, ...]:
    """The metrics of a stretch that a model leads."""
    return ASK_METRICS if whole(work) else ()


def required(work: Work) -> tuple[str, ...]:
    """The keys of an answer that only a round that is described whole needs."""
    return ("progress_suggestion", "metrics") if whole(work) else ()


def prompt_values(work: Work) -> dict[str, str]:
    """For templates: how much of a round is to be described."""
    return {"full_metrics": "yes" if whole(work) else ""}


def progress(answer: Answer | None) -> Progress:
    """What the model suggests; where it says no more than whether to end (``EXIT``), that."""
    data = (answer.data if answer else None) or {}
    if data.get("progress_suggestion") is None and "EXIT" in data:
        return "completed" if wants_exit(data) else "continue_needed"
    return progress_of(data.get("progress_suggestion"))


def wants_exit(data: Mapping[str, Any] | None) -> bool:
    """The model's flag that its action is to end."""
    return data is not None and str(data.get("EXIT", "")).strip().upper() in ("YES", "TRUE")


def reason(data: Mapping[str, Any] | None) -> str:
    """The model's own reason for ending or going on, else what it says that the person said (seed 001 §3.2.1)."""
    given = ((data or {}).get(key) for key in ("exit_reason", "BRIEF"))
    return next((text for each in given if isinstance(each, str) and (text := each.strip()[:300])), "")


def record(work: Work, names: tuple[str, ...], answer: Answer | None) -> None:
    """Append the round to the history with whatever metrics the model gave."""
    data: Mapping[str, Any] = (answer.data if answer else None) or {}
    given = data.get("metrics")
    metrics: dict[str, str] = {}
    if answer is not None and answer.status != "absent":
        missing = UNAVAILABLE if answer.data is not None else UNPARSED
        for name in names:
            value = given.get(name) if isinstance(given, Mapping) else None
            metrics[name] = str(value)[:500] if isinstance(value, str | int | float) else missing
    _keep(work, metrics, progress(answer))
    brief = data.get("BRIEF")
    brief = " ".join(brief.split())[:BRIEF] if isinstance(brief, str) else ""
    memory_writes.briefed(work, brief)
    work.emit(
        RoundInfo(
            action=work.frame.id,
            type=work.frame.type,
            current_round=work.frame.round,
            max_rounds=work.frame.max_rounds,
            metrics=metrics,
            progress_suggestion=progress(answer),
            brief=brief,
            missing=dict(QuestionState.of(work.frame).missing),
            parse_error=bool(
                answer and answer.status == "failed" and any(a.outcome == "rejected" for a in answer.attempts)
            ),
            degraded=bool(answer and answer.data is None),
            strategy=strategies.under(work),
        )
    )


def _keep(work: Work, metrics: Mapping[str, str], suggestion: Progress) -> None:
    """The last rounds of an action are at hand for whoever thinks them over."""
    frame, topic = work.frame, work.running.key
    if not traits_of(frame.type).monitor:
        return
    before = [each for each in work.state.rounds if (each.topic, each.action) == (topic, frame.id)]
    now = Round(
        topic=topic,
        action=frame.id,
        index=frame.index,
        type=frame.type,
        number=frame.round,
        max_rounds=frame.max_rounds,
        heard=work.state.heard,
        metrics={name: value[:KEPT_LENGTH] for name, value in metrics.items()},
        suggestion=suggestion,
    )
    work.state.rounds = [*before, now][-KEPT:]


def text_of(data: Mapping[str, Any] | None, limit: int = 4000) -> str:
    """What the model wants said."""
    content = (data or {}).get("content")
    return content.strip()[:limit] if isinstance(content, str) else ""
