"""What a session's turns write into the ledger: each attempt once, with its answer, and what was asked in vain."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from tests.sessions.material import Gate, Place, answer, run, say, seen

from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.prices import Price, Prices
from heartrule.llm.provider import Reply, Request, ServerError
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.store.records import AttemptRecord
from heartrule.testing.counsellor import counsel

PRICES = Prices({"m": Price("CNY", Decimal(2), Decimal(3))})
QUICK = Policy(waits=(0.01, 0.01, 0.01), jitter=0.0)


def metered(request: Request) -> Reply:
    return Reply(json.dumps(counsel(request), ensure_ascii=False), "m", tokens_in=100, tokens_out=10)


def model(said: Callable[[Request], Any] = metered, *others: Callable[[Request], Any]) -> Model:
    providers = [ScriptedProvider(each, name=f"host{number}/m") for number, each in enumerate((said, *others))]
    return Model(providers, QUICK, random=lambda: 0.5, prices=PRICES)


def held(place: Place, asked: Model) -> tuple[AttemptRecord, ...]:
    """The attempts of a whole session."""

    async def work() -> tuple[AttemptRecord, ...]:
        async with place.open(asked) as sessions:
            session, outcome = await place.begun(sessions)
            await answer(sessions, session, outcome)
            calls = await sessions.store.calls(session)
            made = await sessions.store.attempts(session)
            assert {(call.turn, call.key) for call in calls} == {(one.turn, one.key) for one in made}
            assert sum(len(call.attempts) for call in calls) == len(made)
            return made

    found: tuple[AttemptRecord, ...] = run(work())
    assert found
    return found


def test_each_call_is_in_the_ledger_with_what_it_cost(place: Place) -> None:
    for one in held(place, model()):
        assert (one.provider, one.model, one.retry, one.fallback) == ("host0/m", "m", 0, False)
        assert (one.outcome, one.finish) == ("ok", "stop")
        assert one.cause in ("", "dropped"), "an answer may be taken without some of its parts"
        assert (one.tokens_in, one.cached, one.tokens_out, one.reasoning) == (100, None, 10, None)
        assert (one.cost, one.currency) == (100 * 2000 + 10 * 3000, "CNY")
        assert one.template
        assert one.role in ("understand", "generate", "judge")


def test_failures_retries_and_stand_ins_are_rows_of_their_own(place: Place) -> None:
    def down(_: Request) -> Reply:
        raise ServerError("503")

    stories: dict[tuple[int, str], list[tuple[str | None, int, bool, str]]] = {}
    for one in held(place, model(down, metered)):
        stories.setdefault((one.turn, one.key), []).append((one.provider, one.retry, one.fallback, one.outcome))
        if one.outcome == "error":
            assert (one.model, one.cause) == (None, "server_error:503")
            assert (one.tokens_in, one.cost, one.currency) == (None, None, None)
    assert [("host0/m", 0, False, "error"), ("host0/m", 1, False, "error"), ("host1/m", 2, True, "ok")] in list(
        stories.values()
    )


def test_what_a_server_calls_itself_is_kept_as_a_short_name(place: Place) -> None:
    def odd(request: Request) -> Reply:
        return Reply(json.dumps(counsel(request)), "m\0\n\ud800" + "长" * 500)

    names = {one.model for one in held(place, model(odd))}
    assert names == {"m" + "长" * 116}


def test_what_was_asked_in_vain_is_written_down_with_what_was_asked_instead(place: Place) -> None:
    async def work() -> None:
        gate = Gate()
        async with place.open(gate.model()) as sessions:
            session, outcome = await place.begun(sessions)
            gate.close()
            takes = []
            for number, words in enumerate(("我", "睡不着")):
                takes.append(asyncio.create_task(sessions.take(session, say(f"b{number}", words, seen(outcome)))))
                await gate.asked.wait()
                gate.asked.clear()
                await asyncio.sleep(0.02)
            gate.opened.set()
            await asyncio.gather(*takes)
            made = await sessions.store.attempts(session, 2)
            assert len(made) == len(gate.requests)
            assert sorted(one.outcome for one in made) == ["cancelled", "cancelled", "ok", "ok"]
            assert {one.provider for one in made} == {"scripted"}
            (figures,) = await sessions.store.figures("turn")
            assert (figures.calls, figures.cancelled, figures.ok) == (4, 2, 2)
            again = await sessions.take(session, say("next", "五个小时", seen(await sessions.start(session)) + 3))
            kept = await sessions.store.attempts(session, 2)
            assert kept == made, "and only once"
            assert again.turn == 3

    run(work())


def test_a_session_without_a_model_asks_nobody(place: Place) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, outcome = await place.begun(sessions)
            await answer(sessions, session, outcome)
            made = await sessions.store.attempts(session)
            assert made == ()
            (figures,) = await sessions.store.figures()
            assert figures.calls == 0
            assert figures.turns > 1

    run(work())


def test_the_ledger_costs_no_commit_of_its_own(place: Place) -> None:
    async def work() -> None:
        async with place.open(model()) as sessions:
            session, outcome = await place.begun(sessions)
            saved: list[tuple[int, int]] = []
            save = sessions.store.save_calls

            async def counted(*given: Any, **more: Any) -> None:
                saved.append((len(given[3]), len(given[4])))
                await save(*given, **more)

            sessions.store.save_calls = counted  # type: ignore[method-assign,assignment]
            await sessions.take(session, say("k", "提不起劲", seen(outcome)))
            assert saved
            assert all(calls == attempts > 0 for calls, attempts in saved)

    run(work())
