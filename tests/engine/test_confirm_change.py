"""``confirm_change``: what contradicts a good value is asked about, once, before it is written."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, INTENT, ai_ask, asked, get, last, option, replied, tasks, values
from tests.engine.scripts import ask, check, only, script, spoken, topic
from tests.engine.scripts import phase as part

from heartrule.language.compiling.script import Script
from heartrule.testing.talk import Talk

MOOD = {"var": "分", "type": "integer", "define": "难受几分", "range": [0, 10], "confirm_change": True}
FIRST = ask("几分？", "分")
AGAIN = ask("现在再说一次，几分？", "分")
REST = ask("还有什么想说？", "别的")
LAST = ask("最后呢？", "末")
WHICH = "刚才你说“5”，现在是“7”。以哪个为准？要改成“7”吗？"


def unwritten(talk: Talk, name: str = "分") -> list[tuple[str, Any]]:
    return [(each.outcome, each.value) for each in talk.happened("unwritten") if each.name == name]


def hold(*words: str, model: Any = None, made: Script | None = None) -> Talk:
    talk = Talk(made or only(FIRST, AGAIN, REST, LAST, declare=[MOOD]), model)
    for text in words:
        talk.say(text)
        check(talk)
    return talk


def test_it_is_asked_in_fixed_words_as_soon_as_the_next_question_waits() -> None:
    talk = hold("5分", "7分")
    assert [said.rpartition("\n")[2] for said in talk.said] == ["还有什么想说？", WHICH]
    assert last(talk, "分") == 5
    assert unwritten(talk) == [("unconfirmed", 7)]


@pytest.mark.parametrize("words", ["是的", "对", "现在的", "以现在的为准", "7", "7分", "改成7", "新的那个", "yes"])
def test_a_yes_is_the_newer_one(words: str) -> None:
    talk = hold("5分", "7分", words)
    assert last(talk, "分") == 7
    event = talk.happened("variable")[-1]
    assert (event.old, event.value, event.strategy, event.evidence) == (5, 7, "rules", "7分")
    assert [said.rpartition("\n")[2] for said in talk.said] == ["还有什么想说？"]
    assert last(talk, "别的") is None
    assert [talk.state.running.action.round] == [1]  # type: ignore[union-attr]


@pytest.mark.parametrize("words", ["不是", "没有", "不用改", "还是刚才的", "5分", "以之前的为准", "no"])
def test_a_no_is_the_earlier_one(words: str) -> None:
    talk = hold("5分", "7分", words)
    assert last(talk, "分") == 5
    assert unwritten(talk) == [("unconfirmed", 7), ("kept", 7)]
    assert spoken(talk)[-1].endswith("还有什么想说？")
    assert last(talk, "别的") is None


@pytest.mark.parametrize("words", ["这事另说吧", "最近老是睡不着", "都不对"])
def test_what_is_not_plain_leaves_the_earlier_and_answers_the_question_that_waits(words: str) -> None:
    talk = hold("5分", "7分", words)
    assert (last(talk, "分"), last(talk, "别的")) == (5, words)
    assert unwritten(talk) == [("unconfirmed", 7), ("kept", 7)]
    assert spoken(talk)[-1].endswith("最后呢？")
    assert sum("以哪个为准" in said for said in spoken(talk)) == 1


@pytest.mark.parametrize(("words", "value"), [("是的，我最近老是睡不着", 7), ("不用改。我最近老是睡不着", 5)])
def test_what_else_is_said_with_it_is_not_lost(words: str, value: int) -> None:
    talk = hold("5分", "7分", words)
    assert (last(talk, "分"), last(talk, "别的")) == (value, "我最近老是睡不着")


def test_english() -> None:
    mood = {"var": "mood", "type": "integer", "define": "how bad it is", "confirm_change": True}
    made = only(
        ask("How bad?", "mood"), ask("And now?", "mood"), ask("What else?", "rest"), declare=[mood], locale="en"
    )
    talk = hold("5", "7", made=made)
    assert talk.said[-1] == "Earlier you said “5”, and now “7”. Which one counts? Shall I change it to “7”?"
    talk.say("the new one please")
    assert last(talk, "mood") == 7
    assert talk.said[-1].endswith("What else?")


def test_it_is_asked_anew_only_when_it_is_said_anew() -> None:
    many = [ask(f"第{n}次，几分？", "分") for n in range(4)]
    talk = hold("5分", "7分", "不用改", "7分", made=only(*many, REST, declare=[MOOD]))
    assert sum("以哪个为准" in said for said in spoken(talk)) == 2
    assert unwritten(talk) == [("unconfirmed", 7), ("kept", 7), ("unconfirmed", 7)]


def test_nobody_is_asked_about_what_is_no_contradiction() -> None:
    talk = hold("5分", "5分")
    assert unwritten(talk) == []
    first = {**MOOD, "value": 3}
    assert unwritten(hold("5分", made=only(FIRST, REST, declare=[first]))) == []


def test_choices_and_the_script_decide_at_once() -> None:
    chosen = {"var": "选", "confirm_change": True}
    talk = Talk(only(option("选", "好", "不好"), option("选", "好", "不好"), REST, declare=[chosen]))
    talk.choose("a")
    talk.choose("b")
    assert (last(talk, "选"), unwritten(talk, "选")) == ("b", [])


def test_a_choice_that_waits_is_not_taken_for_the_answer() -> None:
    made = only(FIRST, AGAIN, option("选", "现在的", "以前的"), REST, declare=[MOOD])
    talk = hold("5分", "7分", made=made)
    assert talk.request.choices
    talk.say("现在的")
    assert (last(talk, "分"), last(talk, "选")) == (5, "a")
    other = hold("5分", "7分", made=made)
    other.choose("b")
    assert (last(other, "分"), last(other, "选")) == (5, "b")
    assert unwritten(other) == [("unconfirmed", 7)]
    assert other.said[-1] == WHICH, "asked once no choice is waiting"


def test_danger_comes_first_and_nobody_is_asked_afterwards() -> None:
    talk = hold("5分", "7分", INTENT["zh"])
    assert talk.state.running is not None
    assert talk.state.running.project == "safety"
    assert last(talk, "分") == 5
    assert unwritten(talk) == [("unconfirmed", 7), ("kept", 7)]
    assert "以哪个为准" not in "".join(talk.said)


def test_a_variable_marked_risk_is_never_asked_about() -> None:
    risky = {"var": "想过", "type": "boolean", "define": "想过伤害自己", "risk": True, "confirm_change": True}
    talk = hold("没有", "是的", made=only(ask("想过吗？", "想过"), ask("真的没有？", "想过"), REST, declare=[risky]))
    assert last(talk, "想过") is True
    assert unwritten(talk, "想过") == []


# with a model


def heard(*found: tuple[str, Any, str]) -> dict[str, Any]:
    return {"holds": [], "values": [{"name": n, "value": v, "evidence": e} for n, v, e in found]}


@pytest.mark.parametrize("strategy", ["passive", "correction", "json"])
def test_whoever_found_it(strategy: str) -> None:
    mood = {**MOOD, "listen": {"mode": "passive"}} if strategy == "passive" else MOOD
    again = ai_ask("再问一次", "分", question="现在再说一次，几分？", when_known="ask")
    second = again if strategy == "json" else REST
    own = values(分=(7, "7分")) if strategy == "json" else values(别的=("其实7分", "其实7分"))
    answers = [replied(values=values(分=(5, "5分"))), replied(values=own), replied(values={})]
    table = {
        "risk": CALM,
        "ask": answers,
        "ai_ask": asked("好。", "YES", values=own),
        "perceive": heard(*([("分", 7, "7分")] if strategy != "json" else [])),
    }
    talk = hold("5分", "其实7分", model=table, made=only(FIRST, second, LAST, declare=[mood]))
    assert last(talk, "分") == 5
    assert talk.said[-1].endswith(WHICH)
    calls = [len(tasks(talk, template)) for template in ("ask", "ai_ask", "perceive")]
    talk.say("是的")
    assert [len(tasks(talk, template)) for template in ("ask", "ai_ask", "perceive")] == calls, "it is read by rules"
    event = talk.happened("variable")[-1]
    assert (event.value, event.strategy, event.evidence) == (7, strategy, "7分")
    assert talk.said[-1].endswith("最后呢？")


def test_old_words_do_not_ask_again() -> None:
    """A model that goes on quoting what was decided already makes nobody answer twice."""
    each = ai_ask("几分", get("分"), get("别的"), question="现在几分？", max_rounds=9, literal=True)
    table = {
        "risk": CALM,
        "ask": replied(values=values(分=(5, "5分"))),
        "ai_ask": [
            asked("还有呢？", values=values(分=(7, "7分"))),
            asked("再说说？", values=values(分=(7, "7分"))),
            asked("好。", "YES", values=values(分=(7, "7分"), 别的=("没了", "没了"))),
        ],
        "perceive": heard(),
    }
    talk = hold("5分", "7分", "不用改", "嗯，想想", "没了", model=table, made=only(FIRST, each, LAST, declare=[MOOD]))
    assert sum("以哪个为准" in said for said in spoken(talk)) == 1
    assert last(talk, "分") == 5
    assert {outcome for outcome, _ in unwritten(talk)} == {"unconfirmed", "kept"}
    assert talk.said[-1].endswith("最后呢？")


FAMILY = {
    "var": "家人", "type": "list", "define": "家里人", "update": "merge_unique", "key": "称呼", "confirm_change": True,
    "fields": [{"name": "称呼"}, {"name": "岁", "type": "integer"}, {"name": "病"}],
}  # fmt: skip


def test_of_a_list_only_a_changed_field_is_asked_about() -> None:
    once, now = [{"称呼": "妈妈", "岁": 50}], [{"称呼": "妈妈", "岁": 60, "病": "腰"}, {"称呼": "爸爸", "岁": 61}]
    answers = [
        replied(values=values(家人=(once, "妈妈50"))),
        replied(values=values(家人=(now, "妈妈60腰不好，爸爸61"))),
    ]
    made = only(ask("家里有谁？", "家人"), ask("再说说？", "家人"), REST, LAST, declare=[FAMILY])
    talk = hold("妈妈50", "妈妈60腰不好，爸爸61", model={"risk": CALM, "ask": answers, "perceive": heard()}, made=made)
    assert last(talk, "家人") == [{"称呼": "妈妈", "岁": 50, "病": "腰"}, {"称呼": "爸爸", "岁": 61}]
    assert unwritten(talk, "家人") == [("unconfirmed", [{"称呼": "妈妈", "岁": 60}])]
    assert "“称呼：妈妈，岁：50”，现在是“称呼：妈妈，岁：60”" in talk.said[-1].replace("、", "，")
    talk.say("现在的")
    assert last(talk, "家人") == [{"称呼": "妈妈", "岁": 60, "病": "腰"}, {"称呼": "爸爸", "岁": 61}]


def test_a_scope_that_has_closed_is_not_asked_about() -> None:
    made = script(part("P", topic("T", FIRST, AGAIN, declare=[MOOD]), topic("U", REST)))
    talk = hold("5分", "7分", made=made)
    assert "以哪个为准" not in "".join(talk.said)
    assert unwritten(talk) == [("unconfirmed", 7), ("kept", 7)]


def test_nothing_is_left_open_at_the_end() -> None:
    talk = hold("5分", "7分", made=only(FIRST, AGAIN, declare=[MOOD]))
    assert talk.ended
    assert unwritten(talk) == [("unconfirmed", 7), ("kept", 7)]
    assert all(each.settled for each in talk.state.contradictions)


def test_words_that_came_late_are_asked_about_too() -> None:
    answers = [replied(values=values(分=(5, "5分"))), {"understood": True, "values": values(分=(7, "7分"))}]
    talk = Talk(only(FIRST, REST, LAST, declare=[MOOD]), {"risk": CALM, "ask": answers, "perceive": heard()})
    seen = talk.state.messages
    talk.say("5分")
    talk.say("不对，7分", after=seen)
    check(talk)
    assert (last(talk, "分"), unwritten(talk)) == (5, [("unconfirmed", 7)])
    assert talk.said == [WHICH]
    talk.say("是的")
    assert last(talk, "分") == 7
    assert talk.said[-1].endswith("还有什么想说？")


def test_versions_can_be_read() -> None:
    kept = {"var": "结论", "update": "versioned", "confirm_change": True}
    made = only(
        ask("怎么看？", "结论"), ask("现在怎么看？", "结论"), REST,
        {"type": "say", "content": "以前你觉得{结论.versions}，现在觉得{结论}。"}, LAST, declare=[kept],
    )  # fmt: skip
    talk = hold("都怪我", "不全怪我", "现在的", "没了", made=made)
    assert "以前你觉得都怪我，现在觉得不全怪我。" in talk.said[0]
