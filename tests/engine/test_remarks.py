"""A remark about the conversation is no answer: a short word, and the question or choice that waits stands."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import ai_say, option, press, replied
from tests.engine.scripts import CALM, Node, ask, check, only, say, spoken
from tests.engine.test_murmurs import guided

from heartrule.testing.talk import Talk, shipped

WORDS = [
    "我回来了",
    "等一下",
    "换人",
    "你问得太多了",
    "I'm back",
    "hold on",
    "can I talk to a human?",
    "this is useless",
]
QUESTION = "那会儿发生了什么？"


def choosing(locale: str = "zh-CN", model: Any = None, first: str = "先说哪个？") -> Talk:
    return Talk(only(say(first), option("选", "睡觉", "工作"), say("完"), locale=locale), model)


@pytest.mark.parametrize("action", [ask, guided])
@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("model", [None, {"risk": CALM}], ids=["no model", "a model that fails"])
def test_it_is_stored_nowhere_however_often_it_is_said(action: Any, words: str, model: Any) -> None:
    talk = Talk(only(action(QUESTION, "事情"), say("完")), model)
    for _ in range(4):
        talk.say(words)
        assert talk.happened("variable") == []
        assert not talk.ended
    check(talk)
    talk.say("同事没回我")
    assert talk.happened("variable")[-1].value == "同事没回我"


@pytest.mark.parametrize(
    ("locale", "words", "line"), [("zh-CN", "回来了", "欢迎回来"), ("en", "I'm back", "Welcome back")]
)
def test_who_comes_back_is_greeted_and_asked_again(locale: str, words: str, line: str) -> None:
    talk = Talk(only(ask("How are you?", "how"), say("ok"), locale=locale))
    talk.say(words)
    assert talk.said[0].startswith(line)
    assert talk.said[0].endswith("\nHow are you?")


def test_who_wants_a_moment_is_not_asked_again_meanwhile() -> None:
    talk = Talk(only(ask(QUESTION, "事情"), say("完")))
    talk.say("等一下")
    assert QUESTION not in talk.said[0]
    talk.say("吵了一架")
    assert talk.ended


def test_who_wants_to_rest_may_also_have_answered() -> None:
    talk = Talk(only(ask("你现在最想做什么？", "想做"), say("完")))
    talk.say("我想休息一下")
    assert talk.happened("variable") == []
    talk.say("我想休息一下")
    assert talk.happened("variable")[-1].value == "我想休息一下"


@pytest.mark.parametrize("words", ["我回来了，他还是没理我", "好烦", "他回来了"])
def test_an_answer_stays_one(words: str) -> None:
    talk = Talk(only(ask(QUESTION, "事情"), say("完")))
    talk.say(words)
    assert talk.happened("variable")[-1].value == words


def test_a_model_s_own_answer_stands() -> None:
    talk = Talk(
        only(ask(QUESTION, "事情"), say("完")), {"risk": CALM, "ask": replied(False, "欢迎回来。那会儿发生了什么？")}
    )
    talk.say("我回来了")
    assert talk.said == ["欢迎回来。那会儿发生了什么？"]


def test_where_any_reply_will_do_it_is_none() -> None:
    talk = Talk(only(ai_say("事情、想法、心情，是三样。你怎么看？"), ask(QUESTION, "事情")))
    talk.say("我回来了")
    assert talk.said[0].startswith("欢迎回来")
    assert talk.said[0].endswith("你怎么看？")
    assert "三样" not in talk.said[0]
    talk.say("嗯")
    assert talk.said[-1].endswith(QUESTION)


def test_a_line_to_press_stands_and_a_label_is_pressed() -> None:
    talk = Talk(only(say("歇一会儿。"), press("我回来了"), ask(QUESTION, "事情")))
    talk.say("等一下")
    assert talk.request.kind == "press"
    assert "歇一会儿" not in talk.said[0]
    talk.say("我回来了")
    assert talk.said[-1].endswith(QUESTION)


def test_a_question_about_danger_is_put_again_once() -> None:
    risk = {"get": "念头", "type": "boolean", "risk": True}
    talk = Talk(only(ask("有没有想过结束生命？", risk), say("完")))
    talk.say("我回来了")
    assert talk.said[0].endswith("有没有想过结束生命？")
    talk.say("我回来了")
    assert talk.state.running is not None
    assert talk.state.running.project == "safety"


# where there is something to choose


@pytest.mark.parametrize("model", [None, {"risk": CALM}], ids=["no model", "a model"])
@pytest.mark.parametrize(
    "words", ["什么意思", "选哪个比较好？", "这个有什么用", "不知道", "跳过", "不想聊了", "我回来了", "今天下雨吗？"]
)
def test_what_picks_nothing_is_answered_and_the_choice_stands(words: str, model: Any) -> None:
    talk = choosing(model=model)
    before = talk.request
    talk.say(words)
    assert talk.said[0].endswith("\n先说哪个？")
    assert talk.said[0] not in spoken(talk)[:1]
    lead = talk.said[0].splitlines()[0]
    assert lead not in ("请从上面的选项里选一个最接近的。", "选一个最符合你的就好，没有对错。")
    assert talk.request == before
    check(talk)


@pytest.mark.parametrize("words", ["什么意思", "为什么要问这个"])
def test_it_is_told_in_other_words_the_second_time(words: str) -> None:
    talk = choosing()
    first, second = talk.say(words), talk.say(words)
    assert first != second


def test_in_english() -> None:
    talk = choosing("en", first="Which first?")
    for words in ("what does that mean?", "which one should I pick?", "is it free?", "why do you ask?"):
        assert talk.say(words)[0].endswith("\nWhich first?")
        assert len(talk.request.choices) == 2


def test_a_text_about_questions_invites_none_where_there_is_something_to_choose() -> None:
    talk = choosing(first="接下来有九个问题，想问就问。先说哪个？")
    talk.say("换人")
    assert "程序" in talk.said[0]


def test_a_label_may_be_a_question_or_a_remark() -> None:
    talk = Talk(only(say("怎么说？"), option("选", "选哪个好？", "我回来了"), say("完")))
    talk.say("选哪个好？")
    assert talk.ended


# why it is asked


@pytest.mark.parametrize("action", [ask, guided])
def test_why_it_is_asked_is_told_shortly_the_second_time_and_that_one_may_skip(action: Any) -> None:
    talk = Talk(
        only(action(QUESTION, "事情", max_rounds=5) if action is guided else action(QUESTION, "事情"), say("完"))
    )
    first = talk.say("问这些有什么用")[0].removesuffix(QUESTION)
    second = talk.say("问这些有什么用")[0].removesuffix(QUESTION)
    assert len(second) < len(first)
    assert "跳过" in second


def test_an_explanation_is_not_given_again_to_who_asks_what_it_is_for() -> None:
    long: Node = ai_say("讲", fallback="先说个小例子，很长很长的一个例子。听到这里，你有什么感觉？", max_rounds=4)
    talk = Talk(only(long, ask(QUESTION, "事情")))
    first, second = talk.say("问这些有什么用")[0], talk.say("问这些有什么用")[0]
    assert "例子" not in first + second
    assert first.endswith("\n听到这里，你有什么感觉？")
    assert second.endswith("\n听到这里，你有什么感觉？")
    assert "跳过" in second
    talk.say("跳过")
    assert talk.said[-1].endswith(QUESTION)


def test_words_that_an_awareness_script_rests_after_are_met_and_stored_nowhere() -> None:
    talk = Talk(shipped("cbt/abc_intro"))
    for words in ("小林", "6", "好", "1"):
        talk.say(words)
    assert talk.at == "own_event"
    talk.say("我得走了")
    talk.choose("go_on")
    told = [talk.say("我得走了")[0] for _ in range(2)]
    assert not any("说不清" in words for words in told)
    for words in ("我得走了", "我不想聊了", "聊这些有什么用", "回来了", "转人工", "下次再聊吧"):
        talk.say(words)
    assert not [event.name for event in talk.happened("variable") if event.name in ("事情", "心情词", "想法", "做法")]


def test_who_will_not_talk_in_a_crisis_is_understood_also_the_second_time() -> None:
    talk = Talk(shipped("cbt/abc_intro"))
    for words in ("小林", "我不想活了", "我不想聊了", "我不想聊了"):
        talk.say(words)
    for words in ("我不想聊了", "不想说", "停"):
        talk.say(words)
        assert talk.said[0].splitlines()[0] in talk._spoken["heard_unwilling"]


def test_who_would_rather_go_on_after_stopping_is_asked_once_more() -> None:
    """The line after a stop says that one may go on: to say so is no answer to what was asked."""
    talk = Talk(only(ask("怎么开始的？", "起因"), ask("还有呢？", "还有")))
    talk.say("停")
    talk.say("想再聊会儿")
    assert talk.said[-1].endswith("怎么开始的？")
    assert talk.happened("variable") == []
    talk.say("换了工作")
    assert talk.happened("variable")[-1].value == "换了工作"
