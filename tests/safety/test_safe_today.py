"""Where abuse was named, whatever is not plainly safe is taken for danger."""

from __future__ import annotations

import pytest
from tests.safety.test_crisis_talk import EN, ZH, running

from heartrule.testing.talk import Talk


def asked(script: str, named: str) -> Talk:
    talk = Talk(script)
    talk.say(named)
    assert (running(talk), talk.at) == ("danger_check", "today")
    return talk


UNCLEAR = {
    ZH: [
        "不知道",
        "你猜",
        "嗯",
        "嗯嗯",
        "？",
        "算是吧",
        "苹果",
        "好的",
        "还行吧",
        "说不清",
        "他说不会再打了",
        "可能吧",
    ],
    EN: ["I don't know", "mhm", "ok", "?", "I guess so", "bananas", "sort of", "he promised", "maybe", "k"],
}
SAFE = {
    ZH: ["安全", "是的", "嗯，我现在安全", "他不在家", "我在朋友家", "早就分开了", "过去了", "很久以前的事了"],
    EN: ["yes", "I'm safe now", "he's at work", "that was years ago", "we're divorced", "I'm at my sister's"],
}
NAMED = {ZH: "我老公家暴我", EN: "my husband hits me"}


def pairs(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(script, words) for script, several in table.items() for words in several]


@pytest.mark.parametrize(("script", "words"), pairs(UNCLEAR))
def test_what_does_not_say_safe_is_danger(script: str, words: str) -> None:
    talk = asked(script, NAMED[script])
    talk.say(words)
    assert (running(talk), talk.at) == ("danger_support", "hurt")


@pytest.mark.parametrize(("script", "words"), pairs(SAFE))
def test_who_is_plainly_safe_goes_on(script: str, words: str) -> None:
    talk = asked(script, NAMED[script])
    talk.say(words)
    assert running(talk) == "questions"


@pytest.mark.parametrize(("script", "named"), [(ZH, "他正在打我"), (EN, "he's hitting me right now")])
@pytest.mark.parametrize("words", ["嗯", "mhm"])
def test_nor_does_a_nod_where_it_happens_now(script: str, named: str, words: str) -> None:
    talk = Talk(script)
    talk.say(named)
    assert (running(talk), talk.at) == ("danger_support", "safe")
    talk.say(words)
    assert any("门锁" in said or "locks" in said for said in talk.said)
