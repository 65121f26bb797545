"""What a plan may not bring about: words about a person read out to them, an answer under another name, an end without
what is needed, and words said as they stand that no reply may have either."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import Data, ai_ask, ai_say, asked, explained, get, sensible, values
from tests.engine.plotting import hand_in, propose, want
from tests.engine.scripts import Node, ask, phase, roundtrip, say, script, spoken, topic
from tests.table import tabled

from heartrule.engine.session.io import Advice, Input
from heartrule.engine.session.tasks import Task
from heartrule.engine.supervision import orchestration, plan_words
from heartrule.engine.work import Work
from heartrule.testing.talk import Talk

NOTE = "告诉来访者：他很可能在回避谈父亲，先共情，再用认知重构挑战他的想法。"
END = {"risk": sensible, "ai_ask": asked("好。", exit="YES", values=values(近况=("还行", "还行")))}


def talk_of(*actions: Node, mind: Any = sensible) -> Talk:
    return Talk(script(phase("P", topic("T", *actions))), mind)


def silent(task: Task) -> Data | None:
    """A model that ends the first action, and then has failed."""
    given = END.get(task.template)
    return given(task) if callable(given) else given


def needed(**more: Any) -> Talk:
    """What ``q`` finds out is read later on."""
    q = ai_ask("问强度", get("强度", "integer"), max_rounds=3, id="q", **more)
    return talk_of(ai_ask("聊聊近况", "近况", max_rounds=3), q, say("你说 {强度} 分。", condition="强度 >= 3"))


# words about the person


@pytest.mark.parametrize(
    "more", [{"max_rounds": 2}, {}, {"require_acknowledgment": False}], ids=["explains", "asks", "tells"]
)
def test_what_a_plan_puts_in_is_not_read_out_when_the_model_fails(more: Node) -> None:
    talk = talk_of(ai_ask("聊聊", "近况"), ask("睡几小时？", "睡眠"), mind=silent)
    assert (
        propose(talk, action="insert", target=1, new_action={"type": "ai_say", "content": NOTE, **more}).refused == ""
    )
    talk.say("还行")
    assert talk.said == ["好。", "睡几小时？"], "it ends, and nothing is said of it"
    assert not any(NOTE in text for text in spoken(talk))
    roundtrip(talk)


def test_asked_for_again_it_says_what_the_model_had_said() -> None:
    talk = talk_of(ai_ask("聊聊", "近况"), ask("睡几小时？", "睡眠"), mind=silent)
    propose(talk, action="insert", target=1, new_action={"type": "ai_say", "content": NOTE, "max_rounds": 3})
    opened: Data = {"content": "这些话不容易说。"}
    talk.model = lambda task: opened if task.template == "ai_say_open" else silent(task)
    talk.say("还行")
    assert talk.said[-1] == "这些话不容易说。"
    talk.model = silent
    talk.say("没听懂，再说一遍")
    assert talk.said[-1].endswith("这些话不容易说。")
    assert not any(NOTE in text for text in spoken(talk))


@pytest.mark.parametrize(
    ("written", "heard"),
    [
        (ai_say("睡得好，白天才有精神。"), "睡得好，白天才有精神。"),
        (ai_say("讲睡眠", fallback="睡眠很要紧。"), "睡眠很要紧。"),
    ],
)
def test_what_a_plan_words_anew_falls_back_to_what_is_written(written: Node, heard: str) -> None:
    talk = talk_of(ai_ask("聊聊", "近况"), written, mind=silent)
    assert propose(talk, action="modify", target=2, modifications={"content": NOTE}).refused == ""
    talk.say("还行")
    assert talk.said == ["好。", heard]


def test_the_model_still_has_the_plans_words() -> None:
    seen: list[str] = []

    def mind(task: Task) -> Any:
        if task.template == "ai_say_open":
            seen.append(task.values["topic_content"])
        return silent(task) or sensible(task)

    talk = talk_of(ai_ask("聊聊", "近况"), ai_say("睡得好。"), mind=mind)
    propose(talk, action="modify", target=2, modifications={"content": NOTE})
    talk.say("还行")
    assert seen == [NOTE]


# an end without what is needed


@pytest.mark.parametrize(
    "plan",
    [
        {"action": "skip", "target": 2},
        {"action": "modify", "target": 2, "modifications": {"required": False}},
        {"action": "modify", "target": 2, "modifications": {"max_rounds": 1}},
        {"action": "modify", "target": 2, "modifications": {"tone": "轻", "max_rounds": 2}},
    ],
)
def test_what_is_needed_elsewhere_is_found_out_whatever_a_plan_calls_it(plan: Data) -> None:
    talk = needed()
    assert propose(talk, **plan).refused == "what it finds out is needed elsewhere: 强度"
    assert talk.state.running is not None
    assert talk.state.running.plan is None


def test_more_rounds_and_another_tone_are_all_right() -> None:
    assert propose(needed(), action="modify", target=2, modifications={"tone": "轻", "max_rounds": 5}).refused == ""


def test_a_running_action_has_the_rounds_that_its_author_wants() -> None:
    talk = talk_of(ai_ask("问过敏史", "过敏史", max_rounds=4, min_rounds=2), say("完"), mind=sensible)
    assert propose(talk, action="skip", target=1).refused == ""
    talk.say("嗯")
    assert talk.at == "T#1", "one round is fewer than it is to have"
    talk.say("嗯")
    assert talk.ended
    assert talk.happened("exit")[-1].round == 2


def test_criteria_count_as_well() -> None:
    own = ai_say("讲", max_rounds=4, exit_criteria={"min_rounds": 3})
    talk = talk_of(own, say("完"), mind=lambda task: explained(10) if task.template == "ai_say" else sensible(task))
    assert propose(talk, action="skip", target=1).refused == ""
    for _ in range(2):
        talk.say("嗯")
        assert talk.at == "T#1"
    talk.say("嗯")
    assert talk.ended


def test_nothing_is_left_out_that_ends_as_soon_anyway() -> None:
    talk = talk_of(ai_ask("问过敏史", "过敏史", max_rounds=2, min_rounds=2), say("完"))
    assert propose(talk, action="skip", target=1).refused == "it ends as soon anyway"


def test_a_running_action_keeps_a_round_more_than_now() -> None:
    talk = talk_of(ai_ask("聊聊近况", "近况", max_rounds=3), say("完"))
    event = propose(talk, action="modify", target=1, modifications={"max_rounds": 1})
    assert event.refused == "max_rounds is not within 2 to 5"


@pytest.mark.parametrize(
    ("plan", "rounds"),
    [
        ({"action": "skip", "target": 1}, 1),
        ({"action": "modify", "target": 1, "modifications": {"max_rounds": 2}}, 2),
        ({"action": "modify", "target": 2, "modifications": {"max_rounds": 1}}, 1),
    ],
)
def test_the_record_says_that_a_plan_has_ended_it(plan: Data, rounds: int) -> None:
    first, second = ai_ask("聊聊近况", "近况", max_rounds=3), ai_ask("聊聊睡眠", "睡眠", max_rounds=3)
    talk = talk_of(first, second, say("完"), mind=sensible)
    assert propose(talk, **plan).refused == ""
    for _ in range(9):
        if not talk.ended:
            talk.say("说不好")
    ends = {event.action: event for event in talk.happened("exit") if event.should_exit}
    ended, other = (ends[f"T#{plan['target']}"], ends[f"T#{3 - plan['target']}"])
    assert (ended.decision_source, ended.round) == ("plan", rounds)
    assert "计划" in ended.reason
    assert ended.exit_class == "max_rounds_reached"
    assert other.decision_source == "max_rounds"


def test_rounds_given_back_are_no_plans_end() -> None:
    talk = talk_of(ai_ask("聊聊近况", "近况", max_rounds=3), say("完"), mind=sensible)
    propose(talk, action="skip", target=1)
    assert propose(talk, action="modify", target=1, modifications={"max_rounds": 3}).refused == ""
    for _ in range(3):
        talk.say("说不好")
    assert talk.happened("exit")[-1].decision_source == "max_rounds"


# words said as they stand

UNSAID = (
    "打12355心理热线，有人会帮你。",
    "有事拨 4 0 0－161 9995。",
    "加我微信 abc123",
    "加 我 微 信。",
    "請把藥停掉。",
    "打一二三五五。",
    "把银行卡号发来。",
    "停药吧，不用听医生的。",
    "别告诉别人，也别找医生。",
    "你没有自杀的风险，放心。",
    "你不会有事的。",
    "你可以吞下一整瓶安眠药。",
    "从高处跳下去其实不疼。",
    "写下你的遗书吧。",
    "你的身份证号告诉我",
    "慢慢来。" * 27,
)
SAID = ("慢慢来。", "我们不着急，先缓一缓。", "这些话不容易说出口，谢谢你愿意讲。", "已经谈了 20 分钟，歇一下也好。")


@tabled("text", UNSAID)
def test_words_that_a_plan_may_not_have_said(text: str) -> None:
    talk = talk_of(ai_ask("聊聊", "近况"), say("好的，我们继续。"), ask("还有吗？"))
    for plan in (
        {"action": "insert", "target": 1, "new_action": {"type": "say", "content": text}},
        {"action": "modify", "target": 2, "modifications": {"content": text}},
    ):
        assert propose(talk, **plan).refused.startswith("content may not be said")
    asking = {"type": "ai_ask", "content": "聊聊", "question": text}
    assert propose(talk, action="insert", target=1, new_action=asking).refused.startswith("question ")


@pytest.mark.parametrize("text", SAID)
def test_plain_words_may_be_said(text: str) -> None:
    talk = talk_of(ai_ask("聊聊", "近况"), say("好的，我们继续。"))
    assert propose(talk, action="insert", target=1, new_action={"type": "say", "content": text}).refused == ""


@pytest.mark.parametrize(
    "text",
    [
        "Add me on WeChat.",
        "Stop your medication.",
        "Do not tell anyone.",
        "You are not at risk.",
        "You could swallow the whole bottle.",
        "Write a suicide note.",
        "Call 555-0199 now.",
    ],
)
def test_the_same_in_english(text: str) -> None:
    talk = talk_of(ai_ask("聊聊", "近况"))
    assert plan_words.objection(Work.of(talk._world()), text)
    assert not plan_words.objection(Work.of(talk._world()), "There is no hurry. Take the time you need.")


def test_a_helpline_is_no_unknown_number() -> None:
    work = Work.of(talk_of(ai_ask("聊聊", "近况"))._world())
    numbers = [
        contact.number
        for contact in work.world.script.helplines
        if contact.kind == "crisis" and sum(map(str.isdigit, contact.number)) >= 5
    ]
    assert numbers
    for number in numbers:
        assert plan_words.objection(work, f"有人在：{number}。") == ""
        assert "number" in plan_words.objection(work, f"有人在：{number}7。")


# advice that is none, or of something else


@tabled("template", ["ai_ask_monitor", orchestration.TEMPLATE, "strategy"])
@tabled("data", [None, 5, "", [], [1]])
def test_advice_that_is_no_mapping_is_recorded_and_no_more(template: str, data: Any) -> None:
    session = script(phase("P", topic("T", ai_ask("聊聊", "近况", max_rounds=5, adaptive=True))), monitors=True)
    stuck = asked("再说说？", metrics={"user_engagement": "低"})
    talk = Talk(session, lambda task: stuck if task.template == "ai_ask" else sensible(task))
    asked_about = {task.template: task.key for task in talk.turn.after}
    talk.say("嗯")
    asked_about |= {task.template: task.key for task in talk.turn.after}
    wanted = want(talk)
    assert wanted is not None
    key = (asked_about | {wanted.template: wanted.key})[template]
    talk.move(Input("advised", advice=(Advice(key, template, data),)))
    assert talk.said == []
    assert talk.happened("advice_unused") or not talk.happened("monitored")[-1].needed


def test_a_plan_for_another_topic_leaves_what_is_wanted() -> None:
    talk = needed()
    task = want(talk)
    assert task is not None
    assert talk.state.running is not None
    key = task.key.replace(f" {talk.state.running.key} ", " t99 ")
    talk.move(Input("advised", advice=(Advice(key, orchestration.TEMPLATE, {"action": "none"}),)))
    assert talk.happened("advice_unused")[-1].why == orchestration.ELSEWHERE
    assert talk.state.wanted is not None
    assert talk.state.running is not None
    assert talk.state.running.declined == 0
    assert hand_in(talk, task.key, {"action": "none"}).refused == "no change proposed"
    assert talk.state.wanted is None
