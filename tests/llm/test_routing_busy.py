"""As many calls at once as a model may have: others wait a moment, go elsewhere, or take their turn. Virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.llm.material import task
from tests.llm.test_routing import offer

from heartrule.engine.session.tasks import Task
from heartrule.llm.breaker import BreakerRules
from heartrule.llm.clock import LoopClock
from heartrule.llm.policy import Policy
from heartrule.llm.routing import Permit, Routes
from heartrule.llm.upstream import Offer
from heartrule.testing.models import in_virtual_time

REPLY = task("ai_ask")
RISK = task("risk", role="judge")
THINK = task("ai_think")


def routes(*offers: Offer, policy: Policy | None = None) -> Routes:
    return Routes(offers, policy=policy or Policy(), clock=LoopClock(), random=lambda: 0.5)


class Calls:
    """Calls made one way: who was asked, when each began and ended, and the most at once."""

    def __init__(self, found: Routes) -> None:
        self.routes = found
        self.log: list[tuple[float, str, str]] = []
        self.most: dict[str, int] = {}
        self._now: dict[str, int] = {}

    async def call(
        self, name: str, seconds: float, *, given: Task = REPLY, until: float = 100.0, fails: bool = False
    ) -> str | None:
        permit = await self.routes.route(given, name).take(until)
        self.log.append((asyncio.get_running_loop().time(), name, permit.upstream.name if permit else "nobody"))
        if permit is None:
            return None
        who = permit.upstream.name
        self._now[who] = self._now.get(who, 0) + 1
        self.most[who] = max(self.most.get(who, 0), self._now[who])
        verdict = permit.left
        try:
            await asyncio.sleep(seconds)
            verdict = permit.failed if fails else permit.succeeded
        finally:
            self._now[who] -= 1
            verdict()
        return who


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return in_virtual_time(work)


def test_alone_and_full_the_next_waits_for_its_turn() -> None:
    async def work() -> Calls:
        calls = Calls(routes(offer("a", concurrency=1)))
        await asyncio.gather(*(calls.call(str(n), 2.0) for n in range(3)))
        return calls

    calls = run(work())
    assert calls.log == [(0.0, "0", "a"), (2.0, "1", "a"), (4.0, "2", "a")]
    assert calls.most == {"a": 1}


def test_nobody_waits_longer_than_there_is_time() -> None:
    async def work() -> Calls:
        calls = Calls(routes(offer("a", concurrency=1)))
        await asyncio.gather(calls.call("first", 9.0), calls.call("second", 1.0, until=5.0))
        return calls

    assert run(work()).log == [(0.0, "first", "a"), (5.0, "second", "nobody")]


def test_who_is_busy_for_long_makes_way_for_another() -> None:
    async def work() -> Calls:
        calls = Calls(routes(offer("a", concurrency=1), offer("spare", weight=0)))
        await asyncio.gather(calls.call("first", 9.0), calls.call("second", 1.0))
        return calls

    assert run(work()).log == [(0.0, "first", "a"), (pytest.approx(0.3), "second", "spare")]


def test_who_is_busy_for_a_moment_is_waited_for() -> None:
    async def work() -> Calls:
        calls = Calls(routes(offer("a", concurrency=1), offer("spare", weight=0)))
        await asyncio.gather(calls.call("first", 0.2), calls.call("second", 1.0))
        return calls

    assert run(work()).log == [(0.0, "first", "a"), (pytest.approx(0.2), "second", "a")]


def test_the_moment_is_counted_within_the_time_there_is() -> None:
    async def work() -> Calls:
        calls = Calls(routes(offer("a", concurrency=1), offer("spare", weight=0)))
        await asyncio.gather(calls.call("first", 9.0), calls.call("second", 1.0, until=0.1))
        return calls

    assert run(work()).log[1] == (pytest.approx(0.1), "second", "spare")


def test_when_all_are_busy_the_first_that_is_free_is_taken() -> None:
    async def work() -> Calls:
        calls = Calls(routes(offer("a", concurrency=1), offer("spare", weight=0, concurrency=1)))
        await asyncio.gather(calls.call("one", 5.0), calls.call("two", 3.0), calls.call("three", 1.0))
        return calls

    assert run(work()).log[-1] == (pytest.approx(3.3), "three", "spare")


def test_what_may_be_a_matter_of_life_goes_first() -> None:
    async def work() -> Calls:
        calls = Calls(routes(offer("a", concurrency=1)))
        tasks = {"thought": THINK, "reply": REPLY, "reply too": REPLY, "risk": RISK}
        await asyncio.gather(calls.call("first", 1.0), *(calls.call(name, 1.0, given=of) for name, of in tasks.items()))
        return calls

    assert [name for _, name, _ in run(work()).log] == ["first", "risk", "thought", "reply", "reply too"]


def test_one_who_gives_up_waiting_leaves_no_hole() -> None:
    async def work() -> Calls:
        calls = Calls(routes(offer("a", concurrency=1)))
        first = asyncio.ensure_future(calls.call("first", 2.0))
        gone = asyncio.ensure_future(calls.call("gone", 2.0))
        last = asyncio.ensure_future(calls.call("last", 2.0))
        await asyncio.sleep(1.0)
        gone.cancel()
        await asyncio.gather(first, last, gone, return_exceptions=True)
        assert await calls.call("after", 1.0) == "a"
        return calls

    assert [(at, name) for at, name, _ in run(work()).log] == [(0.0, "first"), (2.0, "last"), (4.0, "after")]


def test_one_who_is_cancelled_just_as_it_is_its_turn_hands_it_on() -> None:
    async def work() -> list[str]:
        found = routes(offer("a", concurrency=1))
        first = found.route(REPLY).enter()
        assert first is not None
        taken: list[str] = []

        async def wait(name: str) -> None:
            permit = await found.route(REPLY).take(50.0)
            assert permit is not None
            taken.append(name)
            permit.succeeded()

        gone, last = asyncio.ensure_future(wait("gone")), asyncio.ensure_future(wait("last"))
        await asyncio.sleep(0)
        first.succeeded()
        gone.cancel()
        await asyncio.gather(gone, last, return_exceptions=True)
        assert found.upstreams[0].busy == 0
        return taken

    assert run(work()) == ["last"]


def test_a_turn_that_comes_with_the_end_of_the_time_is_taken() -> None:
    async def work() -> tuple[Permit | None, int]:
        found = routes(offer("a", concurrency=1))
        first = found.route(REPLY).enter()
        assert first is not None
        asyncio.get_running_loop().call_at(5.0, first.succeeded)
        permit = await found.route(REPLY).take(5.0)
        busy = found.upstreams[0].busy
        return permit, busy

    permit, busy = run(work())
    assert busy == (0 if permit is None else 1), "granted and kept, or neither"


def test_who_waits_for_one_that_goes_down_is_told_at_once() -> None:
    async def work() -> Calls:
        policy = Policy(breaker=BreakerRules(failures=2, rest=10))
        calls = Calls(routes(offer("a", concurrency=2), policy=policy))
        failing = [calls.call(name, 3.0, fails=True) for name in ("one", "two")]
        await asyncio.gather(*failing, *(calls.call(f"waiting {n}", 1.0) for n in range(5)))
        return calls

    calls = run(work())
    nobody = [at for at, _, who in calls.log if who == "nobody"]
    assert nobody == [3.0] * 5
    assert calls.routes.upstreams[0].busy == 0


def test_a_probe_is_the_only_call_however_many_wait() -> None:
    async def work() -> Calls:
        policy = Policy(breaker=BreakerRules(failures=1, rest=10))
        calls = Calls(routes(offer("a", concurrency=3), policy=policy))
        await calls.call("failing", 1.0, fails=True)
        await asyncio.sleep(10.0)
        await asyncio.gather(*(calls.call(str(n), 1.0) for n in range(6)))
        return calls

    assert [who for _, _, who in run(work()).log] == ["a", "a", *["nobody"] * 5]


CALL = st.tuples(
    st.floats(0, 5), st.floats(0.01, 3), st.sampled_from([REPLY, RISK, THINK]), st.booleans(), st.floats(0.05, 8)
)


@settings(max_examples=60, deadline=None)
@given(
    limits=st.lists(st.one_of(st.none(), st.integers(1, 3)), min_size=1, max_size=3),
    calls=st.lists(CALL, min_size=1, max_size=25),
    cancelled=st.sets(st.integers(0, 24), max_size=5),
)
def test_limits_are_never_exceeded_and_nothing_is_lost(
    limits: list[int | None], calls: list[tuple[float, float, Task, bool, float]], cancelled: set[int]
) -> None:
    async def work() -> Calls:
        offers = [offer(str(n), weight=float(n % 2), concurrency=limit) for n, limit in enumerate(limits)]
        made = Calls(routes(*offers, policy=Policy(breaker=BreakerRules(failures=4, rest=1))))

        async def later(start: float, seconds: float, given: Task, fails: bool, patience: float) -> None:
            await asyncio.sleep(start)
            until = asyncio.get_running_loop().time() + patience
            await made.call("x", seconds, given=given, fails=fails, until=until)
            assert asyncio.get_running_loop().time() <= until + seconds + 1e-6

        running = [asyncio.ensure_future(later(*each)) for each in calls]
        await asyncio.sleep(2.0)
        for n in cancelled & set(range(len(running))):
            running[n].cancel()
        for outcome in await asyncio.gather(*running, return_exceptions=True):
            assert outcome is None or isinstance(outcome, asyncio.CancelledError), outcome
        for each in made.routes.upstreams:
            assert each.busy == 0
            assert each.breaker.state != "half_open" or each.breaker.ready, "no probe is left behind"
        return made

    made = run(work())
    for n, limit in enumerate(limits):
        assert limit is None or made.most.get(str(n), 0) <= limit
