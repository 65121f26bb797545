"""A small project with something of everything that a test can expect, and cases about it in few words."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from pathlib import Path

from heartrule.language.compiling.script import Script
from heartrule.script_tests.case import Case
from heartrule.script_tests.case_files import ReadFile, parse_cases
from heartrule.script_tests.case_run import RanCase, run
from heartrule.script_tests.observations import Outcome
from heartrule.script_tests.plausibility import senseless
from heartrule.script_tests.script_names import KnownScript
from heartrule.testing.talk import compile_text

SCRIPT = """\
sessions:
  - session: 见面
    id: hello
    awareness: [tired]
    declare:
      - {var: 称呼, define: 来访者希望被怎样称呼}
      - {var: 强度, type: integer, range: [0, 10], define: 心情的分数}
      - {var: 家人, type: list, fields: [{name: 称呼}, {name: 职业}], define: 家里的人}
    phases:
      - phase: 开场
        id: opening
        milestone: 认识了
        steps:
          - topic: 称呼
            id: name
            actions:
              - {type: say, content: 你好，我是助手。}
              - type: ask
                id: ask_name
                content: 怎么称呼你？
                output: [{get: 称呼}]
          - topic: 从不
            id: never
            condition: 强度 > 100
            actions: [{type: say, content: 说不到这里。}]
      - phase: 心情
        id: mood
        steps:
          - topic: 打分
            id: score
            actions:
              - type: ai_ask
                id: ask_score
                question: 这会儿心情几分？
                content: 了解心情的分数
                max_rounds: 2
                timeout: 30m
                on_timeout: continue
                output: [{get: 强度}]
              - {type: set_var, id: note, var: 备注, value: "{称呼}说了分数", scope: topic}
          - topic: 选
            id: choose
            actions:
              - type: user_option
                id: pick
                var: 频率
                choices:
                  - {value: A, label: 几乎没有}
                  - {value: B, label: 大多数日子}
              - {type: user_say, id: go, content: 我们继续吧}
              - {type: say, content: 谢谢你。}
skills:
  - skill: 歇一歇
    id: rest
    actions:
      - {type: say, id: breathe, content: 先歇一歇。}
      - {type: user_say, id: rested, content: 好些了}
awareness:
  - awareness: 累了
    id: tired
    priority: P0
    always: true
    condition:
      judge: 来访者是否累得说不下去
      rules: {explicit: [{pattern: 太累了, reason: 说累}]}
    then:
      - {directive: CALL_TECHNIQUE, technique: rest}
"""


def hello() -> Script:
    return compile_text(SCRIPT)


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """A project with the script and these files, by their path."""
    own = {"project.yaml": "id: greeting\n", "hello.yaml": SCRIPT}
    for name, text in {**own, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
    return folder


BARE = re.compile(r"^(\s*- (?:start|reconnect|pause|resume|end))$(?=\n\s+expect:)", re.MULTILINE)
"""A word that something is expected of is a key."""


def file_of(turns: str, head: str = "", expect: str = "") -> str:
    """A test file with one case."""
    after = f"expect: {expect}\n" if expect else ""
    turns = BARE.sub(r"\1:", textwrap.dedent(turns))
    body = f"- test: 一次\n  script: hello\n{_in(head, 2)}  turns:\n{_in(turns, 4)}{_in(after, 2)}"
    return f"tests:\n{_in(body, 2)}"


def case_of(turns: str, head: str = "", expect: str = "") -> Case:
    found = parse_cases(file_of(turns, head, expect), "hello.test.yaml")
    stops = [each for each in found.findings if each.stops]
    assert not stops, stops
    return found.cases[0]


def ran(turns: str, head: str = "", expect: str = "", script: Script | None = None) -> RanCase:
    return run(case_of(turns, head, expect), script or hello())


def held(turns: str, head: str = "", expect: str = "") -> list[bool]:
    """Of each expectation, whether it came to pass. The case must have been gone through."""
    found = ran(turns, head, expect)
    assert found.fault is None, found.fault
    return [outcome.held for outcome in found.outcomes]


def failed(found: RanCase) -> list[Outcome]:
    return [outcome for outcome in found.outcomes if not outcome.held]


def codes(text: str, script: Script | None = None) -> list[tuple[str, int]]:
    """What is wrong in a test file, with its script: codes and lines."""
    known = parse_cases(text, "hello.test.yaml")
    found = list(known.findings)
    for case in known.runnable:
        found += senseless(known, case, KnownScript(script or hello()))
    return [(each.code, each.line) for each in found]


def cases(text: str | bytes) -> ReadFile:
    return parse_cases(text, "hello.test.yaml")


def _in(text: str, indent: int) -> str:
    text = textwrap.dedent(text).strip("\n")
    return textwrap.indent(text, " " * indent) + "\n" if text else ""


SCREENED = """\
forms:
  - form: 心情表
    id: feel
    fields:
      - id: q1
        label: 提不起劲
        type: single
        required: true
        options: [{value: 0, label: 没有}, {value: 1, label: 常常}]
      - id: q9
        label: 不如死掉
        type: single
        required: true
        options: [{value: 0, label: 没有}, {value: 1, label: 常常}]
    scores:
      - {id: total, sum: [q1, q9], bands: [{from: 0, to: 0, label: 轻}, {from: 1, to: 2, label: 重}]}
    on_answer:
      - {field: q9, if: q9 > 0, directive: CALL_TECHNIQUE, technique: safety/crisis_support}
    on_submit:
      - {set: 心情总分, value: "{total}"}
sessions:
  - session: 筛查
    id: screen
    declare:
      - {var: 家人, type: list, fields: [{name: 称呼}, {name: 职业}], define: 家里的人}
      - {var: 心情总分, type: integer, define: 总分}
      - {var: 上次, type: integer, range: [0, 10], define: 上次的分数}
    phases:
      - phase: 填表
        id: filling
        steps:
          - topic: 表
            id: sheet
            actions:
              - {type: show_form, id: fill_in, form: feel}
              - {type: say, id: thanks, content: 收到，谢谢。}
      - phase: 家里
        id: family
        declare: [{var: 气氛, define: 家里的气氛}]
        steps:
          - topic: 每个人
            id: each
            for_each: {in: 家人, as: 成员, key: 称呼}
            actions:
              - {type: say, id: about, content: "说说{成员.称呼}。"}
              - {type: ask, id: job, content: "{成员.称呼}做什么？", output: [{get: 成员.职业}]}
          - topic: 说完
            id: over
            condition: 上次 > 9
            actions:
              - {type: use_skill, skill: count, condition: 上次 > 100, input: {到几: 三}}
              - {type: ask, id: more, content: "{气氛}。还有吗？", output: [{get: 其他}]}
skills:
  - skill: 数数
    id: count
    parameters: [{name: 到几}]
    actions:
      - {type: say, content: 先坐好。}
      - {type: ask, id: counted, content: "数到{到几}了吗？", output: [{get: 数了}]}
"""


def screened() -> Script:
    return compile_text(SCREENED)
