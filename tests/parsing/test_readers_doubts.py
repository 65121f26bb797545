"""How firmly an answer is meant: doubt, a range, a correction. None of them is a value."""

from __future__ import annotations

import pytest
from tests.table import tabled

from heartrule.parsing.doubts import Doubt, holds

SAID: list[tuple[Doubt, str, bool]] = [
    ("hedge", "这个说不太清，时好时坏", True),
    ("hedge", "看情况吧", True),
    ("hedge", "有时候很重，有时候又没事", True),
    ("hedge", "好像有，又好像没有", True),
    ("hedge", "也谈不上多难受", True),
    ("hedge", "最近总是睡不着", False),
    ("hedge", "大概7分", False),
    ("hedge", "没有", False),
    ("hedge", "It’s hard to say, it varies", True),
    ("hedge", "I'm not really sure", True),
    ("hedge", "sometimes bad, sometimes fine", True),
    ("hedge", "I sleep five hours", False),
    ("range", "5-8 之间", True),
    ("range", "五到八分", True),
    ("range", "六七分", True),
    ("range", "somewhere between five and eight", True),
    ("range", "5 to 8", True),
    ("range", "8分", False),
    ("range", "35", False),
    ("correction", "我刚才说错了，是8分", True),
    ("correction", "不对，应该是三年", True),
    ("correction", "前面说的不准", True),
    ("correction", "Actually, make it 8", True),
    ("correction", "my mistake, eight", True),
    ("correction", "8分", False),
    ("correction", "一般都睡八小时", False),
]


@tabled(("kind", "text", "expected"), SAID)
def test_words_of_doubt(kind: Doubt, text: str, expected: bool) -> None:
    assert holds(kind, text) is expected


@pytest.mark.parametrize("text", ["", " ", "\x00", "？？", "a" * 100_000])
def test_nothing_is_a_doubt_by_itself(text: str) -> None:
    kinds: tuple[Doubt, ...] = ("hedge", "range", "correction")
    assert not any(holds(kind, text) for kind in kinds)
