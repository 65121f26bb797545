"""Which of the offered choices a person's words make."""

from __future__ import annotations

from collections.abc import Sequence

from heartrule import parsing
from heartrule.engine.session.state import Choice
from heartrule.engine.work import SAFETY, Work


def picked(work: Work, text: str, choices: Sequence[Choice]) -> str | None:
    """The value of the choice that the words make. Where the safety project asks, only a bare label is one: nobody
    leaves a crisis by words that merely hold it (我现在安全了，药都吃完了)."""
    offered = [(choice.value, choice.label) for choice in choices]
    bare = work.state.running is not None and work.running.project == SAFETY
    found = parsing.match_choice(text, offered, work.world.script.locale, bare=bare) if offered else None
    return found if found is not None or bare else parsing.only_choice(text, offered)


def only(text: str, choices: Sequence[Choice]) -> str | None:
    """The choice that the words make and say no more than that: nobody has to be asked what else they said."""
    return parsing.only_choice(text, [(choice.value, choice.label) for choice in choices])
