"""What a variable may hold, how a new value meets the old one, and what is written down about it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.scripts import CALM, ask, check, faults, only, operations, phase, put, say, script, spoken, topic
from tests.table import tabled

from heartrule.testing.talk import Talk


def written(variable: dict[str, Any], *values: Any) -> Talk:
    """A session that writes these values to ``x``, in a way that lint cannot see through."""
    actions = [action for value in values for action in (put("raw", value), put("x", "{raw}"))]
    return Talk(only(*actions, declare=[{"var": "x", **variable}]))


FIELDS = [{"name": "姓名"}, {"name": "年龄", "type": "integer"}, {"name": "关系", "options": ["亲", "友"]}]


@tabled(
    ("variable", "value", "held"),
    [
        ({"type": "text"}, " 你好 ", "你好"),
        ({"type": "text"}, 7, "7"),
        ({"type": "integer"}, "7", 7),
        ({"type": "integer"}, 7.0, 7),
        ({"type": "integer"}, "７", 7),
        ({"type": "number"}, "7.5", 7.5),
        ({"type": "boolean"}, "true", True),
        ({"type": "boolean"}, False, False),
        ({"type": "enum", "options": ["好", "坏"]}, "好", "好"),
        ({"type": "date"}, "2026-03-05", "2026-03-05"),
        ({"type": "date"}, "2026年3月5日", "2026-03-05"),
        ({"type": "list"}, ["a", "b"], ["a", "b"]),
        ({"type": "object"}, {"a": 1}, {"a": 1}),
        ({"type": "object", "fields": FIELDS}, {"姓名": "王", "年龄": "40"}, {"姓名": "王", "年龄": 40}),
        ({"type": "list", "fields": FIELDS}, [{"姓名": "王", "年龄": "40"}], [{"姓名": "王", "年龄": 40}]),
        ({"type": "integer", "range": [1, 10]}, 10, 10),
        ({"type": "text", "pattern": r"1\d{10}"}, "13800000000", "13800000000"),
        ({"type": "text", "min_length": 2}, "两字", "两字"),
        ({"type": "integer", "validate": "x <= 10"}, 10, 10),
        ({}, {"随便": [1, "二", None]}, {"随便": [1, "二", None]}),
    ],
)
def test_a_typed_variable_takes_a_value_of_its_type(variable: dict[str, Any], value: Any, held: Any) -> None:
    talk = written(variable, value)
    assert talk.value("x") == held
    assert type(talk.value("x")) is type(held)
    assert not faults(talk)


@tabled(
    ("variable", "value"),
    [
        ({"type": "integer"}, "七八分吧"),
        ({"type": "integer"}, "7.5"),
        ({"type": "integer"}, True),
        ({"type": "number"}, "很多"),
        ({"type": "boolean"}, "也许"),
        ({"type": "enum", "options": ["好", "坏"]}, "一般"),
        ({"type": "date"}, "上周"),
        ({"type": "date"}, "2026-02-30"),
        ({"type": "object"}, "不是"),
        ({"type": "object", "fields": FIELDS}, {"年龄": "很老"}),
        ({"type": "list", "fields": FIELDS}, [{"关系": "敌"}]),
        ({"type": "integer", "range": [1, 10]}, 11),
        ({"type": "number", "range": [0, 1]}, -0.1),
        ({"type": "text", "options": ["A", "B"]}, "C"),
        ({"type": "text", "pattern": r"1\d{10}"}, "12345"),
        ({"type": "text", "min_length": 2}, "一"),
        ({"type": "integer", "validate": "x <= 10"}, 11),
    ],
)
def test_a_typed_variable_never_takes_another(variable: dict[str, Any], value: Any) -> None:
    talk = written(variable, value)
    assert talk.value("x") is None
    assert any("x" in what for what in faults(talk))
    assert operations(talk, "x") == []
    assert talk.ended


def test_a_refused_value_leaves_the_good_one() -> None:
    talk = written({"type": "integer", "range": [1, 10]}, 5, 50)
    assert talk.value("x") == 5


def test_validate_may_read_other_variables() -> None:
    variables = [{"var": "低", "value": 3}, {"var": "x", "type": "integer", "validate": "x > 低"}]
    assert Talk(only(put("x", 4), declare=variables)).value("x") == 4
    assert Talk(only(put("x", 2), declare=variables)).value("x") is None


def test_a_typed_question_never_keeps_a_persons_raw_words() -> None:
    talk = Talk(only(ask("几分？", {"get": "x", "type": "integer"}), say("完")))
    while not talk.ended:
        talk.say("说不上来")
    assert operations(talk, "x") == []
    assert talk.happened("topic")[-1].unfinished == ["x"]


def test_an_output_may_say_more_than_the_declaration() -> None:
    talk = Talk(
        only(
            ask("几分？", {"get": "x", "range": [1, 5]}),
            declare=[{"var": "x", "type": "integer", "range": [1, 10]}],
        )
    )
    talk.say("8")
    assert talk.value("x") is None
    talk.say("4")
    assert talk.value("x") == 4


# update modes


@pytest.mark.parametrize(
    ("variable", "values", "held"),
    [
        ({}, ["a", "b"], "b"),
        ({"update": "overwrite"}, ["a", "b"], "b"),
        ({"update": "versioned"}, ["a", "b"], "b"),
        ({"update": "append"}, ["a", "b"], ["a", "b"]),
        ({"update": "append", "type": "list"}, [["a"], ["b", "a"]], ["a", "b", "a"]),
        ({"update": "append", "type": "text"}, ["一", "二"], "一\n二"),
        ({"update": "merge_unique", "type": "list"}, [["a"], ["b", "a"]], ["a", "b"]),
        (
            {"update": "merge_unique", "type": "list", "key": "姓名", "fields": FIELDS},
            [[{"姓名": "王", "年龄": 4}], [{"姓名": "李"}, {"姓名": "王", "年龄": 5}]],
            [{"姓名": "王", "年龄": 5}, {"姓名": "李"}],
        ),
        ({"update": "append", "value": []}, ["a"], ["a"]),
        ({"update": "append", "value": "开头"}, ["a"], ["开头", "a"]),
    ],
)
def test_update_modes(variable: dict[str, Any], values: list[Any], held: Any) -> None:
    talk = written(variable, *values)
    assert talk.value("x") == held
    assert not faults(talk)


def test_every_version_stays_in_the_history() -> None:
    talk = written({"update": "versioned"}, "一", "二", "三")
    assert [(event.old, event.value) for event in operations(talk, "x")] == [(None, "一"), ("一", "二"), ("二", "三")]


def test_an_output_may_say_how_it_updates() -> None:
    talk = Talk(
        only(
            ask("一个？", {"get": "想法", "update": "append", "scope": "session"}),
            ask("再一个？", {"get": "想法", "update": "append"}),
        )
    )
    talk.say("累")
    talk.say("烦")
    assert talk.value("想法") == ["累", "烦"]


def test_an_output_says_how_a_declared_variable_updates() -> None:
    talk = Talk(
        only(
            ask("？", {"get": "x", "update": "append"}),
            ask("？", {"get": "x", "update": "append"}),
            declare=[{"var": "x"}],
        )
    )
    talk.play(["累", "烦"])
    assert talk.value("x") == ["累", "烦"]


def test_an_answer_is_not_added_again_while_its_action_asks_for_another() -> None:
    action = {
        "type": "ai_ask",
        "content": "问",
        "question": "说说？",
        "output": [{"get": "想法", "update": "append"}, {"get": "分", "type": "integer"}],
    }
    talk = Talk(only(action, declare=[{"var": "想法"}, {"var": "分", "type": "integer"}]))
    talk.say("累")
    assert talk.value("想法") == ["累"]
    talk.say("5")
    assert talk.value("想法") == ["累"]
    assert talk.value("分") == 5


def test_a_model_that_repeats_an_answer_does_not_add_it_twice() -> None:
    def heard(value: Any, evidence: str) -> dict[str, Any]:
        return {"EXIT": "NO", "content": "嗯，还有呢？", "values": {"朋友": {"value": value, "evidence": evidence}}}

    action = {"type": "ai_ask", "content": "问", "question": "谁？", "output": [{"get": "朋友"}], "min_rounds": 3}
    talk = Talk(
        only(action, declare=[{"var": "朋友", "type": "list", "update": "append"}]),
        model={"risk": CALM, "ai_ask": [heard(["小王"], "小王"), heard(["小王", "小李"], "小李")]},
    )
    talk.say("小王")
    talk.say("小李")
    assert talk.value("朋友") == ["小王", "小李"]


# set_var


def test_set_var_keeps_the_type_of_a_single_placeholder() -> None:
    talk = Talk(
        only(
            put("数", 7),
            put("列", ["a"]),
            put("x", "{数}"),
            put("y", " {列} "),
            put("z", "是{数}"),
            put("w", {"甲": "{数}", "乙": ["{列}"]}),
            ask("？", "q"),
        )
    )
    assert (talk.value("x"), talk.value("y"), talk.value("z")) == (7, ["a"], "是7")
    assert talk.value("w") == {"甲": 7, "乙": [["a"]]}


def test_set_var_works_expressions_out() -> None:
    talk = Talk(
        only(
            put("a", 2),
            put("b", expr="a * 3 + 1"),
            put("c", expr="b > 5"),
            put("d", expr="len('四个字呢')"),
            ask("？", "q"),
        )
    )
    assert (talk.value("b"), talk.value("c"), talk.value("d")) == (7, True, 4)


def test_an_expression_that_is_unknown_gives_nothing() -> None:
    talk = Talk(only(put("b", expr="没有 + 1"), ask("？", "q"), declare=[{"var": "没有", "type": "integer"}]))
    assert talk.value("b") is None


def test_copying_what_has_no_value_gives_nothing_and_not_an_empty_text() -> None:
    talk = Talk(
        only(
            put("x", "{没有}"),
            say("空", condition="x == ''"),
            say("无", condition="x == null"),
            declare=[{"var": "没有"}],
        )
    )
    assert spoken(talk) == ["无"]


def test_set_var_may_write_null() -> None:
    talk = Talk(only(put("x", 5), put("x", None), say("无", condition="x == null")))
    assert spoken(talk) == ["无"]


def test_outputs_may_assign() -> None:
    talk = Talk(
        only(
            {
                "type": "ask",
                "content": "名字？",
                "output": [{"get": "名"}, {"set": "称", "value": "{名}同学"}, {"set": "好", "value": True}],
            },
            say("{称}{好}"),
        )
    )
    talk.say("小明")
    assert spoken(talk)[-1] == "小明同学是"


# the record of it


def test_every_write_keeps_where_it_came_from() -> None:
    talk = Talk(
        only(
            ask("几分？", {"get": "x", "type": "integer"}, id="q"),
            put("x", 9, id="p"),
            ask("？", "y"),
            declare=[{"var": "x", "type": "integer"}],
        )
    )
    talk.say("大概3分吧")
    first, second = operations(talk, "x")
    assert (first.operation, first.old, first.value, first.strategy, first.action) == ("extract", None, 3, "rules", "q")
    assert first.evidence
    assert first.evidence in "大概3分吧"
    assert (second.operation, second.old, second.value, second.strategy) == ("update", 3, 9, "set")
    assert (second.action, second.source) == ("p", "p")
    assert second.number == first.number + 1
    assert first.at == talk.now
    assert (first.scope, first.type) == ("session", "number")
    held = next(cell["x"] for cell in talk.variables.cells.values() if "x" in cell)
    assert (held.value, held.type, held.source, held.scope, held.strategy, held.updated_at) == (
        9,
        "number",
        "p",
        "session",
        "set",
        talk.now,
    )
    check(talk)


def test_a_persons_own_words_are_marked_as_such() -> None:
    talk = Talk(only(ask("怎么了？", "x"), ask("？", "y")))
    talk.say("最近睡不着")
    (event,) = operations(talk, "x")
    assert (event.strategy, event.value) == ("fallback", "最近睡不着")


def test_a_models_find_is_kept_with_its_quote() -> None:
    data = {"understood": True, "content": "嗯。", "values": {"x": {"value": "失眠", "evidence": "睡不着"}}}
    talk = Talk(only(ask("怎么了？", "x")), model={"risk": CALM, "ask": data})
    talk.say("最近老是睡不着觉")
    (event,) = operations(talk, "x")
    assert (event.strategy, event.value, event.evidence) == ("json", "失眠", "睡不着")


def test_a_quote_that_was_never_said_proves_nothing() -> None:
    data = {"understood": True, "content": "嗯。", "values": {"x": {"value": "失眠", "evidence": "我失眠"}}}
    talk = Talk(only(ask("怎么了？", "x")), model={"risk": CALM, "ask": data})
    talk.say("没什么")
    assert operations(talk, "x") == []


def test_numbers_of_writes_count_up_over_the_session() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", put("a", 1), ask("？", "b"))),
            phase("B", topic("乙", put("a", 2), put("a", 2), ask("？", "c"))),
        )
    )
    talk.play(["一", "二"])
    assert [event.number for event in talk.happened("variable")] == list(range(1, 6))
    check(talk)


def test_types_in_the_record_are_the_seeds() -> None:
    talk = Talk(
        only(put("a", "字"), put("b", 1), put("c", True), put("d", []), put("e", {}), put("f", None), ask("？", "y"))
    )
    assert [event.type for event in talk.happened("variable")] == [
        "string",
        "number",
        "boolean",
        "array",
        "object",
        "null",
    ]


@tabled("number", [10**400, -(10**400), float("inf"), float("nan")])
@tabled("kind", ["text", "number", "integer", "enum", "date", "boolean", "list"])
def test_a_number_beyond_any_scale_is_refused(kind: str, number: float) -> None:
    made = only(say("好"), declare=[{"var": "x", "type": kind, **({"options": ["a", "b"]} if kind == "enum" else {})}])
    talk = Talk(made, values={"x": number})
    assert talk.value("x") is None
    assert faults(talk)


def test_a_long_number_of_a_document_may_be_a_text() -> None:
    talk = Talk(only(say("{x}"), declare=[{"var": "x", "type": "text"}]), values={"x": 110101199003071234})
    assert spoken(talk) == ["110101199003071234"]
