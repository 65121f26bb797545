"""The examples of the language's own description load."""

from __future__ import annotations

import pytest
from tests.language.material import checked, linted, loaded
from tests.table import tabled

from heartrule.language.findings import Finding

SESSION = """
sessions:
  - session: ABC模型介绍            # display name
    id: abc_intro                  # optional while drafting, else a slug; publishing requires ids
    goal: 认识 ABC
    audience: 成年人
    duration: 30m
    locale: zh-CN
    template_scheme: default
    instructions: 慢一点
    knowledge: [docs/abc.md]       # domain knowledge injected into prompts
    awareness: [resistance]
    memory: {read: {enabled: true}, write: {enabled: true, type: long, importance: high, mode: recent, top_k: 3}}
    declare:
      - {var: 教育背景, value: 本科}
      - {var: 信息完整, value: false}
      - {var: 风险等级, type: integer}
      - {var: 家庭成员, type: list}
    phases:
      - phase: 概念介绍
        id: intro
        goal: 概念
        time_budget: 10m
        milestone: 了解ABC模型
        condition: 风险等级 == null or 风险等级 < 3
        awareness: {enable: [resistance], disable: [resistance]}
        declare: []
        transitions:
          - {to: intro, condition: 风险等级 >= 3}
        steps:
          - topic: ABC模型核心概念
            id: abc_core
            goal: 核心
            strategy: 信息不足时优先问情绪
            priority: high
            time_budget: 5m
            sensitive: true        # announced to the person, with a choice
            condition: 教育背景 != '无'
            repeat: {until: 信息完整, max: 3}
            for_each: {in: 家庭成员, as: 成员, key: 称呼, max: 8}
            done_when: 信息完整
            declare: []
            transitions: []
            actions: []
awareness:
  - awareness: 抗拒
    id: resistance
    condition: {judge: 来访者是否在抗拒}
    then: [{directive: END_SESSION}]
"""

VARIABLES = """
global:
  - var: 情绪强度
    type: integer
    scope: session
    define: 来访者当前情绪强度，1 最轻 10 最重
    range: [1, 10]
    validate: 情绪强度 <= 10
    value: 5
    on_failure: {do: reask, max: 2, default: 5}
    update: overwrite
    confirm_change: true
    risk: true
    listen: {scope: session, mode: passive}
    depends_on: [{var: 是否有焦虑症状, condition: 是否有焦虑症状 == true}]
    rules: [{pattern: '(\\d+)\\s*分'}, {keywords: {10: [崩溃]}}]
  - {var: 是否有焦虑症状, type: boolean}
"""

SKILLS = """
skills:
  - skill: 苏格拉底式提问
    id: socratic
    parameters: [{name: 目标信念, required: true}]
    returns: [替代想法]
    goal: 换一个角度
    actions: []
"""

AWARENESS = """
awareness:
  - awareness: 自杀风险识别
    id: suicide_risk
    priority: P1
    always: true
    at: [topic_start, topic_end, before ai_ask, after ai_ask]
    strict: false
    condition:
      judge: 来访者是否表达了自杀意念、计划或行为
      threshold: 0.5
      examples: {hit: [想死], miss: [累死了]}
      rules: {explicit: [{pattern: 想死, reason: 直说}], watch: []}
      if_unanswered: rules
    then:
      - {directive: CALL_TECHNIQUE, technique: crisis_support, params: {}}
    resume: after
    cooldown: 3 turns
    expires: {condition: session.elapsed > 9, after: 30m, times: 1}
skills:
  - skill: 危机陪伴
    id: crisis_support
    actions: []
"""

FORMS = """
forms:
  - form: PHQ-9 抑郁症筛查量表
    id: phq9
    fields:
      - {id: q1, label: 一, type: single, required: true, options: [{value: 0, label: 完全不会}]}
"""


EXAMPLES = [SESSION, VARIABLES, SKILLS, AWARENESS]


@pytest.mark.parametrize("text", [*EXAMPLES, FORMS], ids=["session", "variables", "skills", "awareness", "forms"])
def test_nothing_is_refused(text: str) -> None:
    assert [str(each) for each in loaded(text).findings if each.stops] == []


@pytest.mark.parametrize("text", EXAMPLES, ids=["session", "variables", "skills", "awareness"])
def test_it_is_good(text: str) -> None:
    assert [str(each) for each in linted(text)] == []


def test_all_of_it_together() -> None:
    files = {f"{number}.yaml": text for number, text in enumerate(EXAMPLES)}
    assert [str(each) for each in checked({"project.yaml": "id: a\n", **files})] == []


EXPRESSIONS = [
    "mood == 3",
    "mood >= 3 and age < 18 or not done",
    "name in ['a', 'b']",
    "name contains '张'",
    "(mood + 1) * 2 - 3 / 4 % 5 > 0",
    "len(name) > 2",
    "exists(name)",
    "lower(name) == 'a'",
    "any([done, mood > 3])",
    "all([done, mood > 3])",
    "days_since(birthday) > 30",
    "{mood} > 3",
    "done && !done || mood === 3",
    "mood !== 3",
    "mood ＞ 3",
    "mood ＜ 3 and （done）",
    "name ＝＝ “张”",
    "name == null",
    "done == true",
    "mood != false",
]
HEAD = "global: [{var: mood}, {var: age}, {var: done}, {var: name}, {var: birthday}]\n"


@tabled("expression", EXPRESSIONS)
def test_every_way_of_writing_a_condition(expression: str) -> None:
    quoted = expression.replace("'", "''")
    text = f"{HEAD}skills:\n  - skill: a\n    done_when: '{quoted}'\n    actions: []\n"
    assert [str(each) for each in linted(text)] == []


DIRECTIVES = [
    ("INSERT_TOPIC, topic: 问候, position: HEAD", None),
    ("INSERT_TOPIC, topic: 问候, position: NEXT", None),
    ("INSERT_TOPIC, topic: 问候, position: TAIL", None),
    ("INSERT_TOPIC, topic: 问候, position: MIDDLE", "E104"),
    ("SUSPEND_CURRENT, reason: 休息", None),
    ("SKIP_TOPICS, topics: [问候]", None),
    ("REORDER_TOPICS, priority_map: {问候: high}", None),
    ("CALL_TECHNIQUE, technique: 陪伴, params: {}", None),
    ("SET_VAR, var: a, value: 1", None),
    ("END_SESSION", None),
    ("FEEDBACK, text: 慢", None),
    ("ENABLE, awareness: 抗拒", None),
    ("DISABLE, awareness: 抗拒", None),
    ("ESCALATE, to: 值班, note: 请看", None),
    ("STOP", "E104"),
]


@tabled(("directive", "code"), DIRECTIVES)
def test_directives(directive: str, code: str | None) -> None:
    text = f"""
awareness:
  - awareness: 抗拒
    always: true
    condition: {{judge: 是否在抗拒}}
    then:
      - {{directive: {directive}}}
skills:
  - {{skill: 陪伴, actions: []}}
sessions:
  - session: a
    phases: [{{phase: b, steps: [{{topic: 问候, actions: []}}]}}]
"""
    found: list[Finding] = [each for each in linted(text) if each.line == 7]
    assert {each.code for each in found if code is None or each.code == code} == ({code} if code else set())


@pytest.mark.parametrize("kind", ["text", "integer", "number", "boolean", "date", "list", "object"])
def test_types(kind: str) -> None:
    assert linted(f"global:\n  - {{var: a, type: {kind}}}\n") == []


@pytest.mark.parametrize("update", ["overwrite", "append", "merge_unique", "versioned"])
def test_ways_to_update(update: str) -> None:
    assert linted(f"global:\n  - {{var: a, type: list, update: {update}, key: 姓名}}\n") == []


@pytest.mark.parametrize("do", ["reask", "default", "skip"])
def test_ways_to_fail(do: str) -> None:
    again = "max: 1, " if do == "reask" else ""
    assert linted(f"global:\n  - {{var: a, on_failure: {{do: {do}, {again}default: 朋友}}}}\n") == []


@pytest.mark.parametrize("scope", ["global", "session", "phase", "topic"])
def test_scopes(scope: str) -> None:
    assert linted(f"global:\n  - {{var: a, scope: {scope}}}\n") == []


@pytest.mark.parametrize("operator", ["==", "!=", ">", "<", ">=", "<=", "contains"])
def test_operators_of_criteria(operator: str) -> None:
    text = f"""
global: [{{var: a}}]
skills:
  - skill: b
    actions:
      - type: ai_ask
        content: 问
        question: 问
        exit_criteria: {{custom_conditions: [{{variable: a, operator: "{operator}", value: 1}}]}}
"""
    assert linted(text) == []
