"""Replies of ``heartrule chat`` while a model writes them: the real program, and a model here that streams."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from tests.cli.command import Command
from tests.cli.test_terminal import terminal

from heartrule.llm.provider import PromptMessage, Request
from heartrule.testing.counsellor import counsel
from heartrule.testing.openai_server import Answer, Body, OpenAIServer, Pace

SCRIPT = """\
sessions:
  - session: 听
    id: listen
    locale: zh-CN
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - {type: ask, id: mood, content: 最近怎样？}
              - {type: ai_say, id: explain, content: 讲一讲想法和心情, max_rounds: 9, fallback: 我们先停在这里。}
"""
SENTENCES = ("听起来这几天很不容易。", "睡不着的时候，脑子里常常停不下来。", "写下来，就有了一点距离。", "我们慢慢说。")
REPLY = "".join(SENTENCES) * 4


def streaming(body: Body) -> Answer:
    messages = tuple(PromptMessage(each["role"], each["content"]) for each in body["messages"])
    wanted = body.get("response_format", {}).get("json_schema", {}).get("schema")
    answer: dict[str, Any] = counsel(Request(messages, wanted, temperature=body.get("temperature", 0.0)))
    return {**answer, "content": REPLY} if answer.get("content") else answer


@pytest.fixture
def talking(heartrule: Command) -> Iterator[Command]:
    """The command with a script that speaks at length, and a model that writes 100 characters a second."""
    with OpenAIServer(answer=streaming, pace=Pace(first=0.1, per_second=50, characters=2)) as server:
        toml = f'[llm]\nbase_url = "{server.url}"\nmodel = "writer"\n'
        (heartrule.folder / "heartrule.toml").write_text(toml, encoding="utf-8")
        (heartrule.folder / "listen.yaml").write_text(SCRIPT, encoding="utf-8")
        yield heartrule


def test_lines_in_lines_out_has_each_sentence_as_it_comes(talking: Command) -> None:
    with talking.running("chat", "listen.yaml") as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("睡不着\n")
        running.stdin.flush()
        read, times = "", {}
        while not all(each in times for each in (SENTENCES[0], REPLY)):
            read += running.stdout.read(1)
            for each in (SENTENCES[0], REPLY):
                if each in read:
                    times.setdefault(each, time.monotonic())
        running.stdin.close()
        read += running.stdout.read()
    assert times[REPLY] - times[SENTENCES[0]] > 0.5, "not only when all of it is there"
    assert f"AI: {REPLY}\n" in read
    again = talking("chat", "--resume").stdout
    assert f"AI: {REPLY}\n" in again, "as it was read, so it is kept"


def test_at_the_terminal_ctrl_c_ends_the_reply_and_not_the_program(talking: Command) -> None:
    with terminal(talking, "chat", "listen.yaml") as screen:
        screen.answer("睡不着")
        screen.until("正在想")
        screen.until(SENTENCES[1])
        screen.type("\x03")
        screen.until("你 ›", seconds=15)
        time.sleep(0.1)
        screen.type("/quit\r")
        code, _ = screen.end()
    assert code == 3
    kept = talking("chat", "--resume").stdout
    said = next(line for line in kept.splitlines() if line.startswith(f"AI: {SENTENCES[0]}")).removeprefix("AI: ")
    assert REPLY.startswith(said)
    assert len(said) < len(REPLY)
