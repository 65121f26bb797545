"""Turns within their budget: what is asked, of whom, what is given up, and what they cost in the end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.llm.material import GOOD, script, task
from tests.llm.test_routing_model import scripted

from heartrule.engine.session.tasks import Answer, Task
from heartrule.language.nodes import Llm
from heartrule.llm import provider as p
from heartrule.llm.budget import Budget, stage
from heartrule.llm.config import ConfigError, build_model, load_settings, unpriced
from heartrule.llm.expected_usage import ENOUGH, Typical, estimated_tokens
from heartrule.llm.model import Model
from heartrule.llm.policy import Policy
from heartrule.llm.prices import Price, Prices
from heartrule.llm.providers.scripted import Said, ScriptedProvider, Stall
from heartrule.llm.turn_budget import TurnBudget
from heartrule.llm.upstream import Offer
from heartrule.testing.models import in_virtual_time

STEADY = Policy(jitter=0.0)
DEAR = Price("CNY", Decimal(4), Decimal(16), Decimal(1))
CHEAP = Price("CNY", Decimal(1), Decimal(4))
PRICES = Prices({"dear": DEAR, "cheap": CHEAP})
RISK = task("risk", role="judge", required=())
REPLY = task("ai_ask")
THINK = replace(task("ai_think", required=()), kind="analyse")
JUDGE = replace(task("judge", role="judge", required=()), kind="judge")
TURN = (RISK, REPLY, THINK, JUDGE)


def asked_of(name: str, said: Said | None = None, tokens: tuple[int, int] = (900, 200)) -> ScriptedProvider:
    reply = p.Reply(json.dumps(GOOD), name, tokens_in=tokens[0], cached=0, tokens_out=tokens[1])
    return ScriptedProvider(lambda _: said or reply, name=f"host/{name}")


def two() -> list[Offer]:
    return [
        Offer(asked_of("cheap"), tiers=("fast",), called="cheap"),
        Offer(asked_of("dear"), tiers=("balanced", "quality"), called="dear"),
    ]


def turn(
    budget: Budget, tasks: Sequence[Task] = TURN, offers: Sequence[Offer] | None = None, prices: Prices = PRICES
) -> tuple[dict[str, Answer], TurnBudget | None, float]:
    async def run() -> tuple[dict[str, Answer], TurnBudget | None, float]:
        model = Model(offers or two(), STEADY, prices=prices, budget=budget, random=lambda: 0.5)
        turn_budget = model.turn_budget(None)
        began = model.clock.now()
        found = await model.answer(tasks, turn_budget=turn_budget)
        return found, turn_budget, model.clock.now() - began

    return in_virtual_time(run())


def models(found: dict[str, Answer]) -> dict[str, str]:
    """Who answered each, or the code of what was not asked."""
    return {key: each.attempts[-1].model or each.attempts[-1].code for key, each in found.items()}


def test_without_a_limit_nobody_counts() -> None:
    found, turn_budget, _ = turn(Budget())
    assert turn_budget is None
    assert models(found) == {"risk": "cheap", "ai_ask": "dear", "ai_think": "dear", "judge": "cheap"}


def test_with_enough_money_all_are_asked_and_what_they_cost_is_spent() -> None:
    found, turn_budget, _ = turn(Budget(max_cost=10**9, currency="CNY"))
    assert models(found) == {"risk": "cheap", "ai_ask": "dear", "ai_think": "dear", "judge": "cheap"}
    costs = [each.attempts[-1].cost for each in found.values()]
    assert turn_budget is not None
    assert turn_budget.spent == sum(cost for cost in costs if cost is not None) > 0
    assert turn_budget.left == 10**9 - turn_budget.spent, "nothing is left aside"


@pytest.mark.parametrize(
    ("cost", "expected"),
    [
        (60_000_000, {"ai_ask": "dear", "ai_think": "given_up", "judge": "cheap"}),
        (40_000_000, {"ai_ask": "dear", "ai_think": "given_up", "judge": "given_up"}),
        (17_000_000, {"ai_ask": "cheap", "ai_think": "given_up", "judge": "given_up"}),
        (9_000_000, {"ai_ask": "given_up", "ai_think": "given_up", "judge": "given_up"}),
        (1, {"ai_ask": "given_up", "ai_think": "given_up", "judge": "given_up"}),
    ],
)
def test_for_less_money_less_is_asked(cost: int, expected: dict[str, str]) -> None:
    found, turn_budget, _ = turn(Budget(max_cost=cost, currency="CNY"))
    assert models(found) == {"risk": "cheap", **expected}, "whether somebody is in danger is always asked"
    for answer in found.values():
        given_up = answer.attempts[-1].code == "given_up"
        assert answer.status == ("failed" if given_up else "answered")
        assert not given_up or (len(answer.attempts), answer.attempts[0].provider) == (1, "")
    assert turn_budget is not None
    paid = sum(each.attempts[-1].cost or 0 for key, each in found.items() if key != "risk")
    assert paid <= cost


def test_a_stand_in_that_is_too_dear_is_not_asked() -> None:
    offers = [
        Offer(asked_of("cheap", p.Refused()), called="cheap"),
        Offer(asked_of("dear"), weight=0, called="dear"),
    ]
    found, _, _ = turn(Budget(max_cost=20_000_000, currency="CNY"), [REPLY], offers)
    codes = [attempt.code for attempt in found["ai_ask"].attempts]
    assert codes == ["refused", "refused", "given_up"]
    found, _, _ = turn(Budget(max_cost=80_000_000, currency="CNY"), [REPLY], offers)
    assert models(found) == {"ai_ask": "dear"}


def test_danger_is_asked_of_a_dear_stand_in_too() -> None:
    offers = [
        Offer(asked_of("cheap", p.Refused()), called="cheap"),
        Offer(asked_of("dear"), weight=0, called="dear"),
    ]
    found, _, _ = turn(Budget(max_cost=1, currency="CNY"), [RISK], offers)
    assert models(found) == {"risk": "dear"}


def test_a_model_without_a_price_is_asked_whatever_it_may_cost() -> None:
    found, turn_budget, _ = turn(Budget(max_cost=1, currency="CNY"), prices=Prices())
    assert set(models(found).values()) == {"cheap", "dear"}
    assert turn_budget is not None
    assert turn_budget.left == 1


def test_the_turn_takes_no_longer_than_it_may() -> None:
    slow = [Offer(asked_of("dear", Stall(30.0)))]
    found, _, seconds = turn(Budget(max_latency=6.0), [REPLY], slow)
    assert found["ai_ask"].status == "failed"
    assert seconds <= 6.0


def test_danger_has_the_time_of_the_server() -> None:
    late = p.Reply(json.dumps(GOOD), "dear")
    found, _, seconds = turn(Budget(max_latency=2.0), [RISK], [Offer(asked_of("dear", Stall(5.0, late)))])
    assert found["risk"].status == "answered"
    assert seconds == pytest.approx(5.0)


def test_what_has_been_measured_decides_who_is_asked_when_time_is_short() -> None:
    async def run() -> tuple[dict[str, str], dict[str, str], list[str]]:
        reply = p.Reply(json.dumps(GOOD), "dear")
        offers = [
            Offer(asked_of("cheap"), tiers=("fast",)),
            Offer(asked_of("dear", Stall(8.0, reply)), tiers=("balanced", "quality")),
        ]
        model = Model(offers, STEADY, budget=Budget(max_latency=3.0))
        for _ in range(ENOUGH):
            await model.answer([REPLY, THINK])
        short = models(await model.answer([REPLY, THINK], turn_budget=model.turn_budget(None)))
        patient = models(
            await model.answer([REPLY], turn_budget=TurnBudget(Budget(max_latency=30.0), model.clock.now()))
        )
        over = TurnBudget(Budget(max_latency=3.0), model.clock.now() - 4.0)
        late = models(await model.answer([REPLY, RISK], turn_budget=over))
        return short, patient, [late["ai_ask"], late["risk"]]

    short, patient, late = in_virtual_time(run())
    assert short == {"ai_ask": "cheap", "ai_think": "given_up"}, "analysis goes before quality"
    assert patient == {"ai_ask": "dear"}
    assert late == ["given_up", "cheap"], "no time at all"


def test_one_budget_is_for_the_whole_turn() -> None:
    async def run() -> list[str]:
        model = Model(two(), STEADY, prices=PRICES, budget=Budget(max_cost=40_000_000, currency="CNY"))
        turn_budget = model.turn_budget(None)
        return [models(await model.answer([REPLY], turn_budget=turn_budget))["ai_ask"] for _ in range(20)]

    asked = in_virtual_time(run())
    assert asked[:2] == ["dear", "dear"]
    assert asked[-1] == "given_up"
    assert asked == sorted(asked, key=["dear", "cheap", "given_up"].index)


def test_a_project_may_take_less_and_say_what_goes_first() -> None:
    async def run() -> dict[str, str]:
        order = ["quality", "reply", "perceive", "review", "analyse"]
        said = Llm.model_validate({"budget": {"max_cost": 0.025, "currency": "CNY", "give_up": order}})
        made = script()
        made = replace(made, project=made.project.model_copy(update={"llm": said, "template_scheme": None}))
        model = Model(two(), STEADY, prices=PRICES, budget=Budget(max_cost=10**9, currency="CNY"))
        return models(await model.answer(TURN, script=made, turn_budget=model.turn_budget(made)))

    found = in_virtual_time(run())
    assert found["ai_ask"] == "given_up"
    assert found["ai_think"] == "cheap"


@settings(max_examples=40, deadline=None)
@given(
    cost=st.integers(0, 120_000_000),
    faults=st.lists(st.sampled_from(["", "", "503", "bad", "cut"]), min_size=1, max_size=12),
    share=st.floats(0.05, 1.0),
    rounds=st.integers(1, 3),
)
def test_no_turn_costs_more_than_it_may_whatever_fails(cost: int, faults: list[str], share: float, rounds: int) -> None:
    """Prices are known, no prompt has more tokens than was estimated, no answer more than was asked for. Danger is
    asked whatever it costs, so it is left out here."""

    async def run() -> None:
        left = iter(faults * 20)

        def say(request: p.Request) -> Said:
            used = (int(estimated_tokens(request.messages) * share), int((request.max_tokens or 0) * share))
            reply = p.Reply(json.dumps(GOOD), "", tokens_in=used[0], cached=0, tokens_out=used[1])
            fault = next(left)
            if fault == "503":
                return p.ServerError("503")
            if fault == "cut":
                return p.Cut(spent=replace(reply, text=""))
            return replace(reply, text="not JSON") if fault == "bad" else reply

        offers = [
            Offer(ScriptedProvider(say, name="host/cheap"), tiers=("fast",)),
            Offer(ScriptedProvider(say, name="host/dear"), tiers=("balanced", "quality")),
        ]
        model = Model(offers, STEADY, prices=PRICES, budget=Budget(max_cost=cost, currency="CNY"))
        turn_budget = model.turn_budget(None)
        paid = 0
        for _ in range(rounds):
            found = await model.answer([each for each in TURN if stage(each) is not None], turn_budget=turn_budget)
            paid += sum(attempt.cost or 0 for answer in found.values() for attempt in answer.attempts)
        assert paid <= cost
        assert turn_budget is not None
        assert turn_budget.spent >= paid

    in_virtual_time(run())


def test_what_a_call_usually_takes_is_known_after_a_few() -> None:
    typical = Typical()
    for seconds in range(1, 5):
        typical.note("t", seconds, p.Reply("", tokens_in=120, tokens_out=10 * seconds), 100)
    assert typical.seconds("t", 0.5) is None
    typical.note("t", 5.0, p.Reply("", tokens_in=None, tokens_out=None), 100)
    typical.note("t", 6.0, p.Reply("", tokens_in=50, tokens_out=99), 100)
    assert (typical.seconds("t", 0.5), typical.seconds("t", 0.95)) == (3.0, 6.0)
    assert typical.tokens_out("t") == 99
    assert typical.tokens_in(1000) == 1200, "as far over as it has ever been"
    assert Typical().tokens_in(1000) == 1000
    assert Typical().tokens_out("t") is None


def test_prompts_are_estimated_rather_too_long() -> None:
    assert estimated_tokens([p.PromptMessage("user", "hello there")]) == 14
    assert estimated_tokens([p.PromptMessage("user", "你好")]) == 12
    assert estimated_tokens([]) == 0


TOML = """
[llm.budget]
max_latency = 8
max_cost = 0.05
currency = "CNY"
give_up = ["analyse", "review", "perceive", "quality", "reply"]

[[llm.models]]
base_url = "http://127.0.0.1:1/v1"
model = "priced"
price = {currency = "CNY", input = 1, output = 4}

[[llm.models]]
base_url = "http://127.0.0.1:1/v1"
model = "foreign"
price = {currency = "USD", input = 1, output = 4}

[[llm.models]]
base_url = "http://127.0.0.1:1/v1"
model = "unpriced"
"""


def test_the_server_says_what_a_turn_may_take(tmp_path: Path) -> None:
    file = tmp_path / "heartrule.toml"
    file.write_text(TOML, encoding="utf-8")
    model = build_model(load_settings(file, {}))
    order = ("analyse", "review", "perceive", "quality", "reply")
    assert model.budget == Budget(8.0, 50_000_000, "CNY", order)  # type: ignore[arg-type]
    assert unpriced(model) == ["127.0.0.1/foreign", "127.0.0.1/unpriced"]
    assert unpriced(Model([scripted("a")])) == [], "nothing to hold"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("max_cost = 1", "max_cost and currency belong together"),
        ('currency = "CNY"', "max_cost and currency belong together"),
        ("max_latency = 0", "llm.budget.max_latency"),
        ('give_up = ["analyse"]', "give_up must name each of these once: "),
        ('give_up = ["analyse", "analyse", "review", "quality", "reply"]', "give_up must name each of these once"),
        ('give_up = ["risk", "perceive", "review", "quality", "reply"]', r"llm.budget.give_up\[1\]"),
    ],
)
def test_a_budget_that_is_none_is_refused(tmp_path: Path, line: str, told: str) -> None:
    file = tmp_path / "heartrule.toml"
    file.write_text(f"[llm.budget]\n{line}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=told):
        load_settings(file, {})


def test_calls_that_are_broken_off_leave_nothing_aside() -> None:
    async def run() -> tuple[int, int | None]:
        model = Model(
            [Offer(asked_of("dear", Stall(5.0)))], STEADY, prices=PRICES, budget=Budget(max_cost=10**9, currency="CNY")
        )
        turn_budget = model.turn_budget(None)
        assert turn_budget is not None
        call = asyncio.ensure_future(model.answer([REPLY], turn_budget=turn_budget))
        await asyncio.sleep(1.0)
        assert turn_budget.left is not None
        assert turn_budget.left < 10**9
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        return turn_budget.spent, turn_budget.left

    spent, left = in_virtual_time(run())
    assert spent > 0, "it may be billed"
    assert left == 10**9 - spent
