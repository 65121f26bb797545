"""A question back, without a model: answered with a fixed line, no answer, and the question comes again."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.scripts import CALM, Node, ask, check, only, say, spoken

from heartrule.testing.talk import Talk, shipped


def guided(question: str, *gets: str | Node, **more: Any) -> Node:
    output = [{"get": get} if isinstance(get, str) else get for get in gets]
    return {"type": "ai_ask", "content": "问来意", "question": question, "output": output, **more}


WORDS = {
    "zh-CN": ("今天为什么来？", "你是真人吗？", "AI 程序", "心里堵得慌"),
    "en": ("What brings you here?", "are you a real person?", "an AI program", "I feel awful"),
}


@pytest.mark.parametrize("locale", WORDS)
@pytest.mark.parametrize("action", [ask, guided])
@pytest.mark.parametrize("model", [None, {"risk": CALM}], ids=["no model", "a model that fails"])
def test_it_is_answered_and_the_question_comes_again(locale: str, action: Any, model: Any) -> None:
    question, asked, line, words = WORDS[locale]
    talk = Talk(only(action(question, "来意"), say("完"), locale=locale), model)
    talk.say(asked)
    (said,) = talk.said
    assert line in said.splitlines()[0]
    assert said.splitlines()[1:] == [question]
    assert talk.value("来意") is None
    assert talk.happened("variable") == []
    check(talk)
    talk.say(words)
    assert talk.ended
    written = next(event for event in talk.happened("variable") if event.name == "来意")
    assert (written.value, written.strategy) == (words, "fallback")


@pytest.mark.parametrize("action", [ask, guided])
def test_whoever_asks_the_same_again_is_taken_at_their_word(action: Any) -> None:
    talk = Talk(only(action("今天为什么来？", "来意"), ask("还有呢？", "还有")))
    talk.say("你能帮我吗？")
    talk.say("你能帮我吗？")
    assert talk.value("来意") == "你能帮我吗？"
    talk.say("你能帮我吗？")
    assert talk.said[0].endswith("还有呢？"), "it is another question"
    assert talk.value("还有") is None


def test_each_kind_is_answered_once_so_that_it_ends() -> None:
    talk = Talk(only(ask("今天为什么来？", "来意"), say("完")))
    first = [talk.say(words)[0].splitlines()[0] for words in ("你是真人吗", "你能帮我吗", "会保密吗")]
    assert len(set(first)) == 3
    talk.say("你到底是不是人")
    assert talk.ended
    assert talk.value("来意") is None or talk.value("来意") == "你到底是不是人"


def test_it_costs_no_round_and_no_try() -> None:
    talk = Talk(only(guided("多久了？", "多久", max_rounds=1)))
    talk.say("你是真人吗")
    assert not talk.ended
    assert talk.at is not None
    assert talk.state.running is not None
    assert talk.state.running.action is not None
    assert talk.state.running.action.round == 1
    talk.say("两年")
    assert talk.ended
    assert talk.happened("variable")[-1].value == "两年"


def test_the_choices_come_again() -> None:
    choices = {
        "type": "user_option",
        "var": "x",
        "choices": [{"value": "A", "label": "开始"}, {"value": "B", "label": "改天"}],
    }
    talk = Talk(only(say("我们开始吗？"), choices))
    talk.say("你是机器人吗？")
    assert "AI 程序" in talk.said[0]
    assert talk.said[0].endswith("我们开始吗？")
    assert [choice.value for choice in talk.request.choices] == ["A", "B"]
    check(talk)


def test_a_label_that_is_such_a_question_is_picked() -> None:
    choices = {
        "type": "user_option",
        "var": "x",
        "choices": [{"value": "A", "label": "你是真人吗"}, {"value": "B", "label": "开始"}],
    }
    talk = Talk(only(say("先说哪个？"), choices, ask("然后？", "y")))
    talk.say("你是真人吗")
    assert talk.said[-1].endswith("然后？")


def test_a_suggested_line_is_offered_again() -> None:
    talk = Talk(only(say("好，往下走。"), {"type": "user_say", "content": "我准备好了"}, ask("然后？", "y")))
    talk.say("你是谁？")
    assert talk.request.kind == "press"
    assert "AI 程序" in talk.said[0]


def test_where_any_reply_will_do_it_is_answered_and_gone_on_from() -> None:
    talk = Talk(only({"type": "ai_say", "content": "事情、想法、心情，是三样东西。"}, ask("今天怎么样？", "x")))
    talk.say("你是真人吗？")
    assert "AI 程序" in talk.said[0]
    assert talk.said[1:] == ["今天怎么样？"]


@pytest.mark.parametrize("question", ["好，你想问什么？", "开始之前有什么疑问吗？"])
def test_where_questions_are_asked_for_it_is_the_answer(question: str) -> None:
    talk = Talk(only(ask(question, "疑问"), ask("还有？", "y")))
    talk.say("你是真人吗？")
    assert talk.value("疑问") == "你是真人吗？"


def test_the_script_s_own_rules_may_know_better() -> None:
    wish = {"get": "意愿", "type": "enum", "options": ["开始", "提问"], "rules": [{"keywords": {"提问": ["跟谁说话"]}}]}
    talk = Talk(only(ask("可以开始吗？", wish), ask("还有？", "y")))
    talk.say("我在跟谁说话")
    assert talk.value("意愿") == "提问"


@pytest.mark.parametrize("words", ["我是不是没救了？", "你觉得我还有救吗？", "怎么办？", "他问我：“你是谁？”"])
def test_a_question_about_oneself_is_an_answer(words: str) -> None:
    talk = Talk(only(ask("最难受的是什么？", "主诉"), ask("还有？", "y")))
    talk.say(words)
    assert talk.value("主诉") == words


def test_a_model_s_own_answer_stands() -> None:
    mind = {
        "risk": CALM,
        "ask": {
            "understood": False,
            "values": {},
            "content": "我是 AI。你今天为什么来？",
            "progress_suggestion": "off_topic",
        },
    }
    talk = Talk(only(ask("今天为什么来？", "来意")), mind)
    talk.say("你是真人吗？")
    assert talk.said == ["我是 AI。你今天为什么来？"]


@pytest.mark.parametrize("words", ["你是真人吗？", "are you a real person?"])
def test_the_crisis_technique_keeps_its_own_way(words: str) -> None:
    talk = Talk(only(ask("今天为什么来？", "来意")))
    talk.say("我不想活了")
    talk.say(words)
    assert talk.at == "intent", "not plainly no: it goes on as for any unclear answer"


def test_a_risk_question_is_put_again_before_it_counts_as_unclear() -> None:
    risk = {"get": "念头", "type": "boolean", "risk": True}
    talk = Talk(only(ask("有没有想过结束生命？", risk), say("完")))
    talk.say("你是真人吗？")
    assert talk.said[0].endswith("有没有想过结束生命？")
    talk.say("你是真人吗？")
    assert talk.state.running is not None
    assert talk.state.running.ref == "safety/crisis_support"


def test_words_that_were_still_on_their_way_belong_to_the_question_that_waits() -> None:
    talk = Talk(only(ask("怎么称呼你？", "称呼"), ask("今天为什么来？", "来意"), ask("还有？", "y")))
    talk.say("小林")
    seen = talk.state.messages
    talk.say("你是真人吗？")
    talk.say("心里堵得慌", after=seen)
    assert talk.value("称呼") == "小林", "nothing is added to an earlier answer"
    assert talk.value("来意") == "心里堵得慌"


def test_the_first_assessment() -> None:
    talk = Talk(shipped("cbt/first_assessment"))
    talk.say("你是真人吗？")
    assert [choice.value for choice in talk.request.choices][:1] == ["开始"]
    talk.choose("开始")
    talk.say("你能帮我吗？")
    assert talk.value("称呼") is None
    talk.say("小林")
    assert talk.value("称呼") == "小林"
    assert not [text for text in spoken(talk) if "……" in text]
