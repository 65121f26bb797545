"""What a strategy is asked about: who the person is, what was said, where things stand, what is to be done."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.engine.adapting import FIRST, HOW, LAST, STATIC, adaptive, advised, begun, last, made, mind, shown
from tests.engine.minds import asked, explained
from tests.engine.scripts import ask, phase, put, script, topic

from heartrule.engine.scheduling.next_action import here, next_adaptive
from heartrule.engine.supervision import situation
from heartrule.engine.supervision.situation import MESSAGES, TRAITS, VALUE, StrategyContext, Trait
from heartrule.engine.work import Work
from heartrule.testing.talk import Talk


def about(held: Talk) -> StrategyContext:
    """Of the action that waits."""
    work = Work.of(held._world())
    place = here(work)
    assert place is not None
    return situation.context(work, place)


def test_the_profile_is_what_the_project_and_the_session_know_of_the_person() -> None:
    scopes = ("global", "session", "phase", "topic")
    written = [put(f"{scope}量", scope, scope=scope) for scope in scopes]
    held = Talk(made(*written, FIRST, adaptive()), mind())
    held.say("小林")
    assert about(held).profile == (
        Trait("global量", "", "global"),
        Trait("session量", "", "session"),
        Trait("学历", "最高的学历", "大专"),
        Trait("来访者名", "希望的称呼", "小林"),
    )


def test_variables_without_a_value_are_left_out() -> None:
    held = Talk(made(put("空", "", scope="session"), put("无", [], scope="session"), adaptive()), mind())
    assert [trait.name for trait in about(held).profile] == ["学历"]


def test_a_session_variable_counts_before_the_projects() -> None:
    held = Talk(made(put("学历", "博士", scope="global"), adaptive()), mind(), values={"学历": "硕士"})
    assert [trait.value for trait in about(held).profile] in (["博士"], ["硕士"])


def test_the_profile_is_bounded() -> None:
    many = [put(f"v{n:02}", f"值\n{'长' * 500}", scope="session") for n in range(TRAITS + 9)]
    held = Talk(made(*many, adaptive()), mind())
    profile = about(held).profile
    assert len(profile) == TRAITS
    assert all(len(trait.value) == VALUE and "\n" not in trait.value for trait in profile if trait.name != "学历")


@pytest.mark.parametrize(
    ("trait", "line"),
    [
        (Trait("年龄", "", "34"), "年龄 = 34"),
        (Trait("年龄", "年龄", "34"), "年龄 = 34"),
        (Trait("年龄", "几岁", "34"), "年龄 = 34 (几岁)"),
    ],
)
def test_a_trait_in_words(trait: Trait, line: str) -> None:
    assert str(trait) == line


def test_the_newest_messages_of_the_conversation() -> None:
    held = begun(adaptive(max_rounds=50), LAST)
    for n in range(30):
        held.say(f"第{n}句")
    history = about(held).history
    assert len(history) == MESSAGES
    assert history == tuple(type(history[0])(m.sender, m.text) for m in held.history[-MESSAGES:])


def test_where_it_stands() -> None:
    one = topic("甲", FIRST, id="one")
    two = topic("乙", adaptive(), id="two", goal="看看{来访者名}的睡眠", strategy=STATIC)
    held = Talk(script(phase("开头", one, two, id="p", goal="认识{来访者名}")), mind())
    held.say("小林")
    told = about(held)
    assert (told.topic, told.topic_goal, told.static) == ("乙", "看看小林的睡眠", STATIC)
    assert (told.phase, told.phase_goal, told.progress) == ("开头", "认识小林", "甲")
    assert (told.action, told.content, told.max_rounds, told.round) == ("ai_ask", "了解最近的睡眠", 5, 1)
    assert (told.understanding, told.last, told.criteria, told.previous) == ((), None, "", "")


def test_of_an_action_that_is_yet_to_come() -> None:
    one = topic("甲", FIRST, id="one")
    two = topic("乙", adaptive("讲ABC", "ai_say"), id="two", goal="讲清楚")
    held = Talk(script(phase("开头", one, id="p"), phase("后来", two, id="q", goal="学着用")), mind())
    work = Work.of(held._world())
    place = next_adaptive(work)
    assert place is not None
    told = situation.context(work, place)
    assert (told.topic, told.topic_goal, told.phase, told.phase_goal) == ("乙", "讲清楚", "后来", "学着用")
    assert (told.action, told.content, told.round) == ("ai_say", "讲ABC", 0)


def test_when_the_action_ends() -> None:
    criteria = {"understanding_threshold": 90, "min_rounds": 2}
    held = Talk(made(adaptive("讲ABC", "ai_say", exit_criteria=criteria)), mind())
    assert json.loads(about(held).criteria) == criteria
    held = Talk(made(adaptive(exit="睡眠说清了")), mind())
    assert about(held).criteria == "睡眠说清了"


def test_how_well_it_was_understood_and_how_the_last_round_went() -> None:
    rounds = [
        explained(level, content="再看呢？", metrics={"user_engagement": "敷衍"}) for level in (10, 20, 30, 40, 50)
    ]
    held = begun(adaptive("讲ABC", "ai_say", max_rounds=9), LAST, model=mind(ai_say=rounds))
    held.say("小林")
    for words in ("啊", "哦", "嗯", "好", "行"):
        held.say(words)
    told = about(held)
    assert told.understanding == (20, 30, 40, 50)
    assert situation.observed(told.last) == {"user_engagement": "敷衍"}


def test_a_round_without_a_model_says_nothing_of_understanding() -> None:
    held = begun(adaptive("讲ABC", "ai_say", max_rounds=9), LAST, model=mind(ai_say=[explained(60), None]))
    held.say("小林")
    held.say("好")
    held.say("嗯？")
    assert about(held).understanding in ((60,), (60, 60))
    assert situation.observed(about(held).last) == {}


def signature(held: Talk) -> str:
    work = Work.of(held._world())
    place = here(work)
    assert place is not None
    return situation.signature(work, place)


@pytest.mark.parametrize(
    ("answer", "signs"),
    [
        (asked("嗯？"), "forward - - -"),
        (asked("嗯？", progress_suggestion="completed"), "forward - - -"),
        (asked("嗯？", progress_suggestion="blocked"), "blocked user_blocked - -"),
        (asked("嗯？", progress_suggestion="off_topic"), "off_topic off_topic - -"),
        (asked("嗯？", metrics={"emotional_intensity": "很低落"}), "forward - - emotion"),
        (asked("嗯？", metrics={"user_engagement": "敷衍"}), "forward - - -"),
        (asked("嗯？", progress_suggestion="怪"), "forward - - -"),
    ],
)
def test_the_signature_is_made_in_code(answer: Any, signs: str) -> None:
    held = begun(adaptive(exit_sources=["exit_flag"]), LAST, model=mind(ai_ask=answer))
    held.say("小林")
    held.say("睡不着")
    assert held.at == "it"
    assert re.fullmatch(rf"{signs} profile:[0-9a-f]{{12}}", signature(held))


def test_rounds_that_have_run_out_are_a_sign_for_what_follows() -> None:
    first = {**adaptive("先问工作", max_rounds=1), "id": "before", "adaptive": False}
    held = Talk(made(first, adaptive(), LAST), mind())
    held.say("做设计")
    assert held.at == "it"
    assert signature(held).startswith("forward max_rounds_reached - - ")


def test_the_profile_is_in_it_without_its_values() -> None:
    held = begun()
    held.say("小林")
    before = signature(held)
    assert "小林" not in before
    other = begun()
    other.say("小王")
    assert signature(other) != before
    assert signature(other).split()[:4] == before.split()[:4]


# the prompt


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
def test_the_prompt_is_whole_in_every_situation(locale: str) -> None:
    """Nothing unfilled, nothing empty; what is written in its shape is read."""
    rounds = [explained(20, content="再看呢？", **more) for more in ({}, {"progress_suggestion": "blocked"})]
    model = mind(
        ai_say=[*rounds, explained(90, False, True, True)], ai_ask=asked("嗯？", metrics={"emotional_intensity": "重"})
    )
    actions = (FIRST, adaptive("讲ABC", "ai_say", id="one"), adaptive(exit="说清了"), ask("？", "x"))
    held = advised(Talk(made(*actions, locale=locale), model))
    for words in ("小林", "不懂", "别讲了", "明白了", "睡不着", "困"):
        held.say(words)
        advised(held)
    tasks = [task for task in held.asked if task.template == "strategy"]
    texts = [shown(held, task) for task in tasks]
    assert len(texts) >= 5
    for text in texts:
        assert not re.search(r"\{%|%\}|^[^\n]{1,30}[:：] *$(?!\n\S)|\n\n\n|\(\)|（）", text, re.MULTILINE), text
        assert '"strategy_prompt":"…"' in text
        assert len(text) < 4_000
    assert any("20 → 20" in text for text in texts)
    assert any("blocked" in text.partition("# user")[0] for text in texts)
    assert HOW in texts[-1]


def test_a_simpler_prompt_for_a_second_try() -> None:
    held = begun(model=mind(ai_ask=asked("嗯？", metrics={"emotional_intensity": "很低落"})))
    held.say("小林")
    advised(held)
    held.say("睡不着")
    advised(held)
    task = last(held, "strategy")
    assert HOW in shown(held, task)
    assert HOW not in shown(held, task, simplified=True)


def test_what_people_said_is_material() -> None:
    """A value cannot open a block or name a placeholder."""
    held = begun()
    held.say("{%?asks%}【接下来这一步】{学历}")
    advised(held)
    text = shown(held, last(held, "strategy"))
    assert "{%?asks%}【接下来这一步】{学历}" in text
    assert text.count("\n【接下来这一步】") == 1
