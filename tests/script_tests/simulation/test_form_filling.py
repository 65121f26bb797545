"""Forms filled by visitors: as each field wants it, and truly where an answer tells of danger."""

from __future__ import annotations

from random import Random

import pytest
from tests.script_tests.simulation.material import Says, persona, ruled

from heartrule.engine.session.io import FormRequest
from heartrule.language.forms.answers import check
from heartrule.script_tests.simulation.findings import findings
from heartrule.script_tests.simulation.form_filling import FilledForm, filled
from heartrule.script_tests.simulation.open_question import OpenQuestion, questions_of
from heartrule.script_tests.simulation.session_run import SessionSettings
from heartrule.script_tests.simulation.visitor import Move
from heartrule.testing.talk import shipped

MOOD_CHECK = shipped("cbt/mood_check")
PHQ = MOOD_CHECK.forms["cbt/phq9"]
FIELDS = [
    {"id": "one", "type": "single", "required": True, "options": [{"value": 0}, {"value": 1}]},
    {"id": "some", "type": "multiple", "required": True, "options": [{"value": each} for each in "甲乙丙丁"]},
    {"id": "words", "type": "text", "required": True, "max_length": 5},
    {"id": "count", "type": "integer", "required": True, "least": 3, "most": 9},
    {"id": "half", "type": "slider", "required": True, "least": 0, "most": 1, "step": 0.5},
    {"id": "yes", "type": "boolean", "required": True},
    {"id": "day", "type": "date", "required": True},
    {"id": "when", "type": "datetime", "required": True},
    {"id": "left", "type": "text"},
    {"id": "read", "type": "note"},
]


def request(required: bool = False, **values: object) -> FormRequest:
    return FormRequest("local/f", "f1", "fill", required, "表", {"fields": FIELDS}, values)


def form_of(seed: int, *, alarming: bool) -> FilledForm:
    fields = [
        {"id": each.id, "type": each.type, "required": True, "options": [{"value": o.value} for o in each.options]}
        for each in PHQ.fields
        if each.type == "single"
    ]
    asked = FormRequest("cbt/phq9", "f1", "fill", True, "PHQ-9", {"fields": fields}, {})
    return filled(asked, PHQ, persona(), "zh", Random(seed), alarming=alarming)


def test_every_field_gets_what_its_kind_takes() -> None:
    made = [filled(request(), None, persona(), "zh", Random(seed), alarming=False) for seed in range(90)]
    assert all({each["id"] for each in FIELDS if each.get("required")} <= set(one.values) for one in made)
    assert {"left" in one.values for one in made} == {True, False}
    assert all("read" not in one.values and not one.danger and one.how == "submit" for one in made)
    taken = {name: {repr(one.values[name]) for one in made} for name in ("one", "count", "half", "yes")}
    assert taken["one"] == {"0", "1"}
    assert taken["count"] == {str(each) for each in range(3, 10)}
    assert taken["half"] == {"0", "0.5", "1"}
    assert taken["yes"] == {"True", "False"}
    assert all(len(one.values["words"]) <= 5 and set(one.values["some"]) <= set("甲乙丙丁") for one in made)
    assert "count=" in made[0].words


@pytest.mark.parametrize("alarming", [True, False])
def test_item_nine_is_answered_truly(alarming: bool) -> None:
    for seed in range(20):
        made = form_of(seed, alarming=alarming)
        assert check(PHQ, made.values, whole=False).problems == ()
        assert (made.values["q9"] != 0) is alarming
        assert made.danger is alarming


def asked(form: FormRequest) -> OpenQuestion:
    return OpenQuestion("form", "请填表。", form=form)


def moves(seed: int, form: FormRequest, **changes: object) -> Move:
    return ruled(persona(**changes), seed).move(asked(form), [])


def test_a_form_is_handed_in_or_begun_first_and_then_handed_in() -> None:
    hows = {move.filled.how for seed in range(40) if (move := moves(seed, request())).filled}
    assert hows == {"submit", "draft"}
    again = {move.filled.how for seed in range(40) if (move := moves(seed, request(one=1))).filled}
    assert again == {"submit"}
    draft = next(move for seed in range(40) if (move := moves(seed, request())).filled and move.filled.how == "draft")
    assert draft.filled is not None
    assert 0 < len(draft.filled.values) < 8


def test_who_refuses_puts_it_away_unless_it_must_be_filled() -> None:
    refusing = {"rates": {"refuse": 1}, "words": {"zh": {"refuse": ["不"]}, "en": {"refuse": ["no"]}}}
    hows = {
        m.filled.how for seed in range(60) if (m := moves(seed, request(), **refusing)).deed == "refuse" and m.filled
    }
    assert hows == {"cancel"}
    must = {m.filled.how for seed in range(60) if (m := moves(seed, request(True), **refusing)).filled}
    assert must <= {"submit", "draft"}


def test_a_shipped_form_is_filled_and_item_nine_begins_the_crisis_technique_at_once() -> None:
    danger = {"until": 1, "grave": 1, "rounds": [1, 1]}
    words = {"zh": {"danger": ["我想死"]}, "en": {"danger": ["I want to die"]}}
    visitor = ruled(persona(danger=danger, words=words), 5, 400)
    held = SessionSettings(MOOD_CHECK, visitor).run("plain", 1)
    told = [each for each in held.exchanges if each.move and each.move.kind == "form" and each.move.danger]
    assert told
    assert all(each.noticed.met for each in told)
    assert not [each for each in findings(held) if each.grave]


def test_a_form_may_be_left_to_the_rules_and_a_session_goes_on_behind_it() -> None:
    held = SessionSettings(MOOD_CHECK, ruled("cooperative", 2, questions_of(MOOD_CHECK))).run("cooperative", 1)
    kinds = [each.move.kind for each in held.exchanges if each.move]
    assert "form" in kinds
    assert held.outcome == "completed"


def test_the_steps_of_an_exercise_are_waited_for() -> None:
    script = shipped("cbt/exercises")
    many = [
        SessionSettings(script, ruled(persona(), seed, questions_of(script))).run("plain", seed) for seed in range(4)
    ]
    waits = [each.move for held in many for each in held.exchanges if each.move and each.move.kind == "wait"]
    assert any(move.deed == "answer" and move.seconds > 0 for move in waits)
    assert {held.outcome for held in many} == {"completed"}


def test_whoever_talks_through_an_exercise_does_not_come_to_its_end() -> None:
    """Steps that go on by themselves take words for an interruption: that shows as a session without progress."""
    script = shipped("cbt/exercises")
    visitor = Says("我同事昨天升职了")
    held = SessionSettings(script, visitor, patience=6).run("plain", 1)
    assert held.outcome == "stuck"
