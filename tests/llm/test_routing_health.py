"""Short of being down: a model that fails often, is of no use or has become slow is pushed back, and is tried again."""

from __future__ import annotations

import pytest
from tests.llm.material import task
from tests.llm.test_routing import Clock, entered, offer, routes

from heartrule.llm.breaker import BreakerRules
from heartrule.llm.health import Health, HealthRules, percentile
from heartrule.llm.policy import Policy
from heartrule.llm.routing import Routes

REPLY = task("ai_ask")
PATIENT = Policy(breaker=BreakerRules(failures=1000))


def pair(clock: Clock) -> Routes:
    return routes(offer("a"), offer("spare", weight=0), clock=clock, policy=PATIENT)


def preferred(found: Routes) -> str:
    permit = entered(found.route(REPLY))
    permit.left()
    return permit.upstream.name


def calls(found: Routes, clock: Clock, name: str, number: int, *, seconds: float = 0.5, good: bool = True) -> None:
    for _ in range(number):
        route = found.route(REPLY)
        permit = entered(route)
        while permit.upstream.name != name:
            permit.left()
            route.leave_out(permit)
            permit = entered(route)
        clock.time += seconds
        if good:
            permit.succeeded()
        else:
            permit.failed()


def test_one_that_fails_often_is_pushed_back() -> None:
    clock = Clock()
    found = pair(clock)
    calls(found, clock, "a", 5, good=False)
    assert preferred(found) == "a", "too few to say"
    calls(found, clock, "a", 1, good=False)
    assert preferred(found) == "spare"
    assert entered(found.route(REPLY)).upstream.name == "spare"


def test_one_that_fails_now_and_then_is_not() -> None:
    clock = Clock()
    found = pair(clock)
    calls(found, clock, "a", 29)
    calls(found, clock, "a", 11, good=False)
    assert preferred(found) == "a"


def test_it_is_tried_again_when_that_is_long_enough_ago() -> None:
    clock = Clock()
    found = pair(clock)
    calls(found, clock, "a", 6, good=False)
    clock.time += 59
    assert preferred(found) == "spare" or clock.time > 60
    clock.time += 4
    assert preferred(found) == "a"


def test_answers_of_no_use_count_as_failures() -> None:
    clock = Clock()
    found = pair(clock)
    for _ in range(6):
        route = found.route(REPLY)
        permit = entered(route)
        permit.succeeded()
        route.rejected(permit)
    assert preferred(found) == "spare"


def test_one_that_has_become_slow_is_pushed_back_behind_its_fellows() -> None:
    clock = Clock()
    found = pair(clock)
    calls(found, clock, "spare", 6, seconds=0.8)
    calls(found, clock, "a", 6, seconds=1.9)
    assert preferred(found) == "a", "not by so much"
    calls(found, clock, "a", 1, seconds=4.0)
    assert preferred(found) == "spare"


def test_slow_is_said_of_nobody_alone_or_below_what_is_noticed() -> None:
    clock = Clock()
    found = pair(clock)
    calls(found, clock, "a", 8, seconds=5.0)
    assert preferred(found) == "a", "nobody to compare with"
    quick = pair(clock)
    calls(quick, clock, "spare", 6, seconds=0.1)
    calls(quick, clock, "a", 6, seconds=0.9)
    assert preferred(quick) == "a"


def test_a_pushed_back_model_is_still_better_than_one_of_another_tier() -> None:
    clock = Clock()
    found = routes(offer("a", "balanced"), offer("large", "quality"), clock=clock, policy=PATIENT)
    calls(found, clock, "a", 8, good=False)
    assert preferred(found) == "a"


def test_cancelled_calls_say_nothing() -> None:
    clock = Clock()
    found = pair(clock)
    for _ in range(20):
        entered(found.route(REPLY)).left()
    assert preferred(found) == "a"


def test_what_was_of_no_use_was_an_answer_first() -> None:
    found = pair(Clock())
    route = found.route(REPLY)
    permit = entered(route)
    permit.left()
    route.rejected(permit)
    assert not permit.upstream.health.failing


def test_roles_are_not_compared_with_each_other() -> None:
    clock = Clock()
    one, two = Health(clock.now, HealthRules()), Health(clock.now, HealthRules())
    for _ in range(10):
        one.note("generate", 6.0, good=True)
        two.note("judge", 0.5, good=True)
    assert one.p95("generate") == 6.0
    assert one.p95("judge") is None
    assert not one.slow("generate", (one, two))


@pytest.mark.parametrize(
    ("numbers", "share", "found"),
    [([3.0], 0.5, 3.0), ([1, 2, 3, 4], 0.5, 2), (range(1, 101), 0.95, 95), ([5, 1], 0.0, 1), ([5, 1], 1.0, 5)],
)
def test_percentiles_go_by_nearest_rank(numbers: list[float], share: float, found: float) -> None:
    assert percentile(numbers, share) == found
