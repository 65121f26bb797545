"""What a session's turns count of themselves: how often they waited for a model, and for how long."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.sessions.material import SMALL, Place, answer, run, say, script_file, seen

from heartrule.llm.model import Model
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.store.records import TurnFigures
from heartrule.testing.counsellor import counsel

SLOW = 0.05


async def slowly(request: Request) -> dict[str, Any]:
    await asyncio.sleep(SLOW)
    return counsel(request)


def held(place: Place, model: Model) -> tuple[TurnFigures, int]:
    async def work() -> tuple[TurnFigures, int]:
        async with place.open(model) as sessions:
            session, outcome = await place.begun(sessions)
            await answer(sessions, session, outcome)
            (found,) = await sessions.store.figures()
            assert found.of_turns is not None
            return found.of_turns, found.turns_asking

    found: tuple[TurnFigures, int] = run(work())
    return found


def test_turns_that_asked_are_those_that_waited(place: Place) -> None:
    found, asking = held(place, Model([ScriptedProvider(slowly)]))
    assert found.turns == found.counted == 5
    assert 0 < found.waited == asking <= 5
    assert 0 < found.waited_once <= found.waited
    assert found.p50 is not None
    assert SLOW <= found.p50 < 20 * SLOW


def test_without_a_model_nobody_waits(place: Place) -> None:
    found, asking = held(place, Model())
    assert (found.turns, found.counted, found.waited, asking, found.p50) == (5, 5, 0, 0, None)


@pytest.mark.parametrize(("then", "rounds"), [("say", 1), ("ai_say", 2)])
def test_a_turn_that_must_ask_again_waits_twice(place: Place, then: str, rounds: int) -> None:
    """What opens the next action is asked for when it is known that this one is over."""
    content = SMALL.replace(
        "{type: ask, id: hours",
        f"{{type: {then}, id: between, content: 歇一下。}}\n              - {{type: ask, id: hours",
    )
    place.script = str(script_file(place.folder, content))

    async def work() -> TurnFigures:
        async with place.open(Model([ScriptedProvider(counsel)])) as sessions:
            session, outcome = await place.begun(sessions)
            await sessions.take(session, say("k", "提不起劲", after=seen(outcome)))
            (found,) = await sessions.store.figures("session")
            assert found.of_turns is not None
            return found.of_turns

    found = run(work())
    assert found.waited == 1
    assert found.waited_once == (1 if rounds == 1 else 0)
