"""Words said where a choice is awaited: they pick a choice only when they plainly mean it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.scripts import ask, check, only, say

from heartrule.testing.talk import Talk

CRISIS = {"safe": "I am safe now", "company": "I need company a little longer"}
CHINESE = {"safe": "我现在安全了", "company": "还想有人陪一会儿"}
DENIED = {"go": "继续聊这个", "stop": "不想继续了"}


def offered(choices: dict[str, str], **session: str) -> Talk:
    made = [{"value": value, "label": label} for value, label in choices.items()]
    return Talk(only({"type": "user_option", "var": "x", "choices": made}, **session))


@pytest.mark.parametrize(
    "words", ["no", "No.", "am", "i", "now no", "not safe", "I am not safe", "never", "company safe"]
)
def test_words_that_do_not_plainly_mean_a_choice_pick_none(words: str) -> None:
    talk = offered(CRISIS, locale="en")
    talk.say(words)
    assert not talk.ended
    assert talk.value("x") is None
    assert [choice.value for choice in talk.request.choices] == ["safe", "company"]
    check(talk)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("safe", "safe"),
        ("I am safe now", "safe"),
        ("safe now", "safe"),
        ("company", "company"),
        ("need company", "company"),
    ],
)
def test_words_that_plainly_mean_a_choice_pick_it(words: str, value: str) -> None:
    talk = offered(CRISIS, locale="en")
    talk.say(words)
    assert talk.ended
    assert [event.value for event in talk.happened("variable")] == [value]


@pytest.mark.parametrize("words", ["不", "没有", "不安全", "我不安全", "不知道", "不要陪"])
def test_a_denial_never_picks_what_it_denies(words: str) -> None:
    talk = offered(CHINESE)
    talk.say(words)
    assert not talk.ended
    check(talk)


@pytest.mark.parametrize(("words", "value"), [("继续聊", "go"), ("不想继续", "stop"), ("继续聊这个", "go")])
def test_part_of_a_label_picks_it(words: str, value: str) -> None:
    talk = offered(DENIED)
    talk.say(words)
    assert [event.value for event in talk.happened("variable")] == [value]


@pytest.mark.parametrize("declared", [[], [{"var": "心情", "type": "text"}], [{"var": "心情", "update": "versioned"}]])
def test_what_was_picked_gives_way_to_what_is_answered_later(declared: list[Any]) -> None:
    pick = {
        "type": "user_option",
        "var": "心情",
        "choices": [{"value": "低", "label": "低"}, {"value": "高", "label": "高"}],
    }
    later = {"type": "ai_ask", "content": "问", "question": "现在心情怎样？", "output": [{"get": "心情"}]}
    talk = Talk(only(say("选？"), pick, later, ask("还有？", "x"), declare=declared))
    talk.choose("低")
    talk.say("高兴多了")
    assert [event.value for event in talk.happened("variable") if event.name == "心情"] == ["低", "高兴多了"]
    assert talk.happened("unwritten") == []
