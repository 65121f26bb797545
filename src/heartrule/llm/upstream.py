"""A model that may be asked: what it is for, and how it has been doing in this process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from heartrule.engine.session.tasks import Role, Task
from heartrule.llm.breaker import Breaker
from heartrule.llm.expected_usage import Typical
from heartrule.llm.health import Health
from heartrule.llm.policy import FIRST, TIERS, Policy, Tier
from heartrule.llm.provider import Heard, Provider, Reply, Request


@dataclass(frozen=True, slots=True)
class Offer:
    """A provider, and on what terms it is asked.

    ``weight``: its share of the conversations among the models of a tier; one of 0 is asked only when none of the
    others can be. ``concurrency``: most calls at once. ``deadlines``: seconds by role, and ``max_tokens``: of an
    answer, both over the policy's. ``context``: tokens that a prompt and its answer can have together; ``output``: that
    an answer can have; ``temperature``: the lowest and the highest it takes. None: no limit is known.
    """

    provider: Provider
    tiers: tuple[Tier, ...] = TIERS
    weight: float = 1.0
    concurrency: int | None = None
    deadlines: Mapping[Role, float] = field(default_factory=dict)
    max_tokens: int | None = None
    output: int | None = None
    context: int | None = None
    temperature: tuple[float, float] | None = None
    called: str = ""
    """What ``heartrule.toml`` calls it; ``name`` says who is asked, for records."""

    @property
    def name(self) -> str:
        return self.provider.name

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        return await self.provider.complete(request, heard)

    async def aclose(self) -> None:
        await self.provider.aclose()

    def seconds(self, role: Role, otherwise: float, scale: float) -> float:
        """How long a call may take here."""
        own = self.deadlines.get(role)
        return otherwise if own is None else own * scale

    def tokens(self, wanted: int | None) -> int | None:
        """The most tokens to ask for."""
        known = [limit for limit in (self.max_tokens or wanted, self.output) if limit is not None]
        return min(known, default=None)

    def warmth(self, wanted: float) -> float:
        """The temperature to ask for."""
        low, high = self.temperature or (wanted, wanted)
        return max(low, min(high, wanted))

    def fits(self, tokens: int) -> bool:
        """Whether a prompt and an answer of together so many tokens can be asked here."""
        return self.context is None or tokens <= self.context

    def distance(self, tier: Tier) -> tuple[int, bool]:
        """How far what it is for is from ``tier``; of two as far, the less able is farther."""
        wanted = TIERS.index(tier)
        return min((abs(TIERS.index(own) - wanted), TIERS.index(own) < wanted) for own in self.tiers)


class Upstream:
    """``busy`` counts the calls under way; every ``take`` is followed by one ``free`` (through ``Slots``). A call is
    made when the provider is there (``breaker``), and when what it says to this kind of question has not been of no use
    time after time (``doubts``, by template)."""

    def __init__(self, offer: Offer, number: int, now: Callable[[], float], policy: Policy) -> None:
        self.offer = offer
        self.number = number
        self.name = offer.called or offer.name
        self.breaker = Breaker(now, policy.breaker)
        self.doubts: dict[str, Breaker] = {}
        self._doubt = partial(Breaker, now, policy.useless)
        self.health = Health(now, policy.health)
        self.typical = Typical()
        self.busy = 0

    def doubt(self, task: Task) -> Breaker | None:
        """Whether it is worth being asked this; None where it is asked all the same: whether somebody is in danger."""
        if task.template in FIRST:
            return None
        return self.doubts.setdefault(task.template, self._doubt())

    def ready(self, task: Task) -> bool:
        """Whether it may be asked now."""
        doubt = self.doubt(task)
        return self.breaker.ready and (doubt is None or doubt.ready)

    def enter(self, task: Task) -> bool:
        """As ``ready``; if so it is taken for granted that it is asked."""
        doubt = self.doubt(task)
        if not self.ready(task) or not self.breaker.enter():
            return False
        return doubt is None or doubt.enter()

    @property
    def full(self) -> bool:
        return self.offer.concurrency is not None and self.busy >= self.offer.concurrency
