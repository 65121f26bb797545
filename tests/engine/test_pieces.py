"""Danger that is written in pieces is read together."""

from __future__ import annotations

import pytest
from tests.engine.minds import Node, running
from tests.engine.scripts import ask, check, only

from heartrule.engine.awareness.fragments import is_piece
from heartrule.testing.talk import Talk

THREE: tuple[Node, ...] = tuple(ask(f"{name}？", name) for name in ("甲", "乙", "丙", "丁"))


def hold(**session: str) -> Talk:
    return Talk(only(*THREE, **session))


@pytest.mark.parametrize(
    "said",
    [
        ("我想自", "杀"),
        ("我不想", "活了"),
        ("我", "想", "死"),
        ("我真的", "不想", "活了"),
        ("I want to", "die"),
        ("i want to kill", "myself"),
        ("今天好累", "我想结束", "自己的生命"),
    ],
)
@pytest.mark.parametrize("seconds", [1, 20, 60])
def test_intent_in_pieces_interrupts(said: tuple[str, ...], seconds: float) -> None:
    talk = hold()
    for words in said:
        talk.say(words, seconds=seconds)
    assert running(talk) == "crisis_support"
    assert talk.happened("awareness")
    check(talk)


def test_also_where_the_pieces_were_sent_without_having_seen_anything() -> None:
    talk = hold()
    seen = talk.state.messages
    for words in ("我想自", "杀"):
        talk.say(words, after=seen, seconds=200)
    assert running(talk) == "crisis_support"


def test_words_that_were_heard_begin_nothing() -> None:
    talk = hold()
    talk.say("我经常被我爸打")
    assert running(talk) == "danger_check"
    talk.say("他走了")
    assert running(talk) == "T"


def test_not_after_a_long_while() -> None:
    talk = hold()
    talk.say("我不想")
    talk.say("活了", seconds=600)
    assert running(talk) == "T"


def test_not_across_a_long_message() -> None:
    talk = hold()
    talk.say("我今天一整天都在忙搬家的事情，累得够呛，什么都不想")
    talk.say("活了")
    assert running(talk) == "T"


def test_what_was_heard_is_not_heard_again() -> None:
    talk = hold()
    talk.say("我想自", seconds=1)
    talk.say("杀", seconds=1)
    assert talk.at == "thoughts"
    talk.say("没有", seconds=1)
    assert talk.at == "hurt"
    found = [each.verdict for each in talk.happened("awareness") if each.awareness.endswith("suicide_risk")]
    assert found.count("yes") == 1


@pytest.mark.parametrize(
    "said",
    [
        ("我想", "吃火锅"),
        ("不想", "上班"),
        ("我不想", "一个人吃饭"),
        ("想", "睡觉"),
        ("没有", "想过辞职"),
        ("我想", "死磕到底"),
        ("爸妈又吵架了", "我躲在房间里"),
        ("我没想死", "I nearly died laughing"),
        ("要吃药吗", "丢死人了"),
        ("我妹妹", "想活出自己"),
        ("I want to", "sleep"),
        ("3", "4"),
        ("累", "死了"),
    ],
)
def test_harmless_pieces_interrupt_nothing(said: tuple[str, ...]) -> None:
    talk = hold()
    for words in said:
        talk.say(words)
    assert running(talk) != "crisis_support"


@pytest.mark.parametrize(
    ("text", "short"), [("杀", True), ("", False), ("  ", False), ("x" * 24, True), ("好" * 9, False)]
)
def test_how_long_a_piece_is(text: str, short: bool) -> None:
    assert is_piece(text) is short
