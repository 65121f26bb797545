"""Variables marked ``risk``: a yes, or an answer that stays unclear, calls the crisis technique; then the question is
closed, whatever came of it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import (
    CALM,
    INTENT,
    Node,
    ai_ask,
    asked,
    get,
    last,
    option,
    out,
    replied,
    running,
    tasks,
    think,
    values,
    written,
)
from tests.engine.scripts import ask, check, faults, only, put, say

from heartrule.testing.talk import Talk

QUESTION = "有没有伤害自己的念头？"
HARM = get("念头", "boolean", risk=True, define="有没有伤害自己的念头")
SCORE = get("第九题", "integer", risk=True, range=[0, 3])
AFTER = ask("睡得好吗？", "睡眠", id="after")


def with_ask(output: Node = HARM, **more: Any) -> Node:
    return ask(QUESTION, output, id="harm", **more)


def with_ai_ask(output: Node = HARM, **more: Any) -> Node:
    return ai_ask("直接而温和地问有没有伤害自己的念头", output, id="harm", question=QUESTION, **more)


BOTH = pytest.mark.parametrize("action", [with_ask, with_ai_ask], ids=["ask", "ai_ask"])


def hold(action: Node, model: Any = None) -> Talk:
    return Talk(only(action, AFTER), model)


def leave(talk: Talk) -> None:
    """Through the crisis technique."""
    assert running(talk) == "crisis_support"
    for _ in range(8):
        if running(talk) != "crisis_support":
            return
        out(talk) if talk.request.kind == "choice" else talk.say("没有")
    raise AssertionError("no way out")


@BOTH
@pytest.mark.parametrize("words", ["没有", "没有，从来没有过"])
def test_a_plain_no_goes_on(action: Any, words: str) -> None:
    talk = hold(action())
    talk.say(words)
    assert last(talk, "念头") is False
    assert talk.at == "after"


@BOTH
@pytest.mark.parametrize(
    "words", ["有", "是的", "不知道", "说不清", "看情况吧", "不想说", "跳过", "停", "别问了", "嗯……", "昨天下雨"]
)
def test_a_yes_or_an_unclear_answer_or_a_refusal_calls_the_technique(action: Any, words: str) -> None:
    talk = hold(action())
    talk.say(words)
    assert running(talk) == "crisis_support"
    assert talk.request.kind == "message"
    assert QUESTION not in "".join(talk.said), "the technique speaks first and alone"
    check(talk)


@BOTH
@pytest.mark.parametrize("words", ["什么意思", "再说一遍", "为什么问这个"])
def test_asking_what_it_means_is_no_answer_yet(action: Any, words: str) -> None:
    talk = hold(action())
    talk.say(words)
    assert talk.at == "harm"
    assert talk.said[-1].endswith(QUESTION)
    talk.say("没有")
    assert talk.at == "after"


@BOTH
def test_asking_it_to_the_end_is_unclear(action: Any) -> None:
    talk = hold(action())
    for _ in range(6):
        if running(talk) == "crisis_support":
            break
        assert talk.at == "harm"
        talk.say("什么意思")
    leave(talk)
    assert talk.at == "after"


@BOTH
@pytest.mark.parametrize("words", ["有", "不知道", "不想说"])
def test_then_the_question_is_closed_and_never_loops(action: Any, words: str) -> None:
    talk = hold(action())
    talk.say(words)
    leave(talk)
    assert talk.at == "after"
    assert faults(talk) == []
    talk.say("还行")
    assert talk.ended
    assert [event.ref for event in talk.happened("topic") if event.state == "running"].count(
        "safety/crisis_support"
    ) == 1


@BOTH
def test_an_unclear_one_leaves_the_topic_unfinished(action: Any) -> None:
    talk = hold(action())
    talk.say("看情况吧")
    leave(talk)
    talk.say("还行")
    (done,) = [event for event in talk.happened("topic") if event.state == "completed" and event.ref == "T"]
    assert done.unfinished
    assert last(talk, "念头") is None


@BOTH
@pytest.mark.parametrize(("words", "calls"), [("0", False), ("1", True), ("3", True), ("不好说", True), ("9", True)])
def test_a_score_above_nothing_is_a_yes(action: Any, words: str, calls: bool) -> None:
    talk = hold(action(SCORE))
    talk.say(words)
    assert (running(talk) == "crisis_support") == calls


@pytest.mark.parametrize(("value", "calls"), [(True, True), (False, False)])
def test_a_picked_option_counts_too(value: bool, calls: bool) -> None:
    choices = [{"value": value, "label": "这一个"}, {"value": not value, "label": "另一个"}]
    declared = [{"var": "念头", "type": "boolean", "risk": True}]
    talk = Talk(only(say(QUESTION), option("念头", choices=choices), AFTER, declare=declared))
    talk.say("这一个")
    assert last(talk, "念头") is value
    assert (running(talk) == "crisis_support") == calls
    if calls:
        leave(talk)
    assert talk.at == "after"


def test_a_score_picked_from_a_list_counts_too() -> None:
    choices = [{"value": n, "label": label} for n, label in enumerate(["完全没有", "有几天", "几乎每天"])]
    declared = [{"var": "第九题", "type": "integer", "risk": True}]
    for value, calls in (("0", False), ("1", True), ("2", True)):
        talk = Talk(only(say(QUESTION), option("第九题", choices=choices), AFTER, declare=declared))
        talk.choose(value)
        assert (running(talk) == "crisis_support") == calls


DECLARED = [{"var": "念头", "type": "boolean", "risk": True}, {"var": "分", "type": "integer"}]


@pytest.mark.parametrize(("score", "calls"), [("2", True), ("0", False)])
def test_a_yes_that_the_script_works_out_counts_too(score: str, calls: bool) -> None:
    worked_out = put("念头", expr="分 > 0")
    talk = Talk(only(ask("几分？", "分"), worked_out, worked_out, AFTER, declare=DECLARED))
    talk.say(score)
    assert last(talk, "念头") is calls
    if calls:
        leave(talk)
    assert talk.at == "after", "a yes that stays is not a new one"
    assert faults(talk) == []
    check(talk)


@pytest.mark.parametrize(("value", "calls"), [(True, True), (False, False), ("也许", False)])
def test_a_yes_that_the_model_works_out_counts_too(value: Any, calls: bool) -> None:
    thought = {"ai_think": {"values": {"念头": value}}, "risk": CALM, "ask": replied()}
    talk = Talk(only(ask("怎么样？"), think("有没有念头", "念头"), AFTER, declare=DECLARED), thought)
    talk.say("还行")
    assert (running(talk) == "crisis_support") == calls
    if calls:
        leave(talk)
    assert talk.at == "after"


def test_a_yes_before_anything_was_said_counts_too() -> None:
    talk = Talk(only(put("念头", True), AFTER, declare=DECLARED))
    leave(talk)
    assert talk.at == "after"


# several outputs: what was not asked cannot be unclear


def test_an_answer_about_something_else_is_no_alarm() -> None:
    talk = hold(ai_ask("问", get("心情"), HARM, question="心情怎么样？", id="both", literal=True, max_rounds=5))
    talk.say("还行")
    assert talk.at == "both"
    assert "伤害自己的念头" in talk.said[-1]
    talk.say("说不清")
    assert running(talk) == "crisis_support"


def test_a_no_about_something_else_is_no_all_clear() -> None:
    talk = hold(ai_ask("问", get("失眠", "boolean"), HARM, question="失眠吗？", id="both", literal=True, max_rounds=5))
    talk.say("没有")
    assert written(talk, "念头") == []
    talk.say("没有")
    assert last(talk, "念头") is False
    assert talk.at == "after"


@pytest.mark.parametrize("words", ["不想说", "跳过"])
def test_whoever_refuses_before_it_could_be_asked_is_not_passed_over(words: str) -> None:
    talk = hold(ai_ask("问", get("心情"), HARM, question="心情怎么样？", id="both", literal=True))
    talk.say(words)
    assert running(talk) == "crisis_support"


# with a model


def found(value: Any, quote: str, **more: Any) -> Node:
    return asked("谢谢你告诉我。", "YES", values=values(念头=(value, quote)), **more)


def told(value: Any, quote: str) -> Node:
    return replied(values=values(念头=(value, quote)))


@BOTH
@pytest.mark.parametrize(("value", "words", "calls"), [(False, "没有的", False), (True, "偶尔会有", True)])
def test_what_the_model_found_counts(action: Any, value: bool, words: str, calls: bool) -> None:
    talk = hold(action(), {"risk": CALM, "ai_ask": found(value, words), "ask": told(value, words)})
    talk.say(words)
    assert last(talk, "念头") is value
    assert (running(talk) == "crisis_support") == calls


@BOTH
def test_a_no_that_was_never_said_is_none(action: Any) -> None:
    """The model's quote is not in the words: nothing was found, and that is unclear."""
    talk = hold(action(), {"risk": CALM, "ai_ask": found(False, "没有念头"), "ask": told(False, "没有念头")})
    talk.say("今天天气不错")
    assert written(talk, "念头") == []
    assert running(talk) == "crisis_support"


@BOTH
def test_what_the_model_leaves_empty_is_unclear(action: Any) -> None:
    talk = hold(action(), {"risk": CALM, "ai_ask": asked("再说说看？"), "ask": replied(False, "再说说看？")})
    talk.say("怎么说呢，就那样")
    assert running(talk) == "crisis_support"
    assert "再说说看？" not in talk.said


@BOTH
def test_a_refusal_asks_no_model_to_weigh_it(action: Any) -> None:
    talk = hold(action(), {"risk": CALM, "ai_ask": asked(), "ask": replied()})
    talk.say("不想说")
    assert tasks(talk, "ai_ask") == tasks(talk, "ask") == []
    assert running(talk) == "crisis_support"


@BOTH
@pytest.mark.parametrize(("words", "calls"), [("没有", False), ("有", True), ("说不好", True)])
def test_a_model_that_fails_leaves_it_to_the_reader(action: Any, words: str, calls: bool) -> None:
    talk = hold(action(), {"risk": CALM})
    talk.say(words)
    assert (running(talk) == "crisis_support") == calls


def test_with_several_outputs_only_what_stays_unset_at_the_end_is_unclear() -> None:
    """The model asks one after the other in its own words; the first answer cannot be about everything."""
    rounds = [
        asked("那有没有伤害自己的念头呢？", values=values(心情=("还行", "还行"))),
        asked("好。", "YES", values=values(念头=(False, "没有"))),
    ]
    action = ai_ask("问", get("心情"), HARM, question="心情怎么样？", id="both", literal=True)
    talk = hold(action, {"risk": CALM, "ai_ask": rounds})
    talk.say("还行")
    assert talk.said == ["那有没有伤害自己的念头呢？"]
    talk.say("没有")
    assert talk.at == "after"
    other = hold(action, {"risk": CALM, "ai_ask": [rounds[0], asked("嗯？")]})
    other.say("还行")
    other.say("反正就那样")
    assert running(other) == "crisis_support", "it was the only thing left to ask about"


def test_where_nobody_can_say_what_the_model_asked_about_the_end_decides() -> None:
    action = ai_ask(
        "问", get("心情"), get("睡眠"), HARM, question="心情怎么样？", id="three", literal=True, max_rounds=3
    )
    talk = hold(action, {"risk": CALM, "ai_ask": asked("再多说一点？")})
    for words in ("还行", "就那样吧", "反正就那样"):
        assert running(talk) == "T"
        talk.say(words)
    assert running(talk) == "crisis_support"
    leave(talk)
    assert talk.at == "after"


# beside the rules


@BOTH
def test_words_of_intent_are_the_rules_matter(action: Any) -> None:
    talk = hold(action())
    talk.say(INTENT["zh"])
    assert running(talk) == "crisis_support"
    assert last(talk, "念头") is True, "they are the answer"
    leave(talk)
    assert talk.at == "after", "and the question is not put again"


@BOTH
def test_within_the_crisis_technique_nothing_calls_it_again(action: Any) -> None:
    talk = hold(action())
    talk.say("有")
    first = talk.state.running
    assert first is not None
    talk.say("有")
    assert talk.state.running is not None
    assert talk.state.running.key == first.key


def test_a_risk_variable_that_is_known_is_not_asked_about() -> None:
    talk = Talk(only(put("念头", False), with_ai_ask(when_known="skip"), AFTER))
    assert talk.at == "after"


# what a model takes for a no


HALF = ["怎么会没有", "没有才怪", "不是没有", "没有一天没有", "说没有你信吗", "没有，就是偶尔会", "没有，昨晚那次不算"]


def saying(**found: Any) -> Any:
    said = values(**found)
    return {"risk": CALM, "ask": replied(values=said), "ai_ask": asked("好。", "YES", values=said)}


@BOTH
@pytest.mark.parametrize("words", HALF)
def test_a_model_clears_nothing_by_half_a_word(action: Any, words: str) -> None:
    talk = hold(action(), saying(念头=(False, "没有")))
    talk.say(words)
    assert running(talk) == "crisis_support"
    assert last(talk, "念头") is None
    leave(talk)


@BOTH
@pytest.mark.parametrize(
    ("words", "quote"), [("偶尔吧", "偶尔吧"), ("苹果", "苹果"), ("怎么会没有", "怎么会没有"), ("以前有过", "以前有过")]
)
def test_nor_by_the_whole_of_what_is_no_denial(action: Any, words: str, quote: str) -> None:
    talk = hold(action(), saying(念头=(False, quote)))
    talk.say(words)
    assert running(talk) == "crisis_support"


@BOTH
@pytest.mark.parametrize(
    ("words", "quote"),
    [
        ("没有", "没有"),
        ("没有，就是太累了", "没有"),
        ("从没动过那个心思", "从没动过那个心思"),
        ("没有过，谢谢关心", "没有过"),
        ("从来没有，一次都没有", "从来没有"),
    ],
)
def test_a_model_may_clear_by_what_is_plainly_a_no(action: Any, words: str, quote: str) -> None:
    talk = hold(action(), saying(念头=(False, quote)))
    talk.say(words)
    assert last(talk, "念头") is False
    assert talk.at == "after"


@BOTH
def test_a_score_of_nothing_is_proved_like_a_no(action: Any) -> None:
    talk = hold(action(SCORE), saying(第九题=(0, "没有")))
    talk.say("没有才怪")
    assert running(talk) == "crisis_support"
