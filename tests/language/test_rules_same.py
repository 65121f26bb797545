"""Conditions that come to the same whatever their variables hold. What may hold or fail gives nothing."""

from __future__ import annotations

import pytest
from tests.language.material import codes, linted_whole, session


def found(condition: str, rules: str = "type: integer, range: [1, 10]") -> list[str]:
    text = session(
        f"- {{type: say, content: 好, condition: {condition!r}}}\n- {{type: say, content: '{{情绪}}{{别的}}'}}",
        head=f"declare: [{{var: 情绪, {rules}, value: 1}}, {{var: 别的, value: 1}}]",
    )
    return [each for each in codes(linted_whole(text)) if each not in ("W233", "W249", "E225")]


@pytest.mark.parametrize(
    ("condition", "rules"),
    [
        ("1 > 2", "type: text"),
        ("1 < 2", "type: text"),
        ("情绪 > 情绪", "type: integer"),
        ("情绪 == 情绪", "type: text"),
        ("情绪 or not 情绪 or 情绪 == null", "type: boolean"),
        ("len(情绪) > 2", "type: integer"),
        ("情绪 contains 2", "type: integer"),
        ("情绪 != null and not exists(情绪)", "type: text"),
        ("1 > 2 and 别的 > 3", "type: text"),
        ("情绪 != '女士'", "type: enum, options: [男, 女]"),
        ("情绪 >= 1", "type: integer, range: [1, 10]"),  # as soon as there is a value
        ("情绪 in ['男', '女']", "type: enum, options: [男, 女]"),
    ],
)
def test_what_it_holds_makes_no_difference(condition: str, rules: str) -> None:
    assert found(condition, rules) == ["W415"]


@pytest.mark.parametrize(
    ("condition", "rules"),
    [
        ("情绪 >= 2", "type: integer, range: [1, 10]"),
        ("exists(情绪) and 情绪 >= 1", "type: integer, range: [1, 10]"),
        ("情绪 != null", "type: integer"),
        ("情绪 > 别的", "type: integer"),
        ("情绪 + 别的 == 3", "type: integer"),
        ("len(情绪) >= 6 and (情绪 contains '不对' or 情绪 contains '应该')", "type: text"),
        ("len(情绪) == 2 and 情绪 contains '母亲'", "type: list"),
        ("not (情绪 in ['男', '女'])", "type: enum, options: [男, 女]"),  # before it was asked
        ("days_since(情绪) > 30", "type: date"),
        ("情绪 > '2020-01-01'", "type: date"),
        ("lower(情绪) == 'yes'", "type: text"),
        ("action.round > 3", "type: text"),
        ("false", "type: text"),
        ("情绪 == '父亲' and 别的 == '母亲'", "type: text"),
        ("a > 1 and b > 1 and c > 1 and d > 1 and e > 1 and 1 > 2", "type: text"),
    ],
)
def test_it_may_hold_and_may_fail(condition: str, rules: str) -> None:
    assert "W415" not in found(condition, rules)


def test_what_another_rule_tells_better_is_told_once() -> None:
    assert found("情绪 > 10") == ["W253"]
    assert found("情绪 > 5 and 情绪 < 3", "type: number") == ["W254"]


def test_of_phases_and_awareness_scripts() -> None:
    head = "declare: [{var: 情绪, type: integer, value: 1}]"
    text = session("- {type: say, content: '{情绪}'}", head=head)
    assert "W415" in codes(
        linted_whole(text.replace("        steps:", "        condition: 情绪 < 情绪\n        steps:"))
    )
    watching = "awareness:\n  - {awareness: 看, id: look, priority: P1, at: [answer], condition: 1 > 2, then: []}\n"
    assert "W415" in codes(linted_whole(text + watching))


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("type: integer, range: [1, 10], validate: 情绪 > 20", ["W415"]),
        ("type: integer, range: [1, 10], validate: 情绪 > 5", []),
        ("type: integer, range: [1, 10], validate: 情绪 > 0", []),
        ("type: enum, options: [甲, 乙], validate: 情绪 != '甲'", []),
    ],
)
def test_a_value_that_nothing_can_be(rules: str, expected: list[str]) -> None:
    text = session(
        "- {type: ask, content: 几分？, output: [{get: 情绪}]}\n- {type: say, content: '{情绪}'}",
        head=f"declare: [{{var: 情绪, {rules}}}]",
    )
    assert codes(linted_whole(text)) == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [("[男，女]", ["W418"]), ("[男、女、都不是]", ["W418"]), ("[男, 女]", []), ("['男，女', 别的]", ["W235"])],
)
def test_items_between_full_width_commas(options: str, expected: list[str]) -> None:
    ask = "- {type: ask, content: 你是？, output: [{get: 性别}]}\n"
    text = session(
        ask + "- {type: say, content: 好, condition: 性别 == '女'}",
        head=f"declare: [{{var: 性别, type: enum, options: {options}}}]",
    )
    found = linted_whole(text)
    assert codes(found) == expected
    if expected == ["W418"]:
        assert found[0].mend is not None
        assert "，" not in found[0].mend.edits[0].text
