"""Mends that an editor offers: made as they are offered, the finding is gone and no other has come."""

from __future__ import annotations

from typing import Any

import pytest
from tests.authoring.material import REGISTRY, alone

from heartrule.authoring.editor_queries import ASKED, EditorQuery
from heartrule.authoring.workspace import Workspace

SESSION = """\
sessions:
  - session: 睡眠
    id: sleep
    declare:
      - {{var: 心情, type: text, define: 心情}}  # 留着
{declare}    phases:
      - phase: 开场
        id: opening
        steps:
          - topic: 问好
            id: greet
            actions:
              - {{type: ask, id: how, content: 心情怎样？, output: [{{get: 心情}}]}}
{actions}              - {{type: say, id: end, content: "{said}"}}
{more}"""
WATCHER = """\
awareness:
  - awareness: 累了
    id: tired
    priority: P1
    at: [answer]
    condition: 心情 == '累'
    then: [{directive: FEEDBACK, text: 慢一点。}]
"""
SKILL = """\
skills:
  - skill: 练习
    id: practice
    goal: 练
    actions:
      - {type: ask, id: which, content: 练哪个？, output: [{get: 练哪个}]}
      - {type: say, id: well, content: 好。}
"""
FORM = "forms:\n  - form: 表\n    id: sheet\n    fields:\n      - {id: q1, label: 好吗？, type: text}\n"


def session(declare: str = "", actions: str = "", said: str = "你说{心情}。", more: str = "") -> str:
    return SESSION.format(declare=declare, actions=actions, said=said, more=more)


def told(workspace: Workspace, lang: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ASKED["findings"](EditorQuery(workspace, REGISTRY, lang, {}))["findings"]
    return found


def mended(workspace: Workspace, mend: dict[str, Any]) -> None:
    text = workspace.texts[mend["file"]]
    lines = text.split("\n")

    def offset(at: dict[str, int]) -> int:
        return sum(len(line) + 1 for line in lines[: at["line"]]) + at["character"]

    for edit in reversed(mend["edits"]):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    workspace.write(mend["file"], text)


UNUSED = "      - {var: 影响, type: text, define: 影响}\n"
ASKS = "              - {type: ask, id: what, content: 想问医生什么？, output: [{get: 想问的}]}\n"
EMPTY = "              - {type: say, id: nothing}\n"
ELSEWHERE = """\
          - topic: 再谈
            id: again
            actions:
              - {type: say, id: more, content: "你想问{想问的}。"}
"""


@pytest.mark.parametrize("lang", ["zh-CN", "en"])
@pytest.mark.parametrize(
    ("code", "files", "there"),
    [
        ("W412", {"session": session(declare=UNUSED)}, "# 留着"),
        ("W236", {"session": session(), "watch": WATCHER}, "awareness: [tired]"),
        ("W440", {"session": session(actions=ASKS)}, "想问医生什么"),
        ("W233", {"session": session(actions=ASKS, more=ELSEWHERE)}, "var: 想问的"),
        ("W440", {"session": session(), "skill": SKILL}, "练哪个"),
        ("E102", {"session": session(actions=EMPTY)}, "content: "),
        ("E102", {"session": session(), "form": FORM + "      - {id: q2, type: text}\n"}, "label: "),
        ("E102", {"session": session(), "form": FORM + "      - {id: q2, label: 还有？}\n"}, "type: text"),
    ],
)
def test_what_is_offered_mends_it_and_brings_nothing_new(
    code: str, files: dict[str, str], there: str, lang: str
) -> None:
    workspace = alone(**files)
    before = told(workspace, lang)
    assert [each["code"] for each in before] == [code]
    mend = before[0]["mend"]
    assert mend["title"]
    assert not mend["safe"]
    mended(workspace, mend)
    assert told(workspace, lang) == []
    assert there in workspace.texts[mend["file"]]


def test_a_finding_says_what_it_is_about_so_that_a_page_can_call_it_by_its_own_name() -> None:
    assert [each["about"] for each in told(alone(session=session(actions=EMPTY)), "zh-CN")] == ["content"]


def test_where_no_plain_way_is_known_none_is_offered() -> None:
    picture = "              - {type: show_pic, id: seen, alt: 图}\n"
    found = [each for each in told(alone(session=session(actions=picture)), "zh-CN") if each["code"] == "E102"]
    assert [(each["about"], each["mend"]) for each in found] == [("picture", None)]
