"""What a turn may take, and what is given up first: never more than there is, in the declared order, and never the
question whether somebody is in danger."""

from __future__ import annotations

from itertools import permutations
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.llm.material import task

from heartrule.engine.session.tasks import Attempt, Task
from heartrule.llm.budget import STAGES, Budget, Choice, Plan, PlannedTask, Stage, plan, stage
from heartrule.llm.policy import TIERS
from heartrule.llm.turn_budget import UNPAID, TurnBudget

TURN = (
    PlannedTask("p0", None, (Choice("fast", 10),)),
    PlannedTask("reply", "reply", (Choice("balanced", 100), Choice("fast", 40))),
    PlannedTask("perceive", "perceive", (Choice("fast", 30),)),
    PlannedTask("think", "analyse", (Choice("quality", 200), Choice("balanced", 100), Choice("fast", 40))),
    PlannedTask("review", "review", (Choice("quality", 60), Choice("balanced", 30))),
)


def asked(found: Plan) -> dict[str, str]:
    return {key: choice.tier for key, choice in found.asked.items()}


def spend(cost: int, *order: Stage) -> Plan:
    return plan(TURN, Budget(max_cost=cost, give_up=order or STAGES), cost, None)


def test_with_enough_of_everything_all_are_asked_as_meant() -> None:
    everything = {"p0": "fast", "reply": "balanced", "perceive": "fast", "think": "quality", "review": "quality"}
    for found in (plan(TURN, Budget(), None, None), spend(400)):
        assert asked(found) == everything
        assert found.given_up == ()


@pytest.mark.parametrize(
    ("cost", "given_up", "reply"),
    [
        (399, ("think",), "balanced"),
        (200, ("think",), "balanced"),
        (199, ("think", "perceive"), "balanced"),
        (170, ("think", "perceive"), "balanced"),
        (169, ("think", "perceive", "review"), "balanced"),
        (110, ("think", "perceive", "review"), "balanced"),
        (109, ("think", "perceive", "review"), "fast"),
        (50, ("think", "perceive", "review"), "fast"),
        (49, ("think", "perceive", "review", "reply"), None),
        (0, ("think", "perceive", "review", "reply"), None),
        (-5, ("think", "perceive", "review", "reply"), None),
    ],
)
def test_step_by_step_less_is_asked(cost: int, given_up: tuple[str, ...], reply: str | None) -> None:
    found = spend(cost)
    assert found.given_up == given_up
    assert asked(found).get("reply") == reply
    assert asked(found)["p0"] == "fast"


def test_another_order_gives_up_something_else() -> None:
    found = spend(300, "quality", "analyse", "perceive", "review", "reply")
    assert found.given_up == ()
    assert (asked(found)["think"], asked(found)["reply"], asked(found)["review"]) == ("balanced", "balanced", "quality")
    found = spend(300, "reply", "review", "perceive", "analyse", "quality")
    assert found.given_up == ("reply",)


def test_the_dearest_of_a_kind_goes_first() -> None:
    several = [PlannedTask(str(cost), "perceive", (Choice("fast", cost),)) for cost in (10, 50, 30)]
    assert plan(several, Budget(max_cost=45), 45, None).given_up == ("50",)


def test_what_has_no_price_is_not_given_up_for_money() -> None:
    unpriced = (
        PlannedTask("free", "analyse", (Choice("quality"),)),
        PlannedTask("dear", "reply", (Choice("balanced", 100),)),
    )
    found = plan(unpriced, Budget(max_cost=50), 50, None)
    assert asked(found) == {"free": "quality"}


def timed(key: str, step: Stage | None, *choices: tuple[str, float | None, float | None]) -> PlannedTask:
    return PlannedTask(key, step, tuple(Choice(tier, None, p50, p95) for tier, p50, p95 in choices))  # type: ignore[arg-type]


SLOW = (
    timed("p0", None, ("fast", 0.5, 1.0)),
    timed("reply", "reply", ("balanced", 2.0, 4.0), ("fast", 0.8, 1.5)),
    timed("perceive", "perceive", ("fast", 0.5, 1.0)),
    timed("think", "analyse", ("quality", 5.0, 9.0), ("balanced", 2.0, 4.0)),
)


@pytest.mark.parametrize(
    ("seconds", "expected", "given_up"),
    [
        (10.0, {"reply": "balanced", "perceive": "fast", "think": "quality"}, ()),
        (8.0, {"reply": "balanced", "perceive": "fast", "think": "balanced"}, ()),
        (4.5, {"reply": "balanced", "perceive": "fast"}, ("think",)),
        (3.0, {"reply": "fast", "perceive": "fast"}, ("think",)),
        (1.2, {"reply": "fast", "perceive": "fast"}, ("think",)),
        (0.7, {"perceive": "fast"}, ("think", "reply")),
        (0.4, {}, ("think", "perceive", "reply")),
        (0.0, {}, ("think", "perceive", "reply")),
    ],
)
def test_short_of_time_the_quicker_are_asked_and_the_hopeless_given_up(
    seconds: float, expected: dict[str, str], given_up: tuple[str, ...]
) -> None:
    found = plan(SLOW, Budget(max_latency=seconds), None, seconds)
    expected = {key: tier for key, tier in expected.items() if key not in given_up}
    assert asked(found) == {"p0": "fast", **expected}
    assert found.given_up == given_up


def test_what_nobody_has_measured_is_tried() -> None:
    new = [timed("reply", "reply", ("balanced", None, None))]
    assert asked(plan(new, Budget(max_latency=0.1), None, 0.1)) == {"reply": "balanced"}
    assert plan(new, Budget(max_latency=0.1), None, 0.0).given_up == ("reply",), "but not with no time at all"


CHOICE = st.builds(
    Choice,
    st.sampled_from(TIERS),
    st.one_of(st.none(), st.integers(0, 1000)),
    st.one_of(st.none(), st.floats(0, 10)),
    st.one_of(st.none(), st.floats(0, 10)),
)
CHOICES = st.lists(CHOICE, min_size=1, max_size=3, unique=True).map(tuple)
TASKS = st.lists(st.tuples(st.sampled_from([None, "analyse", "perceive", "review", "reply"]), CHOICES), max_size=8).map(
    lambda found: [PlannedTask(str(n), cast("Stage | None", step), choices) for n, (step, choices) in enumerate(found)]
)
ORDER = st.permutations(STAGES).map(tuple)


@given(tasks=TASKS, cost=st.one_of(st.none(), st.integers(-50, 3000)), seconds=st.one_of(st.none(), st.floats(0, 10)),
       order=ORDER)  # fmt: skip
def test_what_is_asked_fits_and_danger_is_always_asked(
    tasks: list[PlannedTask], cost: int | None, seconds: float | None, order: tuple[Stage, ...]
) -> None:
    found = plan(tasks, Budget(give_up=order), cost, seconds)
    assert {*found.asked, *found.given_up} == {each.key for each in tasks}
    assert not {*found.asked} & {*found.given_up}
    always = [each for each in tasks if each.stage is None]
    for each in always:
        assert found.asked[each.key] == each.choices[0]
    if cost is not None:
        never_given_up = sum(each.choices[0].cost or 0 for each in always)
        assert found.cost <= max(cost, never_given_up)
    for each in tasks:
        if each.key in found.asked:
            assert found.asked[each.key] in each.choices


@given(tasks=TASKS, cost=st.integers(0, 3000), order=ORDER)
def test_for_money_nothing_is_given_up_before_its_turn(
    tasks: list[PlannedTask], cost: int, order: tuple[Stage, ...]
) -> None:
    found = plan(tasks, Budget(give_up=order), cost, None)
    by_key = {each.key: each for each in tasks}
    for key in found.given_up:
        step = by_key[key].stage
        assert step is not None
        for earlier in order[: order.index(step)]:
            left = [each for each in tasks if each.stage == earlier and each.key in found.asked]
            assert all(not found.asked[each.key].cost for each in left), "those of an earlier stage that cost are gone"
    stages = [order.index(step) for key in found.given_up if (step := by_key[key].stage) is not None]
    assert stages == sorted(stages)
    lesser = [each for each in tasks if each.key in found.asked and found.asked[each.key] != each.choices[0]]
    if lesser:
        for earlier in order[: order.index("quality")]:
            left = [each for each in tasks if each.stage == earlier and each.key in found.asked]
            assert all(not found.asked[each.key].cost for each in left)


@given(tasks=TASKS, cost=st.integers(0, 3000), more=st.integers(0, 1000), order=ORDER)
def test_what_all_costs_is_enough_for_all(
    tasks: list[PlannedTask], cost: int, more: int, order: tuple[Stage, ...]
) -> None:
    total = sum(each.choices[0].cost or 0 for each in tasks)
    assert plan(tasks, Budget(give_up=order), total + more, None).given_up == ()


@pytest.mark.parametrize(
    ("given_task", "expected"),
    [
        (task("risk", role="judge"), None),
        (task("reading", role="judge"), None),
        (task("ai_ask"), "reply"),
        (task("perceive"), "perceive"),
        (task("review"), "review"),
        (Task("k", "judge", "judge", "judge", task().context, {}, {}), "perceive"),
        (Task("k", "analyse", "generate", "ai_think", task().context, {}, {}), "analyse"),
        (Task("k", "extract", "understand", "ask", task().context, {}, {}), "reply"),
    ],
)
def test_every_task_has_its_stage(given_task: Task, expected: Stage | None) -> None:
    assert stage(given_task) == expected


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        (Budget(), Budget(), Budget()),
        (Budget(3.0), Budget(), Budget(3.0)),
        (Budget(3.0), Budget(5.0), Budget(3.0)),
        (Budget(9.0), Budget(5.0), Budget(5.0)),
        (Budget(None, 7, "CNY"), Budget(), Budget(None, 7, "CNY")),
        (Budget(None, 7, "CNY"), Budget(None, 9, "CNY"), Budget(None, 7, "CNY")),
        (Budget(None, 9, "CNY"), Budget(None, 7, "CNY"), Budget(None, 7, "CNY")),
        (Budget(None, 1, "USD"), Budget(None, 7, "CNY"), Budget(None, 7, "CNY")),
        (Budget(), Budget(None, 7, "CNY"), Budget(None, 7, "CNY")),
    ],
)
def test_nobody_may_take_more_than_the_one_above(one: Budget, other: Budget, both: Budget) -> None:
    assert one.within(other) == both


def test_the_order_of_who_asks_for_less_holds() -> None:
    order = cast("tuple[Stage, ...]", tuple(reversed(STAGES)))
    assert Budget(1.0, give_up=order).within(Budget(2.0)).give_up == order
    assert len(set(permutations(STAGES))) == 120
    assert not Budget(give_up=order).limited
    assert Budget(1.0).limited


def attempt(cost: int | None, currency: str | None = "CNY", code: str = "", number: int = 1) -> Attempt:
    return Attempt(number, "ok" if not code else "error", code=code, cost=cost, currency=currency)


def test_a_budget_holds_what_calls_under_way_may_cost() -> None:
    turn_budget = TurnBudget(Budget(max_cost=100, currency="CNY"), 0.0)
    assert turn_budget.take("a", 60)
    assert not turn_budget.take("b", 50)
    assert turn_budget.take("b", 40)
    turn_budget.settle("a", attempt(10))
    assert (turn_budget.spent, turn_budget.left) == (10, 50)
    assert turn_budget.take("a", 50), "what was not used is there again"
    turn_budget.settle("a", attempt(None))
    assert turn_budget.spent == 60, "what nobody told is all that was put aside"
    turn_budget.settle("b", attempt(None, code="refused"))
    assert turn_budget.left == 40, "nobody bills a refused connection"


def test_what_is_put_aside_is_there_for_its_task_only() -> None:
    turn_budget = TurnBudget(Budget(max_cost=100, currency="CNY"), 0.0)
    turn_budget.put_aside("reply", 70)
    assert not turn_budget.take("think", 40)
    assert turn_budget.take("reply", 90), "more than was put aside, as long as it is there"
    turn_budget.settle("reply", attempt(90))
    turn_budget.put_aside("later", 5)
    turn_budget.release("later")
    assert turn_budget.left == 10


def test_danger_is_asked_about_with_an_empty_budget() -> None:
    turn_budget = TurnBudget(Budget(max_cost=10, currency="CNY"), 0.0)
    assert turn_budget.take("p0", 60, always=True)
    assert turn_budget.left == -50
    assert not turn_budget.take("reply", 1)
    assert turn_budget.take("unpriced", None)


def test_another_currency_does_not_count() -> None:
    turn_budget = TurnBudget(Budget(max_cost=10, currency="CNY"), 0.0)
    assert turn_budget.take("a", None)
    turn_budget.settle("a", attempt(5000, "USD"))
    assert turn_budget.left == 10


def test_without_a_limit_all_may_be_taken() -> None:
    turn_budget = TurnBudget(Budget(max_latency=4.0), 3.0)
    assert turn_budget.until == 7.0
    assert turn_budget.left is None
    assert turn_budget.take("a", 10**12)
    assert TurnBudget(Budget(), 3.0).until is None


@given(
    limit=st.integers(0, 500),
    calls=st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 200), st.floats(0, 1), st.booleans(),
                             st.sampled_from(["", "cut", *sorted(UNPAID)])), max_size=40),
)  # fmt: skip
def test_no_turn_ever_costs_more_than_it_may(limit: int, calls: list[tuple[str, int, float, bool, str]]) -> None:
    """Each call costs at most what it was said it can cost; some are never told. Calls of one key come one by one."""
    turn_budget = TurnBudget(Budget(max_cost=limit, currency="CNY"), 0.0)
    paid = 0
    under_way: dict[str, tuple[int, float, bool, str]] = {}

    def end(key: str) -> int:
        cost, share, told, code = under_way.pop(key)
        real = 0 if code in UNPAID else int(cost * share)
        turn_budget.settle(key, attempt(real if told and not code else None, code=code))
        return real

    for key, cost, share, told, code in calls:
        if key in under_way:
            paid += end(key)
        if turn_budget.take(key, cost):
            under_way[key] = (cost, share, told, code)
        assert paid + sum(each[0] for each in under_way.values()) <= limit
    for key in list(under_way):
        paid += end(key)
    assert paid <= limit
    assert turn_budget.left is not None
    assert turn_budget.left >= 0
