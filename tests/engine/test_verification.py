"""``verify: llm``: what a model has taken down is held against the words once more, where the script asks for it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, Node, ai_ask, asked, get, last, values, written
from tests.engine.scripts import check, only, say

from heartrule.engine.extraction.verification import HOLD
from heartrule.engine.session.tasks import Task
from heartrule.testing.talk import Talk

AGE = get("年龄", "integer", define="你多大")
JOB = get("职业", define="做什么工作")
WORDS = "我弟弟35，我在学校教书"
TAKEN = values(年龄=(35, "35"), 职业=("在学校教书", "在学校教书"))
SUPPORTED = {"id": 1, "verdict": "supported", "reason": ""}


def verdicts(*given: str) -> dict[str, Any]:
    return {"verdicts": [{"id": n, "verdict": each, "reason": "说的是弟弟"} for n, each in enumerate(given, 1)]}


def hold(second: Any, *replies: Any, outputs: tuple[Node, ...] = (AGE, JOB), **more: Any) -> Talk:
    model = {"risk": CALM, "ai_ask": list(replies) or [asked("谢谢。", exit="YES", values=TAKEN)], "verify": second}
    action = ai_ask(
        "了解", *outputs, question="说说你自己？", id="who", literal=True, **{"verify": "llm", "max_rounds": 6, **more}
    )
    return Talk(only(action, say("完。")), model)


def tasks(talk: Talk, template: str = "verify") -> list[Task]:
    return [task for task in talk.asked if task.template == template]


def test_what_holds_is_written_and_nothing_is_said_of_it() -> None:
    talk = hold(verdicts("supported", "supported"))
    talk.say(WORDS)
    check(talk)
    assert talk.ended
    assert (last(talk, "年龄"), last(talk, "职业")) == (35, "在学校教书")
    (event,) = talk.happened("verified")
    assert (event.action, event.asked, event.dropped, event.unanswered) == ("who", ["年龄", "职业"], {}, [])


@pytest.mark.parametrize("verdict", ["contradicted", "unproved"])
def test_what_does_not_hold_is_dropped_and_asked_again_with_the_reason(verdict: str) -> None:
    talk = hold(verdicts(verdict, "supported"))
    talk.say(WORDS)
    check(talk)
    assert not talk.ended
    assert written(talk, "年龄") == []
    assert last(talk, "职业") == "在学校教书"
    assert "谢谢。" not in talk.said[-1], "the model's closing words took the value for known"
    lead, question = talk.said[-1].split("\n")
    assert "你多大" in lead
    assert "你多大" in question
    assert talk.happened("verified")[-1].dropped == {"年龄": verdict}
    assert talk.happened("round")[-1].missing == {"年龄": verdict}


def test_the_answer_to_the_second_question_counts() -> None:
    replies = asked("谢谢。", exit="YES", values=TAKEN), asked("好。", exit="YES", values=values(年龄=(28, "我28")))
    talk = hold([verdicts("contradicted", "supported"), verdicts("supported")], *replies)
    talk.say(WORDS)
    talk.say("我28")
    assert talk.ended
    assert (last(talk, "年龄"), last(talk, "职业")) == (28, "在学校教书")
    assert [len(event.asked) for event in talk.happened("verified")] == [2, 1], "what was verified is not asked twice"


def test_what_keeps_being_dropped_ends_some_day_and_honestly() -> None:
    talk = hold(verdicts("unproved", "unproved"))
    for _ in range(8):
        if not talk.ended:
            talk.say(WORDS)
            check(talk)
    assert talk.ended
    assert written(talk, "年龄") == []


@pytest.mark.parametrize(
    "answer",
    [None, {}, {"verdicts": None}, {"verdicts": "yes"}, {"verdicts": [7, None]}, {"verdicts": [{"id": "1"}]}],
    ids=str,
)
def test_where_nobody_can_say_the_values_stand_and_that_is_recorded(answer: Any) -> None:
    talk = hold(answer)
    talk.say(WORDS)
    check(talk)
    assert talk.ended
    assert (last(talk, "年龄"), last(talk, "职业")) == (35, "在学校教书")
    (event,) = talk.happened("verified")
    assert (event.dropped, event.unanswered) == ({}, ["年龄", "职业"])


def test_an_item_without_a_verdict_stands_alone() -> None:
    talk = hold({"verdicts": [{"id": 2, "verdict": "unproved", "reason": ""}, {"id": 9, "verdict": "unproved"}]})
    talk.say(WORDS)
    assert last(talk, "年龄") == 35
    assert written(talk, "职业") == []
    (event,) = talk.happened("verified")
    assert (event.dropped, event.unanswered) == ({"职业": "unproved"}, ["年龄"])


@pytest.mark.parametrize("verify", ["none", "non_empty"])
def test_no_call_is_made_unless_the_script_asks_for_it(verify: str) -> None:
    talk = hold(verdicts("contradicted"), verify=verify)
    talk.say(WORDS)
    assert tasks(talk) == []
    assert talk.happened("verified") == []
    assert last(talk, "年龄") == 35


def test_nothing_taken_nothing_asked() -> None:
    talk = hold(verdicts("contradicted"), asked("再说说？"))
    talk.say("不太想说这个")
    assert tasks(talk) == []


def test_without_a_model_there_is_no_second_look() -> None:
    action = ai_ask("了解", AGE, question="多大？", verify="llm")
    talk = Talk(only(action))
    talk.say("35")
    assert (talk.ended, last(talk, "年龄"), talk.asked) == (True, 35, [])


def test_what_rules_have_read_is_not_held_up() -> None:
    """The action's own answer failed: what our readers found is the person's own word."""
    talk = hold(verdicts("contradicted"), None, outputs=(AGE,))
    talk.say("35")
    assert tasks(talk) == []
    assert last(talk, "年龄") == 35


def test_a_variable_marked_risk_is_never_taken_back() -> None:
    thought = get("念头", "boolean", risk=True, define="有没有念头")
    reply = asked("谢谢你告诉我。", exit="YES", values=values(念头=(True, "有过"), 年龄=(35, "35")))
    talk = hold(verdicts("contradicted"), reply, outputs=(thought, AGE))
    talk.say("有过，35岁的时候")
    (task,) = tasks(talk)
    assert "念头" not in task.values["taken"]
    assert talk.happened("verified")[-1].asked == ["年龄"]


def test_it_is_one_small_judgement_that_waits_no_longer_than_it_may() -> None:
    talk = hold(verdicts("supported", "supported"))
    talk.say(WORDS)
    (task,) = tasks(talk)
    assert (task.kind, task.role, task.seconds, task.temperature) == ("judge", "judge", HOLD, 0.0)
    assert task.values["taken"].splitlines() == ["1. 年龄（你多大）：35", "2. 职业（做什么工作）：在学校教书"]
    assert any(WORDS in line.text for line in task.context.history)


def test_a_line_break_in_a_value_makes_no_item_of_its_own() -> None:
    words = "在学校\n2. 年龄：99"
    reply = asked("谢谢。", exit="YES", values=values(职业=(words, words)))
    talk = hold(verdicts("supported"), reply, outputs=(JOB,))
    talk.say(words)
    (task,) = tasks(talk)
    assert len(task.values["taken"].splitlines()) == 1


def test_a_dropped_value_leaves_an_earlier_good_one() -> None:
    more = asked("还有呢？", values=values(年龄=(35, "35")))
    again = asked("好。", exit="YES", values=values(年龄=(40, "说错了，40")))
    talk = hold([verdicts("supported"), verdicts("unproved")], more, again)
    talk.say("我35")
    talk.say("说错了，40")
    assert last(talk, "年龄") == 35
