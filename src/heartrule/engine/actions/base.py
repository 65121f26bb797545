"""What an action type is: its fields, and what it does when it is entered, when words come, and when it goes on."""

from __future__ import annotations

from abc import ABC
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from heartrule.engine.state import Choice
from heartrule.engine.tasks import Answer, Task
from heartrule.language.nodes import Action

if TYPE_CHECKING:
    from heartrule.engine.place import Place

Asking = Generator[tuple[Task, ...], Mapping[str, Answer], Any]
"""A computation that may need answers: it yields tasks and is sent their answers by key."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What reached the running action. ``text`` is one answer (a burst is joined by newlines). ``choice`` is the value
    that was picked. ``repair`` names a repair phrase (repeat, clarify, skip, …) when the words are nothing but one."""

    text: str
    choice: str | None = None
    repair: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """What an action wants after a move: words to say, then to wait (``wait``) or to end (``done``).

    ``risk``: a variable marked ``risk`` was answered with yes, or not clearly; the crisis technique comes first.
    ``call``: a topic has been pushed before this action goes on (``use_skill``).
    """

    say: tuple[str, ...] = ()
    wait: str | None = None
    choices: tuple[Choice, ...] = ()
    done: bool = False
    outcome: str = "completed"
    risk: bool = False
    call: bool = False
    leave_topic: bool = False


class ActionType(ABC):
    """One kind of action. Instances hold nothing; everything that lasts is in ``place.frame.memory``."""

    name: ClassVar[str]
    fields: ClassVar[type[Action]]
    listens: ClassVar[bool] = False
    """Whether it ever waits for the person."""

    def enter(self, place: Place, action: Any) -> Generator[tuple[Task, ...], Mapping[str, Answer], Step]:
        """Begin. Runs once per entry."""
        raise TypeError(f"{self.name} cannot be entered")
        yield ()

    def question(self, place: Place, action: Any, heard: Heard) -> Task | None:
        """The model call that these words need, made beside the safety judgement. Must change nothing."""
        return None

    def hear(
        self, place: Place, action: Any, heard: Heard, answer: Answer | None
    ) -> Generator[tuple[Task, ...], Mapping[str, Answer], Step]:
        """The person's words have come. ``answer`` is to ``question``'s task, None when it asked nothing."""
        raise TypeError(f"{self.name} does not listen")
        yield ()

    def again(self, place: Place, action: Any) -> Step:
        """Go on after an interruption: by default, put the same question again."""
        question = place.frame.memory.get("question")
        frame = place.frame
        wait = frame.wait.kind if frame.wait else "message"
        choices = tuple(frame.wait.choices) if frame.wait else ()
        return Step(say=(str(question),) if question else (), wait=wait, choices=choices)
