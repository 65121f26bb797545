"""The same questions asked of a model in calls of different sizes, by the mechanism and the prompt of a turn."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from heartrule.engine.session.batch_limits import BatchLimits
from heartrule.engine.session.tasks import Answer, Context, Line, Task
from heartrule.engine.tasks import checkpoint
from heartrule.engine.tasks.checkpoint import Call, Item, Judgement, Outcome
from heartrule.engine.variables.evidence import locate
from heartrule.evals.answer_cache import AnswerCache
from heartrule.evals.figures import CallSpend, JudgedQuestion, Size, measured
from heartrule.evals.labelled_files import LabelledUtterance
from heartrule.llm.model import Model
from heartrule.llm.prompt import render

SIZES = (1, 2, 4, 8, 16)
SURE_ENOUGH = 0.5
"""A judgement that holds with less confidence than this is taken as a no."""


@dataclass(frozen=True, slots=True)
class Plan:
    """``sizes`` in rising order, 1 first. ``fillers`` are questions that nobody has the answers of; they stand beside
    those of a text that has too few of its own, and are not scored. ``parallel``: most calls at once."""

    locale: str
    sizes: tuple[int, ...] = SIZES
    fillers: tuple[str, ...] = ()
    seed: int = 0
    parallel: int = 4
    sure: float = SURE_ENOUGH
    asked: str = ""
    """Who is asked, in words: what another has answered is not theirs."""


@dataclass(slots=True)
class Batches:
    """``told`` hears how many texts of all there are to judge have been: texts times sizes."""

    model: Model
    plan: Plan
    kept: AnswerCache
    told: Callable[[int, int], None] = field(default=lambda done, all_: None)
    _done: int = 0

    async def run(self, rows: Sequence[LabelledUtterance]) -> list[Size]:
        """Every size, measured. The result depends on the rows, the plan and the answers, not on who answers first."""
        everything = len(rows) * len(self.plan.sizes)
        gate = asyncio.Semaphore(self.plan.parallel)
        found: list[Size] = []
        alone: list[JudgedQuestion] = []
        for size in self.plan.sizes:

            async def one(number: int, size: int = size) -> tuple[list[JudgedQuestion], list[CallSpend]]:
                async with gate:
                    result = await self._row(rows[number], number, size)
                self._done += 1
                self.told(self._done, everything)
                return result

            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(number)) for number in range(len(rows))]
            judged = [each for task in tasks for each in task.result()[0]]
            spent = [each for task in tasks for each in task.result()[1]]
            alone = alone or judged
            found.append(measured(size, judged, alone, spent))
        return found

    async def _row(
        self, row: LabelledUtterance, number: int, size: int
    ) -> tuple[list[JudgedQuestion], list[CallSpend]]:
        """As a turn does it: in the fewest calls, and once more for what came back unusable."""
        asked = ordered(list(row.answers), number, size, self.plan)
        grouping = BatchLimits(judgements=size)
        outcome, spent = await self._ask(row, checkpoint.calls(map(Judgement, asked), grouping))
        again = [item for item in outcome.unusable if isinstance(item, Judgement) and item.text in row.answers]
        if again:
            second, more = await self._ask(row, checkpoint.calls(again, grouping))
            outcome.add(second)
            spent += more
        lost: set[Item] = {*outcome.unusable, *outcome.unanswered}
        judged = []
        for text, right in row.answers.items():
            item = Judgement(text)
            held = outcome.held.get(item)
            judged.append(
                JudgedQuestion(right, None if item in lost else held is not None and held.confidence >= self.plan.sure)
            )
        return judged, spent

    async def _ask(self, row: LabelledUtterance, calls: Sequence[Call]) -> tuple[Outcome, list[CallSpend]]:
        outcome, spent = Outcome(), []
        for call in calls:
            answer, used = await self._answer(task(call, row, self.plan.locale))
            found = checkpoint.parse_answer(
                call, answer, lambda quote: locate(quote, row.said), lambda quote: locate(quote, row.said)
            )
            outcome.add(found)
            spent.append(used)
        return outcome, spent

    async def _answer(self, asked: Task) -> tuple[Answer, CallSpend]:
        key = hashlib.sha256(f"{render(asked).hash}\n{self.plan.asked}".encode()).hexdigest()
        known = self.kept.find(key)
        if known is not None:
            return Answer(asked.key, "answered", known[0]), known[1]
        answer = (await self.model.answer([asked]))[asked.key]
        used = _spent(answer)
        if answer.data is not None:
            self.kept.keep(key, answer.data, used)
        return answer, used


def ordered(own: Sequence[str], number: int, size: int, plan: Plan) -> list[str]:
    """The questions of a text, with so many others that every call is full, in an order of chance that is the same
    every time. With too few others the calls are as full as they can be."""
    chance = Random(f"{plan.seed}:{number}:{size}")
    others = [each for each in plan.fillers if each not in own]
    chance.shuffle(others)
    found = [*own, *others[: -len(own) % size]]
    chance.shuffle(found)
    return found


def task(call: Call, row: LabelledUtterance, locale: str) -> Task:
    """What a turn would ask, of a conversation in which this was just said."""
    before = (Line("ai", row.before),) if row.before else ()
    shape = checkpoint.schema(call)
    values: Mapping[str, str] = {
        **dict.fromkeys(("passive", "later", "facts", "time"), ""),
        "judgements": call.questions("judgements"),
    }
    return Task(
        key="perceive",
        kind="extract",
        role=call.tier,
        template="perceive",
        context=Context(None, locale, {}, {}, (*before, Line("person", row.said))),
        values=values,
        schema=shape,
        required=tuple(shape["required"]),
        temperature=0.0,
    )


def _spent(answer: Answer) -> CallSpend:
    tries = [each for each in answer.attempts if each.provider]
    costs = [each.cost for each in tries]
    currencies = {each.currency for each in tries if each.currency}
    known = bool(costs) and None not in costs and len(currencies) == 1
    told_in = [each.tokens_in for each in tries if each.tokens_in is not None]
    told_out = [each.tokens_out for each in tries if each.tokens_out is not None]
    return CallSpend(
        tokens_in=sum(told_in) if tries and len(told_in) == len(tries) else None,
        tokens_out=sum(told_out) if tries and len(told_out) == len(tries) else None,
        cost=sum(each for each in costs if each is not None) if known else None,
        currency=next(iter(currencies)) if known else None,
        seconds=sum(each.seconds for each in tries),
        tries=len(tries),
    )
