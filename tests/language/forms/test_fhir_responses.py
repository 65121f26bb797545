"""Answers and QuestionnaireResponse: out and in again, nested as the questions are, and accepted by an independent
model."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from fhir.resources.R4B.questionnaireresponse import QuestionnaireResponse
from hypothesis import given
from hypothesis import strategies as st
from tests.language.forms.material import choice, form
from tests.language.forms.test_fhir import asking, public
from tests.language.forms.test_library_forms import shipped

from heartrule.language.fhir.questionnaire_import import NotReadable
from heartrule.language.fhir.questionnaire_import import from_fhir as form_from_fhir
from heartrule.language.fhir.responses import address, from_fhir, to_fhir
from heartrule.language.forms.answers import check
from heartrule.language.forms.scoring import scores

SPEZI = json.loads((Path(__file__).parent / "fhir" / "phq9-response-spezi.json").read_text(encoding="utf-8"))
EVERY = form(
    choice("single"),
    {"id": "coded", "type": "single", "options": [{"value": "a", "label": "甲", "code": "LA1"}, "乙", 3]},
    {"id": "multiple", "type": "multiple", "options": ["x", "y", "z"]},
    {"id": "text"},
    {"id": "integer", "type": "integer"},
    {"id": "number", "type": "number"},
    {"id": "boolean", "type": "boolean"},
    {"id": "slider", "type": "slider"},
    {"id": "mood", "type": "mood"},
    {"id": "date", "type": "date"},
    {"id": "time", "type": "time"},
    {"id": "datetime", "type": "datetime"},
    {"id": "group", "type": "note"},
    {"id": "inner", "within": "group"},
    {"id": "below", "within": "boolean"},
    {"id": "hidden", "show_when": "false"},
    scores=[{"id": "total", "sum": ["single", "slider"]}, {"id": "never", "sum": ["hidden"]}],
)
ANSWERS: dict[str, Any] = {
    "single": 2,
    "coded": "a",
    "multiple": ["x", "z"],
    "text": "话",
    "integer": -3,
    "number": 1.5,
    "boolean": True,
    "slider": 7,
    "mood": 4,
    "date": "2026-05-01",
    "time": "08:30",
    "datetime": "2026-05-01T08:30+08:00",
    "inner": "里面",
    "below": "下面",
}


def test_every_kind_of_answer_goes_out_and_comes_back() -> None:
    values = check(EVERY, ANSWERS, whole=True).values
    sent = json.loads(json.dumps(to_fhir(EVERY, values, authored=datetime(2026, 5, 1, 8, tzinfo=UTC))))
    QuestionnaireResponse.model_validate(sent)
    back = from_fhir(EVERY, sent)
    assert back.told == ()
    assert check(EVERY, back.answers, whole=True).values == values == ANSWERS


def test_what_is_written() -> None:
    sent = to_fhir(EVERY, {"single": 1, "slider": 2, "inner": "a"}, whole=False)
    assert sent == {
        "resourceType": "QuestionnaireResponse",
        "questionnaire": "urn:heartrule:form:f",
        "status": "in-progress",
        "item": [
            {"linkId": "single", "text": "single", "answer": [{"valueCoding": {"code": "1", "display": "几天"}}]},
            {"linkId": "slider", "text": "slider", "answer": [{"valueDecimal": 2}]},
            {
                "linkId": "group",
                "text": "group",
                "item": [{"linkId": "inner", "text": "inner", "answer": [{"valueString": "a"}]}],
            },
            {"linkId": "total", "answer": [{"valueDecimal": 3}]},
        ],
    }
    assert "item" not in to_fhir(EVERY, {})


def test_what_is_hidden_is_not_written() -> None:
    assert "item" not in to_fhir(EVERY, {"hidden": "x"})


def test_a_moment_without_a_zone_is_given_one() -> None:
    made = form({"id": "a", "type": "datetime"})
    east = timezone(timedelta(hours=8))
    written = [to_fhir(made, {"a": "2026-05-01T08:30"}, zone=zone)["item"][0]["answer"] for zone in (UTC, east)]
    assert written == [
        [{"valueDateTime": "2026-05-01T08:30:00+00:00"}],
        [{"valueDateTime": "2026-05-01T08:30:00+08:00"}],
    ]


def test_answers_of_an_imported_form_keep_its_names() -> None:
    made = form_from_fhir(public("phq9-lforms-r4")).form
    values = check(made, dict.fromkeys(made.scores[0].sum, 2), whole=False).values
    sent = to_fhir(made, values)
    QuestionnaireResponse.model_validate(sent)
    first = sent["item"][0]
    assert first["linkId"] == "/44250-9"
    assert first["answer"][0]["valueCoding"]["code"] == "LA6570-1"
    assert sent["item"][-1] == {
        "linkId": "/44261-6",
        "text": "Patient health questionnaire 9 item total score",
        "answer": [{"valueDecimal": 18}],
    }
    assert from_fhir(made, sent).answers == values


def test_a_questionnaire_with_an_address_is_named_by_it() -> None:
    assert address(form_from_fhir(public("gad7-r4")).form) == "urn:uuid:gad7-research-sample"
    assert address(shipped("phq9")) == "urn:heartrule:form:phq9"


def test_a_public_response_is_read_and_scored() -> None:
    """Its questionnaire names each answer by its words; nine of them, 3 each."""
    words = ("Not at all", "Several days", "More than half the days", "Nearly every day")
    ordinal = "http://hl7.org/fhir/StructureDefinition/ordinalValue"
    system = "http://hl7.org/fhir/uv/sdc/CodeSystem/CSPHQ9"
    options = [
        {
            "valueCoding": {"system": system, "code": word, "display": word},
            "extension": [{"url": ordinal, "valueDecimal": number}],
        }
        for number, word in enumerate(words)
    ]
    codes = [item["code"] for item in public("phq9-lforms-r4")["item"][:9]]
    items = [
        {"linkId": f"H1/T1/Q{number}", "type": "choice", "code": code, "answerOption": options}
        for number, code in enumerate(codes, 1)
    ]
    panel = [{"system": "http://loinc.org", "code": "44249-1"}]
    made = form_from_fhir(asking(*items, code=panel)).form
    found = from_fhir(made, SPEZI)
    assert found.told == ()
    values = check(made, found.answers, whole=True).values
    assert (scores(made, values)["total"].value, scores(made, values)["total"].band) == (27, "Severe")


def test_a_response_to_another_questionnaire_is_told() -> None:
    found = from_fhir(shipped("phq9"), SPEZI)
    assert found.answers == {}
    assert len(found.told) == 9
    assert "H1/T1/Q1" in found.told[0].en


READ: list[tuple[dict[str, Any], Any]] = [
    ({"valueCoding": {"system": "http://loinc.org", "code": "LA1"}}, "a"),
    ({"valueCoding": {"code": "LA1"}}, "a"),
    ({"valueCoding": {"display": "甲"}}, "a"),
    ({"valueCoding": {"code": "甲"}}, "a"),
    ({"valueString": "乙"}, "乙"),
    ({"valueInteger": 3}, 3),
    ({"valueCoding": {"code": "LA9"}}, None),
    ({"valueCoding": {}}, None),
    ({"valueReference": {"reference": "x"}}, None),
]


@pytest.mark.parametrize(("answer", "expected"), READ)
def test_an_option_is_known_by_code_or_words(answer: dict[str, Any], expected: Any) -> None:
    response = {"resourceType": "QuestionnaireResponse", "item": [{"linkId": "coded", "answer": [answer]}]}
    found = from_fhir(EVERY, response)
    assert found.answers.get("coded") == expected
    assert bool(found.told) is (expected is None)


def test_quantities_and_what_is_below_an_answer() -> None:
    below = [{"linkId": "below", "answer": [{"valueString": "x"}]}]
    items = [
        {"linkId": "number", "answer": [{"valueQuantity": {"value": 2.5, "unit": "kg"}}]},
        {"linkId": "boolean", "answer": [{"valueBoolean": True, "item": below}]},
    ]
    found = from_fhir(EVERY, {"resourceType": "QuestionnaireResponse", "item": items})
    assert found.answers == {"number": 2.5, "boolean": True, "below": "x"}


def test_more_answers_than_a_question_takes_are_told() -> None:
    items = [{"linkId": "text", "answer": [{"valueString": "a"}, {"valueString": "b"}]}]
    found = from_fhir(EVERY, {"resourceType": "QuestionnaireResponse", "item": items})
    assert found.answers == {"text": "a"}
    assert "some of its answers" in found.told[0].en


@pytest.mark.parametrize("given", [None, [], {"resourceType": "Questionnaire"}])
def test_what_is_no_response_is_refused(given: Any) -> None:
    with pytest.raises(NotReadable):
        from_fhir(EVERY, given)


def test_nesting_without_end_is_refused() -> None:
    item: dict[str, Any] = {"linkId": "0"}
    for number in range(1, 40):
        item = {"linkId": str(number), "item": [item]}
    with pytest.raises(NotReadable):
        from_fhir(EVERY, {"resourceType": "QuestionnaireResponse", "item": [item]})


VALUE = st.sampled_from([None, True, 1, 2.5, "x", [], {}, {"code": "1"}, {"value": 1}])
ANSWER = st.dictionaries(
    st.sampled_from(["valueCoding", "valueString", "valueDecimal", "valueQuantity", "item"]), VALUE, max_size=2
)


@given(st.dictionaries(st.sampled_from(sorted(EVERY.by_id)), st.lists(ANSWER, max_size=2) | VALUE, max_size=6))
def test_whatever_comes_is_answers_or_told(drawn: dict[str, Any]) -> None:
    items = [{"linkId": link, "answer": answer} for link, answer in drawn.items()]
    found = from_fhir(EVERY, {"resourceType": "QuestionnaireResponse", "item": items})
    values = check(EVERY, found.answers, whole=False).values
    sent = to_fhir(EVERY, values)
    QuestionnaireResponse.model_validate(sent)
    assert check(EVERY, from_fhir(EVERY, sent).answers, whole=False).values == values
