"""Laws: three-valued logic against an independent oracle, no input that breaks, no answer out of nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heartrule.language.expressions import UNKNOWN, Expression, ExpressionError, parse
from heartrule.language.expressions.tokens import MAX_SOURCE, name_end

TRUE, FALSE, HALF = 2, 0, 1
"""The oracle: Kleene's logic as numbers; ``and`` is the least, ``or`` the greatest, ``not`` the mirror."""
SPELLED = {TRUE: "yes", FALSE: "no", HALF: "missing"}
LOOKUP = {"yes": True, "no": False}.get
MEANT = {True: TRUE, False: FALSE, None: HALF}

formulas = st.recursive(
    st.sampled_from([TRUE, FALSE, HALF]).map(lambda level: (SPELLED[level], level)),
    lambda inner: st.one_of(
        inner.map(lambda one: (f"not ({one[0]})", 2 - one[1])),
        inner.map(lambda one: (f"!({one[0]})", 2 - one[1])),
        st.lists(inner, min_size=2, max_size=4).map(
            lambda parts: (" and ".join(f"({text})" for text, _ in parts), min(level for _, level in parts))
        ),
        st.lists(inner, min_size=2, max_size=4).map(
            lambda parts: (" || ".join(f"({text})" for text, _ in parts), max(level for _, level in parts))
        ),
        st.lists(inner, min_size=1, max_size=4).map(
            lambda parts: ("all([" + ", ".join(text for text, _ in parts) + "])", min(level for _, level in parts))
        ),
        st.lists(inner, min_size=1, max_size=4).map(
            lambda parts: ("any([" + ", ".join(text for text, _ in parts) + "])", max(level for _, level in parts))
        ),
    ),
    max_leaves=12,
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)
any_text = st.text(st.characters(exclude_categories=()), max_size=60)
PIECES = (
    "a b 情绪 session.x {a} ${b} {{a}} 1 2.5 0 'x' “甲” [ ] ( ) , == != < <= > >="
    " = === && || ! ! and or not in contains"
    " + - * / % len( exists( lower( any( all( days_since( true false null"
    " ＞ ＜ （ ） ！ ≥ 是 且 ' \" { }"
)
nonsense = st.lists(st.sampled_from(PIECES.split()), max_size=25).map(" ".join)


def small(formula: tuple[str, int]) -> bool:
    return len(formula[0]) <= MAX_SOURCE


@given(formulas.filter(small))
def test_kleene(formula: tuple[str, int]) -> None:
    text, level = formula
    assert MEANT[parse(text).truth(LOOKUP)] == level


@given(formulas.filter(small), formulas.filter(small))
def test_de_morgan(left: tuple[str, int], right: tuple[str, int]) -> None:
    a, b = left[0], right[0]
    if len(a) + len(b) > MAX_SOURCE // 2:
        return
    neither = parse(f"not (({a}) or ({b}))").truth(LOOKUP)
    assert neither is parse(f"not ({a}) and not ({b})").truth(LOOKUP)


@given(json_values, json_values)
def test_comparing_anything_never_raises_and_agrees_with_itself(left: Any, right: Any) -> None:
    lookup = {"a": left, "b": right}.get
    equal = parse("a == b").truth(lookup)
    assert parse("b == a").truth(lookup) is equal
    assert parse("a != b").truth(lookup) is (None if equal is None else not equal)
    assert parse("a < b").truth(lookup) is parse("b > a").truth(lookup)
    assert parse("a <= b").truth(lookup) is parse("b >= a").truth(lookup)
    assert parse("a in b").truth(lookup) is parse("b contains a").truth(lookup)
    assert parse("a not in b").truth(lookup) is parse("not a in b").truth(lookup)


@given(json_values, st.sampled_from(["<", "<=", ">", ">="]))
def test_ordering_with_null_is_unknown_and_stays_so(other: Any, sign: str) -> None:
    lookup = {"b": other}.get
    for source in (f"a {sign} b", f"b {sign} a", f"not (a {sign} b)", f"not not (a {sign} b)"):
        assert parse(source).evaluate(lookup) is UNKNOWN
        assert parse(source).holds(lookup) is False


@given(json_values)
def test_null_is_equal_to_null_only(other: Any) -> None:
    known = not isinstance(other, float) or other - other == 0
    expected = (other is None) if known else None
    assert parse("a == null").truth({"a": other}.get) is expected


@given(st.integers(-(10**9), 10**9), st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), st.integers(-(10**9), 10**9))
def test_a_numeric_text_compares_as_its_number(left: int, sign: str, right: int) -> None:
    expression = parse(f"a {sign} b")
    plain = expression.truth({"a": left, "b": right}.get)
    assert expression.truth({"a": str(left), "b": right}.get) is plain
    assert expression.truth({"a": left, "b": f" {right}.0"}.get) is plain


@given(nonsense, json_values, json_values)
@settings(max_examples=300)
def test_nonsense_is_refused_with_a_place_or_evaluates(source: str, a: Any, b: Any) -> None:
    evaluates_or_refuses(source, {"a": a, "b": b})


@given(any_text)
@settings(max_examples=300)
def test_any_text_is_refused_with_a_place_or_evaluates(source: str) -> None:
    evaluates_or_refuses(source, {})


def parsed_or_refused(source: str) -> Expression | ExpressionError:
    try:
        return parse(source)
    except ExpressionError as error:
        return error


def evaluates_or_refuses(source: str, given_values: dict[str, Any]) -> None:
    expression = parsed_or_refused(source)
    if isinstance(expression, ExpressionError):
        assert 0 <= expression.offset <= len(source)
        assert expression.message_zh
        assert expression.message_en
        return
    found = expression.evaluate(given_values.get)
    assert found is UNKNOWN or found is None or isinstance(found, bool | int | float | str | list | dict)
    assert expression.holds(given_values.get) is (expression.truth(given_values.get) is True)
    for use in expression.uses():
        assert use.name in expression.names
        assert source[use.offset] == use.name[0] or source[use.offset] in "{$"
    for text in expression.strings():
        assert 0 <= text.offset < len(source)


@given(json_values, json_values, st.sampled_from(["+", "-", "*", "/", "%"]))
def test_arithmetic_is_finite_or_unknown(left: Any, right: Any, sign: str) -> None:
    found = parse(f"a {sign} b").evaluate({"a": left, "b": right}.get)
    assert found is UNKNOWN or isinstance(found, str | list) or abs(found) <= 10**18


@given(st.integers(-1000, 1000), st.integers(-1000, 1000), st.integers(1, 1000))
def test_arithmetic_is_arithmetic(a: int, b: int, c: int) -> None:
    values = {"a": a, "b": b, "c": c}.get
    assert parse("a + b * c - (a - b)").evaluate(values) == a + b * c - (a - b)
    assert parse("a % c").evaluate(values) == a % c
    assert parse("a / c * c").evaluate(values) == pytest.approx(a, abs=1e-9)
    assert parse("-a - -b").evaluate(values) == -a + b


@given(any_text, st.integers(0, 60))
def test_names_end_where_they_can(text: str, start: int) -> None:
    end = name_end(text, start)
    assert start <= end <= max(start, len(text))
    name = text[start:end]
    if name:
        assert not name.startswith(".")
        assert not name.endswith(".")
        assert not name.isdecimal()
        assert name_end(name, 0) == len(name)
        assert parse("{" + name + "}") == Expression("{" + name + "}", frozenset({name}))
