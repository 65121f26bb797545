"""A session held on the bare engine: no store, no clock but the one it is given, answers from whoever gives them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from heartrule.engine.awareness import periodic
from heartrule.engine.session.io import Helper, Input, Turn, Words
from heartrule.engine.session.state import State
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.session.variables import Value, Variables
from heartrule.engine.start_position import place
from heartrule.engine.supervision import background
from heartrule.engine.variables.elapsed_time import stood_still
from heartrule.engine.work import Work
from heartrule.language.compiling.script import Script
from heartrule.language.nodes.node import Json
from heartrule.script_tests.driven import Driven

Answers = Callable[[Sequence[Task]], Mapping[str, Answer]]
"""Answers tasks that are asked side by side, by their keys."""
_BY_ITSELF = ("timer", "noticed", "advised")
"""Inputs that are not the person's."""
_TIMERS = 100
"""Timers that may strike in one stretch of time; more is a script that times out for ever."""


class Lost(Exception):
    """What a session holds did not survive being saved and loaded. ``what`` names it."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(what)


class Conversation(Driven):
    """``answers=None`` is script mode."""

    def __init__(self, script: Script, answers: Answers | None, now: datetime, reaches: Iterable[Helper] = ()) -> None:
        super().__init__(script, now, reaches)
        self._answers = answers
        self.calls = 0
        """Questions that have been put to the model."""

    @property
    def has_model(self) -> bool:
        return self._answers is not None

    def answered(self, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        if self._answers is None:
            return super().answered(tasks)
        self.calls += len(tasks)
        return self._answers(tasks)

    def begin_at(self, phase: int | None, ref: str, index: int, values: Mapping[str, Json]) -> str:
        """Begin in the middle, at the action ``index`` of a topic of a phase, or of a technique (``phase`` None).
        Returns why that cannot be, or nothing."""
        work = Work.of(self._world())
        why = place(work, values, phase, ref, index)
        if not why:
            self.state, self.variables = work.state, work.variables.copy()
            self.events += work.events
            self.move(Input("resume"))
        return why

    def say(self, texts: Sequence[str]) -> None:
        seen = self.state.messages
        self.move(Input("message", tuple(Words(text, seen) for text in texts), after=seen))

    def choose(self, value: str) -> None:
        self.move(Input("choice", choice=value, after=self.state.messages))

    def move(self, given: Input) -> Turn:
        """As sessions do: while the person has paused, what times the waiting action stands still."""
        clock = self.state.clock
        if clock.paused and clock.at is not None and given.kind not in _BY_ITSELF:
            self.state = stood_still(self.state, self.now - clock.at)
        return super().move(given)

    def wait(self, span: timedelta) -> None:
        """Time passes, and every timer that comes due meanwhile strikes in its moment, looks back among them; none
        while the person has paused."""
        until = self.now + span
        for _ in range(_TIMERS):
            due = None if self.state.clock.paused else self.turn.wake_at
            if due is None or due > until:
                break
            self.now = max(self.now, due)
            self.move(Input("timer"))
            self.settle()
            if self.turn.wake_at == due:
                break
        self.now = until

    def settle(self) -> None:
        """What happens beside the conversation before the person's next move: the advice that the last turn left to be
        asked, and the looks back that have come due."""
        if self.turn.after:
            answers = self.answered(self.turn.after)
            found = (background.advice_of(task, answers[task.key]) for task in self.turn.after)
            advice = tuple(each for each in found if each is not None)
            if advice:
                self.move(Input("advised", advice=advice))
        work = Work.of(self._world())
        due = periodic.due(work) if not self.state.clock.paused else ()
        if due:
            task = periodic.question(work, due)
            answer = self.answered((task,))[task.key] if task is not None else None
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


def _kept(name: str, value: Value) -> Value:
    try:
        whole = json.loads(json.dumps(value.value, ensure_ascii=False)) == value.value
    except (TypeError, ValueError):
        whole = False
    if not whole:
        raise Lost(name)
    return value
