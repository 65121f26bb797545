"""Whatever happens to a session – words that join, replies that are shown while they are written, break off, are
stopped or made twice, processes that die – its turns come to the same again. The tests of all that are held once more,
and what they leave behind is replayed."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.sessions import (
    looking,
    test_bursts,
    test_first_answer,
    test_pause,
    test_periodic,
    test_speaking,
    test_speaking_anew,
    test_speaking_danger,
)
from tests.sessions.material import Place, script_file
from tests.sessions.speaking import TALK

from heartrule.llm.model import Model
from heartrule.sessions import Sessions

MODULES = (
    test_speaking,
    test_speaking_anew,
    test_speaking_danger,
    test_bursts,
    test_pause,
    test_first_answer,
    test_periodic,
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


def scenarios() -> Iterator[Any]:
    """Those tests that need nothing but a place."""
    for module in MODULES:
        for name, test in vars(module).items():
            if (
                name.startswith("test_")
                and name not in COUNTS | DAMAGED
                and set(inspect.signature(test).parameters) in ({"talk"}, {"place"}, {"held"})
            ):
                yield pytest.param(module, test, id=f"{module.__name__.rpartition('.')[2]}-{name}")


@pytest.mark.parametrize(("module", "scenario"), list(scenarios()))
def test_replayed(tmp_path: Path, module: ModuleType, scenario: Callable[[Place], None]) -> None:
    place = Replayed(tmp_path)
    if module in (test_speaking, test_speaking_anew, test_speaking_danger):
        script_file(place.folder, TALK)
    elif module is test_periodic:
        looking.prepared(place)
    scenario(place)
    assert place.turns > 0


def test_there_are_scenarios() -> None:
    assert len(list(scenarios())) > 20
