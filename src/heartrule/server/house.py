"""What every route is given: the sessions, and what the server keeps beside them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fastapi import Request

from heartrule.server.desk import Desk
from heartrule.server.judged import Sums
from heartrule.server.limits import Limits
from heartrule.server.live import Live
from heartrule.server.metrics import Metrics
from heartrule.server.settings import ServerSettings
from heartrule.server.shapes import ModelShape
from heartrule.server.tokens import Tokens
from heartrule.sessions import Sessions


@dataclass(frozen=True, slots=True)
class House:
    """``model`` is None in script mode; ``folder`` is the data folder."""

    sessions: Sessions
    settings: ServerSettings
    tokens: Tokens
    desk: Desk
    live: Live
    limits: Limits
    metrics: Metrics
    judged: Sums
    folder: Path
    model: ModelShape | None


async def of(request: Request) -> House:
    # A coroutine, like every dependency here: others would each be sent to a thread, and waited for.
    house: House = request.app.state.house
    return house
