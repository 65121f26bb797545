"""Without a model, a correction of what was said before puts that right and is no answer to the question that waits."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.scripts import Node, ask, check, only, say

from heartrule.testing.talk import Talk

SCORE = {"type": "integer", "range": [0, 10]}
UNCLEAR = "没听明白"


def guided(question: str, *gets: str | Node, **more: Any) -> Node:
    output = [{"get": get} if isinstance(get, str) else get for get in gets]
    return {"type": "ai_ask", "content": "问", "question": question, "output": output, **more}


def written(talk: Talk, name: str) -> Any:
    return [event for event in talk.happened("variable") if event.name == name]


def known(talk: Talk) -> dict[str, Any]:
    return {event.name: event.value for event in talk.happened("variable")}


def since() -> Talk:
    actions = [
        guided("这样子，有多久了？", "多久了"),
        guided("刚开始那阵子，生活里有没有什么变动？", "起因"),
        guided("心情几分？", {"get": "心情评分", **SCORE}),
        guided("最低的时候到过几分？", {"get": "最低心情", **SCORE}),
        ask("还有呢？", "还有"),
    ]
    declared: list[Node] = [{"var": name, "type": "text"} for name in ("多久了", "起因", "还有")]
    declared += [{"var": name, **SCORE} for name in ("心情评分", "最低心情")]
    return Talk(only(*actions, declare=declared))


PUT_RIGHT = ["不对，刚才说错了，是三个月", "说错了，是三个月", "不对，是三个月", "不对，三个月"]


@pytest.mark.parametrize("words", [*PUT_RIGHT, "我刚才说的不是一个月，是三个月"])
def test_the_last_answer_is_put_right_and_nothing_is_stored_under_the_question(words: str) -> None:
    talk = since()
    talk.say("一个月")
    before = known(talk)
    talk.say(words)
    assert talk.said == ["好，改成「三个月」。\n刚开始那阵子，生活里有没有什么变动？"]
    assert known(talk) == before | {"多久了": "三个月"}
    last = written(talk, "多久了")[-1]
    assert (last.old, last.value, last.strategy) == ("一个月", "三个月", "correction")
    assert last.evidence in words
    assert not written(talk, "起因")
    check(talk)
    talk.say("换了工作")
    assert known(talk)["起因"] == "换了工作"
    assert known(talk)["多久了"] == "三个月"


def test_two_in_a_row_are_both_about_the_same_answer() -> None:
    talk = since()
    talk.say("一个月")
    talk.say("说错了，是三个月")
    talk.say("不对，刚才说错了，是四个月")
    assert known(talk) == {"多久了": "四个月"}
    assert [event.value for event in written(talk, "多久了")] == ["一个月", "三个月", "四个月"]


def test_what_is_named_is_put_right_also_where_a_number_is_waited_for() -> None:
    talk = since()
    for words in ("一个月", "没有", "3"):
        talk.say(words)
    talk.say("啊不对，刚才心情应该是5")
    assert talk.said == ["好，改成「5」。\n最低的时候到过几分？"]
    assert known(talk) == {"多久了": "一个月", "起因": "没有", "心情评分": 5}
    talk.say("刚才说错了，多久了那里是三个月")
    assert known(talk)["多久了"] == "三个月"
    talk.say("2")
    talk.say("更正一下，最低心情是1")
    assert (known(talk)["最低心情"], known(talk)["心情评分"]) == (1, 5)


@pytest.mark.parametrize("words", ["刚才说错了", "不对，刚才的工资是三千", "说错了，我妈来了", "口误，"])
def test_what_cannot_be_read_is_stored_nowhere_and_told(words: str) -> None:
    talk = since()
    talk.say("一个月")
    for _ in range(2):
        talk.say(words)
        assert UNCLEAR in talk.said[0]
        assert talk.said[0].endswith("\n刚开始那阵子，生活里有没有什么变动？")
        assert known(talk) == {"多久了": "一个月"}
        assert talk.happened("variable")[-1].name == "多久了"
    check(talk)


@pytest.mark.parametrize(
    ("words", "name", "value"),
    [
        ("刚才心情说错了，应该是5分", "心情评分", 5),
        ("我刚才说心情是3，其实是5", "心情评分", 5),
        ("不对，刚才说的是5", "心情评分", 5),
    ],
)
def test_it_is_the_newest_answer_or_the_one_that_is_named(words: str, name: str, value: Any) -> None:
    talk = since()
    for each in ("一个月", "没有", "3"):
        talk.say(each)
    before = known(talk)
    talk.say(words)
    assert known(talk) == before | {name: value}


@pytest.mark.parametrize(
    "words",
    [
        "刚才说错了，三个月",
        "不对，刚才是我妈打来的电话",
        "刚才的事应该是我不好",
        "刚才说的时间不对，是三个月",
        "刚刚说的一个月不对，应该是三个月",
        "前面说错了，不是一个月，是三个月",
        "刚才那个分数说错了，不是11，是9",
    ],
)
def test_what_fits_no_earlier_answer_overwrites_none(words: str) -> None:
    talk = since()
    for each in ("一个月", "没有", "3"):
        talk.say(each)
    before = known(talk)
    talk.say(words)
    assert UNCLEAR in talk.said[0]
    assert known(talk) == before


def test_a_number_out_of_range_or_none_puts_nothing_right() -> None:
    talk = since()
    for words in ("一个月", "没有", "3"):
        talk.say(words)
    for words in ("刚才心情应该是17", "说错了，是很低", "刚才说错了，是17"):
        talk.say(words)
        assert UNCLEAR in talk.said[0], words
    assert known(talk) == {"多久了": "一个月", "起因": "没有", "心情评分": 3}


@pytest.mark.parametrize("words", ["不对称的感觉", "不是我的错", "不对劲，心里慌", "不对，我不该那样", "不对"])
def test_an_answer_that_begins_so_is_an_answer(words: str) -> None:
    talk = since()
    talk.say("一个月")
    talk.say(words)
    assert known(talk) == {"多久了": "一个月", "起因": words}


def test_the_first_words_of_all_have_nothing_to_put_right() -> None:
    talk = since()
    talk.say("刚才说错了，是三个月")
    assert UNCLEAR in talk.said[0]
    assert known(talk) == {}


def test_what_the_waiting_question_asks_for_by_name_is_no_other() -> None:
    talk = since()
    for words in ("一个月", "没有", "3"):
        talk.say(words)
    before = known(talk)
    talk.say("不对，刚才的最低心情是2")
    assert known(talk) in (before, before | {"最低心情": 2})
    assert UNCLEAR not in talk.said[0]


def test_an_answer_that_was_out_of_range_is_mended_by_the_next() -> None:
    talk = since()
    for words in ("一个月", "没有", "17"):
        talk.say(words)
    talk.say("说错了，是7")
    assert known(talk)["心情评分"] == 7


def test_a_label_a_form_and_a_check_have_their_own_way() -> None:
    choices = {"type": "user_option", "var": "x", "choices": [{"value": "A", "label": "说错了，是三个月"}]}
    talk = Talk(only(ask("多久了？", "多久了"), choices, ask("还有？", "还有")))
    talk.say("一个月")
    talk.say("说错了，是三个月")
    assert known(talk) == {"多久了": "一个月", "x": "A"}
    talk = Talk(only(ask("多久了？", "多久了"), ask("我说得对吗？", "核对"), say("完")))
    talk.say("一个月")
    talk.say("不对，是三个月")
    assert [event.value for event in written(talk, "核对")] == ["不对，是三个月"]
    assert len(written(talk, "多久了")) == 1


def test_two_outputs_of_one_question_keep_what_was_put_right() -> None:
    first, second = {"get": "甲", "define": "早上"}, {"get": "乙", "define": "晚上"}
    talk = Talk(only(ask("早上怎么样？晚上呢？", first, second), ask("还有？", "还有")))
    talk.say("困")
    talk.say("刚才说错了，是累")
    talk.say("还行")
    assert known(talk) == {"甲": "累", "乙": "还行"}


def test_a_change_that_is_otherwise_asked_about_is_made_at_once() -> None:
    declared = [{"var": "心情", **SCORE, "confirm_change": True}]
    talk = Talk(only(ask("心情几分？", "心情"), ask("还有？", "还有"), declare=declared))
    talk.say("3")
    talk.say("刚才说错了，是5")
    assert talk.said == ["好，改成「5」。\n还有？"]
    assert known(talk) == {"心情": 5}


def test_danger_is_told_by_a_correction_as_by_an_answer() -> None:
    declared = [{"var": "念头", "type": "boolean", "risk": True}]
    actions = (ask("有没有想过死？", "念头"), ask("还有？", "还有"))
    talk = Talk(only(*actions, declare=declared))
    talk.say("没有")
    talk.say("刚才说错了，有")
    assert written(talk, "念头")[-1].value is True
    assert talk.state.running is not None
    assert talk.state.running.project == "safety"
    assert not written(talk, "还有")


def test_a_question_about_danger_takes_whatever_is_said() -> None:
    declared = [{"var": "念头", "type": "boolean", "risk": True}]
    talk = Talk(only(ask("多久了？", "多久了"), ask("有没有想过死？", "念头"), say("完"), declare=declared))
    talk.say("一个月")
    talk.say("刚才说错了，有")
    assert len(written(talk, "多久了")) == 1


def test_where_any_reply_will_do_it_is_put_right_and_gone_on_from() -> None:
    told = {"type": "ai_say", "content": "事情、想法、心情，是三样东西。"}
    talk = Talk(only(ask("多久了？", "多久了"), told, ask("今天怎么样？", "x")))
    talk.say("一个月")
    talk.say("说错了，是三个月")
    assert talk.said[0] == "好，改成「三个月」。"
    assert talk.said[-1] == "今天怎么样？"
    assert known(talk) == {"多久了": "三个月"}


def test_a_name_is_put_right_as_names_are_told() -> None:
    name = {"var": "称呼", "type": "text", "define": "怎样称呼", "rules": [{"pattern": "叫我(.+)"}]}
    talk = Talk(only(ask("怎么称呼你？", "称呼"), ask("为什么来？", "来意"), ask("还有？", "还有"), declare=[name]))
    for words in ("小林", "睡不着"):
        talk.say(words)
    talk.say("不对，刚才称呼说错了，叫我小李")
    assert talk.said == ["好，改成「小李」。\n还有？"]
    assert known(talk) == {"称呼": "小李", "来意": "睡不着"}


@pytest.mark.parametrize(
    "words",
    ["不对，我叫小明", "名字打错了，是小明", "称呼写错了，应该是小明", "不对，叫我小明"],
)
def test_a_name_is_put_right_in_the_words_that_tell_one(words: str) -> None:
    rules = [{"pattern": "(?:叫我|我叫)(.+)"}]
    name = {"var": "称呼", "type": "text", "define": "来访者的名字，怎样称呼", "rules": rules}
    talk = Talk(only(ask("怎么称呼你？", "称呼"), ask("为什么来？", "来意"), declare=[name]))
    talk.say("小林")
    talk.say(words)
    assert known(talk) == {"称呼": "小明"}
    assert talk.said[-1].endswith("为什么来？")


@pytest.mark.parametrize("words", ["名字被老师写错了，大家都笑我", "时间不对付，老是迟到", "不对劲，心里慌"])
def test_what_is_told_of_names_and_times_is_an_answer(words: str) -> None:
    name = {"var": "称呼", "type": "text", "define": "来访者的名字", "rules": [{"pattern": "(?:叫我|我叫)(.+)"}]}
    talk = Talk(only(ask("怎么称呼你？", "称呼"), ask("为什么来？", "来意"), declare=[name]))
    talk.say("小林")
    talk.say(words)
    assert known(talk) == {"称呼": "小林", "来意": words}


def test_in_english() -> None:
    actions = (ask("How long?", "duration"), ask("What changed then?", "cause"))
    talk = Talk(only(*actions, locale="en"))
    talk.say("one month")
    talk.say("sorry, I meant three months")
    assert talk.said == ["All right, I have changed it to “three months”.\nWhat changed then?"]
    talk.say("correction: the duration is four months")
    assert known(talk) == {"duration": "four months"}
    talk.say("I said it wrong")
    assert "did not understand" in talk.said[0]
