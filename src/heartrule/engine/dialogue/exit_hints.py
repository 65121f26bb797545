"""What the next prompt is told of how a round ended (seed 004, scenario 5): by code, at once, without a call.

Who was stopped or has strayed is met in the next prompt of the same topic; where rounds have run out with something
open, whatever comes next is to close it first. What ended well needs no word: code has checked the values already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from heartrule.engine.dialogue import retries
from heartrule.engine.tasks import feedback, prompt_context
from heartrule.engine.work import Work
from heartrule.language.nodes import ExitClass

if TYPE_CHECKING:
    from heartrule.engine.dialogue.exit_policy import Decision


def give(work: Work, decision: Decision) -> None:
    """No prompt, no hint: in script mode nothing is told."""
    if not work.model:
        return
    match decision.exit_class:
        case "user_blocked" | "off_topic":
            fitted = "" if decision.should_exit else retries.hint(work)
            feedback.hint(work, f"{_hint(work, decision.exit_class)} {fitted}".strip(), work.running.key)
        case "max_rounds_reached" if decision.unmet:
            feedback.give(work, _hint(work, decision.exit_class))
        case "max_rounds_reached" | "exit_criteria_met" if own := _own(work, decision.exit_class):
            feedback.give(work, own)


def _hint(work: Work, of: ExitClass) -> str:
    return _own(work, of) or work.spoken(f"exit_hints.{of}", 0)


def _own(work: Work, of: ExitClass) -> str:
    """What the topic itself has to say of such an end."""
    strategy = body.strategy if (body := work.body()) is not None else ""
    return "" if isinstance(strategy, str) else prompt_context.fill(work, strategy.on_exit.get(of, ""))
