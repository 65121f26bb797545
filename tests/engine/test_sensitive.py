"""Topics that may be hard to talk about: announced in the scheme's own words before their first action, with a choice
whether they are talked about now, later, or not at all."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import CALM, INTENT, WATCH, ai_ask, asked
from tests.engine.scripts import (
    Node,
    ask,
    causes,
    check,
    phase,
    roundtrip,
    say,
    script,
    skill,
    spoken,
    topic,
    topics,
    use,
)
from tests.engine.test_directives import call, directive, watcher

from heartrule.engine.session.io import Input, Who
from heartrule.testing.talk import Talk

WORD = "苹果"
HEARD = {"understood": True, "values": {"近况": {"value": "还行", "evidence": "还行"}}, "content": "嗯。"}
GO_ON, LATER, SKIP = "go_on", "later", "skip"


def hard(*actions: Node, **more: Any) -> Node:
    return topic("失去", *(actions or (ask("那时怎样？", "那时", id="q2"),)), id="t2", sensitive=True, **more)


def steps(*more: Node, **of_it: Any) -> list[Node]:
    return [
        topic("近况", ask("近来怎样？", "近况", id="q1"), id="t1"),
        hard(**of_it),
        topic("支持", ask("身边有谁？", "谁", id="q3"), id="t3"),
        *more,
    ]


def hold(*topics_: Node, model: Any = None, skills: Any = (), awareness: Any = (), **session: Any) -> Talk:
    return Talk(script(phase("P", *(topics_ or steps())), skills=skills, awareness=awareness, **session), model)


def come_to(talk: Talk) -> Talk:
    talk.say("还行")
    return talk


def offered(talk: Talk) -> list[str]:
    return [choice.value for choice in talk.request.choices]


def told(talk: Talk) -> list[str]:
    return [event.choice or "announced" for event in talk.happened("announced")]


# announced


def test_the_topic_is_named_with_a_choice_before_its_first_words() -> None:
    talk = come_to(hold())
    assert "失去" in talk.said[-1]
    assert "那时怎样？" not in "".join(spoken(talk))
    assert offered(talk) == [GO_ON, LATER, SKIP]
    assert talk.history[-1].content_type == "choice"
    assert told(talk) == ["announced"]
    assert talk.happened("announced")[0].topic == "t2"
    check(talk)


@pytest.mark.parametrize("words", ["I'd rather not.", "I don't really want to"])
def test_in_english(words: str) -> None:
    actions = ask("How was that?", "how", id="q2")
    talk = Talk(script(phase("P", topic("Losing him", actions, id="t2", sensitive=True)), locale="en"))
    assert "“Losing him”" in talk.said[-1]
    assert [choice.label for choice in talk.request.choices] == ["Yes, let's talk about it", "Leave this out"]
    talk.say(words)
    assert told(talk) == ["announced", SKIP]
    assert talk.state.ended


def test_the_last_answer_is_acknowledged_before_it() -> None:
    talk = come_to(hold())
    assert len(talk.said) == 1
    assert "\n" in talk.said[0], "one message: a word for what was said, then the announcement"


def test_a_topic_that_is_not_marked_is_not_announced() -> None:
    second = topic("二", ask("二？", "b"), sensitive=False, id="t2")
    talk = come_to(hold(topic("一", ask("一？", "a"), id="t1"), second))
    assert talk.said[-1].endswith("二？")
    assert told(talk) == []


def test_who_goes_on_comes_to_its_first_action() -> None:
    talk = come_to(hold())
    assert talk.choose(GO_ON)[-1].endswith("那时怎样？")
    assert talk.at == "q2"
    assert talk.state.running is not None
    assert talk.state.running.plan is None, "it is gone through as written"
    assert told(talk) == ["announced", GO_ON]
    talk.say("很难")
    assert talk.at == "q3"
    assert topics(talk, "completed") == ["t1", "t2"]
    check(talk)


def test_who_leaves_it_out_is_not_asked_why() -> None:
    talk = come_to(hold())
    talk.choose(SKIP)
    assert talk.at == "q3"
    assert talk.said[0].startswith("好，这个我们不谈")
    assert causes(talk, "skipped") == {"t2": "left out by the person"}
    assert told(talk) == ["announced", SKIP]
    assert talk.state.phase is not None
    assert [(each.ref, each.state) for each in talk.state.phase.finished] == [("t1", "completed"), ("t2", "skipped")]
    check(talk)


def test_who_wants_it_later_is_asked_once_more_at_the_end_of_the_phase() -> None:
    talk = come_to(hold())
    talk.choose(LATER)
    assert talk.at == "q3"
    assert causes(talk, "planned") == {"t2": "put off by the person"}
    assert talk.state.phase is not None
    assert [planned.ref for planned in talk.state.phase.queue] == ["t2"]
    check(talk)
    talk.say("朋友")
    assert "失去" in talk.said[-1]
    assert talk.said[-1] != spoken(talk)[1]
    assert offered(talk) == [GO_ON, SKIP], "there is no later any more"
    talk.choose(GO_ON)
    assert talk.at == "q2"
    assert talk.state.running is not None
    assert talk.state.running.attempts == 1
    talk.say("很难")
    assert talk.state.ended
    check(talk)


def test_there_is_no_later_where_nothing_comes_behind_it() -> None:
    talk = come_to(hold(*steps()[:2]))
    assert offered(talk) == [GO_ON, SKIP]
    talk.say("以后再说")
    assert talk.state.ended
    assert causes(talk, "skipped") == {"t2": "left out by the person"}


def test_what_is_deferred_to_the_end_of_the_phase_comes_behind_what_was_put_off() -> None:
    first = topic("近况", use("note", timing="after_phase", id="u"), ask("近来怎样？", "近况", id="q1"), id="t1")
    talk = come_to(hold(first, *steps()[1:], skills=[skill("记", say("记下了。"), id="note")]))
    talk.choose(LATER)
    talk.say("朋友")
    talk.choose(SKIP)
    assert spoken(talk)[-1] == "记下了。"
    assert talk.state.ended
    check(talk)


# words in place of a choice


@pytest.mark.parametrize(
    ("words", "choice"),
    [
        ("好", GO_ON),
        ("可以。", GO_ON),
        ("现在谈", GO_ON),
        ("晚点再说吧", LATER),
        ("现在不想说", LATER),
        ("第二个", LATER),
        ("我想先缓缓", LATER),
        ("不想", SKIP),
        ("不是很想谈。", SKIP),
        ("不想谈", SKIP),
        ("跳过", SKIP),
        ("停", SKIP),
    ],
)
def test_words_that_are_a_choice(words: str, choice: str) -> None:
    talk = come_to(hold())
    talk.say(words)
    assert told(talk) == ["announced", choice]
    assert talk.happened("announced")[1].by_words
    check(talk)


@pytest.mark.parametrize("words", ["今天天气不错", "不", "他走的时候是冬天"])
def test_other_words_choose_nothing_and_the_choice_stands(words: str) -> None:
    talk = come_to(hold())
    talk.say(words)
    assert told(talk) == ["announced"]
    assert offered(talk) == [GO_ON, LATER, SKIP]
    assert "那时怎样？" not in "".join(spoken(talk))
    check(talk)


def test_who_asks_to_hear_it_again_does() -> None:
    talk = come_to(hold())
    announced = talk.state.running.action.question if talk.state.running and talk.state.running.action else ""
    talk.say("再说一遍")
    assert announced in talk.said[-1]
    assert told(talk) == ["announced"]


@pytest.mark.parametrize("model", [None, {"risk": CALM}], ids=["no model", "model"])
def test_danger_goes_first_and_the_choice_is_put_again_behind_it(model: Any) -> None:
    talk = come_to(hold(model=model))
    talk.say(INTENT["zh"])
    assert talk.state.running is not None
    assert talk.state.running.ref == "safety/crisis_support"
    assert [frame.ref for frame in talk.state.suspended] == ["t2"]
    assert told(talk) == ["announced"], "the technique for danger is never announced so"
    check(talk)


def test_after_an_interruption_the_choice_stands_once_more() -> None:
    calm = skill("缓", ask("好些了吗？", id="calm_ask"), id="calm")
    talk = come_to(hold(skills=[calm], awareness=[watcher(call("calm"))]))
    talk.say(WORD)
    assert talk.at == "calm_ask"
    talk.say("好些了")
    assert "失去" in talk.said[-1]
    assert offered(talk) == [GO_ON, LATER, SKIP]
    assert told(talk) == ["announced"]
    talk.choose(GO_ON)
    assert talk.at == "q2"
    check(talk)


def test_a_counsellor_who_hands_back_hands_the_choice_back() -> None:
    talk = come_to(hold())
    who = Who("c1", "林")
    talk.move(Input("takeover", who=who))
    talk.move(Input("hand_back", who=who))
    assert "失去" in talk.said[-1]
    assert offered(talk) == [GO_ON, LATER, SKIP]


def test_with_a_model_nothing_is_asked_of_it_for_the_announcement() -> None:
    talk = come_to(hold(model={"risk": CALM, "ask": HEARD}))
    before = len(talk.asked)
    talk.choose(GO_ON)
    assert talk.at == "q2"
    assert len(talk.asked) == before


# once


def test_it_is_asked_once_whatever_happens_to_the_state() -> None:
    talk = come_to(hold())
    roundtrip(talk)
    assert offered(talk) == [GO_ON, LATER, SKIP]
    talk.choose(GO_ON)
    roundtrip(talk)
    talk.move(Input("resume"))
    talk.say("很难")
    assert told(talk) == ["announced", GO_ON]
    assert talk.at == "q3"


def test_a_repeated_topic_is_announced_before_its_first_pass_only() -> None:
    again = {"until": "那时 == '完'", "max": 3}
    talk = come_to(hold(*steps(repeat=again)))
    talk.choose(GO_ON)
    talk.say("难")
    assert talk.at == "q2"
    talk.say("完")
    assert talk.at == "q3"
    assert told(talk) == ["announced", GO_ON]
    check(talk)


def test_who_has_agreed_is_not_asked_again_when_the_topic_is_come_back_to_in_the_phase() -> None:
    back = topic("支持", ask("再谈谈？", "再", id="q3"), id="t3", transitions=[{"to": "t2", "condition": "再 == '要'"}])
    talk = come_to(hold(steps()[0], hard(), back))
    talk.choose(GO_ON)
    talk.say("难")
    talk.say("要")
    assert talk.at == "q2"
    assert told(talk) == ["announced", GO_ON]


def test_who_has_left_it_out_is_asked_again_when_something_leads_back_to_it() -> None:
    back = topic("支持", ask("再谈谈？", "再", id="q3"), id="t3", transitions=[{"to": "t2", "condition": "再 == '要'"}])
    talk = come_to(hold(steps()[0], hard(), back))
    talk.choose(SKIP)
    talk.say("要")
    assert told(talk) == ["announced", SKIP, "announced"]
    check(talk)


def family(*behind: Node) -> list[Node]:
    people = {"var": "家人", "type": "list", "value": ["爸", "妈", "妹"], "scope": "session"}
    each = {"in": "家人", "as": "人", "max": 8}
    first = topic("近况", ask("近来怎样？", "近况", id="q1"), id="t1", declare=[people])
    return [first, hard(ask("{人}怎样？", "那时", id="q2"), for_each=each), *behind]


def test_of_instances_the_first_asks_for_all() -> None:
    talk = come_to(hold(*family()))
    assert "失去”" in talk.said[-1], "by the topic's own name"
    talk.choose(GO_ON)
    for _ in range(3):
        assert talk.at == "q2"
        talk.say("还好")
    assert told(talk) == ["announced", GO_ON]
    assert talk.state.ended
    check(talk)


def test_instances_that_are_left_out_are_left_out_together() -> None:
    talk = come_to(hold(*family(steps()[2])))
    talk.choose(SKIP)
    assert talk.at == "q3"
    skipped = [event.cause for event in talk.happened("topic") if event.state == "skipped"]
    assert skipped == ["left out by the person"] * 3
    check(talk)


def test_instances_that_are_put_off_are_put_off_together_in_their_order() -> None:
    talk = come_to(hold(*family(steps()[2])))
    talk.choose(LATER)
    assert talk.at == "q3"
    assert talk.state.phase is not None
    assert [planned.item for planned in talk.state.phase.queue] == ["爸", "妈", "妹"]
    talk.say("朋友")
    assert offered(talk) == [GO_ON, SKIP]
    talk.choose(GO_ON)
    assert talk.said[-1] == "爸怎样？"
    talk.say("还好")
    assert talk.said[-1].endswith("妈怎样？")
    check(talk)


# techniques


def technique(**more: Any) -> Node:
    return skill("看信念", ask("凭什么这样想？", "凭什么", id="s1"), id="look", sensitive=True, **more)


def calling(**more: Any) -> list[Node]:
    actions = (ask("近来怎样？", "近况", id="q1"), use("look", id="u", **more), ask("然后呢？", id="q4"))
    return [topic("一", *actions, id="t1"), topic("二", ask("二？", "b", id="q5"), id="t2")]


def test_a_technique_is_announced_where_it_is_called() -> None:
    talk = come_to(hold(*calling(), skills=[technique()]))
    assert "看信念" in talk.said[-1]
    assert offered(talk) == [GO_ON, LATER, SKIP]
    talk.choose(GO_ON)
    assert talk.at == "s1"
    talk.say("没什么")
    assert talk.at == "q4"
    check(talk)


def test_a_technique_that_is_left_out_lets_its_caller_go_on() -> None:
    talk = come_to(hold(*calling(), skills=[technique()]))
    talk.choose(SKIP)
    assert talk.at == "q4"
    assert causes(talk, "skipped") == {"look": "left out by the person"}
    check(talk)


def test_a_technique_that_is_put_off_comes_at_the_end_of_the_phase_with_what_it_was_given() -> None:
    given = technique(parameters=[{"name": "信念", "required": True}])
    talk = come_to(hold(*calling(input={"信念": "我不行"}), skills=[given]))
    talk.choose(LATER)
    assert talk.at == "q4"
    check(talk)
    talk.say("没了")
    talk.say("好")
    assert "看信念" in talk.said[-1]
    assert talk.value("信念") == "我不行"
    talk.choose(GO_ON)
    assert talk.at == "s1"
    check(talk)


@pytest.mark.parametrize(
    "more",
    [
        {"output": [{"get": "凭什么", "set": "依据"}]},
        {"resume": "skip"},
    ],
    ids=["what it finds is needed", "it takes its caller's place"],
)
def test_a_technique_that_others_wait_for_is_not_put_off(more: Any) -> None:
    talk = come_to(hold(*calling(**more), skills=[technique(returns=["凭什么"])]))
    assert offered(talk) == [GO_ON, SKIP]


def test_a_technique_that_is_called_for_each_item_asks_once_for_all() -> None:
    people = {"var": "家人", "type": "list", "value": ["爸", "妈"], "scope": "session"}
    listed = calling(for_each={"in": "家人", "as": "人"})
    talk = come_to(hold(*listed, skills=[technique()], declare=[people]))
    assert offered(talk) == [GO_ON, SKIP]
    talk.choose(SKIP)
    assert talk.at == "q4"
    assert told(talk) == ["announced", SKIP]
    talk = come_to(hold(*listed, skills=[technique()], declare=[people]))
    talk.choose(GO_ON)
    talk.say("没什么")
    assert talk.at == "s1"
    assert told(talk) == ["announced", GO_ON]
    check(talk)


@pytest.mark.parametrize(("priority", "announced"), [("P0", []), ("P1", ["announced"])])
def test_what_p0_calls_is_never_announced(priority: str, announced: list[str]) -> None:
    at = {} if priority == "P0" else {"at": ["answer"]}
    talk = hold(skills=[technique()], awareness=[watcher(call("look"), priority=priority, **at)])
    talk.say(WORD)
    assert told(talk) == announced
    assert talk.state.running is not None
    assert talk.state.running.ref == "local/look"


def test_the_safety_project_announces_nothing_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = hold()
    for ref, node in talk.script.skills.items():
        if ref.startswith("safety/"):
            monkeypatch.setitem(node.__dict__, "sensitive", True)
    talk.say(INTENT["zh"])
    assert talk.state.running is not None
    assert talk.state.running.ref == "safety/crisis_support"
    assert told(talk) == []


# directives, and what a model says


def test_a_topic_that_is_put_in_is_announced_and_what_waits_comes_before_what_is_put_off() -> None:
    talk = hold(awareness=[watcher(directive("INSERT_TOPIC", topic="t2"))])
    talk.say(WORD)
    assert told(talk) == ["announced"]
    assert [frame.ref for frame in talk.state.suspended] == ["t1"]
    talk.choose(LATER)
    assert talk.at == "q1", "what was put aside for it comes back"
    check(talk)
    talk.say("还行")
    assert talk.at == "q3"
    talk.say("朋友")
    assert offered(talk) == [GO_ON, SKIP]
    check(talk)


def test_no_reply_of_a_model_opens_it() -> None:
    """Where one topic ends with a question of a model's, and the sensitive one begins with another."""
    tired = {"近况": {"value": "很累", "evidence": "很累"}}
    answers = {
        "risk": CALM,
        "ai_ask_open": {"content": "先说说最近怎样？"},
        "ai_ask": asked("嗯，听着很累。", "YES", values=tired),
    }
    first = topic("近况", ai_ask("了解近况", "近况", id="a"), id="t1")
    second = topic("失去", ai_ask("了解那时的情形", "那时", id="b"), id="t2", sensitive=True)
    talk = hold(first, second, steps()[2], model=answers)
    talk.say("很累")
    (reply,) = [task for task in talk.asked if task.template == "ai_ask"]
    assert reply.values["following"] == ""
    assert reply.values["next"] == ""
    assert [task.template for task in talk.asked].count("ai_ask_open") == 1
    assert talk.said[0] == "嗯，听着很累。"
    assert "失去" in talk.said[1]
    assert talk.happened("fused") == []
    talk.choose(GO_ON)
    assert [task.template for task in talk.asked].count("ai_ask_open") == 2
    assert talk.at == "b"


def test_questions_behind_it_are_not_judged_before_it_is_decided() -> None:
    judged = {"judge": "来访者是否愿意细说", "default": False}
    inside = topic("失去", say("嗯。", condition=judged), ask("那时怎样？", "那时", id="q2"), id="t2", sensitive=True)
    talk = hold(steps()[0], inside, model={"risk": CALM, "ask": HEARD})
    talk.say("还行")
    assert talk.happened("judged") == []
    assert all("愿意细说" not in str(task.values) for task in talk.asked)
    talk.choose(GO_ON)
    assert len(talk.happened("judged")) == 1


def test_a_cry_of_weariness_is_heard_while_the_choice_is_open() -> None:
    talk = come_to(hold())
    talk.say(WATCH)
    assert told(talk) == ["announced"]
    assert [each.verdict for each in talk.happened("awareness") if each.verdict == "watch"]
    check(talk)
