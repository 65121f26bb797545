"""Whatever happens to a session – words that join, replies that are shown while they are written, break off, are
stopped or made twice, processes that die – its turns come to the same again. The tests of all that are held where what
they leave behind is replayed."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from tests.sessions.material import Place

from heartrule.llm.model import Model
from heartrule.sessions import Sessions

MODULES = (
    "test_speaking",
    "test_speaking_anew",
    "test_speaking_danger",
    "test_bursts",
    "test_pause",
    "test_first_answer",
    "test_periodic",
)
COUNTS = {"test_a_burst_asks_again_once_for_each_arrival_and_no_more"}
"""Counts what is asked within hundredths of a second; what it leaves behind, its neighbours leave too."""
DAMAGED = {"test_a_state_that_cannot_be_read_marks_the_session", "test_what_cannot_be_read_is_refused_by_its_turn"}
"""Leave something behind that nobody could have written."""


class Replayed(Place):
    """Whoever closes these sessions replays every turn that stands in them."""

    turns = 0

    @asynccontextmanager
    async def open(self, model: Model | None = None, **more: Any) -> AsyncIterator[Sessions]:
        async with super().open(model, **more) as sessions:
            yield sessions
            for record in await sessions.recent():
                found = [each.turn async for each in sessions.replay(record.id)]
                assert found == list(range(1, record.seq + 1))
                self.turns += record.seq


def replayed(test: Callable[..., None]) -> bool:
    """Whether what a test leaves behind is replayed: of these modules, those that need nothing but a place."""
    return (
        test.__module__.rpartition(".")[2] in MODULES
        and test.__name__.startswith("test_")
        and test.__name__ not in COUNTS | DAMAGED
        and set(inspect.signature(test).parameters) in ({"talk"}, {"place"}, {"held"})
    )
