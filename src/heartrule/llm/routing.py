"""Which provider is asked: those that are well first, in order of preference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heartrule.engine.tasks import Task
from heartrule.llm.breaker import Breaker, BreakerRules
from heartrule.llm.provider import Provider


@dataclass(slots=True)
class Route:
    """A provider and how it has been doing."""

    provider: Provider
    breaker: Breaker


class Routes:
    """All providers of this process, in order of preference."""

    def __init__(self, providers: Sequence[Provider], now: Callable[[], float], rules: BreakerRules) -> None:
        self._routes = [Route(each, Breaker(now, rules)) for each in providers]

    def __len__(self) -> int:
        return len(self._routes)

    def way(self, task: Task) -> Way:
        """The routes that may be taken for ``task``, and those that are left of them."""
        return Way(self._routes)

    async def aclose(self) -> None:
        for route in self._routes:
            await route.provider.aclose()


class Way:
    """One task's way through the routes: what failed it is not asked again."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self._first = routes[0]
        self._left = list(routes)

    @property
    def over(self) -> bool:
        """Whether nobody is left to ask."""
        return not self._left

    @property
    def alone(self) -> bool:
        return len(self._left) == 1

    def enter(self) -> Route | None:
        """The route to take now; None when none may be asked. Its breaker is told how it went by whoever takes it."""
        return next((route for route in self._left if route.breaker.enter()), None)

    def leave_out(self, route: Route) -> None:
        """Do not ask this one again for this task."""
        self._left.remove(route)

    def is_stand_in(self, route: Route) -> bool:
        """Whether another than the preferred provider is asked."""
        return route is not self._first
