"""What an action type does: its moves, and what else is asked of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from heartrule.engine.installed_types import DeclaredType, installed
from heartrule.engine.session.moves import Moves, PersonInput, Step
from heartrule.engine.session.state import ActionFrame
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.work import Work
from heartrule.language.nodes import Get


class ActionType(DeclaredType):
    """One kind of action. Instances hold nothing; everything that lasts is in ``work.frame``: what is kept of
    every action, and in ``ActionState``s of the type's own (``session/action_state.py``)."""

    def enter(self, work: Work, action: Any) -> Moves:
        """Begin. Runs once per entry."""
        raise TypeError(f"{self.name} cannot be entered")
        yield ()

    def question(self, work: Work, action: Any, heard: PersonInput) -> Task | None:
        """The model call that these words need, made beside the safety judgement. Must change nothing."""
        return None

    def hear(self, work: Work, action: Any, heard: PersonInput, answer: Answer | None) -> Moves:
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
        asking = work.frame.asking
        return [asking] if asking in names else names

    def covered(self, frame: ActionFrame) -> list[str]:
        """The points that it says it has told."""
        return []

    def left_out(self, frame: ActionFrame) -> None:
        """The person has left out what it called, for whatever else it might call it."""

    def come_back(self, work: Work, action: Any) -> Moves:
        """Go on after a technique that was called from here, or, where a model leads, after an interruption."""
        return self.again(work, action)
        yield ()

    def again(self, work: Work, action: Any) -> Step:
        """Go on after an interruption: by default, put the same question again."""
        wait = work.frame.wait
        question = work.frame.question
        return Step(
            say=(question,) if question else (),
            wait=wait.kind if wait else "message",
            choices=tuple(wait.choices) if wait else (),
        )


def registry() -> Mapping[str, ActionType]:
    """All action types by name. Raises as ``installed``."""
    return cast("Mapping[str, ActionType]", installed())
