"""What fits a schema stays, what nearly fits is read kindly, the rest is dropped."""

from __future__ import annotations

from typing import Any

import pytest
from tests.llm.material import ASK, SAY, VERDICTS
from tests.table import tabled

from heartrule.llm.shape import sieve


def one(value: Any, rule: dict[str, Any]) -> tuple[Any, tuple[str, ...]]:
    """What becomes of a single field; ``...`` when it is dropped."""
    kept, dropped = sieve({"x": value}, {"properties": {"x": rule}})
    return kept.get("x", ...), dropped


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("YES", "YES"),
        ("yes", "YES"),
        (" Yes. ", "YES"),
        ("“NO”", "NO"),
        (True, "YES"),
        (False, "NO"),
        ("也许", ...),
        ("", ...),
        (None, ...),
        (["YES"], ...),
        ({"EXIT": "YES"}, ...),
    ],
)
def test_a_choice(value: Any, read: Any) -> None:
    assert one(value, {"enum": ["YES", "NO"]})[0] == read


@pytest.mark.parametrize(
    ("value", "options", "read"),
    [
        (1, [0, 1, 2], 1),
        ("1", [0, 1, 2], 1),
        (True, [0, 1], 1),
        ("无", ["无", "轻", "重"], "无"),
        (3, ["3", "4"], "3"),
        (1.0, [1], 1),
        (True, [True, False], True),
        (1, [True, False], ...),
    ],
)
def test_choices_of_other_kinds(value: Any, options: list[Any], read: Any) -> None:
    found = one(value, {"enum": options})[0]
    assert found == read
    assert type(found) is type(read)


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (80, 80),
        (80.0, 80),
        ("80", 80),
        (" 80% ", 80),
        (80.5, ...),
        (101, ...),
        (-1, ...),
        ("很高", ...),
        (True, ...),
        (None, ...),
        ([80], ...),
        (float("nan"), ...),
        ("nan", ...),
        ("inf", ...),
    ],
)
def test_a_whole_number_in_a_range(value: Any, read: Any) -> None:
    assert one(value, {"type": "integer", "minimum": 0, "maximum": 100})[0] == read


@pytest.mark.parametrize(("value", "read"), [(7.5, 7.5), ("7.5", 7.5), (7, 7), ("约7", ...), (True, ...)])
def test_a_number(value: Any, read: Any) -> None:
    assert one(value, {"type": "number"})[0] == read


@tabled(
    ("value", "read"),
    [
        (True, True),
        (False, False),
        ("true", True),
        ("False", False),
        ("是", True),
        ("否", False),
        ("没有", False),
        ("yes", True),
        (1, True),
        (0, False),
        ("unknown", ...),
        ("", ...),
        (None, ...),
        (2, ...),
        (0.5, ...),
        ([], ...),
    ],
)
def test_a_yes_or_no(value: Any, read: Any) -> None:
    assert one(value, {"type": "boolean"})[0] is read


@pytest.mark.parametrize(
    ("value", "read"),
    [("好", "好"), ("", ""), (8, "8"), (8.5, "8.5"), (True, ...), (None, ...), (["好"], ...), ({}, ...)],
)
def test_a_text(value: Any, read: Any) -> None:
    assert one(value, {"type": "string"})[0] == read


@pytest.mark.parametrize(("value", "read"), [(None, None), ("x", "x"), (3, "3"), ([], ...)])
def test_several_types(value: Any, read: Any) -> None:
    assert one(value, {"type": ["string", "null"]})[0] == read


def test_the_type_that_a_value_has_comes_first() -> None:
    assert one(3, {"type": ["string", "integer"]})[0] == 3
    assert one("3", {"type": ["integer", "string"]})[0] == "3"


def test_alternatives() -> None:
    rule = {"anyOf": [{"type": "integer"}, {"enum": ["不知道"]}]}
    assert one(3, rule)[0] == 3
    assert one("不知道", rule)[0] == "不知道"
    assert one("别的", rule)[0] is ...
    assert one("是", {"oneOf": [{"const": "是"}]})[0] == "是"


def test_no_rule_lets_anything_stay() -> None:
    assert one({"a": [1]}, {})[0] == {"a": [1]}
    assert sieve({"more": 1}, {"properties": {}})[0] == {"more": 1}


def test_objects_lose_their_bad_fields_only() -> None:
    level = {"understanding_level": "85", "has_questions": "maybe", "expressed_understanding": "是"}
    kept, dropped = sieve({"assessment": level, "content": "好"}, SAY)
    assert kept == {"assessment": {"understanding_level": 85, "expressed_understanding": True}, "content": "好"}
    assert dropped == ("assessment.has_questions",)


def test_what_should_be_an_object_and_is_not_goes_whole() -> None:
    assert sieve({"metrics": "还行", "values": []}, ASK) == ({}, ("metrics", "values"))


def test_values_by_any_name() -> None:
    rule = {"properties": {"values": {"type": "object", "additionalProperties": {"type": "integer"}}}}
    assert sieve({"values": {"年龄": "30", "身高": "高"}}, rule) == ({"values": {"年龄": 30}}, ("values.身高",))


def test_lists_lose_their_bad_items_only() -> None:
    given = [{"id": "1", "verdict": "YES", "confidence": 0.9}, "坏", {"id": 2, "verdict": "也许"}]
    kept, dropped = sieve({"verdicts": given}, VERDICTS)
    assert kept["verdicts"] == [{"id": 1, "verdict": "yes", "confidence": 0.9}, {}, {"id": 2}], "something stood there"
    assert dropped == ("verdicts.1", "verdicts.2.verdict")


def test_a_verdict_without_evidence_is_kept() -> None:
    assert sieve({"verdicts": [{"id": 1, "verdict": "yes"}]}, VERDICTS)[0]["verdicts"] == [{"id": 1, "verdict": "yes"}]


@pytest.mark.parametrize(
    ("response", "content"),
    [
        ({"咨询师": "我在听。"}, "我在听。"),
        ("我在听。", "我在听。"),
        ({"a": "x", "b": "y"}, "x"),
        ({"咨询师": 7}, None),
        (7, None),
        ({}, None),
    ],
)
def test_another_spelling_of_content(response: Any, content: str | None) -> None:
    assert sieve({"response": response}, SAY)[0].get("content") == content


def test_our_spelling_wins() -> None:
    assert sieve({"response": "乙", "content": "甲"}, SAY)[0]["content"] == "甲"


def test_depth_is_bounded() -> None:
    rule: dict[str, Any] = {"type": "object", "properties": {}}
    rule["properties"]["x"] = rule
    deep: dict[str, Any] = {}
    for _ in range(500):
        deep = {"x": deep}
    kept, dropped = sieve(deep, rule)
    assert dropped
    for _ in range(19):
        kept = kept["x"]
    assert "x" in kept


@tabled(
    "rule",
    [
        {"type": "mystery"},
        {"type": []},
        {"enum": []},
        {"anyOf": []},
        {"const": None},
        {"items": {}},
        {"type": "array"},
        {"type": "object", "additionalProperties": False},
        {"properties": {"y": {}}},
    ],
)
@tabled("value", [None, 1, "x", [1], {"y": 1}, True])
def test_odd_schemas_do_not_raise(value: Any, rule: dict[str, Any]) -> None:
    one(value, rule)
