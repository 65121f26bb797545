"""What awareness scripts have to say to whoever speaks next (``FEEDBACK``): for the next prompt, and no other."""

from __future__ import annotations

from heartrule.engine.work import Work

KEPT = 5
"""Pieces that wait for the next prompt at most, the newest."""


def give(work: Work, text: str) -> None:
    if text and text not in work.state.feedback:
        work.state.feedback = [*work.state.feedback, text][-KEPT:]


def told(work: Work) -> str:
    """What waits, for a prompt that is being made. It waits until the answer has been used: a prompt may have to be
    made once more."""
    work.fed |= set(work.state.feedback)
    return " ".join(work.state.feedback)


def used(work: Work) -> None:
    """What a prompt has shown is not shown again."""
    if work.fed:
        work.state.feedback = [each for each in work.state.feedback if each not in work.fed]
        work.fed.clear()
