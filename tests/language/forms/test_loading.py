"""Forms in script files: read, put in their places, reached, and refused where they are wrong."""

from __future__ import annotations

from typing import Any

import pytest
from tests.language.material import ACTIONS, at, loaded, only, project

from heartrule.language.compiling.reach import reach
from heartrule.language.nodes import Action
from heartrule.language.nodes.forms import LOINC, Form, OrderOnSubmit, SetOnSubmit
from heartrule.language.schema import json_schema

PHQ = """forms:
  - form: 心情
    id: mood
    code: 44249-1
    fields:
      - id: q1
        label: 兴趣
        type: single
        required: true
        code: {system: "urn:a", code: "1"}
        options: [{value: 0, label: 没有, code: LA6568-5}, 1, 二, true]
      - {id: note, label: 说说, type: text, show_when: q1 > 0, validate: len(note) < 500}
    validate: [{check: q1 < 9, message: 不对}]
    scores:
      - {id: total, sum: [q1], bands: [{from: 0, to: 4, label: 轻}]}
    on_answer:
      - {field: q1, if: q1 > 0, directive: CALL_TECHNIQUE, technique: safety/crisis_support}
    on_submit:
      - {set: 总分, value: "{total}"}
      - {directive: ESCALATE, to: desk, if: total > 0}
"""


def test_a_form_is_read() -> None:
    file = loaded(PHQ)
    assert file.findings == []
    form = only_form(PHQ)
    assert form.code is not None
    assert (form.code.system, form.code.code) == (LOINC, "44249-1")
    first = form.by_id["q1"]
    assert [(each.value, each.label) for each in first.options] == [(0, "没有"), (1, "1"), ("二", "二"), (True, "true")]
    assert [each.counts for each in first.options] == [0, 1, None, True]
    assert isinstance(form.on_submit[0], SetOnSubmit)
    assert isinstance(form.on_submit[1], OrderOnSubmit)
    assert [each.directive for each in form.orders()] == ["CALL_TECHNIQUE", "ESCALATE"]


def only_form(text: str) -> Form:
    return loaded(text).forms[0]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (("fields", 0), "表单 心情 › 字段 q1"),
        (("fields", 0, "options", 2), "表单 心情 › 字段 q1 › 第 3 个选项"),
        (("scores", 0), "表单 心情 › 得分 total"),
        (("scores", 0, "bands", 0), "表单 心情 › 得分 total › 第 1 个分段"),
        (("validate", 0), "表单 心情 › 第 1 个检查"),
        (("on_answer", 0), "表单 心情 › 第 1 个on_answer 指令"),
    ],
)
def test_its_parts_know_where_they_stand(path: tuple[str | int, ...], words: str) -> None:
    node: Any = only_form(PHQ)
    for part in path:
        node = node[part] if isinstance(part, int) else getattr(node, "validate_" if part == "validate" else part)
    assert node.place.words == words
    assert node.place.path == (0, "forms", 0, *path)


WRONG = [
    ("type: single", "type: rodio", "E104", 8),
    ("type: single", "typ: single", "E101", 8),
    ("        label: 兴趣\n", "", "E102", 6),
    ("show_when: q1 > 0", "show_when: q1 >", "E110", 12),
    ("to: 4", "to: many", "E103", 15),
    ("to: 4", "to: .inf", "E103", 15),
    ("sum: [q1]", "sum: []", "E105", 15),
    ("directive: CALL_TECHNIQUE", "directive: CALL", "E104", 17),
    ("{set: 总分", "{sat: 总分", "E101", 19),
    ("{value: 0, label: 没有", "{value: 0, lable: 没有", "E101", 11),
    ("options: [{value: 0", "options: [[1], {value: 0", "E103", 11),
    ("fields:", "feilds:", "E101", 5),
]


@pytest.mark.parametrize(("right", "wrong", "code", "line"), WRONG)
def test_what_is_wrong_is_found_where_it_is(right: str, wrong: str, code: str, line: int) -> None:
    assert PHQ.count(right) == 1
    assert (code, line) in at(loaded(PHQ.replace(right, wrong)).findings)


def test_too_many_fields() -> None:
    fields = "".join(f"      - {{id: f{number}, label: a, type: note}}\n" for number in range(301))
    assert only(loaded(f"forms:\n  - form: a\n    fields:\n{fields}").findings).code == "E105"


class Shows(Action):
    form: str


SESSION = """sessions:
  - session: 一
    id: one
    phases:
      - phase: 一
        steps:
          - topic: 一
            actions:
              - {type: say, content: 你好}
"""
SKILLS = """skills:
  - skill: 缓一缓
    id: rest
    actions:
      - {type: say, content: 停}
"""
FORM = """forms:
  - form: 心情
    id: mood
    fields: [{id: a, label: 好吗, type: boolean}]
    on_answer: [{field: a, directive: CALL_TECHNIQUE, technique: rest}]
  - {form: Mood, id: mood_en, locale: en, translation_of: mood, fields: [{id: a, label: Well?, type: boolean}]}
"""


def test_a_session_reaches_the_forms_that_it_shows_and_what_they_call() -> None:
    home = project({"project.yaml": "id: here\n", "a.yaml": SESSION})
    other = project({"project.yaml": "id: there\n", "forms.yaml": FORM, "skills.yaml": SKILLS})
    session = next(home.sessions)
    shows = Shows(type="show_form", form="there/mood")
    topic = session.phases[0].steps[0].model_copy(update={"actions": [shows]})
    session = session.model_copy(
        update={"phases": [session.phases[0].model_copy(update={"steps": [topic]})], "locale": "en"}
    )
    found = reach(session, home, {"here": home, "there": other}.get, None, "en")
    assert list(found.forms) == ["there/mood", "there/mood_en"]
    assert list(found.skills) == ["there/rest"]
    assert ("there", "forms.yaml") in found.files
    assert found.missing == []
    none = reach(session, home, {"here": home}.get, None, "en")
    assert none.missing == ["there/mood"]


def test_the_schema_describes_them() -> None:
    made = json_schema(ACTIONS)
    assert made["properties"]["forms"]["items"] == {"$ref": "#/$defs/Form"}
    assert set(made["$defs"]["FormField"]["required"]) == {"id", "label", "type"}
    assert "if" in made["$defs"]["OnAnswer"]["properties"]
