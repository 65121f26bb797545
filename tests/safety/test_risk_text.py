"""Folding: what disguises are taken off, and that every folded character can be traced to where it was written."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.engine.awareness.risk_text import View, fold, normalise


@tabled(
    ("written", "folded"),
    [
        ("", ""),
        ("我 想　死", "我想死"),
        ("ＡＢＣ，！？；", "abc,!?;"),
        ("我\u200b想\u200d死\ufeff", "我想死"),
        ("自殺 遺書 結束生命 跳樓 藥", "自杀遗书结束生命跳楼药"),
        ("想💀", "想死"),
        ("🔪自己", "刀自己"),
        ("好😭想😭死", "好想死"),
        ("d\u0336i\u0336e\u0336", "die"),
        ("café", "cafe"),
        ("a\tb\xa0c", "a b c"),
        ("a\r\nb\u2028c", "a\n\nb\nc"),
        ("我想……死", "我想死"),
        ("自*杀 自.杀 自-杀 自/杀", "自杀自杀自杀自杀"),
        ("3.5 分", "3.5 分"),
        ("I want to", "i want to"),
        ("想 die 了", "想 die 了"),
        ("\x00\ud800\u202e", ""),
        ("①", "1"),
        ("我。想。死", "我。想。死"),
    ],
)
def test_folding(written: str, folded: str) -> None:
    assert normalise(written) == folded


@pytest.mark.parametrize(
    ("written", "joined"),
    [
        ("我\n不想活", "我不想活"),
        ("want\nto\ndie", "want to die"),
        ("我\n\n\nok", "我ok"),
        ("我，不，想，活", "我不想活"),
        ("我！想！死", "我想死"),
        ("k i l l myself", "kill myself"),
        ("k.m.s", "kms"),
        ("我想，死", "我想，死".replace("，", ",")),
        ("今天很难受，不想活", "今天很难受,不想活"),
    ],
)
def test_joining(written: str, joined: str) -> None:
    assert fold(written, "joined").text == joined


@tabled(
    ("written", "unmasked"),
    [
        ("#killmyself", "kill myself"),
        ("#iwanttodie now", "i want to die now"),
        ("I-want_to-die", "i want to die"),
        ("IWantToKillMyself", "i want to kill myself"),
        ("**kill** myself", "kill myself"),
        ("k1ll mys3lf, su1c1de, ki!! myse1f", "kill myself, suicide, kill myself"),
        ("kill🔪myself", "kill myself"),
        ("#自杀", "自杀"),
        ("room b2b on 3-5 May, 4ever", "room b2b on 3 5 may, 4ever"),
        ("skilled skillmyselfs", "skilled skillmyselfs"),
    ],
)
def test_unmasking(written: str, unmasked: str) -> None:
    assert fold(written, "unmasked").text.strip() == unmasked


@pytest.mark.parametrize(
    ("simplified", "traditional"),
    [
        ("我想结束自己的生命", "我想結束自己的生命"),
        ("写遗书", "寫遺書"),
        ("安眠药", "安眠藥"),
        ("从楼上跳下去", "從樓上跳下去"),
        ("没有活着的意义", "沒有活著的意義"),
        ("绝望", "絕望"),
        ("想离开这个世界", "想離開這個世界"),
        ("烧炭", "燒炭"),
        ("撑不下去了", "撐不下去了"),
        ("伤害自己", "傷害自己"),
        ("农药", "農藥"),
        ("割脉", "割脈"),
    ],
)
def test_traditional_characters_read_as_simplified(simplified: str, traditional: str) -> None:
    assert normalise(traditional) == simplified


@given(st.text(max_size=200), st.sampled_from(["lines", "joined", "unmasked"]))
@settings(max_examples=400, deadline=None)
def test_every_piece_leads_back_to_the_original(text: str, view: View) -> None:
    folded = fold(text, view)
    for at in range(len(folded.text)):
        start, end = folded.span(at, at + 1)
        assert 0 <= start < end <= len(text)
    if folded.text:
        start, end = folded.span(0, len(folded.text))
        assert 0 <= start < end <= len(text)


@given(st.text(max_size=200))
@settings(max_examples=300, deadline=None)
def test_folding_is_clean(text: str) -> None:
    folded = normalise(text)
    folded.encode()
    assert "\x00" not in folded
    assert "\u200b" not in folded
    assert normalise(folded).replace(" ", "") == folded.replace(" ", "")


@pytest.mark.parametrize(
    "unit", [" ", " \n", "\n", "a.", "我，", "…", "-", "想死", "\u200b", "*", "#", "kill", "k1", "aB", "😀"], ids=repr
)
def test_the_work_grows_with_the_length_of_the_words(unit: str) -> None:
    """20,000 characters of anything are folded in a moment: nobody can hold everybody else up with them."""
    long = "a" + (unit * 20_000)[:19_998] + "b"
    began = time.process_time()
    fold(long)
    fold(long, "unmasked")
    assert time.process_time() - began < 1.5
