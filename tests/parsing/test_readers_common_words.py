"""What a text has in common with what was said."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.parsing.common_words import says_something, shares


@tabled(
    ("value", "grounds", "alike"),
    [
        ("还行", ["我还行"], True),
        ("睡眠不好", ["晚上睡不着"], True),
        ("父亲", ["我爸"], True),
        ("吃药", ["嗯", "在吃药吗？"], True),
        ("没有", ["没"], True),
        ("不去", ["算了"], True),
        ("半小时", ["30分钟"], True),
        ("3次", ["三回"], True),
        ("headache", ["my head aches"], True),
        ("trouble sleeping", ["I can't sleep"], True),
        ("工作压力", ["stress at work"], True),
        ("work", ["工作"], True),
        ("😀", ["还行"], True),
        ("", ["还行"], True),
        ("想杀了老板", ["我还行"], False),
        ("很好", ["嗯", "最近怎么样？"], False),
        ("很好", ["不知道"], False),
        ("老婆出轨", ["没有", "有哪些烦恼？"], False),
        ("my wife cheated", ["nothing much"], False),
        ("论文", [""], False),
    ],
)
def test_shared(value: str, grounds: list[str], alike: bool) -> None:
    assert shares(value, *grounds) is alike


@given(st.text(max_size=30), st.text(max_size=30))
def test_whoever_repeats_words_shares_them(before: str, after: str) -> None:
    said = f"{before}论文{after}"
    assert shares("论文", said)
    assert shares(said, said)


@tabled("quote", ["睡不着", "恨不得找个地缝", "can't sleep", "论文写不出来"])
def test_what_says_enough_to_be_put_in_other_words(quote: str) -> None:
    assert says_something(quote)


@tabled("quote", ["我", "嗯", "还行", "我还行", "不知道", "没什么", "没有", "I'm ok", "I don't know", ""])
def test_what_does_not(quote: str) -> None:
    assert not says_something(quote)
