"""How people answer when something known is put to be confirmed. None of it is a value."""

from __future__ import annotations

import pytest
from tests.table import tabled

from heartrule.language.patterns import MAX_PATTERN, compiled
from heartrule.parsing import confirming as reader

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
RENAMED = [
    ("叫我小林", "叫我小林", "小林"),
    ("还是叫我小林吧", "还是叫我小林吧", "小林"),
    ("不过现在叫小林", "不过现在叫小林", "小林"),
    ("改成小林", "小林", "小林"),
    ("应该是小林", "小林", "小林"),
    ("现在是36", "36", "36"),
    ("call me Alex", "call me Alex", "Alex"),
    ("it should be Alex", "Alex", "Alex"),
    ("make it 36", "36", "36"),
]
BARE = [
    ("36了", "36", True),
    ("我现在36岁", "36", True),
    ("I'm 36 now", "36", True),
    ("我有2个孩子", "2", False),
    ("昨晚睡了3小时", "3", False),
    ("I have 2 kids", "2", False),
    ("没有数字", "2", False),
    ("三十六岁了", None, True),
    ("I'm thirty-six", None, True),
    ("昨晚睡了三小时", None, False),
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


@pytest.mark.parametrize(("text", "answer", "value"), RENAMED, ids=[each[0] for each in RENAMED])
def test_what_it_is_to_be_instead(text: str, answer: str, value: str) -> None:
    assert reader.renamed(text) == (answer, value)


@pytest.mark.parametrize(
    "text", ["别叫我小林", "他们叫我小林", "我今天很累", "现在感觉好多了", "I'm tired", "", "是我"]
)
def test_what_names_nothing_instead(text: str) -> None:
    assert reader.renamed(text) is None


@pytest.mark.parametrize(("clause", "value", "expected"), BARE, ids=[each[0] for each in BARE])
def test_a_value_and_nothing_else(clause: str, value: str | None, expected: bool) -> None:
    assert reader.is_bare(clause, value) is expected


def test_words_for_the_thing_itself_mean_nothing_beside_it() -> None:
    assert not reader.is_bare("睡了5小时", "5")
    assert reader.is_bare("睡了5小时", "5", reader.names_of("睡"))


@pytest.mark.parametrize(
    ("clause", "expected"),
    [("年龄不对", True), ("年龄变了", True), ("年龄没变", False), ("年龄没错", False), ("the age is wrong", True)],
)
def test_what_a_clause_denies(clause: str, expected: bool) -> None:
    assert reader.denies(clause) is expected


def test_all_is_denied_only_in_so_many_words() -> None:
    assert all(reader.all_denied(each) for each in ("都不对", "全错了", "all wrong", "none of them are right"))
    assert not any(reader.all_denied(each) for each in ("都对", "不对", "wrong", "年龄不对"))


def test_the_same_thing_has_several_names() -> None:
    assert reader.named("名字不对", reader.names_of("称呼")) == "名字"
    assert reader.named("岁数不对", reader.names_of("年龄", "你多大")) == "岁数"
    assert reader.named("I'm not that old", reader.names_of("age")) == "old"
    assert reader.named("今天很累", reader.names_of("称呼")) == ""
    assert reader.named("the cage", reader.names_of("age")) == ""


def test_what_is_added() -> None:
    assert reader.added("还有唱歌") == "唱歌"
    assert reader.added("是的，还有唱歌、跳舞") == "唱歌、跳舞"
    assert reader.added("also singing") == "singing"
    assert reader.added("唱歌") == ""


@pytest.mark.parametrize("text", ["", " ", "\x00", "，，，", "对" * 50_000, "是的，" * 2_000, "\ud800", "a" * 100_000])
def test_anything_can_be_read(text: str) -> None:
    assert reader.lead(text)[0] in (None, "yes", "agree", "no")
    assert reader.same(text) is False
    assert not reader.all_denied(text)
    assert reader.renamed(text[:4_000]) is None


def test_a_story_is_not_read_to_its_end() -> None:
    told = reader.clauses("好累，" * 2_000)
    assert len(told) == reader.MAX_CLAUSES
    assert {each.text for each in told} == {"好累"}
    assert told[1].onwards.startswith("好累，好累")
