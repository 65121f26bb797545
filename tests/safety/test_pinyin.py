"""Chinese written in letters: read where it is about dying, left alone where it is not, led back to the words."""

from __future__ import annotations

import time

import pytest
from tests.safety.shipped import matcher
from tests.table import tabled

from heartrule.engine.awareness.pinyin_table import ALONE, PHRASES
from heartrule.engine.awareness.risk_text import fold, normalise


@tabled(
    ("written", "read"),
    [
        ("wo xiang si", "我想死"),
        ("wǒ xiǎng sǐ le", "我想死了"),
        ("wo3 xiang3 si3", "我想死"),
        ("WoXiangSi", "我想死"),
        ("woxiangsi", "我想死"),
        ("wo-bu-xiang-huo", "我不想活"),
        ("mei tian dou xiang si", "每天都想死"),
        ("huo zhe mei yi si", "活着没意思"),
        ("yishu xie hao le", "遗书写好了"),
        ("huo bu xia qu le", "活不下去了"),
        ("今天 wo xiang si", "今天我想死"),
        ("不xiang活了", "不想活了"),
        ("活着mei意思", "活着没意思"),
        ("遗shu写好了", "遗书写好了"),
        ("我想zisha", "我想自杀"),
        ("唔想活", "不想活"),
        ("冇意思", "没意思"),
        ("want   to  die", "want to die"),
    ],
)
def test_what_could_be_about_dying_is_read(written: str, read: str) -> None:
    assert normalise(written) == read


@tabled(
    "written",
    [
        "you can do it",
        "see you",
        "xiang gang hao wan",
        "wo hen hao",
        "i like sushi",
        "call me si",
        "a sick man",
        "le monde",
        "zhen hao",
        "he can die hard",
        "xiang ji mai le",
        "siri",
        "yao ming",
    ],
)
def test_all_else_stays_as_it_was_written(written: str) -> None:
    assert normalise(written) == written


@tabled(
    ("written", "level", "evidence"),
    [
        ("我好累, wo xiang si le", "explicit", "xiang si le"),
        ("bu xiang huo le", "explicit", "bu xiang huo le"),
        ("今天又zican了", "explicit", "zican了"),
        ("huozhe hao lei", "watch", "huozhe hao lei"),
        ("w a n t   t o   d i e", "explicit", "w a n t   t o   d i e"),
    ],
)
def test_rules_hear_it_and_quote_what_was_written(written: str, level: str, evidence: str) -> None:
    found = matcher().match(written)
    assert (found.level, found.evidence) == (level, evidence)
    assert written[found.start : found.end] == evidence


def test_a_syllable_that_no_word_is_known_of_does_not_hide_the_rest() -> None:
    assert "想死" in normalise("wo ji xiang si")


def test_the_table_gives_one_character_a_syllable() -> None:
    assert [word for word, signs in PHRASES.items() if len(word) != len(signs)] == []
    assert all(len(signs) <= len(letters) for letters, signs in ALONE.items())


@pytest.mark.parametrize("unit", ["xiang ", "xiangsi", "a", "zi ", "si我", "我si "], ids=repr)
def test_letters_without_end_take_a_moment(unit: str) -> None:
    long = (unit * 1_000_000)[:1_000_000]
    for text in (long, long[:20_000]):
        began = time.process_time()
        fold(text, "joined")
        assert time.process_time() - began < 3
