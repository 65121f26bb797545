"""A picture that was made in a session: sealed and gone with it, bought once, and never waited for beyond the turn."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.sessions.material import Place, run, script_file

from heartrule.llm.model import Model
from heartrule.llm.pictures import DrawnPicture
from heartrule.llm.provider import ProviderError, ServerError
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions.rows import MEDIA
from heartrule.testing.counsellor import counsel

PNG = b"\x89PNG\r\n\x1a\n" + b"only this person's picture"
SCRIPT = """
sessions:
  - session: 画
    id: dream
    locale: zh-CN
    phases:
      - phase: 一
        steps:
          - topic: 梦
            actions:
              - {type: ai_pic, id: pic, prompt: 一条安静的河, alt: 一条河, fallback: 我们就在心里看着它。}
              - {type: say, content: 好。}
"""


class Painter:
    """Paints as it is told; counts."""

    name, seconds = "painter", 20.0

    def __init__(self, fault: ProviderError | None = None) -> None:
        self.asked: list[str] = []
        self.fault = fault
        self.closed = False

    async def draw(self, words: str, seconds: float) -> DrawnPicture:
        self.asked.append(words)
        await asyncio.sleep(0)
        if self.fault is not None:
            raise self.fault
        return DrawnPicture("image/png", PNG)

    async def aclose(self) -> None:
        self.closed = True


def model(painter: Painter | None) -> Model:
    return Model([ScriptedProvider(counsel)], pictures=painter)


@pytest.fixture
def dream(place: Place) -> Place:
    script_file(place.folder, SCRIPT)
    return place


def test_it_lies_with_its_message_sealed_and_in_another_process_too(dream: Place) -> None:
    painter = Painter()

    async def work() -> None:
        async with dream.open(model(painter)) as sessions:
            session, outcome = await dream.begun(sessions)
            shown, _ = outcome.messages
            (media,) = shown.metadata[MEDIA]
            assert (media["kind"], media["alt"], shown.text) == ("picture", "一条河", "一条河")
            assert media["src"] == DrawnPicture("image/png", PNG).address
        async with dream.open(model(painter)) as sessions:
            (kept, _) = await sessions.store.messages(session, 0, 10)
            assert kept.metadata[MEDIA][0]["src"] == media["src"]
            assert [each async for each in sessions.replay(session)]

    run(work())
    assert len(painter.asked) == 1
    assert "一条安静的河" in painter.asked[0]
    assert painter.closed
    stored = b"".join(path.read_bytes() for path in (dream.folder / "data").rglob("*") if path.is_file())
    assert PNG not in stored
    assert DrawnPicture("image/png", PNG).address.encode() not in stored


@pytest.mark.parametrize("painter", [None, Painter(ServerError("500"))])
def test_without_one_the_fallback_is_said(dream: Place, painter: Painter | None) -> None:
    async def work() -> None:
        async with dream.open(model(painter)) as sessions:
            session, outcome = await dream.begun(sessions)
            assert [message.text for message in outcome.messages] == ["我们就在心里看着它。", "好。"]
            assert [each async for each in sessions.replay(session)]

    run(work())


def test_a_painter_who_never_ends_is_not_waited_for_beyond_the_turn(dream: Place) -> None:
    class Endless(Painter):
        async def draw(self, words: str, seconds: float) -> DrawnPicture:
            await asyncio.Event().wait()
            raise AssertionError

    quick = model(Endless())
    quick.policy = replace(quick.policy, turn_budget=0.05)

    async def work() -> None:
        async with dream.open(quick) as sessions:
            _, outcome = await dream.begun(sessions)
            assert outcome.messages[0].text == "我们就在心里看着它。"

    run(work())
