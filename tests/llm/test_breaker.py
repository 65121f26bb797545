"""The breaker: opens after repeated failures, answers at once while open, probes with one call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from tests.llm.material import GOOD, task

from heartrule.engine.session.tasks import Answer
from heartrule.llm import provider as p
from heartrule.llm.breaker import Breaker, BreakerRules
from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.providers.scripted import Said, ScriptedProvider, Stall
from heartrule.testing.models import in_virtual_time


class Clock:
    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time


def broken(clock: Clock, rules: BreakerRules | None = None) -> Breaker:
    """A breaker that has just opened."""
    breaker = Breaker(clock.now, rules)
    for _ in range((rules or BreakerRules()).failures):
        assert breaker.enter()
        breaker.failed()
    return breaker


def test_it_stays_closed_below_its_limit() -> None:
    breaker = Breaker(Clock().now)
    for _ in range(4):
        assert breaker.enter()
        breaker.failed()
    assert breaker.state == "closed"
    assert breaker.enter()


def test_a_success_forgets_the_failures_before_it() -> None:
    breaker = Breaker(Clock().now)
    for _ in range(3):
        for _ in range(4):
            breaker.enter()
            breaker.failed()
        breaker.enter()
        breaker.succeeded()
    assert breaker.state == "closed"


def test_it_opens_and_lets_nothing_pass() -> None:
    breaker = broken(Clock())
    assert breaker.state == "open"
    assert not breaker.enter()


def test_after_a_rest_one_probe_passes() -> None:
    clock = Clock()
    breaker = broken(clock)
    clock.time = 9.9
    assert not breaker.enter()
    clock.time = 10.0
    assert breaker.state == "half_open"
    assert breaker.enter()
    assert not breaker.enter(), "one at a time"


def test_a_good_probe_closes_it() -> None:
    clock = Clock()
    breaker = broken(clock)
    clock.time = 10
    breaker.enter()
    breaker.succeeded()
    assert breaker.state == "closed"
    assert breaker.enter()
    assert breaker.enter()


def test_a_bad_probe_doubles_the_rest_up_to_a_limit() -> None:
    clock = Clock()
    breaker = broken(clock, BreakerRules(failures=1, rest=10, longest=35))
    rests = []
    for _ in range(4):
        while not breaker.enter():
            clock.time += 1
        began = clock.time
        breaker.failed()
        while breaker.state == "open":
            clock.time += 1
        rests.append(clock.time - began)
    assert rests == [20, 35, 35, 35]


def test_after_closing_the_rest_is_short_again() -> None:
    clock = Clock()
    breaker = broken(clock, BreakerRules(failures=1, rest=10))
    clock.time = 10
    breaker.enter()
    breaker.failed()
    clock.time = 30
    breaker.enter()
    breaker.succeeded()
    breaker.enter()
    breaker.failed()
    clock.time = 40
    assert breaker.state == "half_open"


def test_a_probe_that_was_cancelled_makes_room_for_another() -> None:
    clock = Clock()
    breaker = broken(clock)
    clock.time = 10
    assert breaker.enter()
    breaker.left()
    assert breaker.enter()


def test_calls_that_were_under_way_do_not_lengthen_the_rest() -> None:
    clock = Clock()
    breaker = Breaker(clock.now, BreakerRules(failures=2, rest=10))
    for _ in range(5):
        assert breaker.enter()
    for _ in range(5):
        breaker.failed()
    clock.time = 10
    assert breaker.state == "half_open"


def converse(
    said: Iterable[Said] | Callable[[p.Request], Said], turns: int, *, between: float = 0.0
) -> tuple[list[Answer], list[float], int]:
    """So many turns one after the other: the answers, how long each took, the calls made."""

    async def run() -> tuple[list[Answer], list[float], int]:
        provider = ScriptedProvider(said)
        model = Model([provider], Policy(jitter=0))
        answers, took = [], []
        for _ in range(turns):
            began = model.clock.now()
            answers.append((await model.answer([task()]))["ai_ask"])
            took.append(model.clock.now() - began)
            await asyncio.sleep(between)
        return answers, took, len(provider.requests)

    return in_virtual_time(run())


def test_while_it_is_open_answers_come_at_once() -> None:
    answers, took, calls = converse(lambda _: p.Refused(), 5)
    assert {answer.status for answer in answers} == {"failed"}
    assert calls == 5
    assert took[0] == pytest.approx(7)
    assert max(took[2:]) <= 1
    assert [attempt.cause for attempt in answers[-1].attempts] == ["breaker_open"]


def test_a_model_that_recovers_is_used_again() -> None:
    dead = [p.ServerError("503")] * 5
    answers, _, calls = converse([*dead, GOOD, GOOD], 4, between=11.0)
    assert [answer.status for answer in answers] == ["failed", "failed", "answered", "answered"]
    assert calls == 7


def test_stalling_opens_it_too() -> None:
    answers, took, _ = converse(lambda _: Stall(), 6)
    assert {answer.status for answer in answers} == {"failed"}
    assert took[-1] <= 1


@pytest.mark.parametrize("fault", [p.BadRequest("400"), p.Filtered(), p.Empty(), p.TooLong(), p.Unsupported()])
def test_what_says_nothing_about_the_provider_does_not_open_it(fault: p.ProviderError) -> None:
    """It is asked other things as before."""

    async def run() -> None:
        model = Model([ScriptedProvider(lambda _: fault)])
        for template in ("ai_ask", "ask", "ai_say", "ai_ask_open", "ai_think", "perceive", "judge", "review"):
            (answer,) = (await model.answer([replace(task(), template=template)])).values()
            assert all("breaker_open" not in attempt.cause for attempt in answer.attempts)

    in_virtual_time(run())


def test_a_wrong_key_opens_it() -> None:
    _, _, calls = converse(lambda _: p.Unauthorised("401"), 8)
    assert calls == 5


def test_a_call_that_had_no_time_says_nothing_about_the_provider() -> None:
    async def run() -> int:
        provider = ScriptedProvider(lambda _: Stall())
        model = Model([provider])
        for _ in range(8):
            await model.answer([task("risk", role="judge", seconds=1.0)])
        return len(provider.requests)

    assert in_virtual_time(run()) == 8


def test_cancelled_calls_say_nothing_about_the_provider() -> None:
    async def run() -> int:
        provider = ScriptedProvider(lambda _: Stall())
        model = Model([provider])
        for _ in range(8):
            call = asyncio.ensure_future(model.answer([task()]))
            await asyncio.sleep(1)
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
        return len(provider.requests)

    assert in_virtual_time(run()) == 8


def test_an_open_breaker_sends_tasks_to_the_next_provider() -> None:
    async def run() -> tuple[int, int, str]:
        one, two = ScriptedProvider(lambda _: p.Refused()), ScriptedProvider(lambda _: GOOD)
        model = Model([one, two], Policy(jitter=0))
        for _ in range(6):
            answer = (await model.answer([task()]))["ai_ask"]
        return len(one.requests), len(two.requests), answer.status

    assert in_virtual_time(run()) == (5, 6, "answered")
