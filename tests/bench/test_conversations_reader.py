"""Whoever reads as the model: what is asked waits, is withdrawn, and is told apart afterwards."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path

import pytest
from bench.conversations.reader import ReaderProvider
from bench.conversations.spool import Spool, of_model

from heartrule.engine.session.tasks import Attempt, Context, Task
from heartrule.llm.provider import Empty, PromptMessage, Request

CONTEXT = Context(None, "zh-CN", {}, {}, ())


def request(text: str) -> Request:
    return Request((PromptMessage("user", text),), {"type": "object"})


def task(key: str, template: str, *, speaks: bool = False, instead: str = "") -> Task:
    return Task(key, "generate", "generate", template, CONTEXT, {}, {}, speaks=speaks, instead=instead)


async def answered(spool: Spool, answers: dict[int, str]) -> None:
    for number, text in answers.items():
        while number not in spool.waiting():  # noqa: ASYNC110  (files)
            await asyncio.sleep(0.01)
        spool.answer(number, text)


def test_calls_are_told_apart_by_when_they_began_and_what_was_answered(tmp_path: Path) -> None:
    spool = of_model(tmp_path)
    reader = ReaderProvider(spool, lambda: 3)
    heard: list[str] = []

    async def asked() -> None:
        first, second = reader.complete(request("a")), reader.complete(request("b"), heard.append)
        replies = await asyncio.gather(first, second, answered(spool, {1: ' {"x": 1}\n', 2: "{}"}))
        assert [replies[0].text, replies[1].text] == ['{"x": 1}', "{}"]
        began = [call.began for call in reader.calls()]
        made = Attempt(1, "ok", raw="{}", began=began[0], form="mended")
        reader.listen(task("two", "ai_ask", speaks=True, instead="one"), made)
        reader.listen(task("one", "risk"), Attempt(1, "ok", raw='{"x": 1}', began=began[1]))
        reader.listen(task("late", "review"), Attempt(1, "ok", raw="{}", began=began[1] + 100))

    asyncio.run(asked())
    one, two = reader.calls()
    assert (one.kind, one.speaks, one.again, one.turn) == ("risk", False, False, 3)
    assert (two.kind, two.form, two.instead, two.again) == ("ai_ask", "mended", True, True)
    assert heard == ["{}"]
    body = json.loads(spool.question(1))
    assert body["messages"] == [{"role": "user", "content": "a"}]
    assert body["turn"] == 3


def test_what_nobody_waits_for_any_more_is_withdrawn(tmp_path: Path) -> None:
    spool = of_model(tmp_path)
    reader = ReaderProvider(spool, lambda: 0)

    async def given_up() -> None:
        call = asyncio.create_task(reader.complete(request("a")))
        while not spool.waiting():  # noqa: ASYNC110  (files)
            await asyncio.sleep(0.01)
        call.cancel()
        with suppress(asyncio.CancelledError):
            await call

    asyncio.run(given_up())
    assert spool.waiting() == []
    assert [(call.answered, call.kind) for call in reader.calls()] == [(False, "")]


def test_an_answer_without_words_is_none(tmp_path: Path) -> None:
    reader = ReaderProvider(of_model(tmp_path), lambda: 1)

    async def asked() -> None:
        await asyncio.gather(reader.complete(request("a")), answered(of_model(tmp_path), {1: " \n"}))

    with pytest.raises(Empty):
        asyncio.run(asked())
