"""Why a value is missing: decided by code, recorded, and put into words where it is asked for again."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, Node, ai_ask, asked, get, last, spoken, values, written
from tests.engine.scripts import ask, check, only, say

from heartrule.engine.session.tasks import Task
from heartrule.llm.prompt import render
from heartrule.testing.talk import Talk

MOOD = get("心情评分", "integer", define="此刻的心情几分", range=[0, 10])
SLEEP = get("睡眠小时", "number", define="一晚睡几个小时")
AWAKE = get("失眠", "boolean", define="最近是否失眠")
STORY = get("来意", define="今天为什么来")


def hold(*outputs: Node, model: Any = None, kind: Any = ai_ask, **more: Any) -> Talk:
    more = {"max_rounds": 8, "literal": True, **more} if kind is ai_ask else more
    question = {"question": "说说看？"} if kind is ai_ask else {}
    replies = {"risk": CALM, **model} if model is not None else None
    return Talk(only(kind("说说看？", *outputs, id="it", **question, **more), say("完。")), replies)


def reasons(talk: Talk) -> dict[str, str]:
    found: dict[str, str] = talk.happened("round")[-1].missing
    return found


def prompts(talk: Talk, template: str = "ai_ask") -> list[Task]:
    return [task for task in talk.asked if task.template == template]


def with_model(*replies: Any, outputs: tuple[Node, ...] = (MOOD,), **more: Any) -> Talk:
    return hold(*outputs, model={"ai_ask": list(replies)}, **more)


# script mode


@pytest.mark.parametrize("kind", [ask, ai_ask])
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("时好时坏的", "vague"),
        ("这个很难说啊", "vague"),
        ("挺难受", "need_number"),
        ("15", "out_of_range"),
    ],
)
def test_why_a_number_is_missing(kind: Any, words: str, reason: str) -> None:
    talk = hold(MOOD, kind=kind)
    talk.say(words)
    check(talk)
    assert reasons(talk) == {"心情评分": reason}
    lead = talk.said[-1].split("\n")[0]
    filled = [each.replace("{define}", "此刻的心情几分") for each in spoken(talk, reason)]
    assert lead in filled


@pytest.mark.parametrize("kind", [ask, ai_ask])
@pytest.mark.parametrize(
    ("output", "words", "both"),
    [(MOOD, ["8分，9分"], "8、9"), (MOOD, ["3", "5"], "3、5"), (AWAKE, ["有，也没有"], "是、否")],
)
def test_two_values_in_one_answer_are_asked_about(kind: Any, output: Node, words: list[str], both: str) -> None:
    talk = hold(output, kind=kind)
    talk.say(*words)
    check(talk)
    assert reasons(talk) == {output["get"]: "contradictory"}
    assert both in talk.said[-1]
    talk.say("不对，是4" if output is MOOD else "没有")
    assert last(talk, output["get"]) == (4 if output is MOOD else False)


@pytest.mark.parametrize(
    ("define", "words", "reason"),
    [
        ("出生日期", "3月5日", "need_year"),
        ("那一天", "12月30日", "need_year"),
        ("开始的日期", "去年夏天", "need_day"),
        ("开始的日期", "10月", "need_day"),
        ("开始的日期", "蓝色", "need_date"),
    ],
)
def test_of_a_day_that_is_not_whole_the_rest_is_asked_for(define: str, words: str, reason: str) -> None:
    talk = hold(get("哪天", "date", define=define), kind=ask)
    talk.say(words)
    assert reasons(talk) == {"哪天": reason}
    assert talk.said[-1].split("\n")[0] in spoken(talk, reason)
    talk.say("2020年3月5日")
    assert last(talk, "哪天") == "2020-03-05"


def test_the_question_tells_the_year() -> None:
    talk = Talk(only(ask("下次什么时候见面？", get("哪天", "date")), say("完。")))
    talk.say("12月30日")
    assert str(last(talk, "哪天")) > talk.now.date().isoformat()


@pytest.mark.parametrize(
    ("output", "words"),
    [(AWAKE, each) for each in ("没有吧", "应该有", "有时候", "偶尔有", "不太有", "not really", "sometimes")]
    + [(SLEEP, each) for each in ("七八分", "4到5个小时", "五分到六分", "不到五个小时", "不足4小时", "好几个小时")]
    + [(SLEEP, each) for each in ("五个小时到六个小时", "at least six", "six or seven", "a few hours", "6个以上")],
)
def test_what_is_in_between_is_vague(output: Node, words: str) -> None:
    talk = hold(output, kind=ask)
    talk.say(words)
    assert reasons(talk) == {output["get"]: "vague"}


@pytest.mark.parametrize("question", ["一晚睡几个小时？", "睡得怎么样，多少小时？"])
def test_of_several_numbers_the_one_that_is_asked_for_counts(question: str) -> None:
    talk = Talk(only(ask(question, get("睡", "number")), say("完。")))
    talk.say("睡了大概七个小时，中间醒了两次")
    assert last(talk, "睡") == 7


@pytest.mark.parametrize(("question", "wanted"), [("清楚了吗？", get("清楚", "boolean")), ("几分？", MOOD)])
def test_not_knowing_is_no_answer_whatever_the_question_says(question: str, wanted: Node) -> None:
    talk = Talk(only(ask(question, wanted), say("完。")))
    talk.say("还不清楚")
    assert last(talk, wanted["get"]) is None


def test_of_danger_nobody_says_that_two_answers_differ() -> None:
    talk = hold(get("念头", "boolean", define="念头", risk=True), kind=ask)
    talk.say("有，也没有")
    assert reasons(talk) == {"念头": "need_yes_no"}


def test_what_was_not_asked_about_has_not_been_mentioned() -> None:
    talk = hold(STORY, MOOD)
    talk.say("最近睡不好")
    assert reasons(talk) == {"心情评分": "not_mentioned"}
    assert "此刻的心情几分" in talk.said[-1]


@pytest.mark.parametrize(("name", "called"), [("心情", "心情"), ("mood", None)])
def test_a_meaning_that_speaks_of_the_person_is_not_said_to_them(name: str, called: str | None) -> None:
    """The variable's own name stands in for it, where it is in their language."""
    talk = hold(get(name, "integer", define="来访者此刻的状态"))
    talk.say("时好时坏的")
    assert reasons(talk) == {name: "vague"}
    assert "来访者" not in talk.said[-1]
    assert "mood" not in talk.said[-1]
    assert any(each in talk.said[-1] for each in ([called] if called else spoken(talk, "missing_value")))


def test_a_value_that_came_is_missing_no_longer() -> None:
    talk = hold(MOOD)
    talk.say("时好时坏的")
    talk.say("4")
    assert talk.ended
    assert reasons(talk) == {}


def test_english_says_it_too() -> None:
    mood = get("mood", "integer", define="your mood right now")
    talk = Talk(only(ai_ask("ask", mood, question="How is your mood, 0 to 10?"), locale="en"))
    talk.say("hard to say, it varies")
    assert reasons(talk) == {"mood": "vague"}
    assert "your mood right now" in talk.said[-1]
    assert talk.said[-1].endswith("How is your mood, 0 to 10?")


# with a model


@pytest.mark.parametrize(
    ("given", "words", "reason"),
    [
        ({}, "今天好冷", "need_number"),
        ({"心情评分": None}, "今天好冷", "need_number"),
        (values(心情评分=(7, "我七分")), "今天好冷", "vague"),
        (values(心情评分=7), "今天好冷", "vague"),
        (values(心情评分=("说不准，五到八", "说不准")), "说不准，也许吧", "vague"),
        (values(心情评分=(15, "15")), "15", "out_of_range"),
        (values(心情评分=([3, 8], "三分，有时八分")), "三分，有时八分", "contradictory"),
    ],
    ids=str,
)
def test_why_what_the_model_gave_is_no_value(given: Any, words: str, reason: str) -> None:
    talk = with_model(asked("嗯。", values=given))
    talk.say(words)
    check(talk)
    assert reasons(talk) == {"心情评分": reason}
    assert written(talk, "心情评分") == []


def test_a_text_that_nobody_has_told_is_not_mentioned() -> None:
    talk = with_model(asked("嗯。"), outputs=(STORY,))
    talk.say("今天好冷")
    assert reasons(talk) == {"来意": "not_mentioned"}
    talk = with_model(asked("嗯。"), outputs=(STORY,))
    talk.say("我也说不清")
    assert reasons(talk)["来意"] in ("vague", "not_mentioned")


def test_two_different_answers_are_asked_about_once_and_neither_is_lost() -> None:
    five = asked("那睡眠呢？", values=values(心情评分=(5, "5分")))
    eight = asked("还有吗？", values=values(心情评分=(8, "8分")))
    done = asked("好。", exit="YES", values=values(心情评分=(8, "8分"), 失眠=(True, "睡不着")))
    talk = with_model(five, eight, done, outputs=(MOOD, AWAKE))
    talk.say("5分")
    talk.say("现在8分左右")
    check(talk)
    assert last(talk, "心情评分") == 5, "the value that is there stays until it is clear which counts"
    assert reasons(talk)["心情评分"] == "contradictory"
    assert "5、8" in talk.said[-1]
    assert "还有吗" not in talk.said[-1]
    talk.say("8分，睡不着")
    check(talk)
    assert (last(talk, "心情评分"), last(talk, "失眠")) == (8, True)
    assert talk.ended


@pytest.mark.parametrize("words", ["刚才说错了，8分", "不对，应该是8分"])
def test_who_corrects_themselves_is_not_doubted(words: str) -> None:
    five = asked("那睡眠呢？", values=values(心情评分=(5, "5分")))
    eight = asked("那睡眠呢？", values=values(心情评分=(8, "8分")))
    talk = with_model(five, eight, outputs=(MOOD, SLEEP))
    talk.say("5分")
    talk.say(words)
    assert last(talk, "心情评分") == 8
    assert "心情评分" not in reasons(talk)


def test_a_text_that_is_told_otherwise_is_no_contradiction() -> None:
    one = asked("心情呢？", values=values(来意=("睡不好", "睡不好")))
    other = asked("心情呢？", values=values(来意=("吵架了", "吵架了")))
    talk = with_model(one, other, outputs=(STORY, MOOD))
    talk.say("睡不好")
    talk.say("吵架了")
    assert last(talk, "来意") == "吵架了"


def test_a_yes_to_a_risk_is_never_taken_for_a_contradiction() -> None:
    thought = get("念头", "boolean", risk=True, define="有没有念头")
    no = asked("那心情呢？", values=values(念头=(False, "没有")))
    yes = asked("嗯。", values=values(念头=(True, "有过")))
    talk = with_model(no, yes, outputs=(thought, MOOD))
    talk.say("没有")
    talk.say("其实有过")
    assert last(talk, "念头") is True


def test_a_range_is_no_number_and_never_stored_as_it_was_said() -> None:
    talk = with_model(asked("嗯。", values=values(心情评分=("五到八", "五到八"))))
    talk.say("五到八吧")
    assert all(isinstance(value, int) for value, _, _ in written(talk, "心情评分"))


# the hint in the next prompt


def test_an_ordinary_round_has_no_hint() -> None:
    talk = with_model(asked("那睡眠呢？", values=values(心情评分=(5, "5分"))), asked("嗯。"), outputs=(MOOD, SLEEP))
    talk.say("5分")
    talk.say("今天好冷")
    assert [task.values["unclear"] for task in prompts(talk)] == ["", ""]


def test_the_next_prompt_is_told_what_could_not_be_used_and_only_that_one() -> None:
    vague = asked("再想想？", values=values(心情评分=(7, "我七分")))
    talk = with_model(
        vague, asked("那睡眠呢？", values=values(心情评分=(5, "5分"))), asked("嗯？"), outputs=(MOOD, SLEEP)
    )
    talk.say("今天好冷")
    talk.say("5分")
    talk.say("嗯……")
    hints = [task.values["unclear"] for task in prompts(talk)]
    assert hints[0] == ""
    assert hints[1].startswith("心情评分：")
    assert "心情评分" not in hints[2]


def test_the_block_of_the_prompt_is_there_only_with_a_hint() -> None:
    talk = with_model(asked("再想想？", values=values(心情评分=(7, "我七分"))), asked("嗯？"))
    talk.say("今天好冷")
    talk.say("嗯……")
    first, second = ("\n".join(m.text for m in render(task, talk.script).messages) for task in prompts(talk))
    assert "没弄清的" not in first
    assert "没弄清的：心情评分" in second


def test_no_words_of_the_person_stand_in_the_record_of_why() -> None:
    talk = with_model(asked("嗯。", values=values(心情评分=([3, 8], "三分，有时八分"))))
    talk.say("三分，有时八分")
    assert "8" not in str(reasons(talk))
    assert "三分" not in repr(talk.happened("round")[-1])
