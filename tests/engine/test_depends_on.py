"""``depends_on``: what is not due is not asked for, not listened for and not written; it is taken up once it is."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, ai_ask, asked, get, last, replied, tasks, values
from tests.engine.scripts import ask, check, only, say, spoken

from heartrule.testing.talk import Talk

TAKES = {"var": "服药", "type": "boolean", "define": "是否在吃药"}
EFFECT = {
    "var": "副作用",
    "type": "text",
    "define": "药的副作用",
    "depends_on": [{"var": "服药", "condition": "服药 == true"}],
}
PILLS = ask("现在在吃药吗？", "服药")
SIDE = ask("有什么不舒服吗？", "副作用")
REST = ask("还想说什么？", "别的")


def unwritten(talk: Talk, name: str) -> list[tuple[str, str]]:
    return [(each.outcome, each.reason) for each in talk.happened("unwritten") if each.name == name]


def held(*actions: Any, model: Any = None, declare: Any = (TAKES, EFFECT), words: tuple[str, ...] = ()) -> Talk:
    talk = Talk(only(*actions, declare=list(declare)), model)
    for text in words:
        talk.say(text)
        check(talk)
    return talk


@pytest.mark.parametrize(("answer", "question"), [("在吃", "有什么不舒服吗？"), ("没有", "还想说什么？")])
def test_a_question_for_nothing_that_is_due_is_not_put(answer: str, question: str) -> None:
    talk = held(PILLS, SIDE, REST, words=({"在吃": "是的", "没有": "没有"}[answer],))
    assert spoken(talk)[-1].endswith(question)
    told = [("skipped", "服药 == true")] if answer == "没有" else []
    assert unwritten(talk, "副作用") == told


def test_english_and_an_unknown_variable() -> None:
    takes = {"var": "takes", "type": "boolean", "define": "whether they take medicine"}
    effect = {"var": "effect", "depends_on": [{"var": "takes"}]}
    talk = held(ask("Any side effects?", "effect"), ask("What else?", "rest"), declare=(takes, effect))
    assert spoken(talk) == ["What else?"]
    assert unwritten(talk, "effect") == [("skipped", "takes")]
    talk.say("nothing much")
    assert talk.ended


def test_it_is_asked_for_as_soon_as_it_is_due_within_one_action() -> None:
    talk = held(ask("吃药吗？有没有不舒服？", "服药", "副作用"), words=("是的",))
    assert "副作用" in spoken(talk)[-1]
    assert not talk.ended
    talk.say("有点头晕")
    assert (last(talk, "服药"), last(talk, "副作用")) == (True, "有点头晕")
    assert talk.ended


def test_what_is_never_due_keeps_no_action_open() -> None:
    talk = held(ask("吃药吗？有没有不舒服？", "副作用", "服药"), words=("没有",))
    assert talk.ended
    assert last(talk, "副作用") is None
    assert unwritten(talk, "副作用") == [("skipped", "服药 == true")]


def test_the_model_is_told_of_nothing_that_is_not_due() -> None:
    each = ai_ask("了解用药", get("副作用"), get("服药"), question="在吃药吗？", max_rounds=5, literal=True)
    table = {
        "risk": CALM,
        "ai_ask": [
            asked("好。", "YES", values=values(服药=(True, "在吃"), 副作用=("头晕", "头晕"))),
            asked("好。", "YES", values=values(副作用=("头晕", "有点头晕"))),
        ],
    }
    talk = held(each, model=table, words=("在吃，就是头晕",))
    (first,) = tasks(talk, "ai_ask")
    assert "副作用" not in first.values["outputs"]
    assert list(first.schema["properties"]["values"]["properties"]) == ["服药"]
    # What the model offered all the same is read once the other value is there, by its order and not the script's.
    assert (last(talk, "服药"), last(talk, "副作用")) == (True, "头晕")
    assert talk.ended


def test_an_exit_waits_for_what_has_become_due() -> None:
    each = ai_ask("了解用药", get("副作用"), get("服药"), question="在吃药吗？", max_rounds=5, literal=True)
    first = asked("好。", "YES", values=values(服药=(True, "在吃")))
    second = asked("好。", "YES", values=values(副作用=("头晕", "有点头晕")))
    talk = held(each, model={"risk": CALM, "ai_ask": [first, second]}, words=("在吃",))
    assert not talk.ended
    assert talk.happened("exit")[-1].vetoed == ["exit_flag: 缺少 副作用"]
    talk.say("有点头晕")
    assert [list(task.schema["properties"]["values"]["properties"]) for task in tasks(talk, "ai_ask")] == [
        ["服药"],
        ["副作用", "服药"],
    ]
    assert talk.ended


def test_an_exit_is_not_vetoed_by_what_is_not_due() -> None:
    each = ai_ask("了解用药", get("副作用"), get("服药"), question="在吃药吗？", literal=True)
    table = {"risk": CALM, "ai_ask": asked("好。", "YES", values=values(服药=(False, "没有")))}
    talk = held(each, model=table, words=("没有",))
    assert talk.ended
    assert talk.happened("exit")[-1].vetoed == []
    assert unwritten(talk, "副作用") == [("skipped", "服药 == true")]


def test_a_default_is_not_taken_for_what_is_not_due() -> None:
    effect = {**EFFECT, "on_failure": {"do": "default", "default": "无"}}
    talk = held(ask("吃药吗？", "副作用", "服药"), declare=(TAKES, effect), words=("没有",))
    assert talk.ended
    assert last(talk, "副作用") is None


def test_what_is_listened_for_waits_and_is_taken_up() -> None:
    effect = {**EFFECT, "listen": {"mode": "passive"}}
    heard = {"holds": [], "values": [{"name": "副作用", "value": "头晕", "evidence": "头晕"}]}
    table = {"risk": CALM, "ask": replied(values={}), "perceive": heard}
    answers = [
        replied(values=values(一=("头晕", "头晕"))),
        replied(values=values(服药=(True, "在吃"))),
        replied(values=values(二=("头晕", "头晕"))),
    ]
    talk = held(
        ask("怎么样？", "一"), PILLS, ask("还有呢？", "二"), REST,
        model={**table, "ask": answers}, declare=(TAKES, effect), words=("头晕",),
    )  # fmt: skip
    assert last(talk, "副作用") is None
    assert unwritten(talk, "副作用") == [("skipped", "服药")]
    talk.say("在吃")
    assert last(talk, "副作用") is None
    talk.say("还是头晕")
    assert last(talk, "副作用") == "头晕"
    assert unwritten(talk, "副作用") == [("skipped", "服药")]
    assert talk.state.unheard == []


def test_a_script_may_write_it_all_the_same() -> None:
    talk = held({"type": "set_var", "var": "副作用", "value": "未知"}, REST)
    assert last(talk, "副作用") == "未知"


def test_a_correction_is_held_to_it_too() -> None:
    """No longer taking any: what was said of it stays, and nothing new is taken down."""
    effect = {**EFFECT, "depends_on": [{"var": "服药", "condition": "服药"}]}
    facts = [
        {"holds": [], "values": [{"name": "服药", "value": False, "evidence": "停药了"}]},
        {"holds": [], "values": [{"name": "副作用", "value": "没了", "evidence": "没了"}]},
    ]
    answers = [
        replied(values=values(服药=(True, "在吃"))),
        replied(values=values(副作用=("头晕", "头晕"))),
        replied(values=values(别的=("停药了", "停药了"))),
        replied(values=values(末=("没了", "没了"))),
    ]
    talk = held(
        PILLS, SIDE, REST, ask("最后呢？", "末"), say("再见"),
        model={"risk": CALM, "ask": answers, "perceive": [{"holds": [], "values": []}, *facts]},
        declare=(TAKES, effect), words=("在吃", "头晕", "停药了", "没了"),
    )  # fmt: skip
    assert (last(talk, "服药"), last(talk, "副作用")) == (False, "头晕")


def test_what_was_told_stays_when_what_it_depends_on_no_longer_holds() -> None:
    again = ask("再问一次，在吃药吗？", "服药")
    talk = held(PILLS, SIDE, again, REST, words=("是的", "头晕", "没有"))
    assert (talk.value("副作用"), talk.value("服药")) == ("头晕", False)
    stops = [event for event in talk.happened("variable") if event.name == "服药"][-1]
    assert (stops.old, stops.value) == (True, False), "the history tells since when it does not apply"
