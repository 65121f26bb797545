"""Lists told without a model: bare names become items of a list of objects, and a list may be empty."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import last
from tests.engine.scripts import Node, ask, check, phase, say, script, topic

from heartrule.language.nodes import Variable
from heartrule.parsing import parse_value
from heartrule.testing.talk import Talk

FIELDS = [{"name": "称呼", "type": "text"}, {"name": "职业", "type": "text"}]
FAMILY: Node = {"var": "家人", "type": "list", "update": "merge_unique", "key": "称呼", "fields": FIELDS}
WORDS = {"keywords": {"父亲": ["父亲", "爸爸"], "母亲": ["母亲", "妈妈"], "奶奶": ["奶奶"]}}


def family(*rules: Node) -> Talk:
    declared = {**FAMILY, "listen": {"mode": "passive"}} | ({"rules": list(rules)} if rules else {})
    each = {"in": "家人", "as": "他", "key": "称呼", "max": 8}
    return Talk(
        script(
            phase(
                "P",
                topic("名单", ask("家里有哪些人？", "家人")),
                topic("每个人", ask("{他.称呼}做什么工作？", "他.职业"), for_each=each),
                topic("完", say("{家人}")),
            ),
            declare=[declared],
        )
    )


def test_bare_names_become_the_items_of_a_list_of_objects_and_each_is_asked_about() -> None:
    talk = family()
    talk.say("父亲、母亲")
    assert last(talk, "家人") == [{"称呼": "父亲"}, {"称呼": "母亲"}]
    assert talk.said[-1].endswith("父亲做什么工作？")
    talk.say("老师")
    talk.say("退休")
    assert last(talk, "家人") == [{"称呼": "父亲", "职业": "老师"}, {"称呼": "母亲", "职业": "退休"}]
    check(talk)


def test_what_a_rule_hears_in_passing_makes_the_list_grow() -> None:
    talk = family(WORDS)
    talk.say("爸爸、妈妈")
    talk.say("老师")
    talk.say("她在家，我还有个奶奶")
    assert talk.said[-1].endswith("奶奶做什么工作？")
    grown = [event.after for event in talk.happened("instances")]
    assert grown[-1] == ["父亲", "母亲", "奶奶"]


def test_telling_of_an_item_when_it_ends_is_no_second_telling() -> None:
    """Its own answer, by which the instance comes to its end, has not made it due again."""
    talk = family()
    for words in ("父亲、母亲", "老师", "退休"):
        talk.say(words)
    assert [event.again for event in talk.happened("instances") if event.again] == []


def a_list(**more: Any) -> Variable:
    return Variable(var="v", type="list", **more)


@pytest.mark.parametrize(
    ("fields", "key", "wanted"),
    [
        ([{"name": "名", "type": "text"}, {"name": "年龄", "type": "integer"}], None, "名"),
        ([{"name": "名", "type": "text"}, {"name": "病", "type": "text"}], "病", "病"),
        ([{"name": "名", "type": "text"}, {"name": "病", "type": "text"}], None, None),
        ([{"name": "几", "type": "integer"}], None, None),
        ([{"name": "几", "type": "integer"}, {"name": "名", "type": "text"}], "几", None),
    ],
)
def test_a_bare_name_goes_where_it_can_only_go(fields: list[Node], key: str | None, wanted: str | None) -> None:
    found = parse_value(a_list(fields=fields, key=key), "小林、小琳")
    assert (found and found.value) == ([{wanted: "小林"}, {wanted: "小琳"}] if wanted else None)


@pytest.mark.parametrize(
    ("text", "question", "names"),
    [
        ("爸爸，妈妈", "家里有哪些人？", ["爸爸", "妈妈"]),
        ("Mum, Dad", "Who lives with you?", ["Mum", "Dad"]),
        ("妈妈，老师", "说说家里人", None),
        ("妈妈，52岁", "家里有哪些人？", None),
        ("妈妈五十二岁", "家里有哪些人？", None),
    ],
)
def test_what_lies_between_commas_may_be_another_field(text: str, question: str, names: list[str] | None) -> None:
    found = parse_value(a_list(fields=FIELDS, key="称呼"), text, question=question)
    assert (found and [each["称呼"] for each in found.value]) == names


def test_a_story_is_no_name() -> None:
    assert parse_value(a_list(fields=FIELDS, key="称呼"), "我爸从小就不太管我总是在外面跑车一年才回来两次") is None


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("就头痛吧，还有胃疼", ["头痛", "胃疼"]),
        ("1.失眠 2.头痛", ["失眠", "头痛"]),
        ("1、失眠\n2、头痛", ["失眠", "头痛"]),
        ("(1)失眠(2)头痛", ["失眠", "头痛"]),
        ("头痛、失眠等等", ["头痛", "失眠"]),
        ("就业压力、就医难", ["就业压力", "就医难"]),
        ("我还有头痛", ["头痛"]),
        ("5.5小时", ["5.5小时"]),
    ],
)
def test_what_belongs_to_no_item_is_left_out(text: str, items: list[str]) -> None:
    found = parse_value(a_list(), text)
    assert found is not None
    assert found.value == items


@pytest.mark.parametrize(
    "question", ["有什么不舒服吗？", "有没有过敏的药？", "Any allergies?", "Do you take any medication?"]
)
def test_a_no_is_an_empty_list_where_there_may_be_none(question: str) -> None:
    no = "no" if question.isascii() else "没有"
    talk = Talk(script(phase("P", topic("T", ask(question, {"get": "v", "type": "list"}), say("完")))))
    talk.say(no)
    assert last(talk, "v") == []
    assert talk.said[-1].endswith("完") or talk.said == ["完"]


def test_a_no_is_no_list_where_something_is_asked_for() -> None:
    assert parse_value(a_list(), "没有", question="哪里不舒服？") is None
    assert parse_value(a_list(), "有", question="有什么不舒服吗？") is None
