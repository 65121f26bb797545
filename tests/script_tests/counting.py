"""A small project with tests, for coverage and for mutants: what its tests reach and notice is known."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

PROJECT = "id: demo\n"
SCRIPT = """\
global:
  - {var: 分, type: integer, range: [0, 10], define: 心情几分}
awareness:
  - awareness: 太低
    id: very_low
    priority: P1
    at: [after ask]
    condition: 分 == 0
    then:
      - {directive: CALL_TECHNIQUE, technique: breathe}
skills:
  - skill: 呼吸
    id: breathe
    actions:
      - {type: say, id: in, content: 慢慢吸气。}
sessions:
  - session: 见面
    id: hello
    awareness: [very_low]
    phases:
      - phase: 开场
        id: opening
        steps:
          - topic: 打分
            id: score
            transitions:
              - {to: end, condition: 分 > 8}
            actions:
              - {type: ask, id: ask, content: 几分？, output: [{get: 分}]}
              - {type: say, id: low, condition: 分 < 4, content: 辛苦了。}
          - topic: 选
            id: choose
            actions:
              - type: user_option
                id: pick
                var: 选
                choices:
                  - {value: A, label: 继续}
                  - {value: B, label: 不了}
              - {type: ai_say, id: bye, content: 说再见, require_acknowledgment: false, fallback: 再见。}
"""
LOW = """\
  - test: 三分
    script: hello
    turns:
      - say: 三分
        expect: {said_contains: 辛苦了, set: {分: 3}}
      - choose: A
        expect: {said_contains: 再见, ended: true}
"""
HIGH = """\
  - test: 九分就到这里
    script: hello
    turns:
      - say: 九分
        expect: {never_says: 辛苦了, ended: true}
"""
ZERO = """\
  - test: 零分先呼吸
    script: hello
    turns:
      - say: 零分
        expect: {entered: breathe, said_contains: 慢慢吸气}
"""
WIDE = """\
  - test: 十五分不算
    script: hello
    turns:
      - say: 十五分
        expect: {unset: 分}
"""


def file_of(*cases: str) -> str:
    return "tests:\n" + "".join(cases)


def laid(folder: Path, *cases: str, files: Mapping[str, str] | None = None) -> Path:
    """The project in ``folder``, with these cases."""
    for name, text in {
        "project.yaml": PROJECT,
        "hello.yaml": SCRIPT,
        "tests/hello.yaml": file_of(*cases),
        **(files or {}),
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder
