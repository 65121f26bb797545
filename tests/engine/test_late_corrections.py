"""Words sent to an answered question before the next one was seen, which put that answer right."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, Node
from tests.engine.scripts import ask, check, only, say
from tests.engine.test_taken_back import known, written

from heartrule.testing.talk import Talk

AGE: Node = {"var": "年龄", "type": "integer", "range": [1, 120]}
YES: Node = {"var": "吃药", "type": "boolean"}
SEX: Node = {"var": "性别", "type": "enum", "options": ["男", "女"]}
NAME: Node = {"var": "称呼", "type": "text"}
DAY: Node = {"var": "哪天", "type": "date"}
NEXT = "睡几小时？"


def told(first: str, late: str, declared: Node, model: Any = None, question: str = "请问？") -> Talk:
    """The first answer, and then words of whoever has not seen the next question yet."""
    actions = [ask(question, declared["var"]), ask(NEXT, "睡"), say("完")]
    talk = Talk(only(*actions, declare=[declared, {"var": "睡", "type": "number"}]), model)
    seen = talk.state.messages
    talk.say(first)
    assert talk.said[-1].endswith(NEXT)
    talk.say(late, after=seen)
    check(talk)
    assert not written(talk, "睡")
    return talk


CORRECTED = [
    *[
        (AGE, "30", words, 31)
        for words in ("不对，是31", "31", "是31岁", "我说错了，31", "应该是31", "啊不，31岁", "actually 31")
    ],
    (YES, "有", "不对，没有", False),
    (YES, "有", "打错了，没有", False),
    (YES, "没有", "有的", True),
    (SEX, "男", "错了，女", "女"),
    (SEX, "男", "女", "女"),
    (NAME, "小林", "打错了，是小琳", "小琳"),
    (DAY, "昨天", "不对，是前天", "2024-04-29"),
]


@pytest.mark.parametrize(("declared", "first", "late", "value"), CORRECTED)
def test_the_later_one_counts_and_is_said_back(declared: Node, first: str, late: str, value: Any) -> None:
    talk = told(first, late, declared)
    if declared is not DAY:
        assert known(talk)[declared["var"]] == value
    (_, last) = written(talk, declared["var"])
    assert last.strategy in ("correction", "rules")
    assert last.evidence in late
    assert last.old is not None
    assert last.old != last.value
    (said,) = talk.said
    assert said.startswith("好，改成「")
    assert said.endswith(NEXT)
    assert [event.outcome for event in talk.happened("late")] == ["corrected"]


@pytest.mark.parametrize(
    ("declared", "first", "late", "value"),
    [
        (NAME, "很难受", "头也疼", "很难受\n头也疼"),
        (NAME, "很难受", "其实是因为我爸", "很难受\n其实是因为我爸"),
        (NAME, "很难受", "不对，我妈也在", "很难受\n不对，我妈也在"),
        (YES, "没有", "嗯", False),
        (YES, "没有", "好的", False),
        (YES, "有", "不是\n第二个", True),
        (AGE, "30", "30", 30),
        (AGE, "30", "睡7小时", 30),
        (AGE, "30", "住在3楼", 30),
    ],
)
def test_what_adds_or_says_nothing_new_changes_nothing(declared: Node, first: str, late: str, value: Any) -> None:
    talk = told(first, late, declared)
    assert known(talk)[declared["var"]] == value
    assert talk.said == []
    assert all(event.strategy != "correction" for event in written(talk, declared["var"]))


@pytest.mark.parametrize("late", ["我说错了", "打错了，是很多", "我说错了，七八十"])
def test_what_is_taken_back_without_another_value_is_said(late: str) -> None:
    talk = told("30", late, AGE)
    assert known(talk)["年龄"] == 30
    assert "没听明白" in talk.said[0]
    assert talk.said[0].endswith(NEXT)


def test_where_two_things_were_told_the_named_one_is_put_right() -> None:
    declared = [AGE, {"var": "身高", "type": "integer"}, {"var": "睡", "type": "number"}]
    rules = [{"pattern": "(?P<value>[0-9]+)厘米"}]
    declared[1] |= {"rules": rules}
    talk = Talk(only(ask("几岁，多高？", "年龄", "身高"), ask(NEXT, "睡"), declare=declared))
    seen = talk.state.messages
    talk.say("30岁")
    talk.say("170厘米")
    talk.say("不对，年龄是31", after=seen)
    assert (known(talk)["年龄"], known(talk)["身高"]) == (31, 170)


def model(value: Any, evidence: str) -> Any:
    def mind(task: Any) -> Any:
        if task.template == "risk":
            return CALM
        if task.template != "ask":
            return {}
        late = "年龄" in task.schema["properties"]["values"]["properties"] and task.key.endswith("late")
        given = {"value": value, "evidence": evidence} if late else {"value": 30, "evidence": "30"}
        names = task.schema["properties"]["values"]["properties"]
        return {"understood": True, "values": dict.fromkeys(names, given), "content": ""}

    return mind


@pytest.mark.parametrize(("value", "evidence"), [(31, "不对，是31"), (31, "没说过")])
def test_with_a_model_the_correction_stands_too(value: int, evidence: str) -> None:
    """Also where what it gives was said by nobody."""
    talk = Talk(
        only(ask("几岁？", "年龄"), ask(NEXT, "睡"), declare=[AGE, {"var": "睡", "type": "number"}]),
        model(value, evidence),
    )
    seen = talk.state.messages
    talk.say("30")
    talk.say("不对，是31", after=seen)
    assert known(talk)["年龄"] == 31
    assert talk.said[0].startswith("好，改成「31」")


def test_of_danger_nothing_is_taken_back_by_late_words() -> None:
    danger = {"var": "想死", "type": "boolean", "risk": True}
    talk = Talk(
        only(
            ask("有过不想活的念头吗？", "想死"),
            ask("还有呢？", "还有"),
            declare=[danger, {"var": "还有", "type": "text"}],
        )
    )
    seen = talk.state.messages
    talk.say("没有")
    talk.say("不对，有", after=seen)
    assert known(talk)["想死"] is True
    assert [frame.ref for frame in talk.state.suspended]
