"""Typed words at a choice, at a suggested line and at the offer of a hard topic: a model says which one is meant and
what else they say; its word counts where a quote of theirs stands for it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import (
    CALM,
    INTENT,
    Data,
    acknowledgements,
    ai_ask,
    judged,
    leaves_a_question,
    option,
    press,
    spoken,
    tasks,
    written,
)
from tests.engine.scripts import Node, ask, check, only, phase, say, script, topic
from tests.engine.test_asides import aside, perceived
from tests.engine.test_speech import both

from heartrule.engine.session.io import Input, Needs, Words, World
from heartrule.engine.turn import UnderWay
from heartrule.testing.talk import Talk, shipped

MENU = "从上面的选项里选"
LABELS = ("好，填一下", "这次先不填")
CONDITIONAL = "可以谈一点，不过小时候家里的事我不想说"


def chosen(number: int, evidence: str = "", content: str = "", rest: str = "", *, declined: bool = False) -> Data:
    """What a model reads in words at a choice; 0: none of them."""
    return {"choice": number, "evidence": evidence, "rest": rest, "declined": declined, "content": content}


def offered(read: Any, *more: Node, menu: Node | None = None, heard: Any = None, **session: Any) -> Talk:
    table = {"risk": CALM, "choice": read} | ({"perceive": heard} if heard else {})
    return Talk(only(say("填一下这张表？"), menu or option("愿意", *LABELS), *more, say("完"), **session), table)


def test_what_is_meant_is_picked_with_the_words_that_say_so() -> None:
    talk = offered(chosen(2, "一看到表格就头大"))
    talk.say("一看到表格就头大，饶了我吧")
    assert written(talk, "愿意") == [("b", "json", "一看到表格就头大")]
    assert talk.said == ["完"], "nothing else was said, so nothing is said about it"
    check(talk)


@pytest.mark.parametrize(
    ("text", "evidence", "kept"),
    [
        ("can we finish the work thing first", "can we finish the work thing first", None),
        (
            "it's me deciding what my boss thinks about me and about my work every day",
            "it's me deciding what my boss thinks about me and about my work every day",
            "it's me deciding what my boss thinks about me and",
        ),
    ],
)
def test_a_quote_is_kept_up_to_a_whole_word(text: str, evidence: str, kept: str | None) -> None:
    talk = offered(chosen(2, evidence))
    talk.say(text)
    assert written(talk, "愿意") == [("b", "json", kept or evidence)]


def test_what_they_said_beside_it_is_taken_up_before_what_comes_next() -> None:
    talk = offered(chosen(1, "可以啊", "十六分，我记着。", "在医院填过一次，好像是十六分"), ask("还有呢？", "还有"))
    talk.say("可以啊，不过我在医院填过一次，好像是十六分")
    assert written(talk, "愿意") == [("a", "json", "可以啊")]
    assert talk.said == ["十六分，我记着。", "还有呢？"]
    assert acknowledgements(talk) == 0
    check(talk)


def test_only_what_stands_before_a_question_is_said_with_a_choice() -> None:
    talk = offered(chosen(1, "可以", "好，就到你愿意的地方。你多大？"))
    talk.say(CONDITIONAL)
    assert talk.said == ["好，就到你愿意的地方。", "完"]


def test_what_else_was_said_is_written_by_what_listens_beside_it() -> None:
    told = perceived(aside("哪里", "在医院填过", "在医院填过"))
    declare = [{"var": "哪里", "type": "text", "define": "上次在哪里填的"}]
    talk = offered(chosen(1, "可以啊"), ai_ask("哪里", "哪里", question="在哪？"), heard=told, declare=declare)
    talk.say("可以啊，我在医院填过一次")
    assert written(talk, "哪里") == [("在医院填过", "passive", "在医院填过")]
    assert written(talk, "愿意") == [("a", "json", "可以啊")]


def test_what_is_put_right_at_a_choice_is_written() -> None:
    told = perceived(aside("起因", "搬家", "是搬家以后"))
    declare = [{"var": "起因", "type": "text", "define": "起因"}]
    actions = (ask("怎么开始的？", "起因"), say("填一下？"), option("愿意", *LABELS), say("完"))
    first = {"understood": True, "values": {"起因": {"value": "换组", "evidence": "换组"}}, "content": ""}
    model = {
        "risk": CALM,
        "ask": first,
        "perceive": told,
        "choice": chosen(1, "填吧", "好，是搬家以后。", "是搬家以后"),
    }
    talk = Talk(only(*actions, declare=declare), model)
    talk.say("换组")
    talk.say("填吧，对了不是换组，是搬家以后")
    assert [each[:2] for each in written(talk, "起因")] == [("换组", "json"), ("搬家", "correction")]
    assert talk.said == ["好，是搬家以后。", "完"]


def test_a_condition_is_a_yes() -> None:
    talk = offered(chosen(1, "可以谈一点", "好，小时候家里的事不碰。", "小时候家里的事我不想说"))
    talk.say(CONDITIONAL)
    assert written(talk, "愿意")[0][0] == "a"
    assert talk.said[0] == "好，小时候家里的事不碰。"


def test_where_none_is_meant_the_words_are_answered_and_the_choices_stay() -> None:
    talk = offered(chosen(0, content="不进病历，只留在这里。愿意填的话告诉我一声。"))
    talk.say("这个分数会进我的病历吗")
    assert talk.said == ["不进病历，只留在这里。愿意填的话告诉我一声。"]
    assert [choice.value for choice in talk.request.choices] == ["a", "b"]
    assert written(talk, "愿意") == []
    talk.choose("a")
    assert talk.ended
    check(talk)


def test_without_words_of_its_own_the_script_s_are_said() -> None:
    talk = offered(chosen(0), menu=option("愿意", *LABELS, fallback="填还是不填，都行。"))
    talk.say("嗯这个嘛")
    assert talk.said == ["填还是不填，都行。"]


def test_a_question_that_comes_with_no_choice_waits_for_an_answer() -> None:
    talk = offered([chosen(0, content="不急。你想填吗？"), chosen(1, "那就来")])
    talk.say("我先想想看")
    assert leaves_a_question(talk)
    talk.say("那就来呗")
    assert written(talk, "愿意")[0][0] == "a"


# who would rather not choose


def test_who_declines_is_not_asked_again_where_that_is_allowed() -> None:
    talk = offered(chosen(0, content="好，先不说这个。", declined=True), menu=option("愿意", *LABELS, required=False))
    talk.say("别问我这个")
    assert talk.said == ["好，先不说这个。", "完"]
    assert written(talk, "愿意") == []
    assert [event.outcome for event in talk.happened("marker") if event.edge == "after"][-2] == "refused"
    check(talk)


@pytest.mark.parametrize("model", [None, {"risk": CALM}], ids=["no model", "a model that fails"])
def test_who_says_skip_is_not_asked_again_either(model: Any) -> None:
    talk = Talk(only(say("填？"), option("愿意", *LABELS, required=False), say("完")), model)
    talk.say("跳过")
    assert talk.said[0] in spoken(talk, "refused")
    assert talk.ended
    assert written(talk, "愿意") == []


def test_elsewhere_what_must_be_chosen_stays_and_nobody_is_pressed() -> None:
    talk = offered(chosen(0, content="不想答也行，不勉强。", declined=True))
    talk.say("别问我这个")
    assert talk.said == ["不想答也行，不勉强。"]
    assert talk.request.kind == "choice"


# strictly


@pytest.mark.parametrize("evidence", ["想填", "没说过的话", "", None, 3])
def test_what_nothing_proves_is_asked_about(evidence: Any) -> None:
    talk = offered({**chosen(1, content="好。"), "evidence": evidence})
    talk.say("谁说我不想填了")
    assert talk.said == ["你的意思是“好，填一下”，对吗？"]
    assert written(talk, "愿意") == []
    assert talk.request.kind == "choice"
    talk.say("对")
    assert [each[:2] for each in written(talk, "愿意")] == [("a", "set")]
    assert len(tasks(talk, "choice")) == 1


@pytest.mark.parametrize("words", ["嗯", "不是", "对什么对"])
def test_what_was_asked_about_is_not_picked_by_less_than_a_yes(words: str) -> None:
    talk = offered([chosen(1, "没说过"), chosen(0, content="那你想怎样呢？")])
    talk.say("谁知道呢这事")
    talk.say(words)
    assert written(talk, "愿意") == []
    assert talk.said == ["那你想怎样呢？"]


def test_a_denied_or_mocked_label_is_no_pick_though_it_stands_there() -> None:
    talk = offered(chosen(0, content="哈，是有点像打卡。你自己想填吗？"))
    talk.say("还“好，填一下”，跟打卡似的")
    assert talk.said == ["哈，是有点像打卡。你自己想填吗？"]
    assert written(talk, "愿意") == []


@pytest.mark.parametrize("number", [3, -1, 1.5, True, "b", None, [1]])
def test_a_number_that_none_has_is_no_answer(number: Any) -> None:
    talk = offered({**chosen(1, "再说吧"), "choice": number})
    talk.say("再说吧这个")
    assert written(talk, "愿意") == []
    assert talk.said[0] in spoken(talk, "choose_again")


LEAVING: list[Node] = [
    {"value": "go", "label": "没事，接着谈"},
    {"value": "stop", "label": "今天就到这里", "farewell": "好，今天就到这里。"},
]


def leaving(read: Data) -> Talk:
    return offered(read, menu={"type": "user_option", "var": "停", "choices": LEAVING})


def test_what_ends_the_session_is_picked_by_plain_words() -> None:
    talk = leaving(chosen(2, "下次再聊", "路上慢点。"))
    talk.say("我得去接孩子了，下次再聊吧")
    assert talk.ended
    assert talk.said == ["路上慢点。", "好，今天就到这里。"]


@pytest.mark.parametrize(
    "words", ["要不下次再聊？", "下次再聊……", "说不好，可能下次再聊吧", "我妈说下次再聊", "下次再聊个屁"]
)
def test_what_ends_the_session_is_asked_about_where_it_is_not_plain(words: str) -> None:
    talk = leaving(chosen(2, "下次再聊", "好。"))
    talk.say(words)
    assert not talk.ended
    assert talk.said == ["你的意思是“今天就到这里”，对吗？"]
    talk.say("是的")
    assert talk.ended


def test_the_prompt_marks_what_must_be_said_plainly() -> None:
    talk = leaving(chosen(0, content="嗯，你说。"))
    talk.say("我不是想停")
    [task] = tasks(talk, "choice")
    assert task.values["options"] == "1. 没事，接着谈\n2. 今天就到这里（明说才算）"
    assert task.values["question"] == "填一下这张表？"


WISH: Node = {"var": "念头", "type": "boolean", "risk": True, "define": "是否有过念头"}
ABOUT_RISK: Node = {
    "type": "user_option",
    "var": "念头",
    "required": False,
    "choices": [{"value": True, "label": "有过"}, {"value": False, "label": "没有过"}],
}


def test_a_danger_is_raised_by_other_words_and_its_line_is_not_said() -> None:
    talk = offered(chosen(1, "闪过一下", "谢谢你说。"), menu=ABOUT_RISK, declare=[WISH])
    talk.say("前天晚上闪过一下")
    assert written(talk, "念头")[0] == (True, "json", "闪过一下")
    assert "谢谢你说。" not in talk.said
    assert talk.state.running is not None
    assert talk.state.running.project == "safety"


def test_that_there_is_no_danger_is_only_taken_from_plain_words() -> None:
    talk = offered([chosen(2, "都好"), chosen(2, "没有过")], menu=ABOUT_RISK, declare=[WISH])
    talk.say("我都好得很，问这个干嘛")
    assert written(talk, "念头") == []
    assert talk.said == ["你的意思是“没有过”，对吗？"]
    talk.say("没有过，真的")
    assert written(talk, "念头")[0][0] is False


def test_who_declines_to_say_whether_there_is_a_danger_is_not_left_alone_with_it() -> None:
    talk = offered(chosen(0, content="不想说也行。", declined=True), menu=ABOUT_RISK, declare=[WISH])
    talk.say("别问我这个")
    assert not talk.ended
    assert talk.request.kind == "choice"


def test_words_of_explicit_intent_pick_nothing() -> None:
    talk = Talk(
        only(say("填？"), option("愿意", *LABELS)), {"risk": judged("yes"), "choice": chosen(1, "好", "好的。")}
    )
    talk.say(f"好，{INTENT['zh']}")
    assert written(talk, "愿意") == []
    assert "好的。" not in talk.said


# what the rules know


@pytest.mark.parametrize("words", ["好，填一下", "填一下", "1", "第二个", "这次先不填", "嗯，填一下"])
def test_nobody_is_asked_where_the_words_are_a_choice_and_no_more(words: str) -> None:
    talk = offered(chosen(0))
    talk.say(words)
    assert talk.ended
    assert tasks(talk, "choice") == []
    assert written(talk, "愿意")[0][1] == "set"


def test_the_script_s_own_replies_come_first() -> None:
    replies = [{"pattern": "头大", "say": "那就不填。", "pick": "b"}]
    talk = offered(chosen(1, "头大"), menu=option("愿意", *LABELS, replies=replies))
    talk.say("看着头大")
    assert talk.said == ["那就不填。", "完"]
    assert tasks(talk, "choice") == []


def test_a_label_with_more_beside_it_is_asked_about() -> None:
    talk = offered(chosen(1, "填一下", "手机上点就行。"))
    talk.say("好，填一下，可是我没带笔")
    assert talk.said == ["手机上点就行。", "完"]
    assert len(tasks(talk, "choice")) == 1


@pytest.mark.parametrize("model", [None, {"risk": CALM}], ids=["no model", "a model that fails"])
@pytest.mark.parametrize(
    ("words", "value"),
    [("填一下", "a"), ("嗯嗯，填一下", "a"), ("这次先不填", "b"), ("头大", None), ("没想好要不要填", None)],
)
def test_without_an_answer_it_is_as_it_was(model: Any, words: str, value: str | None) -> None:
    talk = Talk(only(say("填？"), option("愿意", *LABELS), say("完")), model)
    talk.say(words)
    assert [each[0] for each in written(talk, "愿意")] == ([value] if value else [])
    assert talk.said[0] in ({"完"} if value else spoken(talk, "choose_again"))
    check(talk)


def test_no_model_is_asked_in_the_safety_project() -> None:
    talk = Talk(only(say("填？"), option("愿意", *LABELS)), {"risk": judged("yes"), "choice": chosen(1, "好")})
    talk.say(INTENT["zh"])
    for _ in range(12):
        if talk.request.kind == "choice":
            break
        talk.say("没有")
    talk.say("我也说不清楚现在怎样")
    assert talk.state.running is not None
    assert talk.state.running.project == "safety"
    assert tasks(talk, "choice") == []


def test_what_was_picked_in_own_words_is_not_asked_about_where_it_differs() -> None:
    """Whoever is asked to choose anew is not asked which of the two counts."""
    declare = [{"var": "愿意", "type": "enum", "options": ["a", "b"], "confirm_change": True}]
    talk = offered([chosen(1, "来吧"), chosen(2, "不来了")], option("愿意", *LABELS), declare=declare)
    talk.say("来吧来吧")
    talk.say("想想还是不来了")
    assert [each[0] for each in written(talk, "愿意")] == ["a", "b"]
    assert talk.said == ["完"]


def test_a_reply_that_is_still_being_written_comes_to_the_same() -> None:
    script_ = only(say("填？"), option("愿意", *LABELS), ask("还有呢？", "还有"))
    for read in (
        chosen(1, "可以啊", "十六分，我记着。你呢？"),
        chosen(0, content="不进病历。想填吗？"),
        chosen(1, "没说过", "好。"),
    ):
        both(script_, {"risk": CALM, "choice": read}, ["可以啊，上次十六分"])


# a suggested line


def pressed(read: Any, **more: Any) -> Talk:
    return Talk(only(say("歇一下。"), press("好了，接着聊吧"), say("完"), **more), {"risk": CALM, "choice": read})


def test_friendly_words_go_on_past_a_suggested_line() -> None:
    talk = pressed(chosen(1, "水喝完了", "喝点水好。"))
    talk.say("水喝完了")
    assert talk.said == ["喝点水好。", "完"]
    assert acknowledgements(talk) == 0
    assert tasks(talk, "choice")[0].values["press"]


def test_with_nothing_to_take_up_they_are_acknowledged_as_before() -> None:
    talk = Talk(
        only(say("歇一下。"), press("好了，接着聊吧"), ask("还有呢？", "还有")),
        {"risk": CALM, "choice": chosen(1, "回来啦")},
    )
    talk.say("我又回来啦哈")
    assert acknowledgements(talk) == 1


def test_a_question_at_a_suggested_line_is_answered_and_the_line_stays() -> None:
    talk = pressed(chosen(0, content="大概还有一刻钟。缓好了说一声。"))
    talk.say("还要多久才完")
    assert talk.said == ["大概还有一刻钟。缓好了说一声。"]
    assert talk.request.kind == "press"


def test_who_does_not_want_to_go_on_is_not_pushed() -> None:
    talk = pressed(chosen(0, content="好，不急。", declined=True))
    talk.say("我不太想继续了")
    assert talk.said == ["好，不急。"]
    assert talk.request.kind == "press"


@pytest.mark.parametrize("words", ["好了", "嗯嗯", "好的", "接着聊吧"])
def test_a_plain_yes_at_a_suggested_line_asks_nobody(words: str) -> None:
    talk = pressed(chosen(0))
    talk.say(words)
    assert talk.ended
    assert tasks(talk, "choice") == []


def test_a_suggested_line_without_an_answer_is_as_it_was() -> None:
    talk = pressed(None)
    talk.say("还没呢")
    assert talk.said[0] in spoken(talk, "press_again")
    talk.say("水喝完了")
    assert talk.ended


# the offer of a hard topic


def hard(read: Any) -> Talk:
    steps = [
        topic("失去", ask("那时怎样？", "那时"), id="t2", sensitive=True),
        topic("支持", ask("身边有谁？", "谁"), id="t3"),
    ]
    return Talk(script(phase("P", *steps)), {"risk": CALM, "choice": read})


def decided(talk: Talk) -> list[str]:
    return [event.choice for event in talk.happened("announced") if event.choice]


def test_a_hard_topic_is_gone_into_as_far_as_they_wish() -> None:
    talk = hard(chosen(1, "可以谈一点", "好，小时候家里的事不碰。"))
    talk.say(CONDITIONAL)
    assert decided(talk) == ["go_on"]
    assert talk.said == ["好，小时候家里的事不碰。", "那时怎样？"]


def test_it_is_put_off_with_a_word_to_what_they_said() -> None:
    talk = hard(chosen(2, "等会儿", "嗯，先说工作。"))
    talk.say("等会儿吧，先让我把工作那摊说完")
    assert decided(talk) == ["later"]
    assert talk.said[0] == "嗯，先说工作。"
    assert talk.said[1] in spoken(talk, "sensitive_put_off")
    assert talk.said[-1] == "身边有谁？"


def test_who_would_rather_not_decide_is_not_led_into_it() -> None:
    talk = hard(chosen(0, content="不用现在定。", declined=True))
    talk.say("别问我，你看着办")
    assert decided(talk) == ["skip"]


def test_a_question_about_it_is_answered_and_the_offer_stands() -> None:
    talk = hard(chosen(0, content="不是非得说。想现在谈，还是放一放？"))
    talk.say("非得说吗，我一想到那几年手就抖")
    assert decided(talk) == []
    assert talk.said == ["不是非得说。想现在谈，还是放一放？"]
    assert talk.request.kind == "choice"


@pytest.mark.parametrize(("words", "evidence"), [("嗯……", "嗯"), ("谈就谈咯随便", "没说过")])
def test_nobody_agrees_by_a_murmur_or_by_words_that_nothing_proves(words: str, evidence: str) -> None:
    talk = hard(chosen(1, evidence, "好。"))
    talk.say(words)
    assert decided(talk) == []
    assert talk.said[0] in spoken(talk, "sensitive_hesitant")


@pytest.mark.parametrize(
    ("words", "value"), [("可以谈", "go_on"), ("先缓缓", "later"), ("跳过", "skip"), ("不谈", "skip")]
)
def test_the_scheme_s_own_words_for_it_ask_nobody(words: str, value: str) -> None:
    talk = hard(chosen(0))
    talk.say(words)
    assert decided(talk) == [value]
    assert tasks(talk, "choice") == []


# what it costs


@pytest.mark.parametrize(
    ("words", "opened"),
    [
        ("可以的，开始吧。不过我不太会聊这些，可能会讲得比较乱", []),
        ("我叫小雨，行是行，就是只有二十分钟", ["stretch"]),
    ],
)
def test_a_turn_at_a_choice_asks_at_most_three_things_at_once(words: str, opened: list[str]) -> None:
    """``opened``: who has told their name is not asked for it, and what comes then is a stretch that a model opens."""
    talk = Talk(shipped("cbt/first_assessment"), {"risk": CALM})
    world = World(
        script=talk.script,
        state=talk.state,
        variables=talk.variables,
        history=tuple(talk.history),
        now=talk.now,
        model=True,
        spoken=talk._spoken,
    )
    seen = talk.state.messages
    under_way = UnderWay(world, Input("message", (Words(words, seen),), after=seen))
    table = {
        "risk": CALM,
        "choice": chosen(1, words[:4], "慢慢说，乱一点没关系。"),
        "listen": perceived(aside("称呼", "小雨", "小雨")) if "小雨" in words else perceived(),
    }
    talk.model = table
    answers: dict[str, Any] = {}
    trips: list[int] = []
    while isinstance(needs := under_way.go_on(answers), Needs):
        trips.append(len(needs.tasks))
        answers |= talk.answered(needs.tasks)
    assert trips == [3, *(1 for _ in opened)]
    assert sorted(task.template for task in talk.asked[:3]) == ["choice", "listen", "risk"]
    assert [task.template for task in talk.asked[3:]] == opened
    said = [message.text for message in needs.messages if message.sender == "ai"]
    assert said[0] == "慢慢说，乱一点没关系。"
    assert MENU not in "".join(said)
