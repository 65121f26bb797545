"""After a keystroke only what it touches is read again, and what is found is what reading all of it again finds."""

from __future__ import annotations

import os
import random
from itertools import pairwise

import pytest
from tests.authoring.material import REGISTRY, shipped, shipped_project

from heartrule.authoring.workspace import Workspace

KEYSTROKES = int(os.environ.get("HEARTRULE_EDITS", "8"))
SIGNS = "字e 1，：'"


def typed(text: str, draw: random.Random) -> str:
    at = draw.randrange(len(text))
    kind = draw.choice(["put", "put", "take", "word"])
    if kind == "put":
        return text[:at] + draw.choice(SIGNS) + text[at:]
    if kind == "take":
        return text if text[at] == "\n" else text[:at] + text[at + 1 :]
    words = ["ai_say", "exists", "称呼", "condition", "id", "var", "mood", "true"]
    word = draw.choice(words)
    return text.replace(word, word + draw.choice(["x", "_2", "好"]), 1)


@pytest.mark.parametrize("name", ["first_assessment.yaml", "skills.yaml"])
def test_what_is_found_after_a_keystroke_is_what_is_found_anew(name: str) -> None:
    quick, draw = shipped(), random.Random(name)
    quick.now.findings  # noqa: B018
    first = text = quick.texts[name]
    compared = kept = 0
    for _ in range(KEYSTROKES):
        quick.ready(name)
        before = quick.files.get(name)
        after = typed(text, draw)
        quick.write(name, after)
        again = quick.files.get(name)
        kept += again is not None and again is not before
        found = quick.now.findings
        slow = Workspace(dict(quick.texts), REGISTRY, shipped_project, "cbt")
        wanted = slow.now.findings
        if slow.now.project.files[name].whole or not any(each.code.startswith("E0") for each in wanted):
            told = [str(each) for each in found]
            assert told == [str(each) for each in wanted]
            compared += 1
        # What broke the text is taken back, so that most of it is tried on text that can be read.
        text = after if slow.now.project.files[name].whole else first
        quick.write(name, text)
    assert compared > KEYSTROKES // 4
    assert kept


def test_a_broken_topic_leaves_the_others_as_they_are() -> None:
    quick = shipped()
    text = quick.texts["first_assessment.yaml"]
    quick.now.findings  # noqa: B018
    quick.ready("first_assessment.yaml")
    at = text.index("content:", len(text) // 2) + 8
    quick.write("first_assessment.yaml", text[:at] + " [" + text[at:])
    found = quick.now.findings_of("first_assessment.yaml")
    assert {each.line for each in found} == {text.count("\n", 0, at) + 1}
    assert len(list(quick.now.project.sessions)) == len(list(shipped().now.project.sessions))
    quick.write("first_assessment.yaml", text)
    assert quick.now.findings_of("first_assessment.yaml") == ()


_SCRIPT = """\
sessions:
  - session: 一
    phases:
      - phase: 开始
        steps:
          - topic: 先
            id: first
            actions:
              - type: ask
                content: 多少？
                output:
                  - get: 分数
                    type: integer
                    define: 多少分
          - topic: 后
            id: last
            condition: 档位 == 1
            transitions:
              - to: first
                condition: 档位 == 2
            actions:
              - type: say
                content: 你说的是 {分数}，{备注}。
%s
global:
  - var: 档位
    type: enum
    options: [1, 2]
    define: 哪一档
  - var: 备注
    value: 无
    define: 备注
awareness:
  - awareness: 看着
    id: watch
    condition: 档位 == 1
    then:
      - directive: SKIP_TOPICS
        topics: [other]
"""
_CHANGES = (
    ("options: [1, 2]", "options: [true, 2]"),
    ("options: [true, 2]", "options: ['1', 2]"),
    ("options: ['1', 2]", "options: [3, 2]"),
    ("value: 无", "value:"),
    ("topics: [other]", "topics: [last]"),
    ("topics: [last]", "topics: [first]"),
    ("get: 分数", "get: 得分"),
    ("content: 你说", "content: ｛分数｝ {%没有%} {{得分} 你说"),
    ("condition: 档位 == 2", "condition: 得分 > 2"),
    ("var: 档位", "var: 挡位"),
)


def test_what_hangs_on_another_part_is_found_anew_as_well() -> None:
    """What is remembered of a part holds only for as long as what it was worked out with is the same: ``1`` and
    ``true`` are not."""
    text = _SCRIPT % "\n".join(200 * ["# 一行说明"])
    quick = Workspace({"project.yaml": "id: p\nlocale: zh-CN\n", "a.yaml": text}, REGISTRY, lambda _: None)
    told: list[list[str]] = [[str(each) for each in quick.now.findings]]
    for before, after in _CHANGES:
        quick.ready("a.yaml")
        assert text.count(before) == 1
        text = text.replace(before, after)
        quick.write("a.yaml", text)
        assert "a.yaml" in quick.files, "only a part was read again"
        told.append([str(each) for each in quick.now.findings])
        slow = Workspace(dict(quick.texts), REGISTRY, lambda _: None)
        assert told[-1] == [str(each) for each in slow.now.findings]
    assert sum(one != other for one, other in pairwise(told)) > len(_CHANGES) // 2
