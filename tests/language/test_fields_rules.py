"""What a field of an object or of a list's items may be: its own range, form and options, refused one by one."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import last
from tests.engine.scripts import Node, ask, only, say
from tests.engine.test_missing_reasons import with_model
from tests.language.material import codes, linted, session

from heartrule.language.nodes import Variable
from heartrule.language.values import Bad, Ok, accept
from heartrule.testing.talk import Talk

FIELDS: list[Node] = [
    {"name": "称呼", "type": "text", "pattern": "[^0-9]+"},
    {"name": "年龄", "type": "integer", "range": [0, 120]},
    {"name": "关系", "type": "enum", "options": ["近", "远"]},
]
FAMILY = Variable(var="家人", type="list", fields=FIELDS)


@pytest.mark.parametrize(
    ("item", "kept", "refused"),
    [
        ({"称呼": "妈妈", "年龄": 52, "关系": "近"}, {"称呼": "妈妈", "年龄": 52, "关系": "近"}, []),
        ({"称呼": "妈妈", "年龄": 520}, {"称呼": "妈妈"}, [("1.年龄", "range")]),
        ({"称呼": "2号", "年龄": 52}, {"年龄": 52}, [("1.称呼", "pattern")]),
        ({"称呼": "妈妈", "关系": "中"}, {"称呼": "妈妈"}, [("1.关系", "not_an_option")]),
    ],
)
def test_a_bad_field_is_refused_alone(item: Node, kept: Node, refused: list[Any]) -> None:
    outcome = accept(FAMILY, [item], lambda _: None)
    assert isinstance(outcome, Ok)
    assert outcome.value == [kept]
    assert [(each.path, each.bad.code) for each in outcome.left_out] == refused


def test_an_item_of_bad_fields_only_is_none() -> None:
    outcome = accept(FAMILY, [{"年龄": 520}], lambda _: None)
    assert isinstance(outcome, Bad)
    assert outcome.code == "range"


def test_what_a_field_refuses_is_recorded_and_the_model_is_told_its_range() -> None:
    given = [{"称呼": "妈妈", "年龄": 520}, {"称呼": "爸爸", "年龄": 50}]
    reply = {"EXIT": "YES", "values": {"家人": {"value": given, "evidence": "妈妈520，爸爸50"}}, "content": "好。"}
    output: Node = {"get": "家人", "type": "list", "fields": FIELDS, "define": "家人"}
    talk = with_model(reply, outputs=(output,))
    talk.say("妈妈520，爸爸50")
    assert last(talk, "家人") == [{"称呼": "妈妈"}, {"称呼": "爸爸", "年龄": 50}]
    assert [event.reason for event in talk.happened("unwritten")] == ["1.年龄: range"]
    (asked,) = [task for task in talk.asked if task.template == "ai_ask"]
    assert "0–120" in str(asked.values["outputs"])


def test_an_answer_to_a_field_of_its_own_is_held_to_it() -> None:
    one: Node = {"var": "人", "type": "object", "fields": FIELDS}
    talk = Talk(only(ask("多大？", "人.年龄"), say("完。"), declare=[one]))
    talk.say("520")
    assert last(talk, "人") is None
    talk.say("52")
    assert last(talk, "人") == {"年龄": 52}


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ("name: 年龄, type: integer, range: [0, 120]", None),
        ("name: 电话, pattern: '[0-9]+', options: [甲, 乙]", None),
        ("name: 年龄, type: integer, range: [120, 0]", "E224"),
        ("name: 称呼, type: text, range: [0, 1]", "E224"),
        ("name: 称呼, pattern: '(?=x)'", "E222"),
        ("name: 称呼, min_length: 2", "E115"),
    ],
)
def test_what_is_written_of_a_field_is_checked(field: str, code: str | None) -> None:
    text = session(
        "- {type: ask, content: 谁？, output: [{get: 家人}]}",
        head=f"declare: [{{var: 家人, type: list, fields: [{{{field}}}]}}]",
    )
    found = codes(linted(text))
    assert (code in found) if code else not {"E115", "E222", "E224"} & set(found)
