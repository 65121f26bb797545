"""What is known of a person beforehand stands in every default prompt (seed 003 §3.1, §4.2, with its own example)."""

from __future__ import annotations

import pytest
from tests.engine.minds import CALM, asked, explained
from tests.engine.test_monitors import whole

from heartrule.testing.talk import Talk, compile_text

SEED_003 = """
sessions:
  - session: "ABC模型介绍"
    declare:
      # 用户画像变量（脚本层定义）
      - var: 教育背景
        value: 本科
      - var: 心理学知识
        value: 无
      - var: 学习风格
        value: 视觉型，喜欢具体例子
      - var: 用户名
        value: 小明
      - var: 咨询师名
        value: 李医生

    phases:
      - phase: "概念介绍"
        steps:
          - topic: "ABC模型核心概念"
            actions:
              - type: ai_say
                # 核心内容（必填）
                content: |
                  ABC模型是CBT的核心概念，包括三个部分：
                  - A (Activating Event): 诱发事件
                  - B (Belief): 信念/想法
                  - C (Consequence): 结果/情绪
                  它们之间的关系是：A → B → C

                  【讲解要点】
                  1. 先整体介绍ABC三个要素
                  2. 用生活化例子说明A→B→C的关系
                  3. 强调B是关键，不是A直接导致C
                  4. 引导用户举出自己的例子

                # 新增：是否需要用户确认（默认true）
                require_acknowledgment: false

                # 新增：最大交互轮数（第一阶段实现）
                max_rounds: 5

                # 新增：退出条件（简化版，用于规则判断）
                exit_criteria:
                  understanding_threshold: 80  # 理解度阈值
                  has_questions: false         # 是否仍有疑问
"""


def test_the_seeds_own_script_tells_its_variables_to_the_model() -> None:
    table = {"risk": CALM, "perceive": {}, "ai_say_open": {"content": "讲讲。"}, "ai_say": explained(40)}
    held = Talk(compile_text(SEED_003), table)
    held.say("嗯")
    said = {task.template: whole(held, task) for task in held.asked}
    for template in ("ai_say_open", "ai_say"):
        assert "教育背景=本科；心理学知识=无；学习风格=视觉型，喜欢具体例子" in said[template]
        assert "你是李医生" in said[template]
        assert "小明" in said[template]
        assert "用户名=" not in said[template]


SCRIPT = """
sessions:
  - session: talk
    id: talk
    locale: {locale}
    declare:
      - {{var: school, value: college, define: schooling}}
      - {{var: count, type: integer, value: 0}}
      - {{var: hurt, type: boolean, value: true, risk: true}}
      - {{var: job, define: work}}
    phases:
      - phase: one
        steps:
          - topic: t
            actions:
              - {{type: set_var, id: counts, condition: count > 5, var: count, expr: count + 1}}
              - {{type: ai_ask, id: open, content: ask how they are, max_rounds: 3}}
              - {{type: ask, id: last, content: anything else?}}
"""


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_what_the_session_was_begun_with_is_told_and_what_the_script_keeps_is_not(locale: str) -> None:
    table = {"risk": CALM, "perceive": {}, "ai_ask_open": {"content": "How are you?"}, "ai_ask": asked("And?")}
    held = Talk(compile_text(SCRIPT.format(locale=locale)), table, {"job": "nurse"})
    held.say("fine")
    for template in ("ai_ask_open", "ai_ask"):
        text = whole(held, next(task for task in held.asked if task.template == template))
        assert "school=college" in text
        assert "job=nurse" in text
        assert "count=" not in text
        assert "hurt=" not in text
