"""Raw values to typed ones: what each type takes, and that a person's words never pass for a typed value."""

from __future__ import annotations

import json
import math
from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.language.nodes import Get, Variable, VariableRules
from heartrule.language.patterns import compiled, storable
from heartrule.language.values import MAX_ITEMS, MAX_TEXT, Bad, Ok, coerce, type_name

TYPES = ["text", "integer", "number", "boolean", "enum", "date", "list", "object", None]


def rules(type_: str | None, **more: Any) -> Variable:
    return Variable.model_validate({"var": "x", "type": type_, **more})


def outcome(type_: str | None, raw: Any, **more: Any) -> Any:
    """The coerced value, or the code of the refusal in brackets."""
    found = coerce(rules(type_, **more), raw)
    return found.value if isinstance(found, Ok) else f"[{found.code}]"


@tabled(
    ("type_", "raw", "expected"),
    [
        ("integer", 7, 7),
        ("integer", 7.0, 7),
        ("integer", "7", 7),
        ("integer", " 7 ", 7),
        ("integer", "７", 7),
        ("integer", "+7", 7),
        ("integer", "-7", -7),
        ("integer", "－７", -7),
        ("integer", "7.0", 7),
        ("integer", 0, 0),
        ("integer", "007", 7),
        ("integer", 7.5, "[not_integer]"),
        ("integer", "7.5", "[not_integer]"),
        ("integer", "七", "[not_number]"),
        ("integer", "七八分吧", "[not_number]"),
        ("integer", "7分", "[not_number]"),
        ("integer", "大概7", "[not_number]"),
        ("integer", "7 8", "[not_number]"),
        ("integer", "1,000", "[not_number]"),
        ("integer", "1_000", "[not_number]"),
        ("integer", "0x10", "[not_number]"),
        ("integer", "1e3", "[not_number]"),
        ("integer", "", "[not_number]"),
        ("integer", True, "[not_number]"),
        ("integer", False, "[not_number]"),
        ("integer", [7], "[not_number]"),
        ("integer", {"value": 7}, "[not_number]"),
        ("integer", None, "[missing]"),
        ("integer", float("nan"), "[not_number]"),
        ("integer", float("inf"), "[not_number]"),
        ("integer", 10**15, 10**15),
        ("integer", 10**16, "[too_large]"),
        ("integer", 10**400, "[too_large]"),
        ("integer", -(10**16), "[too_large]"),
        ("integer", "9" * 16, "[not_number]"),
        ("integer", 1e300, "[too_large]"),
        ("number", 7, 7),
        ("number", 7.5, 7.5),
        ("number", "7.5", 7.5),
        ("number", "７．５", 7.5),
        ("number", "7.0", 7),
        ("number", "-0.5", -0.5),
        ("number", ".5", "[not_number]"),
        ("number", "5.", "[not_number]"),
        ("number", "nan", "[not_number]"),
        ("number", "Infinity", "[not_number]"),
        ("number", "50%", "[not_number]"),
        ("number", "3.5小时", "[not_number]"),
        ("number", True, "[not_number]"),
        ("boolean", True, True),
        ("boolean", False, False),
        ("boolean", "true", True),
        ("boolean", "False", False),
        ("boolean", " TRUE ", True),
        ("boolean", "是", "[not_boolean]"),
        ("boolean", "没有", "[not_boolean]"),
        ("boolean", "yes", "[not_boolean]"),
        ("boolean", "", "[not_boolean]"),
        ("boolean", 1, "[not_boolean]"),
        ("boolean", 0, "[not_boolean]"),
        ("boolean", 1.0, "[not_boolean]"),
        ("boolean", [], "[not_boolean]"),
        ("boolean", None, "[missing]"),
        ("text", "你好", "你好"),
        ("text", "  你好\n", "你好"),
        ("text", "", ""),
        ("text", 7, "7"),
        ("text", 7.0, "7"),
        ("text", 7.25, "7.25"),
        ("text", True, "[not_text]"),
        ("text", ["a"], "[not_text]"),
        ("text", {"a": 1}, "[not_text]"),
        ("text", float("nan"), "[not_text]"),
        ("text", None, "[missing]"),
        ("text", "a\x00b", "ab"),
        ("text", "a\ud800b", "a\ufffdb"),
        ("text", "字" * MAX_TEXT, "字" * MAX_TEXT),
        ("text", "字" * (MAX_TEXT + 1), "[too_long]"),
        ("date", "2024-03-05", "2024-03-05"),
        ("date", "2024/3/5", "2024-03-05"),
        ("date", "2024.3.5", "2024-03-05"),
        ("date", "2024年3月5日", "2024-03-05"),
        ("date", "２０２４-０３-０５", "2024-03-05"),
        ("date", "2024-03-05T10:00:00Z", "2024-03-05"),
        ("date", "2024-03-05 23:59", "2024-03-05"),
        ("date", date(2024, 3, 5), "2024-03-05"),
        ("date", datetime(2024, 3, 5, 23, 0), "2024-03-05"),
        ("date", "2024-02-29", "2024-02-29"),
        ("date", "2023-02-29", "[not_date]"),
        ("date", "2024-13-01", "[not_date]"),
        ("date", "昨天", "[not_date]"),
        ("date", "三月五号", "[not_date]"),
        ("date", "3月5日", "[not_date]"),
        ("date", "03/05/2024", "[not_date]"),
        ("date", "2024", "[not_date]"),
        ("date", 20240305, "[not_date]"),
        ("date", "", "[not_date]"),
        ("date", "9" * 100, "[not_date]"),
        ("enum", "随便什么", "随便什么"),
        ("enum", True, "[not_text]"),
        ("list", ["a", 1, None], ["a", 1, None]),
        ("list", ("a",), ["a"]),
        ("list", [], []),
        ("list", "a、b", "[not_list]"),
        ("list", {"a": 1}, "[not_list]"),
        ("list", 3, "[not_list]"),
        ("list", [0] * MAX_ITEMS, [0] * MAX_ITEMS),
        ("list", [0] * (MAX_ITEMS + 1), "[too_many]"),
        ("list", [float("nan")], "[too_large]"),
        ("list", [{1, 2}], "[not_json]"),
        ("list", [[[[[[1]]]]]], [[[[[[1]]]]]]),
        ("list", [[[[[[[1]]]]]]], "[too_deep]"),
        ("object", {"a": 1}, {"a": 1}),
        ("object", {1: "a", 2.5: "b"}, {"1": "a", "2.5": "b"}),
        ("object", {}, {}),
        ("object", {True: 1}, "[bad_key]"),
        ("object", {None: 1}, "[bad_key]"),
        ("object", {"k" * 201: 1}, "[bad_key]"),
        ("object", ["a"], "[not_object]"),
        ("object", "a: 1", "[not_object]"),
        ("object", {"a": object()}, "[not_json]"),
        (None, "随便", "随便"),
        (None, 7, 7),
        (None, True, True),
        (None, [1, {"a": None}], [1, {"a": None}]),
        (None, date(2024, 3, 5), "2024-03-05"),
        (None, float("inf"), "[too_large]"),
        (None, 10**40, "[too_large]"),
        (None, b"bytes", "[not_json]"),
        (None, "字" * (MAX_TEXT + 1), "[too_long]"),
        (None, None, "[missing]"),
    ],
)
def test_types(type_: str | None, raw: Any, expected: Any) -> None:
    found = outcome(type_, raw)
    assert found == expected
    assert type(found) is type(expected)


@tabled(
    ("options", "raw", "expected"),
    [
        (["轻度", "中度", "重度"], "中度", "中度"),
        (["轻度", "中度", "重度"], " 中 度 ", "中度"),
        (["Mild", "Severe"], "SEVERE", "Severe"),
        (["Ａ级", "B级"], "a级", "Ａ级"),
        (["Not at all", "Always"], "notatall", "Not at all"),
        ([1, 2, 3], 2, 2),
        ([1, 2, 3], "2", 2),
        ([1, 2, 3], "２", 2),
        ([1, 2, 3], 2.0, 2),
        ([0.5, 1], "0.5", 0.5),
        ([True, False], True, True),
        ([True, False], "false", False),
        ([1, 2], True, "[not_an_option]"),
        ([{"value": 0, "label": "完全不会"}, {"value": 1, "label": "好几天"}], "好几天", 1),
        ([{"value": 0, "label": "完全不会"}, {"value": 1, "label": "好几天"}], "1", 1),
        ([{"label": "好几天"}], "好几天", "好几天"),
        (["轻度"], "很轻", "[not_an_option]"),
        (["轻度"], "轻度吧", "[not_an_option]"),
        (["轻度"], "", "[not_an_option]"),
        (["轻度"], ["轻度"], "[not_an_option]"),
        (["轻度"], {"value": "轻度"}, "[not_an_option]"),
        (["轻度"], "字" * 50_000, "[not_an_option]"),
        ([], "什么都行", "什么都行"),
    ],
)
def test_options(options: list[Any], raw: Any, expected: Any) -> None:
    found = outcome("enum", raw, options=options)
    assert found == expected
    assert type(found) is type(expected)


FAMILY = [
    {"name": "称呼"},
    {"name": "年龄", "type": "integer"},
    {"name": "同住", "type": "boolean"},
    {"name": "关系", "type": "enum", "options": ["亲近", "疏远"]},
]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"称呼": "妈妈", "年龄": "52"}, {"称呼": "妈妈", "年龄": 52}),
        ({"称呼": "妈妈", "爱好": "跳舞"}, {"称呼": "妈妈"}),
        ({"称呼": "妈妈", "年龄": None, "同住": ""}, {"称呼": "妈妈"}),
        ({"称呼": "妈妈", "同住": "true", "关系": " 亲近"}, {"称呼": "妈妈", "同住": True, "关系": "亲近"}),
        ({"称呼": "妈妈", "年龄": "五十多"}, {"称呼": "妈妈"}),
        ({"称呼": "妈妈", "关系": "还行"}, {"称呼": "妈妈"}),
        ({"年龄": "五十多"}, "[not_number]"),
        ({"年龄": "五十多", "关系": "还行"}, "[not_number]"),
        ({"爱好": "跳舞"}, "[no_fields]"),
        ({}, "[no_fields]"),
        ("妈妈", "[not_object]"),
    ],
)
def test_fields(raw: Any, expected: Any) -> None:
    assert outcome("object", raw, fields=FAMILY) == expected
    listed = outcome("list", [raw, {"称呼": "爸爸"}], fields=FAMILY)
    assert listed == ([] if isinstance(expected, str) else [expected]) + [{"称呼": "爸爸"}]


def test_what_of_a_composite_is_refused_is_told_with_its_place() -> None:
    found = coerce(rules("list", fields=FAMILY), [{"称呼": "妈妈", "年龄": "五十多"}, "爸爸", {"称呼": "哥哥"}])
    assert isinstance(found, Ok)
    assert found.value == [{"称呼": "妈妈"}, {"称呼": "哥哥"}]
    assert [(each.path, each.raw, each.bad.code) for each in found.left_out] == [
        ("1.年龄", "五十多", "not_number"),
        ("2", "爸爸", "not_object"),
    ]


def test_a_list_of_nothing_but_bad_items_is_refused() -> None:
    assert outcome("list", ["妈妈", {"年龄": "五十多"}], fields=FAMILY) == "[not_object]"
    assert outcome("list", [], fields=FAMILY) == []


def test_an_item_whose_key_is_refused_is_none() -> None:
    fields = [{"name": "号", "type": "integer"}, {"name": "名"}]
    made = rules("list", fields=fields, key="号", update="merge_unique")
    found = coerce(made, [{"号": "一号", "名": "甲"}, {"号": 2, "名": "乙"}, {"名": "丙"}])
    assert isinstance(found, Ok)
    assert found.value == [{"号": 2, "名": "乙"}, {"名": "丙"}]
    assert coerce(made, [{"号": "一号", "名": "甲"}]) == Bad("not_number", "号：应当是数字", "号: Must be a number")


@pytest.mark.parametrize("update", ["append", "merge_unique"])
def test_what_is_added_to_a_list_may_be_one_item(update: str) -> None:
    assert coerce(rules("list", update=update), "妈妈") == Ok(["妈妈"])
    assert coerce(rules("list", update=update, fields=FAMILY), {"称呼": "妈妈"}) == Ok([{"称呼": "妈妈"}])
    assert coerce(rules("list"), "妈妈") == Bad("not_list", "应当是一个列表", "Must be a list")


def test_a_refusal_names_the_field() -> None:
    found = coerce(rules("object", fields=FAMILY), {"年龄": "五十多"})
    assert found == Bad("not_number", "年龄：应当是数字", "年龄: Must be a number")


def test_a_field_may_hold_a_list() -> None:
    fields = [{"name": "症状", "type": "list"}, {"name": "自"}]
    assert outcome("object", {"症状": ["失眠", 1]}, fields=fields) == {"症状": ["失眠", 1]}
    assert outcome("object", {"症状": "失眠"}, fields=fields) == "[not_list]"


def test_outputs_are_coerced_like_declarations() -> None:
    assert coerce(Get(get="x", type="integer"), "7") == Ok(7)
    assert coerce(VariableRules(type="integer"), "7") == Ok(7)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "null"), (True, "boolean"), (False, "boolean"), (0, "number"), (1.5, "number"), ("", "string"),
        (date(2024, 3, 5), "string"), ([], "array"), ((), "array"), ({}, "object"),
    ],
)  # fmt: skip
def test_names_of_types(value: Any, name: str) -> None:
    assert type_name(value) == name


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=30),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=()), max_size=5) | st.integers(), inner, max_size=4)
    ),
    max_leaves=15,
)


@given(st.sampled_from(TYPES), json_values, st.booleans())
def test_what_is_accepted_is_plain_json_and_is_accepted_again(type_: str | None, raw: Any, with_options: bool) -> None:
    made = rules(type_, options=["a", 1, True] if with_options and type_ == "enum" else None)
    found = coerce(made, raw)
    if isinstance(found, Bad):
        assert found.code
        assert found.zh
        assert found.en
        return
    written = json.dumps(found.value, allow_nan=False, ensure_ascii=False).encode()
    assert json.loads(written) == found.value
    assert "\x00" not in written.decode()
    assert coerce(made, found.value) == found


@given(json_values)
def test_types_mean_what_they_say(raw: Any) -> None:
    expected = {"integer": int, "number": (int, float), "boolean": bool, "text": str, "list": list, "object": dict}
    for type_, python in expected.items():
        found = coerce(rules(type_), raw)
        if isinstance(found, Ok):
            assert isinstance(found.value, python)
            if type_ in ("integer", "number"):
                assert not isinstance(found.value, bool)
                assert math.isfinite(found.value)


@given(st.text(st.characters(exclude_categories=()), max_size=40))
def test_words_are_never_numbers_or_truths(text: str) -> None:
    if any(character.isalpha() for character in text):
        assert isinstance(coerce(rules("integer"), text), Bad)
        assert isinstance(coerce(rules("number"), text), Bad)
    if text.strip().lower() not in ("true", "false"):
        assert isinstance(coerce(rules("boolean"), text), Bad)


@given(st.text(st.characters(exclude_categories=()), max_size=40))
def test_storable_text_is_storable(text: str) -> None:
    kept = storable(text)
    kept.encode()
    assert "\x00" not in kept
    assert storable(kept) == kept


@pytest.mark.parametrize(
    ("pattern", "valid"),
    [
        (r"\d+", True),
        ("(?P<value>a)", True),
        ("(?i)a", True),
        ("[一-龥]+", True),
        ("(", False),
        ("(?=a)", False),
        (r"(a)\1", False),
        ("a{2000}", False),
        ("\ud800", False),
        ("a" * 3_000, False),
    ],
)
def test_patterns(pattern: str, valid: bool) -> None:
    assert (compiled(pattern) is not None) is valid
