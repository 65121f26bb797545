"""``when_known: confirm``: what was told already is confirmed shortly; a no lets it be asked, a model may read more."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, Node, ai_ask, asked, get, last, spoken, values, written
from tests.engine.scripts import ask, check, only, put, say
from tests.table import tabled

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


@pytest.mark.parametrize("words", ["是的", "对", "嗯", "没错", "对，小禾", "小禾"])
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


@pytest.mark.parametrize("words", ["小林", "还是叫我小林吧", "对，不过现在叫小林", "改成小林", "是的，现在感觉好多了"])
def test_what_only_a_model_could_read_is_asked_plainly(words: str) -> None:
    talk = hold(NAME, told=("称呼",))
    before = written(talk, "称呼")
    talk.say(words)
    check(talk)
    assert "“是”" in talk.said[-1]
    assert "小禾" in talk.said[-1]
    assert written(talk, "称呼") == before
    talk.say("不是")
    talk.say("小林")
    assert (talk.ended, last(talk, "称呼")) == (True, "小林")


@pytest.mark.parametrize(
    ("words", "value"), [("不是，36", 36), ("不对，我36岁了", 36), ("35", 35), ("是的，35岁", 35), ("👍", 35)]
)
def test_a_number_behind_a_no_is_read(words: str, value: int) -> None:
    talk = hold(AGE, told=("年龄",))
    assert "35" in talk.said[-1]
    talk.say(words)
    assert talk.ended
    assert last(talk, "年龄") == value


@pytest.mark.parametrize("words", ["36了", "嗯，昨晚睡了3小时", "对，我有2个孩子", "昨晚睡了3小时", "不是，35"])
def test_a_number_said_in_passing_is_no_correction(words: str) -> None:
    talk = hold(AGE, told=("年龄",))
    talk.say(words)
    check(talk)
    assert (talk.ended, last(talk, "年龄")) == (False, 35)


def test_a_choice_that_is_named_is_taken() -> None:
    mood = get("心情", options=["好", "一般", "差"])
    for words, value in (("一般", "一般"), ("好", "好"), ("不是，差", "差"), ("是的", "好")):
        talk = Talk(only(ask("心情？", mood), ai_ask("问", mood, when_known="confirm", question="？"), say("完。")))
        talk.say("好")
        talk.say(words)
        assert (talk.ended, last(talk, "心情")) == (True, value)


@pytest.mark.parametrize("words", ["不是", "不对", "没有", "不是，小林", "不对，叫我阿林吧", "不是小禾，是小林"])
def test_a_no_lets_it_be_asked_as_usual(words: str) -> None:
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
    assert (talk.ended, talk.value("称呼")) == (False, None)


def test_partly_known_the_model_opens_and_sees_what_is_known() -> None:
    model = {"risk": CALM, "ask": answered(称呼=("小禾", "小禾")), "ai_ask_open": {"content": "小禾，你多大？"}}
    model |= {"ai_ask": asked("谢谢。", exit="YES", values=values(年龄=(35, "35")))}
    talk = Talk(
        only(EARLIER["称呼"], ai_ask("问年龄", NAME, AGE, when_known="confirm", literal=True), declare=DECLARED), model
    )
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
    assert talk.state.running.action.question == talk.said[-1].split("\n")[-1]


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


# a good value gives way only to a plain correction


REMARKS = "谢谢你还记得|我今天很累|怎么了|你不是知道吗|😊|哈哈|嗯……|……|。|你记性真好"


@tabled("words", REMARKS.split("|"))
@tabled(("then", "value"), [("是的", "小禾"), ("😊", "小禾")])
def test_a_remark_leaves_the_value_and_a_plain_yes_or_no_is_asked_for_once(words: str, then: str, value: str) -> None:
    talk = hold(NAME, told=("称呼",))
    before = written(talk, "称呼")
    talk.say(words)
    check(talk)
    assert not talk.ended
    assert "“是”" in talk.said[-1]
    assert "小禾" in talk.said[-1]
    assert written(talk, "称呼") == before
    talk.say(then)
    check(talk)
    assert (talk.ended, last(talk, "称呼")) == (True, value)


SAME = "没变|还是一样|跟之前一样|👍|对的，小禾"


@pytest.mark.parametrize("words", SAME.split("|"))
def test_what_says_that_nothing_changed_is_a_yes(words: str) -> None:
    talk = hold(NAME, told=("称呼",))
    talk.say(words)
    assert (talk.ended, last(talk, "称呼"), len(written(talk, "称呼"))) == (True, "小禾", 1)


HOBBIES = get("爱好", "list")


@pytest.mark.parametrize("words", ["还有唱歌", "是的，还有唱歌", "唱歌"])
def test_of_a_list_nothing_is_added_or_lost_unasked(words: str) -> None:
    talk = Talk(only(ask("爱好？", HOBBIES), ai_ask("问", HOBBIES, when_known="confirm", question="？"), say("完。")))
    talk.say("跑步、画画")
    talk.say(words)
    assert (talk.ended, last(talk, "爱好")) == (False, ["跑步", "画画"])
    talk.say("是的")
    assert (talk.ended, last(talk, "爱好")) == (True, ["跑步", "画画"])


# several: gone through one by one


SLEPT = get("睡", "integer")


def three(words: str) -> Talk:
    again = ai_ask("问", NAME, AGE, SLEPT, when_known="confirm", question="说说看？")
    kinds = [*DECLARED[:2], {"var": "睡", "type": "integer"}]
    talk = Talk(only(EARLIER["称呼"], EARLIER["年龄"], ask("睡几小时？", SLEPT), again, say("完。"), declare=kinds))
    for told in ("小禾", "35", "7", words):
        talk.say(told)
        check(talk)
    return talk


def held(talk: Talk) -> tuple[Any, ...]:
    return tuple(last(talk, name) for name in ("称呼", "年龄", "睡"))


@pytest.mark.parametrize("words", ["都对", "是的", "没变"])
def test_a_yes_is_one_for_all(words: str) -> None:
    talk = three(words)
    assert (held(talk), talk.ended) == (("小禾", 35, 7), True)


@pytest.mark.parametrize("words", ["年龄不对，是31", "名字应该是小林", "31", "年龄没变，睡眠也对", "对，我有2个孩子"])
def test_what_is_neither_is_asked_plainly(words: str) -> None:
    talk = three(words)
    assert (held(talk), talk.ended) == (("小禾", 35, 7), False)
    assert "“是”" in talk.said[-1]


@pytest.mark.parametrize("words", ["不对", "都不对", "不是，年龄是31"])
def test_a_no_puts_each_by_itself_and_asks_for_what_is_wrong(words: str) -> None:
    talk = three(words)
    for known, then in (("小禾", "对"), ("35", "不是"), ("7", "是的")):
        assert known in talk.said[-1]
        assert held(talk) == ("小禾", 35, 7)
        talk.say(then)
        check(talk)
    assert (held(talk), talk.ended) == (("小禾", None, 7), False)
    assert "你多大" in talk.said[-1]
    talk.say("31")
    assert (held(talk), talk.ended) == (("小禾", 31, 7), True)


def test_each_that_is_so_after_all_stays() -> None:
    talk = three("不对")
    for _ in range(3):
        talk.say("对")
    assert (held(talk), talk.ended) == (("小禾", 35, 7), True)


def test_what_was_denied_is_asked_for_though_another_stays_unclear() -> None:
    talk = three("不对")
    for then in ("不是", "哈哈", "哈哈"):
        talk.say(then)
    assert (held(talk), talk.ended) == ((None, 35, 7), False)
    talk.say("小林")
    assert (held(talk), talk.ended) == (("小林", 35, 7), True)


def test_another_value_for_one_of_them_is_taken_at_once() -> None:
    talk = three("不对")
    for then in ("不是", "不是，31"):
        talk.say(then)
        check(talk)
    assert (held(talk), talk.ended) == ((None, 31, 7), False)
    talk.say("小林")
    assert (held(talk), talk.ended) == (("小林", 31, 7), True)


# English


def english(words: str, *, several: bool = False) -> Talk:
    name, age = get("name"), get("age", "integer")
    outputs = [name, age] if several else [name]
    again = ai_ask("ask again", *outputs, when_known="confirm", question="Well?")
    known = [{"var": "name"}, {"var": "age", "type": "integer"}]
    talk = Talk(only(ask("Name?", name), ask("How old?", age), again, say("Done."), locale="en", declare=known))
    for told in ("Robin", "35", words):
        talk.say(told)
    return talk


@pytest.mark.parametrize(
    ("words", "value", "ended"),
    [
        ("still the same", "Robin", True),
        ("yes, I feel better today", "Robin", False),
        ("thanks for remembering", "Robin", False),
        ("I'm so tired today", "Robin", False),
        ("no, it's Alex", None, False),
        ("it should be Alex", "Robin", False),
        ("no", None, False),
    ],
)
def test_english_remarks_and_corrections(words: str, value: str | None, ended: bool) -> None:
    talk = english(words)
    assert (last(talk, "name"), talk.ended) == (value, ended)


def test_english_of_several_each_is_put_by_itself() -> None:
    talk = english("all wrong", several=True)
    assert "Robin" in talk.said[-1]
    assert "35" not in talk.said[-1]
    talk.say("no")
    talk.say("yes")
    assert (last(talk, "name"), last(talk, "age")) == (None, 35)


# what a model offers beside a plain yes


@pytest.mark.parametrize(
    ("words", "offered"),
    [("对", ("小林", "对")), ("嗯", ("嗯", "嗯")), ("对的，小禾", ("小禾禾", "小禾")), ("没变", ("没变", "没变"))],
)
def test_a_plain_yes_wins_over_a_value_that_it_proves(words: str, offered: tuple[str, str]) -> None:
    talk = with_model(asked("好。", exit="YES", values=values(称呼=offered)))
    before = written(talk, "称呼")
    talk.say(words)
    assert (talk.ended, written(talk, "称呼")) == (True, before)


def test_a_yes_with_a_correction_behind_it_is_a_correction() -> None:
    talk = with_model(asked("好，小林。", exit="YES", values=values(称呼=("小林", "叫我小林"))))
    talk.say("是的，不过以后叫我小林")
    assert (talk.ended, last(talk, "称呼")) == (True, "小林")


@pytest.mark.parametrize("then", ["是的", "……"])
def test_a_correction_that_a_second_look_drops_leaves_the_value(then: str) -> None:
    found = asked("好。", exit="YES", values=values(称呼=("小林", "小林才对")))
    dropped = {"verdicts": [{"id": 1, "verdict": "contradicted", "reason": "x"}]}
    first = answered(称呼=("小禾", "小禾"))
    model = {"risk": CALM, "ask": first, "ai_ask": [found, None, None], "verify": dropped}
    talk = hold(NAME, told=("称呼",), model=model, verify="llm")
    before = written(talk, "称呼")
    talk.say("小林才对")
    check(talk)
    assert not talk.ended
    assert "小禾" in talk.said[-1]
    assert talk.value("称呼") == "小禾"
    talk.say(then)
    assert (talk.ended, written(talk, "称呼")) == (True, before)
