"""A session stays with one model, and its turns stay within what they may take: what is given up is answered by the
script, and whether somebody is in danger is asked all the same."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

import pytest
from tests.sessions.material import SMALL, Gate, Place, answer, run, say, script_file, seen
from tests.sessions.test_ledger import QUICK, metered

from heartrule.llm.budget import Budget
from heartrule.llm.model import Model
from heartrule.llm.prices import Price, Prices
from heartrule.llm.provider import Reply, Request
from heartrule.llm.providers.scripted import ScriptedProvider, Stall
from heartrule.llm.upstream import Offer
from heartrule.store.records import AttemptRecord

PRICES = Prices({"m": Price("CNY", Decimal(2), Decimal(3))})


def model(*names: str, budget: Budget | None = None, prices: Prices = PRICES, said: Any = metered) -> Model:
    offers = [Offer(ScriptedProvider(said, name=f"{name}/m"), called=name) for name in names]
    return Model(offers, QUICK, prices=prices, budget=budget)


def held(place: Place, asked: Model, sessions: int = 1) -> list[tuple[str, tuple[AttemptRecord, ...]]]:
    """So many sessions, each to its end: its status, and what was asked."""

    async def work() -> list[tuple[str, tuple[AttemptRecord, ...]]]:
        found = []
        async with place.open(asked) as opened:
            for _ in range(sessions):
                session, outcome = await place.begun(opened)
                outcome = await answer(opened, session, outcome)
                found.append((outcome.status, await opened.store.attempts(session)))
        return found

    done: list[tuple[str, tuple[AttemptRecord, ...]]] = run(work())
    return done


def test_a_session_stays_with_one_model_and_sessions_are_shared_out(place: Place) -> None:
    providers = [{one.provider for one in made} for _, made in held(place, model("a", "b"), sessions=24)]
    assert all(len(each) == 1 for each in providers)
    assert set.union(*providers) == {"a/m", "b/m"}, "once in eight million times all would be with one"


@pytest.mark.parametrize("who", ["server", "script"])
def test_without_money_the_script_goes_on_and_danger_is_asked_about(place: Place, who: str) -> None:
    tiny = Budget(max_cost=1000, currency="CNY")
    if who == "script":
        budget = "    llm: {budget: {max_cost: 0.000001, currency: CNY}}\n    declare:"
        script_file(place.folder, SMALL.replace("    declare:", budget, 1))
    ((status, made),) = held(place, model("a", budget=tiny if who == "server" else None))
    assert status == "ended"
    given_up = {one.template for one in made if one.cause == "given_up"}
    asked = {one.template for one in made if one.outcome == "ok"}
    assert "ask" in given_up
    assert "risk" in asked
    assert asked <= {"risk", "reading"}
    assert not {"risk", "reading"} & given_up
    assert all((one.provider, one.cost) == (None, None) for one in made if one.cause == "given_up")


def test_with_enough_money_it_is_as_without_a_limit(place: Place) -> None:
    ((_, free), *_), ((_, limited), *_) = (
        held(place, model("a")),
        held(place, model("a", budget=Budget(max_cost=10**9, currency="CNY"))),
    )
    assert [(one.template, one.outcome, one.cost) for one in free] == [
        (one.template, one.outcome, one.cost) for one in limited
    ]


DEAR = Prices({"m": Price("CNY", Decimal("0.001"), Decimal(3))})
CALL = 1500 * 3000
"""What the longest answer costs at that price, in billionths; a prompt costs next to nothing."""


def asked_of(budget: int | None, provider: ScriptedProvider) -> Model:
    limit = None if budget is None else Budget(max_cost=budget, currency="CNY")
    return Model([Offer(provider, called="a")], QUICK, prices=DEAR, budget=limit)


@pytest.mark.parametrize("limited", [False, True])
def test_what_a_turn_spent_before_more_words_joined_it_counts(place: Place, limited: bool) -> None:
    """Two calls were broken off, and nobody said what they cost: there is money for one more, which judges danger."""
    gate = Gate()
    model = asked_of(5 * CALL // 2 if limited else None, ScriptedProvider(gate._answer, name="a/m"))

    async def work() -> None:
        async with place.open(model) as opened:
            session, outcome = await place.begun(opened)
            gate.close()
            first = asyncio.create_task(opened.take(session, say("a", "提不起劲", seen(outcome))))
            await gate.asked.wait()
            await asyncio.sleep(0.05)
            assert len(gate.requests) >= 2
            second = asyncio.create_task(opened.take(session, say("b", "很累", seen(outcome))))
            await asyncio.sleep(0.1)
            gate.opened.set()
            assert (await first) == (await second)
            made = [one for one in await opened.store.attempts(session, 2) if one.template == "ask"]
            assert [one.outcome for one in made] == ["cancelled", "error" if limited else "ok"]
            assert (made[-1].cause == "given_up") == limited

    run(work())


@pytest.mark.parametrize("limited", [False, True])
def test_what_a_turn_spent_before_a_crash_counts(place: Place, limited: bool) -> None:
    def useless(request: Request) -> Any:
        return metered(request) if is_risk(request) else Reply("好的。", "m", tokens_in=0, tokens_out=1500)

    budget = 2 * CALL + CALL // 2 if limited else None

    async def work() -> None:
        async with place.open(asked_of(budget, ScriptedProvider(useless, name="a/m"))) as opened:
            session, outcome = await place.begun(opened)
            opened.store.commit = crash  # type: ignore[method-assign]
            with pytest.raises(ConnectionError):
                await opened.take(session, say("a", "提不起劲", seen(outcome)))
            made = [one.outcome for one in await opened.store.attempts(session, 2) if one.template == "ask"]
            assert made == ["rejected"] * 2
        async with place.open(asked_of(budget, ScriptedProvider(metered, name="a/m"))) as opened:
            await opened.sweep()
            last = [one for one in await opened.store.attempts(session, 2) if one.template == "ask"][-1]
            assert (last.cause == "given_up") == limited
            assert (last.outcome == "ok") != limited

    run(work())


def is_risk(request: Request) -> bool:
    return "verdicts" in (request.schema or {}).get("properties", {})


async def crash(*_: Any) -> int:
    raise ConnectionError


def test_a_turn_ends_when_its_time_is_over(place: Place) -> None:
    def slow(request: Request) -> Any:
        return Stall(5.0, metered(request))

    async def work() -> float:
        asked = model("a", budget=Budget(max_latency=0.4), said=slow)
        async with place.open(asked) as opened:
            session, outcome = await place.begun(opened)
            began = asyncio.get_running_loop().time()
            await answer(opened, session, outcome, first=3)
            took = asyncio.get_running_loop().time() - began
            made = await opened.store.attempts(session)
            assert {one.outcome for one in made if one.template not in ("risk", "reading")} <= {"timeout", "error"}
            return took

    assert run(work()) < 4.0
