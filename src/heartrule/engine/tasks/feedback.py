"""What awareness scripts (``FEEDBACK``) and monitors have to say to whoever speaks next: for the next prompt, and no
other."""

from __future__ import annotations

from heartrule.engine.work import Work

KEPT = 5
"""Pieces that wait for the next prompt at most, the newest."""


def give(work: Work, text: str, topic: str = "") -> None:
    """``topic``: the key of the only topic that it is for."""
    state = work.state
    work.models.fed.discard(text)
    if text and text not in state.feedback:
        state.feedback = [*state.feedback, text][-KEPT:]
        kept = {**state.feedback_for, text: topic} if topic else state.feedback_for
        state.feedback_for = {each: key for each, key in kept.items() if each in state.feedback}


def hint(work: Work, text: str, topic: str = "") -> None:
    """``give`` what code says of how a round ended, until somebody has thought it over."""
    give(work, text, topic)
    state = work.state
    state.hints = [each for each in (*state.hints, *([text] if text else [])) if each in state.feedback]


def instead(work: Work, text: str, topic: str) -> None:
    """``give``, in the place of the hints that wait for the same topic."""
    state = work.state
    if text:
        gone = {each for each in state.hints if state.feedback_for.get(each) == topic}
        state.feedback = [each for each in state.feedback if each not in gone]
        state.hints = [each for each in state.hints if each not in gone]
    give(work, text, topic)


def prompt_line(work: Work) -> str:
    """What waits, for a prompt that is being made. It waits until the answer has been used: a prompt may have to be
    made once more."""
    running, bound = work.state.running, work.state.feedback_for
    here = running.key if running is not None else ""
    mine = [each for each in work.state.feedback if bound.get(each, here) == here]
    work.models.fed |= set(mine)
    return " ".join(mine)


def used(work: Work) -> None:
    """What a prompt has shown is not shown again, nor is what its topic has left behind."""
    state = work.state
    if state.feedback_for:
        there = {frame.key for frame in state.frames}
        work.models.fed |= {each for each, key in state.feedback_for.items() if key not in there}
    if work.models.fed:
        state.feedback = [each for each in state.feedback if each not in work.models.fed]
        state.feedback_for = {each: key for each, key in state.feedback_for.items() if each in state.feedback}
        state.hints = [each for each in state.hints if each in state.feedback]
        work.models.fed.clear()
