"""Which model is asked: by what it is for, by weight, by session; and that nobody asks one that is down."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.llm.material import task

from heartrule.engine.session.tasks import Task
from heartrule.llm.breaker import BreakerRules
from heartrule.llm.clock import LoopClock
from heartrule.llm.policy import TIERS, Policy, Rule, Tier
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.llm.routing import Permit, Route, Routes
from heartrule.llm.upstream import Offer


class Clock(LoopClock):
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time


def offer(name: str, *tiers: Tier, weight: float = 1.0, concurrency: int | None = None) -> Offer:
    made = ScriptedProvider([], name=name)
    return Offer(made, tiers=tiers or TIERS, weight=weight, concurrency=concurrency, called=name)


def routes(*offers: Offer, clock: Clock | None = None, seed: int = 1, policy: Policy | None = None) -> Routes:
    clock = clock or Clock()
    return Routes(offers, clock=clock, policy=policy or Policy(), random=Random(seed).random)


def asked(route: Route) -> str:
    """Who is asked; the call goes well."""
    permit = entered(route)
    permit.succeeded()
    return permit.upstream.name


def entered(route: Route) -> Permit:
    permit = route.enter()
    assert permit is not None
    return permit


def order(route: Route) -> list[str]:
    """Who is asked, one after the other, when each fails this task."""
    names = []
    while (permit := route.enter()) is not None:
        permit.left()
        route.leave_out(permit)
        names.append(permit.upstream.name)
    return names


RISK = task("risk", role="judge")
REPLY = task("ai_ask")
THINK = task("ai_think")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (RISK, ["small", "middle", "large"]),
        (REPLY, ["middle", "large", "small"]),
        (THINK, ["large", "middle", "small"]),
    ],
)
def test_the_tier_of_a_task_decides_and_then_the_nearest(given: Task, expected: list[str]) -> None:
    policy = Policy(rules={"risk": Rule("fast"), "ai_think": Rule("quality")})
    found = routes(offer("large", "quality"), offer("small", "fast"), offer("middle", "balanced"), policy=policy)
    assert order(found.route(given)) == expected


def test_when_no_model_serves_a_tier_the_nearest_does() -> None:
    assert asked(routes(offer("large", "quality")).route(RISK)) == "large"
    assert asked(routes(offer("small", "fast"), offer("large", "quality")).route(REPLY)) == "large", (
        "the more able of two"
    )


def test_plain_providers_stand_in_order_of_preference() -> None:
    found = Routes([ScriptedProvider([], name=name) for name in "abc"], clock=Clock())
    assert {tuple(order(found.route(REPLY, str(n)))) for n in range(50)} == {("a", "b", "c")}


def test_a_model_of_no_weight_only_stands_in() -> None:
    found = routes(offer("spare", weight=0), offer("a"), offer("b"))
    first = Counter(order(found.route(REPLY))[0] for _ in range(200))
    assert set(first) == {"a", "b"}
    assert all(order(found.route(REPLY))[-1] == "spare" for _ in range(50))
    assert asked(routes(offer("spare", weight=0)).route(REPLY)) == "spare", "better than nobody"


@pytest.mark.parametrize("stay", [False, True])
def test_weights_hold_within_statistical_bounds(stay: bool) -> None:
    """4,000 draws: three standard deviations are at most 0.024."""
    found = routes(offer("a", weight=1), offer("b", weight=2), offer("c", weight=5))
    first = Counter(asked(found.route(REPLY, f"session-{n}" if stay else "")) for n in range(4000))
    for name, share in {"a": 1 / 8, "b": 2 / 8, "c": 5 / 8}.items():
        assert first[name] / 4000 == pytest.approx(share, abs=0.024)


def test_a_conversation_stays_with_one_model() -> None:
    found = routes(offer("a"), offer("b"), offer("c"))
    for session in map(str, range(50)):
        assert len({asked(found.route(each, session)) for each in (RISK, REPLY, THINK) for _ in range(5)}) == 1


def test_when_a_model_goes_only_its_own_conversations_move() -> None:
    before = routes(offer("a"), offer("b"), offer("c"))
    after = routes(offer("a"), offer("b"))
    moved = 0
    for session in map(str, range(300)):
        was, now = asked(before.route(REPLY, session)), asked(after.route(REPLY, session))
        moved += was != now
        assert now == was or was == "c"
    assert moved


def test_who_is_preferred_is_no_stand_in_and_every_other_is() -> None:
    found = routes(offer("a", "fast"), offer("b", "quality"))
    route = found.route(RISK)
    first = entered(route)
    first.left()
    assert not route.is_stand_in(first)
    route.leave_out(first)
    assert route.is_stand_in(entered(route))
    assert route.alone


def test_a_very_long_prompt_is_for_a_more_able_model() -> None:
    found = routes(offer("small", "fast"), offer("middle", "balanced"), offer("large", "quality"))
    route = found.route(RISK)
    route.size(24_000, 1)
    assert route.tier == "fast"
    route.size(24_001, 1)
    assert route.tier == "balanced"
    permit = entered(route)
    assert permit.upstream.name == "middle"
    assert not route.is_stand_in(permit), "it is who is meant"


def test_after_a_rejected_answer_a_more_able_model_is_asked() -> None:
    found = routes(offer("small", "fast"), offer("middle", "balanced"))
    route = found.route(RISK)
    permit = entered(route)
    permit.succeeded()
    route.rejected(permit)
    assert asked(route) == "middle"


def test_who_was_rejected_twice_is_not_asked_again_while_there_is_another() -> None:
    found = routes(offer("a"), offer("b"))
    route = found.route(REPLY, "s")
    first = entered(route)
    for _ in range(2):
        first.succeeded()
        route.rejected(first)
        if not route.alone:
            first = entered(route)
    assert route.alone
    other = entered(route)
    assert other.upstream is not first.upstream
    for _ in range(3):
        route.rejected(other)
    assert not route.over, "the last one is left to the policy's retries"


def test_one_that_is_down_is_passed_over_and_comes_back() -> None:
    clock = Clock()
    found = routes(
        offer("a"), offer("spare", weight=0), clock=clock, policy=Policy(breaker=BreakerRules(failures=2, rest=10))
    )
    for _ in range(2):
        entered(found.route(REPLY)).failed()
    assert asked(found.route(REPLY)) == "spare"
    clock.time = 10.0
    probe = entered(found.route(REPLY))
    assert probe.upstream.name == "a"
    others = [entered(found.route(REPLY)) for _ in range(5)]
    assert {each.upstream.name for each in others} == {"spare"}, "one probe at a time"
    probe.succeeded()
    assert asked(found.route(REPLY)) == "a"


def test_when_all_are_down_nobody_is_asked() -> None:
    clock = Clock()
    found = routes(offer("a"), offer("b"), clock=clock, policy=Policy(breaker=BreakerRules(failures=1, rest=10)))
    for _ in range(2):
        entered(found.route(REPLY)).failed()
    assert found.route(REPLY).enter() is None
    clock.time = 9.9
    assert found.route(REPLY).enter() is None
    clock.time = 10.0
    assert {entered(found.route(REPLY)).upstream.name for _ in range(2)} == {"a", "b"}, "one probe each"
    assert found.route(REPLY).enter() is None


@given(
    tiers=st.lists(
        st.sets(st.sampled_from(TIERS), min_size=1).map(lambda found: tuple(sorted(found))), min_size=1, max_size=5
    ),
    weights=st.lists(st.sampled_from([0.0, 0.1, 1.0, 7.0]), min_size=5, max_size=5),
    wanted=st.sampled_from(TIERS),
    stay=st.text(max_size=5),
)
def test_everyone_is_asked_once_the_nearest_first(
    tiers: list[tuple[Tier, ...]], weights: list[float], wanted: Tier, stay: str
) -> None:
    offers = [offer(str(n), *each, weight=weights[n]) for n, each in enumerate(tiers)]
    found = routes(*offers, policy=Policy(rules={"ai_ask": Rule(tier=wanted)}))
    names = order(found.route(REPLY, stay))
    assert sorted(names) == [str(n) for n in range(len(tiers))]
    places = [(offers[int(name)].distance(wanted), offers[int(name)].weight == 0) for name in names]
    assert places == sorted(places)
