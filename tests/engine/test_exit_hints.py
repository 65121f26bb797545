"""How a round ended, told to the next prompt by code: once, at once, where there is something to be told."""

from __future__ import annotations

import pytest
from tests.engine.test_monitors import CALM, SCRIPT, asked, prompts, talk, whole

from heartrule.engine.tasks import feedback
from heartrule.engine.work import Work
from heartrule.prompts.fixed_sentences import spoken
from heartrule.testing.talk import Talk, compile_text


def hint(of: str, locale: str = "zh-CN") -> str:
    return spoken(None, f"exit_hints.{of}", locale=locale)


@pytest.mark.parametrize("locale", ["zh-CN", "en"])
@pytest.mark.parametrize(("suggestion", "of"), [("blocked", "user_blocked"), ("off_topic", "off_topic")])
def test_who_is_stopped_or_strays_is_met_in_the_next_prompt_without_a_call(
    locale: str, suggestion: str, of: str
) -> None:
    held = talk(locale, session="monitors: false", ai_ask=[asked(progress_suggestion=suggestion), asked()])
    held.say("还行吧")
    assert held.happened("exit")[-1].exit_class == of
    assert held.turn.after == ()
    held.say("嗯")
    held.say("就那样")
    assert [hint(of, locale) in whole(held, task) for task in prompts(held, "ai_ask")] == [False, True, False]


def test_what_a_topic_says_of_an_end_stands_in_for_the_scheme_s_words() -> None:
    own = "strategy: {on_exit: {user_blocked: 先说一件轻松的事}}"
    script = SCRIPT.replace("strategy: 慢慢来", own.replace("{", "{{").replace("}", "}}"))
    model = {"risk": CALM, "perceive": {}, "ai_ask": asked(progress_suggestion="blocked")}
    held = Talk(script.format(locale="zh-CN", session="", rounds=5, required="true"), model)
    held.say("还行吧")
    held.say("嗯")
    (told,) = [whole(held, task) for task in prompts(held, "ai_ask")][-1:]
    assert "先说一件轻松的事" in told
    assert hint("user_blocked") not in told


def test_stopped_again_it_is_told_again() -> None:
    held = talk(ai_ask=asked(progress_suggestion="blocked"))
    for words in ("还行吧", "嗯", "就那样"):
        held.say(words)
    assert [hint("user_blocked") in whole(held, task) for task in prompts(held, "ai_ask")] == [False, True, True]


def test_rounds_that_ran_out_with_something_open_are_closed_by_whatever_comes_next() -> None:
    held = talk(rounds=1)
    held.say("还行吧")
    assert held.happened("exit")[-1].exit_class == "max_rounds_reached"
    (opened,) = prompts(held, "ai_say_open")
    assert hint("max_rounds_reached") in whole(held, opened)
    held.say("没太懂")
    assert hint("max_rounds_reached") not in whole(held, prompts(held, "ai_say")[-1])


def test_what_ended_well_is_told_nothing() -> None:
    found = {"father_job": {"value": "老师", "evidence": "老师"}}
    for rounds in (1, 5):
        held = talk(rounds=rounds, ai_ask=asked(EXIT="YES", values=found))
        held.say("他是老师")
        assert held.state.feedback == []
        assert "调整建议" not in whole(held, prompts(held, "ai_say_open")[-1])


def test_script_mode_is_told_nothing() -> None:
    held = Talk(SCRIPT.format(locale="zh-CN", session="", rounds=1, required="true"), None)
    held.say("不想说")
    assert held.state.feedback == []


def test_a_round_that_goes_on_as_it_should_leaves_no_word() -> None:
    held = talk()
    held.say("还行吧")
    assert held.state.feedback == []


def test_a_schemes_own_hints_count() -> None:
    own = {"prompts/calm/spoken.yaml": "exit_hints: {user_blocked: 先停一停}\n"}
    text = SCRIPT.format(locale="zh-CN", session="template_scheme: calm", rounds=5, required="true")
    held = Talk(compile_text(text, files=own), talk(ai_ask=asked(progress_suggestion="blocked")).model)
    held.say("还行吧")
    assert held.state.feedback == ["先停一停"]


def test_what_code_has_said_gives_way_to_what_a_monitor_says_of_the_same_topic() -> None:
    advice = {"intervention_needed": True, "feedback_for_action": "先聊家里。"}
    held = talk(ai_ask=asked(progress_suggestion="blocked"), ai_ask_monitor=advice)
    held.say("还行吧")
    assert held.state.feedback == held.state.hints != []
    said = hint("user_blocked")
    held.beside()
    assert held.state.feedback == ["先聊家里。"]
    assert held.state.hints == []
    held.say("嗯")
    text = whole(held, prompts(held, "ai_ask")[-1])
    assert "先聊家里。" in text
    assert said not in text


def test_a_hint_stays_where_a_monitor_says_nothing_or_speaks_of_another_topic() -> None:
    held = talk(ai_ask=asked(progress_suggestion="blocked"))
    held.say("还行吧")
    work = Work.of(held._world())
    hints = list(work.state.feedback)
    feedback.instead(work, "", work.running.key)
    assert work.state.feedback == hints
    feedback.instead(work, "别的。", "t99")
    assert work.state.feedback == [*hints, "别的。"]
    assert work.state.hints == hints
