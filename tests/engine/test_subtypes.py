"""``subtype`` of ``ai_say`` (seed 003 §13), and where its background comes from (seed 002 §6.5.3)."""

from __future__ import annotations

import pytest
from tests.engine.minds import CALM, asked, explained
from tests.engine.test_monitors import prompts, whole

from heartrule.engine.installed_types import field_models
from heartrule.language.linting.lint import lint_text
from heartrule.testing.talk import Talk, compile_text

SCRIPT = """
sessions:
  - session: 讲
    id: talk
    locale: {locale}
    declare:
      - {{var: 近况, define: 近况}}
    phases:
      - phase: 一
        steps:
          - topic: 甲
            actions:
              - {{type: ai_ask, id: lately, content: 聊近况, question: 最近怎样？, output: [{{get: 近况}}]}}
              - {{type: ai_say, id: it, content: "{content}", max_rounds: 4{more}}}
              - {{type: ask, id: last, content: 还有吗？}}
"""


def talk(content: str = "讲讲想法和心情", more: str = "", locale: str = "zh-CN", **files: str) -> Talk:
    found = {"近况": {"value": "天天加班", "evidence": "天天加班"}}
    table = {"risk": CALM, "perceive": {}, "ai_ask": asked("嗯。", "YES", values=found), "ai_say": explained(40)}
    table["ai_say_open"] = {"content": "是这样的。"}
    text = SCRIPT.format(content=content, more=more, locale=locale)
    held = Talk(compile_text(text, files={name.replace("__", "/"): each for name, each in files.items()}), table)
    held.say("天天加班")
    held.say("嗯嗯")
    return held


ASSESSED = {
    "introduce_concept": "能否用自己的话或例子说",
    "assign_task": "对方对要做的事有多清楚",
    "give_feedback": "说的合不合他的感受",
    "persuade": "对方有多愿意考虑",
}


@pytest.mark.parametrize("kind", ASSESSED)
def test_the_kind_decides_what_is_assessed(kind: str) -> None:
    held = talk(more=f", subtype: {kind}")
    (task,) = prompts(held, "ai_say")
    assert ASSESSED[kind] in whole(held, task)
    assert [each for each in ASSESSED.values() if each in whole(held, task)] == [ASSESSED[kind]]


@pytest.mark.parametrize(
    ("content", "more", "kind"),
    [
        ("讲讲想法和心情", "", "introduce_concept"),
        ("把这周的练习讲给他听", "", "assign_task"),
        ("说说三个办法", ", goal: 打消顾虑，愿意尝试", "persuade"),
        ("解释分数是什么意思", "", "give_feedback"),
        ("把这周的练习讲给他听", ", subtype: introduce_concept", "introduce_concept"),
    ],
)
def test_it_is_inferred_where_it_is_not_written(content: str, more: str, kind: str) -> None:
    held = talk(content, more)
    (task,) = prompts(held, "ai_say")
    assert task.variant == kind
    assert ASSESSED[kind] in whole(held, task)


def test_in_english_too() -> None:
    held = talk("explain the homework", locale="en")
    (task,) = prompts(held, "ai_say")
    assert task.variant == "assign_task"
    assert "how clear it is to them what to do" in whole(held, task)


def test_it_picks_the_schemes_own_template() -> None:
    own = "---\nid: ai_say_persuade\n---\nOWN {%topic_content%} {%output_format%}\n"
    files = {"project.yaml": "id: local\ntemplate_scheme: own\n", "prompts__own__ai_say_persuade.md": own}
    held = talk(more=", subtype: persuade", **files)
    assert whole(held, prompts(held, "ai_say")[0]).startswith("OWN 讲讲想法和心情")
    assert held.happened("round")[-1].type == "ai_say"
    held = talk(more=", subtype: assign_task", **files)
    assert not whole(held, prompts(held, "ai_say")[0]).startswith("OWN")


def test_it_is_a_field_of_ai_say_and_a_note_elsewhere() -> None:
    registry = field_models()
    text = SCRIPT.format(content="讲", more=", subtype: persuade", locale="zh-CN")
    assert "W196" not in {found.code for found in lint_text(text, registry)}
    elsewhere = text.replace("id: last,", "id: last, subtype: persuade,").replace(", subtype: persuade}", "}")
    assert "W196" in {found.code for found in lint_text(elsewhere, registry)}


@pytest.mark.parametrize("source", ["topic", "context"])
def test_its_background_may_come_from_what_was_found_out(source: str) -> None:
    held = talk(more=f", topic_content: 旧的材料, topic_content_from: {source}")
    text = whole(held, prompts(held, "ai_say_open")[0])
    assert "补充：旧的材料\n" in text
    assert "近况=天天加班" in text
    plain = talk(more=", topic_content: 旧的材料")
    assert "近况=天天加班" not in whole(plain, prompts(plain, "ai_say_open")[0])
