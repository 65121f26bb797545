"""An answer read as it comes is the answer read whole, as far as it has come."""

from __future__ import annotations

import json
import re
import time
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.language.texts.visible import visible
from heartrule.llm import partial
from heartrule.llm.parsing import parse, storable
from heartrule.llm.partial import CONTENT_LIMIT, DEPTH, Partial

Found = tuple[dict[str, Any] | None, str, bool, bool]


def cut(text: str, sizes: list[int]) -> list[str]:
    pieces, at = [], 0
    for size in sizes:
        pieces.append(text[at : at + size])
        at += size
    return [*pieces, text[at:]]


def read(pieces: list[str]) -> Found:
    answer = Partial()
    for piece in pieces:
        answer.feed(piece)
    return answer.head, answer.content, answer.closed, answer.lost


GOOD: list[tuple[str, dict[str, Any], str]] = [
    ('{"content":"好"}', {}, "好"),
    ('{"content":""}', {}, ""),
    (' \n\ufeff\u3000{ "content" : "好" , "z": 1 }', {}, "好"),
    ('{"EXIT":"NO","values":[{"name":"x","value":{"content":"别"}}],"content":"好"}', {"EXIT": "NO"}, "好"),
    ('{"a":"\\"content\\":\\"x\\"","content":"好"}', {"a": '"content":"x"'}, "好"),
    ('{"a":"content","content":"好"}', {"a": "content"}, "好"),
    ('{"a":"}]{\\\\","content":"好"}', {"a": "}]{\\"}, "好"),
    ('{"con\\u0074ent":"好"}', {}, "好"),
    ('{"contents":1,"content":"好"}', {"contents": 1}, "好"),
    ('{"a":"行\n行","content":"第一行\n第二行\t。"}', {"a": "行\n行"}, "第一行\n第二行\t。"),
    ('{"content":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u597d"}', {}, '"\\/\b\f\n\r\t好'),
    ('{"content":"\\ud83d\\ude00"}', {}, "😀"),
    ('{"content":"a\\ud83d。"}', {}, "a\ufffd。"),
    ('{"content":"a\\ud83d"}', {}, "a\ufffd"),
    ('{"content":"\\ude00\\ud83d\\ud83d\\ude00"}', {}, "\ufffd\ufffd😀"),
    ('{"content":"\\ud83d\\u0000\\ude00\0"}', {}, "😀"),
    ('{"a":"\\ud83d\\u0000","content":"好"}', {"a": "\ufffd"}, "好"),
    ('{"content":"好",}', {}, "好"),
    ('```json\n{"content":"好"}\n```', {}, "好"),
    ('```\r\n {"content":"好"}', {}, "好"),
    ('```{"content":"好"}```', {}, "好"),
    ('<think>先想 {"content":"别"} < </thin ></think>\n\n{"content":"好"}', {}, "好"),
    ('<think></think>```JSON\n{"content":"好"}', {}, "好"),
    ('{"content":"好"}{"content":"坏"}', {}, "好"),
    ('{"content":"好"} 完', {}, "好"),
]


@tabled(("text", "head", "content"), GOOD)
def test_what_can_be_read_as_it_comes(text: str, head: dict[str, Any], content: str) -> None:
    found, said, closed, lost = read([text])
    assert (said, closed, lost) == (content, True, False)
    assert found is not None
    assert head.items() <= found.items()
    assert read(list(text)) == (found, said, closed, lost)


@tabled(
    "text",
    [
        "好的。",
        '好的，这是结果：{"content":"好"}',
        '[{"content":"好"}]',
        '"content"',
        "null",
        '{"content":null}',
        '{"content":{"text":"好"}}',
        '{"content":["好"]}',
        '{"content":7}',
        '{"content" "好"}',
        "{'content':'好'}",
        '{content:"好"}',
        "{}",
        '{"a":1}',
        '{"response":{"咨询师":"好"}}',
        '{"a":NaN,"content":"好"}',
        '{"a":1e999,"content":"好"}',
        '{"a":1,,"content":"好"}',
        '{,"content":"好"}',
        '{"a":"content":"好"}',
        '{"a" 1,"content":"好"}',
        '{"a":1 "content":"好"}',
        '{"a":1\u3000,"content":"好"}',
        '{"a":[1},"content":"好"}',
        '{"a":"\\x","content":"好"}',
        '{"\\x":1,"content":"好"}',
        '{"a":' + "[" * DEPTH + "]" * DEPTH + ',"content":"好"}',
        "`{}",
        "```" + "a" * 17,
        "```json```json\n{",
        "<think></think><think></think>{",
        "<thinking>",
        "<b>",
        "}",
    ],
)
def test_what_cannot(text: str) -> None:
    assert read([text]) == (None, "", False, True)
    assert read(list(text)) == (None, "", False, True)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ('{"content":"他说"没事"就走了"}', "他说"),
        ('{"content":"he said "no", then"}', "he said "),
        ('{"content":"好\\x"}', "好"),
        ('{"content":"好\\u12"}', "好"),
        ('{"content":"好":1}', "好"),
        ('{"content":"好",,}', "好"),
        ('{"content":"好",]', "好"),
    ],
)
def test_what_goes_wrong_within_stays_as_far_as_it_came(text: str, content: str) -> None:
    assert read([text]) == ({}, content, False, True)
    assert read(list(text)) == ({}, content, False, True)


def test_it_comes_letter_by_letter() -> None:
    answer = Partial()
    seen: list[tuple[bool, str, bool]] = []
    for piece in ('{"EXIT":"NO","con', 'tent":', ' "', "听起", "来\\", "n\\ud83d", "\\ude0", "0。", '"', "}"):
        answer.feed(piece)
        seen.append((answer.head is not None, answer.content, answer.closed))
    assert seen == [
        (False, "", False),
        (False, "", False),
        (True, "", False),
        (True, "听起", False),
        (True, "听起来", False),
        (True, "听起来\n", False),
        (True, "听起来\n", False),
        (True, "听起来\n😀。", False),
        (True, "听起来\n😀。", False),
        (True, "听起来\n😀。", True),
    ]
    assert answer.head == {"EXIT": "NO"}


def test_what_comes_after_the_end_changes_nothing() -> None:
    answer = Partial()
    for piece in ('{"content":"好"}', '"', '"content":"坏"', "\0"):
        answer.feed(piece)
    assert (answer.content, answer.closed, answer.lost) == ("好", True, False)


TEXTS = st.text(st.characters(codec=None), max_size=12) | st.sampled_from(
    ["content", '"', "\\", "\\u", "\ud83d", "\ude00", "\ud83d\ude00", "\0", "{", "}", "</think>", "```", "好。", "😀"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
HEADS = st.dictionaries(TEXTS.filter(lambda key: key.replace("\0", "") != "content"), VALUES, max_size=4)
AROUND = st.sampled_from(
    [("", ""), (" \ufeff\n", "\n"), ("```json\n", "\n```"), ("<think>{想 </think", "</think>\n"), ("```", "```")]
).map(lambda pair: (pair[0] + pair[1], "") if pair[0].startswith("<") else pair)
SURROGATE = re.compile("[\ud800-\udfff]")
SIZES = st.lists(st.integers(0, 7), max_size=200)


@settings(max_examples=400)
@given(
    head=HEADS,
    content=st.lists(TEXTS, max_size=6).map("".join),
    tail=HEADS,
    ascii_only=st.booleans(),
    indent=st.none() | st.integers(0, 2),
    around=AROUND,
    sizes=SIZES,
)
@example({"a": {"content": "x"}}, "\ud83d", {}, True, None, ("", ""), [1] * 40)
def test_any_answer_cut_anyhow_is_read_as_the_whole(
    head: dict[str, Any],
    content: str,
    tail: dict[str, Any],
    ascii_only: bool,
    indent: int | None,
    around: tuple[str, str],
    sizes: list[int],
) -> None:
    later = {key: value for key, value in tail.items() if key not in head}
    text = json.dumps({**head, "content": content, **later}, ensure_ascii=ascii_only, indent=indent)
    whole = storable(json.loads(text, strict=False))
    found, said, closed, lost = read(cut(around[0] + text + around[1], sizes))
    assert (said, closed, lost) == (whole["content"], True, False)
    assert found == storable(json.loads(json.dumps(head)))
    if ascii_only or not SURROGATE.search(content):
        parsed = parse(text)
        assert parsed.data is not None
        assert parsed.data["content"] == visible(said)


GARBAGE = st.lists(
    st.sampled_from(['{"', '":"', '","', '"}', "content", "\\", "\\u", "d83d", "{", "}", "[", "]", ":", ",", '"', " "])
    | st.sampled_from(
        ["<think>", "</think>", "`", "```", "json", "\n", "\ufeff", "好", "\0", "\ud83d", "1e9", "-", "NaN"]
    )
    | st.text(max_size=4),
    max_size=40,
).map("".join)


@settings(max_examples=400)
@given(text=GARBAGE, sizes=SIZES)
@example('{"content":"', [])
@example("<think>", [1] * 9)
def test_garbage_never_raises_and_is_the_same_however_it_is_cut(text: str, sizes: list[int]) -> None:
    assert read(cut(text, sizes)) == read([text])


@settings(max_examples=300)
@given(content=st.text(max_size=20), garbage=GARBAGE, sizes=SIZES)
def test_content_only_ever_grows(content: str, garbage: str, sizes: list[int]) -> None:
    answer, seen, states = Partial(), "", [(False, False)]
    for piece in cut('{"a":1,"content":' + json.dumps(content)[:-1] + garbage, sizes):
        answer.feed(piece)
        assert answer.content.startswith(seen)
        seen = answer.content
        states.append((answer.closed, answer.lost))
    assert all(after >= before for before, after in pairwise(states))


@pytest.mark.parametrize("beyond", [0, 1])
def test_there_is_an_end_to_what_is_read(beyond: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partial, "HEAD_LIMIT", 500)
    monkeypatch.setattr(partial, "CONTENT_LIMIT", 600)
    start = '{"a":"","content"'
    long = '{"a":"' + "x" * (500 - len(start) + beyond) + '","content":"好"}'
    for pieces in ([long], list(long)):
        found, content, closed, lost = read(pieces)
        assert (found is None, content, closed, lost) == (
            bool(beyond),
            "" if beyond else "好",
            not beyond,
            bool(beyond),
        )
    for mark in ("字", "\\n", "\\ud83d"):
        said = '{"content":"' + mark * (600 + beyond) + '"}'
        for pieces in ([said], list(said)):
            _, content, closed, lost = read(pieces)
            assert (len(content), closed, lost) == (600, not beyond, bool(beyond))


HUGE = {
    "blanks": " ",
    "thoughts": "想",
    "tags": "</think",
    "letters": "字",
    "escapes": "\\n",
    "halves": "\\ud83d",
    "brackets": "[]",
    "texts": '"",',
    "commas": ",",
    "keys": '"content",',
    "after": " ",
}
STARTS = {
    "thoughts": "<think>",
    "tags": "<think>",
    "letters": '{"content":"',
    "escapes": '{"content":"',
    "halves": '{"content":"',
    "brackets": '{"a":',
    "texts": '{"a":[',
    "commas": '{"a":',
    "keys": '{"a":[',
    "after": '{"content":"好"',
}


@tabled("kind", HUGE)
@tabled("size", [1, 1000, 10**7])
def test_however_much_comes_it_takes_little_time_and_room(kind: str, size: int) -> None:
    """300,000 characters, letter by letter or at once; what is read of it stays below the limits."""
    text = STARTS.get(kind, "") + HUGE[kind] * (300_000 // len(HUGE[kind]))
    answer = Partial()
    began = time.process_time()
    for at in range(0, len(text), size):
        answer.feed(text[at : at + size])
    assert time.process_time() - began < 5
    assert len(answer.content) <= CONTENT_LIMIT
