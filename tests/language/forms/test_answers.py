"""Answers of a form: read by type, shown or hidden, and held against the form's rules."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.language.forms.material import choice, form

from heartrule.language.forms.answers import check
from heartrule.language.nodes.forms import Form


def outcome(made: Form, answers: dict[str, Any], *, whole: bool = True) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    found = check(made, answers, whole=whole, now=datetime(2026, 5, 1, tzinfo=UTC))
    return found.values, [(each.field, each.code) for each in found.problems]


COLOURS = [{"value": "a", "label": "红"}, {"value": "b", "label": "绿"}, {"value": 3, "label": "蓝"}]
READ = [
    ({"type": "text"}, " 你好 ", "你好"),
    ({"type": "text"}, 12, "12"),
    ({"type": "text"}, True, "[not_text]"),
    ({"type": "text"}, ["a"], "[not_text]"),
    ({"type": "longtext"}, "甲\n乙", "甲\n乙"),
    ({"type": "longtext"}, "长" * 20_001, "[too_long]"),
    ({"type": "single", "options": COLOURS}, "a", "a"),
    ({"type": "single", "options": COLOURS}, " b ", "b"),
    ({"type": "single", "options": COLOURS}, "3", 3),
    ({"type": "single", "options": COLOURS}, 3.0, 3),
    ({"type": "single", "options": COLOURS}, "红", "[not_an_option]"),
    ({"type": "single", "options": COLOURS}, True, "[not_an_option]"),
    ({"type": "single", "options": COLOURS}, {"a": 1}, "[not_an_option]"),
    ({"type": "single", "options": COLOURS}, "x" * 30_000, "[not_an_option]"),
    ({"type": "single", "options": [1, True]}, True, True),
    ({"type": "single", "options": ["是", "否"]}, "否", "否"),
    ({"type": "multiple", "options": COLOURS}, [3, "a", "a"], ["a", 3]),
    ({"type": "multiple", "options": COLOURS}, "a", "[not_a_list]"),
    ({"type": "multiple", "options": COLOURS}, ["a", "z"], "[not_an_option]"),
    ({"type": "multiple", "options": COLOURS}, ["a"] * 40, "[too_many]"),
    ({"type": "integer"}, "7", 7),
    ({"type": "integer"}, 7.5, "[not_integer]"),
    ({"type": "integer", "range": [1, 5]}, 6, "[range]"),
    ({"type": "number"}, "7.5", 7.5),
    ({"type": "number"}, True, "[not_number]"),
    ({"type": "number"}, float("nan"), "[not_number]"),
    ({"type": "boolean"}, "true", True),
    ({"type": "boolean"}, 1, "[not_boolean]"),
    ({"type": "slider"}, 10, 10),
    ({"type": "slider"}, 10.5, "[range]"),
    ({"type": "slider", "range": [0, 100]}, 10.5, 10.5),
    ({"type": "mood"}, 5, 5),
    ({"type": "mood"}, 0, "[range]"),
    ({"type": "mood"}, 2.5, "[not_integer]"),
    ({"type": "date"}, "2026/5/1", "2026-05-01"),
    ({"type": "date"}, "明天", "[not_date]"),
    ({"type": "time"}, "８:05:59", "08:05"),
    ({"type": "time"}, "24:00", "[not_time]"),
    ({"type": "time"}, 8, "[not_time]"),
    ({"type": "datetime"}, "2026-05-01 08:30:59", "2026-05-01T08:30"),
    ({"type": "datetime"}, "2026-05-01T08:30+08:00", "2026-05-01T08:30+08:00"),
    ({"type": "datetime"}, "2026-05-01", "[not_datetime]"),
    ({"type": "datetime"}, "2026-13-01T08:30", "[not_datetime]"),
    ({"type": "note"}, "x", "[not_asked]"),
]


@pytest.mark.parametrize(("field", "raw", "expected"), READ)
def test_an_answer_is_read_by_its_type(field: dict[str, Any], raw: Any, expected: Any) -> None:
    values, problems = outcome(form({"id": "x", **field}), {"x": raw})
    found = values["x"] if values else f"[{problems[0][1]}]"
    assert (found, type(found)) == (expected, type(expected))
    assert len(values) + len(problems) == 1


@pytest.mark.parametrize("raw", [None, "", "  ", []])
def test_nothing_is_no_answer(raw: Any) -> None:
    assert outcome(form({"id": "x"}), {"x": raw}) == ({}, [])
    assert outcome(form({"id": "x", "required": True}), {"x": raw}) == ({}, [("x", "required")])
    assert outcome(form({"id": "x", "required": True}), {"x": raw}, whole=False) == ({}, [])


def test_what_cannot_be_read_is_not_asked_for_again_as_missing() -> None:
    assert outcome(form({"id": "x", "type": "integer", "required": True}), {"x": "许多"}) == (
        {},
        [("x", "not_number")],
    )


def test_a_field_that_the_form_does_not_have() -> None:
    found = check(form({"id": "x"}), {"y": 1, "x": "a"}, whole=False)
    assert found.values == {"x": "a"}
    assert [(each.field, each.code) for each in found.problems] == [("", "unknown_field")]
    assert "“y”" in found.problems[0].message.en


def test_a_note_is_never_required() -> None:
    assert outcome(form({"id": "x", "type": "note", "required": True}), {}) == ({}, [])


class TestShown:
    MADE = form(choice("q1"), {"id": "why", "show_when": "q1 > 0", "required": True}, {"id": "more", "within": "why"})

    def test_what_is_hidden_is_left_out_and_not_required(self) -> None:
        found = check(self.MADE, {"q1": 0, "why": "累", "more": "很累"}, whole=True)
        assert (found.values, found.problems, found.hidden) == ({"q1": 0}, (), {"why", "more"})

    def test_what_is_shown_is_required(self) -> None:
        assert outcome(self.MADE, {"q1": 1}) == ({"q1": 1}, [("why", "required")])

    def test_an_unknown_condition_hides(self) -> None:
        assert check(self.MADE, {}, whole=True).hidden == {"why", "more"}

    def test_a_hidden_answer_does_not_show_others(self) -> None:
        made = form({"id": "c", "show_when": "b == 'x'"}, {"id": "b", "show_when": "a == 'x'"}, {"id": "a"})
        assert check(made, {"a": "y", "b": "x", "c": "z"}, whole=True).values == {"a": "y"}
        assert check(made, {"a": "x", "b": "x", "c": "z"}, whole=True).values == {"a": "x", "b": "x", "c": "z"}

    def test_what_is_wrong_with_a_hidden_answer_is_not_told(self) -> None:
        made = form(choice("q1"), {"id": "n", "type": "integer", "show_when": "q1 > 0"})
        assert outcome(made, {"q1": 0, "n": "许多"}) == ({"q1": 0}, [])

    def test_a_circle_ends(self) -> None:
        made = form({"id": "a", "show_when": "b == 'x'"}, {"id": "b", "show_when": "a == 'x'", "within": "a"})
        assert check(made, {"a": "x", "b": "x"}, whole=True).values == {"a": "x", "b": "x"}
        assert check(made, {"a": "y", "b": "y"}, whole=True).values == {}

    def test_a_long_chain_needs_no_depth(self) -> None:
        fields = [{"id": f"f{n}", "show_when": f"f{n + 1} == 'x'"} for n in range(299)]
        made = form(*fields, {"id": "f299"})
        answers = {f"f{n}": "x" for n in range(300)}
        assert len(check(made, answers, whole=True).values) == 300
        assert check(made, {**answers, "f299": "y"}, whole=True).values == {"f299": "y"}


class TestRules:
    def test_an_answer_that_breaks_a_rule_is_kept_with_its_problem(self) -> None:
        made = form({"id": "a", "max_length": 2}, {"id": "b", "validate": "len(b) < 3", "message": "太长"})
        assert outcome(made, {"a": "甲乙丙", "b": "甲乙丙"}, whole=False) == (
            {"a": "甲乙丙", "b": "甲乙丙"},
            [("a", "too_long"), ("b", "validate")],
        )
        assert check(made, {"b": "甲乙丙"}, whole=True).problems[0].message.zh == "太长"

    def test_a_rule_that_cannot_be_judged_yet_is_not_broken(self) -> None:
        made = form(
            {"id": "a", "type": "date"},
            {"id": "b", "type": "date", "validate": "days_since(b) <= days_since(a)"},
            validate=[{"check": "a != b", "message": "同一天"}],
        )
        assert outcome(made, {"b": "2026-04-01"}) == ({"b": "2026-04-01"}, [])
        assert outcome(made, {"a": "2026-04-02", "b": "2026-04-01"})[1] == [("b", "validate")]

    def test_the_forms_own_checks_are_for_the_whole(self) -> None:
        made = form({"id": "a"}, {"id": "b"}, validate=[{"check": "exists(a) or exists(b)", "message": "至少填一项"}])
        assert outcome(made, {}, whole=False) == ({}, [])
        assert outcome(made, {}) == ({}, [("", "check")])
        assert outcome(made, {"b": "x"}) == ({"b": "x"}, [])

    def test_problems_stand_in_the_order_of_the_form(self) -> None:
        made = form({"id": "b", "required": True}, {"id": "a", "type": "integer"}, {"id": "c", "required": True})
        assert outcome(made, {"a": "x", "z": 1})[1] == [
            ("b", "required"),
            ("a", "not_number"),
            ("c", "required"),
            ("", "unknown_field"),
        ]

    def test_answers_are_not_shown_in_records(self) -> None:
        assert "秘密" not in repr(check(form({"id": "a"}), {"a": "秘密"}, whole=True))
