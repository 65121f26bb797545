"""Conversations of the bench played by programs: a small script, a model and a visitor that answer at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from bench.conversations.record import closed
from bench.conversations.sheet import Sheet, sheet
from bench.conversations.spool import of_model, of_visitor

from heartrule.llm.provider import PromptMessage, Request
from heartrule.testing.counsellor import counsel

SCRIPT = """
sessions:
  - session: 小谈
    id: small
    locale: zh-CN
    declare:
      - {var: 近况, type: text, define: 最近怎么样}
      - {var: 接着, type: enum, options: [填, 不填], define: 填不填表}
    phases:
      - phase: 谈
        id: talk
        steps:
          - topic: 近况
            id: lately
            actions:
              - {type: say, id: hello, content: 你好，我是**小禾**。}
              - {type: ai_ask, id: how, content: 问问近况, question: 最近怎么样？, output: [{get: 近况}]}
              - type: user_option
                id: willing
                var: 接着
                choices: [{value: 填, label: 好，填一下}, {value: 不填, label: 先不填}]
              - {type: show_form, id: sleep, form: sleep, condition: 接着 == '填'}
              - {type: say, id: bye, content: 今天就到这里。}
forms:
  - form: 睡眠小问卷
    id: sleep
    audience: client
    fields:
      - {id: nights, label: 几个晚上没睡好？, type: integer, required: true, range: [0, 7]}
      - id: early
        label: 会醒得太早吗？
        type: single
        required: true
        options: [{value: 0, label: 不会}, {value: 1, label: 有时}]
      - {id: medicine, label: 吃药吗？, type: boolean}
"""
SHEET = "---\nkind: first\nlocale: zh-CN\nmanner: terse\n---\n你扮演来访者林。\n"
SECONDS = 60


def project(folder: Path) -> Path:
    made = folder / "project"
    made.mkdir()
    (made / "project.yaml").write_text("id: tests\nlocale: zh-CN\n", encoding="utf-8")
    (made / "small.yaml").write_text(SCRIPT, encoding="utf-8")
    return made


def own_sheet(folder: Path) -> Sheet:
    file = folder / "lin.md"
    file.write_text(SHEET, encoding="utf-8")
    return sheet(str(file))


def counselled(asked: dict[str, Any]) -> str:
    """What a stand-in for a model answers."""
    if asked["schema"] is None:
        return f"嗯，第 {asked['turn']} 句。"
    messages = tuple(PromptMessage(each["role"], each["content"]) for each in asked["messages"])
    return json.dumps(counsel(Request(messages, asked["schema"], asked["temperature"])), ensure_ascii=False)


async def model(folder: Path, answer: Callable[[dict[str, Any]], str] = counselled) -> None:
    """Answers every request that it finds, until the conversation is closed."""
    spool = of_model(folder)
    while not closed(folder):
        for number in spool.waiting():
            spool.answer(number, answer(json.loads(spool.question(number))))
        await asyncio.sleep(0.02)


async def visitor(folder: Path, answers: Sequence[str]) -> list[str]:
    """Answers one page after another. Returns the pages."""
    spool, pages = of_visitor(folder), []
    for said in answers:
        while not (waiting := spool.waiting()):  # noqa: ASYNC110  (files)
            await asyncio.sleep(0.02)
        pages.append(spool.question(waiting[0]))
        spool.answer(waiting[0], said)
    return pages


def played(held: Coroutine[Any, Any, str], folder: Path, answers: Sequence[str]) -> tuple[str, list[str]]:
    """The reason why a conversation was over, and the visitor's pages, the last included."""

    async def all_() -> tuple[str, list[str]]:
        async with asyncio.timeout(SECONDS):
            reason, pages, _ = await asyncio.gather(held, visitor(folder, answers), model(folder))
        return reason, pages

    reason, pages = asyncio.run(all_())
    spool = of_visitor(folder)
    return reason, [*pages, *(spool.question(number) for number in spool.waiting())]
