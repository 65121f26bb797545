"""A murmur (嗯, 随便, hm) agrees to nothing hard and becomes no content of a text."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.scripts import CALM, Node, ask, check, only, phase, say, script, topic

from heartrule.testing.talk import Talk

MURMURS = ["嗯", "哦。", "嗯嗯……", "随便", "随便吧", "hm", "whatever"]
PLAIN = {"zh-CN": "可以吗？", "en": "yes or a no"}


def announced(locale: str = "zh-CN") -> Talk:
    steps = [
        topic("失去", ask("那时怎样？", "那时"), id="t", sensitive=True),
        topic("后来", ask("后来？", "后"), id="u"),
    ]
    return Talk(script(phase("P", *steps), locale=locale))


def decided(talk: Talk) -> list[str]:
    return [event.choice for event in talk.happened("announced") if event.choice]


def guided(question: str, *gets: str | Node, **more: Any) -> Node:
    output = [{"get": get} if isinstance(get, str) else get for get in gets]
    return {"type": "ai_ask", "content": "问", "question": question, "output": output, **more}


# a hard topic


@pytest.mark.parametrize(
    ("locale", "words"), [*(("zh-CN", words) for words in (*MURMURS, "ok…", "好……")), ("en", "ok...")]
)
def test_nobody_agrees_to_a_hard_topic_by_a_murmur(locale: str, words: str) -> None:
    talk = announced(locale)
    first = talk.said[-1]
    kind = talk.say(words)
    assert decided(talk) == []
    assert kind != [first]
    assert [choice.value for choice in talk.request.choices] == ["go_on", "later", "skip"]
    assert PLAIN[locale] not in kind[0]
    check(talk)


def test_the_second_is_asked_plainly_and_then_a_nod_is_a_yes() -> None:
    talk = announced()
    talk.say("嗯")
    assert PLAIN["zh-CN"] in talk.say("嗯")[0]
    talk.say("哦")
    assert decided(talk) == [], "no word for a yes, however plain the question"
    talk.say("嗯")
    assert decided(talk) == ["go_on"]
    assert talk.said[-1].endswith("那时怎样？")


@pytest.mark.parametrize(
    ("words", "choice"), [("好", "go_on"), ("嗯，可以", "go_on"), ("先不谈……", "later"), ("不……", None)]
)
def test_words_still_count(words: str, choice: str | None) -> None:
    talk = announced()
    talk.say(words)
    assert decided(talk) == ([choice] if choice else [])


@pytest.mark.parametrize(("locale", "words"), [("zh-CN", "什么意思"), ("en", "what does that mean?")])
def test_who_asks_what_it_means_is_told_in_other_words(locale: str, words: str) -> None:
    talk = announced(locale)
    said = [
        talk.said[-1],
        *talk.say(words),
        *talk.say(words),
        *talk.say("为什么要问这个" if locale == "zh-CN" else "why?"),
    ]
    assert len(set(said)) == 4, "another wording each time"
    assert "失去" in said[1]
    assert decided(talk) == []
    assert len(talk.request.choices) == 3
    assert talk.say("再说一遍" if locale == "zh-CN" else "say that again") == [said[0]], (
        "who has not heard it hears the same"
    )


# the content of a text


@pytest.mark.parametrize("action", [ask, guided])
@pytest.mark.parametrize("words", [*MURMURS, "不知道怎么说"])
@pytest.mark.parametrize("model", [None, {"risk": CALM}], ids=["no model", "a model that fails"])
def test_it_is_no_content(action: Any, words: str, model: Any) -> None:
    talk = Talk(only(action("那一刻，心里是什么滋味？", "心情词"), ask("还有呢？", "还有")), model)
    talk.say(words)
    assert talk.said[0].endswith("\n那一刻，心里是什么滋味？")
    assert talk.happened("variable") == []
    talk.say("嗯，有点闷")
    assert talk.value("心情词") == "嗯，有点闷"
    check(talk)


def test_it_ends_all_the_same() -> None:
    talk = Talk(only(ask("那是什么滋味？", "词"), ask("还有呢？", "还有")))
    for _ in range(3):
        talk.say("嗯")
    assert talk.said[-1].endswith("还有呢？")
    assert talk.value("词") is None


@pytest.mark.parametrize("question", ["还有别的吗？", "是不是常常这样？", "Is that so?"])
def test_to_a_question_of_yes_or_no_it_is_an_answer(question: str) -> None:
    talk = Talk(only(ask(question, "别的"), say("完")))
    talk.say("嗯")
    assert talk.happened("variable")[-1].value == "嗯"


@pytest.mark.parametrize("question", ["可以和我说说吗？", "愿意说说那天吗？", "Could you tell me about it?"])
def test_an_invitation_is_no_such_question(question: str) -> None:
    talk = Talk(only(ask(question, "那天"), say("完")))
    talk.say("嗯")
    assert talk.happened("variable") == []


def test_the_script_s_own_rules_may_know_what_it_means() -> None:
    name = {"get": "称呼", "type": "text", "rules": [{"pattern": "随便", "value": "朋友"}]}
    talk = Talk(only(ask("怎么称呼你？", name), say("完")))
    talk.say("随便")
    assert talk.happened("variable")[-1].value == "朋友"


def test_where_there_is_nothing_to_find_out_it_will_do() -> None:
    talk = Talk(only(ask("准备好了就说一声，什么都行？"), say("完")))
    talk.say("嗯")
    assert talk.ended


def test_another_type_reads_it_as_before() -> None:
    talk = Talk(only(ask("睡得好不好？", {"get": "睡", "type": "boolean"}), say("完")))
    talk.say("嗯")
    assert talk.happened("variable")[-1].value is True


def test_a_model_may_understand_it_but_not_keep_it_as_content() -> None:
    values = {"词": {"value": "嗯", "evidence": "嗯"}, "愿": {"value": "愿意", "evidence": "嗯"}}
    mind = {
        "risk": CALM,
        "ask": {"understood": True, "values": values, "content": "", "progress_suggestion": "completed"},
    }
    talk = Talk(only(ask("那是什么滋味？", "词", "愿"), ask("还有？", "x")), mind)
    talk.say("嗯")
    assert (talk.value("词"), talk.value("愿")) == (None, "愿意")


def test_what_a_script_asks_more_than_a_sound_for_takes_none_to_any_question() -> None:
    talk = Talk(only(guided("还有别的吗？", "别的", verify="non_empty"), say("完")))
    talk.say("嗯")
    assert talk.happened("variable") == []
