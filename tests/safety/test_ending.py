"""Who ends the session in the middle of a crisis is told whom to call, and the session remembers where it ended."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from heartrule.llm.model import Model
from heartrule.server.rendering import in_crisis
from heartrule.sessions import Settings, open_sessions
from heartrule.store.records import Entry


@pytest.mark.parametrize("danger", [True, False], ids=["in a crisis", "at rest"])
def test_ending(tmp_path: Path, danger: bool) -> None:
    async def work() -> None:
        async with open_sessions(Settings(data=tmp_path, model=Model(), synchronous="OFF")) as sessions:
            record = await sessions.create("cbt/abc_intro")
            await sessions.start(record.id)
            if danger:
                outcome = await sessions.take(record.id, Entry(key="said", kind="message", text="我不想活了"))
                assert in_crisis(outcome.position)
            outcome = await sessions.end(record.id)
            told = "\n".join(message.text for message in outcome.messages if message.sender == "ai")
            assert ("12356" in told) is danger
            assert in_crisis(outcome.position) is danger
            view = await sessions.view(record.id)
            assert (view.life, in_crisis(view.position)) == ("ended", danger)

    asyncio.run(work())
