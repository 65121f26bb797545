"""How each problem is reached, by its code."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import httpx2
from tests.server.material import Asked, Grounds

Reached = Callable[[Asked, Grounds], Awaitable[httpx2.Response]]
REACHED: dict[str, Reached] = {}


def reaching(code: str) -> Callable[[Reached], Reached]:
    def keep(work: Reached) -> Reached:
        REACHED[code] = work
        return work

    return keep
