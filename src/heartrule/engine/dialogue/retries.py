"""``strategy`` of a topic as a mapping: what is done where somebody does not want to answer a question, or strays.

Up to ``max_retries`` rounds are met as ``retry`` says, in a word to the next prompt. After that ``accept_partial`` and
``skip`` end the action; the others go on as long as it has rounds. A refusal in so many words is met once more, gently,
where the topic is to go on trying; the second one ends the action in any case.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from heartrule.engine.dialogue import exit_reasons
from heartrule.engine.dialogue.exit_reasons import reason_text
from heartrule.engine.session.action_state import ActionState
from heartrule.engine.tasks import feedback
from heartrule.engine.work import Work
from heartrule.language.nodes.strategy import Retry, TopicStrategy

if TYPE_CHECKING:
    from heartrule.engine.dialogue.exit_policy import Decision, Progress
    from heartrule.engine.session.moves import PersonInput

ENDING: frozenset[Retry] = frozenset({"accept_partial", "skip"})
STOPPED = ("user_blocked", "off_topic")


class RetryState(ActionState):
    """How many rounds of it were stopped or strayed."""

    section: ClassVar[str] = "blocked"

    rounds: int = 0


def topic_strategy(work: Work) -> TopicStrategy | None:
    """What the running topic says of this; None where it says nothing that code acts upon."""
    body = work.body()
    held = body.strategy if body is not None else None
    return held if isinstance(held, TopicStrategy) and held.retry is not None else None


def hint(work: Work) -> str:
    """For the next prompt: how the round that has just been counted is to be met; empty when it is to be met no more
    than any other."""
    strategy = topic_strategy(work)
    if strategy is None or strategy.retry is None or _met(work) > strategy.max_retries:
        return ""
    return work.spoken(f"retries.{strategy.retry}", 0)


def _met(work: Work) -> int:
    return RetryState.of(work.frame).rounds


def progress(heard: PersonInput, suggested: Progress) -> Progress:
    """Whoever says that they would rather not is blocked, whatever a model makes of it."""
    return "blocked" if heard.repair == "skip" else suggested


def tries_on(work: Work) -> bool:
    """Whether a refusal is met with one more gentle question."""
    strategy, frame = topic_strategy(work), work.frame
    if strategy is None or strategy.retry in ENDING or strategy.max_retries < 1:
        return False
    return _met(work) == 0 and frame.round < (frame.max_rounds or 1)


def after(work: Work, decision: Decision) -> Decision:
    """Count a round that was stopped or strayed; the decision, with the end that the strategy makes of too many."""
    if decision.should_exit or decision.exit_class not in STOPPED or not _counted(work):
        return decision
    return replace(
        decision, should_exit=True, reason=reason_text(exit_reasons.TRIED, work.world.script.locale, _met(work) - 1)
    )


def skips(work: Work, decision: Decision) -> bool:
    """Whether the action ends because its strategy leaves the question out."""
    strategy = topic_strategy(work)
    return strategy is not None and strategy.retry == "skip" and decision.should_exit and decision.source == "none"


def gives_up(work: Work, suggested: Progress) -> bool:
    """The same for an action without decisions of its own: counts the round, leaves the word for the next prompt, and
    says whether the strategy ends it."""
    if suggested not in ("blocked", "off_topic"):
        return False
    over = _counted(work)
    if work.model and not over:
        feedback.hint(work, hint(work), work.running.key)
    return over


def _counted(work: Work) -> bool:
    """Count one more round. Whether that is one too many."""
    strategy = topic_strategy(work)
    if strategy is None:
        return False
    RetryState.of(work.frame).rounds += 1
    return strategy.retry in ENDING and _met(work) > strategy.max_retries
