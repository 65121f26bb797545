"""Scores, their bands, and what follows from answers."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.language.forms.material import OPTIONS, choice, form

from heartrule.language.forms.answers import check
from heartrule.language.forms.results import lookup, on_answer, on_submit
from heartrule.language.forms.scoring import ScoreResult, scores

BANDS = [{"from": 0, "to": 2, "label": "轻"}, {"from": 3, "to": 6, "label": "重"}]
TWO = form(
    choice("q1"),
    choice("q2"),
    scores=[{"id": "total", "sum": ["q1", "q2"], "bands": BANDS}],
    on_answer=[
        {"field": "q2", "if": "q2 > 0", "directive": "CALL_TECHNIQUE", "technique": "crisis_support"},
        {"field": "q1", "directive": "FEEDBACK", "text": "答了"},
    ],
    on_submit=[
        {"set": "总分", "value": "{total}"},
        {"directive": "ESCALATE", "to": "desk", "if": "total >= 3"},
    ],
)


def total(made: Any, answers: dict[str, Any]) -> ScoreResult:
    return scores(made, check(made, answers, whole=False).values)["total"]


def test_a_sum_and_its_band() -> None:
    assert total(TWO, {"q1": 1, "q2": 1}) == ScoreResult(2, "轻")
    assert total(TWO, {"q1": 1, "q2": "2"}) == ScoreResult(3, "重")


def test_no_score_before_all_is_answered() -> None:
    assert total(TWO, {"q1": 1}) == ScoreResult(None, None)
    assert total(TWO, {}) == ScoreResult(None, None)


def test_what_counts() -> None:
    made = form(
        {"id": "a", "type": "single", "options": [{"value": "x", "label": "x", "score": 2.5}]},
        {"id": "b", "type": "multiple", "options": [1, 2, {"value": "none", "label": "无", "score": 0}]},
        {"id": "c", "type": "boolean"},
        {"id": "d", "type": "slider"},
        {"id": "e"},
        scores=[
            {"id": "total", "sum": ["a", "b", "c", "d"]},
            {"id": "words", "sum": ["e"]},
            {"id": "gone", "sum": ["zz"]},
        ],
    )
    answers = {"a": "x", "b": [1, 2, "none"], "c": True, "d": 0.1, "e": "三"}
    found = scores(made, check(made, answers, whole=True).values)
    assert found["total"] == ScoreResult(6.6, None)
    assert found["words"] == found["gone"] == ScoreResult(None, None)


def test_what_is_hidden_is_neither_needed_nor_counted() -> None:
    made = form(
        choice("q1"), choice("q2", show_when="q1 > 0"), scores=[{"id": "total", "sum": ["q1", "q2"], "bands": BANDS}]
    )
    assert scores(made, {"q1": 0, "q2": 3})["total"] == ScoreResult(0, "轻")
    assert scores(made, {"q1": 1})["total"] == ScoreResult(None, None)
    assert scores(made, {"q1": 1, "q2": 3})["total"] == ScoreResult(4, "重")
    only = form(choice("q1"), choice("q2", show_when="q1 > 0"), scores=[{"id": "total", "sum": ["q2"]}])
    assert scores(only, {"q1": 0, "q2": 3})["total"] == ScoreResult(None, None)


def test_names_in_what_follows() -> None:
    read = lookup(TWO, {"q1": 1, "q2": 3})
    names = ("q1", "q1.label", "total", "total.band", "q1.band", "total.label", "zz", "zz.label")
    assert [read(name) for name in names] == [1, "几天", 4, "重", None, None, None, None]
    several = form({"id": "a", "type": "multiple", "options": OPTIONS}, {"id": "b"})
    read = lookup(several, {"a": [0, 3], "b": "话"})
    assert (read("a.label"), read("b.label")) == (["无", "几乎每天"], "话")


def test_what_an_answer_calls_for() -> None:
    assert [each.field for each in on_answer(TWO, {"q2": 1})] == ["q2"]
    assert [each.field for each in on_answer(TWO, {"q1": 0, "q2": 0})] == ["q1"]
    assert on_answer(TWO, {}) == ()


def test_a_hidden_answer_calls_for_nothing() -> None:
    orders = [{"field": "q2", "directive": "END_SESSION"}]
    made = form(choice("q1"), choice("q2", show_when="q1 > 0"), on_answer=orders)
    assert on_answer(made, {"q1": 0, "q2": 3}) == ()
    assert len(on_answer(made, {"q1": 1, "q2": 3})) == 1


def test_what_handing_in_calls_for() -> None:
    assert len(on_submit(TWO, {"q1": 1, "q2": 1})) == 1
    assert len(on_submit(TWO, {"q1": 1, "q2": 3})) == 2


PLAIN = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        1,
        1.5,
        10**400,
        float("inf"),
        "",
        " ",
        "1",
        "a",
        "true",
        "08:30",
        "2026-05-01",
        "2026-05-01T08:30",
    ]
)
JSON = PLAIN | st.text("ab 1:-", max_size=3) | st.integers() | st.lists(PLAIN, max_size=3) | st.just({"a": [1]})
KINDS = ("single", "multiple", "text", "longtext", "integer", "number", "boolean", "slider", "mood", "date", "time")
FIELDS = [
    {
        "id": f"f{number}",
        "type": kind,
        "options": [1, "a", {"value": 0.5, "label": "b"}, True] if kind in ("single", "multiple") else [],
        "show_when": f"f{number - 1} != 'a'" if number % 3 == 0 and number else None,
    }
    for number, kind in enumerate((*KINDS, "datetime", "note"))
]
EVERY = form(*FIELDS, scores=[{"id": "total", "sum": [f"f{number}" for number in (0, 1, 4, 5, 6, 7)]}])


@given(st.dictionaries(st.sampled_from([*EVERY.by_id, "zz"]), JSON, max_size=8), st.booleans())
def test_no_answer_makes_it_fall(answers: dict[str, Any], whole: bool) -> None:
    found = check(EVERY, answers, whole=whole)
    assert not found.hidden & set(found.values)
    assert check(EVERY, found.values, whole=whole).values == found.values
    scored = scores(EVERY, found.values)["total"]
    needed = [name for name in EVERY.scores[0].sum if name not in found.hidden]
    complete = bool(needed) and all(name in found.values for name in needed)
    uncounted = [name for name in needed if found.values.get(name) == "a"]
    assert (scored.value is not None) == (complete and not uncounted)


@given(st.dictionaries(st.sampled_from(["q1", "q2"]), st.integers(-2, 5)), st.integers(0, 3))
def test_a_hidden_answer_never_counts(answers: dict[str, Any], hidden: int) -> None:
    made = form(
        choice("q1"),
        choice("q2"),
        choice("q3", show_when="false"),
        scores=[{"id": "total", "sum": ["q1", "q2", "q3"]}],
    )
    without = check(made, answers, whole=True).values
    assert check(made, {**answers, "q3": hidden}, whole=True).values == without
    assert scores(made, {**without, "q3": hidden}) == scores(made, without)
