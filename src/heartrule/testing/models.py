"""Models for tests: one that answers from a table of templates, and time that passes only when everybody waits."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from heartrule.engine.session.tasks import Answer, Attempt, Task
from heartrule.language.compiling.script import Script
from heartrule.llm.clock import LoopClock
from heartrule.llm.model import Model, Spoken
from heartrule.llm.pending_calls import PendingCalls
from heartrule.llm.prompt import Prompt
from heartrule.llm.providers.scripted import OutOfScript
from heartrule.llm.turn_budget import TurnBudget

T = TypeVar("T")
Data = Mapping[str, Any] | None
"""What a task is answered with; None is a failure."""
Answers = Callable[[Task], Data] | Iterable[Data] | Data


class ScriptedModel(Model):
    """Answers tasks without prompts and providers, by the name of their template.

    ``ScriptedModel(ai_ask=[{…}, {…}], risk=lambda task: {…})``: a list is used up, an object serves every time,
    a function sees the task, None fails. ``asked`` keeps the tasks. Templates that are not named go to ``otherwise``,
    without which they are an error.
    """

    def __init__(self, otherwise: Answers | None = None, **answers: Answers) -> None:
        super().__init__()
        self.asked: list[Task] = []
        self._answers = {name: _answerer(name, each) for name, each in answers.items()}
        self._otherwise = None if otherwise is None else _answerer("otherwise", otherwise)

    @property
    def configured(self) -> bool:
        return True

    def ask(
        self,
        tasks: Sequence[Task],
        deadline: float | None = None,
        script: Script | None = None,
        prompts: Mapping[str, Prompt] | None = None,
        spoken: Mapping[str, Spoken] | None = None,
        *,
        aloud: bool = True,
        stay: str = "",
        turn_budget: TurnBudget | None = None,
    ) -> PendingCalls:
        return _AskedModel({task.key: self._one(task) for task in tasks})

    def _one(self, task: Task) -> Answer:
        self.asked.append(task)
        answer = self._answers.get(task.template, self._otherwise)
        if answer is None:
            raise OutOfScript(f"no answers for template {task.template}")
        data = answer(task)
        if data is None:
            return Answer(
                task.key, "failed", None, (Attempt(1, "error", "scripted", model="scripted", provider="scripted"),)
            )
        return Answer(task.key, "answered", data, (Attempt(1, "ok", model="scripted", provider="scripted"),))


class _AskedModel(PendingCalls):
    """What was answered at once."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        super().__init__((), LoopClock(), 1.0, ())
        self._answers = answers

    def done(self, key: str) -> bool:
        return True

    def result(self, key: str) -> Answer:
        return self._answers[key]

    async def ready(self) -> dict[str, Answer]:
        return dict(self._answers)

    async def all(self) -> dict[str, Answer]:
        return dict(self._answers)

    def attempts(self, key: str) -> tuple[Attempt, ...]:
        return self._answers[key].attempts


def _answerer(name: str, answers: Answers) -> Callable[[Task], Data]:
    if answers is None or isinstance(answers, Mapping):
        return lambda _: answers
    if callable(answers):
        return answers
    left: Iterator[Data] = iter(answers)

    def following(_: Task) -> Data:
        for data in left:
            return data
        raise OutOfScript(f"the answers for template {name} are used up")

    return following


class _SkippingClock(selectors.DefaultSelector):
    """Never blocks: time that would be waited is added to the clock instead."""

    skipped = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is not None and timeout > 0:
            self.skipped += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer whenever nothing else is left to do. Not for real sockets."""

    def __init__(self) -> None:
        self._skipping = _SkippingClock()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.skipped


def in_virtual_time(work: Coroutine[Any, Any, T]) -> T:
    """As ``asyncio.run``, but an hour of sleeping takes no time. The loop's clock starts at 0."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)
