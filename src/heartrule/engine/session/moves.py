"""What reaches an action, and what it wants to come of it."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal

from heartrule.engine.session.io import Rest
from heartrule.engine.session.media import Media
from heartrule.engine.session.state import Choice
from heartrule.engine.session.tasks import Answer, Task


@dataclass(frozen=True, slots=True)
class PersonInput:
    """What reached the running action. ``text`` is one answer (a burst is joined by newlines). ``choice`` is the value
    that was picked. ``repair`` names a repair phrase (repeat, clarify, skip, …) when the words are nothing but one."""

    text: str = field(repr=False)
    choice: str | None = None
    repair: str | None = None
    grave: bool = False
    """They speak of explicit intent, which is being handled already."""


@dataclass(frozen=True, slots=True)
class Step:
    """What an action wants after a move: words to say, then to wait (``wait``) or to end (``done``).

    ``acknowledge``: an answer was taken and nothing is said about it; the scheme's word for that is put before the next
    question, or left out where the script's own words follow.

    ``risk``: a variable marked ``risk`` was answered with yes, or not clearly; the crisis technique comes first.
    ``near``: numbers come in its place, and the action goes on.
    ``ends``: the person has chosen to end the session here.
    ``pass_over``: what is left of this pass of the topic is left out; whether another follows is for ``repeat`` to say.
    ``call``: a topic has been pushed before this action goes on (``use_skill``).
    ``media``: what is shown beside the first of the words.
    ``after``: the action goes on by itself so long after this (``ActionType.struck``), unless the person does before.
    ``still``: what was said before is still answered by what comes now: the action went on by itself.
    """

    say: tuple[str, ...] = ()
    acknowledge: bool = False
    wait: Literal["message", "choice", "press", "form"] | None = None
    choices: tuple[Choice, ...] = ()
    done: bool = False
    outcome: str = "completed"
    risk: bool = False
    near: bool = False
    call: bool = False
    leave_topic: bool = False
    pass_over: bool = False
    ends: bool = False
    media: tuple[Media, ...] = ()
    after: timedelta | None = None
    still: bool = False


Moves = Generator[tuple[Task, ...] | Rest, Mapping[str, Answer], Step]
"""A move that may need answers on its way: it yields tasks, or the rest of an answer that is being written, and is sent
the answers by key."""
