"""From words that call for help to somebody who has been told."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.jobs.material import Place, run, settled, told
from tests.jobs.receivers import Hook


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_words_that_call_for_help_are_told_at_once(place: Place) -> None:
    async def talk(url: str) -> None:
        async with place.open(told(url)) as (sessions, _):
            session = await place.called(sessions)
            record = await settled(sessions)
            assert (record.session, record.to, record.level, record.attempts) == (session, "desk", "P0", 1)
            assert record.cause == "awareness talk/help"
            assert await sessions.store.outbox.find(record.id) is None

    with Hook().serving() as hook:
        run(talk(hook.url))
        (taken,) = hook.taken
    assert taken.told["id"] == taken.key
