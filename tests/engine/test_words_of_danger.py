"""Words in which a script of P0 has heard danger are no answer to a question for something else."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, Node, last, out, replied, running
from tests.engine.scripts import ask, check, only, say

from heartrule.testing.talk import Talk

NAME = ask("怎么称呼你？", "称呼", id="name")
MOOD: Node = {"get": "分", "type": "integer", "range": [0, 10], "define": "心情"}
RULED: Node = {"get": "称呼", "type": "text", "rules": [{"pattern": "我叫(?P<value>[^，,。]+)"}]}
NEXT = ask("还有什么？", "下一个", id="next")


def hold(*actions: Node, model: Any = None, **session: Any) -> Talk:
    return Talk(only(*actions, **session), model)


def leave(talk: Talk) -> None:
    """Through whatever was asked about danger."""
    for _ in range(20):
        if running(talk) == "T":
            return
        out(talk) if talk.request.kind == "choice" else talk.say(
            "安全" if "safe" in str(talk.at) or talk.at == "today" else "没有"
        )
    raise AssertionError("no way out")


WORDS = ["活着没意思", "我老公家暴我", "我被霸凌了", "活着没意思，别问了", "唉，活着没意思", "我今天药吃多了"]


@pytest.mark.parametrize("words", WORDS)
def test_they_become_nobodys_name(words: str) -> None:
    talk = hold(NAME, say("{称呼}，你好。"), NEXT)
    talk.say(words)
    assert running(talk) != "T"
    leave(talk)
    assert (talk.at, talk.value("称呼")) == ("name", None)
    talk.say("小林")
    assert (talk.at, talk.value("称呼")) == ("next", "小林")
    check(talk)


def test_so_it_is_in_english() -> None:
    talk = hold(ask("What shall I call you?", "name", id="name"), NEXT, locale="en")
    talk.say("life is pointless")
    talk.say("no")
    assert (talk.at, talk.value("name")) == ("name", None)


def test_the_words_stay_in_the_transcript() -> None:
    talk = hold(NAME, NEXT)
    talk.say("活着没意思")
    assert [m.text for m in talk.history if m.sender == "person"] == ["活着没意思"]


@pytest.mark.parametrize("words", ["2分，活着没意思", "活着没意思，2分吧", "2 分。活着没意思"])
def test_a_value_beside_them_is_taken(words: str) -> None:
    talk = hold(ask("几分？", MOOD, id="mood"), NAME)
    talk.say(words)
    leave(talk)
    assert (last(talk, "分"), talk.at) == (2, "name")


def test_so_is_what_rules_of_its_own_find() -> None:
    talk = hold(ask("怎么称呼你？", RULED, id="name"), NEXT)
    talk.say("我叫小林，活着没意思")
    leave(talk)
    assert (last(talk, "称呼"), talk.at) == ("小林", "next")


def test_who_says_nothing_else_is_asked_again_gently_and_not_for_ever() -> None:
    talk = hold(NAME, NEXT)
    talk.say("活着没意思")
    talk.say("没有")
    for _ in range(2):
        said = talk.say("活着没意思")
        assert talk.at == "name"
        assert "不急" in said[-1]
        assert "称呼" in said[-1]
    talk.say("活着没意思")
    assert talk.at == "next"


@pytest.mark.parametrize("question", ["这周发生了什么？", "那一刻脑子里闪过什么念头？", "今天心情怎么样？"])
def test_what_somebody_was_asked_to_tell_is_told_all_the_same(question: str) -> None:
    talk = hold(ask(question, "事", id="story"), NEXT)
    talk.say("老板当众骂我，我觉得活着没意思")
    leave(talk)
    assert (talk.at, last(talk, "事")) == ("next", "老板当众骂我，我觉得活着没意思")


@pytest.mark.parametrize(
    "question",
    ["你叫什么名字？", "你住在哪个城市？", "你做什么工作？", "先认识一下，我怎么称呼你？", "What's your name?"],
)
def test_a_word_that_was_asked_for_is_not_made_of_them(question: str) -> None:
    talk = hold(ask(question, "事", id="story"), NEXT)
    talk.say("我老公家暴我，活着没意思")
    leave(talk)
    assert (talk.at, talk.value("事")) == ("story", None)


def test_a_model_that_reads_the_words_says_what_they_answer() -> None:
    told = {"risk": CALM, "ask": replied(values={"事": {"value": "被老板骂", "evidence": "老板骂我"}})}
    talk = hold(ask("这周发生了什么？", "事", id="story"), NEXT, model=told)
    talk.say("老板骂我，活着没意思")
    leave(talk)
    assert (last(talk, "事"), talk.at) == ("被老板骂", "next")


def test_late_words_of_danger_are_not_added_to_an_answer() -> None:
    talk = hold(NAME, NEXT)
    seen = talk.history[-1].number
    talk.say("小林")
    talk.say("活着没意思", after=seen, seconds=1)
    leave(talk)
    assert talk.value("称呼") == "小林"
