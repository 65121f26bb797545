"""A variable's own rules, text and lists, normal forms; and what holds for every reader."""

from __future__ import annotations

import time
import unicodedata
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.language.nodes import Variable
from heartrule.language.values import Ok, accept
from heartrule.parsing import fold, match_choice, normalise, parse_value, repair
from heartrule.parsing.text import clauses, meant, spans, words_of

NOW = datetime(2024, 3, 6, 12, 0)
any_text = st.text(st.characters(exclude_categories=()), max_size=60)


def value(text: str, **rules: Any) -> Any:
    found = parse_value(Variable.model_validate({"var": "x", **rules}), text, "zh-CN", NOW)
    return found.value if found else None


INTENSITY: list[dict[str, Any]] = [
    {"pattern": r"(\d+)\s*分"},
    {"pattern": "([一二三四五六七八九十]+)分"},
    {"keywords": {10: ["崩溃", "绝望"], 8: ["很难受", "非常难过"], 5: ["难过", "难受"], 2: ["平静"]}},
]


@tabled(
    ("text", "expected"),
    [
        ("7分", 7),
        ("给7分", 7),
        ("给７分", 7),
        ("我打 7 分，最近压力大", 7),
        ("七分", 7),
        ("十二分", 12),
        ("7分吧，就7分", 7),
        ("崩溃", 10),
        ("我崩溃了", 10),
        ("快崩溃了", 10),
        ("受不了，快崩溃了", 10),
        ("忍不住崩溃了", 10),
        ("很难受", 8),
        ("今天很难受，怎么办", 8),
        ("难受", 5),
        ("有点难过", 5),
        ("非常难过", 8),
        ("很平静", 2),
        ("崩溃，绝望", 10),
        ("没什么办法，很难受", 8),
        ("我没上班，很难受", 8),
        ("7", 7),
        ("没有崩溃", None),
        ("没崩溃", None),
        ("我没有崩溃", None),
        ("还不至于崩溃", None),
        ("谈不上崩溃", None),
        ("并不难过", None),
        ("不崩溃", None),
        ("从来没有感到绝望", None),
        ("崩溃？没有", None),
        ("崩溃倒没有", None),
        ("崩溃倒是没有", None),
        ("崩溃吗", None),
        ("会不会崩溃", None),
        ("怕崩溃", None),
        ("担心自己崩溃", None),
        ("如果崩溃了怎么办", None),
        ("不是没有崩溃", None),
        ("很难受但也平静", None),
        ("崩溃，有时也平静", None),
        ("不是7分", None),
        ("没有7分", None),
        ("3分或者8分", None),
        ("3分，8分", None),
        ("7分？", None),
        ("十分难过", 5),
        ("我十分难过", 5),
        ("十分平静", 2),
        ("还行", None),
        ("不知道", None),
        ("什么意思", None),
    ],
)
def test_patterns_and_keywords(text: str, expected: int | None) -> None:
    assert value(text, type="integer", rules=INTENSITY) == expected


@tabled(
    ("pattern", "text", "expected"),
    [
        ({"pattern": "叫我(.{1,8})"}, "你可以叫我小明", "小明"),
        ({"pattern": "叫我(.{1,8}?)(?:就好|吧|$)"}, "叫我小明吧", "小明"),
        ({"pattern": "(?:叫|姓)(?P<value>.+)"}, "我叫小明", "小明"),
        ({"pattern": "(我|他)叫(?P<value>.+)"}, "我叫小明", "小明"),
        ({"pattern": "小.", "value": None}, "我叫小明", "小明"),
        ({"pattern": "随便|都行", "value": "朋友"}, "随便你怎么叫", "朋友"),
        ({"pattern": "(?i)my name is ([a-z]+)"}, "My name is Ann", "Ann"),
        ({"pattern": "甲，乙"}, "甲，乙", "甲，乙"),
        ({"pattern": "(甲),乙"}, "甲，乙", "甲"),
        ({"pattern": "^(.+)$"}, "一\n二", "一\n二"),
        ({"pattern": "小(明)?"}, "小红", "小红"),
        ({"pattern": ""}, "小红", "小红"),
        ({"pattern": "("}, "小红", "小红"),
        ({"pattern": "(?=小)"}, "小红", "小红"),
        ({"pattern": "x*"}, "小红", "小红"),
        ({"keywords": {"朋友": ["随便", "都行"]}}, "随便", "朋友"),
        ({"keywords": {"友": ["friend"]}}, "a friend", "友"),
        ({"keywords": {"友": ["friend"]}}, "friendless", "friendless"),
        ({"keywords": {"友": [""]}}, "小红", "小红"),
        ({"keywords": {}}, "小红", "小红"),
        ({}, "小红", "小红"),
    ],
)
def test_text_rules(pattern: dict[str, Any], text: str, expected: str) -> None:
    assert value(text, type="text", rules=[pattern]) == expected


def test_the_first_rule_that_understands_wins() -> None:
    rules = [
        {"pattern": "^没有但是", "value": True},
        {"pattern": "^没", "value": False},
        {"keywords": {"true": ["难"]}},
    ]
    assert value("没有但是累", type="boolean", rules=rules) is True
    assert value("没有", type="boolean", rules=rules) is False
    assert value("很难", type="boolean", rules=rules) is True
    assert value("嗯", type="boolean", rules=rules) is True
    assert value("说不清楚了", type="boolean", rules=rules) is None


@pytest.mark.parametrize(
    ("keys", "text", "expected"),
    [
        ({"true": ["想死"]}, "我想死", True),
        ({"是": ["想死"]}, "我想死", True),
        ({"否": ["很安全"]}, "我很安全", False),
        ({1: ["想死"]}, "我想死", True),
        ({0: ["很安全"]}, "我很安全", False),
        ({"true": ["想死"]}, "我没有想死", None),
        ({"true": ["想死"]}, "没有", False),
        ({"true": ["想死"], "false": ["想活"]}, "想死又想活", None),
    ],
)
def test_keys_of_a_truth(keys: dict[Any, list[str]], text: str, expected: bool | None) -> None:
    assert value(text, type="boolean", rules=[{"keywords": keys}]) is expected


@pytest.mark.parametrize(
    ("rules", "text", "expected"),
    [
        ({"type": "date", "rules": [{"pattern": "(.+)分手"}]}, "昨天分手", "2024-03-05"),
        ({"type": "date", "rules": [{"pattern": "(.+)分手"}]}, "冬天分手", None),
        ({"type": "boolean", "rules": [{"pattern": "答案是(.+)"}]}, "答案是没有", False),
        ({"type": "boolean", "rules": [{"pattern": "答案是(.+)"}]}, "答案是可能", None),
        ({"type": "number", "rules": [{"pattern": "(.+)公斤"}]}, "六十二点五公斤", 62.5),
        ({"type": "enum", "options": ["好", "坏"], "rules": [{"keywords": {"坏": ["糟"]}}]}, "很糟", "坏"),
        ({"type": "object", "rules": [{"pattern": "我叫.+", "value": {"有": True}}]}, "我叫小明", {"有": True}),
        ({"type": "object"}, "我叫小明", None),
        ({"type": "list", "rules": [{"keywords": {"失眠": ["睡不着"]}}]}, "我睡不着", "失眠"),
    ],
)
def test_rules_of_other_types(rules: dict[str, Any], text: str, expected: Any) -> None:
    assert value(text, **rules) == expected


@tabled(
    ("text", "expected"),
    [
        ("爸爸、妈妈", ["爸爸", "妈妈"]),
        ("爸爸、妈妈和弟弟", ["爸爸", "妈妈", "弟弟"]),
        ("失眠，头痛，还有胃疼", ["失眠", "头痛", "胃疼"]),
        ("失眠；头痛\n胃疼。", ["失眠", "头痛", "胃疼"]),
        ("失眠以及头痛", ["失眠", "头痛"]),
        ("我有失眠、头痛", ["失眠", "头痛"]),
        ("主要是失眠", ["失眠"]),
        ("失眠、失眠", ["失眠"]),
        ("温和的人", ["温和的人"]),
        ("和平、和谐", ["和平", "和谐"]),
        ("work, sleep and friends", ["work", "sleep", "friends"]),
        ("sand", ["sand"]),
        ("妈妈", ["妈妈"]),
        ("没有", None),
        ("有", None),
        ("跳过", None),
        ("不知道", None),
        ("", None),
        ("、，", None),
        ("字" * 300, None),
    ],
)
def test_lists(text: str, expected: list[str] | None) -> None:
    assert value(text, type="list") == expected


def test_a_list_of_objects_is_beyond_reading() -> None:
    assert value("妈妈，52岁", type="list", fields=[{"name": "称呼"}, {"name": "年龄", "type": "integer"}]) is None


@tabled(
    ("text", "expected"),
    [
        ("我不知道怎么面对他，每天都很难过", "我不知道怎么面对他，每天都很难过"),
        ("  工作压力  ", "工作压力"),
        ("没有", "没有"),
        ("7", "7"),
        ("😭", "😭"),
        ("一\n二", "一\n二"),
        ("a\x00b", "ab"),
        ("a\ud800", "a\ufffd"),
        ("为什么会这样", "为什么会这样"),
        ("字" * 25_000, "字" * 20_000),
        ("", None),
        ("  \n", None),
        ("。。。", None),
        ("……", None),
        ("？", None),
        ("\u200b", None),
        ("什么意思", None),
        ("跳过", None),
        ("我不知道", None),
    ],
)
def test_text_takes_any_reply_but_repairs(text: str, expected: str | None) -> None:
    assert value(text, type="text") == expected
    assert value(text) == expected


@tabled(
    ("text", "expected"),
    [
        ("", ""),
        ("ＡＢＣ１２３", "ABC123"),
        ("我 想　哭", "我想哭"),
        ("我 love 你", "我 love 你"),
        ("a   b\tc\xa0d", "a b c d"),
        ("我\u200b想\u200d死\ufeff", "我想死"),
        ("👩\u200d👩\u200d👧\u200d👦小雨🌧\ufe0f", "👩\u200d👩\u200d👧\u200d👦小雨🌧\ufe0f"),
        ("🏃🏽\u200d♀\ufe0f", "🏃🏽\u200d♀\ufe0f"),
        ("😀\u200d死\u200d😀\u200d", "😀死😀"),
        ("😀\u200d\u200d😀", "😀😀"),
        ("\u202eabc\u202c", "abc"),
        ("好！！！", "好!"),
        ("好？！？！", "好?!?!"),
        ("好。。。", "好…"),
        ("好……", "好…"),
        ("好...", "好…"),
        ("7.5", "7.5"),
        ("，，", ","),
        ("a\r\nb\u2028c\n\n\nd", "a\nb\nc\nd"),
        (" a \n b ", "a\nb"),
        ("\x00\x1b[31m红\x07", "[31m红"),
        ("\ud800a\udfff", "a"),
        ("e\u0301", "é"),
        ("①㈠", "1(一)"),
        ("“好”‘行’", "\"好\"'行'"),
        ("~~~", "~"),
    ],
)
def test_normal_form(text: str, expected: str) -> None:
    assert normalise(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It’s 7.5分，好！", "its7.5分好"),
        ("Ａ b-Ｃ", "abc"),
        ("3. 好", "3好"),
        ("1.2.3", "1.2.3"),
        ("。！？", ""),
        ("😭", ""),
        ("\ud800", ""),
        ("STRASSE ß", "strassess"),
    ],
)
def test_folding(text: str, expected: str) -> None:
    assert fold(text) == expected


def test_words() -> None:
    assert words_of("I don’t know, really!") == "i dont know really"
    assert words_of("  ") == ""


def test_clauses_know_where_they_stand() -> None:
    text = normalise("没有，3.5分？好的（真的）1,200元. 完")
    found = list(clauses(text))
    assert [(clause.text.strip(), clause.end) for clause in found] == [
        ("没有", ","), ("3.5分", "?"), ("好的", "("), ("真的", ")"), ("1,200元", "."), ("完", ""),
    ]  # fmt: skip
    assert all(text.startswith(clause.text, clause.start) for clause in found)


@tabled(
    ("text", "word", "said"),
    [
        ("我崩溃了", "崩溃", True),
        ("没崩溃", "崩溃", False),
        ("不想说崩溃这个词", "崩溃", False),
        ("受不了崩溃了", "崩溃", True),
        ("差不多崩溃了", "崩溃", True),
        ("没办法，崩溃了", "崩溃", True),
        ("崩溃了吗", "崩溃", False),
        ("崩溃没什么", "崩溃", False),
        ("i am sad", "sad", True),
        ("i am not sad", "sad", False),
        ("i'm never ever sad", "sad", False),
        ("i don't feel sad", "sad", False),
        ("if i am sad", "sad", False),
        ("not angry, sad", "sad", True),
        ("sad?", "sad", False),
        ("saddle", "sad", None),
    ],
)
def test_what_is_meant(text: str, word: str, said: bool | None) -> None:
    found = [meant(clause, a, b) for clause in clauses(text) for a, b in spans(clause.text, word)]
    assert found == ([] if said is None else [said])


TYPES = ["text", "integer", "number", "boolean", "enum", "date", "list", "object", None]
HUGE = [
    "的" * 1_000_000,
    "a " * 500_000,
    "，" * 1_000_000,
    "7" * 1_000_000,
    "七" * 1_000_000,
    "不" * 1_000_000,
    "\u0301\u0315" * 500_000,
    "\ud800" * 1_000_000,
    "\u202e\u05d0" * 500_000,
    "\n" * 1_000_000,
    "嗯" * 3_900,
    "倒是" * 2_000,
    "有" * 190,
    "我要选" * 60,
    "i " * 90,
    "没有，" * 60,
    "3月5日" * 40,
]


@tabled("text", HUGE)
def test_huge_and_piled_up_words_take_linear_time(text: str) -> None:
    started = time.process_time()
    for kind in TYPES:
        options = ["有", "没有"] if kind == "enum" else None
        parse_value(
            Variable.model_validate({"var": "x", "type": kind, "options": options, "rules": INTENSITY}), text, now=NOW
        )
    normalise(text)
    fold(text)
    repair(text)
    match_choice(text, [("A", "愿意"), ("B", "不愿意")])
    assert time.process_time() - started < 10


@given(any_text, st.sampled_from(TYPES), st.booleans(), st.sampled_from(["zh-CN", "en"]))
def test_whatever_is_read_is_of_its_type(text: str, kind: str | None, ruled: bool, locale: str) -> None:
    options = ["有", "没有", 3] if kind == "enum" else None
    rules = Variable.model_validate(
        {"var": "x", "type": kind, "options": options, "rules": INTENSITY if ruled and kind == "integer" else None}
    )
    found = parse_value(rules, text, locale, NOW)
    if found is not None:
        assert isinstance(accept(rules, found.value, {}.get), Ok) or kind in ("integer", "number")
        found.evidence.encode()
        assert found.evidence.strip()


@given(any_text)
def test_normal_form_is_stable(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert fold(once) == fold(text)
    once.encode()
    assert not any(unicodedata.category(character) in ("Cc", "Cf", "Cs") for character in once.replace("\n", ""))


@given(any_text)
def test_folding_is_stable(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert " " not in fold(text)


@given(any_text)
def test_clauses_cover_what_is_said(text: str) -> None:
    plain = normalise(text)
    for clause in clauses(plain):
        assert clause.text.strip()
        assert plain[clause.start :].startswith(clause.text + clause.end)
