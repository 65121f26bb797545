"""``heartrule forms``: what there is, in and out of FHIR, and what answers come to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.command import Command

FHIR = Path(__file__).parents[1] / "language" / "forms" / "fhir"
GAD7 = str(FHIR / "gad7-r4.json")
FILE = """forms:
  - {form: 一, id: one, fields: [{id: a, label: 甲, type: boolean, required: true}]}
  - {form: 二, id: two, fields: [{id: a, label: 甲, type: text, show_when: 'true'}]}
"""


def answers(heartrule: Command, given: object) -> str:
    path = heartrule.folder / "answers.json"
    path.write_text(given if isinstance(given, str) else json.dumps(given), encoding="utf-8")
    return str(path)


def test_what_there_is(heartrule: Command) -> None:
    (heartrule.folder / "own").mkdir()
    (heartrule.folder / "own" / "project.yaml").write_text("id: own\n", encoding="utf-8")
    (heartrule.folder / "own" / "forms.yaml").write_text(FILE, encoding="utf-8")
    ran = heartrule("forms", "list", "--project", "own", "--lang", "en")
    lines = ran.stdout.splitlines()
    assert ran.returncode == 0
    assert any(line.startswith("cbt/phq9 ") and "10 question(s)" in line for line in lines)
    assert any(line.startswith("own/one ") for line in lines)
    shown = json.loads(heartrule("forms", "list", "--format", "json").stdout)
    phq9 = next(each for each in shown if each["id"] == "cbt/phq9")
    assert (phq9["code"], phq9["scores"], len(phq9["fields"])) == ("44249-1", ["total"], 11)


def test_a_form_is_shown(heartrule: Command) -> None:
    ran = heartrule("forms", "show", "cbt/phq9", "--lang", "zh")
    assert "q9  觉得还不如死了好，或有用某种方式伤害自己的念头  (single, 必填)" in ran.stdout
    assert "    20–27  重度" in ran.stdout
    assert "q9: q9 > 0 → CALL_TECHNIQUE safety/crisis_support" in ran.stdout
    assert "No permission required" in ran.stdout


def test_a_questionnaire_comes_in_is_scored_and_goes_out(heartrule: Command) -> None:
    ran = heartrule("forms", "import", GAD7, "--out", "gad7.yaml", "--lang", "en")
    assert (ran.returncode, ran.stdout) == (0, "")
    assert "a total was added" in ran.stderr
    assert heartrule("lint", "gad7.yaml").returncode == 0
    given = answers(heartrule, dict.fromkeys(("q69725_0", "q68509_9", "q69733_4", "q69734_2"), 2))
    ran = heartrule("forms", "score", "gad7.yaml", given, "--lang", "en")
    assert ran.returncode == 1
    assert "q69735_9: This needs an answer" in ran.stderr
    assert "total: not complete" in ran.stdout
    sent = heartrule("forms", "export", "gad7.yaml")
    assert json.loads(sent.stdout) == json.loads(Path(GAD7).read_text(encoding="utf-8"))
    assert len(json.loads(heartrule("forms", "export", "gad7.yaml", "--plain").stdout)["item"]) == 8


def test_answers_are_scored(heartrule: Command) -> None:
    given = answers(heartrule, {f"q{number}": 1 for number in range(1, 10)})
    ran = heartrule("forms", "score", "cbt/phq9", given, "--lang", "zh")
    assert ran.returncode == 0
    assert ran.stdout.splitlines() == ["PHQ-9 总分: 9 · 轻度", "q9 → CALL_TECHNIQUE safety/crisis_support"]
    shown = json.loads(heartrule("forms", "score", "cbt/phq9", given, "--format", "json").stdout)
    assert shown["scores"] == {"total": {"value": 9, "band": "轻度"}}
    assert shown["orders"][0]["technique"] == "safety/crisis_support"
    assert (shown["problems"], shown["hidden"]) == ([], [])


def test_answers_go_out_and_are_scored_again(heartrule: Command) -> None:
    given = answers(heartrule, {f"q{number}": 2 for number in range(1, 8)})
    ran = heartrule("forms", "export", "cbt/gad7_en", "--answers", given, "--out", "response.json")
    assert ran.returncode == 0
    response = json.loads((heartrule.folder / "response.json").read_text(encoding="utf-8"))
    assert (response["status"], response["item"][-1]["answer"]) == ("completed", [{"valueDecimal": 14}])
    again = heartrule("forms", "score", "cbt/gad7_en", "response.json")
    assert again.stdout == "GAD-7 total: 14 · Moderate\n"


def test_a_response_to_something_else_says_so(heartrule: Command) -> None:
    ran = heartrule("forms", "score", "cbt/phq9", str(FHIR / "phq9-response-spezi.json"), "--lang", "en")
    assert ran.returncode == 1
    assert "The form has no “H1/T1/Q1”" in ran.stderr


def test_answers_from_standard_input(heartrule: Command) -> None:
    ran = heartrule("forms", "score", "cbt/mood_en", "-", "--format", "json", lines='{"mood": 9, "x": 1}')
    assert ran.returncode == 1
    assert {each["code"] for each in json.loads(ran.stdout)["problems"]} == {"range", "unknown_field"}


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("show", "cbt/nothing"), "There is no form"),
        (("show", "nowhere.yaml"), "cannot be read"),
        (("show", "two.yaml"), "say which"),
        (("show", "two.yaml#three"), "one, two"),
        (("show", "wrong.yaml"), "E101"),
        (("show", "wrong.json"), "is no JSON"),
        (("show", "patient.json"), "no FHIR Questionnaire"),
        (("import", "patient.json"), "no FHIR Questionnaire"),
        (("import", "missing.json"), "cannot be read"),
        (("import", GAD7, "--out", "no/such/folder.yaml"), "cannot be written"),
        (("score", "two.yaml#one", "list.json"), "must hold"),
        (("score", "two.yaml#one", "patient.json"), "no FHIR QuestionnaireResponse"),
        (("import", "large.json"), "more than"),
    ],
)
def test_what_cannot_be_done_is_said(heartrule: Command, arguments: tuple[str, ...], text: str) -> None:
    files = {
        "two.yaml": FILE,
        "wrong.yaml": "forms:\n  - {form: a, feelds: []}\n",
        "wrong.json": "{",
        "patient.json": '{"resourceType": "Patient"}',
        "list.json": "[]",
        "large.json": " " * 4_000_001,
    }
    for name, content in files.items():
        (heartrule.folder / name).write_text(content, encoding="utf-8")
    ran = heartrule("forms", *arguments, "--lang", "en")
    assert ran.returncode == 2
    assert text in ran.stderr
    assert ran.stdout == ""


def test_a_form_of_a_file(heartrule: Command) -> None:
    (heartrule.folder / "two.yaml").write_text(FILE, encoding="utf-8")
    assert "a  甲  (text, shown when true)" in heartrule("forms", "show", "two.yaml#two", "--lang", "en").stdout
    assert "a  甲  (boolean, required)" in heartrule("forms", "show", "two.yaml#一", "--lang", "en").stdout
    assert "GAD-7" in heartrule("forms", "show", GAD7).stdout
