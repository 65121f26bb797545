"""``BRIEF`` (seed 004): what the person said, in short: asked for, told as a reason, in the record and to memory."""

from __future__ import annotations

from typing import Any

from tests.engine.minds import CALM, asked
from tests.engine.test_monitors import prompts, whole

from heartrule.testing.talk import Talk, compile_text

SCRIPT = """
sessions:
  - session: 谈
    id: talk
    locale: {locale}
    memory: {{write: {{enabled: true}}}}
    phases:
      - phase: 开头
        steps:
          - topic: 近况
            actions:
              - {{type: ai_ask, id: lately, content: 聊聊近况, question: 最近怎样？, max_rounds: 4}}
              - {{type: ask, id: last, content: 还有吗？}}
"""
BRIEF = "最近加班，睡得少"


def talk(locale: str = "zh-CN", **answer: Any) -> Talk:
    table = {"risk": CALM, "perceive": {}, "ai_ask": asked(BRIEF=BRIEF, exit_reason="", **answer)}
    return Talk(compile_text(SCRIPT.format(locale=locale)), table)


def test_the_default_templates_ask_for_it() -> None:
    for locale in ("zh-CN", "en"):
        held = talk(locale)
        held.say("天天加班")
        (task,) = prompts(held, "ai_ask")
        assert "BRIEF" in task.schema["required"]
        assert "BRIEF" in whole(held, task)


def test_it_is_the_reason_where_none_is_given() -> None:
    held = talk(exit="YES")
    held.say("天天加班，睡得少")
    (found,) = held.happened("exit")
    assert (found.reason, found.decision_source) == (BRIEF, "exit_flag")
    assert held.turn.exit is not None
    assert held.turn.exit["reason"] == BRIEF


def test_it_is_in_the_record_of_the_round() -> None:
    held = talk()
    held.say("天天加班")
    assert held.happened("round")[-1].brief == BRIEF


def test_talk_that_finds_nothing_out_is_remembered_by_it_with_the_words_it_was_made_of() -> None:
    held = talk(exit="YES")
    held.say("天天加班，睡得少")
    (item,) = [each for cell in held.memories.cells.values() for each in cell.values()]
    assert item.value["content"] == BRIEF
    assert item.evidence == "天天加班，睡得少"


def test_withheld_words_leave_none() -> None:
    held = talk(exit="YES")
    held.say("我不想活了，今晚就去死")
    assert [each for cell in held.memories.cells.values() for each in cell] == []
