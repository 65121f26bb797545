"""Which model is asked: those meant for the task first, then by weight; those that are ill or busy are passed over."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from math import log
from random import random as any_number

from heartrule.engine.session.tasks import Task
from heartrule.llm.clock import Clock, LoopClock
from heartrule.llm.health import Call
from heartrule.llm.policy import Policy, Tier, higher
from heartrule.llm.provider import Provider
from heartrule.llm.slots import Slots
from heartrule.llm.upstream import Offer, Upstream


def offers(providers: Sequence[Provider]) -> list[Offer]:
    """Plain providers stand in order of preference: the first is asked, the others only when it cannot be."""
    return [
        each if isinstance(each, Offer) else Offer(each, weight=0.0 if number else 1.0)
        for number, each in enumerate(providers)
    ]


class Routes:
    """All models of this process."""

    def __init__(
        self,
        providers: Sequence[Provider],
        policy: Policy | None = None,
        clock: Clock | None = None,
        random: Callable[[], float] = any_number,
    ) -> None:
        self.policy = policy or Policy()
        self.clock = clock or LoopClock()
        self.slots = Slots(self.clock)
        self._random = random
        self.now = self.clock.now
        self.upstreams = tuple(Upstream(each, n, self.now, self.policy) for n, each in enumerate(offers(providers)))

    def __len__(self) -> int:
        return len(self.upstreams)

    def route(self, task: Task, stay: str = "", policy: Policy | None = None, tier: Tier | None = None) -> Route:
        """The models that may be asked for ``task``, those of ``tier`` first. Whatever has the same ``stay`` (a
        session) stays with one where it can, so that the provider finds the prompt's beginning in its cache."""
        policy = policy or self.policy
        return Route(self, task, policy, self._draws(stay), tier or policy.tier(task))

    def _draws(self, stay: str) -> dict[Upstream, float]:
        """Rendezvous hashing: the least is preferred, each model in proportion to its weight, and when one comes or
        goes only its own conversations move."""
        sharing = [each for each in self.upstreams if each.offer.weight > 0]
        if len(sharing) < 2:
            return dict.fromkeys(sharing, 0.0)
        return {each: -log(1 - self._chance(stay, each)) / each.offer.weight for each in sharing}

    def _chance(self, stay: str, upstream: Upstream) -> float:
        """In [0, 1)."""
        if not stay:
            return self._random()
        digest = hashlib.sha256(f"{stay}\n{upstream.name}".encode()).digest()
        return int.from_bytes(digest[:6], "big") / 2**48

    async def aclose(self) -> None:
        for each in self.upstreams:
            await each.offer.aclose()


class Route:
    """One task's route through the models: what failed it is not asked again."""

    def __init__(self, routes: Routes, task: Task, policy: Policy, draws: dict[Upstream, float], tier: Tier) -> None:
        self._routes = routes
        self._task = task
        self._policy = policy
        self._draws = draws
        self._left = list(routes.upstreams)
        self._rejected: dict[Upstream, int] = {}
        self.tier = tier
        self._first = min(self._left, key=self._place)

    @property
    def over(self) -> bool:
        """Whether nobody is left to ask."""
        return not self._left

    @property
    def alone(self) -> bool:
        return len(self._left) == 1

    @property
    def preferred(self) -> Upstream:
        """Who is asked first, if it is free."""
        return self._order()[0]

    @property
    def busy(self) -> bool:
        """Whether somebody could be asked who only has too much to do."""
        return any(each.ready(self._task) for each in self._left)

    def size(self, characters: int, tokens: int) -> None:
        """How long the prompt is: a very long one is for a more able model, and for none that cannot read it all."""
        if characters > self._policy.long_prompt:
            self.tier = higher(self.tier)
        able = [each for each in self._left if each.offer.fits(tokens)]
        self._left = able or self._left
        self._first = min(self._left, key=self._place)

    def enter(self) -> Permit | None:
        """The permit of whom to ask now; None when none may be asked. It is told how it went by whoever takes it."""
        return next((permit for each in self._order() if (permit := self._enter(each)) is not None), None)

    async def take(self, until: float) -> Permit | None:
        """As ``enter``; where all that may be asked are busy, the first that is no longer, if that is before ``until``.

        The one that is preferred is waited for a moment even where another could be asked at once.
        """
        waited = False
        while well := [each for each in self._order() if each.ready(self._task)]:
            free = next((each for each in well if not each.full), None)
            if free is not None and (waited or free is well[0]):
                return self._enter(free)
            left = max(0.0, until - self._routes.now())
            if free is None and not left:
                return None
            wants, seconds = (well, left) if free is None else (well[:1], min(self._patience, left))
            if (permit := await self._wait(wants, seconds)) is not None:
                return permit
            waited = waited or free is not None
        return None

    def leave_out(self, permit: Permit) -> None:
        """Do not ask this one again for this task."""
        if permit.upstream in self._left:
            self._left.remove(permit.upstream)

    def rejected(self, permit: Permit) -> bool | None:
        """Its answer was of no use. The next try is for a more able model where there is one; whoever was of no use
        twice is not asked again: then True, as long as there is another, and None when there is none. Else False."""
        permit.was_no_use()
        times = self._rejected[permit.upstream] = self._rejected.get(permit.upstream, 0) + 1
        self.tier = higher(self.tier)
        if times < 2:
            return False
        if self.alone:
            return None
        self.leave_out(permit)
        return True

    def is_stand_in(self, permit: Permit) -> bool:
        """Whether another than the preferred model is asked."""
        return permit.upstream is not self._first

    def _place(self, upstream: Upstream) -> tuple[tuple[int, bool], bool, float]:
        offer = upstream.offer
        standby = offer.weight == 0
        return offer.distance(self.tier), standby, float(upstream.number) if standby else self._draws[upstream]

    def _order(self) -> list[Upstream]:
        """Those that are left, the one to ask first at the front."""
        if len(self._left) < 2:
            return self._left
        groups: dict[tuple[int, bool], list[Upstream]] = {}
        for each in sorted(self._left, key=self._place):
            groups.setdefault(each.offer.distance(self.tier), []).append(each)
        return [each for group in groups.values() for each in sorted(group, key=lambda one: self._ails(one, group))]

    def _ails(self, upstream: Upstream, fellows: Sequence[Upstream]) -> bool:
        health = upstream.health
        return health.failing or health.slow(self._task.role, (each.health for each in fellows))

    def _enter(self, upstream: Upstream) -> Permit | None:
        if not self._routes.slots.take(upstream):
            return None
        return self._begin(upstream)

    def _begin(self, upstream: Upstream) -> Permit | None:
        """A call there, for which a slot has been taken."""
        if upstream.enter(self._task):
            return Permit(upstream, self._task, self._routes)
        self._routes.slots.free(upstream)
        return None

    async def _wait(self, wants: Sequence[Upstream], seconds: float) -> Permit | None:
        urgency = self._policy.urgency(self._task)
        granted = await self._routes.slots.wait(wants, seconds, urgency)
        return None if granted is None else self._begin(granted)

    @property
    def _patience(self) -> float:
        return self._policy.patience * min(1.0, self._policy.time_scale)


class Permit:
    """Leave to make one call. Whoever makes it says how it went: one of ``succeeded``, ``failed`` and ``left``; and of
    an answer that came, whether it was of use."""

    def __init__(self, upstream: Upstream, task: Task, routes: Routes) -> None:
        self.upstream = upstream
        self._doubt = upstream.doubt(task)
        self.provider = upstream.offer.provider
        self._task = task
        self._routes = routes
        self._began = routes.now()
        self._call: Call | None = None

    def succeeded(self) -> None:
        """An answer came."""
        self.upstream.breaker.succeeded()
        self._over(good=True)

    def failed(self) -> None:
        """The provider is to blame."""
        self.upstream.breaker.failed()
        self._undecided()
        self._over(good=False)

    def left(self) -> None:
        """The call ended in a way that says nothing about the provider: cancelled, or refused for its content."""
        self.upstream.breaker.left()
        self._undecided()
        self._routes.slots.free(self.upstream)

    def was_of_use(self) -> None:
        """The answer that came was taken."""
        if self._doubt is not None:
            self._doubt.succeeded()

    def was_no_use(self) -> None:
        """The answer that came could not be used, or the provider would not give one to such a question."""
        if self._doubt is not None:
            self._doubt.failed()
        if self._call is not None:
            self._call.good = False

    def _undecided(self) -> None:
        if self._doubt is not None:
            self._doubt.left()

    def _over(self, *, good: bool) -> None:
        seconds = self._routes.now() - self._began
        self._call = self.upstream.health.note(self._task.role, seconds, good=good)
        self._routes.slots.free(self.upstream)
