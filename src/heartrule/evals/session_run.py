"""Every item of a labelled file held once as a session, with recorded answers, with a model or without any.

A prompt is known by its item and its template, ``zh-mood-03.stretch``; what is asked again in the same turn is
numbered, ``zh-mood-03.stretch.2``.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from heartrule.engine.session.tasks import Answer, Task
from heartrule.evals.extraction_answers import RecordedAnswer, answer_of
from heartrule.evals.extraction_round import Answering
from heartrule.evals.extraction_run import Came, came_of
from heartrule.language.compiling.script import Script
from heartrule.llm.model import Model
from heartrule.llm.prompt import Prompt, render

Telling = Callable[[int, int], None]
"""Hears how many of all have been held."""


class NamedItem(Protocol):
    @property
    def id(self) -> str: ...


Item = TypeVar("Item", bound=NamedItem)
Outcome = TypeVar("Outcome")
ItemRead = TypeVar("ItemRead", bound=NamedItem, covariant=True)
OutcomeRead = TypeVar("OutcomeRead", covariant=True)


class Session(Protocol[ItemRead, OutcomeRead]):
    """A labelled item, placed where its newest message is still to be heard."""

    @property
    def item(self) -> ItemRead: ...

    async def held(self, answering: Answering) -> OutcomeRead:
        """What comes of it when ``answering`` answers what is asked."""
        ...


@dataclass(frozen=True)  # no slots: an alias with its parameters could not be called
class ItemOutcome(Generic[Item, Outcome]):
    """An item, what came of it, and what came of each prompt. Where nothing was asked of a model, ``came`` is empty."""

    item: Item
    outcome: Outcome = field(repr=False)
    came: Mapping[str, Came]


@dataclass(slots=True)
class RecordedSource:
    """Answers what a session asks with recorded answers. ``open``: the prompts that none of them fits."""

    id: str
    answers: Mapping[str, RecordedAnswer]
    came: dict[str, Came] = field(default_factory=dict)
    open: dict[str, Prompt] = field(default_factory=dict)
    _asked: Counter[str] = field(default_factory=Counter)

    async def __call__(self, script: Script, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        return {task.key: self._answer(script, task) for task in tasks}

    def _answer(self, script: Script, task: Task) -> Answer:
        name = numbered(self.id, task, self._asked)
        recorded = self.answers.get(name)
        answer = answer_of(task, script, recorded) if recorded is not None else None
        if answer is None:
            self.came[name] = "stale" if recorded is not None else "unanswered"
            self.open[name] = render(task, script)
            return Answer(task.key, "failed")
        self.came[name] = "read" if answer.data is not None else "unread"
        return answer


def numbered(item: str, task: Task, asked: Counter[str]) -> str:
    """The prompt's id; ``asked`` counts along."""
    asked[task.template] += 1
    again = asked[task.template]
    return f"{item}.{task.template}" + (f".{again}" if again > 1 else "")


def unanswered(
    sessions: Sequence[Session[NamedItem, object]], answers: Mapping[str, RecordedAnswer], told: Telling
) -> dict[str, Prompt]:
    """Every prompt that would be asked and that ``answers`` do not answer, by id. What is asked only because of an
    answer is among them when that answer is there."""
    found: dict[str, Prompt] = {}
    for number, each in enumerate(sessions, 1):
        recording = RecordedSource(each.item.id, answers)
        asyncio.run(each.held(recording))
        found |= recording.open
        told(number, len(sessions))
    return found


def by_answers(
    sessions: Sequence[Session[Item, Outcome]], answers: Mapping[str, RecordedAnswer], told: Telling
) -> list[ItemOutcome[Item, Outcome]]:
    found = []
    for number, each in enumerate(sessions, 1):
        recording = RecordedSource(each.item.id, answers)
        outcome = asyncio.run(each.held(recording))
        found.append(ItemOutcome(each.item, outcome, recording.came))
        told(number, len(sessions))
    return found


def by_rules(sessions: Sequence[Session[Item, Outcome]], told: Telling) -> list[ItemOutcome[Item, Outcome]]:
    """Of sessions without a model."""

    async def nobody(script: Script, tasks: Sequence[Task]) -> Mapping[str, Answer]:
        return {task.key: Answer(task.key, "failed") for task in tasks}

    found = []
    for number, each in enumerate(sessions, 1):
        found.append(ItemOutcome(each.item, asyncio.run(each.held(nobody)), {}))
        told(number, len(sessions))
    return found


@dataclass(slots=True)
class PromptRun:
    """A model asked about every item, several side by side."""

    model: Model
    parallel: int = 4
    told: Telling = field(default=lambda done, all_: None)
    _done: int = 0

    async def run(self, sessions: Sequence[Session[Item, Outcome]]) -> list[ItemOutcome[Item, Outcome]]:
        gate = asyncio.Semaphore(self.parallel)

        async def one(session: Session[Item, Outcome]) -> ItemOutcome[Item, Outcome]:
            async with gate:
                found = await self._hold(session)
            self._done += 1
            self.told(self._done, len(sessions))
            return found

        return list(await asyncio.gather(*(one(each) for each in sessions)))

    async def _hold(self, session: Session[Item, Outcome]) -> ItemOutcome[Item, Outcome]:
        came: dict[str, Came] = {}
        asked: Counter[str] = Counter()

        async def answering(script: Script, tasks: Sequence[Task]) -> Mapping[str, Answer]:
            answers = await self.model.answer(tasks, script=script)
            for task in tasks:
                came[numbered(session.item.id, task, asked)] = came_of(answers[task.key])
            return answers

        return ItemOutcome(session.item, await session.held(answering), came)
