"""Where a quote stands, and what it is cut out of."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.parsing.quote_places import holds_denial, places, stands

WHOLE = [
    ("三十", "三十"),
    ("3.5", "3.5分"),
    ("7分", "打7分吧"),
    ("周一", "周一三点"),
    ("三点", "周一三点"),
    ("一天", "第一天"),
    ("是", "是，不是别的"),
    ("难受", "特别难受"),
    ("难受", "差不多都难受"),
    ("8分", "要不8分吧"),
    ("因为孩子", "还不是因为孩子"),
    ("好", "好不好说"),
    ("8分", "不，8分"),
    ("吃药", "没吃药，后来吃药了"),
    ("睡得好", "我家猫睡得好"),
    ("3分", "不到3分"),
    ("headache", "headaches a lot"),
    ("work", "I worked late"),
    ("sleep well", "no, I sleep well"),
    ("3", "a 3, not a 4"),
    ("没有", "没有"),
    ("我没睡", "我没睡"),
    ("睡 不 着", "睡不着"),
]
CUT = [
    ("三", "三十"),
    ("十", "三十"),
    ("3", "13分"),
    ("3", "3.5"),
    ("5", "3.5"),
    ("2", "2万"),
    ("三个", "三个半小时"),
    ("三", "三点五"),
    ("是", "不是，根本睡不着"),
    ("好", "睡得不好"),
    ("8", "不是8"),
    ("8", "没有8"),
    ("好", "说不上好"),
    ("睡", "睡不着"),
    ("抑郁", "从来没有抑郁"),
    ("开心", "我会不开心"),
    ("吃药", "没有吃药"),
    ("没有", "不是没有"),
    ("安全", "不安全"),
    ("愿意", "不太愿意"),
    ("no", "nothing"),
    ("do", "I don't"),
    ("sleeping well", "not sleeping well"),
    ("a 3", "not a 3"),
    ("safe", "unsafe"),
    ("happy", "I'm never really happy"),
    ("eat", "without eat"),
]


@tabled(("quote", "said"), WHOLE)
def test_what_stands_whole(quote: str, said: str) -> None:
    assert stands(quote, said)


@tabled(("quote", "said"), CUT)
def test_what_is_cut_out(quote: str, said: str) -> None:
    assert not stands(quote, said)


@tabled(
    ("quote", "said", "stands_there"),
    [
        ("吃药", "没有吃药", True),
        ("没有", "不是没有", False),
        ("三", "三十", False),
        ("sleep", "I can not sleep", True),
    ],
)
def test_a_denial_may_be_quoted_without_its_word(quote: str, said: str, stands_there: bool) -> None:
    assert stands(quote, said, denies=True) is stands_there


def test_the_places() -> None:
    (first, second) = places("好", "好，可是睡得不好啊")
    assert (first.before, first.words, first.behind) == ("", "好", "")
    assert (second.before, second.words, second.behind) == ("可是睡得不", "好", "啊")
    assert list(places("坏", "好")) == []
    assert list(places("", "好")) == []


def test_one_place_where_it_stands_whole_will_do() -> None:
    assert stands("好", "以前不好，现在好")


@tabled(
    ("words", "denies"),
    [("没有", True), ("不想去", True), ("特别好", False), ("never", True), ("note", False), ("", False)],
)
def test_what_denies(words: str, denies: bool) -> None:
    assert holds_denial(words) is denies


@given(st.text(max_size=40), st.text(max_size=12))
def test_any_words(said: str, quote: str) -> None:
    assert stands(quote, said) in (True, False)
    assert stands(said, said) in (True, False)


@given(st.integers(0, 9), st.integers(0, 9))
def test_a_digit_never_proves_itself_out_of_two(first: int, second: int) -> None:
    assert not stands(str(first), f"{first}{second}分") or first == second
