"""The small parts that carry a form to FHIR and back: reading without trust, differences, options, what is known."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.language.forms.material import choice, form

from heartrule.language.fhir import options, public_questionnaires
from heartrule.language.fhir.fields import links_of
from heartrule.language.fhir.parts import (
    OWN,
    code_of,
    difference,
    dump,
    leftover,
    merged,
    number,
    overlaid,
    rest_of,
    same,
    text,
    those,
    with_rest,
)
from heartrule.language.fhir.questionnaire_export import to_fhir
from heartrule.language.fhir.questionnaire_import import lists_of
from heartrule.language.nodes.forms import Form, Option

ORDINAL = "http://hl7.org/fhir/StructureDefinition/ordinalValue"


class TestReading:
    @pytest.mark.parametrize("resource", [None, 1, "a", [], {}, {"a": None}, {"a": 1}, {"a": ["x", 1, None]}])
    def test_what_is_not_of_the_kind_is_not_there(self, resource: Any) -> None:
        assert text(resource, "a") == ""
        assert those(resource, "a") == []
        assert rest_of(resource) == {}
        assert code_of(resource) is None

    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            (1, 1),
            (1.0, 1),
            (1.5, 1.5),
            (True, None),
            ("1", None),
            (float("nan"), None),
            (float("inf"), None),
            (10**13, None),
            (None, None),
        ],
    )
    def test_numbers(self, value: Any, expected: Any) -> None:
        found = number({"a": value}, "a")
        assert (found, type(found)) == (expected, type(expected))

    def test_a_coding_needs_a_system_and_a_code(self) -> None:
        codings = [{"code": "a"}, {"system": "urn:s"}, {"system": "urn:s", "code": "b", "display": "B"}]
        assert code_of({"code": codings}) == {"system": "urn:s", "code": "b", "display": "B"}
        assert code_of({"code": [{"system": "http://loinc.org", "code": "1-8"}]}) == {"code": "1-8"}

    @pytest.mark.parametrize("written", ["", "{", "[]", "1", "null", "[" * 5_000, 3, None])
    def test_an_extension_of_ours_that_cannot_be_read_is_none(self, written: Any) -> None:
        assert rest_of({"extension": [{"url": OWN, "valueString": written}]}) == {}


class TestDifferences:
    @pytest.mark.parametrize(
        ("one", "other", "expected"),
        [
            (1, 1.0, True),
            (1, True, False),
            (0, False, False),
            ("1", 1, False),
            ([1, {"a": 2}], [1.0, {"a": 2}], True),
            ([1], [1, 2], False),
            ({"a": 1}, {"a": 1, "b": None}, False),
            (None, None, True),
            (None, 0, False),
        ],
    )
    def test_equal_as_json(self, one: Any, other: Any, expected: bool) -> None:
        assert same(one, other) is same(other, one) is expected

    VALUE = st.sampled_from([0, 1, True, "a", [1], {"x": 1}])
    MAPPING = st.dictionaries(st.sampled_from("abcd"), VALUE, max_size=4)

    @given(MAPPING, MAPPING)
    def test_what_was_kept_turns_what_is_made_into_what_came(self, original: Any, made: Any) -> None:
        assert same(merged(made, difference(original, made)), original)
        assert same(overlaid(made, leftover(original, made)), original)
        assert difference(original, original) == {}

    def test_notes_of_our_own_are_never_written(self) -> None:
        assert merged({"a": 1}, {".within": "x", "b": 2, "a": None}) == {"b": 2}

    def test_our_extension_stands_behind_the_others(self) -> None:
        made = with_rest({"extension": [{"url": "urn:x"}]}, {"b": "乙", "a": None})
        assert made["extension"] == [{"url": "urn:x"}, {"url": OWN, "valueString": '{"a": null, "b": "乙"}'}]
        assert rest_of(made) == {"b": "乙", "a": None}
        assert with_rest({"a": 1}, {}) == {"a": 1}

    def test_a_dump_has_no_defaults_and_nothing_that_came_along(self) -> None:
        made = form(choice("a", fhir={"linkId": "1"}), fhir={"url": "urn:x"})
        assert "fhir" not in json.dumps(dump(made))
        assert "required" not in json.dumps(dump(made))
        assert dump(Form.model_validate(dump(made))) == dump(made)


WRITTEN: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"value": "a", "label": "a"}, {"valueString": "a"}),
    ({"value": 3, "label": "3"}, {"valueInteger": 3}),
    ({"value": "a", "label": "A"}, {"valueCoding": {"code": "a", "display": "A"}}),
    (
        {"value": 3, "label": "much"},
        {"valueCoding": {"code": "3", "display": "much"}, "extension": [{"url": ORDINAL, "valueDecimal": 3}]},
    ),
    (
        {"value": "a", "label": "a", "score": 0.5},
        {"valueString": "a", "extension": [{"url": ORDINAL, "valueDecimal": 0.5}]},
    ),
    (
        {"value": 1, "label": "x", "code": "LA1-1"},
        {
            "valueCoding": {"system": "http://loinc.org", "code": "LA1-1", "display": "x"},
            "extension": [{"url": ORDINAL, "valueDecimal": 1}],
        },
    ),
]


@pytest.mark.parametrize(("option", "expected"), WRITTEN)
def test_an_option_and_its_way_back(option: dict[str, Any], expected: dict[str, Any]) -> None:
    node = Option.model_validate(option)
    (made,) = options.to_fhir([node])
    assert made == expected
    (back,) = options.from_fhir([made])
    assert dump(Option.model_validate(back)) == dump(node)


@pytest.mark.parametrize(
    "url",
    [
        ORDINAL,
        "http://hl7.org/fhir/StructureDefinition/itemWeight",
        "http://hl7.org/fhir/StructureDefinition/questionnaire-ordinalValue",
    ],
)
def test_weights_are_read_under_all_their_names(url: str) -> None:
    given = [
        {"valueCoding": {"code": code}, "extension": [{"url": url, "valueDecimal": weight}]}
        for code, weight in (("a", 0), ("b", 1))
    ]
    assert [each["value"] for each in options.from_fhir(given)] == [0, 1]


def test_an_option_without_a_value_is_none() -> None:
    assert (
        options.from_fhir([{}, {"valueReference": {"reference": "x"}}, {"valueCoding": {}}, {"valueString": ""}]) == []
    )


class TestKnown:
    @pytest.mark.parametrize(
        ("address", "count"),
        [
            ("http://loinc.org/vs/LL358-3", 4),
            ("https://example.org/ValueSet/vs-phq-9-answer-list-ll359-1", 4),
            ("http://loinc.org/vs/LL3580-3", 0),
            ("http://loinc.org/vs/XLL358-3", 0),
            ("http://loinc.org/vs/LL358-31", 0),
            ("", 0),
        ],
    )
    def test_answer_lists(self, address: str, count: int) -> None:
        assert len(public_questionnaires.answers(address)) == count
        assert len(lists_of(None)(address)) == count

    def test_what_difficulty_costs_is_counted_in_its_order(self) -> None:
        found = [(each["value"], each["label"]) for each in public_questionnaires.answers("LL359-1")]
        assert found[2:] == [(2, "Very difficult"), (3, "Extremely difficult")]

    def test_bands_of_a_total_lie_side_by_side(self) -> None:
        for total in public_questionnaires.TOTALS.values():
            edges = [edge for low, high, _ in total.bands for edge in (low, high)]
            assert edges == sorted(edges)
            assert all(high + 1 == low for high, low in zip(edges[1::2], edges[2::2], strict=False))
            assert not edges or (edges[0], edges[-1]) == (0, 3 * len(total.items))

    def test_only_a_question_with_numbers_leads_to_crisis_support(self) -> None:
        coded = form(choice("a", code="44260-8"), choice("b", code="44259-0"), choice("c"))
        assert [each["field"] for each in public_questionnaires.crisis(coded.fields)] == ["a"]
        words = form({"id": "a", "type": "single", "options": ["no", "yes"], "code": "44260-8"})
        elsewhere = form(choice("a", code={"system": "urn:s", "code": "44260-8"}))
        assert public_questionnaires.crisis(words.fields) == public_questionnaires.crisis(elsewhere.fields) == []


class TestPlaces:
    def test_links_are_those_that_came_else_ids(self) -> None:
        made = form(choice("a", fhir={"linkId": "/1"}), choice("b"), scores=[{"id": "t", "sum": ["a"]}])
        assert links_of(made).links == {"a": "/1", "b": "b", "t": "t"}

    def test_a_score_whose_place_is_gone_stands_in_front(self) -> None:
        score = {"id": "t", "sum": ["a"], "fhir": {".within": None, ".before": "gone"}}
        assert [each["linkId"] for each in to_fhir(form(choice("a"), scores=[score]))["item"]] == ["t", "a"]

    def test_fields_within_each_other_end(self) -> None:
        made = form({"id": "a", "within": "b"}, {"id": "b", "within": "a"}, {"id": "c", "within": "c"})
        assert [each["linkId"] for each in to_fhir(made)["item"]] == ["c"]

    def test_of_two_fields_with_one_id_the_first_is_written(self) -> None:
        made = form({"id": "a", "label": "first"}, {"id": "a", "label": "second"})
        assert [each["text"] for each in to_fhir(made)["item"]] == ["first"]
