"""What the record of each attempt says: who was asked, who answered, what it used and cost, and why it was no good."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import pytest
from tests.llm.material import GOOD, task

from heartrule.engine.session.tasks import Answer, Attempt, Task
from heartrule.llm import provider as p
from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.prices import Price, Prices
from heartrule.llm.prompt import render
from heartrule.llm.providers.openai_wire import OpenAIWire
from heartrule.llm.providers.scripted import Said, ScriptedProvider, Stall
from heartrule.llm.streamed_reply import SAYABLE
from heartrule.testing.models import in_virtual_time
from heartrule.testing.openai_server import Fault, OpenAIServer

STEADY = Policy(jitter=0.0)
PRICES = Prices({"m": Price("CNY", Decimal(2), Decimal(3), Decimal("0.2"))})
USED = p.Reply(
    json.dumps(GOOD), "m", tokens_in=1000, tokens_out=100, cached=600, finish="stop", reasoning=40, first_token=0.4
)


def attempts(
    *said: Sequence[Said], tasks: Sequence[Task] = (), prices: Prices = PRICES, rules: Policy = STEADY
) -> tuple[Attempt, ...]:
    """Of the first task; each list of answers is one provider's."""
    model = Model(
        [ScriptedProvider(list(each), name=f"host{n}/m") for n, each in enumerate(said)],
        rules,
        random=lambda: 0.5,
        prices=prices,
    )
    asked = list(tasks or [task()])
    found: Answer = in_virtual_time(model.answer(asked))[asked[0].key]
    return found.attempts


def test_an_answer_says_all_that_is_known() -> None:
    (attempt,) = attempts([Stall(2.0, USED)])
    assert (attempt.provider, attempt.model, attempt.fallback) == ("host0/m", "m", False)
    assert (attempt.tokens_in, attempt.cached, attempt.tokens_out, attempt.reasoning) == (1000, 600, 100, 40)
    assert (attempt.finish, attempt.first_token, attempt.code) == ("stop", 0.4, "")
    assert attempt.seconds == pytest.approx(2.0)
    assert (attempt.cost, attempt.currency) == (400 * 2000 + 600 * 200 + 100 * 3000, "CNY")


def test_what_was_not_told_is_unknown_and_not_nought() -> None:
    (attempt,) = attempts([p.Reply(json.dumps(GOOD), "m", finish=None)])
    assert (attempt.tokens_in, attempt.cached, attempt.tokens_out, attempt.reasoning) == (None,) * 4
    assert (attempt.finish, attempt.first_token, attempt.cost, attempt.currency) == (None, None, None, "CNY")


def test_a_model_without_a_price_costs_an_unknown_amount() -> None:
    (attempt,) = attempts([USED], prices=Prices())
    assert attempt.tokens_in == 1000
    assert (attempt.cost, attempt.currency) == (None, None)


@pytest.mark.parametrize(
    ("fault", "outcome", "code"),
    [
        (p.ServerError("503"), "error", "server_error:503"),
        (p.RateLimited(), "error", "rate_limited"),
        (p.Unauthorised("401"), "error", "unauthorised:401"),
        (p.TimedOut(), "timeout", "timeout"),
        (p.Cut(), "error", "cut"),
        (p.BadRequest("what they had said"), "error", "bad_request"),
        (p.ServerError("５０３"), "error", "server_error"),
    ],
)
def test_a_fault_is_a_word_and_at_most_a_number(fault: p.ProviderError, outcome: str, code: str) -> None:
    first = attempts([fault] * 4)[0]
    assert (first.outcome, first.code) == (outcome, code)
    assert (first.provider, first.model, first.cost, first.tokens_in) == ("host0/m", "host0/m", None, None)


def test_an_answer_that_could_not_be_shown_was_paid_for_all_the_same() -> None:
    spent = p.Reply("", "m", tokens_in=1000, tokens_out=1500, cached=0, finish="length", reasoning=1500)
    empty, good = attempts([p.Empty(spent=spent), USED])
    assert (empty.outcome, empty.code, empty.finish, empty.model) == ("error", "empty", "length", "m")
    assert (empty.tokens_out, empty.reasoning, empty.cost) == (1500, 1500, 1000 * 2000 + 1500 * 3000)
    assert good.outcome == "ok"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("certainly! 我今天很难受", "not_json"),
        (json.dumps({"EXIT": "NO"}), "missing"),
        (json.dumps({**GOOD, "content": "好" * (SAYABLE + 1)}), "too_long"),
        (json.dumps({**GOOD, "content": "I am sorry to hear that you cannot sleep at night."}), "language"),
    ],
)
def test_why_an_answer_was_rejected(said: str, code: str) -> None:
    first, second = attempts([replace(USED, text=said), USED])
    assert (first.outcome, first.code) == ("rejected", code)
    assert first.cost, "a rejected answer is paid for"
    assert (second.outcome, second.number) == ("ok", 2)


def test_an_answer_that_was_cut_off_is_told_apart() -> None:
    cut = '{"EXIT": "NO", "content": "半夜老醒，第二天想必很累。", "values": {"睡眠": "差"'
    assert attempts([replace(USED, text=cut, finish="length"), USED])[0].code == "cut_off"


def test_a_stand_in_is_marked() -> None:
    found = attempts([p.ServerError("500")] * 2, [USED])
    assert [(each.provider, each.fallback) for each in found] == [
        ("host0/m", False),
        ("host0/m", False),
        ("host1/m", True),
    ]


def test_what_was_never_sent_names_nobody() -> None:
    found = attempts([p.Refused()] * 4, rules=replace(STEADY, turn_budget=2.0))
    assert (found[-1].code, found[-1].provider, found[-1].outcome) == ("budget", "", "timeout")
    broken = replace(task(), template="no_such_template")
    (only,) = attempts([USED], tasks=[broken])
    assert (only.code, only.provider) == ("template", "")


def test_a_call_that_nobody_waits_for_any_longer_keeps_who_was_asked() -> None:
    slow = replace(task("risk"), key="slow", seconds=1.0)
    found = attempts([Stall(5.0, USED)], tasks=[slow])
    assert [(each.outcome, each.cause, each.code) for each in found] == [
        ("timeout", "not waited for", "not_waited_for")
    ]
    assert found[0].provider == "host0/m"
    assert found[0].seconds == pytest.approx(1.0)


def heard(work: str) -> tuple[list[tuple[str, Attempt]], dict[str, tuple[Attempt, ...]]]:
    """What a listener was told, and what was broken off, of two calls that answer after 1 and 5 seconds; ``work``:
    whether they are waited for."""
    told: list[tuple[str, Attempt]] = []
    broken_off: dict[str, tuple[Attempt, ...]] = {}
    quick, slow = task(), replace(task("risk"), key="slow")

    async def run() -> None:
        waits = {render(quick).hash: Stall(1.0, USED), render(slow).hash: Stall(5.0, USED)}
        model = Model([ScriptedProvider(lambda request: waits[request.hash], name="host/m")], STEADY)
        model.listeners.append(lambda asked, attempt: told.append((asked.key, attempt)))
        asking = model.ask([quick, slow])
        if work == "cancelled":
            await asyncio.sleep(2.0)
            await asking.aclose()
            broken_off.update({key: asking.attempts(key) for key in (quick.key, slow.key)})
        else:
            await asking.all()

    in_virtual_time(run())
    return told, broken_off


def test_listeners_are_told_of_every_attempt() -> None:
    told, broken_off = heard("waited for")
    assert [(key, attempt.outcome) for key, attempt in told[:2]] == [(task().key, "ok"), ("slow", "rejected")]
    assert {attempt.provider for _, attempt in told} == {"host/m"}
    assert broken_off == {}


def test_what_is_broken_off_is_not_forgotten() -> None:
    told, broken_off = heard("cancelled")
    assert [(key, attempt.outcome) for key, attempt in told] == [(task().key, "ok"), ("slow", "cancelled")]
    assert {key: [each.outcome for each in made] for key, made in broken_off.items()} == {
        task().key: ["ok"],
        "slow": ["cancelled"],
    }
    (cancelled,) = broken_off["slow"]
    assert (cancelled.provider, cancelled.cost, cancelled.seconds) == ("host/m", None, pytest.approx(2.0))


def over_the_wire(*faults: Fault) -> tuple[Attempt, ...]:
    async def run(server: OpenAIServer) -> Answer:
        model = Model([OpenAIWire(server.url, "m")], Policy(time_scale=0.05), prices=PRICES)
        try:
            return (await model.answer([task()]))[task().key]
        finally:
            await model.aclose()

    with OpenAIServer(json.dumps(GOOD), list(faults)) as server:
        return asyncio.run(run(server)).attempts


def test_over_the_wire_all_of_it_arrives() -> None:
    (attempt,) = over_the_wire()
    assert attempt.provider.endswith("/m")
    assert (attempt.model, attempt.tokens_in, attempt.cached, attempt.tokens_out) == ("m", 100, 64, 20)
    assert (attempt.finish, attempt.reasoning, attempt.first_token) == ("stop", None, None)
    assert attempt.cost == 36 * 2000 + 64 * 200 + 20 * 3000


@pytest.mark.parametrize(("kind", "code"), [("empty", "empty"), ("filtered", "filtered")])
def test_over_the_wire_an_answer_without_words_is_paid_for(kind: str, code: str) -> None:
    first = over_the_wire(Fault(kind))[0]  # type: ignore[arg-type]
    assert (first.code, first.tokens_in, first.tokens_out) == (code, 100, 20)
    assert first.cost is not None
    assert first.finish == ("filtered" if code == "filtered" else "stop")
