"""Cassettes: recorded once, replayed offline, and plain about what they do not hold."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.llm.material import CONTENT, GOOD, context, task

from heartrule.engine.session.tasks import Line
from heartrule.llm.model import Model
from heartrule.llm.provider import PromptMessage, Reply, Request
from heartrule.llm.providers.cassettes import NotRecorded, RecordedProvider
from heartrule.llm.providers.scripted import ScriptedProvider

ASKED = Request((PromptMessage("system", "你是咨询师。\n守则一"), PromptMessage("user", "我睡不好")), CONTENT, 0.3)
REPLY = Reply('{"content":"好"}', "m", 10, 3, 2)


@pytest.fixture
def cassette(tmp_path: Path) -> Path:
    path = tmp_path / "tapes" / "sleep.json"
    asyncio.run(RecordedProvider(path, ScriptedProvider([REPLY])).complete(ASKED))
    return path


def play(cassette: Path, request: Request = ASKED) -> Reply:
    return asyncio.run(RecordedProvider(cassette).complete(request))


def test_what_is_replayed_is_heard(cassette: Path) -> None:
    pieces: list[str] = []
    asyncio.run(RecordedProvider(cassette).complete(ASKED, pieces.append))
    assert pieces == [REPLY.text]


def test_what_is_recorded_is_heard_as_it_comes(tmp_path: Path) -> None:
    pieces: list[str] = []
    recorder = RecordedProvider(tmp_path / "new.json", ScriptedProvider(["一二三四五六七八九"]))
    asyncio.run(recorder.complete(ASKED, pieces.append))
    assert pieces == ["一二三四五六七八", "九"]


def missed(cassette: Path, request: Request) -> str:
    with pytest.raises(NotRecorded) as caught:
        play(cassette, request)
    return str(caught.value)


def test_what_was_recorded_comes_back_whole(cassette: Path) -> None:
    assert play(cassette) == REPLY


def test_the_file_is_readable_and_says_what_was_asked(cassette: Path) -> None:
    tape = json.loads(cassette.read_text(encoding="utf-8"))
    assert list(tape) == [ASKED.hash]
    assert tape[ASKED.hash]["messages"] == [["system", "你是咨询师。\n守则一"], ["user", "我睡不好"]]
    assert "我睡不好" in cassette.read_text(encoding="utf-8"), "not escaped: people read diffs"
    assert list(cassette.parent.iterdir()) == [cassette]


def test_limits_and_timeouts_are_no_part_of_the_key(cassette: Path) -> None:
    assert play(cassette, replace(ASKED, timeout=1.0, max_tokens=9)) == REPLY


def test_recording_asks_only_for_what_is_missing(cassette: Path) -> None:
    source = ScriptedProvider(['{"content":"新"}'])
    recorder = RecordedProvider(cassette, source)
    other = replace(ASKED, temperature=0.9)

    async def run() -> None:
        await recorder.complete(ASKED)
        await recorder.complete(other)
        await recorder.complete(other)
        await recorder.aclose()

    asyncio.run(run())
    assert source.requests == [other]
    assert source.closed
    assert play(cassette) == REPLY
    assert play(cassette, other).text == '{"content":"新"}'


def test_a_miss_shows_the_nearest_prompt_and_how_it_differs(cassette: Path) -> None:
    far = replace(ASKED, messages=(PromptMessage("user", "completely different words in another language"),))
    asyncio.run(RecordedProvider(cassette, ScriptedProvider([REPLY])).complete(far))
    told = missed(cassette, replace(ASKED, messages=(ASKED.messages[0], PromptMessage("user", "我睡得很好"))))
    assert "sleep.json has no answer for prompt" in told
    assert "-我睡不好" in told
    assert "+我睡得很好" in told
    assert "completely different" not in told


def test_a_miss_by_temperature_or_schema_says_so(cassette: Path) -> None:
    assert "+0.7" in missed(cassette, replace(ASKED, temperature=0.7))
    assert '"title"' in missed(cassette, replace(ASKED, schema={**CONTENT, "title": "x"}))


def test_a_long_difference_is_cut(cassette: Path) -> None:
    long = "\n".join(f"第{number}行" for number in range(500))
    told = missed(cassette, replace(ASKED, messages=(PromptMessage("user", long),)))
    assert len(told.splitlines()) < 50
    assert "more lines" in told


@pytest.mark.parametrize("text", ["{}", None])
def test_an_empty_cassette_says_what_to_do(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "empty.json"
    if text is not None:
        path.write_text(text)
    assert "record it first" in missed(path, ASKED)


@pytest.mark.parametrize("text", ["not json", "[]", '"x"'])
def test_a_file_that_is_no_cassette(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(NotRecorded, match=r"broken\.json"):
        RecordedProvider(path)


@pytest.mark.parametrize("entry", [{}, {"reply": None}, {"reply": {"words": "x"}}])
def test_an_entry_that_is_no_reply(tmp_path: Path, entry: object) -> None:
    path = tmp_path / "odd.json"
    path.write_text(json.dumps({ASKED.hash: entry}))
    assert "not well-formed" in missed(path, ASKED)


def test_a_miss_is_never_degraded_around(tmp_path: Path) -> None:
    model = Model([RecordedProvider(tmp_path / "none.json")])
    with pytest.raises(NotRecorded):
        asyncio.run(model.answer([task()]))


def test_a_whole_task_replays_without_its_source(tmp_path: Path) -> None:
    path = tmp_path / "turn.json"
    asked = task(where=context((Line("person", "总是半夜醒"),)))
    recorded = asyncio.run(Model([RecordedProvider(path, ScriptedProvider([GOOD]))]).answer([asked]))
    replayed = asyncio.run(Model([RecordedProvider(path)]).answer([asked]))
    assert replayed["ai_ask"].data == recorded["ai_ask"].data == GOOD
    assert replayed["ai_ask"].prompt_hash == recorded["ai_ask"].prompt_hash


def test_its_name_is_the_cassettes(cassette: Path) -> None:
    assert RecordedProvider(cassette).name == "recorded:sleep"
