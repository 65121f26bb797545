"""A correction is heard where a choice, a suggested line or a form waits, and goes to no other answer than it names."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from tests.engine.minds import option, press
from tests.engine.scripts import CALM, Node, ask, check, phase, say, topic
from tests.engine.test_taken_back import UNCLEAR, known, written

from heartrule.testing.talk import Talk, compile_text

AGE = {"var": "年龄", "type": "integer", "range": [1, 120], "define": "来访者的年龄"}
CAUSE = {"var": "起因", "type": "text", "define": "事情的起因"}
FORM: Node = {"form": "小表", "id": "f", "fields": [{"id": "q", "label": "睡得好吗", "type": "text"}]}
PUT = {"type": "show_form", "form": "f"}
PICK = option("选", "先聊聊", "先看看")
WAITING = {"choice": PICK, "press": press("我准备好了"), "form": PUT}


def hold(*actions: Node, model: Any = None, declare: Any = (AGE, CAUSE), **more: Any) -> Talk:
    session = {"session": "谈话", "id": "talk", "declare": list(declare), **more}
    session["phases"] = [phase("P", topic("T", *actions, say("完")))]
    text = yaml.safe_dump({"sessions": [session], "forms": [FORM]}, allow_unicode=True, sort_keys=False)
    return Talk(compile_text(text), model)


def waiting(kind: str, *more: Node, model: Any = None) -> Talk:
    talk = hold(
        ask("多大了？", "年龄"), ask("怎么开始的？", "起因"), *more, say("接下来。"), WAITING[kind], model=model
    )
    talk.say("30")
    talk.say("换了工作")
    return talk


@pytest.mark.parametrize("kind", WAITING)
@pytest.mark.parametrize("words", ["不对，刚才年龄说错了，是 31", "刚才说错了，年龄是31", "更正一下，年龄是31"])
@pytest.mark.parametrize("model", [None, {"risk": CALM}], ids=["no model", "a model that fails"])
def test_it_is_put_right_and_said_back_and_what_waits_stands_again(kind: str, words: str, model: Any) -> None:
    talk = waiting(kind, model=model)
    before = talk.request
    talk.say(words)
    assert talk.said == ["好，改成「31」。\n接下来。"]
    assert talk.request == before
    assert known(talk) == {"年龄": 31, "起因": "换了工作"}
    assert written(talk, "年龄")[-1].strategy == "correction"
    check(talk)


@pytest.mark.parametrize("kind", WAITING)
def test_what_cannot_be_read_is_told(kind: str) -> None:
    talk = waiting(kind)
    talk.say("刚才说错了")
    assert UNCLEAR in talk.said[0]
    assert talk.request.kind == kind
    assert known(talk) == {"年龄": 30, "起因": "换了工作"}


def test_the_newest_answer_where_nothing_is_named() -> None:
    talk = waiting("choice")
    talk.say("说错了，是搬了家")
    assert talk.said[0].startswith("好，改成「搬了家」。")
    assert known(talk) == {"年龄": 30, "起因": "搬了家"}


def test_words_that_pick_something_pick_it() -> None:
    talk = waiting("choice")
    talk.say("不对，先聊聊")
    assert talk.ended
    assert known(talk)["选"]


@pytest.mark.parametrize("words", ["不对", "不对劲", "都不对"])
def test_a_mere_no_is_no_correction(words: str) -> None:
    talk = waiting("choice")
    talk.say(words)
    assert UNCLEAR not in talk.said[0]
    assert known(talk) == {"年龄": 30, "起因": "换了工作"}


def test_what_is_put_again_holds_the_new_value() -> None:
    talk = hold(ask("怎么开始的？", "起因"), say("起因是「{起因}」，3 月的事，对吗？"), option("核对", "对", "重说"))
    talk.say("换了工作")
    talk.say("刚才说错了，起因是搬了家")
    assert talk.said == ["好，改成「搬了家」。\n起因是「搬了家」，3 月的事，对吗？"]


def test_a_number_is_put_right_as_a_number_only() -> None:
    talk = hold(ask("多大了？", "年龄"), say("{年龄} 岁，说过 30 分的 130 路，对吗？"), option("核对", "对", "重说"))
    talk.say("30")
    talk.say("刚才说错了，年龄是31")
    assert talk.said[0].endswith("31 岁，说过 31 分的 130 路，对吗？")


def test_a_choice_about_danger_takes_whatever_is_said() -> None:
    talk = hold(
        ask("多大了？", "年龄"),
        say("有没有想过死？"),
        {
            "type": "user_option",
            "var": "念头",
            "choices": [{"value": True, "label": "有"}, {"value": False, "label": "没"}],
        },
        declare=[AGE, {"var": "念头", "type": "boolean", "risk": True}],
    )
    talk.say("30")
    talk.say("刚才说错了，年龄是31")
    assert known(talk)["年龄"] == 30


def test_what_a_model_has_put_right_is_said_back() -> None:
    model: dict[str, Any] = {"risk": CALM}
    talk = waiting("choice", model=model)
    model["perceive"] = {"holds": [], "values": [{"name": "年龄", "value": 31, "evidence": "应该31"}]}
    talk.say("呀，我好像少说了一岁，应该31")
    assert talk.said == ["好，改成「31」。\n接下来。"]
    assert known(talk)["年龄"] == 31


def test_in_english() -> None:
    age = {"var": "age", "type": "integer", "define": "how old the client is"}
    talk = hold(ask("How old are you?", "age"), say("Now."), option("pick", "Talk", "Look"), declare=[age], locale="en")
    talk.say("30")
    talk.say("sorry, correction: my age is 31")
    assert talk.said == ["All right, I have changed it to “31”.\nNow."]
    assert known(talk) == {"age": 31}


# lists and objects


FAMILY = {"var": "家人", "type": "list", "define": "家里有谁"}


@pytest.mark.parametrize(
    "words",
    ["刚才家人说错了，是爸爸和外婆", "不对，刚才说的家里有谁不对，是外婆", "前面说错了，不是妈妈，是外婆"],
)
@pytest.mark.parametrize("between", [0, 4], ids=["lately", "long ago"])
def test_what_is_said_of_a_list_goes_to_no_other_answer(words: str, between: int) -> None:
    more = [ask(f"{name}呢？", name) for name in "甲乙丙丁"[:between]]
    declared = [FAMILY, CAUSE, *({"var": name, "type": "text", "define": name} for name in "甲乙丙丁")]
    talk = hold(ask("家里有谁？", "家人"), ask("怎么开始的？", "起因"), *more, ask("还有？", "还有"), declare=declared)
    talk.say("爸爸、妈妈")
    talk.say("换了工作")
    for _ in more:
        talk.say("说不上来的事")
    before = known(talk)
    talk.say(words)
    assert UNCLEAR in talk.said[0]
    assert known(talk) == before
