"""``when_known: confirm``: what was told already is confirmed shortly; a correction counts, a no lets it be asked."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, Node, ai_ask, asked, get, last, spoken, values, written
from tests.engine.scripts import ask, check, only, put, say

from heartrule.testing.talk import Talk

NAME = get("称呼")
AGE = get("年龄", "integer", define="你多大")
SLEEP = get("失眠", "boolean", define="最近是否失眠")
EARLIER = {"称呼": ask("怎么称呼？", NAME), "年龄": ask("多大了？", AGE), "失眠": ask("睡不着吗？", SLEEP)}
TOLD = {"称呼": "小禾", "年龄": "35", "失眠": "有"}
DECLARED = [{"var": name, "type": kind} for name, kind in (("称呼", "text"), ("年龄", "integer"), ("失眠", "boolean"))]


def hold(*outputs: Node, told: tuple[str, ...] = (), model: Any = None, **more: Any) -> Talk:
    """Each of ``told`` was answered before the action that confirms is reached. Without a model up to there."""
    action = ai_ask("再问一遍", *outputs, when_known="confirm", id="again", **{"question": "说说看？", **more})
    begun = [EARLIER[name] for name in told]
    talk = Talk(only(*begun, action, say("完。"), declare=DECLARED), model)
    for name in told:
        talk.say(TOLD[name])
        check(talk)
    return talk


def tasks(talk: Talk, template: str) -> list[Any]:
    return [task for task in talk.asked if task.template == template]


# script mode


def test_what_was_told_is_confirmed_in_the_schemes_words() -> None:
    talk = hold(NAME, told=("称呼",))
    assert "称呼" in talk.said[-1]
    assert "小禾" in talk.said[-1]
    assert talk.said[-1].endswith(("？", "?"))
    assert "说说看" not in talk.said[-1]


@pytest.mark.parametrize("words", ["是的", "对", "嗯", "没错", "对，小禾", "小禾", "叫小禾就对了"])
def test_a_yes_ends_it_and_writes_nothing(words: str) -> None:
    talk = hold(NAME, told=("称呼",))
    before = written(talk, "称呼")
    talk.say(words)
    check(talk)
    assert talk.ended
    assert last(talk, "称呼") == "小禾"
    assert written(talk, "称呼") == before
    (marker,) = [each for each in talk.happened("marker") if each.edge == "after" and each.action == "again"]
    assert marker.outcome == "known"
    assert [each.decision_source for each in talk.happened("exit") if each.action == "again"] == ["exit_criteria"]


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("不是，小林", "小林"),
        ("小林", "小林"),
        ("不对，叫我阿林吧", "叫我阿林吧"),
        ("对，不过现在叫小林", "不过现在叫小林"),
    ],
)
def test_a_correction_is_taken_for_the_answer(words: str, value: str) -> None:
    talk = hold(NAME, told=("称呼",))
    talk.say(words)
    check(talk)
    assert talk.ended
    assert last(talk, "称呼") == value


@pytest.mark.parametrize(("words", "value"), [("36了", 36), ("不是，36", 36), ("35", 35), ("是的，35", 35)])
def test_a_typed_value_is_read_from_the_correction(words: str, value: int) -> None:
    talk = hold(AGE, told=("年龄",))
    assert "35" in talk.said[-1]
    talk.say(words)
    assert talk.ended
    assert last(talk, "年龄") == value


@pytest.mark.parametrize("words", ["不是", "不对", "没有"])
def test_a_no_without_a_value_lets_it_be_asked_as_usual(words: str) -> None:
    talk = hold(NAME, told=("称呼",))
    talk.say(words)
    check(talk)
    assert talk.said[-1].endswith("说说看？")
    assert talk.value("称呼") is None
    talk.say("小林")
    assert talk.ended
    assert last(talk, "称呼") == "小林"


def test_the_round_of_confirming_is_none_of_the_actions_own() -> None:
    talk = hold(AGE, told=("年龄",), max_rounds=1)
    talk.say("不是")
    assert not talk.ended
    talk.say("36")
    assert (talk.ended, last(talk, "年龄")) == (True, 36)


def test_a_boolean_is_confirmed_and_its_no_is_asked_about() -> None:
    talk = hold(SLEEP, told=("失眠",))
    talk.say("是的")
    assert (talk.ended, last(talk, "失眠")) == (True, True)
    talk = hold(SLEEP, told=("失眠",))
    talk.say("不是")
    assert (talk.ended, talk.value("失眠")) == (False, None)
    talk.say("没有")
    assert (talk.ended, last(talk, "失眠")) == (True, False)


@pytest.mark.parametrize("words", ["什么意思", "再说一遍"])
def test_a_repair_puts_the_confirmation_again(words: str) -> None:
    talk = hold(NAME, told=("称呼",))
    question = talk.said[-1].split("\n")[-1]
    talk.say(words)
    assert talk.said[-1].split("\n")[-1] == question
    talk.say("对")
    assert talk.ended


def test_who_would_rather_not_say_is_left_with_what_is_known() -> None:
    talk = hold(NAME, told=("称呼",))
    talk.say("不想说")
    assert talk.ended
    assert talk.value("称呼") == "小禾" or last(talk, "称呼") == "小禾"


def test_an_unclear_reply_is_asked_about_and_ends_some_day() -> None:
    talk = hold(NAME, AGE, told=("称呼", "年龄"))
    for _ in range(8):
        if talk.ended:
            break
        talk.say("今天天气很好啊")
        check(talk)
    assert talk.ended
    assert (last(talk, "称呼"), last(talk, "年龄")) == ("小禾", 35)


# several


def test_several_are_confirmed_in_one_question() -> None:
    talk = hold(NAME, AGE, told=("称呼", "年龄"))
    assert "小禾" in talk.said[-1]
    assert "35" in talk.said[-1]
    talk.say("都对")
    assert last(talk, "年龄") == 35


def test_only_what_is_missing_is_asked_and_what_is_known_mentioned() -> None:
    talk = hold(NAME, AGE, told=("称呼",))
    mentioned, question = talk.said[-1].split("\n")[-2:]
    assert "小禾" in mentioned
    assert "你多大" in question
    talk.say("35")
    check(talk)
    assert talk.ended
    assert (last(talk, "称呼"), last(talk, "年龄")) == ("小禾", 35)


def test_what_is_mentioned_is_never_asked_for_again() -> None:
    talk = hold(NAME, AGE, told=("称呼",))
    for _ in range(6):
        if not talk.ended:
            talk.say("哈哈")
            assert "称呼" not in talk.said[-1]
    assert last(talk, "称呼") == "小禾"


# what is not known in this sense


def test_what_nobody_has_told_is_asked() -> None:
    talk = hold(NAME)
    assert talk.said[-1] == "说说看？"


def test_what_the_script_has_set_was_told_by_nobody() -> None:
    action = ai_ask("问", NAME, when_known="confirm", question="怎么称呼？")
    talk = Talk(only(put("称呼", "朋友"), action, declare=DECLARED))
    assert talk.said[-1] == "怎么称呼？"


def test_a_variable_marked_risk_is_asked_in_any_case() -> None:
    thought = get("念头", "boolean", risk=True, define="有没有念头")
    action = ai_ask("问", thought, when_known="confirm", question="有没有？")
    talk = Talk(only(ask("有没有？", thought), say("好。"), action))
    talk.say("没有")
    assert talk.said[-1] == "有没有？"


def test_english_has_its_words() -> None:
    name = get("name")
    script = only(
        ask("What shall I call you?", name),
        ai_ask("ask again", name, when_known="confirm", question="Your name?"),
        locale="en",
        declare=[{"var": "name"}],
    )
    talk = Talk(script)
    talk.say("Robin")
    assert "Robin" in talk.said[-1]
    assert "name" in talk.said[-1]
    talk.say("yes")
    assert talk.ended


# with a model


def answered(**found: Any) -> dict[str, Any]:
    return {"understood": True, "values": values(**found), "progress_suggestion": "completed", "content": ""}


def with_model(*replies: Any, outputs: tuple[Node, ...] = (NAME,), **more: Any) -> Talk:
    model = {"risk": CALM, "ask": answered(称呼=("小禾", "小禾")), "ai_ask": list(replies), **more}
    return hold(*outputs, told=("称呼",), model=model)


def test_no_call_is_made_to_confirm() -> None:
    talk = with_model(asked("好。", exit="YES"))
    assert tasks(talk, "ai_ask_open") == []
    assert "小禾" in talk.said[-1]
    assert len(tasks(talk, "ai_ask")) == 0


def test_a_yes_to_the_model_is_one_call_and_its_words() -> None:
    talk = with_model(asked("好的，小禾。", exit="YES"))
    talk.say("嗯，就这么叫")
    assert talk.ended
    assert len(tasks(talk, "ai_ask")) == 1
    assert "好的，小禾。" in talk.said[0]
    assert last(talk, "称呼") == "小禾"


def test_the_model_is_shown_what_is_to_be_confirmed() -> None:
    talk = with_model(asked("好。", exit="YES"))
    talk.say("对")
    (task,) = tasks(talk, "ai_ask")
    assert "小禾" in task.values["known"]


def test_a_correction_through_the_model() -> None:
    talk = with_model(asked("好，小林。", exit="YES", values=values(称呼=("小林", "叫我小林"))))
    talk.say("还是叫我小林吧")
    assert talk.ended
    assert written(talk, "称呼")[-1][:2] == ("小林", "json")


def test_the_same_value_offered_again_is_a_yes() -> None:
    talk = with_model(asked("好。", exit="YES", values=values(称呼=("小禾", "小禾"))))
    before = len(written(talk, "称呼"))
    talk.say("是小禾")
    assert talk.ended
    assert len(written(talk, "称呼")) == before


def test_a_value_without_proof_corrects_nothing() -> None:
    talk = with_model(asked("好。", exit="YES", values=values(称呼=("大林", "叫我大林"))))
    talk.say("对的")
    assert last(talk, "称呼") == "小禾"


def test_a_no_is_followed_by_the_models_question() -> None:
    talk = with_model(asked("那我怎么叫你好？"), asked("好，小林。", exit="YES", values=values(称呼=("小林", "小林"))))
    talk.say("不是")
    assert talk.said[-1] == "那我怎么叫你好？"
    assert talk.value("称呼") is None
    talk.say("小林")
    assert (talk.ended, last(talk, "称呼")) == (True, "小林")


def test_a_model_that_fails_leaves_the_reading_to_rules() -> None:
    talk = with_model(None)
    talk.say("对")
    assert (talk.ended, last(talk, "称呼")) == (True, "小禾")
    talk = with_model(None)
    talk.say("不是，小林")
    assert (talk.ended, last(talk, "称呼")) == (True, "小林")


def test_partly_known_the_model_opens_and_sees_what_is_known() -> None:
    model = {"risk": CALM, "ask": answered(称呼=("小禾", "小禾")), "ai_ask_open": {"content": "小禾，你多大？"}}
    model |= {"ai_ask": asked("谢谢。", exit="YES", values=values(年龄=(35, "35")))}
    talk = Talk(only(EARLIER["称呼"], ai_ask("问年龄", NAME, AGE, when_known="confirm"), declare=DECLARED), model)
    talk.say("小禾")
    assert talk.said[-1].endswith("小禾，你多大？")
    (task,) = tasks(talk, "ai_ask_open")
    assert "小禾" in task.values["known"]
    talk.say("35")
    assert (talk.ended, last(talk, "年龄")) == (True, 35)


def test_the_words_stay_when_an_interruption_comes_back() -> None:
    talk = hold(NAME, told=("称呼",))
    assert spoken(talk, "confirm_known")
    assert talk.state.running is not None
    assert talk.state.running.action is not None
    assert talk.state.running.action.memory["question"] == talk.said[-1].split("\n")[-1]


@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"EXIT": 5, "content": ["嗯"], "values": []},
        {"EXIT": "NO", "content": None, "values": {"称呼": None}},
        {"EXIT": "NO", "content": "嗯。", "values": {"称呼": {"value": {"a": 1}, "evidence": "随便"}}},
        {"EXIT": "YES", "content": "？", "values": {"称呼": {"value": "", "evidence": ""}}},
        {"EXIT": "NO", "content": "怎么叫你？", "values": {"别的": {"value": 1, "evidence": "随便"}}},
    ],
    ids=str,
)
def test_whatever_a_model_answers_there_is_a_way_on(reply: Any) -> None:
    talk = with_model(reply)
    for _ in range(9):
        if not talk.ended:
            talk.say("随便吧")
            check(talk)
    assert talk.ended
    assert last(talk, "称呼") in ("小禾", None, "随便吧")
