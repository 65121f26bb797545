"""The prompt that looks back over a conversation: complete, and the same from its beginning at the next look."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from heartrule.engine.session.tasks import Task
from heartrule.llm.prompt import Prompt, render
from heartrule.testing.talk import Talk

SCRIPT = """
sessions:
  - session: 谈
    id: talk
    locale: {locale}
    {goal}
    phases:
      - phase: 开头
        {aim}
        steps:
          - topic: 近况
            actions: [{asks}]
awareness:
  - awareness: alliance
    id: alliance
    priority: P2
    always: true
    every: 1 turns
    condition: {{judge: 没有被听见, examples: {{hit: [又来了], miss: [还好]}}}}
    then: []
"""
WORDS = ("最近总是睡不好", "嗯", "没什么好说的", "你说呢", "随便吧", "不知道")


def calm(task: Task) -> Any:
    return {"verdicts": [{"id": 1, "verdict": "no"}]} if task.template in ("risk", "periodic") else None


def looks(locale: str, **more: str) -> list[Prompt]:
    asks = ", ".join(f"{{type: ask, content: {n}？, output: [{{get: a{n}}}]}}" for n in range(9))
    parts = {"goal": "", "aim": "", **more}
    held = Talk(SCRIPT.format(locale=locale, asks=asks, **parts), calm)
    for words in WORDS:
        held.say(words, seconds=90)
        held.look()
    return [render(task, held.script) for task in held.asked if task.template == "periodic"]


def whole(prompt: Prompt) -> str:
    return "\n".join(message.text for message in prompt.messages)


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
@pytest.mark.parametrize("more", [{}, {"goal": "goal: 睡得好", "aim": "goal: 认识"}])
def test_nothing_is_unfilled_or_empty(locale: str, more: dict[str, str]) -> None:
    for prompt in looks(locale, **more):
        text = whole(prompt)
        assert not re.search(r"\{%|%\}|\{\w+\}|^[^\n]{1,20}[:：] *$(?!\n\S)|\n\n\n", text, re.MULTILINE), text
        assert "1. 没有被听见\n   + 又来了\n   - 还好" in text
        assert ("睡得好" in text) is bool(more)
        assert '"verdict":"yes|no|unknown"' in text
        assert len(text) < 2_000


@pytest.mark.parametrize(("locale", "minutes"), [("zh-CN", "已经谈了 9 分钟"), ("en", "9 minutes in")])
def test_it_says_how_long_it_has_been(locale: str, minutes: str) -> None:
    assert minutes in whole(looks(locale)[-1])


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_what_was_shown_before_stays_where_it_was(locale: str) -> None:
    shown = [whole(prompt) for prompt in looks(locale)]
    assert len(shown) == len(WORDS)
    for earlier, later in pairwise(shown):
        history = earlier[: earlier.index("【走到哪里】" if locale == "zh-CN" else "[Where it stands]")]
        assert later.startswith(history.rstrip())
