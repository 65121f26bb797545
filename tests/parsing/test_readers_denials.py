"""A no that somebody quotes counts only where it is all that was said."""

from __future__ import annotations

import pytest

from heartrule.parsing.denials import denies, is_turned, is_whole


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("怎么会没有", "没有"),
        ("怎么会没有", "怎么会没有"),
        ("没有才怪", "没有"),
        ("没有才怪", "没有才怪"),
        ("不是没有", "没有"),
        ("不是没有", "不是没有"),
        ("没有一天没有", "没有"),
        ("没有一天没有", "没有一天没有"),
        ("说没有你信吗", "没有"),
        ("说没有你信吗", "说没有你信吗"),
        ("说没有是假的", "没有"),
        ("偶尔吧", "偶尔吧"),
        ("没有，就是偶尔会", "没有"),
        ("没有，就是偶尔会", "没有，就是偶尔会"),
        ("没有，每天都想", "没有"),
        ("没有，昨晚那次不算", "没有"),
        ("没有，有", "没有"),
        ("没有不想死的时候", "没有"),
        ("没有人的时候会", "没有"),
        ("没有特别想，想想而已", "没有"),
        ("没有吧", "没有吧"),
        ("应该没有", "没有"),
        ("没有……", "没有"),
        ("没有😭", "没有"),
        ("没有？", "没有"),
        ("哪天没有", "没有"),
        ("谁没有", "没有"),
        ("苹果", "苹果"),
        ("以前没有", "没有"),
        ("不能说没有", "没有"),
        ("怎么可能没有", "怎么可能没有"),
        ("没有，骗你的", "没有"),
        ("why wouldn't I", "wouldn't"),
        ("never say never", "never"),
        ("not a day without it", "not"),
        ("no more than usual", "no"),
        ("no, only at night", "no"),
        ("not that I'd tell you", "not"),
        ("not never", "not never"),
        ("no... well", "no"),
        ("I can't say no", "no"),
        ("not until last week", "not"),
        ("nobody asked", "no"),
    ],
)
def test_half_a_word_is_no_denial(text: str, quote: str) -> None:
    assert not is_whole(quote, text)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("没有", "没有"),
        ("没有的事", "没有的事"),
        ("嗯，没有的", "没有"),
        ("我从来没有过", "没有过"),
        ("没有，就是太累了", "没有"),
        ("没有，最近工作压力大", "没有"),
        ("没有过，谢谢关心", "没有过"),
        ("我没有想不开", "没有想不开"),
        ("没想过这些", "没想过这些"),
        ("从没动过那个心思", "从没动过那个心思"),
        ("我不会做那种事的，放心", "不会做那种事"),
        ("没有，从来没有", "没有"),
        ("哪有的事", "哪有的事"),
        ("怎么可能", "怎么可能"),
        ("No, never", "No"),
        ("no I have never thought of it", "no I have never thought of it"),
        ("not in the least", "not in the least"),
        ("no, I'm just tired", "no"),
        ("Nothing like that, thanks", "Nothing like that"),
        ("no, don't worry about me", "no"),
    ],
)
def test_the_whole_of_a_denial_is_one(text: str, quote: str) -> None:
    assert is_whole(quote, text)


@pytest.mark.parametrize(
    "text", ["没有", "我不会做什么的啦", "从没动过那个心思", "no way I'd do that", "", "哪有的事", "没有，就是太累了"]
)
def test_a_plain_no_turns_nothing(text: str) -> None:
    assert not is_turned(text)


@pytest.mark.parametrize("text", ["怎么会没有", "没有一天没有", "哪有不想的", "as if not", "没有" * 3000])
def test_what_turns_is_seen(text: str) -> None:
    assert is_turned(text)


@pytest.mark.parametrize(
    ("quote", "text", "whole"),
    [
        ("近的没有，早先也没有", "刚才答过了，没有。近的没有，早先也没有。", True),
        ("没有，以前也没有", "没有，以前也没有。", True),
        ("no, never", "I already told you, no, never", True),
        ("以前没有", "以前没有，现在有", False),
        ("以前没有", "以前没有", False),
        ("没有", "以前有过，现在没有", False),
        ("没有", "刚才答过了，没有吗", False),
        ("没有", "没有，我刚不是说了没有吗？", True),
        ("没有", "没有，别问了行不", True),
        ("没有", "没有，你怎么跟查我似的", True),
        ("没", "你刚说这个不再问了，没", True),
        ("没有", "没有，第五遍了吧", True),
        ("no", "no. stop asking me that", True),
        ("不是说了有", "我刚不是说了有吗", False),
        ("没有", "我没说没有，你不信我", False),
        ("别问了", "别问了", False),
        ("你不信我", "别问了，你不信我", False),
        ("stop asking me", "stop asking me. you don't believe me", False),
        ("没有了", "我都说了三遍没有了", True),
    ],
)
def test_that_it_was_answered_before_takes_nothing_from_a_no(quote: str, text: str, whole: bool) -> None:
    assert is_whole(quote, text) is whole


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("没有", True),
        ("没打算做什么", True),
        ("没有 那个真没有", True),
        ("没有 死不至于 说过了", True),
        ("不是 没有", False),
        ("不能说 没有", False),
        ("没有想怎么去", True),
        ("2. No intent.", True),
        ("haven't made a plan", True),
        ("6. Not at this moment.", True),
        ("I don't want to die", True),
        ("没有吧", False),
        ("没有，但有时候想", False),
        ("not really", False),
        ("no, sometimes", False),
        ("有的", False),
        ("", False),
    ],
)
def test_a_denial_that_takes_nothing_back_by_itself(text: str, plain: bool) -> None:
    assert denies(text) is plain
