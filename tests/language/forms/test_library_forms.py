"""The forms we ship: official items, codes and bands; both languages of one shape; item 9 leads to crisis support."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.language.material import ACTIONS

from heartrule.language.forms.answers import check
from heartrule.language.forms.results import on_answer, on_submit
from heartrule.language.forms.scoring import scores
from heartrule.language.nodes.forms import Form, OnAnswer, SetOnSubmit
from heartrule.language.projects.library import library_root
from heartrule.language.projects.project import LoadedProject, load_texts, read_texts

FHIR = Path(__file__).parent / "fhir"
NAMES = (
    "phq9",
    "gad7",
    "phq4",
    "mood",
    "background",
    "thought_record",
    "session_feedback",
    "counselor_notes",
    "session_report",
)
CHINESE = re.compile("[\u4e00-\u9fff]")


@cache
def cbt() -> LoadedProject:
    texts, unread = read_texts(library_root() / "cbt")
    assert not unread
    return load_texts(texts, ACTIONS)


def shipped(name: str) -> Form:
    return next(form for form in cbt().forms if form.id == name)


def shape(form: Form) -> Any:
    """A form without its words."""
    made = form.model_dump(exclude={"form", "id", "locale", "translation_of", "description", "source"})
    for field in made["fields"]:
        for word in ("label", "help", "ends", "message"):
            del field[word]
        for number, option in enumerate(field["options"]):
            del option["label"]
            option["value"] = option["value"] if option["code"] else number
    for score in made["scores"]:
        del score["label"]
        for band in score["bands"]:
            del band["label"]
    return made


def test_these_are_shipped() -> None:
    assert {form.id for form in cbt().forms} == {name + tail for name in NAMES for tail in ("", "_en")}


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_have_one_shape(name: str) -> None:
    chinese, english = shipped(name), shipped(f"{name}_en")
    assert (english.locale, english.translation_of) == ("en", name)
    assert shape(chinese) == shape(english)


@pytest.mark.parametrize("name", NAMES)
def test_texts_are_in_their_language_and_say_where_they_come_from(name: str) -> None:
    for form, chinese in ((shipped(name), True), (shipped(f"{name}_en"), False)):
        texts = [form.description]
        texts += [each.label for each in form.fields]
        texts += [option.label for each in form.fields for option in each.options]
        texts += [band.label for score in form.scores for band in score.bands]
        assert all(bool(CHINESE.search(text)) is chinese for text in texts)
        assert form.source
        assert form.licence
    if name.startswith(("phq", "gad")):
        assert "No permission required" in shipped(name).licence
        assert "工作译文" in shipped(name).source


BANDS = {
    "phq9": ("44249-1", "44261-6", 9, [(0, 4), (5, 9), (10, 14), (15, 19), (20, 27)]),
    "gad7": ("69737-5", "70274-6", 7, [(0, 4), (5, 9), (10, 14), (15, 21)]),
    "phq4": ("69724-3", "70272-0", 4, [(0, 2), (3, 5), (6, 8), (9, 12)]),
}
"""Panel and total in LOINC, items, and the bands of Kroenke 2001, Spitzer 2006 and Kroenke 2009."""


@pytest.mark.parametrize("name", list(BANDS))
def test_official_codes_and_bands(name: str) -> None:
    panel, total, count, bands = BANDS[name]
    form = shipped(name)
    assert form.code is not None
    assert form.code.code == panel
    score = form.score_by_id["total"]
    assert score.code is not None
    assert score.code.code == total
    assert score.sum == [f"q{number}" for number in range(1, count + 1)]
    assert [(band.from_, band.to) for band in score.bands] == bands
    for least in range(4):
        values = check(form, dict.fromkeys(score.sum, least), whole=True).values
        assert scores(form, values)["total"].value == least * count
    edges = [edge for band in bands for edge in band]
    found = [scores(form, _summing(form, edge))["total"] for edge in edges]
    assert [each.value for each in found] == edges
    labels = [band.label for band in score.bands]
    assert [each.band for each in found] == [label for label in labels for _ in range(2)]


def _summing(form: Form, total: int) -> dict[str, int]:
    left, values = total, {}
    for name in form.score_by_id["total"].sum:
        values[name] = min(3, left)
        left -= values[name]
    return values


@pytest.mark.parametrize(("name", "file"), [("phq9", "phq9-lforms-r4.json"), ("gad7", "gad7-r4.json")])
def test_items_and_answers_have_the_codes_of_the_public_files(name: str, file: str) -> None:
    public = json.loads((FHIR / file).read_text(encoding="utf-8"))
    coded = [
        (item["code"][0]["code"], [option["valueCoding"]["code"] for option in item["answerOption"]])
        for item in public["item"]
        if item["type"] == "choice"
    ]
    own = [
        (each.code.code, [option.code.code for option in each.options if option.code])
        for each in shipped(name).fields
        if each.code is not None
    ]
    assert own[: len(coded)] == coded


def test_the_english_words_are_those_of_the_public_files() -> None:
    def loose(text: str) -> str:
        return re.sub(r"[^a-z]", "", text.lower()).replace("inthelastweeks", "")

    for name, file in (("phq9_en", "phq9-lforms-r4.json"), ("gad7_en", "gad7-r4.json")):
        public = {
            item["code"][0]["code"]: loose(item["text"])
            for item in json.loads((FHIR / file).read_text(encoding="utf-8"))["item"]
        }
        for each in shipped(name).fields:
            if each.code is not None and each.code.code in public and each.id != "difficulty":
                assert loose(each.label) == public[each.code.code]


@pytest.mark.parametrize("lang", ["", "_en"])
def test_item_9_leads_to_crisis_support_before_anything_else_is_answered(lang: str) -> None:
    form = shipped(f"phq9{lang}")
    for answer in (1, 2, 3, "1"):
        draft = check(form, {"q9": answer}, whole=False)
        (order,) = on_answer(form, draft.values)
        assert isinstance(order, OnAnswer)
        assert (order.directive, order.technique) == ("CALL_TECHNIQUE", "safety/crisis_support")
    for answers in ({"q9": 0}, {}, {"q1": 3, "q2": 3}):
        assert on_answer(form, check(form, answers, whole=False).values) == ()


def test_how_difficult_it_is_is_asked_once_there_is_a_problem() -> None:
    form = shipped("phq9")
    none = {f"q{number}": 0 for number in range(1, 10)}
    assert "difficulty" in check(form, none, whole=True).hidden
    assert "difficulty" not in check(form, {**none, "q5": 1}, whole=True).hidden
    assert scores(form, {**none, "q5": 1, "difficulty": 3})["total"].value == 1


def test_the_parts_of_the_phq4() -> None:
    found = scores(shipped("phq4"), {"q1": 1, "q2": 1, "q3": 0, "q4": 3})
    assert [(name, each.value, each.band) for name, each in found.items()] == [
        ("total", 5, "轻度"),
        ("anxiety", 2, "未到界值"),
        ("depression", 3, "到了界值"),
    ]


@pytest.mark.parametrize("form", list(cbt().forms), ids=lambda form: str(form.id))
def test_what_is_set_is_declared(form: Form) -> None:
    declared = {variable.var for variable in cbt().variables}
    assert {each.set for each in form.on_submit if isinstance(each, SetOnSubmit)} <= declared


def test_a_thought_record_that_is_not_looked_at_asks_less() -> None:
    form = shipped("thought_record")
    first = {"situation": "开会", "feeling": "慌", "strength": 80, "thought": "我会搞砸", "belief": 90}
    assert check(form, {**first, "check": False}, whole=True).problems == ()
    missing = check(form, {**first, "check": True}, whole=True).problems
    assert [each.field for each in missing] == ["other", "other_belief", "strength_after"]


def test_feedback_without_a_wish_sets_only_the_sum() -> None:
    form = shipped("session_feedback")
    whole = {"heard": 5, "mine": 3, "way": 3, "took": 1}
    assert [each.set for each in on_submit(form, whole) if isinstance(each, SetOnSubmit)] == ["会谈反馈"]
    assert len(on_submit(form, {**whole, "better": "慢一点"})) == 2
    assert scores(form, whole)["total"].value == 12
