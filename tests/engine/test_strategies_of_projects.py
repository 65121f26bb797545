"""What a project says of its strategies: from the first words, by six traits, in compared directions (001 §4.2)."""

from __future__ import annotations

from collections import Counter

import pytest
from pydantic import ValidationError
from tests.engine.adapting import HOW, advised, asked_for, decided, last, mind, shown
from tests.engine.minds import asked

from heartrule.language.nodes.strategy import Strategies
from heartrule.llm.prompt import render
from heartrule.testing.talk import Talk, compile_text

SCRIPT = """
sessions:
  - session: talk
    id: talk
    locale: {locale}
    declare:
      - {{var: school, define: schooling}}
      - {{var: mood, define: mood}}
      - {{var: other, define: something else}}
    phases:
      - phase: one
        steps:
          - topic: t
            actions:
              - {{type: {kind}, id: it, content: the last nights, max_rounds: 4, adaptive: true}}
              - {{type: ask, id: last, content: anything else?}}
"""
PROFILE = "profile: {education_level: school, current_emotion: mood, age: years}"


def talk(strategies: str, kind: str = "ai_ask", locale: str = "zh-CN", **table: object) -> Talk:
    text = SCRIPT.format(kind=kind, locale=locale)
    files = {"project.yaml": f"id: local\nstrategies: {{{strategies}}}\n"}
    values = {"school": "college", "mood": "low", "other": "a cat"}
    return Talk(compile_text(text, files=files), mind(**table), values)


@pytest.mark.parametrize(("kind", "opening"), [("ai_ask", "ai_ask_open"), ("ai_say", "ai_say_open")])
def test_the_first_words_wait_for_a_strategy_where_the_project_says_so(kind: str, opening: str) -> None:
    held = talk("first_words: true", kind)
    templates = [task.template for task in held.asked]
    assert templates.index("strategy") < templates.index(opening)
    assert HOW in shown(held, last(held, opening))
    assert decided(held) == [(1, "first_words", "it")]
    held.say("not well")
    assert held.happened("round")[0].strategy == 1


def test_else_nobody_waits() -> None:
    held = talk("first_words: false")
    assert asked_for(held) == 0
    assert HOW not in shown(held, last(held, "ai_ask_open"))
    advised(held)
    assert decided(held) == [(1, "prepared", "it")]


def test_where_none_comes_it_speaks_without() -> None:
    held = talk("first_words: true", strategy=None)
    assert held.said == ["最近睡得怎么样？"]
    assert decided(held) == []


def test_a_stretch_waits_too_and_no_reply_before_it_opens_it() -> None:
    text = SCRIPT.format(kind="ai_ask", locale="zh-CN").replace(
        "            actions:\n",
        "            actions:\n              - {type: ai_ask, id: first, content: how they are, max_rounds: 2}\n",
    )
    text = text.replace("adaptive: true", "adaptive: true, output: [{get: school}, {get: mood}]")
    script = compile_text(text, files={"project.yaml": "id: local\nstrategies: {first_words: true}\n"})
    done = {"EXIT": "YES", "values": {}, "content": "嗯。", "exit_reason": "够了"}
    stretch = {"asks": "school", "content": "读到几年级？", "EXIT": "NO", "values": {}}
    held = Talk(script, mind(ai_ask=done, stretch=stretch))
    held.say("fine")
    assert held.at == "it"
    assert [cause for _, cause, action in decided(held) if action == "it"] == ["first_words"]
    assert HOW in shown(held, last(held, "stretch"))


@pytest.mark.parametrize(("locale", "school"), [("zh-CN", "教育程度：college"), ("en", "Education: college")])
def test_the_profile_names_the_six_traits_where_the_project_maps_them(locale: str, school: str) -> None:
    held = advised(talk(PROFILE, locale=locale))
    task = last(held, "strategy")
    text = shown(held, task)
    assert school in text
    assert task.values["current_emotion"] == "low"
    assert task.values["age"] == ""
    assert "other = a cat" in task.values["profile"]
    assert "school" not in task.values["profile"]
    assert "年龄：" not in text
    assert "Age:" not in text


COMPARED = "compare: [{name: explore, share: 40, notes: ask openly}, {name: advise, share: 40, notes: give steps}]"


def test_directions_are_drawn_by_share_and_always_the_same() -> None:
    drawn = Strategies.model_validate(
        {"compare": [{"name": "a", "share": 40, "notes": "x"}, {"name": "b", "share": 40, "notes": "y"}]}
    )
    sessions = [f"session {number}" for number in range(2_000)]
    found = Counter(drawn.drawn(each) for each in sessions)
    assert [round(found[name] / 2_000, 1) for name in ("a", "b", "")] == [0.4, 0.4, 0.2]
    assert [drawn.drawn(each) for each in sessions[:50]] == [drawn.drawn(each) for each in sessions[:50]]


@pytest.mark.parametrize("shares", [(60, 60), (50, 0)])
def test_shares_come_to_a_hundred_at_most(shares: tuple[int, int]) -> None:
    one, other = shares
    with pytest.raises(ValidationError):
        Strategies.model_validate(
            {"compare": [{"name": "a", "share": one, "notes": "x"}, {"name": "b", "share": other, "notes": "y"}]}
        )


def test_the_strategist_is_told_the_direction_of_the_session_and_the_record_names_it() -> None:
    held = talk(COMPARED, ai_ask=asked("嗯。", progress_suggestion="blocked"))
    held.state.direction = "advise"
    held.say("not well")
    advised(held)
    assert "give steps" in shown(held, last(held, "strategy"))
    assert "ask openly" not in shown(held, last(held, "strategy"))
    assert held.happened("strategy")[-1].direction == "advise"


def test_a_scheme_of_ones_own_reads_the_traits_too() -> None:
    files = {
        "project.yaml": f"id: local\ntemplate_scheme: own\nstrategies: {{{PROFILE}}}\n",
        "prompts/own/strategy.md": "---\nid: strategy\n---\n{%education_level%}/{%direction%}/{%output_format%}\n",
    }
    text = SCRIPT.format(kind="ai_ask", locale="zh-CN")
    held = advised(Talk(compile_text(text, files=files), mind(), {"school": "college"}))
    assert render(last(held, "strategy"), held.script).messages[-1].text.startswith("college//")
