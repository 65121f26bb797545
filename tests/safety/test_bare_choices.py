"""Words that merely hold a label end no crisis: only the bare label is the choice."""

from __future__ import annotations

import pytest
from tests.safety.test_crisis_talk import EN, ZH, running

from heartrule.testing.talk import Talk


def at_the_choice(script: str, intent: str, no: str) -> Talk:
    talk = Talk(script)
    for words in (intent, no, no, no):
        talk.say(words)
    assert talk.at == "choice"
    return talk


@pytest.mark.parametrize(
    "words",
    [
        "我现在安全了，药都吃完了",
        "我现在安全了，不用管我，马上就解脱了",
        "等我现在安全了再说",
        "我现在安全了才怪",
        "我现在安全了个屁",
        "他们说我现在安全了",
        "我现在安全了？",
        "我现在安全了……",
        "我现在安全了😭",
        "但愿我现在安全了",
        "你希望我现在安全了吧",
        "要我说我现在安全了是吧",
        "现在",
        "我现在",
        "药都吃完了，我安全了",
        "他们都走了我就安全了",
        "以后都安全了，再也不疼了，我安全了",
        "我现在没那么安全了",
    ],
)
def test_nobody_is_let_go_by_words_that_hold_the_label(words: str) -> None:
    talk = at_the_choice(ZH, "我不想活了", "没有")
    talk.say(words)
    assert (running(talk), talk.at) != ("crisis_support", "landing")
    assert running(talk) == "crisis_support"


@pytest.mark.parametrize(
    "words",
    [
        "I am safe now, the pills are all gone",
        "they say I am safe now",
        "I wish I am safe now",
        "when I am safe now",
        "I am safe now?",
        "I am safe now, it will be over soon",
        "now",
        "as if I am safe now",
        "tell them I am safe now",
        "you want me to say I am safe now",
    ],
)
def test_nor_in_english(words: str) -> None:
    talk = at_the_choice(EN, "I want to die", "no")
    talk.say(words)
    assert (running(talk), talk.at) != ("crisis_support", "landing")
    assert running(talk) == "crisis_support"


@pytest.mark.parametrize(
    "words",
    [
        "我现在安全了",
        "嗯，我现在安全了。",
        "好的，我真的现在安全了，谢谢你",
        "安全了",
        "我安全了",
        "我很安全的",
        "我妈来了，我安全了",
        "选第二个",
        "2",
    ],
)
def test_the_bare_label_is_the_choice(words: str) -> None:
    talk = at_the_choice(ZH, "我不想活了", "没有")
    talk.say(words)
    assert talk.at == "landing"


@pytest.mark.parametrize("words", ["I am safe now", "ok, I am safe now, thanks", "safe", "my mom is here, I am safe"])
def test_so_it_is_in_english(words: str) -> None:
    talk = at_the_choice(EN, "I want to die", "no")
    talk.say(words)
    assert talk.at == "landing"


@pytest.mark.parametrize("words", ["我还需要陪伴", "陪陪我", "别走", "我还需要陪伴，我好怕"])
def test_whoever_asks_for_company_in_their_own_words_has_it(words: str) -> None:
    talk = at_the_choice(ZH, "我不想活了", "没有")
    talk.say(words)
    assert (running(talk), talk.at) == ("crisis_support", "listen")


def test_whoever_asks_for_company_in_english_has_it() -> None:
    talk = at_the_choice(EN, "I want to die", "no")
    talk.say("please stay with me, don't go")
    assert (running(talk), talk.at) == ("crisis_support", "listen")
