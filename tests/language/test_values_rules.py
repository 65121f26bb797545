"""Values against their variable's rules, and merged into what is there."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.table import tabled

from heartrule.language.nodes import Get, Variable, VariableRules
from heartrule.language.values import MAX_ITEMS, MAX_TEXT, Bad, Ok, accept, check, merge


def outcome(raw: Any, lookup: dict[str, Any] | None = None, **rules: Any) -> Any:
    found = accept(
        Variable.model_validate({"var": "x", **rules}), raw, (lookup or {}).get, datetime(2024, 3, 6, tzinfo=UTC)
    )
    return found.value if isinstance(found, Ok) else f"[{found.code}]"


@tabled(
    ("rules", "raw", "expected"),
    [
        ({"type": "integer", "range": [1, 10]}, 1, 1),
        ({"type": "integer", "range": [1, 10]}, "10", 10),
        ({"type": "integer", "range": [1, 10]}, 0, "[range]"),
        ({"type": "integer", "range": [1, 10]}, 11, "[range]"),
        ({"type": "number", "range": [0, 1]}, 0.5, 0.5),
        ({"type": "number", "range": [0, 1]}, 1.01, "[range]"),
        ({"range": [1, 10]}, 5, 5),
        ({"range": [1, 10]}, "5", "5"),
        ({"range": [1, 10]}, "50", "[range]"),
        ({"range": [1, 10]}, "很高", "[not_number]"),
        ({"range": [1, 10]}, True, "[not_number]"),
        ({"type": "text", "range": [1, 10]}, "很高", "很高"),
        ({"options": ["a", "b"]}, "A", "a"),
        ({"options": ["a", "b"]}, "c", "[not_an_option]"),
        ({"options": [1, 2]}, "1", 1),
        ({"type": "integer", "options": [1, 2]}, 2, 2),
        ({"type": "integer", "options": [1, 2]}, 3, "[not_an_option]"),
        ({"type": "text", "options": ["轻", "重"]}, " 轻", "轻"),
        ({"type": "list", "options": ["焦虑", "失眠"]}, ["失眠", " 焦虑 "], ["失眠", "焦虑"]),
        ({"type": "list", "options": ["焦虑", "失眠"]}, ["头痛"], "[not_an_option]"),
        ({"type": "boolean", "options": [True]}, False, "[not_an_option]"),
        ({"pattern": r"1[3-9]\d{9}"}, "13800138000", "13800138000"),
        ({"pattern": r"1[3-9]\d{9}"}, "电话13800138000", "[pattern]"),
        ({"pattern": "a|ab"}, "ab", "ab"),
        ({"pattern": "[0-9]+"}, 42, 42),
        ({"pattern": "[一-龥]{2,4}"}, "张三", "张三"),
        ({"pattern": "a+"}, ["a", "aa"], ["a", "aa"]),
        ({"pattern": "a+"}, ["a", "b"], ["a"]),
        ({"pattern": "a+"}, ["b", "c"], "[pattern]"),
        ({"type": "list", "options": ["甲", "乙"]}, ["甲", "丁", "乙"], ["甲", "乙"]),
        ({"type": "list", "options": ["甲", "乙"]}, ["丁"], "[not_an_option]"),
        ({"type": "list", "options": ["甲", "乙"]}, [], []),
        ({"pattern": "a+"}, {"a": 1}, "[pattern]"),
        ({"pattern": "(?=a)"}, "a", "[bad_pattern]"),
        ({"pattern": "("}, "a", "[bad_pattern]"),
        ({"min_length": 2}, "好", "[too_short]"),
        ({"min_length": 2}, "很好", "很好"),
        ({"min_length": 2}, " 好 ", "[too_short]"),
        ({"type": "list", "min_length": 2}, ["a"], "[too_short]"),
        ({"type": "list", "min_length": 2}, ["a", "b"], ["a", "b"]),
        ({"min_length": 2}, 7, 7),
        ({"min_length": 0}, "", ""),
        ({"validate": "x <= 10"}, 7, 7),
        ({"validate": "x <= 10"}, 70, "[validate]"),
        ({"validate": "session.x <= 10"}, 7, 7),
        ({"validate": "len(x) < 5"}, "很好", "很好"),
        ({"validate": "len(x) < 5"}, "非常非常好", "[validate]"),
        ({"validate": "x > y"}, 7, "[validate]"),
        ({"validate": "x > z"}, 7, 7),
        ({"validate": "x > 'a' and 1 / 0 == 1"}, "b", "[validate]"),
        ({"type": "date", "validate": "days_since(x) >= 0"}, "2024-03-05", "2024-03-05"),
        ({"type": "date", "validate": "days_since(x) >= 0"}, "2024-03-08", "[validate]"),
        ({"type": "integer", "range": [1, 10], "validate": "x % 2 == 0"}, "4", 4),
        ({"type": "integer", "range": [1, 10], "validate": "x % 2 == 0"}, "5", "[validate]"),
    ],
)
def test_rules(rules: dict[str, Any], raw: Any, expected: Any) -> None:
    assert outcome(raw, {"x": 99, "session.x": 99, "z": 3}, **rules) == expected


def test_an_output_knows_its_own_name_too() -> None:
    rules = Get.model_validate({"get": "成员.年龄", "type": "integer", "validate": "成员.年龄 < 120"})
    assert accept(rules, "52", {"成员.年龄": 500}.get) == Ok(52)
    assert isinstance(accept(rules, "152", {"成员.年龄": 5}.get), Bad)


def test_rules_without_a_name_read_the_lookup() -> None:
    rules = VariableRules.model_validate({"validate": "x > 3"})
    assert accept(rules, 1, {"x": 5}.get) == Ok(1)
    assert isinstance(accept(rules, 5, {"x": 1}.get), Bad)


def test_refusals_say_what_is_asked_for() -> None:
    low = check(Variable.model_validate({"var": "x", "range": [1, 10]}), 0, {}.get)
    assert low == Bad("range", "应当在 1–10 之间", "Must be within 1–10")
    broken = check(Variable.model_validate({"var": "x", "validate": "x > 3"}), 0, {}.get)
    assert broken == Bad("validate", "不满足 x > 3", "Does not satisfy x > 3")


@tabled(
    ("update", "key", "old", "new", "merged"),
    [
        ("overwrite", None, 1, 2, 2),
        ("overwrite", None, None, 2, 2),
        ("overwrite", None, [1], [2], [2]),
        ("overwrite", None, 1, None, 1),
        ("versioned", None, 1, 2, 2),
        ("versioned", "姓名", [{"姓名": "张"}], [], []),
        ("append", None, None, 1, [1]),
        ("append", None, None, [1, 2], [1, 2]),
        ("append", None, [1], 2, [1, 2]),
        ("append", None, [1], [1, 2], [1, 1, 2]),
        ("append", None, 1, 2, [1, 2]),
        ("append", None, [1], [], [1]),
        ("append", None, [1], None, [1]),
        ("append", None, {"a": 1}, {"b": 2}, [{"a": 1}, {"b": 2}]),
        ("merge_unique", None, None, ["a", "a"], ["a"]),
        ("merge_unique", None, ["焦虑"], ["失眠", "焦虑"], ["焦虑", "失眠"]),
        ("merge_unique", None, ["Sad"], ["sad ", "ＳＡＤ", "mad"], ["Sad", "mad"]),
        ("merge_unique", None, [1], [1.0, "1", True, None], [1, "1", True, None]),
        ("merge_unique", None, "焦虑", "失眠", ["焦虑", "失眠"]),
        ("merge_unique", None, [[1, 2]], [[1, 2], [2, 1]], [[1, 2], [2, 1]]),
        ("merge_unique", None, [{"a": 1}], [{"a": 1}, {"a": 2}], [{"a": 1}, {"a": 2}]),
        (
            "merge_unique",
            "姓名",
            [{"姓名": "张三", "年龄": 30}, {"姓名": "李四"}],
            [{"姓名": "张三", "职业": "教师", "年龄": None}, {"姓名": "王五"}],
            [{"姓名": "张三", "年龄": 30, "职业": "教师"}, {"姓名": "李四"}, {"姓名": "王五"}],
        ),
        (
            "merge_unique",
            "姓名",
            [{"姓名": "张三", "年龄": 30}],
            {"姓名": "张三", "年龄": 31},
            [{"姓名": "张三", "年龄": 31}],
        ),
        ("merge_unique", "姓名", [{"姓名": "Ann"}], [{"姓名": " ann", "a": 1}], [{"姓名": " ann", "a": 1}]),
        ("merge_unique", "姓名", [{"年龄": 1}], [{"年龄": 1}, {"年龄": 2}], [{"年龄": 1}, {"年龄": 2}]),
        ("merge_unique", "姓名", ["张三"], [{"姓名": "张三"}], ["张三", {"姓名": "张三"}]),
        ("merge_unique", "id", [{"id": 1, "a": 1}], [{"id": "1", "a": 2}], [{"id": 1, "a": 1}, {"id": "1", "a": 2}]),
    ],
)
def test_merging(update: Any, key: str | None, old: Any, new: Any, merged: Any) -> None:
    before = copy.deepcopy((old, new))
    found = merge(update, key, old, new)
    assert found == merged
    assert (old, new) == before
    if isinstance(old, list) and update in ("append", "merge_unique") and new is not None:
        assert found is not old


def test_text_grows_by_lines() -> None:
    assert merge("append", None, None, "一", "text") == "一"
    assert merge("append", None, "", "一", "text") == "一"
    assert merge("append", None, "一", "二", "text") == "一\n二"
    assert merge("merge_unique", None, "一\n二", " 二 ", "text") == "一\n二"
    assert merge("merge_unique", None, "一", "二", "text") == "一\n二"
    assert merge("overwrite", None, "一", "二", "text") == "二"
    long = merge("append", None, "旧" * MAX_TEXT, "新", "text")
    assert len(long) == MAX_TEXT
    assert long.endswith("\n新")


def test_lists_keep_their_newest_items() -> None:
    full = list(range(MAX_ITEMS))
    assert merge("append", None, full, "新")[-1] == "新"
    assert len(merge("append", None, full, "新")) == MAX_ITEMS
    assert len(merge("merge_unique", None, full, [f"新{n}" for n in range(MAX_ITEMS)])) == MAX_ITEMS


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
items = (
    scalars | st.lists(scalars, max_size=3) | st.dictionaries(st.sampled_from(["id", "a", "b"]), scalars, max_size=3)
)


@given(st.lists(items, max_size=8), st.lists(items, max_size=8), st.sampled_from([None, "id"]))
def test_merging_the_same_again_changes_nothing(old: list[Any], new: list[Any], key: str | None) -> None:
    once = merge("merge_unique", key, old, new)
    assert merge("merge_unique", key, once, new) == once
    assert once[: len(old)] == old or key is not None
    assert len(old) <= len(once) <= len(old) + len(new)


@given(items, items)
def test_appending_keeps_everything(old: Any, new: Any) -> None:
    merged = merge("append", None, old, new)
    if new is None:
        assert merged == old
        return
    parts = [] if old is None else old if isinstance(old, list) else [old]
    assert merged == [*parts, *(new if isinstance(new, list) else [new])]
