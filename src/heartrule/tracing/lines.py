"""Calls of a model as lines of the log, for those who send no traces anywhere."""

from __future__ import annotations

from heartrule import logs
from heartrule.engine.session.tasks import Attempt, Task


def attempt(task: Task, attempt: Attempt) -> None:
    """A listener of a model: one line for each try."""
    if attempt.provider:
        logs.event(
            "call",
            task=task.template,
            model=attempt.provider,
            attempt=attempt.number,
            outcome=attempt.outcome,
            cause=attempt.code or None,
            ms=round(attempt.seconds * 1000),
            tokens_in=attempt.tokens_in,
            tokens_out=attempt.tokens_out,
        )
