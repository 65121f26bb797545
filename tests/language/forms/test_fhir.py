"""Forms and FHIR: public files in and out again, our forms out and in again, and an independent model that accepts what
is written."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fhir.resources.R4B.questionnaire import Questionnaire
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.language.forms.material import form
from tests.language.forms.test_library_forms import cbt, shipped
from tests.language.material import loaded

from heartrule.cli.form_files import form_yaml
from heartrule.language.fhir.parts import OWN, dump, same
from heartrule.language.fhir.questionnaire_export import to_fhir
from heartrule.language.fhir.questionnaire_import import NotReadable, from_fhir
from heartrule.language.forms.answers import check
from heartrule.language.forms.results import on_answer
from heartrule.language.forms.scoring import scores
from heartrule.language.nodes.forms import Form

FHIR = Path(__file__).parent / "fhir"
PUBLIC = ("phq9-lforms-r4", "phq9-mii-r4", "gad7-r4")


@cache
def _text(name: str) -> str:
    return (FHIR / f"{name}.json").read_text(encoding="utf-8")


def public(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_text(name))
    return found


def refused(questionnaire: dict[str, Any]) -> list[str]:
    """What the independent model has against it, each by its last key."""
    try:
        Questionnaire.model_validate(questionnaire)
    except ValidationError as error:
        return [f"{each['loc'][-2]}.{each['loc'][-1]}" for each in error.errors()]
    return []


def asking(*items: dict[str, Any], **head: Any) -> dict[str, Any]:
    return {"resourceType": "Questionnaire", "status": "draft", "item": list(items), **head}


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_file_comes_out_as_it_went_in(name: str) -> None:
    source = public(name)
    made = to_fhir(from_fhir(copy.deepcopy(source)).form)
    assert same(made, source)
    assert refused(made) == refused(source)


def test_the_one_thing_that_a_public_file_does_against_the_rules_is_not_ours() -> None:
    """Names of expressions with an underscore, which the type ``id`` forbids."""
    assert set(refused(public("phq9-lforms-r4"))) == {"valueExpression.name"}
    assert refused(to_fhir(from_fhir(public("phq9-lforms-r4")).form, plain=True)) == []


@pytest.mark.parametrize("name", PUBLIC)
def test_an_imported_form_is_a_script_file_that_reads_back_the_same(name: str) -> None:
    made = from_fhir(public(name)).form
    file = loaded(form_yaml(made))
    assert file.findings == []
    assert file.forms[0].model_dump() == made.model_dump()
    assert same(to_fhir(file.forms[0]), public(name))


@pytest.mark.parametrize(
    ("name", "items", "top"), [("phq9-lforms-r4", 9, 27), ("phq9-mii-r4", 9, 27), ("gad7-r4", 7, 21)]
)
def test_an_imported_form_is_filled_and_scored(name: str, items: int, top: int) -> None:
    made = from_fhir(public(name)).form
    (score,) = made.scores
    assert len(score.sum) == items
    most = check(made, dict.fromkeys(score.sum, 3), whole=True)
    assert most.problems == () or {each.field for each in most.problems}.isdisjoint(score.sum)
    assert scores(made, most.values)[score.id].value == top
    assert scores(made, most.values)[score.id].band == "Severe"
    assert scores(made, {score.sum[0]: 3})[score.id].value is None


@pytest.mark.parametrize("name", ["phq9-lforms-r4", "phq9-mii-r4"])
def test_item_9_leads_to_crisis_support_in_an_imported_form_too(name: str) -> None:
    found = from_fhir(public(name))
    item = found.form.scores[0].sum[8]
    assert [each.technique for each in on_answer(found.form, {item: 1})] == ["safety/crisis_support"]
    assert on_answer(found.form, {item: 0}) == ()
    assert any("crisis support" in each.en for each in found.told)


def test_what_an_author_decides_about_item_9_stays_decided() -> None:
    data = {**dump(shipped("phq9")), "on_answer": []}
    made = Form.model_validate(data)
    assert from_fhir(to_fhir(made)).form.on_answer == []


@pytest.mark.parametrize("made", list(cbt().forms), ids=lambda made: str(made.id))
def test_what_we_ship_goes_out_and_comes_back(made: Form) -> None:
    sent = to_fhir(made)
    assert refused(sent) == []
    assert refused(to_fhir(made, plain=True)) == []
    assert dump(from_fhir(json.loads(json.dumps(sent))).form) == dump(made)


def test_other_systems_see_when_the_tenth_question_is_asked() -> None:
    (difficulty,) = (each for each in to_fhir(shipped("phq9_en"))["item"] if each["linkId"] == "difficulty")
    assert difficulty["enableBehavior"] == "any"
    assert len(difficulty["enableWhen"]) == 27
    assert difficulty["enableWhen"][0] == {
        "question": "q1",
        "operator": "=",
        "answerCoding": {"system": "http://loinc.org", "code": "LA6569-3", "display": "Several days"},
    }


class TestChanged:
    """What an author writes after the import goes before what was kept."""

    MADE = from_fhir(public("phq9-lforms-r4")).form

    def changed(self, **changes: Any) -> dict[str, Any]:
        data = self.MADE.model_dump(by_alias=True, exclude_defaults=True, mode="json")
        data["fields"][0] |= changes
        item: dict[str, Any] = to_fhir(Form.model_validate(data))["item"][0]
        return item

    def test_a_text(self) -> None:
        item = self.changed(label="Anders")
        assert item["text"] == "Anders"
        assert item["linkId"] == "/44250-9"
        assert len(item["extension"]) == 3

    def test_whether_it_is_required(self) -> None:
        assert "required" not in self.changed(required=False)

    def test_its_options(self) -> None:
        item = self.changed(options=[{"value": 0, "label": "Never"}, {"value": 1, "label": "Ever"}])
        assert [each["valueCoding"]["display"] for each in item["answerOption"]] == ["Never", "Ever"]

    def test_something_that_only_we_have(self) -> None:
        item = self.changed(help="Take your time")
        own = [each for each in item["extension"] if each["url"] == OWN]
        assert json.loads(own[0]["valueString"]) == {"help": "Take your time"}

    def test_the_head(self) -> None:
        data = self.MADE.model_dump(by_alias=True, exclude_defaults=True, mode="json")
        made = to_fhir(Form.model_validate({**data, "form": "Anders"}))
        assert made["title"] == "Anders"
        assert made["identifier"] == public("phq9-lforms-r4")["identifier"]

    def test_a_part_of_ours_that_somebody_spoilt(self) -> None:
        spoilt = [{"url": OWN, "valueString": '{"type": "radio", "locale": {}, "form": []}'}, {"url": "urn:x"}]
        data = self.MADE.model_dump(by_alias=True, exclude_defaults=True, mode="json")
        data["fhir"]["extension"] = data["fields"][0]["fhir"]["extension"] = spoilt
        data["scores"][0]["fhir"]["extension"] = [{"url": OWN, "valueString": '{"sum": [], "bands": 1}'}]
        made = to_fhir(Form.model_validate(data))
        assert dump(from_fhir(made).form) == dump(self.MADE)
        assert {"url": "urn:x"} in made["extension"]
        assert {"url": "urn:x"} in made["item"][0]["extension"]

    def test_a_field_that_was_added(self) -> None:
        data = self.MADE.model_dump(by_alias=True, exclude_defaults=True, mode="json")
        data["fields"].append({"id": "more", "label": "More?", "type": "longtext"})
        made = to_fhir(Form.model_validate(data))
        assert [each["linkId"] for each in made["item"]][-1] == "more"
        assert dump(from_fhir(made).form)["fields"][-1] == {"id": "more", "label": "More?", "type": "longtext"}


class TestItems:
    def field(self, item: dict[str, Any], **head: Any) -> dict[str, Any]:
        source = asking({"linkId": "a", "text": "A", **item}, **head)
        made = from_fhir(copy.deepcopy(source)).form
        assert same(to_fhir(made), source)
        return {key: value for key, value in dump(made)["fields"][0].items() if key not in ("id", "label")}

    @pytest.mark.parametrize(
        ("kind", "expected"),
        [
            ("string", "text"),
            ("text", "longtext"),
            ("url", "text"),
            ("boolean", "boolean"),
            ("integer", "integer"),
            ("decimal", "number"),
            ("quantity", "number"),
            ("date", "date"),
            ("dateTime", "datetime"),
            ("time", "time"),
            ("display", "note"),
            ("group", "note"),
        ],
    )
    def test_types(self, kind: str, expected: str) -> None:
        assert self.field({"type": kind}) == {"type": expected}

    @pytest.mark.parametrize("kind", ["attachment", "reference", "", None])
    def test_what_cannot_be_asked_is_only_shown(self, kind: str | None) -> None:
        source = asking({"linkId": "a", "text": "A", "type": kind})
        found = from_fhir(source)
        assert found.form.fields[0].type == "note"
        assert "cannot be asked" in found.told[0].en
        assert same(to_fhir(found.form), {**source, "item": [{"linkId": "a", "text": "A", "type": kind}]}) is (
            kind is not None
        )

    def test_several_answers(self) -> None:
        options = [{"valueString": "x"}, {"valueInteger": 3}, {"valueCoding": {"code": "c", "display": "C"}}]
        made = self.field({"type": "choice", "repeats": True, "answerOption": options})
        assert made == {
            "type": "multiple",
            "options": [{"value": "x", "label": "x"}, {"value": 3, "label": "3"}, {"value": "c", "label": "C"}],
        }

    def test_weights_that_are_not_told_apart_are_scores(self) -> None:
        def option(code: str, weight: float) -> dict[str, Any]:
            extension = {"url": "http://hl7.org/fhir/StructureDefinition/ordinalValue", "valueDecimal": weight}
            return {"valueCoding": {"system": "urn:s", "code": code, "display": code.upper(), "extension": [extension]}}

        made = self.field({"type": "choice", "answerOption": [option("a", 1), option("b", 1), option("c", 2.5)]})
        assert [(each["value"], each["score"]) for each in made["options"]] == [("a", 1), ("b", 1), ("c", 2.5)]

    def test_limits_units_and_sliders(self) -> None:
        core = "http://hl7.org/fhir/StructureDefinition/"
        extension = [
            {"url": f"{core}questionnaire-itemControl", "valueCodeableConcept": {"coding": [{"code": "slider"}]}},
            {"url": f"{core}questionnaire-sliderStepValue", "valueInteger": 5},
            {"url": f"{core}minValue", "valueInteger": 0},
            {"url": f"{core}maxValue", "valueInteger": 100},
            {"url": f"{core}questionnaire-unit", "valueCoding": {"code": "%"}},
        ]
        made = self.field(
            {"type": "integer", "extension": extension, "prefix": "1)", "initial": [{"valueInteger": 50}]}
        )
        assert made["type"] == "slider"
        assert (made["range"], made["step"], made["unit"], made["prefix"]) == ([0, 100], 5, "%", "1)")

    def test_length_and_first_value(self) -> None:
        made = self.field({"type": "string", "maxLength": 20, "initial": [{"valueString": "hi"}], "required": False})
        assert made == {"type": "text", "max_length": 20, "value": "hi"}

    def test_answers_of_a_value_set_in_the_file(self) -> None:
        concept = [{"code": "a", "display": "A"}, {"code": "b", "display": "B"}]
        inside = {"resourceType": "ValueSet", "id": "v", "status": "active"}
        inside["compose"] = {"include": [{"system": "urn:s", "concept": concept}]}
        made = self.field({"type": "choice", "answerValueSet": "#v"}, contained=[inside])
        assert [(each["value"], each["code"]["system"]) for each in made["options"]] == [("a", "urn:s"), ("b", "urn:s")]

    def test_answers_that_are_not_in_the_file(self) -> None:
        found = from_fhir(asking({"linkId": "a", "type": "choice", "answerValueSet": "http://x/ValueSet/y"}))
        assert found.form.fields[0].options == []
        assert "not in the file" in found.told[0].en

    def test_what_is_done_otherwise_here_is_told(self) -> None:
        items = [{"linkId": "a", "type": "string", "repeats": True}, {"linkId": "b", "type": "open-choice"}]
        items[1]["answerOption"] = [{"valueString": "x"}]
        assert [each.en for each in from_fhir(asking(*items)).told] == [
            "a: takes one answer only",
            "b: only its options can be chosen",
        ]

    def test_groups_hold_what_is_in_them(self) -> None:
        inner = {"linkId": "1.1", "type": "group", "text": "Inner", "item": [{"linkId": "1.1.1", "type": "string"}]}
        source = asking(
            {"linkId": "1", "type": "group", "text": "Outer", "item": [inner, {"linkId": "1.2", "type": "boolean"}]},
            {"linkId": "2", "type": "boolean", "item": [{"linkId": "2.1", "type": "text"}]},
        )
        made = from_fhir(source).form
        assert [(each.id, each.within) for each in made.fields] == [
            ("q1", None),
            ("q1_1", "q1"),
            ("q1_1_1", "q1_1"),
            ("q1_2", "q1"),
            ("q2", None),
            ("q2_1", "q2"),
        ]
        assert same(to_fhir(made), source)

    def test_ids_are_made_names_unlike_each_other(self) -> None:
        links = ["a-b", "a b", "and", "长", "1", "-"]
        made = from_fhir(asking(*({"linkId": link, "type": "string"} for link in links))).form
        assert [each.id for each in made.fields] == ["a_b", "a_b_2", "qand", "长", "q1", "q"]
        assert [each["linkId"] for each in to_fhir(made)["item"]] == links


ASKED: list[dict[str, Any]] = [
    {"linkId": "yes", "type": "boolean"},
    {"linkId": "n", "type": "decimal"},
    {"linkId": "t", "type": "string"},
    {"linkId": "d", "type": "date"},
    {"linkId": "h", "type": "time"},
    {"linkId": "c", "type": "choice", "answerOption": [{"valueCoding": {"code": "x", "display": "X"}}]},
    {"linkId": "m", "type": "choice", "repeats": True, "answerOption": [{"valueString": "u"}, {"valueString": "v"}]},
]
CONDITIONS: list[tuple[dict[str, Any], str]] = [
    ({"question": "yes", "operator": "=", "answerBoolean": True}, "yes == true"),
    ({"question": "yes", "operator": "exists", "answerBoolean": True}, "exists(yes)"),
    ({"question": "yes", "operator": "exists", "answerBoolean": False}, "not exists(yes)"),
    ({"question": "n", "operator": ">=", "answerDecimal": 1.5}, "n >= 1.5"),
    ({"question": "n", "operator": "<", "answerQuantity": {"value": 2}}, "n < 2"),
    ({"question": "t", "operator": "!=", "answerString": "it's"}, 't != "it\'s"'),
    ({"question": "d", "operator": ">", "answerDate": "2026-01-01"}, "d > '2026-01-01'"),
    ({"question": "h", "operator": "=", "answerTime": "08:30:00"}, "h == '08:30'"),
    ({"question": "c", "operator": "=", "answerCoding": {"code": "x"}}, "c == 'x'"),
    ({"question": "m", "operator": "=", "answerString": "u"}, "m contains 'u'"),
    ({"question": "m", "operator": "!=", "answerString": "u"}, "not (m contains 'u')"),
]


class TestEnabling:
    def made(self, *conditions: Any, **more: Any) -> tuple[Form, dict[str, Any], tuple[Any, ...]]:
        source = asking(*ASKED, {"linkId": "z", "type": "string", "enableWhen": list(conditions), **more})
        found = from_fhir(copy.deepcopy(source))
        return found.form, source, found.told

    @pytest.mark.parametrize(("condition", "expected"), CONDITIONS)
    def test_one_condition(self, condition: dict[str, Any], expected: str) -> None:
        made, source, told = self.made(condition)
        shown = made.by_id["z"].show_when
        assert shown is not None
        assert shown.source == expected
        assert same(to_fhir(made), source)
        assert told == ()

    @pytest.mark.parametrize(("behaviour", "separator"), [("any", "or"), ("all", "and")])
    def test_several(self, behaviour: str, separator: str) -> None:
        pair = [CONDITIONS[0][0], CONDITIONS[3][0]]
        made, source, _ = self.made(*pair, enableBehavior=behaviour)
        shown = made.by_id["z"].show_when
        assert shown is not None
        assert shown.source == f"yes == true {separator} n >= 1.5"
        assert same(to_fhir(made), source)

    @pytest.mark.parametrize(
        "condition",
        [
            {"question": "nobody", "operator": "=", "answerBoolean": True},
            {"question": "c", "operator": "=", "answerCoding": {"code": "unknown"}},
            {"question": "t", "operator": "=", "answerString": "both ' and \""},
            {"question": "t", "operator": "=", "answerReference": {"reference": "Patient/1"}},
            {"question": "m", "operator": ">", "answerString": "u"},
            {"question": "t", "operator": "like", "answerString": "u"},
            {"question": "yes", "operator": "exists", "answerString": "u"},
            {"question": "h", "operator": "=", "answerTime": "08:30:15"},
            {"question": "d", "operator": ">", "answerDateTime": "2026-01-01T00:00:00Z"},
            "nonsense",
        ],
    )
    def test_what_cannot_be_said_is_told_and_kept(self, condition: Any) -> None:
        made, source, told = self.made(condition)
        assert made.by_id["z"].show_when is None
        assert "shown always" in told[0].en
        assert same(to_fhir(made), source)

    @pytest.mark.parametrize(
        ("condition", "expected"),
        [
            ("a", [("=", True)]),
            ("exists(s)", [("exists", True)]),
            ("not exists(s)", [("exists", False)]),
            ("n < 3 and a", [("<", 3), ("=", True)]),
            ("h == '08:30'", [("=", "08:30:00")]),
            ("h == '8:30'", None),
            ("t == 3", None),
            ("s == 'b'", [("=", "b")]),
            ("s != 'b'", [("!=", "b")]),
            ("k > 0", [("=", {"code": "1", "display": "some"}), ("=", {"code": "2", "display": "much"})]),
            (
                "k > 0 or a",
                [("=", {"code": "1", "display": "some"}), ("=", {"code": "2", "display": "much"}), ("=", True)],
            ),
            ("m contains 'y'", [("=", "y")]),
            ("k > 0 and a", None),
            ("len(t) > 3", None),
            ("n + 1 > 3", None),
            ("n == t", None),
            ("a == 3", None),
            ("k == 9", None),
            ("not a", None),
            ("0 < n < 3", None),
            ("s == null", None),
            ("t == null", None),
            ("w == 1", [("=", 1)]),
            ("w == 'both'", None),
            (" or ".join(["k > 0"] * 31), None),
        ],
    )
    def test_ours_are_said_where_they_can_be(self, condition: str, expected: list[tuple[str, Any]] | None) -> None:
        made = form(
            {"id": "a", "type": "boolean"},
            {"id": "n", "type": "number"},
            {"id": "t"},
            {"id": "h", "type": "time"},
            {"id": "s", "type": "single", "options": ["b", "c"]},
            {
                "id": "k",
                "type": "single",
                "options": [
                    {"value": 0, "label": "none"},
                    {"value": 1, "label": "some"},
                    {"value": 2, "label": "much"},
                ],
            },
            {"id": "m", "type": "multiple", "options": ["x", "y"]},
            {"id": "w", "type": "single", "options": [1, 'it\'s "so"']},
            {"id": "z", "show_when": condition},
        )
        sent = to_fhir(made)
        assert refused(sent) == []
        found = [
            (each["operator"], next(value for key, value in each.items() if key.startswith("answer")))
            for each in sent["item"][-1].get("enableWhen", [])
        ]
        assert found == (expected or [])
        assert dump(from_fhir(sent).form) == dump(made)


class TestTotals:
    def test_one_in_a_group_stays_where_it_stood(self) -> None:
        calculated = {
            "url": "http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression",
            "valueExpression": {
                "language": "text/fhirpath",
                "expression": "%resource.item.where(linkId='a').answer.value",
            },
        }
        total = {"linkId": "sum", "type": "integer", "extension": [calculated], "required": True}
        inside = [{"linkId": "a", "type": "integer"}, total, {"linkId": "b", "type": "string"}]
        source = asking({"linkId": "g", "type": "group", "item": inside}, {"linkId": "c", "type": "string"})
        made = from_fhir(copy.deepcopy(source)).form
        assert [(each.id, each.sum) for each in made.scores] == [("sum", ["a"])]
        assert same(to_fhir(made), source)

    def test_one_that_adds_what_cannot_be_counted_is_a_question(self) -> None:
        calculated = {
            "url": "http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression",
            "valueExpression": {"language": "text/cql", "expression": "Total"},
        }
        source = asking(
            {"linkId": "a", "type": "string"}, {"linkId": "sum", "type": "decimal", "extension": [calculated]}
        )
        made = from_fhir(copy.deepcopy(source)).form
        assert made.scores == []
        assert [each.id for each in made.fields] == ["a", "sum"]
        assert same(to_fhir(made), source)

    def test_a_known_questionnaire_without_a_total_gets_one(self) -> None:
        found = from_fhir(public("gad7-r4"))
        assert [each.en for each in found.told] == ["total: a total was added, by the published way of scoring"]
        assert len(to_fhir(found.form)["item"]) == 7
        assert [each["linkId"] for each in to_fhir(found.form, plain=True)["item"]][-1] == "total"
        without = Form.model_validate({**dump(found.form), "scores": []})
        assert from_fhir(to_fhir(without)).form.scores == []


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        {},
        {"resourceType": "Patient"},
        {"resourceType": "Questionnaire", "item": {"linkId": "a"}},
        {"resourceType": "Questionnaire", "item": ["a"]},
        asking({"type": "string"}),
        asking({"linkId": 1, "type": "string"}),
        asking({"linkId": "a", "type": "string"}, {"linkId": "a", "type": "string"}),
        asking(*({"linkId": str(number), "type": "string"} for number in range(301))),
    ],
)
def test_what_is_no_questionnaire_is_refused(given: Any) -> None:
    with pytest.raises(NotReadable) as refusal:
        from_fhir(given)
    assert refusal.value.said.zh
    assert refusal.value.said.en


def test_nesting_without_end_is_refused() -> None:
    item: dict[str, Any] = {"linkId": "0", "type": "group"}
    for number in range(1, 40):
        item = {"linkId": str(number), "type": "group", "item": [item]}
    with pytest.raises(NotReadable, match="nested"):
        from_fhir(asking(item))


def test_our_own_part_that_cannot_be_a_form_is_refused() -> None:
    item = {"linkId": "a", "type": "string", "extension": [{"url": OWN, "valueString": '{"type": "radio"}'}]}
    with pytest.raises(NotReadable, match="type"):
        from_fhir(asking(item))


SMALL = st.sampled_from([None, True, 0, 1.5, "", "a", "choice", "decimal", [], {}, ["a"], {"a": 1}, [{"code": "x"}]])
KEYS = st.sampled_from(
    [
        "type",
        "text",
        "required",
        "repeats",
        "answerOption",
        "answerValueSet",
        "enableWhen",
        "enableBehavior",
        "initial",
        "maxLength",
        "prefix",
        "code",
        "extension",
        "readOnly",
        "item",
    ]
)


@given(st.lists(st.dictionaries(KEYS, SMALL, max_size=6), max_size=4), st.dictionaries(KEYS, SMALL, max_size=3))
def test_whatever_comes_is_refused_or_comes_out_again(items: list[dict[str, Any]], head: dict[str, Any]) -> None:
    items = [{**each, "linkId": str(number)} for number, each in enumerate(items)]
    source = {"resourceType": "Questionnaire", "title": "t", "status": "active", **head, "item": items}
    try:
        made = from_fhir(copy.deepcopy(source)).form
    except NotReadable:
        return
    sent = to_fhir(made)
    assert len(sent.get("item", [])) == len(items)
    for one, other in zip(sent.get("item", []), items, strict=True):
        plain = {
            key: value for key, value in other.items() if value is not None and not (key == "item" and value == [])
        }
        assert same({key: one.get(key) for key in plain}, plain)
    assert dump(from_fhir(json.loads(json.dumps(sent))).form) == dump(made)


FIELD = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            [
                "single",
                "multiple",
                "text",
                "longtext",
                "integer",
                "number",
                "boolean",
                "slider",
                "mood",
                "date",
                "time",
                "datetime",
                "note",
            ]
        )
    },
    optional={
        "required": st.booleans(),
        "help": st.just("help"),
        "prefix": st.just("1."),
        "unit": st.just("kg"),
        "max_length": st.integers(1, 50),
        "range": st.sampled_from([[0, 1], [0.5, 2.5], [-3, 3]]),
        "step": st.sampled_from([1, 0.5, 5]),
        "code": st.sampled_from(["44250-9", {"system": "urn:s", "code": "c", "display": "C"}]),
        "options": st.lists(
            st.sampled_from(
                [
                    1,
                    "x",
                    True,
                    2.5,
                    {"value": "y", "label": "Y", "score": 2},
                    {"value": 3, "label": "T", "code": "LA1", "prefix": "c"},
                ]
            ),
            max_size=4,
        ),
        "validate": st.just("f0 != null"),
        "show_when": st.sampled_from(["f0 == 1", "exists(f0)", "f0 > 1 or f1 == 'x'", "f1 contains 'x'", "f0"]),
    },
)


@given(st.lists(FIELD, min_size=2, max_size=5), st.booleans())
def test_any_form_goes_out_and_comes_back(drawn: list[dict[str, Any]], nested: bool) -> None:
    fields = [{"id": f"f{number}", **each} for number, each in enumerate(drawn)]
    if nested:
        fields[1]["within"] = "f0"
    made = form(*fields, scores=[{"id": "total", "sum": ["f0", "f1"]}], on_submit=[{"set": "x", "value": "{total}"}])
    sent = to_fhir(made)
    assert dump(from_fhir(json.loads(json.dumps(sent))).form) == dump(made)
    assert same(to_fhir(from_fhir(sent).form), sent)
    assert refused(sent) == []
