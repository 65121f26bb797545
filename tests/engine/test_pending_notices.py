"""What was noticed beside the conversation: recorded at once without a word, acted upon at the next hook point."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.engine.looking import CALL, JUDGE, NO, NOTE, REF, YES, looked, looking, ordered, talk
from tests.engine.minds import INTENT, asked, judged, last, running
from tests.engine.scripts import check, roundtrip

from heartrule.engine.awareness.pending_notices import TURNS
from heartrule.engine.session.io import Input, PeriodicFinding
from heartrule.testing.talk import Talk

WAITS = "waits for the next hook point"


def noticed(held: Talk, **time: float) -> None:
    held.look(**(time or {"minutes": 5}))


# nobody sees it


def test_it_is_recorded_without_a_word() -> None:
    held = talk(looking(), model=judged("yes", 0.9, "没在听"))
    held.say("你没在听")
    before, request, heard = held.state.messages, held.request, held.state.heard
    noticed(held)
    assert (held.said, held.turn.messages) == ([], ())
    assert (held.state.messages, held.request, held.state.heard) == (before, request, heard)
    assert looked(held) == [("yes", "model", WAITS)]
    assert ordered(held) == []
    assert (running(held), held.at) == ("t1", "t1#2")
    roundtrip(held)


def test_a_verdict_that_orders_nothing_waits_for_nothing() -> None:
    held = talk(looking(), looking("other", then=[]), model=lambda task: {"verdicts": [{"id": 2, "verdict": "yes"}]})
    held.say("还行")
    noticed(held)
    assert looked(held) == [("unknown", "default", ""), ("yes", "model", "")]
    assert held.state.pending == []


# at the hook point


def test_it_acts_before_the_next_action_of_the_persons_next_turn() -> None:
    held = talk(looking(), model=YES)
    held.say("一的回答")
    noticed(held)
    assert held.say("二的回答")[-2:] == ["先缓一缓。", "好些了吗？"]
    assert (running(held), held.at) == ("calm", "calm_ask")
    assert last(held, "b") == "二的回答", "the answer is taken first"
    assert ordered(held) == [("CALL_TECHNIQUE", "")]
    (event,) = held.happened("directive")
    assert event.cause == f"{REF} yes"
    assert f"awareness {REF}" in [event.cause for event in held.happened("topic")]
    roundtrip(held)
    held.say("好些了")
    assert (running(held), held.at) == ("t1", "t1#3")
    assert held.state.pending == []
    check(held)


def test_it_acts_before_the_next_topic_too() -> None:
    held = talk(looking(), model=YES)
    for words in ("一", "二"):
        held.say(words)
    noticed(held)
    held.say("三")
    assert (running(held), held.at) == ("calm", "calm_ask")
    held.say("好些了")
    assert (running(held), held.at) == ("t2", "t2#1")
    check(held)


def test_it_waits_while_the_action_goes_on() -> None:
    script = """
    sessions:
      - session: 谈
        id: talk
        phases:
          - phase: P
            steps:
              - topic: T
                id: t1
                actions:
                  - {type: ai_ask, id: first, question: 一？, content: 问一, max_rounds: 3, output: [{get: a}]}
                  - {type: ask, id: second, content: 二？, output: [{get: b}]}
    awareness:
      - awareness: alliance
        id: alliance
        priority: P2
        always: true
        every: 5m
        condition: {judge: 没有被听见}
        then: [{directive: SET_VAR, var: 标记, value: 是}]
    """
    replies = [asked("再说说？"), asked("好。", "YES", values={"a": {"value": "累", "evidence": "累"}})]

    def model(task: Any) -> Any:
        match task.template:
            case "risk":
                return judged("no")
            case "periodic":
                return YES
            case "ai_ask":
                return replies.pop(0)
        return None

    held = Talk(script, model)
    noticed(held)
    held.say("不知道")
    noticed(held)
    assert (held.at, len(held.state.pending)) == ("first", 1)
    held.now = held.now
    held.say("就是累")
    assert (held.at, held.value("标记")) == ("second", "是")


def test_a_timer_or_a_return_is_no_turn_of_the_person() -> None:
    held = talk(looking(), model=YES)
    held.say("一")
    noticed(held)
    held.move(Input("resume"))
    held.move(Input("timer"))
    assert len(held.state.pending) == 1
    held.say("二")
    assert held.state.pending == []


def test_what_several_scripts_found_acts_in_the_order_of_their_ids() -> None:
    first = {"directive": "SET_VAR", "var": "标记", "value": "甲"}
    second = {"directive": "SET_VAR", "var": "标记", "value": "乙"}
    both = {"verdicts": [{"id": n, "verdict": "yes", "confidence": 1, "evidence": ""} for n in (1, 2)]}
    held = talk(looking("b", then=[second]), looking("a", then=[first]), model=both)
    held.say("一")
    noticed(held)
    held.say("二")
    assert [event.cause for event in held.happened("directive")] == ["local/a yes", "local/b yes"]
    assert held.value("标记") == "乙"


def test_the_end_of_the_session_may_be_ordered() -> None:
    end = {"directive": "END_SESSION", "reason": "累了"}
    held = talk(looking(then=[end, NOTE]), model=YES)
    held.say("一")
    noticed(held)
    held.say("二")
    refused = [cause for directive, cause in ordered(held) if directive == "END_SESSION"]
    assert held.ended or refused[0], "a project may forbid it"


def test_a_hit_that_is_found_again_acts_once() -> None:
    held = talk(looking(every="1m", then=[NOTE]), model=YES)
    for _ in range(3):
        held.say("我没懂", after=0)
        noticed(held)
    assert len(held.state.pending) == 1


@pytest.mark.parametrize(
    ("verdict", "list_", "acts"),
    [("yes", "then", True), ("no", "then", False), ("unknown", "on_unknown", False)],
)
def test_what_a_verdict_orders(verdict: str, list_: str, acts: bool) -> None:
    held = talk(looking(**{"then": [], list_: [NOTE]}), model=judged(verdict))
    held.say("一")
    noticed(held)
    held.say("二")
    assert (held.value("标记") == "是") is acts


def test_nobody_could_look_is_what_on_unknown_is_for() -> None:
    held = talk(looking(then=[], on_unknown=[NOTE]), model=lambda task: None)
    held.say("一")
    noticed(held)
    held.say("二")
    assert held.value("标记") == "是"


# what comes first


def test_a_person_in_danger_comes_first() -> None:
    held = talk(looking(), model=lambda task: YES)
    held.say("一")
    noticed(held)
    held.say(INTENT["zh"])
    assert held.state.running is not None
    assert held.state.running.project == "safety"
    assert len(held.state.pending) == 1
    ordering = held.happened("directive")
    assert ordering
    assert all(event.cause.startswith("safety/") for event in ordering)
    assert "calm" not in [frame.ref for frame in held.state.suspended]


def test_what_interrupts_already_comes_to_its_end_first() -> None:
    held = talk(looking("one"), looking("two", every="6m"), model=YES)
    held.say("一")
    noticed(held)
    held.say("二", seconds=60)
    assert (running(held), held.at) == ("calm", "calm_ask")
    assert held.look()
    assert len(held.state.pending) == 1
    held.say("好些了")
    assert (running(held), held.at) == ("calm", "calm_ask"), "the second one, once the first has ended"
    assert held.state.pending == []


# what waits too long


def test_it_is_given_up_when_the_phase_is_left() -> None:
    held = talk(looking(then=[NOTE]), model=YES)
    for words in ("一", "二", "三", "四"):
        held.say(words)
    noticed(held)
    held.state.pending[0] = held.state.pending[0].model_copy(update={"phase": "p0"})
    held.say("五")
    assert ordered(held) == [("SET_VAR", "the phase was left")]
    assert (held.state.pending, held.value("标记")) == ([], None)


@pytest.mark.parametrize(("turns", "why"), [(TURNS, ""), (TURNS + 1, "too old")])
def test_it_is_given_up_after_ten_turns(turns: int, why: str) -> None:
    held = talk(looking(every="99 turns", then=[NOTE]), model=YES)
    held.move(Input("noticed", found=(PeriodicFinding(REF, 1, "yes", "model"),)))
    held.state.pending[0] = held.state.pending[0].model_copy(update={"heard": 1 - turns})
    held.say("一")
    assert ordered(held) == [("SET_VAR", why)]


def test_it_is_given_up_when_its_script_is_switched_off() -> None:
    held = talk(looking(then=[NOTE]), model=YES)
    held.say("一")
    noticed(held)
    held.state.switched[REF] = False
    held.say("二")
    assert ordered(held) == [("SET_VAR", "disabled")]


# once


def test_what_rests_on_an_older_look_counts_for_nothing() -> None:
    """Two processes have looked at the same time."""
    held = talk(looking(then=[NOTE]), model=YES)
    held.say("一")
    held.now = held.turn.wake_at or held.now
    found = held.look()
    held.move(Input("noticed", found=found))
    assert looked(held) == [("yes", "model", WAITS), ("yes", "model", "judged already")]
    assert len(held.state.pending) == 1
    held.say("二")
    held.move(Input("noticed", found=found))
    assert ordered(held) == [("SET_VAR", "")]
    assert held.state.pending == []


def test_what_is_found_of_a_script_that_is_off_by_now_is_recorded_only() -> None:
    held = talk(looking(always=False), model=YES, awareness=["alliance"])
    held.say("一")
    held.state.switched[REF] = False
    held.move(
        Input(
            "noticed", found=(PeriodicFinding(REF, 1, "yes", "model"), PeriodicFinding("local/gone", 1, "yes", "model"))
        )
    )
    assert looked(held) == [("yes", "model", "disabled")] * 2
    assert held.state.pending == []


def test_a_hit_while_it_rests_is_recorded_only() -> None:
    held = talk(looking(every="1m", cooldown="10m", then=[NOTE]), model=YES)
    held.say("一", seconds=0)
    noticed(held)
    held.say("二", seconds=0)
    held.move(Input("noticed", found=(PeriodicFinding(REF, held.state.periodic[REF].turn, "yes", "model"),)))
    assert looked(held)[-1] == ("yes", "model", "cooldown")
    assert held.state.pending == []


def test_after_the_end_nothing_is_taken_in() -> None:
    held = talk(looking(), model=YES)
    held.say("一")
    held.move(Input("end"))
    held.move(Input("noticed", found=(PeriodicFinding(REF, 1, "yes", "model"),)))
    assert looked(held) == []


def test_the_next_reply_opens_nothing_that_may_come_later() -> None:
    """What was noticed may come between an action and the next one."""
    script = """
    sessions:
      - session: 谈
        id: talk
        phases:
          - phase: P
            steps:
              - topic: T
                id: t1
                actions:
                  - {type: ai_ask, id: first, question: 一？, content: 问一, output: [{get: a}]}
                  - {type: ai_ask, id: second, content: 问二, output: [{get: b}]}
    awareness:
      - awareness: alliance
        id: alliance
        priority: P2
        always: true
        every: 1 turns
        condition: {judge: 没有被听见}
        then: [{directive: CALL_TECHNIQUE, technique: calm}]
    skills:
      - {skill: 缓一缓, id: calm, actions: [{type: say, content: 先缓一缓。}, {type: ask, content: 好些了吗？}]}
    """

    def model(task: Any) -> Any:
        match task.template:
            case "risk":
                return judged("no")
            case "periodic":
                return YES
            case "ai_ask":
                return asked("再说说？", **({"opened": True} if held_pending() else {}))
        return None

    talks: list[Talk] = []

    def held_pending() -> bool:
        return bool(talks and talks[0].state.pending)

    held = Talk(script, model)
    talks.append(held)
    held.say("不知道")
    own = [task for task in held.asked if task.template == "ai_ask"][-1]
    assert own.values["following"], "the reply that ends this one may open the next"
    held.look()
    held.say("还是不知道")
    own = [task for task in held.asked if task.template == "ai_ask"][-1]
    assert own.values["following"] == ""


@pytest.mark.parametrize("pause", [False, True])
def test_a_look_is_no_end_of_a_silence_and_of_no_pause(pause: bool) -> None:
    """The time that phases and topics take goes on as if nobody had looked."""
    spent = []
    for looks in (False, True):
        held = talk(looking(), model=NO)
        held.say("一", seconds=10)
        if pause:
            held.move(Input("pause"))
        held.now += timedelta(minutes=5)
        if looks:
            held.move(Input("noticed", found=(PeriodicFinding(REF, held.state.periodic[REF].turn, "no", "model"),)))
        held.say("二", seconds=28 * 60)
        assert held.state.phase is not None
        spent.append((held.state.phase.spent, held.state.clock.paused))
    assert spent[0] == spent[1]


def test_a_no_is_a_no() -> None:
    held = talk(looking(judge=JUDGE), model=NO)
    held.say("一")
    noticed(held)
    assert looked(held) == [("no", "model", "")]
    assert held.say("二")[-1].endswith("三？")
    assert CALL["technique"] not in [frame.ref for frame in held.state.suspended]
