"""What a stretch does not insist on: ratings that make no sense, feedback before its time, lines that were drawn; and
that its prompt says one thing at a time, with what changes behind what stays."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, Node, ai_ask, asked, get, last, option, tasks, values, written
from tests.engine.scripts import check, only, phase, say, script, topic
from tests.engine.test_stretches import (
    DECLARED,
    FOUND,
    HOT,
    ITEMS,
    OPENING,
    THOUGHT,
    WHAT,
    heard,
    hold,
    redone,
    refusals,
    reply,
    stretch,
    told,
)

from heartrule.engine.session.tasks import Task
from heartrule.llm.prompt import render
from heartrule.testing.talk import Talk

BELIEF: Node = {
    "var": "相信",
    "type": "integer",
    "range": [0, 10],
    "define": "信几分",
    "depends_on": [{"var": "难处"}],
}
FEEDBACK: Node = {"var": "反馈", "type": "text", "listen": {"mode": "on_demand"}, "define": "今天聊得怎样"}


def rating(*replies: Any, **more: Any) -> Talk:
    """A stretch that needs a rating too, and feedback at its end."""
    items = (*ITEMS[:2], get("相信", question="信几分？"), get("反馈", question="今天聊得怎样？"))
    declare = [*DECLARED, BELIEF, FEEDBACK]
    built = only(stretch(*items, rounds="5-9"), say("完。"), declare=declare)
    return Talk(built, {"risk": CALM, "stretch": [OPENING, *replies], "listen": heard(), **more})


def say_all(talk: Talk, *words: str) -> Talk:
    for text in words:
        talk.say(text)
        check(talk)
    return talk


# ratings


BOTH = values(难处=("空的", "空的"), 起病=("三月", "三月"))


def test_a_rating_that_makes_no_sense_keeps_nobody() -> None:
    talk = rating(
        reply("嗯，空的也是实话。三月以来怎么过的？", found=BOTH, moot=["相信"]), reply("今天聊得怎样？", "反馈")
    )
    say_all(talk, "空的，三月就这样", "嗯")
    assert told(talk).values["open"] == "*反馈"
    assert "相信" not in told(talk).values["open"]
    assert refusals(talk) == [], "nobody has refused it"


def test_nothing_else_is_left_out_because_a_model_says_so() -> None:
    talk = rating(reply("好，就到这里。", end=True, moot=["难处", "起病", "反馈"]), reply("什么时候开始的？", "起病"))
    say_all(talk, "嗯", "嗯")
    assert told(talk).values["open"] == "*难处、*起病、*反馈"


def test_nothing_about_danger_is_left_out_either() -> None:
    wish = {"var": "念头", "type": "boolean", "define": "想过死", "risk": True, "depends_on": [{"var": "难处"}]}
    built = only(stretch("难处", get("念头", question="想过死吗？")), say("完。"), declare=[*DECLARED, wish])
    moot = reply("好，就到这里。", end=True, found=FOUND, moot=["念头"])
    talk = Talk(built, {"risk": CALM, "stretch": [OPENING, moot, moot], "listen": heard()})
    talk.say(WHAT)
    assert talk.said[-1].endswith("想过死吗？")


# what they cannot tell


def test_what_they_cannot_tell_is_neither_refused_nor_asked_again() -> None:
    asks = reply("那大概是哪个季节的事？", "起病", unknown=["起病"])
    talk = hold(
        asks, reply("好，那说说别的。最难的是什么？", "难处"), reply("嗯。"), words=("什么时候开始的真记不得了", "嗯")
    )
    assert refusals(talk) == [], "the case file does not say that they would not say it"
    assert redone(talk) == [["不能再问“起病”：问过了，他说不上来。问还没弄清的，或者跟着他的话走"]]
    assert talk.said == ["嗯。"]
    assert told(talk).values["open"] == "*难处、轻重"
    assert told(talk).values["closed"] == "起病"


def test_of_danger_not_knowing_is_no_end() -> None:
    wish = {"var": "念头", "type": "boolean", "define": "想过死", "risk": True}
    built = only(stretch("难处", get("念头", question="想过死吗？")), say("完。"), declare=[*DECLARED, wish])
    unsure = reply("说不清也没关系。有没有想过死？", "念头", unknown=["念头"], found=FOUND)
    talk = Talk(built, {"risk": CALM, "stretch": [OPENING, unsure, reply("嗯。")], "listen": heard()})
    talk.say(WHAT)
    assert talk.said[-1].endswith("有没有想过死？")
    assert "念头" in told(talk).values["outputs"]
    assert not talk.ended


# what counts only when it is asked for


def test_a_remark_on_the_way_is_no_feedback() -> None:
    early = reply("什么时候开始的？", "起病", found=values(难处=("砸了", "砸了"), 反馈=("问得挺细", "问得挺细")))
    talk = say_all(rating(early, reply()), "砸了，你问得挺细", "嗯")
    assert written(talk, "反馈") == []
    assert "反馈" in told(talk).values["open"]


def test_what_was_asked_for_counts_whatever_else_is_open() -> None:
    talk = rating(reply("今天聊得怎样？", "反馈"), reply("起病？", "起病", found=values(反馈=("挺好", "挺好"))))
    say_all(talk, "嗯", "挺好")
    assert last(talk, "反馈") == "挺好"


def test_so_does_what_is_told_when_nothing_else_is_needed() -> None:
    rest = values(相信=(7, "七分"), 反馈=("松快些", "松快些"))
    talk = say_all(rating(reply("信几分？", "相信", found=BOTH), reply("好。", end=True, found=rest)), "空的，三月")
    talk.say("七分吧，聊完松快些")
    assert last(talk, "反馈") == "松快些"
    assert talk.ended


def test_nobody_listens_for_it() -> None:
    talk = say_all(rating(reply(), listen=heard(反馈=("挺好", "挺好"))), "这儿挺好")
    (task,) = tasks(talk, "listen")
    assert "难处" in task.values["wanted"]
    assert "反馈" not in task.values["wanted"]
    assert written(talk, "反馈") == []


@pytest.mark.parametrize(
    ("words", "calls"), [("8", 0), ("大概七分吧", 0), ("还是 85%", 0), ("从五月开始", 1), ("8，还有气", 1)]
)
def test_of_a_mere_number_nobody_is_asked_what_else_it_tells(words: str, calls: int) -> None:
    talk = hold(reply(), words=(words,))
    assert len(tasks(talk, "listen")) == calls
    assert len(tasks(talk, "risk")) == 1, "of danger always"


# lines that are drawn


def line(text: str, quote: str, *covers: str) -> Any:
    return {"kind": "boundary", "text": text, "evidence": quote, "covers": list(covers)}


@pytest.mark.parametrize("words", ["不说这个", "跳过", "不想说"])
def test_a_bare_refusal_may_draw_a_line(words: str) -> None:
    """It answers nothing, and says what is not to be talked about: the model reads that from what was asked."""
    drawn = heard(line("老伴的事", words, "起病"))
    talk = hold(
        reply("老伴走了多久了？", "follow"), reply("好，不说这个。"), listen=[heard(), drawn], words=(WHAT, words)
    )
    assert ("boundary", ["起病"]) in refusals(talk)
    assert "老伴的事" in told(hold_on(talk)).context.values["case"]


def hold_on(talk: Talk) -> Talk:
    talk.say("嗯")
    return talk


def test_a_line_drawn_at_a_rating_holds_in_the_stretch_behind_it() -> None:
    score = ai_ask("问心情", get("心情", "integer"), question="心情几分？", max_rounds=2)
    model = {
        "risk": CALM,
        "ai_ask": asked("五分。", exit="YES", values=values(心情=(5, "五分"))),
        "stretch": [OPENING, reply()],
        "listen": [heard(line("我妈", "我妈的事别问", "起病")), heard()],
    }
    talk = Talk(only(score, stretch(), say("完。"), declare=DECLARED), model)
    talk.say("五分，我妈的事别问")
    assert told(talk).values["closed"] == "起病"
    assert "我妈" in told(talk).context.values["case"]


def test_a_line_drawn_at_a_choice_holds_and_who_words_the_choice_knows_the_file() -> None:
    model = {
        "risk": CALM,
        "choice": [
            {"choice": 0, "evidence": "", "rest": "", "declined": False, "content": "好，不提。想填吗？"},
            {"choice": 1, "evidence": "填吧", "rest": "", "declined": False, "content": ""},
        ],
        "stretch": [OPENING, reply()],
        "listen": [heard(line("我妈", "我妈的事别问", "起病")), heard()],
    }
    talk = Talk(only(say("填表吗？"), option("填", "好，填一下", "先不填"), stretch(), declare=DECLARED), model)
    talk.say("我妈的事别问，行不行")
    talk.say("那就填吧")
    shown = tasks(talk, "choice")[-1]
    assert "我妈" in prompt(shown, talk)
    assert told(talk).values["closed"] == "起病"


# one thing at a time


def paces(talk: Talk) -> list[str]:
    return [task.values["pace"] for task in tasks(talk, "stretch")]


HINTS = ("只剩", "先跟", "约定的长短到了", "都清楚了", "已连着")


@pytest.mark.parametrize(
    ("rounds", "replies", "words", "hint"),
    [
        ("3-4", [reply("几分？", "轻重")] * 2, ("嗯", "哦"), "只剩2轮，必要的还有2项"),
        ("2-9", [reply()] * 2, ("一", "二"), "约定的长短到了：必要的还有2项"),
        ("1-9", [reply(found=FOUND), reply()], (f"{WHAT}，三月开始的", "嗯"), "约定的长短到了：必要的还有1项"),
        (
            "5-9",
            [reply("多久了？", "起病"), reply("哪样最难？", "难处"), reply()],
            ("嗯", "哦", "啊"),
            "已连着3轮问清单",
        ),
        ("2-9", [reply("那一刻呢？", "follow", hot=HOT), reply()], (THOUGHT, "嗯"), "先跟热的念头"),
    ],
)
def test_the_pace_says_one_thing(rounds: str, replies: list[Any], words: tuple[str, ...], hint: str) -> None:
    talk = hold(*replies, words=words, actions=(stretch(rounds=rounds), say("完。")))
    said = paces(talk)[-1]
    assert hint in said
    assert sum(each in said for each in HINTS) == 1


def test_where_all_is_clear_and_the_time_is_up_it_says_to_close() -> None:
    both = values(难处=("项目砸了", "项目砸了"), 起病=("三月", "三月"))
    talk = hold(reply("嗯。", found=both), reply(), words=(f"{WHAT}，三月", "嗯"), actions=(stretch(rounds="1-9"),))
    assert "都清楚了" in paces(talk)[-1]


def test_in_the_last_turn_its_own_rule_says_all() -> None:
    talk = hold(*[reply()] * 2, words=("一", "二"), actions=(stretch(rounds="1-2"), say("完。")))
    assert not any(each in paces(talk)[-1] for each in HINTS)


def test_that_time_is_short_stands_against_nothing_that_is_needed() -> None:
    here = topic("T", stretch(rounds="8-12"), say("完。"), time_budget="10m")
    model = {"risk": CALM, "stretch": [OPENING, reply(), reply()], "listen": heard()}
    talk = Talk(script(phase("P", here), declare=DECLARED), model)
    talk.say("一")
    talk.say("二", seconds=540)
    assert "约定的长短到了：必要的还有2项" in paces(talk)[-1]
    assert "不追问细节" not in prompt(told(talk), talk)


# the prompt


def prompt(task: Task, talk: Talk) -> str:
    return "\n".join(each.text for each in render(task, talk.script).messages)


def test_what_stays_stands_before_what_changes() -> None:
    items = (*ITEMS, get("相信"))
    built = only(stretch(*items, rounds="5-9"), say("完。"), declare=[*DECLARED, BELIEF])
    model = {"risk": CALM, "stretch": [OPENING, reply("三月？", "起病", found=FOUND), reply()], "listen": heard()}
    talk = say_all(Talk(built, model), WHAT, "嗯")
    before, after = (prompt(task, talk) for task in tasks(talk, "stretch")[-2:])
    same = next(n for n, (one, other) in enumerate(zip(before, after, strict=False)) if one != other)
    assert WHAT in before[:same], "all that was said stands first, and is read again as it was"
    assert before.index("【对话】") < before.index("【这一段】")


@pytest.mark.parametrize(
    ("words", "few"), [("嗯", True), ("没睡好，白天开会老走神，领导说了两次，我也不知道怎么办", False)]
)
def test_who_uses_few_words_is_answered_in_few(words: str, few: bool) -> None:
    replies = [reply(f"后来呢{n}？") for n in range(5)]
    talk = hold(*replies, words=(words,) * 4, actions=(stretch(rounds="8-12"),))
    talk.say("然后呢")
    assert ("他话少，你也短" in prompt(told(talk), talk)) is few


def test_words_in_a_row_are_one_answer() -> None:
    replies = [reply(f"后来呢{n}？") for n in range(5)]
    talk = hold(*replies, actions=(stretch(rounds="8-12"),))
    for _ in range(4):
        talk.say("没睡好", "白天开会老走神", "领导说了两次", "我也不知道怎么办")
    assert "他话少" not in prompt(told(talk), talk)


def test_what_a_first_draft_has_called_moot_stays_so_in_the_next() -> None:
    talk = rating(reply("信几分？", "起病", end=True, found=BOTH, moot=["相信"]), reply("今天聊得怎样？", "反馈"))
    talk.say("空的，三月")
    assert len(redone(talk)) == 1
    assert talk.said == ["今天聊得怎样？"]
    assert told(talk).values["open"] == "*反馈"


def test_what_counts_once_asked_may_be_asked_though_something_was_taken_for_it() -> None:
    """A correction on the way is no look at the whole."""
    late = values(反馈=("没有了", "没有了"))
    talk = rating(
        reply("信几分？", "相信", found=BOTH),
        reply("八分。今天聊得怎样？", "反馈", found=values(相信=(8, "八分"), 反馈=("还行", "还行"))),
        reply("好。", end=True, found=late),
    )
    say_all(talk, "空的，三月就这样", "八分，还行", "没有了")
    assert redone(talk) == []
    assert last(talk, "反馈") == "没有了"
