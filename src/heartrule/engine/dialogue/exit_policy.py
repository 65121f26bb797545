"""Whether an interactive action ends: the four sources of seed 001 §3.2, first that holds.

``max_rounds`` → ``exit_flag`` (ai_ask's EXIT) → ``exit_criteria`` → ``llm_suggestion``. ``min_rounds`` and missing
required values veto every source but ``max_rounds``, which no ``exit_sources`` can take away. ``blocked`` and
``off_topic`` alone never end an action.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from heartrule.engine import topic_plan
from heartrule.engine.dialogue import exit_hints, exit_reasons
from heartrule.engine.dialogue.exit_reasons import reason_text
from heartrule.engine.installed_types import traits_of
from heartrule.engine.session.events import ExitDecided
from heartrule.engine.work import Work
from heartrule.language.bilingual import Bilingual
from heartrule.language.nodes import AskExitCriteria, ExitCondition, ExitSource
from heartrule.locales import is_chinese

_Source = Literal["max_rounds", "exit_flag", "exit_criteria", "llm_suggestion", "plan", "none"]
_Class = Literal["max_rounds_reached", "exit_criteria_met", "user_blocked", "off_topic"]
Progress = Literal["continue_needed", "completed", "blocked", "off_topic"]
ORDER: tuple[ExitSource, ...] = ("max_rounds", "exit_flag", "exit_criteria", "llm_suggestion")
UNDERSTOOD = 70
"""Understanding (0–100) from which a person's own "I see" is enough (seed 003 §5.2)."""


def least(action: Any) -> int | None:
    """How many rounds it takes at least, as its script says it."""
    return action.min_rounds or (action.exit_criteria.min_rounds if action.exit_criteria else None)


def too_early(work: Work, rounds: int | None) -> list[str]:
    """What stands against ending before so many rounds."""
    early = bool(rounds) and work.frame.round < (rounds or 0)
    return [reason_text(exit_reasons.TOO_EARLY, work.world.script.locale, rounds)] if early else []


@dataclass(frozen=True, slots=True)
class Signals:
    """What a round says about ending. ``holding`` gives, for each source but ``max_rounds``, the reason it holds."""

    round: int
    max_rounds: int
    holding: dict[ExitSource, str]
    progress: Progress = "continue_needed"
    vetoes: Sequence[str] = ()
    reason: str = ""
    sources: Sequence[ExitSource] = field(default=ORDER)
    locale: str = "zh-CN"
    """The script's language, in which reasons are given."""


@dataclass(frozen=True, slots=True)
class Decision:
    should_exit: bool
    reason: str
    source: _Source
    exit_class: _Class | None
    vetoed: tuple[str, ...] = ()
    unmet: bool = False
    """The rounds have run out, and nothing else would have ended it."""


def decide(signals: Signals) -> Decision:
    """Pure: the same signals, the same decision."""
    vetoed: list[str] = []
    for source in ORDER:
        if source == "max_rounds":
            if signals.round >= signals.max_rounds:
                met = not signals.vetoes and any(each in signals.holding for each in signals.sources)
                why = reason_text(exit_reasons.AT_LIMIT, signals.locale, signals.max_rounds)
                return Decision(True, why, "max_rounds", "max_rounds_reached", tuple(vetoed), unmet=not met)
            continue
        if source not in signals.sources or source not in signals.holding:
            continue
        if signals.vetoes:
            vetoed.append(f"{source}: {'; '.join(signals.vetoes)}")
            continue
        return Decision(True, signals.holding[source], source, "exit_criteria_met", tuple(vetoed))
    kept = {"blocked": "user_blocked", "off_topic": "off_topic"}.get(signals.progress)
    goes_on = signals.reason or reason_text(exit_reasons.GOES_ON, signals.locale)
    return Decision(False, goes_on, "none", kept, tuple(vetoed))  # type: ignore[arg-type]


def record(work: Work, decision: Decision, round_number: int, *, hints: bool = True) -> None:
    """Every decision goes into the history; the one that ends an action is also the turn's. ``hints``: whoever speaks
    next is told what stands in the way."""
    if decision.source == "max_rounds" and topic_plan.shortened(work.running, work.script_node(work.running)):
        why = reason_text(exit_reasons.CUT_SHORT, work.world.script.locale, round_number)
        decision = replace(decision, source="plan", reason=why)
    _of_round(work, decision, round_number)
    if hints:
        exit_hints.give(work, decision)
    work.emit(
        ExitDecided(
            action=work.frame.id,
            round=round_number,
            should_exit=decision.should_exit,
            reason=decision.reason,
            decision_source=decision.source,
            exit_class=decision.exit_class,
            vetoed=list(decision.vetoed),
            at=work.world.now,
        )
    )
    if decision.should_exit:
        work.running.exit = decision.exit_class or ""
        work.exit = {
            "action": work.frame.id,
            "reason": decision.reason,
            "decision_source": decision.source,
            "class": decision.exit_class or "",
        }


def ended(work: Work, outcome: str) -> None:
    """The exit of an action that put its question and ends without having decided on one itself."""
    frame = work.frame
    if not (traits_of(frame.type).exits and frame.waited) or outcome not in _ENDED:
        return
    decided = (each for each in work.events if isinstance(each, ExitDecided) and each.action == frame.id)
    if any(each.should_exit for each in decided):
        return
    source, why, kind = _ENDED[outcome]
    if outcome == "unfinished" and frame.max_rounds and frame.round >= frame.max_rounds:
        reason = reason_text(exit_reasons.AT_LIMIT, work.world.script.locale, frame.max_rounds)
        record(work, Decision(True, reason, "max_rounds", "max_rounds_reached", unmet=True), frame.round, hints=False)
        return
    record(
        work, Decision(True, reason_text(why, work.world.script.locale), source, kind), max(1, frame.round), hints=False
    )


_ENDED: Mapping[str, tuple[_Source, Bilingual, _Class | None]] = {
    "completed": ("exit_criteria", exit_reasons.ANSWERED, "exit_criteria_met"),
    "refused": ("none", exit_reasons.UNWILLING, "user_blocked"),
    "cancelled": ("none", exit_reasons.PUT_AWAY, "user_blocked"),
    "unfinished": ("none", exit_reasons.NOT_TOLD, "user_blocked"),
    "timeout": ("none", exit_reasons.NO_ANSWER, "user_blocked"),
}
"""How an action ends that decides on no exit itself: who has ended it, why, and as what it counts."""


def _of_round(work: Work, decision: Decision, number: int) -> None:
    last = work.state.rounds[-1] if work.state.rounds else None
    if last is not None and (last.topic, last.action, last.number) == (work.running.key, work.frame.id, number):
        last.exit_class = decision.exit_class or ""
        unmet = decision.unmet or decision.exit_class not in ("exit_criteria_met", "max_rounds_reached")
        last.over = "" if not decision.should_exit else "unmet" if unmet else "met"


def criteria_reason(
    criteria: AskExitCriteria | None, round_number: int, lookup: Callable[[str], Any], locale: str = "zh-CN"
) -> str | None:
    """Why written criteria hold (rounds and custom conditions); None when there are none or one does not hold."""
    if criteria is None or (criteria.min_rounds is None and not criteria.custom_conditions):
        return None
    if criteria.min_rounds is not None and round_number < criteria.min_rounds:
        return None
    if not all(compare(lookup(c.variable), c) for c in criteria.custom_conditions):
        return None
    parts = [f"{c.variable} {c.operator} {c.value}" for c in criteria.custom_conditions]
    if criteria.min_rounds is not None:
        parts.insert(0, f"min_rounds {criteria.min_rounds}")
    return reason_text(exit_reasons.CRITERIA, locale, ("，" if is_chinese(locale) else ", ").join(parts))


def compare(value: Any, condition: ExitCondition) -> bool:
    """One custom condition. Values of unlike kinds, and ordering with nothing, do not hold."""
    wanted = condition.value
    match condition.operator:
        case "==":
            return bool(_same(value, wanted))
        case "!=":
            return not _same(value, wanted)
        case "contains":
            if isinstance(value, str):
                return str(wanted) in value
            return isinstance(value, list) and any(_holds(item, wanted) for item in value)
    left, right = _number(value), _number(wanted)
    if left is None or right is None:
        return False
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[condition.operator]


def _holds(item: Any, wanted: Any) -> bool:
    """An item of a list, or of objects that list, one of whose fields it is."""
    return _same(item, wanted) or (isinstance(item, dict) and any(_same(each, wanted) for each in item.values()))


def _same(value: Any, wanted: Any) -> bool:
    left, right = _number(value), _number(wanted)
    return left == right if left is not None and right is not None else bool(value == wanted)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def progress_of(raw: Any) -> Progress:
    """The model's suggestion, or ``continue_needed`` for anything illegal."""
    return raw if raw in ("continue_needed", "completed", "blocked", "off_topic") else "continue_needed"
