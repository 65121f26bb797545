"""The bare engine driven as sessions drive it: no store, no clock but the one it is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from heartrule.classifiers import Classifiers, configured
from heartrule.engine.session.events import Event
from heartrule.engine.session.io import HISTORY, Helper, Input, Message, Turn, World
from heartrule.engine.session.state import State
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.session.variables import Variables
from heartrule.engine.turn import advance
from heartrule.language.compiling.script import Script
from heartrule.prompts.fixed_sentences import spoken_table


class Driven:
    """One session. ``history`` and ``events`` are all there have been; ``turn`` is the last turn, once there is one.
    ``memories``: what is remembered of the person when it begins, and then. ``classifiers``: who reads along with the
    rules; without any given, those that are configured."""

    turn: Turn

    def __init__(
        self,
        script: Script,
        now: datetime,
        reaches: Iterable[Helper] = (),
        *,
        session: str = "",
        memories: Variables | None = None,
        classifiers: Classifiers | None = None,
    ) -> None:
        self.script, self.now, self.session = script, now, session
        self.state, self.variables = State(), Variables()
        self.memories = memories or Variables()
        self.history: list[Message] = []
        self.events: list[Event] = []
        self._reaches = frozenset(reaches)
        self._spoken = spoken_table(script)
        self._classifiers = configured() if classifiers is None else classifiers

    def move(self, given: Input) -> Turn:
        """One turn, worked out as a session works it out: what is needed is asked, and it is worked out again."""
        known: dict[str, Answer] = {}
        while True:
            result = advance(self._world(), given, known)
            if isinstance(result, Turn):
                break
            known |= self.answered(result.tasks)
        self.turn, self.state, self.variables = result, result.state, result.variables.copy()
        self.memories = result.memories.copy()
        self.history += result.messages
        self.events += result.events
        return result

    @property
    def has_model(self) -> bool:
        """Whether there is anybody who answers; else it is script mode."""
        return False

    def answered(self, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        """The answers to tasks that are asked side by side, by their keys."""
        return {task.key: Answer(task.key, "absent") for task in tasks}

    def _world(self) -> World:
        return World(
            script=self.script,
            state=self.state,
            variables=self.variables,
            history=tuple(self.history[-HISTORY:]),
            now=self.now,
            model=self.has_model,
            spoken=self._spoken,
            reaches=self._reaches,
            memories=self.memories,
            session=self.session,
            classifiers=self._classifiers,
        )
