"""A provider that answers, and whose answers are of no use: after some it is not asked that any more for a while, so
that people do not wait for nothing turn after turn. Whether somebody is in danger is asked all the same."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.llm.material import GOOD, task

from heartrule.engine.session.tasks import Answer, Task
from heartrule.llm import provider as p
from heartrule.llm.breaker import BreakerRules
from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import Said, ScriptedProvider, Stall
from heartrule.testing.models import in_virtual_time

USELESS: list[Said] = [p.Empty(), p.BadRequest("400"), p.Filtered(), p.TooLong("9"), "好的。", {"answer": 1}]
STEADY = Policy(jitter=0.0)


class Ill:
    """Says ``said`` for as long as it is ill, and counts what it was asked."""

    def __init__(self, said: Said) -> None:
        self.said, self.ill, self.asked = said, True, 0

    def __call__(self, _: Request) -> Said:
        self.asked += 1
        return self.said if self.ill else GOOD


async def turn(model: Model, one: Task | None = None) -> tuple[Answer, float]:
    began = model.clock.now()
    (answer,) = (await model.answer([one or task()])).values()
    return answer, model.clock.now() - began


@pytest.mark.parametrize("said", USELESS, ids=repr)
def test_after_some_of_no_use_it_is_not_asked(said: Said) -> None:
    async def run() -> None:
        ill = Ill(said)
        model = Model([ScriptedProvider(ill)], STEADY)
        answers = [(await turn(model))[0] for _ in range(6)]
        assert {answer.status for answer in answers} == {"failed"}
        assert ill.asked == STEADY.useless.failures
        answer, seconds = await turn(model)
        assert [attempt.code for attempt in answer.attempts] == ["breaker_open"]
        assert seconds <= 1.0
        ill.ill = False
        await asyncio.sleep(STEADY.useless.longest)
        assert (await turn(model))[0].status == "answered"
        assert (await turn(model))[0].status == "answered"

    in_virtual_time(run())


def test_it_is_tried_again_by_one_call_and_rests_longer_where_that_is_of_no_use() -> None:
    async def run() -> None:
        ill = Ill("好的。")
        model = Model([ScriptedProvider(ill)], replace(STEADY, useless=BreakerRules(failures=2, rest=10, longest=15)))
        await turn(model)
        for rest in (10, 15, 15):
            await asyncio.sleep(rest - 0.1)
            asked = ill.asked
            await turn(model)
            assert ill.asked == asked
            await asyncio.sleep(0.2)
            await turn(model)
            assert ill.asked == asked + 1

    in_virtual_time(run())


def test_one_of_use_in_between_is_enough() -> None:
    async def run() -> None:
        asked = iter(range(100))
        model = Model([ScriptedProvider(lambda _: GOOD if next(asked) % 4 == 3 else p.BadRequest("400"))], STEADY)
        answers = [(await turn(model))[0] for _ in range(40)]
        assert sum(answer.status == "answered" for answer in answers) == 10

    in_virtual_time(run())


def test_what_it_can_answer_it_is_still_asked() -> None:
    async def run() -> None:
        ill = Ill(p.Filtered())
        model = Model([ScriptedProvider(ill)], STEADY)
        for _ in range(8):
            await turn(model)
        ill.ill = False
        assert (await turn(model))[0].status == "failed"
        assert (await turn(model, replace(task(), template="ai_ask_open")))[0].status == "answered"

    in_virtual_time(run())


@pytest.mark.parametrize("template", ["risk", "reading"])
def test_whether_somebody_is_in_danger_is_asked_all_the_same(template: str) -> None:
    async def run() -> None:
        ill = Ill(p.Filtered())
        model = Model([ScriptedProvider(ill)], STEADY)
        for _ in range(20):
            await turn(model, replace(task(), template=template))
        assert ill.asked == 20

    in_virtual_time(run())


def test_another_is_asked_instead_at_once() -> None:
    async def run() -> None:
        ill = Ill("好的。")
        providers = [ScriptedProvider(ill, name="a/m"), ScriptedProvider(lambda _: GOOD, name="b/m")]
        model = Model(providers, STEADY)
        answers = [(await turn(model))[0] for _ in range(10)]
        assert {answer.status for answer in answers} == {"answered"}
        assert ill.asked == STEADY.useless.failures
        assert [attempt.provider for attempt in answers[-1].attempts] == ["b/m"]

    in_virtual_time(run())


@pytest.mark.parametrize("how", [p.Refused(), p.Unsupported("400")], ids=repr)
def test_what_says_nothing_about_its_answers_does_not_count(how: p.ProviderError) -> None:
    async def run() -> None:
        ill = Ill(how)
        model = Model([ScriptedProvider(ill)], replace(STEADY, breaker=BreakerRules(failures=1000)))
        for _ in range(5):
            await turn(model)
        assert ill.asked > STEADY.useless.failures
        assert all(doubt.state == "closed" for each in model._routes.upstreams for doubt in each.doubts.values())

    in_virtual_time(run())


def test_a_probe_that_was_broken_off_leaves_the_way_free() -> None:
    async def run() -> None:
        ill = Ill("好的。")
        model = Model([ScriptedProvider(ill)], replace(STEADY, useless=BreakerRules(failures=2, rest=10)))
        await turn(model)
        await asyncio.sleep(11)
        ill.said = Stall(5.0, "好的。")
        probe = model.ask([task()])
        await asyncio.sleep(1)
        assert (await turn(model))[0].attempts[-1].code == "breaker_open", "one at a time"
        await probe.aclose()
        ill.ill = False
        assert (await turn(model))[0].status == "answered"

    in_virtual_time(run())
