"""A session held on the bare engine: no store, no clock but the one it is given, answers from whoever gives them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from heartrule.engine import beside, periodic
from heartrule.engine.events import Event
from heartrule.engine.io import Helper, Input, Message, Turn, Words, World
from heartrule.engine.state import State
from heartrule.engine.tasks import Answer, Task
from heartrule.engine.turn import advance
from heartrule.engine.variables import Value, Variables
from heartrule.engine.work import Work
from heartrule.language.script import Script
from heartrule.prompts.spoken import spoken_table

Answers = Callable[[Sequence[Task]], Mapping[str, Answer]]
"""Answers tasks that are asked side by side, by their keys."""
WINDOW = 60
"""Messages that a turn sees of what was said before."""
_TIMERS = 100
"""Timers that may strike in one stretch of time; more is a script that times out for ever."""


class Lost(Exception):
    """What a session holds did not survive being saved and loaded. ``what`` names it."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(what)


class Conversation:
    """``answers=None`` is script mode. ``turn`` is the last turn; it has not begun before ``begin``."""

    turn: Turn

    def __init__(self, script: Script, answers: Answers | None, now: datetime, reaches: Iterable[Helper] = ()) -> None:
        self.script, self.answers, self.now = script, answers, now
        self.state, self.variables = State(), Variables()
        self.messages: list[Message] = []
        self.events: list[Event] = []
        self.calls = 0
        """Questions that turns have put to the model and waited for."""
        self._reaches = frozenset(reaches)
        self._spoken = spoken_table(script)

    def move(self, given: Input) -> Turn:
        """One turn, worked out as a session works it out: what is needed is asked, and it goes on."""
        known: dict[str, Answer] = {}
        while True:
            result = advance(self.world(), given, known)
            if isinstance(result, Turn):
                break
            self.calls += len(result.tasks) if self.answers is not None else 0
            known |= self._asked(result.tasks)
        self.turn, self.state, self.variables = result, result.state, result.variables.copy()
        self.messages += result.messages
        self.events += result.events
        return result

    def say(self, texts: Sequence[str]) -> None:
        seen = self.state.messages
        self.move(Input("message", tuple(Words(text, seen) for text in texts), after=seen))

    def choose(self, value: str) -> None:
        self.move(Input("choice", choice=value, after=self.state.messages))

    def wait(self, span: timedelta) -> None:
        """Time passes, and every timer that comes due meanwhile strikes in its moment."""
        until = self.now + span
        for _ in range(_TIMERS):
            due = self.turn.wake_at
            if due is None or due > until:
                break
            self.now = max(self.now, due)
            self.move(Input("timer"))
        self.now = until

    def settle(self) -> None:
        """What happens beside the conversation before the person's next move: the advice that the last turn left to be
        asked, and the looks back that have come due."""
        if self.answers is not None and self.turn.after:
            answers = self._asked(self.turn.after)
            found = (beside.advice_of(task, answers[task.key]) for task in self.turn.after)
            advice = tuple(each for each in found if each is not None)
            if advice:
                self.move(Input("advised", advice=advice))
        work = Work.of(self.world())
        due = periodic.due(work)
        if due:
            task = periodic.question(work, due)
            answer = self._asked((task,))[task.key] if task is not None else None
            self.move(Input("noticed", found=periodic.findings(work, due, answer)))

    def reconnect(self) -> None:
        """Save what the session holds as the store does, and go on with what is loaded. Raises ``Lost``."""
        state = State.model_validate_json(self.state.model_dump_json())
        if state != self.state:
            raise Lost("state")
        loaded = Variables(
            {
                where: {name: _kept(name, value) for name, value in cell.items()}
                for where, cell in self.variables.cells.items()
            }
        )
        self.state, self.variables = state, loaded

    def world(self) -> World:
        return World(
            script=self.script,
            state=self.state,
            variables=self.variables,
            history=tuple(self.messages[-WINDOW:]),
            now=self.now,
            model=self.answers is not None,
            spoken=self._spoken,
            reaches=self._reaches,
        )

    def _asked(self, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        if self.answers is None:
            return {task.key: Answer(task.key, "absent") for task in tasks}
        return self.answers(tasks)


def _kept(name: str, value: Value) -> Value:
    try:
        whole = json.loads(json.dumps(value.value, ensure_ascii=False)) == value.value
    except (TypeError, ValueError):
        whole = False
    if not whole:
        raise Lost(name)
    return value
