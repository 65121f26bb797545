"""``listen``: what is taken down whenever it is told, whatever was asked."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import (
    CALM,
    Data,
    Node,
    ai_ask,
    asked,
    crisis,
    explained,
    last,
    option,
    out,
    replied,
    running,
    tasks,
    values,
    written,
)
from tests.engine.scripts import ask, check, only, phase, put, script, topic

from heartrule.language.compiling.script import Script
from heartrule.testing.talk import Talk

SLEEP: Node = {"var": "睡眠", "type": "text", "define": "说到的睡眠情况", "listen": {"mode": "passive"}}
HOURS: Node = {"var": "时长", "type": "number", "range": [0, 24], "define": "一晚睡几小时", "listen": {}}
FIRST = ask("怎么样？", "答")
REST = ask("然后？", "然后")


def said(*found: tuple[str, Any, str]) -> Data:
    return {"holds": [], "values": [{"name": n, "value": v, "evidence": e} for n, v, e in found]}


def hold(made: Script, *perceived: Any, words: str = "老是半夜醒", **table: Any) -> Talk:
    model = {"risk": CALM, "ask": replied(values=values(答=("还行", "还行"))), "perceive": list(perceived), **table}
    talk = Talk(made, model)
    talk.say(words)
    check(talk)
    return talk


def lines(talk: Talk) -> list[list[str]]:
    return [task.values["passive"].splitlines() for task in tasks(talk, "perceive")]


# taken down


def test_it_is_taken_down_whatever_was_asked() -> None:
    talk = hold(only(FIRST, REST, declare=[SLEEP]), said(("睡眠", "半夜醒", "老是半夜醒")))
    assert written(talk, "睡眠") == [("半夜醒", "passive", "老是半夜醒")]
    (event,) = [event for event in talk.happened("variable") if event.name == "睡眠"]
    assert (event.source, event.scope) == (talk.happened("marker")[0].action, "session")


def test_also_beside_choices_and_what_takes_nothing_itself() -> None:
    talk = hold(only(option("选", "好", "不好"), REST, declare=[SLEEP]), said(("睡眠", "半夜醒", "老是半夜醒")))
    assert last(talk, "睡眠") == "半夜醒"


def test_a_number_may_be_listened_for() -> None:
    talk = hold(only(FIRST, REST, declare=[HOURS]), said(("时长", "5", "五个小时")), words="就睡五个小时")
    assert written(talk, "时长") == [(5, "passive", "五个小时")]


@pytest.mark.parametrize(
    "wrong",
    [("时长", 50, "五十小时"), ("时长", "很短", "五十小时"), ("时长", 5, "没有这句"), ("别的", 5, "五十小时")],
)
def test_what_is_none_of_its_values_or_has_no_proof_is_not(wrong: tuple[str, Any, str]) -> None:
    talk = hold(only(FIRST, REST, declare=[HOURS]), said(wrong), words="睡了五十小时")
    assert last(talk, "时长") is None


def test_lists_grow() -> None:
    many = {"var": "人", "type": "list", "update": "merge_unique", "define": "提到的人", "listen": {}}
    talk = hold(
        only(FIRST, REST, declare=[many]),
        said(("人", ["妈妈"], "妈妈"), ("人", ["小雨"], "小雨")),
        said(("人", ["妈妈", "老师"], "老师")),
        words="妈妈和小雨",
    )
    talk.say("还有老师")
    assert last(talk, "人") == ["妈妈", "小雨", "老师"]
    assert tasks(talk, "perceive")[1].values["facts"] == "人=妈妈、小雨"


def test_what_the_action_asks_for_is_its_own() -> None:
    talk = hold(only(ask("睡得怎么样？", "睡眠"), REST, declare=[SLEEP, HOURS]), said(("睡眠", "甲", "老是半夜醒")))
    assert lines(talk) == [["- 时长：一晚睡几小时（数字 0–24）"]]
    assert last(talk, "睡眠") is None


def test_it_is_listened_for_once_under_one_name() -> None:
    """Not also as a later question, and when it is known not also as a fact to be corrected."""
    made = only(FIRST, REST, ask("睡得怎么样？", "睡眠"), declare=[SLEEP])
    talk = hold(made, said(("睡眠", "半夜醒", "老是半夜醒")), said(("睡眠", "好些了", "睡得好些了")))
    talk.say("今天睡得好些了")
    first, second = tasks(talk, "perceive")
    assert (first.values["later"], first.values["facts"]) == ("", "")
    assert (second.values["later"], second.values["facts"]) == ("", "睡眠")
    assert [strategy for _, strategy, _ in written(talk, "睡眠")] == ["passive", "passive"]


def test_it_is_applied_in_the_order_of_the_declarations() -> None:
    """The project's first, then the session's, the phase's, the topic's; whatever order the model lists them in."""
    names = ["甲", "乙", "丙", "丁"]
    one, two, three, four = ({"var": name, "define": name, "type": "text", "listen": {}} for name in names)
    steps = topic("T", FIRST, REST, declare=[four])
    made = script(phase("P", steps, declare=[three]), variables=[one], declare=[two])
    talk = hold(made, said(*((name, "醒", "半夜醒") for name in reversed(names))))
    assert [event.name for event in talk.happened("variable") if event.strategy == "passive"] == names
    assert lines(talk)[0] == [f"- {name}：{name}" for name in names]


# while its scope is alive


def test_as_long_as_its_declaration_can_be_seen() -> None:
    here = {**SLEEP, "var": "此处"}
    phased = {**SLEEP, "var": "阶段"}
    one = phase("P", topic("甲", FIRST, declare=[here]), topic("乙", FIRST), declare=[phased])
    talk = hold(script(one, phase("Q", topic("丙", FIRST, REST)), declare=[SLEEP]), said(), words="还行")
    for _ in range(2):
        talk.say("还行")
    named = [[line.partition("：")[0].removeprefix("- ") for line in each] for each in lines(talk)]
    assert named == [["睡眠", "阶段", "此处"], ["睡眠", "阶段"], ["睡眠"]]


def test_an_inner_declaration_of_the_name_hides_the_outer_one() -> None:
    plain = {"var": "睡眠", "type": "text", "define": "别的"}
    talk = hold(only(FIRST, REST, declare=[SLEEP]), said())
    assert lines(talk) == [["- 睡眠：说到的睡眠情况"]]
    made = script(phase("P", topic("T", FIRST, REST), declare=[plain]), declare=[SLEEP])
    assert tasks(hold(made, said()), "perceive") == []


def test_what_the_script_has_set_may_still_be_told() -> None:
    talk = hold(only(put("睡眠", "还好"), FIRST, REST, declare=[SLEEP]), said(("睡眠", "半夜醒", "半夜醒")))
    assert tasks(talk, "perceive")[0].values["facts"] == "睡眠=还好"
    assert last(talk, "睡眠") == "半夜醒"


# without a model


RULED = {**HOURS, "rules": [{"pattern": r"睡.{0,3}?(\d+)\s*(?:个)?小时"}]}


@pytest.mark.parametrize(
    ("words", "found"),
    [("就睡5小时", 5), ("没睡5小时", None), ("5", None), ("工作5小时", None), ("跳过", None), ("睡了50小时", None)],
)
def test_in_script_mode_its_own_rules_read(words: str, found: Any) -> None:
    talk = Talk(only(FIRST, REST, declare=[RULED]))
    talk.say(words)
    assert last(talk, "时长") == found
    assert [strategy for _, strategy, _ in written(talk, "时长")] == (["passive"] if found else [])
    assert talk.happened("perceived") == []


def test_without_rules_nothing_is_taken_down_in_script_mode() -> None:
    """A yes, a number, an option means nothing without its question."""
    yes = {"var": "是否", "type": "boolean", "define": "是否", "listen": {}}
    mood = {"var": "心情", "type": "enum", "options": ["好", "差"], "define": "心情", "listen": {}}
    talk = Talk(only(FIRST, REST, declare=[SLEEP, HOURS, yes, mood]))
    for words in ("有", "5", "好"):
        talk.say(words)
    assert {last(talk, name) for name in ("睡眠", "时长", "是否", "心情")} == {None}


@pytest.mark.parametrize(("perceived", "found"), [(None, 5), (said(), None), (said(("时长", 50, "50")), 5)])
def test_a_model_that_found_nothing_is_believed(perceived: Any, found: Any) -> None:
    """One that failed, or whose find was unusable twice, is not."""
    talk = hold(only(FIRST, REST, declare=[RULED]), perceived, words="就睡5小时，不是50")
    assert last(talk, "时长") == found


def test_the_safety_project_listens_to_nothing_else() -> None:
    talk = Talk(only(FIRST, REST, declare=[RULED]))
    talk.say("我不想活了")
    talk.say("就睡5小时")
    assert last(talk, "时长") is None
    out(talk)


# risk


WISH = {"var": "念头", "type": "boolean", "risk": True, "define": "有没有不想活的念头", "listen": {}}


@pytest.mark.parametrize(
    "action",
    [FIRST, ai_ask("聊", "答", question="聊什么？"), option("选", "好", "不好")],
    ids=["ask", "ai_ask", "user_option"],
)
def test_a_yes_to_what_is_marked_risk_calls_the_crisis_technique(action: Node) -> None:
    made = only(action, REST, declare=[WISH])
    told = said(("念头", True, "撑不下去那种"))
    talk = hold(made, told, words="就是撑不下去那种", ai_ask=asked("说说？"), ai_say=explained())
    assert last(talk, "念头") is True
    assert running(talk) == crisis(made)


def test_a_no_and_the_same_yes_again_call_nothing() -> None:
    talk = hold(only(FIRST, REST, declare=[WISH]), said(("念头", False, "没那么想")), words="没那么想")
    assert (last(talk, "念头"), running(talk)) == (False, "T")


@pytest.mark.parametrize(
    ("words", "quote"), [("怎么会没有", "没有"), ("今天还行，偶尔没有", "没有"), ("没有才怪", "没有")]
)
def test_half_a_word_is_no_no_in_passing_either(words: str, quote: str) -> None:
    talk = hold(only(FIRST, REST, declare=[WISH]), said(("念头", False, quote)), words=words)
    assert (last(talk, "念头"), running(talk)) == (None, "T")


def test_late_words_are_listened_to_as_well() -> None:
    made = only(FIRST, REST, declare=[SLEEP, WISH])
    talk = hold(
        made, said(), said(("睡眠", "半夜醒", "老是半夜醒")), said(("念头", True, "撑不下去那种")), words="还行"
    )
    talk.say("老是半夜醒", after=1)
    assert last(talk, "睡眠") == "半夜醒"
    talk.say("就是撑不下去那种", after=1)
    assert running(talk) == crisis(made)


@pytest.mark.parametrize(("scope", "heard"), [("session", True), ("phase", True), ("topic", False)])
def test_a_scope_narrows_it_to_where_it_is_asked_for(scope: str, heard: bool) -> None:
    sleep = {**SLEEP, "rules": [{"keywords": {"坏": ["半夜醒"]}}], "listen": {"scope": scope}}
    here, there = topic("甲", FIRST, REST), topic("乙", ask("睡得怎样？", "睡眠"))
    talk = Talk(script(phase("P", here, there), declare=[sleep]))
    talk.say("老是半夜醒")
    assert bool(written(talk, "睡眠")) is heard
