"""A reply that ends one action and opens the next: kept where that is certain, made anew where it is not."""

from __future__ import annotations

import pytest
from tests.engine.minds import CALM, WATCH, ai_ask, ai_say, asked, explained
from tests.engine.scripts import ask, only, put, say, spoken

from heartrule.testing.talk import Talk

OPENING = {"content": "先说说最近怎样？"}
BOTH = "嗯，听着很累。那睡得怎么样？"
TIRED = {"近况": {"value": "很累", "evidence": "很累"}}
FIRST, SECOND = ai_ask("了解近况", "近况", id="a"), ai_ask("了解睡眠", "睡眠", id="b", fallback="睡得怎么样？")


def opened(talk: Talk) -> int:
    """How many openings the model was asked for."""
    return sum(task.template in ("ai_ask_open", "ai_say_open") for task in talk.asked)


def fused(talk: Talk) -> list[bool]:
    return [event.kept for event in talk.happened("fused")]


def talk_of(*actions: dict[str, object], **answers: object) -> Talk:
    model = {"risk": CALM, "ai_ask_open": OPENING, "ai_ask": asked(BOTH, "YES", values=TIRED), **answers}
    return Talk(only(*actions), model)


def test_one_reply_ends_this_and_opens_the_next() -> None:
    talk = talk_of(FIRST, SECOND)
    talk.say("很累")
    assert talk.said[-1] == BOTH
    assert opened(talk) == 1
    assert fused(talk) == [True]
    assert talk.state.running is not None
    assert talk.state.running.action is not None
    assert talk.state.running.action.id == "b"
    assert talk.state.running.action.question == BOTH
    assert talk.value("近况") == "很累"


def test_its_prompt_says_what_comes_next() -> None:
    talk = talk_of(FIRST, SECOND)
    talk.say("很累")
    (task,) = [task for task in talk.asked if task.template == "ai_ask"]
    assert task.values["following"] == "了解睡眠"
    assert task.values["next"] == ""


def test_words_that_open_nothing_are_followed_by_the_script_s_own_question() -> None:
    talk = talk_of(FIRST, SECOND, ai_ask=asked("嗯，听着很累。", "YES", values=TIRED))
    talk.say("很累")
    assert talk.said[-2:] == ["嗯，听着很累。", "睡得怎么样？"]
    assert opened(talk) == 1


def test_an_explanation_is_not_opened_with_the_reply() -> None:
    """Nobody could tell whether it was given."""
    both = asked("嗯。睡眠像充电。", "YES", values=TIRED)
    talk = talk_of(FIRST, ai_say("讲讲睡眠", max_rounds=3, id="b"), ai_ask=both, ai_say_open={"content": "睡眠是…"})
    talk.say("很累")
    assert talk.said[-1] == "睡眠是…"
    assert fused(talk) == []


def test_an_explanation_that_was_understood_opens_the_next_question() -> None:
    end = explained(90, False, True, True, content="你说得很清楚。那睡得怎么样？")
    talk = talk_of(ai_say("讲。", max_rounds=3), SECOND, ai_say=end, ai_say_open={"content": "是这样的。"})
    talk.say("就是累了要歇")
    assert talk.said[-1] == "你说得很清楚。那睡得怎么样？"
    assert fused(talk) == [True]


def test_what_code_decides_against_the_model_is_opened_anew() -> None:
    talk = talk_of({**FIRST, "max_rounds": 1}, SECOND, ai_ask=asked("嗯。再说说？", "NO", values=TIRED))
    talk.say("很累")
    assert fused(talk) == [False]
    assert opened(talk) == 2
    assert talk.said == ["嗯。", OPENING["content"]]


@pytest.mark.parametrize(
    "second",
    [
        {**SECOND, "condition": "近况 != null"},
        {**SECOND, "content": "针对{近况}了解睡眠"},
        {**SECOND, "question": "睡得怎么样？"},
        say("讲完了。"),
    ],
)
def test_what_is_not_certain_is_not_opened(second: dict[str, object]) -> None:
    talk = talk_of(FIRST, second, say("完。"))
    talk.say("很累")
    (task,) = [task for task in talk.asked if task.template == "ai_ask"]
    assert task.values["following"] == ""
    assert fused(talk) == []
    assert BOTH not in talk.said


def test_nothing_is_opened_where_a_gentle_question_comes_first() -> None:
    talk = talk_of(FIRST, SECOND, ai_ask=asked(BOTH, "YES", values={"近况": {"value": WATCH, "evidence": WATCH}}))
    talk.say(WATCH)
    assert talk.said[-1] != BOTH
    assert "那睡得怎么样" not in "".join(spoken(talk))


def test_what_may_be_set_on_the_way_makes_no_odds() -> None:
    between = put("重不重", "重", condition="近况 contains '累'")
    talk = talk_of(FIRST, between, SECOND)
    talk.say("很累")
    assert (fused(talk), talk.value("重不重")) == ([True], "重")


def test_a_question_that_reads_what_may_be_set_on_the_way_is_opened_by_itself() -> None:
    between = put("重不重", "重", condition="近况 contains '累'")
    talk = talk_of(FIRST, between, ai_ask("了解睡眠，他{重不重}", "睡眠", id="b"))
    talk.say("很累")
    assert (fused(talk), opened(talk)) == ([], 2)


def test_whatever_it_takes_the_next_answer_goes_to_the_next_question() -> None:
    talk = talk_of(FIRST, SECOND, ask("还有吗？"))
    talk.say("很累")
    values = {"睡眠": {"value": "睡不着", "evidence": "睡不着"}}
    talk.model = {"risk": CALM, "ai_ask": asked("嗯。", "YES", values=values)}
    talk.say("睡不着")
    assert (talk.value("近况"), talk.value("睡眠")) == ("很累", "睡不着")
