"""What proves a value: the answer itself; for a text, also what was said before."""

from __future__ import annotations

from typing import Any

from heartrule.engine.session.tasks import Task
from heartrule.testing.talk import Talk

SCRIPT = """
sessions:
  - session: 两问
    phases:
      - phase: 甲
        declare:
          - {var: 想法, define: 闪过的想法}
          - {var: 强度, type: integer, range: [0, 10], define: 有多强}
        steps:
          - topic: 事
            actions:
              - {type: say, content: 你好}
              - {type: ask, id: event, content: 发生了什么？}
              - {type: ai_ask, id: thought, content: 想法, question: 闪过了什么？, output: [{get: 想法}, {get: 强度}]}
"""


def talk(values: dict[str, Any]) -> Talk:
    def model(task: Task) -> Any:
        if task.template == "risk":
            return {"verdicts": [{"id": 1, "verdict": "no", "confidence": 0.9, "evidence": ""}]}
        if task.template == "ask":
            return {"understood": True, "values": {}, "content": "嗯。", "progress_suggestion": "completed"}
        return {"EXIT": "YES", "content": "好。", "values": values, "progress_suggestion": "completed"}

    held = Talk(SCRIPT, model)
    held.say("我又搞砸了，难受得有八分")
    held.say("刚才说过了")
    return held


def test_a_text_may_be_known_from_what_was_said_before() -> None:
    held = talk({"想法": {"value": "我又搞砸了", "evidence": "我又搞砸了"}})
    assert held.value("想法") == "我又搞砸了"


def test_a_number_may_not() -> None:
    held = talk({"强度": {"value": 8, "evidence": "难受得有八分"}})
    assert held.value("强度") is None


def test_what_nobody_said_proves_nothing() -> None:
    held = talk({"想法": {"value": "他讨厌我", "evidence": "他讨厌我"}})
    assert held.value("想法") is None
