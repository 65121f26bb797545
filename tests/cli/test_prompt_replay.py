"""``heartrule prompts render --session``: the prompts that a session's turns were asked with, word for word."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.cli.command import Command
from tests.cli.test_prompts import heads
from tests.sessions.material import ANSWERS, SMALL, answer, change

from heartrule.llm.model import Model
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.sessions import Settings, open_sessions
from heartrule.testing.counsellor import counsel
from heartrule.testing.hold import MovedClock

RENDER = ("prompts", "render", "--session")


@pytest.fixture
def sent() -> list[Request]:
    return []


@pytest.fixture
def held(heartrule: Command, sent: list[Request]) -> str:
    """A session that was held in this data folder; ``sent`` is what its model was asked."""
    script = heartrule.folder / "small.yaml"
    script.write_text(SMALL, encoding="utf-8")

    def provider(request: Request) -> dict[str, Any]:
        sent.append(request)
        return counsel(request)

    async def work() -> str:
        settings = Settings(heartrule.data, model=Model([ScriptedProvider(provider)]), clock=MovedClock())
        async with open_sessions(settings) as sessions:
            record = await sessions.create(str(script))
            await answer(sessions, record.id, await sessions.start(record.id))
        return record.id

    return asyncio.run(work())


def test_every_prompt_is_the_one_that_was_sent(heartrule: Command, held: str, sent: list[Request]) -> None:
    ran = heartrule(*RENDER, held, "--lang", "en")
    assert ran.returncode == 0
    assert sent
    for request in sent:
        for message in request.messages:
            assert f"[{message.role}]\n{message.text}\n" in ran.stdout
    assert len(heads(ran.stdout)) == len(sent)
    assert "reworded" not in ran.stdout


def test_one_turn(heartrule: Command, held: str, sent: list[Request]) -> None:
    ran = heartrule(*RENDER, held, "--turn", "2", "--lang", "zh")
    assert {head.split(" · ")[0] for head in heads(ran.stdout)} == {"第 2 轮"}
    assert any("default/zh-CN/ask.md@" in head for head in heads(ran.stdout))
    assert f"来访者：{ANSWERS[0][1]}" in ran.stdout
    assert ANSWERS[1][1] not in ran.stdout


def test_nothing_is_asked_or_written(heartrule: Command, held: str, sent: list[Request]) -> None:
    asked = len(sent)
    before = (heartrule.data / "heartrule.db").read_bytes()
    heartrule(*RENDER, held)
    assert len(sent) == asked
    assert (heartrule.data / "heartrule.db").read_bytes() == before


def test_a_prompt_that_would_be_another_today_says_so(
    heartrule: Command, held: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from heartrule.prompts import library

    shipped = library._shipped

    def reworded(locale: str, name: str, suffix: str) -> str:
        return shipped(locale, name, suffix) + ("\nAnd be kind." if (name, suffix) == ("ask", "md") else "")

    monkeypatch.setattr(library, "_shipped", reworded)
    assert "has been reworded since" in heartrule(*RENDER, held, "--turn", "2", "--lang", "en").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--turn", "99"), 1, "no turn 99"),
        (("--turn", "1"), 1, "No model was asked"),
        (("cbt/abc_intro",), 2, "either a script"),
    ],
)
def test_what_cannot_be_shown_is_said(
    heartrule: Command, held: str, arguments: tuple[str, ...], code: int, told: str
) -> None:
    ran = heartrule(*RENDER, held, *arguments, "--lang", "en")
    assert ran.returncode == code
    assert told in ran.stderr


def test_other_ways_to_ask_for_nothing(heartrule: Command, held: str) -> None:
    assert "no session" in heartrule(*RENDER, "none", "--lang", "en").stderr
    for arguments in ((), ("cbt/abc_intro", "--turn", "1")):
        ran = heartrule("prompts", "render", *arguments, "--lang", "en")
        assert (ran.returncode, "either a script" in ran.stderr) == (2, True)


def test_records_that_were_changed(heartrule: Command, held: str) -> None:
    async def work() -> None:
        async with open_sessions(Settings(heartrule.data, model=Model())) as sessions:
            change(sessions, "DELETE FROM messages WHERE turn = 2 AND reply")

    asyncio.run(work())
    ran = heartrule(*RENDER, held, "--lang", "en")
    assert ran.returncode == 1
    assert "turn 2: messages differ at messages" in ran.stderr
