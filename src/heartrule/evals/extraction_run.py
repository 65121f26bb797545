"""Every item held once, with recorded answers, with a model or without any."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from heartrule.engine.session.tasks import Answer, Task
from heartrule.evals.extraction_answers import RecordedAnswer, answer_of
from heartrule.evals.extraction_gold import Verdict, verdict
from heartrule.evals.extraction_items import LabelledDialogue
from heartrule.evals.extraction_round import ASKED, Round, WrittenValue
from heartrule.language.compiling.script import Script
from heartrule.llm.model import Model

Came = Literal["read", "unread", "stale", "unanswered", "rules"]
"""What came of the first attempt: an answer that could be read, one that could not, one to another prompt, none; or
nobody was asked."""


@dataclass(frozen=True, slots=True)
class ItemRun:
    """An item, what its turn wrote, and whether that is right, by name."""

    item: LabelledDialogue
    came: Came
    written: Mapping[str, WrittenValue] = field(repr=False)
    verdicts: Mapping[str, Verdict]

    @property
    def success(self) -> bool:
        """At the first attempt, everything right and nothing written that is not."""
        once = self.came in ("read", "rules") and all(each.strategy != "llm" for each in self.written.values())
        return once and all(each == "right" for each in self.verdicts.values())


def judged(item: LabelledDialogue, came: Came, written: Mapping[str, WrittenValue]) -> ItemRun:
    """A value that was known and is not written again still stands; where it is not the right one any more, that was
    missed."""
    holds = {**item.before, **{name: each.value for name, each in written.items()}}
    return ItemRun(item, came, written, {name: _judged(item, name, holds.get(name)) for name in item.gold})


def _judged(item: LabelledDialogue, name: str, held: Any) -> Verdict:
    found = verdict(item.gold[name], held)
    return "missed" if found == "wrong" and held == item.before.get(name) else found


def by_rules(rounds: Sequence[Round], told: Callable[[int, int], None]) -> list[ItemRun]:
    """Without a model. ``told`` hears how many of all have been held."""
    found = []
    for number, each in enumerate(rounds, 1):
        found.append(judged(each.item, "rules", each.without_model()))
        told(number, len(rounds))
    return found


async def by_answers(
    rounds: Sequence[Round], answers: Mapping[str, RecordedAnswer], told: Callable[[int, int], None]
) -> list[ItemRun]:
    """With recorded answers. What else a turn may ask (a second reading) nobody answers."""
    found = []
    for number, each in enumerate(rounds, 1):
        once = _Once(each, answers.get(each.item.id))
        written = await each.held(once)
        found.append(judged(each.item, once.came, written))
        told(number, len(rounds))
    return found


@dataclass(slots=True)
class _Once:
    """The recorded answer, for the first call it belongs to."""

    held: Round
    recorded: RecordedAnswer | None
    came: Came = "unanswered"
    _asked: bool = False

    async def __call__(self, script: Script, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        return {task.key: self._answer(task) for task in tasks}

    def _answer(self, task: Task) -> Answer:
        if task.template != ASKED or self._asked:
            return Answer(task.key, "failed")
        self._asked = True
        if self.recorded is None:
            return Answer(task.key, "failed")
        answer = answer_of(task, self.held.script, self.recorded)
        if answer is None:
            self.came = "stale"
            return Answer(task.key, "failed")
        self.came = "read" if answer.data is not None else "unread"
        return answer


@dataclass(slots=True)
class ExtractionModelRun:
    """A model asked about every item, several side by side. ``told`` hears how many of all have been held."""

    model: Model
    parallel: int = 4
    told: Callable[[int, int], None] = field(default=lambda done, all_: None)
    _done: int = 0

    async def run(self, rounds: Sequence[Round]) -> list[ItemRun]:
        gate = asyncio.Semaphore(self.parallel)

        async def one(held: Round) -> ItemRun:
            async with gate:
                found = await self._hold(held)
            self._done += 1
            self.told(self._done, len(rounds))
            return found

        return list(await asyncio.gather(*(one(each) for each in rounds)))

    async def _hold(self, held: Round) -> ItemRun:
        came: list[Came] = []

        async def answering(script: Script, tasks: Sequence[Task]) -> Mapping[str, Answer]:
            answers = await self.model.answer(tasks, script=script)
            came.extend(came_of(answers[task.key]) for task in tasks if task.template == ASKED)
            return answers

        written = await held.held(answering)
        return judged(held.item, came[0] if came else "unanswered", written)


def came_of(answer: Answer) -> Came:
    """Of the first attempt: one that had to be asked again was not read."""
    if not answer.attempts:
        return "unanswered"
    first = answer.attempts[0].outcome
    return "read" if first == "ok" else "unread" if first == "rejected" else "unanswered"
