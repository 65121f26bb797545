"""What expressions come to: every operator and function over every kind of value, unknown where there is no answer."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from tests.table import tabled

from heartrule.language.expressions import UNKNOWN, parse

NOW = datetime(2024, 3, 6, 1, 30, tzinfo=UTC)
CHINA = timezone(timedelta(hours=8))
VALUES: dict[str, Any] = {
    "one": 1,
    "seven": 7,
    "half": 0.5,
    "text": "焦虑",
    "digits": "7",
    "decimal": " 7.50 ",
    "wide": "７",
    "blank": "  ",
    "yes": True,
    "no": False,
    "written_yes": "True",
    "written_no": "false",
    "list": ["焦虑", "失眠", 3],
    "empty": [],
    "person": {"称呼": "妈妈", "年龄": 52},
    "nested": [[1, [2]], {"a": [3]}],
    "mixed": [True, None],
    "huge": 10**400,
    "infinite": float("inf"),
    "not_a_number": float("nan"),
    "set": {1, 2},
    "tuple": (1, 2),
    "day": date(2024, 3, 1),
    "moment": datetime(2024, 3, 1, 12, 0),
    "成员.称呼": "姐姐",
    "session.强度": 6,
    "topic.attempts": 2,
    "风险等级": "3",
}


def value(source: str) -> Any:
    return parse(source).evaluate(VALUES.get, NOW, CHINA)


@tabled(
    ("source", "expected"),
    [
        ("seven == 7", True),
        ("seven == 7.0", True),
        ("seven != 7", False),
        ("seven > 6", True),
        ("seven >= 7", True),
        ("seven < 7", False),
        ("seven <= 7", True),
        ("seven === 7", True),
        ("seven !== 7", False),
        ("7 == seven", True),
        ("digits == 7", True),
        ("digits > 6.5", True),
        ("decimal == 7.5", True),
        ("wide == 7", True),
        ("wide < 8", True),
        ("风险等级 >= 3", True),
        ("digits == '7'", True),
        ("digits == '7.0'", False),
        ("'10' > '9'", True),
        ("text == '焦虑'", True),
        ("text == “焦虑”", True),
        ("text != ‘抑郁’", True),
        ("text == 7", False),
        ("text != 7", True),
        ("text > 7", UNKNOWN),
        ("text < '焦虑症'", True),
        ("'2024-03-01' < '2024-03-05'", True),
        ("day < '2024-03-05'", True),
        ("moment > '2024-03-01'", True),
        ("yes == true", True),
        ("yes == false", False),
        ("yes == 1", False),
        ("yes != 1", True),
        ("yes > 0", UNKNOWN),
        ("written_yes == true", True),
        ("written_no == false", True),
        ("written_no == true", False),
        ("text == true", False),
        ("missing == null", True),
        ("missing != null", False),
        ("null == null", True),
        ("seven == null", False),
        ("seven != null", True),
        ("missing == 3", False),
        ("missing != 3", True),
        ("missing > 3", UNKNOWN),
        ("missing < missing", UNKNOWN),
        ("null >= null", UNKNOWN),
        ("list == ['焦虑', '失眠', 3]", True),
        ("list == ['焦虑', '失眠', '3']", True),
        ("list == ['焦虑', '失眠']", False),
        ("list != ['焦虑', '失眠']", True),
        ("list > ['焦虑']", UNKNOWN),
        ("empty == []", True),
        ("nested == nested", True),
        ("person == person", True),
        ("person == list", False),
        ("huge == huge", True),
        ("huge > 1", True),
        ("infinite > 1", UNKNOWN),
        ("infinite == infinite", UNKNOWN),
        ("not_a_number == not_a_number", UNKNOWN),
        ("set == set", UNKNOWN),
        ("tuple == [1, 2]", True),
        ("1 < seven < 10", True),
        ("1 < seven < 5", False),
        ("1 < missing < 5", UNKNOWN),
        ("10 < missing < seven", UNKNOWN),
        ("1 < seven > missing", UNKNOWN),
        ("5 > seven > missing", False),
        ("成员.称呼 == '姐姐'", True),
        ("{成员.称呼} == '姐姐'", True),
        ("session.强度 == 6", True),
        ("${session.强度} == 6", True),
        ("topic.attempts < 3", True),
        ("{风险等级} ＞＝ ３", True),
        ("seven ≥ 7", True),
        ("seven ≤ 6", False),
        ("seven ≠ 6", True),
    ],
)
def test_comparisons(source: str, expected: Any) -> None:
    assert value(source) is expected


@tabled(
    ("source", "expected"),
    [
        ("'焦虑' in list", True),
        ("'抑郁' in list", False),
        ("'抑郁' not in list", True),
        ("3 in list", True),
        ("'3' in list", True),
        ("list contains '失眠'", True),
        ("list not contains '失眠'", False),
        ("list contains null", False),
        ("mixed contains null", True),
        ("null in mixed", True),
        ("text contains '焦'", True),
        ("text contains '抑'", False),
        ("'焦' in text", True),
        ("'第3次' contains 3", True),
        ("text contains null", UNKNOWN),
        ("text contains yes", UNKNOWN),
        ("text contains ['焦']", UNKNOWN),
        ("missing contains 'a'", UNKNOWN),
        ("'a' in missing", UNKNOWN),
        ("'a' not in missing", UNKNOWN),
        ("person contains '称呼'", True),
        ("'姓名' in person", False),
        ("seven contains 7", UNKNOWN),
        ("text in ['焦虑', '抑郁']", True),
        ("text in [missing, '焦虑']", True),
        ("text in []", False),
        ("[1] in [[1], [2]]", True),
        ("tuple contains 2", True),
        ("infinite in [1]", UNKNOWN),
    ],
)
def test_membership(source: str, expected: Any) -> None:
    assert value(source) is expected


@tabled(
    ("source", "expected"),
    [
        ("1 + 2", 3),
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 3 - 2", 5),
        ("8 / 2 / 2", 2),
        ("7 / 2", 3.5),
        ("6 / 2", 3),
        ("7 % 3", 1),
        ("-7 % 3", 2),
        ("7.5 % 2", 1.5),
        ("0.1 + 0.2", 0.3),
        ("1.1 * 3", 3.3),
        ("-seven", -7),
        ("--seven", 7),
        ("+seven", 7),
        ("-(1 + 2)", -3),
        ("3 - -2", 5),
        ("3-2", 1),
        ("seven + digits", 14),
        ("digits + digits", 14),
        ("'1' + '2'", 3),
        ("'a' + 'b'", "ab"),
        ("text + '症'", "焦虑症"),
        ("[1] + [2, 3]", [1, 2, 3]),
        ("half * 2", 1),
        ("6 × 2 ÷ 3", 4),
        ("６＋４", 10),
        ("1 / 0", UNKNOWN),
        ("1 % 0", UNKNOWN),
        ("1.5 % 0", UNKNOWN),
        ("seven / (one - 1)", UNKNOWN),
        ("missing + 1", UNKNOWN),
        ("1 - missing", UNKNOWN),
        ("yes + 1", UNKNOWN),
        ("text + 1", UNKNOWN),
        ("text * 3", UNKNOWN),
        ("3 * text", UNKNOWN),
        ("list * 3", UNKNOWN),
        ("text - text", UNKNOWN),
        ("list + 1", UNKNOWN),
        ("person + person", UNKNOWN),
        ("-text", UNKNOWN),
        ("-missing", UNKNOWN),
        ("huge + 1", UNKNOWN),
        ("huge / 3", UNKNOWN),
        ("999999999999999 * 999999999999999", UNKNOWN),
        ("0.00000000000001 / 99999999999999", 1.00000000000001e-28),
        ("infinite - infinite", UNKNOWN),
    ],
)
def test_arithmetic(source: str, expected: Any) -> None:
    found = value(source)
    assert found == expected
    assert type(found) is type(expected)


@tabled(
    ("source", "expected"),
    [
        ("len(list)", 3),
        ("len(text)", 2),
        ("len(person)", 2),
        ("len(empty)", 0),
        ("len('')", 0),
        ("len(missing)", UNKNOWN),
        ("len(seven)", UNKNOWN),
        ("len(yes)", UNKNOWN),
        ("LEN(list)", 3),
        ("exists(seven)", True),
        ("exists(missing)", False),
        ("exists(null)", False),
        ("exists(empty)", True),
        ("exists(no)", True),
        ("exists(infinite)", UNKNOWN),
        ("not exists(missing)", True),
        ("lower('ABC') == 'abc'", True),
        ("lower(text)", "焦虑"),
        ("lower(seven)", UNKNOWN),
        ("lower(missing)", UNKNOWN),
        ("any([no, yes])", True),
        ("any([no, missing])", UNKNOWN),
        ("any([1 / 0, yes])", True),
        ("any(no, yes)", True),
        ("any([])", False),
        ("any(empty)", False),
        ("any(list)", True),
        ("any(missing)", UNKNOWN),
        ("any(mixed)", True),
        ("all(mixed)", UNKNOWN),
        ("all([yes, yes])", True),
        ("all([yes, no, missing])", False),
        ("all([yes, missing])", UNKNOWN),
        ("all([])", True),
        ("all(seven > 3, one > 0)", True),
        ("any([seven > 30, missing > 3])", UNKNOWN),
        ("days_since('2024-03-01')", 5),
        ("days_since(day)", 5),
        ("days_since(moment)", 5),
        ("days_since('2024-03-07')", -1),
        ("days_since('2024-03-05T23:00:00+00:00')", 0),
        ("days_since('2024-03-05T15:00:00Z')", 1),
        ("days_since('2024-02-31')", UNKNOWN),
        ("days_since('昨天')", UNKNOWN),
        ("days_since(20240301)", UNKNOWN),
        ("days_since(missing)", UNKNOWN),
        ("days_since('0001-01-01T00:00:00+14:00')", UNKNOWN),
        ("days_since('2024-03-01') > 3", True),
    ],
)
def test_functions(source: str, expected: Any) -> None:
    found = value(source)
    assert found == expected
    assert type(found) is type(expected)


def test_days_need_a_present() -> None:
    assert parse("days_since('2024-03-01')").evaluate(VALUES.get) is UNKNOWN


def test_days_are_counted_in_the_persons_zone() -> None:
    late = datetime(2024, 3, 5, 23, 0, tzinfo=UTC)
    expression = parse("days_since('2024-03-05')")
    assert expression.evaluate(VALUES.get, late) == 0
    assert expression.evaluate(VALUES.get, late, CHINA) == 1
    assert expression.evaluate(VALUES.get, datetime(2024, 3, 7, 0, 0)) == 2


@tabled(
    ("source", "truth"),
    [
        ("yes", True),
        ("no", False),
        ("missing", None),
        ("null", None),
        ("true", True),
        ("TRUE", True),
        ("False", False),
        ("seven", True),
        ("0", False),
        ("text", True),
        ("blank", False),
        ("''", False),
        ("written_yes", True),
        ("written_no", False),
        ("list", True),
        ("empty", False),
        ("person", True),
        ("infinite", None),
        ("not yes", False),
        ("not no", True),
        ("not missing", None),
        ("!yes", False),
        ("!!yes", True),
        ("not not missing", None),
        ("not written_no", True),
        ("not (missing > 3)", None),
        ("not missing > 3", None),
        ("not seven > 30", True),
        ("missing > 3 or yes", True),
        ("missing > 3 and no", False),
        ("missing > 3 or no", None),
        ("missing > 3 and yes", None),
        ("yes && no || yes", True),
        ("yes || no && no", True),
        ("(yes || no) && no", False),
        ("not yes or yes", True),
        ("not (yes or yes)", False),
        ("！yes", False),
        ("yes and seven > 3 and text contains '焦'", True),
    ],
)
def test_truth(source: str, truth: bool | None) -> None:
    expression = parse(source)
    assert expression.truth(VALUES.get, NOW) is truth
    assert expression.holds(VALUES.get, NOW) is (truth is True)


def test_unknown_is_never_true_by_accident() -> None:
    assert not UNKNOWN
    assert repr(UNKNOWN) == "UNKNOWN"


def test_text_and_lists_do_not_grow_without_bound() -> None:
    long = {"t": "字" * 15_000, "l": [0] * 6_000, "b": "字" * 30_000}
    assert parse("t + ''").evaluate(long.get) == long["t"]
    assert parse("t + t").evaluate(long.get) is UNKNOWN
    assert parse("l + l").evaluate(long.get) is UNKNOWN
    assert parse("lower(b)").evaluate(long.get) is UNKNOWN
    assert parse("b contains '字'").evaluate(long.get) is True


def test_deep_and_wide_values_are_given_up_on_rather_than_hung_on() -> None:
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    wide = [[0] * 1_000 for _ in range(1_000)]
    given: dict[str, Any] = {"deep": deep, "wide": wide, "copy": [list(row) for row in wide]}
    assert parse("deep == deep").evaluate(given.get) is UNKNOWN
    assert parse("wide == copy").evaluate(given.get) is UNKNOWN
    assert parse("wide == copy").holds(given.get) is False


def test_only_what_the_lookup_raises_is_raised() -> None:
    def broken(name: str) -> Any:
        raise LookupError(name)

    with pytest.raises(LookupError, match="mood"):
        parse("mood > 3").evaluate(broken)
    assert parse("1 > 3 and mood").evaluate(broken) is False
