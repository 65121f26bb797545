"""What is to come of an input, as its step says it."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from heartrule.engine.session.awareness_results import Verdict
from heartrule.engine.session.io import Rest
from heartrule.engine.session.moves import Step
from heartrule.engine.session.tasks import Answer, Task


@dataclass(frozen=True, slots=True)
class Alarm:
    """A variable marked ``risk`` was answered with yes, or not clearly: the crisis technique is called. ``whose``: the
    action, or the variable, that has told it, in the words ``text``. ``aside``: the question that waits is put aside
    for it. ``near``: a model leads the talk about it, and goes on behind the numbers that are given instead."""

    whose: str
    text: str = field(default="", repr=False)
    aside: bool = False
    near: bool = False


@dataclass(frozen=True, slots=True)
class Effects:
    """``step``: what the waiting action wants to come of it (``silent``: its words are held back); ``closes``: its
    question about danger counts as answered by that. ``alarm`` comes before ``urgent``, what was noticed and must act
    now. ``again``: the question that waits is put once more, unless that has ended the session. Then the session runs
    on (``goes_on``) to its next wait. ``speaks``: where nobody has said a word by then, the question is put again, or
    with a gentle word before it."""

    step: Step | None = None
    silent: bool = False
    closes: bool = False
    alarm: Alarm | None = None
    urgent: Sequence[Verdict] = ()
    again: bool = False
    goes_on: bool = True
    speaks: Literal["", "plainly", "gently"] = ""


Acting = Generator[tuple[Task, ...] | Rest, Mapping[str, Answer], Effects]
