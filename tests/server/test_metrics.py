"""What the server counts of model calls: by who was asked and for what, never whose it was or what was said."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.llm.material import task
from tests.server.material import Grounds, run
from tests.store import worlds
from tests.store.worlds import event

from heartrule.engine.session.tasks import Attempt
from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.prices import Price, Prices
from heartrule.llm.provider import Reply, Request, ServerError
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.server.metrics import Metrics
from heartrule.testing.counsellor import counsel

GOOD = Attempt(
    1,
    "ok",
    provider="api.one.com/m",
    model="m-0815",
    seconds=0.3,
    tokens_in=1000,
    cached=600,
    tokens_out=100,
    reasoning=40,
    cost=1_500_000_000,
    currency="CNY",
)


def counted(*attempts: Attempt) -> dict[str, float]:
    """Every sample of model metrics by its name and the labels that are not who was asked."""
    metrics = Metrics()
    for attempt in attempts:
        metrics.attempt(task(), attempt)
    return samples(metrics.text().decode())


def samples(text: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name.startswith("heartrule_model_") and not sample.name.endswith(("_created", "_bucket")):
                more = [value for name, value in sample.labels.items() if name not in ("provider", "model", "purpose")]
                name = " ".join([sample.name.removeprefix("heartrule_model_"), *more])
                found[name] = found.get(name, 0) + sample.value
    return found


def test_a_call_is_counted_with_all_that_is_known() -> None:
    assert counted(GOOD, replace(GOOD, cost=500_000_000)) == {
        "calls_total ok": 2,
        "call_seconds_count": 2,
        "call_seconds_sum": 0.6,
        "tokens_total input": 2000,
        "tokens_total cached": 1200,
        "tokens_total output": 200,
        "tokens_total reasoning": 80,
        "cost_total CNY": 2.0,
    }


def test_currencies_are_not_added_to_each_other() -> None:
    found = counted(GOOD, replace(GOOD, cost=250_000_000, currency="USD"))
    assert (found["cost_total CNY"], found["cost_total USD"]) == (1.5, 0.25)


def test_what_is_unknown_is_counted_as_unknown() -> None:
    found = counted(Attempt(1, "ok", provider="h/m"), Attempt(1, "ok", provider="h/m", currency="CNY"))
    assert found["calls_of_unknown_cost_total"] == 2
    assert not [name for name in found if name.startswith(("tokens", "cost_total"))]


@pytest.mark.parametrize(
    ("attempt", "causes"),
    [
        (Attempt(1, "error", "server_error:503", provider="h/m", code="server_error:503"), {"server_error:503": 1}),
        (Attempt(1, "rejected", "missing or unusable: x", provider="h/m", code="missing"), {"missing": 1}),
        (Attempt(1, "timeout", provider="h/m", code="timeout"), {"timeout": 1}),
        (Attempt(1, "error", "breaker_open", code="breaker_open"), {"breaker_open": 1}),
        (Attempt(1, "cancelled", provider="h/m", code="cancelled"), {}),
        (Attempt(1, "ok", "dropped:words", provider="h/m", code="dropped"), {}),
    ],
)
def test_failures_are_counted_by_their_cause(attempt: Attempt, causes: dict[str, int]) -> None:
    found = counted(attempt)
    told = {name.partition(" ")[2]: value for name, value in found.items() if name.startswith("failures")}
    assert told == causes
    assert found.get(f"calls_total {attempt.outcome}", 0) == (1 if attempt.provider else 0)


def test_labels_are_what_the_settings_name() -> None:
    """A server may call its model anything: ever new names would fill the memory."""
    metrics = Metrics()
    for number in range(5):
        metrics.attempt(task(), replace(GOOD, model=f"made-up-{number}", raw="what was said"))
    text = metrics.text().decode()
    assert "made-up" not in text
    assert "what was said" not in text
    assert 'provider="api.one.com"' in text
    assert 'model="m"' in text
    assert 'purpose="ai_ask"' in text


def test_what_a_session_asks_is_at_metrics_without_its_name(grounds: Grounds) -> None:
    asked = 0

    def answer(request: Request) -> Reply:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise ServerError("503")
        return Reply(json.dumps(counsel(request), ensure_ascii=False), "m", tokens_in=100, tokens_out=10)

    prices = Prices({"m": Price("CNY", Decimal(2), Decimal(3))})
    model = Model([ScriptedProvider(answer, name="host/m")], Policy(waits=(0.01,) * 3, jitter=0.0), prices=prices)

    async def work() -> None:
        async with grounds.asgi(store={"model": model}) as api:
            visit = await api.visit()
            await api.whole(visit)
            text = (await api.get("/metrics")).text
            assert visit.id not in text
            found = samples(text)
            assert sum(value for name, value in found.items() if name.startswith("calls_total")) == asked
            assert found["failures_total server_error:503"] == 1
            assert found["cost_total CNY"] == pytest.approx((asked - 1) * 230e-6)
            assert found["calls_of_unknown_cost_total"] == 1
            assert found["retries_total"] == 1
            assert 'heartrule_turns_total{rounds="1"}' in text

    run(work())


def turned(**more: object) -> dict[str, float]:
    """Every sample about turns, of one that was committed."""
    metrics = Metrics()
    metrics.turn(worlds.turn("s1", 1, 1, **more))
    found = {}
    for family in text_string_to_metric_families(metrics.text().decode()):
        for sample in family.samples:
            ours = ("heartrule_turn", "heartrule_perception", "heartrule_speculative", "heartrule_fused")
            if sample.name.startswith(ours) and not sample.name.endswith(("_created", "_bucket")) and sample.value:
                found[" ".join([sample.name.removeprefix("heartrule_"), *sample.labels.values()])] = sample.value
    return found


def test_a_turn_is_counted_with_what_it_asked_and_made_again() -> None:
    events = [
        event(1, 1, "perceived", calls=2, asked=9, found=1, again=0, refused=0, unanswered=0),
        event(1, 2, "replied", task="ask", speculative=True, redone=True, why=["name"]),
        event(1, 3, "replied", task="ask", speculative=True, redone=False, why=[]),
        event(1, 4, "fused", kept=False),
        event(1, 5, "fused", kept=True),
    ]
    assert turned(rounds=1, seconds=0.75, events=events) == {
        "turns_total 1": 1,
        "turn_seconds_count": 1,
        "turn_seconds_sum": 0.75,
        "perception_calls_total": 2,
        "perception_items_total": 9,
        "speculative_replies_total yes": 1,
        "speculative_replies_total no": 1,
        "fused_replies_total yes": 1,
        "fused_replies_total no": 1,
    }


@pytest.mark.parametrize(("rounds", "told"), [(0, "0"), (None, "0"), (3, "3"), (4, "4+"), (40, "4+")])
def test_turns_by_how_often_they_waited(rounds: int | None, told: str) -> None:
    found = turned(rounds=rounds, seconds=1.0)
    assert found.pop(f"turns_total {told}") == 1
    assert ("turn_seconds_count" in found) == bool(rounds)


def test_first_tokens_retries_stand_ins_and_what_was_blocked() -> None:
    blocked = replace(GOOD, number=2, outcome="rejected", code="check:promise", fallback=True, first_token=0.2)
    found = counted(GOOD, blocked, replace(GOOD, code="cut:diagnosis"), replace(GOOD, code="checked"))
    assert (found["first_token_seconds_count"], found["first_token_seconds_sum"]) == (1, 0.2)
    assert (found["retries_total"], found["fallbacks_total"]) == (1, 1)
    assert (found["blocked_total promise"], found["blocked_total diagnosis"]) == (1, 1)
    assert len([name for name in found if name.startswith("blocked")]) == 2
