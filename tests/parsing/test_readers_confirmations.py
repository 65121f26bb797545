"""How people answer when something known is put to be confirmed. None of it is a value."""

from __future__ import annotations

import pytest
from tests.table import tabled

from heartrule.language.patterns import MAX_PATTERN, compiled
from heartrule.parsing import confirmations as reader

SAME = "没变|还是一样|跟之前一样|没有变化|嗯，还是老样子|still the same|no change|it hasn't changed|same as before"
NOT_SAME = "变了|不一样了|没睡好|还是很累|一样的问题|I have changed|no|no longer Robin|没|"
LEADS = [
    ("对", "yes", ""),
    ("对啊", "yes", ""),
    ("是的是的", "yes", ""),
    ("👍", "yes", ""),
    ("嗯，昨晚睡了3小时", "yes", "昨晚睡了3小时"),
    ("对 我和2个室友住", "yes", "我和2个室友住"),
    ("好，改天再说", "agree", "改天再说"),
    ("不对，叫我阿林吧", "no", "叫我阿林吧"),
    ("记错了，36", "no", "36"),
    ("yes I have 2 kids", "yes", "I have 2 kids"),
    ("That's right", "yes", ""),
    ("no, it's Alex", "no", "it's Alex"),
    ("no it's Alex", "no", "it's Alex"),
    ("No.", "no", ""),
    *((words, None, words) for words in ("是11月2号", "好多了", "没睡好", "不想说", "嗯……", "对象换了", "不对劲")),
    *((words, None, words) for words in ("right now I'm 36", "no longer Robin", "nothing", "yesterday", "👎")),
]


@tabled("pattern", list(reader.patterns()))
def test_every_pattern_can_be_read(pattern: str) -> None:
    assert len(pattern) <= MAX_PATTERN
    assert compiled(pattern) is not None


@tabled(
    ("text", "expected"),
    [*((each, True) for each in SAME.split("|")), *((each, False) for each in NOT_SAME.split("|"))],
)
def test_nothing_has_changed(text: str, expected: bool) -> None:
    assert reader.same(text) is expected


@tabled(("text", "lead", "rest"), LEADS)
def test_what_the_words_begin_with(text: str, lead: reader.Lead | None, rest: str) -> None:
    assert reader.lead(text) == (lead, rest)


@pytest.mark.parametrize(
    ("clause", "expected"),
    [("年龄不对", True), ("年龄变了", True), ("年龄没变", False), ("年龄没错", False), ("the age is wrong", True)],
)
def test_what_a_clause_denies(clause: str, expected: bool) -> None:
    assert reader.denies(clause) is expected


@pytest.mark.parametrize("text", ["", " ", "\x00", "，，，", "对" * 50_000, "是的，" * 2_000, "\ud800", "a" * 100_000])
def test_anything_can_be_read(text: str) -> None:
    assert reader.lead(text)[0] in (None, "yes", "agree", "no")
    assert reader.same(text) is False


def test_a_story_is_not_read_to_its_end() -> None:
    told = reader.clauses("好累，" * 2_000)
    assert len(told) == reader.MAX_CLAUSES
    assert {each.text for each in told} == {"好累"}
    assert told[1].onwards.startswith("好累，好累")
