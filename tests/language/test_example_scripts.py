"""Scripts that were written before the loader was, and the ones we ship."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.language.material import ACTIONS, codes

from heartrule.language.linting.lint import lint_paths
from heartrule.language.projects.library import Library, library_root

EXAMPLES = Path(__file__).parent / "examples"


@pytest.mark.parametrize("name", ["abc_intro", "abc_test"])
def test_the_first_designs_load_as_they_are(name: str) -> None:
    linted = lint_paths([EXAMPLES / f"{name}.yaml"], ACTIONS)
    assert linted.errors == 0
    assert {each.code for each in linted.findings} <= {"W220", "W238"}


def test_what_the_first_design_says() -> None:
    script = Library([], ACTIONS).script(str(EXAMPLES / "abc_intro.yaml"))
    assert script.session.session == "ABC模型介绍"
    assert [variable.var for variable in script.session.declare] == [
        "教育背景",
        "心理学知识",
        "学习风格",
        "用户名",
        "咨询师名",
    ]
    action = script.session.phases[0].steps[0].actions[0]
    assert action.type == "ai_say"
    assert action.peek("max_rounds") == 5
    assert action.peek("require_acknowledgment") is False
    assert action.peek("exit_criteria").understanding_threshold == 80
    assert "【讲解要点】" in action.peek("content")
    assert action.place.line == 22
    assert action.place.words == "会谈 ABC模型介绍 › 阶段 概念介绍 › 话题 ABC模型核心概念 › 第 1 个动作"


def test_the_second_one() -> None:
    script = Library([], ACTIONS).script(f"{EXAMPLES / 'abc_test.yaml'}#测试ABC模型讲解")
    action = script.session.phases[0].steps[0].actions[0]
    assert action.peek("max_rounds") == 3
    assert action.peek("require_acknowledgment") is True
    assert "require_acknowledgment" not in action.model_fields_set


def test_nothing_is_wrong_with_what_we_ship() -> None:
    assert codes(list(lint_paths([library_root()], ACTIONS).findings)) == []


def test_everything_we_ship_compiles() -> None:
    library = Library([library_root()], ACTIONS)
    for listed in library.scripts():
        script = library.script(listed.id)
        assert script.id == listed.id
        assert script.locale == listed.locale
        assert script.helplines
        assert "safety/suicide_risk" in script.awareness
