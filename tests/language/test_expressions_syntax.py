"""What parses, what is refused and where, and what an expression tells about itself."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError
from tests.table import tabled

from heartrule.language.expressions import Comparison, Expression, ExpressionError, NameUse, TextUse, parse
from heartrule.language.nodes.conditions import Condition, Expr


@tabled(
    ("source", "names"),
    [
        ("情绪强度 > 3", {"情绪强度"}),
        ("{情绪强度} > 3", {"情绪强度"}),
        ("${情绪强度} > 3", {"情绪强度"}),
        ("{{情绪强度}} > 3", {"情绪强度"}),
        ("{{ 情绪强度 }} > 3", {"情绪强度"}),
        ("{ 情绪强度 } > 3", {"情绪强度"}),
        ("session.mood > topic.attempts", {"session.mood", "topic.attempts"}),
        ("${session.mood} == {成员.称呼}", {"session.mood", "成员.称呼"}),
        ("PHQ9总分 >= 10", {"PHQ9总分"}),
        ("7天情绪 > 3", {"7天情绪"}),
        ("настроение > 3", {"настроение"}),
        ("気分 > 3 and 기분 > 2", {"気分", "기분"}),
        ("हिन्दी > 1", {"हिन्दी"}),
        ("_x1 == 1", {"_x1"}),
        ("{and} == 1", {"and"}),
        ("{true} == 1", {"true"}),
        ("len(家庭成员) > 0", {"家庭成员"}),
        ("'{不是名字}' == 1", set()),
        ("true", set()),
        ("a in [b, 'c', d]", {"a", "b", "d"}),
        ("a\u3000＞\u200b3", {"a"}),
        ("a\n>\n3", {"a"}),
        ("列表.0 == 1", {"列表.0"}),
        ("any(a, b > 2, not c)", {"a", "b", "c"}),
    ],
)
def test_names(source: str, names: set[str]) -> None:
    assert parse(source).names == names


@tabled(
    ("source", "text"),
    [
        ('"a"', "a"),
        ("'a'", "a"),
        ("“甲”", "甲"),
        ("”甲“", "甲"),
        ("‘甲’", "甲"),
        ("「甲」", "甲"),
        ("『甲』", "甲"),
        ('"it\'s"', "it's"),
        (r'"a\"b"', 'a"b'),
        (r"'a\'b'", "a'b"),
        (r"'a\nb\tc\\d'", "a\nb\tc\\d"),
        (r"'\d+'", r"\d+"),
        ("'＞＝'", "＞＝"),
        ("''", ""),
        ("'{名} ${x}'", "{名} ${x}"),
        ("'\ud800'", "\ud800"),
    ],
)
def test_quoted_text(source: str, text: str) -> None:
    assert parse(source).evaluate(lambda _: None) == text


@tabled(
    ("source", "offset", "mend"),
    [
        ("", 0, "条件"),
        ("   ", 0, "条件"),
        ("a = 3", 2, "=="),
        ("a ＝ 3", 2, "=="),
        ("a & b", 2, "and"),
        ("a | b", 2, "or"),
        ("a <> b", 2, "!="),
        ("a =< b", 2, "<="),
        ("a => b", 2, ">="),
        ("a 是 3", 2, "=="),
        ("a 为 3", 2, "=="),
        ("a 等于 3", 2, "=="),
        ("a is 3", 2, "=="),
        ("a 不是 3", 2, "!="),
        ("a 不等于 3", 2, "!="),
        ("a 大于 3", 2, ">"),
        ("a 小于 3", 2, "<"),
        ("a 大于等于 3", 2, ">="),
        ("a 不大于 3", 2, "<="),
        ("a > 3 且 b", 6, "and"),
        ("a > 3 并且 b", 6, "and"),
        ("a 或者 b", 2, "or"),
        ("a 包含 'x'", 2, "contains"),
        ("a includes 'x'", 2, "contains"),
        ("a 属于 b", 2, "in"),
        ("a ==", 4, "值"),
        ("a and", 5, "值"),
        ("== 3", 0, "两边"),
        ("a == == 3", 5, "两边"),
        ("not in a", 0, "两边"),
        ("and", 0, "两边"),
        ("a b", 2, "judge"),
        ("来访者 愿意继续", 4, "judge"),
        ("a > 3 b", 6, "and"),
        ("'a' 'b'", 4, "and"),
        ("3 4", 2, "and"),
        ("(a", 0, ")"),
        ("（a", 0, ")"),
        ("(a b)", 3, "and"),
        ("a)", 1, "括号"),
        ("[1, 2", 0, "]"),
        ("[1 2]", 3, "and"),
        ("[,]", 1, "两边"),
        ("a > 1,000", 5, "千位"),
        ("x > 80%", 7, "值"),
        ("len(", 4, "值"),
        ("len()", 0, "len("),
        ("len(a, b)", 0, "len("),
        ("any()", 0, "any("),
        ("lenn(a)", 0, "len()"),
        ("foo(a)", 0, "days_since()"),
        ("情绪(3)", 0, "len()"),
        ('"abc', 0, '"'),
        ("“abc", 0, "”"),
        ("a == 'b", 5, "'"),
        ("{a", 0, "花括号"),
        ("{a > 3", 0, "花括号"),
        ("{1,2} > 3", 0, "花括号"),
        ("{} > 3", 0, "花括号"),
        ('{"a": 1}', 0, "花括号"),
        ("{{a} > 3", 0, "花括号"),
        ("$a", 0, "$"),
        ("{%time%} > 3", 0, "脚本变量"),
        ("a: 3", 1, "judge"),
        ("a：3", 1, "judge"),
        ("a ; b", 2, "引号"),
        ("a。", 1, "引号"),
        ("a 😀", 2, "引号"),
        ("\x00", 0, "引号"),
        ("\ud800", 0, "引号"),
        ("\u0301a", 0, "引号"),
        ("1234567890123456", 0, "15"),
        ("a > 12345678901234567890", 4, "15"),
    ],
)
def test_refusals_say_where_and_how_to_mend(source: str, offset: int, mend: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(source)
    error = caught.value
    assert error.offset == offset
    assert mend in error.hint_zh
    assert error.message_zh
    assert error.message_en
    assert error.hint_en
    assert str(error) == error.message_zh
    (error.message_zh + error.message_en + error.hint_zh + error.hint_en).encode()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("a" * 2_001, "太长"),
        ("(" * 51 + "1" + ")" * 51, "太深"),
        ("not " * 60 + "a", "太深"),
        ("!" * 60 + "a", "太深"),
        ("-" * 60 + "1", "太深"),
        ("[" * 60 + "]" * 60, "太深"),
        ("len(" * 60 + "a" + ")" * 60, "太深"),
        ("+".join("1" * 700), "太复杂"),
        ("[" + ",".join("1" * 700) + "]", "太复杂"),
        ("1" + "<1" * 600, "太复杂"),
    ],
)
def test_bounds(source: str, message: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(source)
    assert message in caught.value.message_zh


def test_what_is_within_bounds_evaluates_within_the_stack() -> None:
    for source in ("(" * 45 + "1" + ")" * 45, "+".join("1" * 490), "not " * 48 + "true", "1" + "<=1" * 240):
        parse(source).evaluate(lambda _: None)


def test_a_name_longer_than_names_may_be_is_no_name() -> None:
    assert parse("x" * 200).names == {"x" * 200}
    with pytest.raises(ExpressionError):
        parse("x" * 201)


def test_nested_chains_are_walked_once() -> None:
    source = "a"
    for _ in range(20):
        source = f"1<({source})<9"
    asked: list[str] = []

    def lookup(name: str) -> Any:
        asked.append(name)
        return 3

    parse(source).evaluate(lookup)
    assert asked == ["a"]


@tabled(
    ("source", "expected"),
    [
        ("mood > 3", [("mood", ">", 3, None)]),
        ("3 < mood", [("mood", ">", 3, None)]),
        ("3 >= mood", [("mood", "<=", 3, None)]),
        ("'a' == x", [("x", "==", "a", None)]),
        ("性别 == 女", [("性别", "==", None, "女")]),
        ("性别 == '女'", [("性别", "==", "女", None)]),
        ("x == null", [("x", "==", None, None)]),
        ("x == true", [("x", "==", True, None)]),
        ("x > -3", [("x", ">", -3, None)]),
        ("x in ['a', 'b']", [("x", "in", ["a", "b"], None)]),
        ("x not in ['a']", [("x", "not in", ["a"], None)]),
        ("x contains 'a'", [("x", "contains", "a", None)]),
        ("x not contains 'a'", [("x", "not contains", "a", None)]),
        ("'a' in x", []),
        ("x in y", [("x", "in", None, "y")]),
        ("1 < x <= 5", [("x", ">", 1, None), ("x", "<=", 5, None)]),
        ("a == 1 and (b == 2 or not c == 3)", [("a", "==", 1, None), ("b", "==", 2, None), ("c", "==", 3, None)]),
        ("len(x) > 3", []),
        ("x + 1 > 3", []),
        ("x in [y, 1]", []),
        ("any(x > 3)", [("x", ">", 3, None)]),
        ("1 == 1", []),
    ],
)
def test_comparisons_for_a_linter(source: str, expected: list[tuple[str, str, Any, str | None]]) -> None:
    found = parse(source).comparisons()
    assert [(each.name, each.operator, each.literal, each.other) for each in found] == expected


def test_offsets_point_into_the_source() -> None:
    source = "  {风险} >= 3 and 性别 == 女 or 'x' in 标签"
    expression = parse(source)
    assert expression.comparisons()[0] == Comparison("风险", ">=", 3, None, 2, 10)
    assert expression.comparisons()[1] == Comparison("性别", "==", None, "女", 16, 22)
    assert expression.uses() == (
        NameUse("风险", 2, braced=True),
        NameUse("性别", 16),
        NameUse("女", 22, right=True),
        NameUse("标签", 34, right=True),
    )
    assert expression.strings() == (TextUse("x", 27),)
    for use in expression.uses():
        assert source[use.offset :].lstrip("{").startswith(use.name)


def test_only_bare_right_sides_may_want_quotes() -> None:
    assert [use.right for use in parse("a == {b}").uses()] == [False, False]
    assert [use.right for use in parse("a == b").uses()] == [False, True]
    assert [use.right for use in parse("a and b").uses()] == [False, False]
    assert [use.right for use in parse("a + b == 3").uses()] == [False, False]


def test_equal_sources_are_one_expression() -> None:
    assert parse("a > 3") is parse("a > 3")
    assert parse("a > 3") == Expression("a > 3", frozenset({"a"}))
    assert hash(parse("a > 3")) == hash(Expression("a > 3", frozenset({"a"})))
    assert parse("a > 3") != parse("a>3")
    assert len({parse("a > 3"), parse("a > 3"), parse("b")}) == 2


def test_it_survives_pickling_and_can_be_made_without_a_tree() -> None:
    assert pickle.loads(pickle.dumps(parse("a > 3"))).evaluate({"a": 5}.get) is True
    assert Expression("a > 3").holds({"a": 5}.get)


def test_it_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        parse("a").source = "b"  # type: ignore[misc]


def test_models_hold_expressions() -> None:
    class Holder(BaseModel):
        when: Expr

    holder = Holder.model_validate({"when": "a > 3"})
    assert holder.when is parse("a > 3")
    assert holder.model_dump() == {"when": "a > 3"}
    assert Holder.model_validate_json('{"when": "a > 3"}') == holder
    assert Holder.model_json_schema()["properties"]["when"]["type"] == "string"
    assert Holder(when=parse("b")).when == parse("b")
    with pytest.raises(ValidationError):
        Holder.model_validate({"when": "a = 3"})
    with pytest.raises(ValidationError):
        Holder.model_validate({"when": {"source": "a"}})


def test_conditions_hold_expressions_beside_questions() -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(Condition)
    assert adapter.validate_python("a > 3") == parse("a > 3")
    assert adapter.validate_python({"all": ["a", {"not": "b"}]}).all[0] == parse("a")
    assert adapter.validate_python(True) == parse("true")


@pytest.mark.parametrize(
    ("source", "asks"),
    [
        ("a == null", True),
        ("exists(a)", True),
        ("not exists(a)", True),
        ("annulled", False),
        ("existing == 'null'", False),
    ],
)
def test_whether_it_asks_if_there_is_a_value(source: str, asks: bool) -> None:
    assert parse(source).asks_whether() is asks
