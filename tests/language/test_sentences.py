"""Sentences as they come: where they end, and that nothing is lost on the way."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.language.sentences import Sentences

TABLE: list[tuple[str, list[str], str]] = [
    ("", [], ""),
    ("你好", [], "你好"),
    ("你好。", [], "你好。"),
    ("你好。我", ["你好。"], "我"),
    ("听起来这几天很累。你愿意多说一点吗？", ["听起来这几天很累。"], "你愿意多说一点吗？"),
    ("真好！真的？！是；好｡嗯", ["真好！", "真的？！", "是；", "好｡"], "嗯"),
    ("我……我不知道…然后", ["我……", "我不知道…"], "然后"),
    ("她说：“我累了。”然后走了。", ["她说：“我累了。”"], "然后走了。"),
    ("「好。」』【他】", ["「好。」』"], "【他】"),
    ("（我很累。）好", ["（我很累。）"], "好"),
    ("好。　\n\n再来", ["好。　\n\n"], "再来"),
    ("第一行\n第二行", ["第一行\n"], "第二行"),
    ("第一行\r\n\u2028第二行", ["第一行\r\n\u2028"], "第二行"),
    ("\n\n 你好。好", ["\n\n 你好。"], "好"),
    (" \n ", [], " \n "),
    ("真的吗?我想!好", ["真的吗?", "我想!"], "好"),
    ("真的吗?OK", [], "真的吗?OK"),
    ("版本3.5和3.6.好", [], "版本3.5和3.6.好"),
    ("。。。好", ["。。。"], "好"),
    ("好。 。好", ["好。 ", "。"], "好"),
    ("I see. You are tired! Are you? Yes", ["I see. ", "You are tired! ", "Are you? "], "Yes"),
    ("It is 3.5 today. Next", ["It is 3.5 today. "], "Next"),
    ("Some, e.g. Sam or i.e. Tom. Next", ["Some, e.g. Sam or i.e. Tom. "], "Next"),
    ("(e.g. Sam) rests. Next", ["(e.g. Sam) rests. "], "Next"),
    ("Ask Dr. Smith or Mrs. Jones. Next", ["Ask Dr. Smith or Mrs. Jones. "], "Next"),
    ("J. K. Rowling wrote. Next", ["J. K. Rowling wrote. "], "Next"),
    ("So do I. Then", ["So do I. "], "Then"),
    ("At 3 p.m. we met. Next", ["At 3 p.m. we met. "], "Next"),
    ("1. First. 2. Second. Next", ["1. First. ", "2. Second. "], "Next"),
    ("That was in 2024. Then", ["That was in 2024. "], "Then"),
    ("Well... Yes", ["Well... "], "Yes"),
    ("Well... maybe. Next", ["Well... maybe. "], "Next"),
    ("Really?! Yes", ["Really?! "], "Yes"),
    ("“Tired?” she asked. Next", ["“Tired?” she asked. "], "Next"),
    ('"I am tired. I want home." Next', ['"I am tired. ', 'I want home." '], "Next"),
    ("'It's fine.' Next", ["'It's fine.' "], "Next"),
    ("don't. 'Next' one", ["don't. "], "'Next' one"),
    ('走了。"你好。"好', ["走了。", '"你好。"'], "好"),
    ("走了。'你好。'好", ["走了。", "'你好。'"], "好"),
    ('"开头\n新行。"好', ['"开头\n', "新行。"], '"好'),
    ("see a.com. Next", ["see a.com. "], "Next"),
    ("a.b.c.d", [], "a.b.c.d"),
    ("好。😊我们", ["好。"], "😊我们"),
    ("我想想. 好的", ["我想想. "], "好的"),
]


def cut(text: str, sizes: list[int]) -> list[str]:
    pieces, at = [], 0
    for size in sizes:
        pieces.append(text[at : at + size])
        at += size
    return [*pieces, text[at:]]


def read(pieces: list[str]) -> tuple[list[str], str]:
    sentences = Sentences()
    found = [each for piece in pieces for each in sentences.feed(piece)]
    return found, sentences.rest


@tabled(("text", "whole", "rest"), TABLE)
def test_where_sentences_end(text: str, whole: list[str], rest: str) -> None:
    assert read([text]) == (whole, rest)
    assert read(list(text)) == (whole, rest)


def test_a_sentence_is_given_with_the_first_character_of_the_next() -> None:
    sentences = Sentences()
    assert [sentences.feed(piece) for piece in ("你好", "。", "”", " ", "我")] == [[], [], [], [], ["你好。” "]]
    assert sentences.rest == "我"


WORDS = st.lists(
    st.one_of(
        st.sampled_from([*"。！？…；.!?“”\"'()（）「」 \n\t　，,1aAzZ我好", "Dr", "e.g", "I", "3.5", "不是", "\u2028"]),
        st.text(max_size=3),
    ),
    max_size=60,
).map("".join)


@given(text=WORDS, sizes=st.lists(st.integers(0, 5), max_size=80))
@example(text='"a.', sizes=[1, 1, 1])
def test_nothing_is_lost_however_it_is_cut(text: str, sizes: list[int]) -> None:
    whole, rest = read([text])
    assert read(cut(text, sizes)) == (whole, rest)
    assert "".join(whole) + rest == text
    assert all(each.strip() for each in whole)


@given(text=WORDS, more=WORDS)
def test_what_was_given_is_never_taken_back(text: str, more: str) -> None:
    whole, _ = read([text])
    assert read([text + more])[0][: len(whole)] == whole


@given(st.lists(st.text("我你他累好想", min_size=1, max_size=9), min_size=1, max_size=9))
def test_plain_chinese_is_cut_at_every_full_stop(parts: list[str]) -> None:
    sentences = [f"{part}。" for part in parts]
    assert read(["".join([*sentences, "完"])]) == (sentences, "完")


@pytest.mark.parametrize("text", ["。", "我", " ", "a.", "。”", "\n", "'", "Dr. ", "e.g. ", "我?"])
def test_a_long_text_takes_no_longer_a_character(text: str) -> None:
    """Letter by letter, as the worst of wires would bring it."""

    def seconds(length: int) -> float:
        began = time.process_time()
        read(list(text * (length // len(text))))
        return time.process_time() - began

    seconds(2_000)
    assert seconds(100_000) < 50 * max(seconds(10_000), 0.005)
