"""What the next prompt is told of how a round ended (seed 004, scenario 5): by code, at once, without a call.

Who was stopped or has strayed is met in the next prompt of the same topic; where rounds have run out with something
open, whatever comes next is to close it first. What ended well needs no word: code has checked the values already.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from heartrule.engine.adapting import feedback
from heartrule.engine.scheduling import retries
from heartrule.engine.work import Work

if TYPE_CHECKING:
    from heartrule.engine.interacting.exit_policy import Decision


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


def _hint(work: Work, of: str) -> str:
    return work.spoken(f"exit_hints.{of}", 0)
