"""What an action type is: its fields, and what it does when it is entered, when words come, and when it goes on."""

from __future__ import annotations

from abc import ABC
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from heartrule.engine.calling.tasks import Answer, Task
from heartrule.engine.io import Rest
from heartrule.engine.speaking.media import Media
from heartrule.engine.state import Choice
from heartrule.language.nodes import Action, Get

if TYPE_CHECKING:
    from heartrule.engine.work import Work


@dataclass(frozen=True, slots=True)
class Heard:
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


class ActionType(ABC):
    """One kind of action. Instances hold nothing; everything that lasts is in ``work.frame.memory``."""

    name: ClassVar[str]
    fields: ClassVar[type[Action]]
    listens: ClassVar[bool] = False
    """Whether it ever waits for the person."""
    written: ClassVar[bool] = True
    """Whether scripts may write it. What may not is put in by the engine itself."""

    def enter(self, work: Work, action: Any) -> Moves:
        """Begin. Runs once per entry."""
        raise TypeError(f"{self.name} cannot be entered")
        yield ()

    def question(self, work: Work, action: Any, heard: Heard) -> Task | None:
        """The model call that these words need, made beside the safety judgement. Must change nothing."""
        return None

    def hear(self, work: Work, action: Any, heard: Heard, answer: Answer | None) -> Moves:
        """The person's words have come. ``answer`` is to ``question``'s task, None when it asked nothing."""
        raise TypeError(f"{self.name} does not listen")
        yield ()

    def struck(self, work: Work, action: Any) -> Step | None:
        """A time has come that the action had set itself (``Step.after``). None: it had set none, and its ``timeout``
        is meant."""
        return None

    def takes(self, work: Work, action: Any, text: str) -> bool:
        """Whether these words are for the action whatever their sender had seen: who says "stop" is never too late."""
        return False

    def knows(self, work: Work, action: Any, text: str) -> bool:
        """Whether the action's own rules know what to make of these words, which may look like something else."""
        return False

    def leads(self, work: Work, action: Any) -> bool:
        """Whether a model leads here, so that it also finds the words for coming back after an interruption."""
        return False

    def asks_for(self, work: Work, action: Any) -> list[str]:
        """The variables that the question which waits now goes for, as far as one can say: the one that it is about,
        or else whatever it may find out."""
        names = [item.get for item in action.peek("output") or () if isinstance(item, Get)]
        asking = work.frame.memory.get("asking")
        return [asking] if asking in names else names

    def come_back(self, work: Work, action: Any) -> Moves:
        """Go on after a technique that was called from here, or, where a model leads, after an interruption."""
        return self.again(work, action)
        yield ()

    def again(self, work: Work, action: Any) -> Step:
        """Go on after an interruption: by default, put the same question again."""
        wait = work.frame.wait
        question = str(work.frame.memory.get("question", ""))
        return Step(
            say=(question,) if question else (),
            wait=wait.kind if wait else "message",
            choices=tuple(wait.choices) if wait else (),
        )
