"""What is put to be confirmed and denied in so many words: it is never fallen back to, and not put a second time."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import ai_ask, asked, get, last, replied, tasks, values
from tests.engine.scripts import ask, check, only, phase, say, script, skill, topic
from tests.engine.test_interruptions import PAUSE, watcher
from tests.table import tabled

from heartrule.parsing import confirmations
from heartrule.testing.talk import Talk

CAUSE = get("起因", define="刚开始那阵子生活里的变动")
OLD, TOLD = "挂了一门", "不是那个原因，是跟室友闹翻了。挂科是后来的"
NONE = {"verdicts": [{"id": number, "verdict": "no", "confidence": 0.9} for number in range(1, 9)]}
NEW = "跟室友闹翻了。挂科是后来的"
BARE = "跟室友闹翻了，挂科是后来的"


def hold(*replies: Any, **more: Any) -> Talk:
    action = ai_ask("了解起因", CAUSE, when_known="confirm", id="again", **more)
    model = {"risk": NONE, "ask": replied(values=values(起因=(OLD, OLD)), content=""), "ai_ask": list(replies)}
    begun = ask("怎么了？", CAUSE)
    rest = skill("歇一歇", ask("好些了吗？", id="rested"), id="pause")
    made = script(
        phase("P", topic("T", begun, action, say("完。"))),
        declare=[{"var": "起因"}],
        skills=[rest],
        awareness=[watcher("technique", PAUSE)],
    )
    talk = Talk(made, model if replies else None)
    talk.say(OLD)
    assert OLD in talk.said[-1]
    return talk


def test_what_is_denied_by_pointing_at_it_is_asked_for_where_no_model_reads_it() -> None:
    talk = hold()
    talk.say(TOLD)
    check(talk)
    assert (talk.ended, talk.value("起因")) == (False, None)
    assert OLD not in talk.said[-1]
    talk.say(NEW)
    assert (talk.ended, last(talk, "起因")) == (True, NEW)


def test_a_bare_value_that_stands_in_the_words_corrects_whatever_its_punctuation() -> None:
    talk = hold(asked("好。闹翻那次，发生了什么？", values=values(起因=BARE)))
    talk.say(TOLD)
    check(talk)
    assert (talk.ended, last(talk, "起因")) == (False, BARE)
    assert talk.said[-1].endswith("发生了什么？")


@tabled("found", [{}, values(起因=("编的", "没有这句话")), values(起因=None)])
def test_what_was_denied_never_comes_back(found: Any) -> None:
    talk = hold(asked("好。闹翻那次，发生了什么？", values=found))
    talk.say(TOLD)
    check(talk)
    assert (talk.ended, talk.value("起因")) == (False, None)
    assert OLD not in talk.said[-1]
    (task,) = tasks(talk, "ai_ask")
    assert OLD in task.values["known"]
    talk.say("就是吵了一架")
    assert OLD not in tasks(talk, "ai_ask")[-1].values["known"]


def test_a_value_without_proof_brings_the_call_that_extracts() -> None:
    talk = hold(asked("好。闹翻那次，发生了什么？", values=values(起因=("编的", "没有这句话"))))
    assert talk.model is not None
    talk.say(TOLD)
    assert len(tasks(talk, "extract")) == 1


def test_a_denied_number_out_of_range_is_asked_for_and_not_put_again() -> None:
    age = get("年龄", "integer", range=[1, 120])
    talk = Talk(only(ask("多大？", age), ai_ask("问", age, when_known="confirm", question="你多大？"), say("完。")))
    talk.say("35")
    talk.say("不是，300")
    check(talk)
    assert (talk.ended, talk.value("年龄")) == (False, None)
    assert "35" not in talk.said[-1]
    talk.say("30")
    assert (talk.ended, last(talk, "年龄")) == (True, 30)


# an interruption between


@pytest.mark.parametrize("reply", [values(起因=BARE), {}])
def test_what_comes_back_after_an_interruption_is_the_last_question_and_not_what_was_denied(reply: Any) -> None:
    talk = hold(asked("闹翻那次，发生了什么？", values=reply))
    talk.say(TOLD)
    talk.say("请让我喘口气")
    assert talk.at == "rested"
    talk.say("好些了")
    assert talk.at == "again"
    assert talk.said[-1].endswith("闹翻那次，发生了什么？")
    assert OLD not in "".join(talk.said)


def test_the_prompt_is_told_no_confirmation_for_the_first_question() -> None:
    talk = hold(asked("闹翻那次，发生了什么？", values=values(起因=BARE)), question="起因是什么？")
    talk.say(TOLD)
    talk.say("吵架")
    assert tasks(talk, "ai_ask")[-1].values["question"] == "起因是什么？"


# the words


NAMES = [*confirmations.names_of("起因", "刚开始那阵子生活里的变动"), *confirmations.names_of("cause")]
THAT = (
    "不是那个原因|不是这个原因|不是因为这个|不是因为那件事|那不是起因|也不是那个|不是这件事|并不是那样的|应该不是这个吧|不是那回事"
    "|不是由于那个|那个不对|起因不是那个|那个不是原因|其实不是那个|it wasn't that|it's not that|that wasn't it"
    "|that's not the cause|that isn't the reason|not because of that|that's not it|it was not that|that was not the one"
)
ELSE = (
    "不是我的错|不是不想说|不是你想的那样简单|不是那个意思|那个人不是我朋友|不是说这个不重要|我不是这样的人|跟这个没关系|不想说这个"
    "|不是一两句说得清|原因不止一个|那个原因之一吧|错过了车|他变了|不是只有那个|不是全部原因"
    "|not really sure|it isn't easy|that's not fair|it was not my fault"
    "|not only that|it wasn't just that|that is not all|I changed jobs|no idea"
)


@tabled(
    ("clause", "denied"), [*((each, True) for each in THAT.split("|")), *((each, False) for each in ELSE.split("|"))]
)
def test_a_clause_that_only_says_that_it_is_not_that(clause: str, denied: bool) -> None:
    assert confirmations.denies_that(clause, NAMES) is denied
