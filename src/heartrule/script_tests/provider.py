"""Who answers in place of a person's provider: a table by template. The rest of the way is the model layer's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from heartrule.engine.session.tasks import Answer, Task
from heartrule.language.compiling.script import Script
from heartrule.language.texts.plain import packaged_yaml
from heartrule.llm.clock import Clock
from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.provider import Heard, Provider, Reply, Request, ServerError, TimedOut
from heartrule.script_tests.clock import SkippingClock
from heartrule.script_tests.unused_answers import THEN, TRIES, WHEN, Note, Use, as_sent

FAIL, TIMEOUT = "fail", "timeout"
"""Answers that are none: the provider fails, or is silent for too long."""


class Table:
    """Answers by template. A list is used up in order and its last one stays; what has ``when_prompt_contains`` answers
    wherever the prompt holds those words, before the others; ``tries`` are the answers of one question asked again.
    Templates that are not named answer as one who notices nothing, or fail."""

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self._answers = answers
        self._used: dict[int, int] = {}
        self.use = Use(answers)

    def pick(self, template: str, prompt: str) -> list[Any]:
        """What one question is answered with, try after try; the last one stays."""
        if template not in self._answers:
            return [_unheeding().get(template, FAIL)]
        self.use.asked.add(template)
        found = self._one(self._answers[template], prompt)
        tries = list(found[TRIES]) if isinstance(found, Mapping) and TRIES in found else [found]
        unsaid = _unheeding().get(template, {})
        return [{**unsaid, **each} if isinstance(each, Mapping) else each for each in tries]

    def _one(self, answers: Any, prompt: str) -> Any:
        if isinstance(answers, Mapping) and WHEN in answers:
            return self._met(answers, prompt) if _holds(answers, prompt) else FAIL
        if not isinstance(answers, list):
            return answers
        for each in answers:
            if isinstance(each, Mapping) and WHEN in each and _holds(each, prompt):
                return self._met(each, prompt)
        plain = [each for each in answers if not (isinstance(each, Mapping) and WHEN in each)]
        if not plain:
            return FAIL
        used = self._used.get(id(answers), 0)
        self._used[id(answers)] = used + 1
        found = plain[min(used, len(plain) - 1)]
        self.use.met.add(id(found))
        return found

    def _met(self, answer: Mapping[str, Any], prompt: str) -> Any:
        self.use.met.add(id(answer))
        return self._one(answer[THEN], prompt)


def _holds(answer: Mapping[str, Any], prompt: str) -> bool:
    wanted = answer[WHEN]
    return all(str(each) in prompt for each in (wanted if isinstance(wanted, list) else [wanted]))


@cache
def _unheeding() -> Mapping[str, Any]:
    found: Mapping[str, Any] = packaged_yaml("heartrule.script_tests", "unheeding.yaml")
    return found


class _One:
    """The provider of one question."""

    name = "scripted"

    def __init__(self, tries: Sequence[Any], sent: Callable[[Any, Request], object]) -> None:
        self._tries, self._sent = list(tries), sent

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        said = self._tries.pop(0) if len(self._tries) > 1 else self._tries[0]
        if said == FAIL:
            raise ServerError("503")
        if said == TIMEOUT:
            raise TimedOut
        self._sent(said, request)
        return Reply(as_sent(said), model=self.name)

    async def aclose(self) -> None:
        return


Source = Callable[[Task, str], Provider]
"""The provider that one question goes to, by its task and the words of its prompt."""


def scripted(table: Table) -> Source:
    return lambda task, prompt: _One(
        table.pick(task.template, prompt), lambda said, request: table.use.sent(task.template, said, request)
    )


class AnsweringModels:
    """Asks each question of the provider that ``source`` has for it, through the real model layer: prompts, parsing,
    checks, retries. Waits between tries take no time, but where a ``clock`` is given."""

    def __init__(
        self, script: Script, source: Source, *, clock: Clock | None = None, policy: Policy | None = None
    ) -> None:
        self._script, self._source, self._clock, self._policy = script, source, clock, policy
        self._runner = asyncio.Runner()

    def __call__(self, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        return {task.key: self._runner.run(self._ask(task)) for task in tasks}

    async def _ask(self, task: Task) -> Answer:
        provider = _Late(task, self._source)
        model = Model([provider], self._policy, clock=self._clock or SkippingClock(), random=lambda: 0.5)
        answers = await model.answer([task], script=self._script)
        await model.aclose()
        return answers[task.key]

    def close(self) -> None:
        self._runner.close()


class ScriptedAnswers(AnsweringModels):
    """Answers from a table, and knows what of it came to nothing."""

    def __init__(self, script: Script, answers: Mapping[str, Any]) -> None:
        self._table = Table(answers)
        super().__init__(script, scripted(self._table))

    def __call__(self, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        answers = super().__call__(tasks)
        for task in tasks:
            self._table.use.came(task, answers[task.key])
        return answers

    def notes(self) -> tuple[Note, ...]:
        return tuple(self._table.use.notes())


class _Late:
    """Finds its provider when the first prompt is there."""

    def __init__(self, task: Task, source: Source) -> None:
        self._task, self._source = task, source
        self._own: Provider | None = None

    @property
    def name(self) -> str:
        return "script_tests"

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        if self._own is None:
            self._own = self._source(self._task, "\n".join(each.text for each in request.messages))
        return await self._own.complete(request, heard)

    async def aclose(self) -> None:
        if self._own is not None:
            await self._own.aclose()
