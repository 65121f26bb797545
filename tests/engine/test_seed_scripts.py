"""The scripts of the first design papers, word for word (ai_say, §3.1 and §10.3)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.scripts import CALM, check, compiled, faults, spoken

from heartrule.testing.talk import Talk

ABC = """
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
"""  # noqa: W293

E2E = """
# test-script.yaml
sessions:
  - session: "测试ABC模型讲解"
    declare:
      - var: 教育背景
        value: 本科
      - var: 用户名
        value: 测试用户
      - var: 咨询师名
        value: AI助手
    
    phases:
      - phase: "概念讲解"
        steps:
          - topic: "ABC模型"
            actions:
              - type: ai_say
                content: "ABC模型包括..."
                max_rounds: 3
                exit_criteria:
                  understanding_threshold: 80
"""  # noqa: W293


def assessed(
    level: int, content: str, *, questions: bool = False, wants: bool = False, expressed: bool = False
) -> dict[str, Any]:
    return {
        "assessment": {
            "understanding_level": level,
            "has_questions": questions,
            "expressed_understanding": expressed,
            "reasoning": "",
        },
        "should_exit": wants,
        "exit_reason": "",
        "content": content,
        "metrics": {},
    }


def with_model(text: str, *rounds: dict[str, Any]) -> Talk:
    return Talk(compiled(text), model={"risk": CALM, "ai_say_open": {"content": "先讲ABC。"}, "ai_say": list(rounds)})


def exits(talk: Talk) -> list[tuple[bool, str]]:
    return [(event.should_exit, event.decision_source) for event in talk.happened("exit")]


@pytest.mark.parametrize("text", [ABC, E2E])
def test_the_papers_scripts_run_as_they_are_without_a_model(text: str) -> None:
    talk = Talk(compiled(text))
    assert talk.request.kind == "message"
    assert "ABC模型" in talk.said[0]
    talk.say("明白了")
    assert talk.ended
    assert not faults(talk)
    check(talk)


def test_the_authors_notes_are_not_spoken() -> None:
    talk = Talk(compiled(ABC))
    assert "A → B → C" in talk.said[0]
    assert "讲解要点" not in talk.said[0]
    assert "引导用户" not in talk.said[0]


def test_the_papers_scene_question_then_half_then_whole_understanding() -> None:
    talk = with_model(
        E2E,
        assessed(20, "ABC模型是说……", questions=True),
        assessed(95, "太好了。", wants=True, expressed=True),
    )
    assert talk.said == ["先讲ABC。"]
    talk.say("什么是ABC模型？")
    assert talk.said == ["ABC模型是说……"]
    assert not talk.ended
    check(talk)
    talk.say("我完全明白了")
    assert talk.ended
    assert exits(talk) == [(False, "none"), (True, "exit_criteria")]
    assert talk.turn.exit["decision_source"] == "exit_criteria"
    check(talk)


def test_three_rounds_are_the_most_the_scene_takes() -> None:
    talk = with_model(E2E, *[assessed(30, "再讲一点，好吗？")] * 3)
    talk.say("什么是ABC模型？")
    talk.say("我有点理解了")
    assert not talk.ended
    talk.say("还是不懂")
    assert talk.ended
    assert exits(talk)[-1] == (True, "max_rounds")
    check(talk)


@pytest.mark.parametrize(
    ("answer", "ends"),
    [
        (assessed(80, "好。", wants=True), True),
        (assessed(79, "好。", wants=True), False),
        (assessed(95, "好。", wants=True, questions=True), False),
        (assessed(95, "好。", wants=False), False),
        (assessed(70, "好。", wants=True, questions=True, expressed=True), True),
        (assessed(69, "好。", wants=True, expressed=True), False),
    ],
)
def test_the_papers_rule_for_ending(answer: dict[str, Any], ends: bool) -> None:
    talk = with_model(ABC, answer)
    talk.say("嗯")
    assert talk.ended == ends


def test_five_rounds_are_the_most_of_the_first_script() -> None:
    talk = with_model(ABC, assessed(10, "那换个例子，好吗？"))
    for turn in range(1, 6):
        assert not talk.ended, turn
        talk.say(f"不懂{turn}")
    assert talk.ended
    assert [event.current_round for event in talk.happened("round")] == [1, 2, 3, 4, 5]
    check(talk)


def test_the_prompt_gets_what_the_paper_says() -> None:
    talk = with_model(ABC, assessed(95, "好。", wants=True))
    talk.say("明白")
    task = next(task for task in talk.asked if task.template == "ai_say")
    assert task.context.values["who"] == "李医生"
    assert task.context.values["user"] == "小明"
    assert task.context.variables["教育背景"] == "本科"
    assert task.values["understanding_threshold"] == "80"
    assert (task.values["current_round"], task.values["max_rounds"]) == ("1", "5")
    assert "【讲解要点】" in task.values["topic_content"]
    assert [line.text for line in task.context.history] == ["先讲ABC。", "明白"]
    assert spoken(talk)[-1] == "好。"
