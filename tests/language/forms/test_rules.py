"""What lint knows about forms, beyond the example that each diagnostic shows."""

from __future__ import annotations

from typing import Any

import pytest
from tests.language.forms.material import choice, form
from tests.language.material import at, checked, codes, linted, only, project, session, skill

from heartrule.language.forms.reachable import Range, reachable

HEAD = "forms:\n  - form: 心情\n    id: mood\n    fields:\n"
YES = "[{value: 0, label: 没有}, {value: 1, label: 有}]"
Q1 = f"      - {{id: q1, label: 难过, type: single, options: {YES}}}\n"
Q2 = f"      - {{id: q2, label: 紧张, type: single, options: {YES}}}\n"


def found(*fields: str, rest: str = "", above: str = "") -> list[tuple[str, int]]:
    return at(linted(above + HEAD + "".join(fields) + rest))


UNKNOWN = [
    "      - {id: a, label: 说, type: text, within: q9}\n",
    "      - {id: a, label: 说, type: text, validate: len(b) > 1}\n",
    "    validate: [{check: q9 > 1, message: 不对}]\n",
    "    validate: [{check: q1.label == '有', message: 不对}]\n",
    "    scores: [{id: total, sum: [q1, q9]}]\n",
    "    on_answer: [{field: q9, directive: SUSPEND_CURRENT}]\n",
    "    on_answer: [{field: q1, if: q9 > 0, directive: SUSPEND_CURRENT}]\n",
    "    on_submit: [{directive: SUSPEND_CURRENT, if: q1.band == 1}]\n",
]


@pytest.mark.parametrize("written", UNKNOWN)
def test_a_field_that_the_form_does_not_have(written: str) -> None:
    assert found(Q1, written) == [("E283", 6)]


def test_a_field_that_stands_further_down_cannot_hold_another() -> None:
    assert found("      - {id: a, label: 说, type: text, within: q1}\n", Q1) == [("E283", 5)]


def test_what_may_be_named_after_an_answer() -> None:
    rest = (
        "    scores: [{id: total, sum: [q1]}]\n"
        "    on_answer: [{field: q1, if: total > 0 and q1.label == '有', directive: SUSPEND_CURRENT}]\n"
        '    on_submit: [{set: 话, value: "{q1.label} {total.band} {total}", if: total.band == null}]\n'
    )
    assert found(Q1, rest=rest, above="global: [{var: 话, define: 话}]\n") == []


def test_a_placeholder_that_nothing_declares() -> None:
    label = "      - {id: a, label: '{称号}，你好', type: note}\n"
    assert found(label) == [("W211", 5)]
    assert found(label, above="global: [{var: 称号, define: 称呼}]\n") == []


def test_a_directive_is_held_against_what_it_needs() -> None:
    assert found(Q1, rest="    on_answer: [{field: q1, directive: CALL_TECHNIQUE}]\n") == [("E208", 6)]
    unknown = "    on_submit: [{directive: CALL_TECHNIQUE, technique: nowhere}]\n"
    assert found(Q1, rest=unknown) == [("E203", 6)]
    assert found(Q1, rest="    on_submit: [{directive: ENABLE, awareness: nowhere}]\n") == [("E204", 6)]
    assert found(Q1, rest="    on_submit: [{directive: SET_VAR, var: 没有, value: 1}]\n") == [("E291", 6)]


def test_what_a_form_may_order() -> None:
    def told(order: str, directives: str) -> list[str]:
        text = f"{HEAD}{Q1}    on_answer: [{{field: q1, {order}}}]\n{skill(name='缓一缓', head='id: rest')}"
        safety = project({"project.yaml": "id: safety\n", "s.yaml": skill(name="陪着", head="id: crisis_support")})
        head = f"id: local\ndirectives: {directives}\n"
        return codes(checked({"project.yaml": head, "a.yaml": text}, safety=safety))

    assert told("directive: END_SESSION", "[]") == ["W266"]
    assert told("directive: END_SESSION", "[END_SESSION]") == []
    assert told("directive: CALL_TECHNIQUE, technique: rest", "[]") == ["W266"]
    assert told("directive: CALL_TECHNIQUE, technique: safety/crisis_support", "[]") == []
    assert told("directive: SKIP_TOPICS, topics: [没有]", "[SKIP_TOPICS]") == []


def test_a_topic_that_a_form_names_is_one_of_the_project() -> None:
    text = f"{HEAD}{Q1}    on_submit: [{{directive: INSERT_TOPIC, topic: 没有}}]\n{session()}"
    assert codes(linted(text)) == ["E206"]


def test_forms_and_their_parts_are_told_apart() -> None:
    one = f"{HEAD}{Q1}"
    assert codes(linted(one + one.removeprefix("forms:\n"))) == ["E201"]
    assert found(Q1, Q1) == [("E201", 6)]
    assert found(Q1, rest="    scores: [{id: q1, sum: [q1]}]\n") == [("E201", 6)]


@pytest.mark.parametrize("name", ["12", "q 1", "q-1", "and", "q.1", "q(", "''"])
def test_an_id_that_conditions_cannot_name(name: str) -> None:
    assert found(f"      - {{id: {name!r}, label: 说, type: text}}\n") == [("E295", 5)]


@pytest.mark.parametrize("name", ["q1", "情绪", "_a", "1a"])
def test_an_id_that_they_can(name: str) -> None:
    assert found(f"      - {{id: {name}, label: 说, type: text}}\n") == []


class TestScores:
    def test_another_kind_of_question_may_be_left_out(self) -> None:
        rest = "    scores: [{id: total, sum: [q1, q2]}]\n"
        other = "      - {id: q3, label: 妨碍, type: single, options: [{value: 0, label: 不}, {value: 1, label: 很}]}\n"
        assert found(Q1, Q2, other, rest=rest) == []

    def test_parts_of_a_sum_may_have_scores_of_their_own(self) -> None:
        rest = "    scores: [{id: a, sum: [q1, q2]}, {id: b, sum: [q3, q4]}]\n"
        more = [Q1.replace("q1", "q3"), Q2.replace("q2", "q4")]
        assert found(Q1, Q2, *more, rest=rest) == []

    def test_an_option_without_a_number(self) -> None:
        text = "      - {id: a, label: 说, type: single, options: [甲, 乙]}\n"
        assert found(text, rest="    scores: [{id: t, sum: [a]}]\n") == [("E285", 6)]

    @pytest.mark.parametrize(
        ("bands", "expected"),
        [
            ("[{from: 0, to: 10, label: 全}]", []),
            ("[{from: 0, to: 5, label: 轻}, {from: 6, to: 10, label: 重}]", []),
            ("[{from: 6, to: 10, label: 重}, {from: 0, to: 5, label: 轻}]", []),
            ("[{from: 0, to: 6, label: 轻}, {from: 6, to: 10, label: 重}]", ["E286"]),
            ("[{from: 0, to: 5, label: 轻}, {from: 7, to: 10, label: 重}]", ["W287"]),
            ("[{from: 0, to: 11, label: 全}]", ["W288"]),
            ("[{from: 5, to: 1, label: 反}, {from: 0, to: 10, label: 全}]", ["E286", "W288"]),
        ],
    )
    def test_bands(self, bands: str, expected: list[str]) -> None:
        field = "      - {id: a, label: 几分, type: slider}\n"
        told = found(field, rest=f"    scores: [{{id: t, sum: [a], bands: {bands}}}]\n")
        assert sorted(code for code, _ in told) == expected

    @pytest.mark.parametrize(
        ("bands", "code"),
        [
            ("[{from: 0, to: 5, label: 轻}, {from: 5.5, to: 10, label: 重}]", ["W287"]),
            ("[{from: 0, to: 9, label: 轻}]", ["W287"]),
            ("[{from: 1, to: 10, label: 轻}]", ["W287"]),
            ("[{from: 0, to: 10, label: 轻}]", []),
        ],
    )
    def test_bands_of_what_is_not_counted_one_by_one(self, bands: str, code: list[str]) -> None:
        field = "      - {id: a, label: 几分, type: number, range: [0, 10]}\n"
        assert codes(linted(f"{HEAD}{field}    scores: [{{id: t, sum: [a], bands: {bands}}}]\n")) == code

    def test_what_has_no_bound_is_never_covered(self) -> None:
        field = "      - {id: a, label: 几分, type: number}\n"
        found = only(
            linted(f"{HEAD}{field}    scores: [{{id: t, sum: [a], bands: [{{from: 0, to: 9, label: 轻}}]}}]\n")
        )
        assert (found.code, "…–0, 9–…" in found.message.en) == ("W287", True)


REACHED: list[tuple[list[dict[str, Any]], Range | None]] = [
    ([choice("a"), choice("b")], Range(tuple(map(float, range(7))), 0, 6)),
    ([choice("a", options=[1, 3])], Range((1, 3), 1, 3)),
    ([choice("a", options=[1, 3]), choice("b", options=[1], show_when="a > 1")], Range((1, 2, 3, 4), 1, 4)),
    ([{"id": "a", "type": "multiple", "options": [1, 2, 4]}], Range((1, 2, 3, 4, 5, 6, 7), 1, 7)),
    ([{"id": "a", "type": "multiple", "options": [-1, 2]}], Range((-1, 1, 2), -1, 2)),
    ([{"id": "a", "type": "boolean"}], Range((0, 1), 0, 1)),
    ([{"id": "a", "type": "mood"}], Range((1, 2, 3, 4, 5), 1, 5)),
    ([{"id": "a", "type": "slider", "range": [0, 1], "step": 0.5}], Range((0, 0.5, 1), 0, 1)),
    ([{"id": "a", "type": "number", "range": [1, 2]}, choice("b")], Range(None, 1, 5)),
    ([{"id": "a", "type": "number", "range": [1, 2], "show_when": "true"}], Range(None, 0, 2)),
    ([{"id": "a", "type": "number"}, choice("b")], Range(None, None, None)),
    ([{"id": "a", "type": "slider", "range": [0, 10_000_000]}], Range(None, 0, 10_000_000)),
    ([{"id": "a", "type": "multiple", "options": [2**n for n in range(20)]}], Range(None, 0, 2**20 - 1)),
    ([{"id": "a", "type": "text"}], None),
]


@pytest.mark.parametrize(("fields", "expected"), REACHED)
def test_what_a_score_can_come_to(fields: list[dict[str, Any]], expected: Range | None) -> None:
    made = form(*fields, scores=[{"id": "t", "sum": [each["id"] for each in fields]}])
    assert reachable(made, made.scores[0]) == expected


class TestShown:
    @pytest.mark.parametrize(
        ("condition", "never"),
        [
            ("q1 > 0", False),
            ("q1 > 1", True),
            ("q1 == null", False),
            ("q1 > 0 and q2 > 0", False),
            ("q1 > 0 and q1 < 1", True),
            ("false", True),
            ("t == '甲'", False),
            ("m > 5", True),
            ("m > 4", False),
            ("n > 0", True),
            ("b == 'x'", True),
        ],
    )
    def test_by_trying_every_answer(self, condition: str, never: bool) -> None:
        fields = [
            Q1,
            Q2,
            "      - {id: t, label: 说, type: text}\n",
            "      - {id: m, label: 心情, type: mood}\n",
            "      - {id: n, label: 看, type: note}\n",
            "      - {id: b, label: 对吗, type: boolean}\n",
            f"      - {{id: x, label: 说, type: text, required: true, show_when: {condition}}}\n",
        ]
        assert found(*fields) == ([("W292", 11)] if never else [])

    def test_what_belongs_to_something_never_shown(self) -> None:
        head = "      - {id: a, label: 甲, type: note, show_when: q1 > 5}\n"
        below = "      - {id: b, label: 乙, type: text, within: a}\n"
        other = "      - {id: c, label: 丙, type: text, show_when: b == 'x'}\n"
        assert found(Q1, head, below, other) == [("W292", 7), ("W292", 8)]

    def test_a_circle_through_within(self) -> None:
        head = "      - {id: a, label: 甲, type: note, show_when: b}\n"
        below = "      - {id: b, label: 乙, type: boolean, within: a}\n"
        other = "      - {id: c, label: 丙, type: boolean, show_when: a == 1 or b}\n"
        assert found(head, below, other) == [("E293", 5), ("E293", 6)]


def test_a_first_value_is_held_against_its_field() -> None:
    assert found("      - {id: a, label: 几分, type: slider, value: 11}\n") == [("E294", 5)]
    assert found("      - {id: a, label: 几分, type: slider, value: 1}\n") == []


class TestShowing:
    def shows(self, reference: str) -> str:
        return session(f"- {{type: show_form, form: {reference}}}")

    def test_by_id_name_and_project(self) -> None:
        text = f"{HEAD}{Q1}"
        assert codes(linted(text + self.shows("mood"))) == []
        assert codes(linted(text + self.shows("心情"))) == []
        assert codes(linted(self.shows("cbt/phq9"))) == []

    def test_one_that_is_not_there(self) -> None:
        found = only(linted(f"{HEAD}{Q1}" + self.shows("mod")))
        assert found.code == "E298"
        assert "`mood`" in found.hint.en
        assert found.mend is not None
        assert codes(linted(self.shows("cbt/phq99"))) == ["E298"]
        assert codes(linted(self.shows("nowhere/phq9"))) == ["E298"]

    def test_while_its_project_cannot_be_read_nothing_is_said(self) -> None:
        assert codes(checked({"a.yaml": self.shows("mood"), "b.yaml": "forms: 1\n"})) == ["E016"]


def test_a_near_field_is_offered() -> None:
    found = only(linted(f"{HEAD}{Q1}{Q2}    scores: [{{id: t, sum: [q1, qq2]}}]\n"))
    assert found.code == "E283"
    assert found.mend is not None


def test_nothing_is_said_of_names_while_a_file_cannot_be_read() -> None:
    text = f"{HEAD}{Q1}    on_submit: [{{set: 话, value: 1}}]\n"
    assert codes(checked({"a.yaml": text, "b.yaml": "global: 1\n"})) == ["E016"]
    assert codes(checked({"a.yaml": text})) == ["E291"]
    assert project({"a.yaml": text}).findings == []
