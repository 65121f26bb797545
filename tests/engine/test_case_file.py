"""The case file: what no variable holds, kept from quotes, shown to prompts and taken up again."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, Data, ai_ask, asked, get, tasks, values
from tests.engine.scripts import ask, only, say
from tests.engine.test_stretches import DECLARED, HOT, OPENING, THOUGHT, WHAT, heard, hold, reply, stretch, told

from heartrule.testing.talk import Talk


def note(kind: str, text: str, quote: str, *covers: str) -> Data:
    return {"kind": kind, "text": text, "evidence": quote, "covers": list(covers)}


def kept(talk: Talk) -> list[tuple[str, str]]:
    return [(each.kind, each.text) for each in talk.state.case]


def test_of_risk_all_is_shown_and_of_themes_the_first_and_the_last() -> None:
    """A played conversation: the gravest thing, told in the middle, was not in the report's material."""
    told_of = [
        "铁轨边站过",
        "药攒在抽屉里",
        "写过三行字",
        "半夜出门走",
        "把猫送了人",
        "卖掉了琴",
        "停了药",
        "喝到天亮",
        "摔了手机",
        "删了照片",
        "锁了门",
    ]
    for kind, all_of_it in (("risk", True), ("theme", False)):
        heard_of = [heard(note(kind, each, each)) for each in told_of]
        replies = [reply(f"后来呢{n}？") for n in range(len(told_of))]
        talk = hold(*replies, listen=heard_of, words=told_of, actions=(stretch(rounds="20-40"),))
        shown = told(talk).context.values["case"]
        assert all(each in shown for each in told_of[:-1]) is all_of_it


ASKED = "那我该不该辞职？"
QUESTION = note("question", "该不该辞职", ASKED)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("theme", "主题"),
        ("agenda", "今天说好谈"),
        ("boundary", "不谈"),
        ("off_record", "不写下来（报告里不写，也不让人猜得到）"),
        ("distress", "情绪"),
        ("risk", "风险"),
        ("protective", "撑住他的"),
    ],
)
def test_what_is_said_beside_the_question_is_kept_with_its_words(kind: str, said: str) -> None:
    talk = hold(reply(), reply(), listen=[heard(note(kind, "我妈的事", "我妈那边")), heard()], words=("我妈那边", "嗯"))
    (record,) = talk.state.case
    assert (record.kind, record.text, record.quote, record.by) == (kind, "我妈的事", "我妈那边", "person")
    assert told(talk).context.values["case"] == f"{said}：我妈的事"
    assert tasks(talk, "listen")[-1].values["case"] == f"{said}：我妈的事"


@pytest.mark.parametrize(
    "wrong",
    [
        note("theme", "我妈的事", "我爸那边"),
        note("theme", "", "我妈那边"),
        note("promise", "我妈的事", "我妈那边"),
        note("别的", "我妈的事", "我妈那边"),
        {"kind": "theme", "text": "我妈的事"},
        "theme",
    ],
)
def test_nothing_enters_without_a_quote_and_a_kind(wrong: Any) -> None:
    talk = hold(reply(), listen=heard(wrong), words=("我妈那边",))
    assert talk.state.case == []


def test_what_says_the_same_is_kept_once() -> None:
    notes = [heard(note("theme", "妈妈偏心弟弟", "偏心")), heard(note("theme", "妈妈偏心弟弟呢", "老是偏心"))]
    talk = hold(reply(), reply(), listen=notes, words=("我妈偏心", "她老是偏心"))
    assert kept(talk) == [("theme", "妈妈偏心弟弟")]


def test_what_is_put_right_takes_the_place_of_what_stood() -> None:
    thought = note("thought", "三个月了还这样", "三个月了还这样")
    again = {**note("thought", "四个月了还这样", "是四个月了还这样"), "replaces": "三个月了还这样"}
    talk = hold(
        reply(),
        reply(),
        listen=[heard(thought), heard(again), heard()],
        words=("三个月了还这样", "是四个月了还这样", "嗯"),
    )
    old, new = talk.state.case
    assert (old.superseded, new.superseded) == (new.number, 0)
    shown = told(talk).context.values["case"]
    assert "四个月了还这样" in shown
    assert "三个月了还这样" not in shown


def test_who_speaks_of_it_after_all_has_lifted_the_boundary() -> None:
    drawn = note("boundary", "他走时那句先不说", "那句先不说")
    told_after_all = {**note("theme", "他说每次回来都后悔", "就是那句，每次回来都后悔"), "replaces": "他走时那句先不说"}
    talk = hold(
        reply(),
        reply(),
        listen=[heard(drawn), heard(told_after_all), heard()],
        words=("那句先不说", "就是那句，每次回来都后悔", "嗯"),
    )
    boundary, theme = talk.state.case
    assert (boundary.superseded, theme.superseded) == (theme.number, 0)
    assert "先不说" not in told(talk).context.values["case"]


def test_a_question_waits_until_it_is_taken_up() -> None:
    takes = reply("辞不辞，先看看眼下是什么撑不住。", takes_up=[1])
    talk = hold(reply(), takes, reply(), listen=[heard(QUESTION), heard()], words=(ASKED, "嗯", "好"))
    shown = [task.context.values["case"] for task in tasks(talk, "stretch")]
    assert shown == ["", "", "他问过、还没回应：[1] 该不该辞职", ""]
    assert talk.state.case[0].done > 0


def test_a_theme_is_not_taken_up_by_its_number() -> None:
    talk = hold(
        reply(takes_up=[1]), reply(takes_up=[1]), listen=heard(note("theme", "累", "很累")), words=("很累", "嗯")
    )
    assert talk.state.case[0].done == 0


def test_a_promise_of_ours_is_shown_until_it_is_kept() -> None:
    promises = reply("这个我们晚点回来说。", promises=["回来说弟弟的事"])
    talk = hold(promises, reply(takes_up=[1]), reply(), words=("我弟", "嗯", "好"))
    shown = [task.context.values["case"] for task in tasks(talk, "stretch")]
    assert shown == ["", "", "我们答应过、还没做：[1] 回来说弟弟的事", ""]
    assert talk.state.case[0].by == "ai"


def test_what_was_never_said_was_not_promised() -> None:
    """The second reply is the one that is said."""
    first = reply("什么时候开始的？", "起病", found=values(起病=("三月", "三月")), promises=["晚点说"])
    talk = hold(first, reply("几分？", "轻重"), words=("三月",))
    assert talk.said == ["几分？"]
    assert kept(talk) == []


def test_a_thought_is_kept_with_its_belief_before_and_after() -> None:
    later = reply(hot={"quote": THOUGHT, "belief": "六成"}, asks="follow")
    talk = hold(reply(hot=HOT, asks="follow"), later, reply(), words=(THOUGHT, "现在六成吧", "嗯"))
    (record,) = talk.state.case
    assert (record.kind, record.before, record.after) == ("thought", "九成", "六成")
    assert told(talk).context.values["case"] == f"念头：“{THOUGHT}”（信九成→六成）"


def test_each_change_is_recorded() -> None:
    talk = hold(reply(), reply(takes_up=[1]), listen=[heard(QUESTION), heard()], words=(ASKED, "嗯"))
    events = talk.happened("case")
    assert [(event.number, event.noted, event.text, event.quote) for event in events] == [
        (1, "question", "该不该辞职", ASKED)
    ] * 2
    assert [bool(event.done) for event in events] == [False, True]


def test_words_that_only_ask_back_are_not_noted() -> None:
    talk = hold(reply(), listen=heard(note("theme", "意思", "什么意思")), words=("什么意思",))
    assert tasks(talk, "listen") == []
    assert talk.state.case == []


def test_a_session_that_no_model_leads_keeps_none() -> None:
    model = {"risk": CALM, "ai_ask": asked(), "perceive": heard(note("theme", "累", "很累"))}
    talk = Talk(only(ai_ask("问", get("难处"), question="？"), declare=DECLARED), model)
    talk.say("很累")
    assert talk.state.case == []


# what is known, and not asked again


def single(**more: Any) -> Talk:
    """A stretch, and behind it a question for what was told in it beside."""
    behind = ai_ask("睡眠", get("睡眠"), question="睡得怎么样？", **more)
    note_of_sleep = heard(睡眠=("老醒", "老醒"))
    end = reply("嗯。", end=True, found=values(难处=("项目砸了", "项目砸了")))
    talk = hold(end, listen=note_of_sleep, actions=(stretch("难处", "起病", required=False), behind, say("完。")))
    talk.say(f"{WHAT}，夜里老醒")
    return talk


def test_a_question_for_what_was_told_is_passed_over() -> None:
    assert single().said[-1] == "完。"
    assert single(when_known="ask").said[-1].endswith("睡得怎么样？")


def test_what_was_refused_is_passed_over_too() -> None:
    refuses = note("boundary", "睡觉的事", "睡觉的事不想说", "睡眠")
    model = {"risk": CALM, "stretch": [OPENING, reply("好。", end=True)], "listen": heard(refuses)}
    actions = (stretch("难处", "起病", required=False), ask("睡得怎么样？", "睡眠"), say("完。"))
    talk = Talk(only(*actions, declare=DECLARED), model)
    talk.say("睡觉的事不想说")
    assert talk.said[-1] == "完。"


def test_what_is_about_danger_is_asked_all_the_same() -> None:
    wish = {"var": "念头", "type": "boolean", "define": "是否想过结束", "risk": True}
    refuses = note("boundary", "这些", "这一类的事我们就不谈了吧", "念头", "睡眠")
    model = {"risk": CALM, "stretch": [OPENING, reply("好。", end=True)], "listen": heard(refuses)}
    actions = (stretch("难处", "睡眠", required=False), ask("有过那样的念头吗？", "念头"), say("完。"))
    talk = Talk(only(*actions, declare=[*DECLARED, wish]), model)
    talk.say("这一类的事我们就不谈了吧")
    assert talk.state.case[0].about == ["念头", "睡眠"]
    assert talk.said[-1].endswith("有过那样的念头吗？")
