"""json → history → llm → rules → the person's own words: each link; a call of its own is made only where it may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.engine.minds import CALM, Node, ai_ask, asked, get, last, values, written
from tests.engine.scripts import ask, check, only, say

from heartrule.engine.extraction.rescue import HOLD
from heartrule.engine.session.tasks import Answer, Attempt, Task
from heartrule.testing.talk import Talk

AGE = get("年龄", "integer", define="你多大")
JOB = get("职业", define="做什么工作")
REJECTED = Attempt(1, "ok"), Attempt(2, "rejected", code="not_json")


class Broken(Talk):
    """A talk whose model answers ``ai_ask`` and ``ask`` with what cannot be used, as ``attempts`` say."""

    attempts: tuple[Attempt, ...] = REJECTED

    def _answer(self, task: Task) -> Answer:
        answer = super()._answer(task)
        if answer.data is None and task.template in ("ai_ask", "ask"):
            return Answer(task.key, "failed", None, self.attempts)
        return answer


def hold(
    model: Mapping[str, Any], *outputs: Node, attempts: tuple[Attempt, ...] = REJECTED, kind: Any = ai_ask
) -> Broken:
    more = {"question": "说说你自己？", "max_rounds": 6, "literal": True} if kind is ai_ask else {}
    made = type("Made", (Broken,), {"attempts": attempts})
    talk: Broken = made(only(kind("说说你自己？", *outputs, **more), say("完。")), {"risk": CALM, **model})
    return talk


def extracts(talk: Talk) -> list[Task]:
    return [task for task in talk.asked if task.template == "extract"]


def extracted(**found: Any) -> dict[str, Any]:
    return {"values": values(**found)}


def strategy(talk: Talk, name: str) -> str:
    return str(written(talk, name)[-1][1])


# the links


def test_json_comes_first() -> None:
    talk = hold({"ai_ask": asked("好。", exit="YES", values=values(年龄=(35, "35")))}, AGE)
    talk.say("35")
    assert strategy(talk, "年龄") == "json"
    assert extracts(talk) == []


def test_history_is_what_an_earlier_round_found() -> None:
    replies = [asked("多大？", values=values(职业=("教书", "教书"))), None]
    talk = hold({"ai_ask": replies, "extract": extracted(年龄=(35, "三十五"))}, AGE, JOB)
    talk.say("我教书")
    talk.say("三十五")
    assert (last(talk, "年龄"), last(talk, "职业")) == (35, "教书")
    (task,) = extracts(talk)
    assert "职业" not in task.values["outputs"], "what is known is not looked for again"


@pytest.mark.parametrize("kind", [ai_ask, ask])
def test_llm_is_a_call_of_its_own_where_the_answer_could_not_be_used(kind: Any) -> None:
    talk = hold({"extract": extracted(年龄=(35, "三十五"), 职业=("教书", "教书"))}, AGE, JOB, kind=kind)
    talk.say("三十五，教书的")
    check(talk)
    assert written(talk, "年龄") == [(35, "llm", "三十五")]
    assert written(talk, "职业") == [("教书", "llm", "教书")]
    assert talk.ended


@pytest.mark.parametrize(
    ("given", "why"),
    [((35, "没说过"), "no proof"), (("eighty", "三十五"), "not_number"), ((350, "三十五"), "range")],
)
@pytest.mark.parametrize("kind", [ai_ask, ask])
def test_it_is_made_too_where_the_answer_is_good_and_its_value_is_refused(kind: Any, given: Any, why: str) -> None:
    own = {"understood": True, "progress_suggestion": "continue_needed"} | asked("嗯？", values=values(年龄=given))
    model = {kind.__name__: own, "extract": extracted(年龄=(35, "三十五"))}
    talk = hold(model, get("年龄", "integer", define="你多大", range=[1, 120]), kind=kind)
    talk.say("三十五")
    check(talk)
    assert written(talk, "年龄") == [(35, "llm", "三十五")]
    assert [event.reason for event in talk.happened("unwritten")] == [why]
    assert len(extracts(talk)) == 1


def test_only_for_what_was_refused() -> None:
    given = values(年龄=(35, "没说过"), 职业=("教书", "教书"))
    talk = hold({"ai_ask": asked("嗯？", values=given), "extract": extracted(年龄=(35, "三十五"))}, AGE, JOB)
    talk.say("三十五，教书")
    (task,) = extracts(talk)
    assert "职业" not in task.values["outputs"]
    assert (strategy(talk, "年龄"), strategy(talk, "职业")) == ("llm", "json")


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("七八岁吧，说不清", ("七八岁", "七八岁")),
        ("三十五，不，五十三", ([35, 53], "三十五，不，五十三")),
        ("三十五", None),
        ("三十五", (35, "三十五")),
    ],
)
def test_not_for_what_is_vague_or_told_in_two_ways_or_not_given(words: str, given: Any) -> None:
    found = values(年龄=given) if given is not None else {}
    talk = hold({"ai_ask": asked("嗯？", values=found), "extract": extracted(年龄=(35, "三十五"))}, AGE)
    talk.say(words)
    assert extracts(talk) == []


def test_never_about_danger() -> None:
    reply = asked("嗯？", values=values(念头=("也许", "也许")))
    talk = hold({"ai_ask": reply, "extract": extracted(念头=(False, "也许"))}, get("念头", "boolean", risk=True))
    talk.say("也许")
    assert extracts(talk) == []


def test_rules_read_what_that_call_did_not_find() -> None:
    talk = hold({"extract": extracted(职业=("教书", "教书"))}, AGE, JOB)
    talk.say("35，教书")
    assert (last(talk, "年龄"), strategy(talk, "年龄")) == (35, "rules")
    assert strategy(talk, "职业") == "llm"


def test_the_persons_words_are_the_last_of_all() -> None:
    talk = hold({"extract": None}, JOB)
    talk.say("在学校教书")
    assert written(talk, "职业") == [("在学校教书", "fallback", "在学校教书")]
    assert len(extracts(talk)) == 1


def test_words_are_never_a_number() -> None:
    talk = hold({"extract": None}, AGE)
    talk.say("在学校教书")
    assert written(talk, "年龄") == []


# what that call gives is believed no more than any other


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"values": None},
        {"values": 7},
        {"values": []},
        {"values": {"年龄": None}},
        {"values": {"年龄": {"value": 35}}},
        extracted(年龄=(35, "我三十五")),
        extracted(年龄=("很大", "不小了")),
    ],
    ids=str,
)
def test_rubbish_and_what_has_no_proof_count_for_nothing(given: Any) -> None:
    talk = hold({"extract": given}, AGE)
    talk.say("不小了")
    check(talk)
    assert written(talk, "年龄") == []
    assert not talk.ended


def test_a_value_out_of_range_is_asked_for_again() -> None:
    mood = get("心情", "integer", range=[0, 10], define="几分")
    talk = hold({"extract": extracted(心情=(15, "15"))}, mood)
    talk.say("15")
    assert written(talk, "心情") == []
    assert talk.happened("round")[-1].missing == {"心情": "out_of_range"}


def test_of_a_risk_code_may_only_raise() -> None:
    thought = get("念头", "boolean", risk=True, define="有没有")
    talk = hold({"extract": extracted(念头=(False, "有"))}, thought)
    talk.say("有")
    assert last(talk, "念头") is True


# when it is made


DOWN = [
    (Attempt(1, "error", "breaker_open", code="breaker_open"),),
    (Attempt(1, "error", "503", code="server_error:503"),),
    (Attempt(1, "timeout", "budget", code="budget"),),
    (Attempt(1, "rejected", code="not_json"), Attempt(2, "timeout", code="timeout")),
    (Attempt(1, "rejected", code="not_json"), Attempt(2, "error", code="breaker_open")),
    (Attempt(1, "error", "given_up", code="given_up"),),
    (Attempt(1, "rejected", code="check:diagnosis"),),
    (),
]


@pytest.mark.parametrize("attempts", DOWN, ids=lambda each: "+".join(a.code for a in each) or "none")
def test_never_while_the_provider_is_down(attempts: tuple[Attempt, ...]) -> None:
    talk = hold({"extract": extracted(年龄=(1, "35"))}, AGE, attempts=attempts)
    talk.say("35")
    assert extracts(talk) == []
    assert written(talk, "年龄") == [(35, "rules", "35")]


@pytest.mark.parametrize("code", ["not_json", "missing", "cut_off", "language", "too_long"])
def test_whatever_the_last_answer_was_rejected_for(code: str) -> None:
    talk = hold({"extract": extracted(年龄=(35, "35"))}, AGE, attempts=(Attempt(1, "rejected", code=code),))
    talk.say("我35")
    assert strategy(talk, "年龄") == "llm"


def test_never_in_an_ordinary_turn() -> None:
    talk = hold({"ai_ask": asked("多大？"), "extract": extracted(年龄=(1, "冷"))}, AGE)
    talk.say("今天好冷")
    assert extracts(talk) == []


def test_never_in_script_mode() -> None:
    talk = Talk(only(ai_ask("问", AGE, question="多大？")))
    talk.say("不小了")
    assert talk.asked == []


@pytest.mark.parametrize("words", ["再说一遍", "什么意思", "不知道"])
def test_never_for_words_that_answer_nothing(words: str) -> None:
    talk = hold({"extract": extracted(年龄=(1, words))}, AGE)
    talk.say(words)
    assert extracts(talk) == []


def test_never_where_nothing_is_wanted() -> None:
    talk = hold({"extract": extracted()})
    talk.say("今天好冷")
    assert extracts(talk) == []


def test_an_answer_whose_values_are_none_at_all_is_not_used_either() -> None:
    odd = {**asked("多大？"), "values": "35"}
    talk = hold({"ai_ask": odd, "extract": extracted(年龄=(35, "35"))}, AGE)
    talk.say("我35")
    assert strategy(talk, "年龄") == "llm"


def test_it_is_small_and_does_not_wait_long() -> None:
    talk = hold({"extract": extracted(年龄=(35, "35"))}, AGE)
    talk.say("35")
    (task,) = extracts(talk)
    assert (task.kind, task.role, task.seconds) == ("extract", "understand", HOLD)
    assert not task.speaks
    assert list(task.schema["properties"]) == ["values"]
