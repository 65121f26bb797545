"""From what a model wrote to an object, or to the reasons why not."""

from __future__ import annotations

import json
import math
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.llm.material import ASK, GOOD, VERDICTS
from tests.table import tabled

from heartrule.llm.parsing import READ_LIMIT, REPAIR_LIMIT, parse

GOOD_TEXT = json.dumps(GOOD, ensure_ascii=False)
SAID = {"content": "好"}

TABLE: list[tuple[str, str | None]] = [
    ('{"content":"好"}', "direct"),
    (' \n {"content":"好"}\n', "direct"),
    ('{"content":"第一行\n第二行"}', "direct"),
    ('\ufeff{"content":"好"}', "trimmed"),
    ('\u3000{"content":"好"}\u200b', "trimmed"),
    ('<think>先想想 {"a":1}</think>\n{"content":"好"}', "trimmed"),
    ('<think>第一</think>再想</think>{"content":"好"}', "trimmed"),
    ('```json\n{"content":"好"}\n```', "fenced"),
    ('```JSON\r\n{"content":"好"}\r\n```', "fenced"),
    ('```\n{"content":"好"}\n```', "fenced"),
    ('```{"content":"好"}```', "fenced"),
    ('好的，这是结果：\n```json\n{"content":"好"}\n```\n希望有帮助', "fenced"),
    ('结果如下 {"content":"好"} 以上', "fenced"),
    ('<think>想</think>\n```json\n{"content":"好"}\n```', "fenced"),
    ('{"content":"好"', "repaired"),
    ('{"content":"好",}', "repaired"),
    ("{'content':'好'}", "repaired"),
    ('{content:"好"}', "repaired"),
    ('{"content":"好"} // 完', "fenced"),
    ('```json\n{"content":"好",\n```', "repaired"),
    ('{"content":"他说"没事"就走了"}', "repaired"),
    ('{"content":"好"}{"content":"坏"}', "repaired"),
    ("", None),
    ("   ", None),
    ("好的，我们继续。", None),
    ("[1,2]", None),
    ('"好"', None),
    ("null", None),
    ("42", None),
    ("true", None),
    ('{"content":"没说完', None),
    ('前言 {"EXIT":"NO","content":"半句', None),
]


@tabled(("text", "strategy"), TABLE)
def test_strategies(text: str, strategy: str | None) -> None:
    parsed = parse(text, ASK, ("content",))
    assert parsed.strategy == strategy
    if strategy is None:
        assert parsed.data is None
        assert parsed.problem
        assert parsed.tried == ("direct", "trimmed", "fenced", "repaired")
    else:
        assert parsed.data is not None
        assert parsed.data["content"]
        assert parsed.problem == ""


def test_tries_are_recorded_in_order_with_why_they_failed() -> None:
    parsed = parse('结果：```json\n{"content":"好",}\n```')
    assert parsed.tried == ("direct", "trimmed", "fenced", "repaired")
    assert [bool(each.problem) for each in parsed.tries] == [True, True, True, False]
    assert "not JSON" in parsed.tries[0].problem
    assert parsed.tries[1].problem == "nothing to trim"


def test_problems_do_not_quote_the_answer() -> None:
    for text in ("来访者的秘密", '{"来访者的秘密"', '["来访者的秘密"]', '{"a": 来访者的秘密}'):
        parsed = parse(text, ASK, ("content",))
        assert "秘密" not in parsed.problem + "".join(each.problem for each in parsed.tries)


@pytest.mark.parametrize(("text", "kind"), [("[1]", "a list"), ('"x"', "a text"), ("3", "a number"), ("null", "null")])
def test_it_must_be_an_object(text: str, kind: str) -> None:
    assert kind in parse(text).tries[0].problem


@pytest.mark.parametrize("value", ["", "  \n", None])
def test_required_keys_must_hold_something(value: Any) -> None:
    parsed = parse(json.dumps({"EXIT": "NO", "content": value}), ASK, ("EXIT", "content"))
    assert parsed.data is None
    assert parsed.problem == "missing or unusable: content"


def test_a_required_key_that_is_illegal_is_missing() -> None:
    assert parse('{"EXIT":"也许","content":"好"}', ASK, ("EXIT", "content")).problem == "missing or unusable: EXIT"


def test_an_empty_object_or_false_is_something() -> None:
    assert parse('{"values":{},"understood":false}', None, ("values", "understood")).data is not None


def test_a_whole_answer() -> None:
    parsed = parse(GOOD_TEXT, ASK, ("EXIT", "content"))
    assert parsed.data == GOOD
    assert parsed.dropped == ()


def test_a_later_strategy_may_find_what_is_required() -> None:
    text = '{"thought": 1}\n```json\n{"content":"好"}\n```'
    assert parse(text, ASK, ("content",)).data == SAID


def test_numbers_that_json_does_not_know_are_not_let_in() -> None:
    for text in ('{"a": NaN}', '{"a": Infinity}', '{"a": 1e999}', '{"a": ' + "9" * 10_000 + "}"):
        parsed = parse(text)
        assert parsed.strategy != "direct"
        for value in (parsed.data or {}).values():
            assert not isinstance(value, float) or math.isfinite(value)


def test_what_databases_refuse_is_taken_out() -> None:
    parsed = parse('{"content":"好\\u0000的\\ud83d","\\u0000k":["\\udc00"],"face":"\\ud83d\\ude00"}')
    assert parsed.data is not None
    assert parsed.data["content"] == "好的\ufffd"
    assert parsed.data["face"] == "😀"
    json.dumps(parsed.data, ensure_ascii=False).encode("utf-8")
    assert "\0" not in json.dumps(parsed.data, ensure_ascii=False)


@tabled(
    "text",
    [
        "字" * 1_000_000,
        "{" * 1_000_000,
        "[" * 1_000_000,
        '{"a":' * 200_000,
        '{"content":"' + "字" * 1_000_000,
        "`" * 1_000_000,
        "```json\n" * 120_000,
        " " * 1_000_000,
        "<think>" * 140_000,
        "</think>" * 120_000,
        '{"a":"' + '\\"' * 400_000,
        "{" * (REPAIR_LIMIT - 1),
        '{"a":' * (REPAIR_LIMIT // 5 - 1),
        "[" * 10 + '{"a":[' * 3000,
        "{'" * 9_000,
        "{'" * 3_000,
        "{" + ",{ " * 12 + "a " * 2_900,
        "{" + "\n““" * 100 + "a" * 5_600,
        '{"a":"' + "\\} " * 140 + " " * 5_400,
        '{"' * 9_000,
        "{a:" * 6_000,
        "x" * (READ_LIMIT + 1),
    ],
)
def test_a_megabyte_of_anything_does_not_stall(text: str) -> None:
    began = time.process_time()
    parsed = parse(text, ASK, ("content",))
    assert time.process_time() - began < 1.0
    assert parsed.data is None


def test_a_large_answer_that_is_json_is_read() -> None:
    text = json.dumps({"content": "字" * 300_000}, ensure_ascii=False)
    assert parse(text, ASK, ("content",)).strategy == "direct"
    assert parse(f"```json\n{text}\n```", ASK, ("content",)).strategy == "fenced"


@given(st.text(max_size=400))
@settings(max_examples=300, deadline=None)
def test_nothing_a_model_writes_raises(text: str) -> None:
    for written in (text, "{" + text, '{"content":' + text, f"```json\n{text}"):
        parsed = parse(written, ASK, ("content",))
        assert (parsed.data is None) == bool(parsed.problem)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KEYS = st.sampled_from([*ASK["properties"], *VERDICTS["properties"], "response", "其他"])


@given(st.dictionaries(KEYS, JSON, max_size=6))
@settings(max_examples=300, deadline=None)
def test_no_object_raises_and_what_is_kept_is_legal(answer: dict[str, Any]) -> None:
    parsed = parse(json.dumps(answer), ASK)
    assert parsed.data is not None or "NaN" in json.dumps(answer) or "Infinity" in json.dumps(answer)
    kept = parsed.data or {}
    assert kept.get("EXIT", "NO") in ("YES", "NO")
    assert isinstance(kept.get("content", ""), str)
    assert isinstance(kept.get("values", {}), dict)


@given(st.dictionaries(st.text(max_size=10), st.text(max_size=30), min_size=1))
@settings(max_examples=100, deadline=None)
def test_the_same_object_comes_out_of_every_wrapping(answer: dict[str, str]) -> None:
    text = json.dumps(answer, ensure_ascii=True)
    plain = parse(text).data
    assert parse(f"\ufeff{text}").data == plain
    assert parse(f"```json\n{text}\n```").data == plain
