"""Quotes that differ in one letter from what was said are set right; what a slip turns round never is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartrule.parsing.quotes import carried_on, mended
from heartrule.parsing.text import fold

SAID = "我最近两个月一直睡不着，领导当着大家骂我，心里特别堵"

MENDED = [
    ("领导当着大伙骂我", "领导当着大家骂我"),
    ("领导当大家骂我", "领导当着大家骂我"),
    ("领导当着大家骂了我", "领导当着大家骂我"),
    ("最近两个月一只睡不着", "最近两个月一直睡不着"),
]
NOT = [
    ("领导当着大家骂我", "it stands there"),
    ("领导没当着大家骂我", "a denial put in"),
    ("两个月一直睡得着", "a denial left out"),
    ("领导背着大伙骂我", "two letters apart"),
    ("心里堵", "too short"),
    ("昨天老师表扬了我", "never said"),
]


@pytest.mark.parametrize(("quote", "meant"), MENDED)
def test_a_slip_of_one_letter_is_set_right(quote: str, meant: str) -> None:
    assert mended(quote, SAID) == meant


@pytest.mark.parametrize(("quote", "why"), NOT[1:], ids=[why for _, why in NOT[1:]])
def test_what_is_no_slip_is_not(quote: str, why: str) -> None:
    assert mended(quote, SAID) is None, why


@pytest.mark.parametrize(
    ("quote", "said"),
    [
        ("I could fall asleep", "I could not fall asleep"),
        ("I have never slept", "I have ever slept"),
        ("我喜欢上班的", "我不喜欢上班的"),
        ("没有想过要走", "有想过要走"),
    ],
)
def test_a_denial_is_never_turned(quote: str, said: str) -> None:
    assert mended(quote, said) is None


@pytest.mark.parametrize(
    ("quote", "said", "whole"),
    [
        ("大概难受了三", "大概难受了三十天", "大概难受了三十"),
        ("I feel so ang", "I feel so angry at him", "I feel so angry"),
        ("领导当着大家", "领导当着大家骂我", None),
        ("表扬了我", "领导当着大家骂我", None),
    ],
)
def test_a_quote_that_ends_within_a_word_is_carried_on(quote: str, said: str, whole: str | None) -> None:
    assert carried_on(quote, said) == whole


@given(st.text(max_size=30), st.text(max_size=60))
def test_what_is_set_right_stands_in_what_was_said(quote: str, said: str) -> None:
    for found in (mended(quote, said), carried_on(quote, said)):
        assert found is None or found in said


@given(st.integers(0, 20), st.sampled_from("的了呢家"))
def test_wherever_the_slip_is(place: int, letter: str) -> None:
    said = "领导当着所有同事骂我骂了半个钟头还摔门"
    quote = said[:place] + letter + said[place + 1 :]
    found = mended(quote, said)
    assert found is None or fold(found) in fold(said)
    assert found is not None or quote == said
