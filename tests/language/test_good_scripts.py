"""Whole scripts as a counsellor writes them, each part of the language used as it is meant: lint has nothing to say."""

from __future__ import annotations

import json

import pytest
from tests.language.material import checked, codes, linted, loaded
from tests.table import tabled

from heartrule.language.yaml import parse

INTAKE = """
# 首次会谈
sessions:
  - session: 首次会谈
    id: intake
    goal: 认识来访者，了解近况，{称呼}能说出一个目标
    audience: 成年人
    duration: 30m
    locale: zh-CN
    instructions: |
      慢一点。一次只问一个问题。
      JSON 示例：{"a": 1, "b": [2]}
    awareness: [resistance]
    declare:
      - {var: 称呼, type: text, value: 朋友, define: 来访者希望的称呼, min_length: 1}
      - {var: 情绪强度, type: integer, range: [1, 10], on_failure: {do: reask, max: 2, default: 5}}
      - {var: 家庭成员, type: list, fields: [{name: 称呼}, {name: 职业}], update: merge_unique, key: 称呼}
      - {var: 睡眠, type: enum, options: [好, 一般, 差], rules: [{keywords: {差: [失眠, 睡不着], 好: [挺好]}}]}
      - {var: 有危险, type: boolean, risk: true, define: 是否有伤害自己的念头}
      - {var: 目标, type: text}
      - {var: 确认, type: boolean}
      - {var: 生日, type: date}
      - {var: 备忘, type: object, value: {来源: 转介, 次数: 1}}
    phases:
      - phase: 开场
        id: opening
        goal: 建立关系
        milestone: 认识了{称呼}
        steps:
          - topic: 问候
            id: hello
            goal: 知道怎么称呼
            priority: high
            strategy: 不急
            done_when: exists(称呼)
            actions:
              - type: say
                id: welcome
                content: |
                  你好，我是一个 AI 助手。
                  今天大约半小时，不想答的可以跳过。
              - type: ai_ask
                id: ask_name
                content: 问怎么称呼，不问真名
                question: 怎么称呼你？
                exit: 有了称呼
                output: [{get: 称呼}]
                max_rounds: 3
                min_rounds: 1
                style: open
                verify: non_empty
                when_known: skip
                required: false
                timeout: 5m
                on_timeout: continue
                exit_sources: [exit_flag, max_rounds]
              - type: user_option
                id: ready
                var: 确认
                choices:
                  - {value: true, label: 好，开始}
                  - {value: false, label: "再等等，{称呼}不急"}
            transitions:
              - {to: end, condition: 确认 == false}
              - {to: mood, condition: {judge: 来访者是否想直接谈心情, default: false}}
          - topic: 心情
            id: mood
            condition: 确认 == true or 确认 == null
            repeat: {until: exists(情绪强度), max: 2}
            actions:
              - type: ask
                content: 现在的情绪强度，1 到 10 是几？
                output:
                  - {get: 情绪强度}
              - type: ai_say
                content: |
                  说明分数没有好坏。

                  【要点】
                  1. 不评价
                fallback: 分数没有好坏，{情绪强度} 分也很好。
                max_rounds: 4
                exit_criteria:
                  understanding_threshold: 70
                  has_questions: true
                  min_rounds: 1
                  custom_conditions:
                    - {variable: 情绪强度, operator: "<=", value: 8}
              - type: use_skill
                skill: 呼吸练习
                condition: 情绪强度 >= 7
                input: {次数: 3, 说明: "{称呼}，跟我来"}
                output: [{get: 感受, set: 练习感受}]
                resume: after
              - type: say
                condition: 练习感受 == '轻松' or 练习感受 contains '好'
                content: 听到“{练习感受}”，真好。
        transitions:
          - {to: closing, condition: "情绪强度 in [9, 10]"}
      - phase: 了解
        id: exploring
        condition: not (确认 == false)
        awareness: {enable: [resistance], disable: []}
        declare:
          - {var: 主诉, type: text}
        steps:
          - topic: 家人
            id: family
            actions:
              - type: ai_ask
                content: 家里有哪些人
                question: 家里都有谁？
                output: [{get: 家庭成员}]
          - topic: 每位家人
            id: each_member
            for_each: {in: 家庭成员, as: 成员, key: 称呼, max: 8}
            actions:
              - type: ask
                content: "{成员.称呼}做什么工作？"
                condition: 成员.职业 == null
                output: [{get: 成员.职业}]
          - topic: 睡眠和主诉
            id: sleep
            actions:
              - {type: ask, content: 最近睡得怎么样？, output: [{get: 睡眠}]}
              - type: ai_think
                content: 综合{睡眠}和{情绪强度}，判断下一步
                input: [睡眠, 情绪强度, session.目标]
                output:
                  - {get: 主诉, define: 一句话主诉}
                  - {set: 备忘, value: {来源: "{称呼}", 次数: 2}}
                decide: {var: 下一步, options: [放松, 继续], default: 继续}
              - {type: use_skill, skill: breath, condition: 下一步 == '放松', input: {次数: 2}}
              - {type: set_var, var: 总分, expr: (情绪强度 + 2) * 2 % 7}
              - {type: set_var, var: 摘要, value: "{主诉}，总分 {总分}"}
              - {type: say, content: "{摘要}", condition: 睡眠 == '差' and (总分 > 3 or topic.attempts > 1)}
              - {type: user_say, content: 我明白了}
      - phase: 收尾
        id: closing
        steps:
          - topic: 目标
            id: aim
            actions:
              - {type: ask, content: "有没有伤害自己的念头？", output: [{get: 有危险}], condition: 有危险 == null}
              - {type: ai_ask, content: 问目标, question: "{称呼}，想从哪里开始？", output: [{get: 目标}, {get: 生日}]}
              - {type: say, content: "生日 {生日}，{{目标}}。", condition: days_since(生日) > 9 and len(目标) > 1}
              - type: use_skill
                skill: breath
                input: {次数: 1}
                timing: after_topic
                output: [{get: 感受, set: 目标}]
              - {type: use_skill, skill: breath, input: {次数: 1}, timing: before_topic, to: aim}
"""

SKILLS = """
skills:
  - skill: 呼吸练习
    id: breath
    goal: 慢下来
    parameters:
      - {name: 次数, required: true, define: 几轮}
      - {name: 说明, default: ""}
    returns: [感受]
    declare:
      - {var: 轮, type: integer, value: 0}
    repeat: {until: 轮 >= 次数, max: 10}
    actions:
      - {type: set_var, var: 轮, expr: 轮 + 1}
      - {type: say, content: "第 {轮} 轮。{说明}", condition: 轮 == 1}
      - {type: say, content: 慢慢吸气，慢慢呼气。}
      - {type: ask, content: 感觉怎么样？, output: [{get: 感受, define: 来访者的感受}], condition: 轮 >= 次数}
  - skill: Breathing
    id: breath_en
    locale: en
    translation_of: breath
    parameters: [{name: 次数, required: true}, {name: 说明}]
    returns: [感受]
    actions:
      - {type: ask, content: "Breathe {次数} times. How do you feel?", output: [{get: 感受}]}
  - skill: 陪伴
    id: stay
    actions:
      - {type: say, content: "我在这里。{%crisis_contacts%}"}
      - {type: ai_ask, content: 问, question: 你现在安全吗？, output: [{get: 安全, type: boolean, risk: true}]}
      - {type: ai_say, content: 陪着他, fallback: 我们慢慢来。, require_acknowledgment: true}
"""

NOTICING = """
awareness:
  - awareness: 抗拒
    id: resistance
    priority: P0
    condition:
      judge: 来访者是否在抗拒这次会谈
      threshold: 0.7
      examples: {hit: [不想说], miss: [好的]}
      if_unanswered: unknown
    then:
      - {directive: SET_VAR, var: 抗拒, value: true}
      - {directive: SKIP_TOPICS, topics: [sleep]}
  - awareness: 危险
    id: danger
    always: true
    condition:
      judge: 是否有危险
      rules:
        explicit: [{pattern: '不想活(?:了|下去)?', reason: 直接说出, unless: '不想活在过去'}]
        watch: [{pattern: '(?i)tired of living', reason: 可能}]
    then: [{directive: CALL_TECHNIQUE, technique: stay}]
    on_watch: [{directive: INSERT_TOPIC, topic: mood, position: NEXT}]
    on_unknown:
      - {directive: SUSPEND_CURRENT, reason: 不确定}
      - {directive: REORDER_TOPICS, priority_map: {aim: high, 睡眠和主诉: 3}}
"""

HEAD = """
id: demo
name: 演示
domain: 心理咨询
locale: zh-CN
template_scheme: warm
instructions: 温和。
roles:
  - {role: ai, name: 小禾, tone: 温和}
  - {role: person, name: 来访者}
"""

FILES = {
    "project.yaml": HEAD,
    "intake.yaml": INTAKE,
    "skills.yaml": SKILLS,
    "noticing.yaml": NOTICING,
    "variables.yaml": "global:\n  - {var: 抗拒, type: boolean, scope: session, value: false}\n",
    "prompts/warm/ai_say.zh-CN.md": "讲：{content}",
}


def test_a_whole_project() -> None:
    assert [str(each) for each in checked(FILES)] == []


@pytest.mark.parametrize("order", [1, -1])
def test_the_same_in_one_file(order: int) -> None:
    parts = [INTAKE, SKILLS, NOTICING, FILES["variables.yaml"]][::order]
    assert [str(each) for each in linted("---\n".join(parts))] == []


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
def test_whatever_the_line_endings(ending: str) -> None:
    files = {name: text.replace("\n", ending) for name, text in FILES.items()}
    assert [str(each) for each in checked(files)] == []


def test_written_as_json() -> None:
    (data,) = parse(INTAKE + SKILLS + NOTICING + FILES["variables.yaml"], "a.yaml").documents
    assert [str(each) for each in linted(json.dumps(data, ensure_ascii=False))] == []
    assert [str(each) for each in linted(json.dumps(data, ensure_ascii=False, indent=2))] == []


def lines(text: str) -> list[int]:
    """Lines that can be taken out one at a time: what is no comment and not empty."""
    return [number for number, line in enumerate(text.split("\n")) if line.strip() and not line.strip().startswith("#")]


@tabled("number", lines(INTAKE))
def test_without_any_one_line_it_is_still_read(number: int) -> None:
    """Taking a line away may be a mistake, but every finding then stands in this file, on a line that exists."""
    kept = INTAKE.split("\n")
    del kept[number]
    for found in checked({**FILES, "intake.yaml": "\n".join(kept)}):
        assert found.code != "E114"
        if found.file == "intake.yaml":
            assert 1 <= found.line <= len(kept)


MISSPELT = [
    (key, near)
    for key, near in [
        ("seteps", "steps"),
        ("actoins", "actions"),
        ("conditon", "condition"),
        ("questoin", "question"),
        ("output", "outpt"),
        ("max_rounds", "max_rouds"),
        ("transitions", "transtions"),
        ("understanding_threshold", "understanding_treshold"),
        ("choices", "choises"),
        ("declare", "declear"),
        ("milestone", "milstone"),
        ("for_each", "foreach"),
    ]
    if key in INTAKE
]


@pytest.mark.parametrize(("key", "wrong"), MISSPELT)
def test_one_misspelt_key_is_found_and_named(key: str, wrong: str) -> None:
    text = INTAKE.replace(f"{key}:", f"{wrong}:", 1)
    line = next(number for number, each in enumerate(text.split("\n"), 1) if f"{wrong}:" in each)
    found = [each for each in loaded(text).findings if each.code == "E101"]
    assert [each.line for each in found] == [line]
    assert f"`{key}`" in found[0].hint.zh
    assert set(codes(loaded(text).findings)) <= {"E101", "E102"}
