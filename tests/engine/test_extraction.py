"""From a person's words to values, without a model: whose words they are, what may be read, and what is asked next."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import (
    CALM,
    Node,
    acknowledgements,
    ai_ask,
    asked,
    exits,
    get,
    last,
    leaves_a_question,
    running,
    spoken,
    values,
    written,
)
from tests.engine.scripts import ask, check, only, say

from heartrule.testing.talk import Talk

AGE = get("年龄", "integer", define="多大年纪")
CHILDREN = get("孩子", "integer", define="有几个孩子")
ANXIOUS = get("焦虑", "boolean", define="最近是否焦虑")
SLEEPLESS = get("失眠", "boolean", define="最近是否失眠")


def hold(*actions: Node, words: tuple[str, ...] = (), model: Any = None, **session: Any) -> Talk:
    talk = Talk(only(*actions, **session), model)
    for text in words:
        talk.say(text)
        check(talk)
        assert leaves_a_question(talk), talk.said
    return talk


# one output


@pytest.mark.parametrize(
    ("rules", "words", "value", "strategy"),
    [
        (get("x"), "最近总是睡不着", "最近总是睡不着", "fallback"),
        (get("x", "text"), "最近总是睡不着", "最近总是睡不着", "fallback"),
        (get("x", "integer"), "大概7分吧", 7, "rules"),
        (get("x", "number"), "3.5", 3.5, "rules"),
        (get("x", "boolean"), "有的", True, "rules"),
        (get("x", "boolean"), "没有", False, "rules"),
        (get("x", "enum", options=["很好", "一般"]), "一般吧", "一般", "rules"),
        (get("x", "list"), "妈妈、老同学", ["妈妈", "老同学"], "rules"),
        (get("x", "text", rules=[{"pattern": "我叫(.+)"}]), "我叫小禾", "小禾", "rules"),
        (get("x", "integer", rules=[{"keywords": {10: ["崩溃"]}}]), "整个人都崩溃了", 10, "rules"),
    ],
    ids=lambda each: str(each)[:40],
)
def test_what_is_stored_and_how(rules: Node, words: str, value: Any, strategy: str) -> None:
    talk = hold(ask("怎么样？", rules), words=(words,))
    ((held, how, evidence),) = written(talk, "x")
    assert (held, how) == (value, strategy)
    assert evidence
    assert evidence in words
    assert len(evidence) <= 20


def test_evidence_is_at_most_twenty_characters_of_a_long_answer() -> None:
    words = "最近工作压力特别大，晚上躺下去脑子停不下来，要到两三点才睡着"
    ((value, _, evidence),) = written(hold(ask("？", "x"), words=(words,)), "x")
    assert value == words
    assert evidence == words[:20]


@pytest.mark.parametrize(
    ("kind", "more", "words"),
    [
        ("integer", {}, "挺难受的"),
        ("number", {}, "说不上来"),
        ("boolean", {}, "看情况"),
        ("enum", {"options": ["甲", "乙"]}, "丙吧"),
        ("date", {}, "前阵子"),
        ("object", {"fields": [{"name": "名"}]}, "小王，三十岁"),
    ],
)
def test_typed_variables_never_take_raw_words(kind: str, more: Node, words: str) -> None:
    talk = hold(ask("？", get("x", kind, **more)), words=(words,) * 5)
    assert talk.ended
    assert written(talk, "x") == []


def test_a_value_out_of_range_is_asked_for_again_with_the_reason() -> None:
    talk = hold(ask("几分？", get("x", "integer", range=[0, 10])), words=("15",))
    lead, question = talk.said[-1].split("\n")
    assert question == "几分？"
    assert lead in spoken(talk, "out_of_range")
    talk.say("6")
    assert last(talk, "x") == 6


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (get("x", "integer"), "need_number"),
        (get("x", "boolean"), "need_yes_no"),
        (get("x", "enum", options=["甲", "乙"]), "need_option"),
        (get("x", "date"), "need_date"),
        (get("x", "object"), "not_understood"),
    ],
)
def test_the_reason_fits_the_type(rules: Node, reason: str) -> None:
    talk = hold(ask("问。", rules), words=("嗯嗯啊啊",))
    assert talk.said[-1].split("\n")[0] in spoken(talk, reason)


# several outputs: an answer belongs to what was asked


@pytest.mark.parametrize("action", [ai_ask, ask])
def test_one_number_is_not_the_answer_to_two_questions(action: Any) -> None:
    talk = hold(action("说说你。", AGE, CHILDREN, **_question(action)), words=("35",))
    assert written(talk, "年龄") == [(35, "rules", "35")]
    assert written(talk, "孩子") == []
    assert "有几个孩子" in talk.said[-1]
    talk.say("两个")
    assert (last(talk, "年龄"), last(talk, "孩子")) == (35, 2)
    assert talk.ended


@pytest.mark.parametrize("action", [ai_ask, ask])
def test_one_no_is_not_the_answer_to_two_questions(action: Any) -> None:
    talk = hold(action("说说你。", ANXIOUS, SLEEPLESS, **_question(action)), words=("没有",))
    assert last(talk, "焦虑") is False
    assert written(talk, "失眠") == []
    talk.say("有")
    assert last(talk, "失眠") is True


def test_a_no_about_sleep_says_nothing_about_anything_else() -> None:
    talk = hold(ai_ask("问", get("睡眠", "text"), ANXIOUS, question="睡得好吗？"), words=("没有",))
    assert last(talk, "睡眠") == "没有"
    assert written(talk, "焦虑") == []


def test_an_answer_to_another_question_is_no_list() -> None:
    friends = get("朋友", "list", define="可以找谁说说话")
    talk = hold(ai_ask("问", get("事", "text"), friends, question="发生了什么？"), words=("和同事吵架、心里难受",))
    assert written(talk, "朋友") == []
    talk.say("妈妈、老同学")
    assert last(talk, "朋友") == ["妈妈", "老同学"]


@pytest.mark.parametrize("words", ["二", "家里有3口人", "昨天加班到10点", "2026-10-05"])
def test_a_number_in_passing_is_nobodys_age(words: str) -> None:
    talk = hold(ai_ask("问", get("事", "text"), AGE, question="说说家里？"), words=(words,))
    assert last(talk, "事") == words
    assert written(talk, "年龄") == []


def test_an_outputs_own_rules_may_find_it_in_any_answer() -> None:
    name = get("名字", "text", rules=[{"pattern": "我叫([^，]+)"}])
    talk = hold(ai_ask("问", AGE, name, question="多大了？"), words=("我叫小禾，35岁",))
    assert (last(talk, "年龄"), last(talk, "名字")) == (35, "小禾")
    strength = get("强度", "integer", rules=[{"pattern": r"(\d+)\s*分"}])
    talk = hold(ai_ask("问", get("心情"), strength, question="心情怎样，几分？"), words=("很难受，8分",))
    assert (last(talk, "心情"), last(talk, "强度")) == ("很难受，8分", 8)
    assert talk.ended


def test_each_text_gets_only_its_own_words() -> None:
    outputs = [get(letter, "text", define=f"第{letter}件事") for letter in "甲乙丙丁"]
    talk = hold(ai_ask("问四件事", *outputs, question="先说甲？", max_rounds=10))
    for letter in "甲乙丙丁":
        assert "甲" in talk.said[-1] if letter == "甲" else f"第{letter}件事" in talk.said[-1]
        talk.say(f"关于{letter}的话")
    assert {letter: last(talk, letter) for letter in "甲乙丙丁"} == {
        letter: f"关于{letter}的话" for letter in "甲乙丙丁"
    }
    assert talk.ended


def test_every_output_is_asked_for_before_any_is_given_up() -> None:
    """However many come before it: what was not asked has not been refused."""
    outputs = [get(f"第{n}", "integer") for n in range(6)]
    talk = hold(ai_ask("问六个数", *outputs, question="第0？", max_rounds=20))
    for n in range(6):
        talk.say(str(n))
    assert [last(talk, f"第{n}") for n in range(6)] == list(range(6))


def test_one_output_is_asked_again_without_wearing_out_the_next() -> None:
    talk = hold(ai_ask("问", AGE, CHILDREN, question="多大了？", max_rounds=10), words=("嗯嗯", "哈哈", "35"))
    assert "有几个孩子" in talk.said[-1]
    talk.say("嗯嗯")
    talk.say("一个")
    assert (last(talk, "年龄"), last(talk, "孩子")) == (35, 1)


@pytest.mark.parametrize("do", ["default", "skip"])
def test_on_failure_waits_until_the_question_was_put(do: str) -> None:
    rules = get(
        "乙", "integer", define="乙这个数", on_failure={"do": do, "default": 5} if do == "default" else {"do": do}
    )
    talk = hold(ai_ask("问", get("甲"), rules, question="甲？"), words=("甲的话",))
    assert "乙这个数" in talk.said[-1]
    assert written(talk, "乙") == []
    talk.say("说不好")
    assert last(talk, "乙") == (5 if do == "default" else None)
    assert talk.ended


def test_optional_outputs_are_each_asked_once() -> None:
    talk = hold(ai_ask("问", get("甲"), get("乙"), AGE, question="甲？", required=False, max_rounds=9), words=("一",))
    assert "乙" in talk.said[-1]
    talk.say("二")
    assert "多大年纪" in talk.said[-1]
    talk.say("不好说呢还")
    assert talk.ended
    assert (last(talk, "甲"), last(talk, "乙"), last(talk, "年龄")) == ("一", "二", None)
    assert acknowledgements(talk) == 1


def test_an_optional_number_that_is_not_understood_does_not_hold_up_the_next() -> None:
    talk = hold(ai_ask("问", AGE, get("乙"), question="多大？", required=False), words=("这个嘛",))
    assert "乙" in talk.said[-1]


# who is asked half as often


@pytest.mark.parametrize(("words", "questions"), [("看情况吧", 3), ("不知道", 2)])
@pytest.mark.parametrize("action", [ai_ask, ask])
def test_who_does_not_know_is_asked_half_as_often(action: Any, words: str, questions: int) -> None:
    talk = hold(action("几分？", get("x", "integer"), **_question(action, max_rounds=9)))
    count = 1
    while not talk.ended:
        talk.say(words)
        count += not talk.ended
    assert count == questions
    assert talk.said[-1] in spoken(talk, "unfinished")


def test_who_does_not_know_is_asked_half_as_often_where_nothing_is_extracted() -> None:
    talk = hold(ask("怎么样？"), words=("不知道",))
    assert not talk.ended
    talk.say("不知道")
    assert talk.ended


# on_failure


@pytest.mark.parametrize(
    ("rule", "questions", "value"),
    [
        ({"do": "reask", "max": 1}, 2, None),
        ({"do": "reask", "max": 0, "default": 3}, 1, 3),
        ({"do": "reask", "max": 3, "default": 3}, 4, 3),
        ({"do": "default", "default": 3}, 1, 3),
        ({"do": "skip"}, 1, None),
    ],
    ids=str,
)
@pytest.mark.parametrize("action", [ai_ask, ask])
def test_on_failure(action: Any, rule: Node, questions: int, value: Any) -> None:
    talk = hold(action("几分？", get("x", "integer", on_failure=rule), **_question(action, max_rounds=9)))
    count = 1
    while not talk.ended:
        talk.say("看情况吧")
        count += not talk.ended
    assert count == questions
    assert last(talk, "x") == value
    if value is not None:
        assert written(talk, "x") == [(3, "fallback", None)]
    honest = talk.said[-1] in spoken(talk, "unfinished")
    assert honest == (value is None and rule["do"] != "skip")


def test_max_rounds_takes_the_default_or_stays_honestly_unfinished() -> None:
    for rule, value in (({"do": "reask", "max": 9, "default": 4}, 4), ({"do": "reask", "max": 9}, None)):
        action = ai_ask("问", get("x", "integer", on_failure=rule), question="几分？", max_rounds=2)
        talk = hold(action, words=("看情况", "看情况"))
        assert talk.ended
        assert last(talk, "x") == value
        assert (talk.said[-1] in spoken(talk, "unfinished")) == (value is None)
        assert exits(talk)[-1] == (True, "max_rounds", "max_rounds_reached")
        (done,) = [event for event in talk.happened("topic") if event.state == "completed"]
        assert done.unfinished == ([] if value else ["x"])


def test_the_answer_to_the_last_question_is_heard_before_the_action_ends() -> None:
    talk = hold(ai_ask("问", get("x", "integer"), question="几分？", max_rounds=2), words=("看情况", "8"))
    assert last(talk, "x") == 8
    assert talk.said[-1] not in spoken(talk, "unfinished")


# repair phrases


REPAIRS = {
    "再说一遍": "repair_repeat",
    "什么意思": "repair_clarify",
    "为什么问这个": "repair_purpose",
    "停": "repair_stop",
}


@pytest.mark.parametrize("action", [ai_ask, ask])
@pytest.mark.parametrize("words", REPAIRS)
def test_a_repair_phrase_is_no_answer(action: Any, words: str) -> None:
    talk = hold(action("最近怎么样？", "x", **_question(action)), words=(words,))
    lead, question = talk.said[-1].split("\n")
    assert lead in spoken(talk, REPAIRS[words])
    assert question == "最近怎么样？"
    assert written(talk, "x") == []
    talk.say("挺好的")
    assert last(talk, "x") == "挺好的"


@pytest.mark.parametrize("action", [ai_ask, ask])
@pytest.mark.parametrize("words", ["跳过", "不想说", "skip", "I'd rather not say"])
def test_a_refusal_ends_kindly_and_unfinished(action: Any, words: str) -> None:
    talk = hold(action("最近怎么样？", "x", **_question(action)), say("下一件。"), words=(words,))
    assert talk.said[0] in spoken(talk, "refused")
    assert talk.said[1] == "下一件。"
    assert acknowledgements(talk) == 0
    assert written(talk, "x") == []
    (done,) = [event for event in talk.happened("topic") if event.state == "completed"]
    assert done.unfinished == ["x"]


def test_a_refusal_is_recorded_as_blocked_and_takes_the_default() -> None:
    rules = get("x", on_failure={"do": "reask", "default": "没说"})
    talk = hold(ai_ask("问", rules, question="最近怎么样？"), words=("不想说",))
    assert exits(talk) == [(True, "none", "user_blocked")]
    assert written(talk, "x") == [("没说", "fallback", None)]


def test_repair_words_inside_an_answer_are_an_answer() -> None:
    talk = hold(ask("怎么样？", "x"), words=("我不知道怎么面对他",))
    assert last(talk, "x") == "我不知道怎么面对他"


# verify: non_empty


@pytest.mark.parametrize("words", ["嗯", "嗯嗯……", "哦。", "哈哈哈", "hmm", "Uh...", "唉"])
def test_a_sound_is_no_answer_where_the_script_wants_more(words: str) -> None:
    strict = ai_ask("问", "x", question="好些了吗？", verify="non_empty")
    talk = hold(strict, words=(words,))
    lead, question = talk.said[-1].split("\n")
    assert lead in spoken(talk, "tell_more")
    assert question == "好些了吗？"
    talk.say("还行")
    assert last(talk, "x") == "还行"
    assert last(hold(ai_ask("问", "x", question="好些了吗？"), words=(words,)), "x") == words.strip()


def test_a_model_cannot_make_an_answer_of_a_sound() -> None:
    found = asked("好。", "YES", values=values(x=("嗯", "嗯")))
    strict = ai_ask("问", "x", question="怎么样？", verify="non_empty")
    talk = hold(strict, words=("嗯",), model={"risk": CALM, "ai_ask": found})
    assert written(talk, "x") == []
    assert not talk.ended


def test_a_nod_is_an_answer_to_a_yes_or_no() -> None:
    talk = hold(ai_ask("问", ANXIOUS, question="焦虑吗？", verify="non_empty"), words=("嗯",))
    assert last(talk, "焦虑") in (True, None)
    assert talk.said[-1] not in spoken(talk, "tell_more")


# outputs that are set, lists, and what is known


def test_set_outputs_are_written_when_the_action_ends() -> None:
    action = ask("怎么样？", output=[{"get": "x"}, {"set": "问过", "value": True}, {"set": "句", "value": "说：{x}"}])
    talk = hold(action)
    assert written(talk, "问过") == []
    talk.say("还好")
    assert written(talk, "问过") == [(True, "set", None)]
    assert last(talk, "句") == "说：还好"


def test_tolist_appends_one_row_for_each_time() -> None:
    each = ai_ask("问一个人", get("称呼"), AGE, question="说一个人，多大？", tolist="家人")
    talk = hold(each, each, declare=[{"var": "家人", "type": "list"}], words=("妈妈", "60", "爸爸", "61"))
    assert last(talk, "家人") == [{"称呼": "妈妈", "年龄": 60}, {"称呼": "爸爸", "年龄": 61}]


def test_when_known_skip_asks_only_for_what_is_not_known() -> None:
    action = ai_ask("问", get("称呼"), question="怎么称呼？", when_known="skip")
    talk = Talk(only(action, say("好")), values={"称呼": "小禾"})
    assert talk.said == ["好"]
    assert running(talk) == ""
    assert Talk(only(action, say("好"))).said == ["怎么称呼？"]


def test_when_known_skip_asks_while_one_of_two_is_missing() -> None:
    action = ai_ask("问", get("称呼"), AGE, question="怎么称呼，多大？", when_known="skip")
    assert Talk(only(action), values={"称呼": "小禾"}).said == ["怎么称呼，多大？"]


def test_without_outputs_any_reply_will_do() -> None:
    for action in (ask("怎么样？"), ai_ask("问问", question="怎么样？")):
        talk = hold(action, words=("嗯",))
        assert talk.ended
        assert acknowledgements(talk) == 1


def _question(action: Any, **more: Any) -> Node:
    """An ``ai_ask`` says its question beside its content; an ``ask``'s content is its question."""
    return {"question": "最近怎么样？", **more} if action is ai_ask else {}
