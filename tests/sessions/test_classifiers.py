"""The classifier is part of a session: it is configured at the edge, and what it said is worked out again the same."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sessions.material import Place, run, say, seen

from heartrule.classifiers import VARIABLE, shipped
from heartrule.llm.config import ConfigError
from heartrule.sessions import Sessions
from heartrule.sessions.explanations import whys

QUIET = "等周五一过，你们谁也不用再操心我了，我也就清净了"


async def raised(sessions: Sessions, script: str) -> tuple[str, tuple[str, str, str]]:
    record = await sessions.create(script)
    outcome = await sessions.start(record.id)
    await sessions.take(record.id, say("a", QUIET, seen(outcome)))
    reasons = [
        each for told in await whys(sessions.store, record.id, awareness="suicide_risk") for each in told.reasons
    ]
    data: Any = next(each.data for each in reasons if each.kind == "awareness")
    return record.id, (data["verdict"], data["source"], data["reason"])


def test_a_session_is_read_along_and_worked_out_again_the_same(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with place.open() as sessions:
            session, found = await raised(sessions, place.script)
            assert found == ("watch", "classifier", shipped().name)
        monkeypatch.setenv(VARIABLE, "none")
        async with place.open() as sessions:
            assert len([turn async for turn in sessions.replay(session, 1, None)]) == 2
            without, found = await raised(sessions, place.script)
            assert found[:2] == ("no", "rules")
        monkeypatch.delenv(VARIABLE)
        async with place.open() as sessions:
            assert len([turn async for turn in sessions.replay(without, 1, None)]) == 2

    run(work())


def test_one_that_nobody_announces_opens_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "somewhere_else")

    async def work() -> None:
        async with place.open():
            raise AssertionError("opened")

    with pytest.raises(ConfigError, match="somewhere_else"):
        run(work())
