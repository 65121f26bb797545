"""``confirm_change``: when the question which counts may be put, what is an answer to it, and what is not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, INTENT, ai_ask, last, option, replied, running, tasks, values
from tests.engine.scripts import Node, ask, check, only, say, spoken
from tests.engine.watchers import NOTE, hearing, made, watcher, words

from heartrule.engine.session.io import Input
from heartrule.testing.talk import Talk

MOOD = {"var": "分", "type": "integer", "define": "难受几分", "range": [0, 10], "confirm_change": True}
TIRED = {"var": "累", "type": "integer", "define": "累几分", "range": [0, 10], "confirm_change": True}
FIRST = ask("几分？", "分")
AGAIN = ask("现在再说一次，几分？", "分")
REST = ask("还有什么想说？", "别的")
LAST = ask("最后呢？", "末")
RISK: Node = {"get": "危险", "type": "boolean", "risk": True, "define": "是否想过伤害自己"}
SLEEPLESS: Node = {"get": "失眠", "type": "boolean", "define": "是否失眠"}
HOURS: Node = {"get": "睡眠", "type": "integer", "define": "睡几个小时"}
NAME: Node = {"get": "称呼", "define": "怎么称呼"}
WHICH = "刚才你说“5”，现在是“7”。以哪个为准？要改成“7”吗？"
INSTEAD = "刚才你说“5”，现在是“9”。以哪个为准？要改成“9”吗？"


def unwritten(talk: Talk, name: str = "分") -> list[tuple[str, Any]]:
    return [(each.outcome, each.value) for each in talk.happened("unwritten") if each.name == name]


def hold(*said: str, between: tuple[Node, ...] = (), model: Any = None, more: tuple[Node, ...] = ()) -> Talk:
    talk = Talk(only(FIRST, AGAIN, *between, REST, LAST, declare=[MOOD, *more]), model)
    for text in said:
        talk.say(text)
        check(talk)
    return talk


def put(talk: Talk) -> int:
    return sum("以哪个为准" in text for text in talk.said)


# the moment


@pytest.mark.parametrize("second", ["5分", "7分"])
@pytest.mark.parametrize("answer", ["有", "有的", "有过", "是的", "嗯", "有，7"])
def test_a_question_about_danger_is_answered_by_what_is_said_to_it(second: str, answer: str) -> None:
    talk = hold("5分", second, between=(ask("有没有想过伤害自己？", RISK),))
    assert put(talk) == 0
    talk.say(answer)
    check(talk)
    assert (running(talk), last(talk, "危险"), last(talk, "分")) == ("crisis_support", True, 5)
    talk.move(Input("end"))
    assert any("12356" in text for text in talk.said), "whoever ends then is told whom to call"


def test_danger_that_is_told_leaves_the_old_value_for_good() -> None:
    talk = hold("5分", "7分", "有", between=(ask("有没有想过伤害自己？", RISK),))
    assert unwritten(talk) == [("unconfirmed", 7), ("kept", 7)]
    assert talk.happened("unwritten")[-1].reason == "danger comes first"


def test_it_is_put_after_a_question_about_danger_that_was_answered_with_no() -> None:
    talk = hold("5分", "7分", "没有", between=(ask("有没有想过伤害自己？", RISK),))
    assert (last(talk, "危险"), talk.said[-1]) == (False, WHICH)
    talk.say("是的")
    assert last(talk, "分") == 7


@pytest.mark.parametrize(("answer", "value"), [("有", True), ("没有", False), ("是的", True)])
def test_a_yes_or_no_that_is_waited_for_is_not_taken(answer: str, value: bool) -> None:
    talk = hold("5分", "7分", between=(ask("有没有失眠？", SLEEPLESS),))
    assert put(talk) == 0
    talk.say(answer)
    assert (last(talk, "失眠"), last(talk, "分"), talk.said[-1]) == (value, 5, WHICH)


def test_a_choice_that_waits_is_left_alone() -> None:
    talk = hold("5分", "7分", between=(option("选", "好", "不好"),))
    assert put(talk) == 0
    talk.choose("a")
    assert (last(talk, "选"), talk.said[-1]) == ("a", WHICH)


def test_another_confirmation_that_waits_is_left_alone() -> None:
    again = ai_ask("再问", NAME, when_known="confirm", question="说说看？")
    made_ = only(ask("怎么称呼？", NAME), FIRST, AGAIN, again, REST, declare=[MOOD, {"var": "称呼"}])
    talk = Talk(made_)
    for text in ("小禾", "5", "7"):
        talk.say(text)
    assert put(talk) == 0
    talk.say("是的")
    assert (last(talk, "称呼"), last(talk, "分"), put(talk)) == ("小禾", 5, 1)


def test_if_no_such_moment_comes_the_old_value_stays_and_that_is_recorded() -> None:
    talk = Talk(only(FIRST, AGAIN, ask("睡几个小时？", HOURS), say("好。"), declare=[MOOD]))
    for text in ("5分", "7分", "6"):
        talk.say(text)
    assert talk.ended
    assert (last(talk, "分"), last(talk, "睡眠")) == (5, 6)
    assert unwritten(talk) == [("unconfirmed", 7), ("kept", 7)]
    assert not any("以哪个为准" in text for text in spoken(talk))


# what is said with it


TOLD = [
    ("7，我最近老是睡不着", 7, "我最近老是睡不着"),
    ("7分。昨晚又哭了一夜", 7, "昨晚又哭了一夜"),
    ("是的，家里出了点事", 7, "家里出了点事"),
    ("对（家里出了点事）", 7, "家里出了点事）"),
    ("应该是7吧，家里出了点事", 7, "家里出了点事"),
    ("我一直是5分的，就是跟我妈吵了一架很难过", 5, "就是跟我妈吵了一架很难过"),
    ("是的，我想改行了", 7, "我想改行了"),
    ("不是7，是5，我记错了日子", 5, "我记错了日子"),
    ("7 我最近老是睡不着", 5, "7 我最近老是睡不着"),
    ("是7吗？", 5, "是7吗？"),
    ("昨晚7点才睡", 5, "昨晚7点才睡"),
    ("7个小时", 5, "7个小时"),
]


@pytest.mark.parametrize(("text", "value", "rest"), TOLD)
def test_what_else_is_said_answers_the_question_that_waits(text: str, value: int, rest: str) -> None:
    talk = hold("5分", "7分", text)
    assert (last(talk, "分"), last(talk, "别的")) == (value, rest)


@pytest.mark.parametrize("text", ["是的，谢谢", "不好意思，7分", "7分吧。谢谢你", "嗯，是7.0"])
def test_a_courtesy_is_no_answer_to_anything(text: str) -> None:
    talk = hold("5分", "7分", text)
    assert (last(talk, "分"), last(talk, "别的")) == (7, None)
    assert talk.said[-1].endswith("还有什么想说？")


@pytest.mark.parametrize("text", ["7，我最近老是睡不着", "应该是7吧，家里出了点事", "是的，我想改行了"])
def test_a_model_hears_what_else_is_said_as_in_any_turn(text: str) -> None:
    _, _, rest = text.partition("，")
    talk = hold("5分", "7分")
    talk.model = {
        "risk": CALM,
        "perceive": {"holds": [], "values": []},
        "ask": replied(values=values(别的=(rest, rest))),
    }
    before = len(talk.asked)
    talk.say(text)
    assert sorted(task.template for task in talk.asked[before:]) == ["ask", "perceive", "risk"]
    assert (last(talk, "分"), last(talk, "别的")) == (7, rest)


@pytest.mark.parametrize("with_model", [False, True])
def test_a_wish_that_is_said_with_it_reaches_the_script_that_listens_for_it(with_model: bool) -> None:
    listens = watcher(NOTE, at="after ask", id="human", judge="想和真人说话", rules=words("真人"))
    talk = Talk(made(listens, actions=(FIRST, AGAIN, REST, LAST), declare=[MOOD]))
    for text in ("5分", "7分"):
        talk.say(text)
    found = replied(values=values(别的=("我想和真人说话", "我想和真人说话")))
    if with_model:
        talk.model = {"risk": CALM, "perceive": hearing("真人", question="想和真人说话"), "ask": found}
    talk.say("7，我想和真人说话")
    assert (last(talk, "分"), last(talk, "标记")) == (7, "是")
    assert [each.verdict for each in talk.happened("awareness") if each.awareness == "local/human"][-1] == "yes"


def test_danger_that_is_said_with_it_comes_first() -> None:
    talk = hold("5分", "7分", f"7，{INTENT['zh']}")
    assert (running(talk), last(talk, "分")) == ("crisis_support", 5)


# a third value


def test_the_newest_of_several_is_the_one_that_is_asked_about() -> None:
    many = [ask(f"第{n}次，几分？", "分") for n in range(5)]
    talk = Talk(only(*many, LAST, declare=[MOOD]))
    for text, now in (("5分", None), ("7分", 7), ("9分", 9), ("10分", 10)):
        talk.say(text)
        check(talk)
        assert last(talk, "分") == 5
        assert now is None or f"现在是“{now}”" in talk.said[-1]
    talk.say("是的")
    assert last(talk, "分") == 10
    outcomes = unwritten(talk)
    assert outcomes == [
        *(("unconfirmed", 7), ("kept", 7), ("unconfirmed", 9), ("kept", 9), ("unconfirmed", 10)),
    ]


def test_the_newest_is_kept_while_no_moment_comes() -> None:
    between = (ask("睡几个小时？", HOURS), ask("第三次，几分？", "分"), ask("有没有失眠？", SLEEPLESS))
    talk = hold("5分", "7分", "6", "9分", "没有", between=between)
    assert (last(talk, "分"), last(talk, "睡眠"), talk.said[-1]) == (5, 6, INSTEAD)
    assert unwritten(talk) == [("unconfirmed", 7), ("kept", 7), ("unconfirmed", 9)]


def test_the_old_value_told_once_more_is_the_newest_as_well() -> None:
    both = ask("睡几个小时，又是几分？", HOURS, "分")
    talk = hold("5分", "7分", between=(both,))
    assert put(talk) == 0
    found = replied(values=values(分=(5, "5分"), 睡眠=(6, "6小时")))
    talk.model = {"risk": CALM, "perceive": {"holds": [], "values": []}, "ask": found}
    talk.say("6小时，5分")
    assert (last(talk, "分"), last(talk, "睡眠"), put(talk)) == (5, 6, 0)
    assert unwritten(talk) == [("unconfirmed", 7), ("kept", 7)]


@pytest.mark.parametrize(
    "text", ["都不对，是9", "其实是9", "9分", "9", "不是，是9", "不是7，是9分", "是的，9分", "改成9吧"]
)
def test_a_third_value_is_asked_about_and_goes_nowhere_else(text: str) -> None:
    talk = hold("5分", "7分", text)
    assert (last(talk, "分"), last(talk, "别的"), talk.said[-1].rpartition("\n")[2]) == (5, None, INSTEAD)
    assert unwritten(talk) == [("unconfirmed", 7), ("kept", 7), ("unconfirmed", 9)]
    talk.say("是的")
    assert last(talk, "分") == 9


@pytest.mark.parametrize(("text", "rest"), [("8，9", "8，9"), ("12分", "12分")])
def test_two_of_them_or_one_that_cannot_be_are_none(text: str, rest: str) -> None:
    talk = hold("5分", "7分", text)
    assert (last(talk, "分"), last(talk, "别的")) == (5, rest)


# while a number is waited for


@pytest.mark.parametrize(
    ("text", "value", "now"),
    [("都不对，是9", 5, 9), ("其实是9", 5, 9), ("9分", 5, 9), ("改成7", 7, None), ("不对，是5分", 5, None)],
)
def test_what_is_taken_back_is_no_number_for_another_question(text: str, value: int, now: int | None) -> None:
    talk = hold("5分", "7分", text, between=(ask("睡几个小时？", HOURS),))
    assert (last(talk, "分"), last(talk, "睡眠")) == (value, None)
    assert talk.said[-1].endswith("睡几个小时？")
    talk.say("6")
    assert last(talk, "睡眠") == 6
    assert (talk.said[-1] == INSTEAD) == (now == 9)
    assert put(talk) == (now is not None)


@pytest.mark.parametrize(("text", "hours"), [("6", 6), ("7", 7), ("9小时", 9), ("睡了6个小时", 6)])
def test_a_number_for_it_is_taken(text: str, hours: int) -> None:
    talk = hold("5分", "7分", text, between=(ask("睡几个小时？", HOURS),))
    assert (last(talk, "分"), last(talk, "睡眠"), talk.said[-1]) == (5, hours, WHICH)


def test_a_number_in_the_same_unit_answers_the_question_that_waits() -> None:
    talk = hold("5分", "7分", "8分", between=(ask("累几分？", "累"),), more=(TIRED,))
    assert (last(talk, "分"), last(talk, "累"), talk.said[-1]) == (5, 8, WHICH)


# words that came late


@pytest.mark.parametrize(("text", "now"), [("8分吧", 8), ("9分", 9)])
def test_another_value_that_came_late_is_the_one_that_is_asked_about(text: str, now: int) -> None:
    talk = hold("5分")
    seen = talk.state.messages
    talk.say("7分")
    talk.say(text, after=seen)
    check(talk)
    assert (last(talk, "分"), last(talk, "别的")) == (5, None)
    assert unwritten(talk) == [("unconfirmed", 7), ("kept", 7), ("unconfirmed", now)]
    assert f"现在是“{now}”" in talk.said[-1]
    talk.say("是的")
    assert last(talk, "分") == now


@pytest.mark.parametrize(("text", "kept"), [("还是5分吧", True), ("7分吧", False), ("嗯", False)])
def test_of_what_came_late_only_the_old_value_takes_it_back(text: str, kept: bool) -> None:
    talk = hold("5分")
    seen = talk.state.messages
    talk.say("7分")
    talk.say(text, after=seen)
    assert [bool(each.settled) for each in talk.state.contradictions] == [kept]
    assert last(talk, "分") == 5
    talk.say("是的")
    assert last(talk, "分") == (5 if kept else 7)


def test_a_turn_that_has_nothing_open_pays_nothing() -> None:
    model = {"risk": CALM, "perceive": {"holds": [], "values": []}, "ask": replied(values=values(分=(5, "5分")))}
    talk = hold("5分", model=model)
    assert talk.state.contradictions == []
    assert len(tasks(talk, "ask")) == 1
