"""A conversation can begin at any action, with what would be known by then."""

from __future__ import annotations

import pytest
from tests.script_tests.material import SCREENED, codes, failed, file_of, ran, screened

from heartrule.script_tests.case_run import RanCase
from heartrule.testing.talk import compile_text


def begun(at: str, expect: str, variables: str = "{}", turns: str = "") -> RanCase:
    head = f"given: {{at: {at}, variables: {variables}}}"
    return ran(f"- start:\n  expect: {expect}\n{turns}", head, script=screened())


@pytest.mark.parametrize(
    ("at", "expect"),
    [
        ("sheet", "{at: fill_in, entered: [filling, sheet], form: feel}"),
        ("表", "{at: fill_in}"),
        ("sheet/thanks", "{said_contains: 谢谢, not: {entered: fill_in}}"),
        ("thanks", "{said_contains: 谢谢}"),
        ("more", "{at: over/more, entered: [family, over], not: {entered: [sheet, filling, each]}}"),
        ("count", "{said_contains: 先坐好, at: counted}"),
        ("count/counted", "{never_says: 先坐好, at: counted}"),
        ("local/count/counted", "{at: local/count}"),
        ("crisis_support", "{entered: crisis_support}"),
    ],
)
def test_it_begins_there(at: str, expect: str) -> None:
    found = begun(at, expect)
    assert found.passed, (found.fault, failed(found))


def test_values_are_written_where_they_belong() -> None:
    values = "{气氛: 安静, 上次: 3, 其他: 没有}"
    expect = "{set: {phase.气氛: 安静, session.上次: 3, 其他: 没有}, said_contains: 安静。还有吗}"
    found = begun("more", expect, values)
    assert found.passed, (found.fault, failed(found))


def test_what_is_known_of_the_person_can_be_given() -> None:
    found = ran(
        "- start:\n  expect: {set: {global.上次: 4, 上次: 4}}",
        "given: {variables: {global.上次: 4}}",
        script=screened(),
    )
    assert found.passed, (found.fault, failed(found))


def test_a_technique_gets_its_parameters() -> None:
    assert begun("counted", "{said_contains: 数到十了吗}", "{到几: 十}").passed


def test_it_goes_on_from_there() -> None:
    found = begun("thanks", "{said_contains: 收到}", "{家人: [{称呼: 妈妈}]}", "- say: 老师\n  expect: {ended: true}")
    assert found.passed, (found.fault, failed(found))
    assert [e.value for e in found.events if e.kind == "variable" and e.action == "job"] == [  # type: ignore[attr-defined]
        [{"称呼": "妈妈", "职业": "老师"}]
    ]


def test_a_topic_for_each_begins_with_the_first() -> None:
    found = begun(
        "job", "{said_contains: 妈妈做什么, never_says: 说说}", "{家人: [{称呼: 妈妈}, {称呼: 爸爸}]}", "- say: 老师"
    )
    assert found.passed, (found.fault, failed(found))
    assert "说说爸爸" in found.messages[-2].text
    assert begun("job", "{ended: false}").fault == ("not_begun", "each: for_each 家人")


def test_a_value_that_the_script_refuses_is_no_beginning() -> None:
    fault = begun("more", "{ended: false}", "{上次: 99}").fault
    assert fault is not None
    assert fault[0] == "not_given"
    assert fault[1].startswith("上次 = 99")
    plain = ran("- start:\n  expect: {ended: false}", "given: {variables: {上次: 很多}}", script=screened())
    assert plain.fault is not None
    assert plain.fault[0] == "not_given"


def test_the_actions_own_condition_is_looked_at() -> None:
    text = SCREENED.replace("id: thanks, content", "id: thanks, condition: 上次 > 3, content")
    for value, said in (("4", "said_contains: 谢谢"), ("3", "never_says: 谢谢")):
        head = f"given: {{at: thanks, variables: {{上次: {value}}}}}"
        assert ran(f"- start:\n  expect: {{{said}}}", head, script=compile_text(text)).passed


def test_a_place_that_is_not_there_is_a_finding() -> None:
    assert codes(file_of("- start:\n  expect: {ended: false}", "given: {at: shet}"), screened()) == [("E703", 4)]
