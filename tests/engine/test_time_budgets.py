"""Time budgets on the turns' own clock: what is dropped near a phase's end, what is shortened, what runs in any case,
and when time rests."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.engine.minds import INTENT, Node, ai_ask, ai_say, asked, explained, out, running
from tests.engine.scripts import ask, causes, check, phase, put, roundtrip, say, script, skill, topic, topics, use
from tests.engine.test_directives import call, directive, watcher
from tests.engine.test_interruptions import calm

from heartrule.engine.session.io import Input
from heartrule.engine.session.tasks import Task
from heartrule.testing.talk import Talk

WORD = "苹果"


def steps(**first: Any) -> list[Node]:
    return [
        topic("甲", ask("一？", "a"), ask("二？", "b"), id="t1", **first),
        topic("乙", say("乙。"), ask("乙？", "c"), id="t2", priority="low"),
        topic("丙", say("丙。"), ask("丙？", "d"), id="t3"),
        topic("丁", say("丁。"), ask("丁？", "e"), id="t4", priority="high"),
    ]


def hold(*awareness: Node, budget: str = "10m", topics: list[Node] | None = None, model: Any = None) -> Talk:
    skills = [skill("缓", ask("好些了吗？", id="calm_ask"), id="calm"), skill("记", say("记下了。"), id="note")]
    whole = phase("P", *(topics or steps()), time_budget=budget)
    return Talk(script(whole, skills=skills, awareness=awareness), model)


def left(talk: Talk) -> float:
    """Seconds left of the phase."""
    assert talk.state.phase is not None
    return 600 - talk.state.phase.spent


# what is dropped


def test_with_time_enough_everything_runs() -> None:
    talk = hold()
    talk.play(["好"] * 5)
    assert talk.ended
    assert topics(talk, "completed") == ["t1", "t2", "t3", "t4"]
    assert talk.happened("shortened") == []


def test_near_the_end_topics_of_low_priority_are_skipped_with_a_cause() -> None:
    talk = hold()
    talk.say("好", seconds=240)
    talk.say("好", seconds=245)
    assert running(talk) == "t3"
    assert causes(talk, "skipped") == {"t2": "time_budget: 115 of 600 s left in the phase"}
    change = next(event for event in talk.happened("queue") if event.cause.startswith("time_budget"))
    assert (change.before, change.after) == (["t2", "t3", "t4"], ["t3", "t4"])
    check(talk)


def test_before_the_end_they_run() -> None:
    talk = hold()
    talk.say("好", seconds=240)
    talk.say("好", seconds=235)
    assert left(talk) == 125
    assert running(talk) == "t2"


def test_high_and_medium_ones_run_when_the_time_is_over() -> None:
    talk = hold()
    talk.say("好", seconds=1_000)
    talk.say("好", seconds=1_000)
    assert left(talk) < 0
    talk.play(["好"] * 3)
    assert topics(talk, "completed") == ["t1", "t3", "t4"]
    assert talk.ended


def test_techniques_deferred_to_a_topic_that_is_dropped_go_with_it() -> None:
    first = topic("甲", use("note", timing="before_topic", to="t2", id="u"), ask("一？", "a"), id="t1")
    talk = hold(topics=[first, *steps()[1:]])
    talk.say("好", seconds=590)
    assert topics(talk, "skipped") == ["note", "t2"]
    assert running(talk) == "t3"


def test_what_somebody_has_ordered_is_not_dropped() -> None:
    talk = hold(watcher(directive("INSERT_TOPIC", topic="t2", position="HEAD")))
    talk.say(WORD, seconds=590)
    assert running(talk) == "t2"


def test_a_new_priority_counts() -> None:
    talk = hold(watcher(directive("REORDER_TOPICS", priority_map={"t2": "high", "t3": "low"})))
    talk.say(WORD)
    talk.say("好", seconds=590)
    assert running(talk) == "t2"
    assert topics(talk, "skipped") == ["t3"]


def test_a_technique_is_as_important_as_whoever_calls_it() -> None:
    first = topic("甲", use("calm", timing="after_phase", id="u"), ask("一？", "a"), id="t1", priority="high")
    talk = Talk(
        script(
            phase("P", first, *steps()[1:2], time_budget="10m"),
            skills=[skill("缓", ask("好些了吗？", id="calm_ask"), id="calm", priority="low")],
        )
    )
    talk.say("好", seconds=590)
    assert running(talk) == "calm"
    assert topics(talk, "skipped") == ["t2"]


def test_each_phase_has_its_own_time() -> None:
    talk = Talk(
        script(
            phase("P", topic("甲", ask("一？", "a"), id="t1"), time_budget="1m"),
            phase(
                "Q",
                topic("乙", ask("乙？", "b"), id="t2"),
                topic("丙", say("丙。"), id="t3", priority="low"),
                time_budget="1m",
            ),
        )
    )
    talk.say("好", seconds=300)
    talk.say("好", seconds=10)
    assert topics(talk, "completed") == ["t1", "t2", "t3"]


# what is shortened


def vague(task: Task) -> Any:
    """A model that never has enough."""
    return asked("再多说一点？") if task.template == "ai_ask" else calm(task)


def guided(**more: Any) -> list[Node]:
    follow = {"follow_up": "问问细节"}
    return [
        topic("甲", ai_ask("怎么了", question="怎么了？", max_rounds=6, **follow), id="t1", **more),
        topic("乙", ask("乙？", "b"), id="t2"),
    ]


def test_rounds_are_cut_to_what_is_left() -> None:
    talk = hold(topics=guided(), model=vague)
    talk.say("难受", seconds=490)
    assert talk.state.running is not None
    assert talk.state.running.action is not None
    assert (talk.state.running.action.round, talk.state.running.action.max_rounds) == (2, 2), "110 s: one round more"
    talk.say("难受", seconds=30)
    assert running(talk) == "t2"
    (cut,) = [event for event in talk.happened("shortened") if event.action == "t1#1"]
    assert (cut.of, cut.was, cut.max_rounds) == ("phase", 6, 2)
    assert [event.decision_source for event in talk.happened("exit") if event.should_exit] == ["max_rounds"]
    check(talk)


def test_the_prompt_is_told_and_follow_up_questions_are_off() -> None:
    talk = hold(topics=guided(), model=vague)
    talk.say("难受")
    plain = next(task for task in talk.asked if task.template == "ai_ask")
    assert plain.values["follow_up"] == "问问细节"
    assert plain.context.values["strategy_prompt"] == ""
    assert plain.values["rounds_left"] == "5"
    talk.say("难受", seconds=590)
    short = [task for task in talk.asked if task.template == "ai_ask"][-1]
    assert short.values["follow_up"] == ""
    assert short.context.values["strategy_prompt"] == talk._spoken["time_short"][0]
    assert short.values["rounds_left"] == "0"


def test_an_explanation_is_cut_too() -> None:
    nodes = [topic("甲", ai_say("讲讲", max_rounds=5), id="t1"), topic("乙", ask("乙？", "b"), id="t2")]
    talk = hold(topics=nodes, model=lambda task: explained(10) if task.template == "ai_say" else calm(task))
    talk.say("不懂", seconds=20)
    assert running(talk) == "t1"
    talk.say("不懂", seconds=590)
    assert running(talk) == "t2"


def test_topics_of_high_priority_are_not_cut_by_the_phase() -> None:
    talk = hold(topics=guided(priority="high"), model=vague)
    for _ in range(5):
        talk.say("难受", seconds=500)
        assert running(talk) == "t1"
    assert talk.happened("shortened") == []


def test_a_topic_has_a_budget_of_its_own_whatever_its_priority() -> None:
    talk = hold(topics=guided(priority="high", time_budget="2m"), model=vague)
    talk.say("难受", seconds=110)
    assert running(talk) == "t2"
    (cut,) = talk.happened("shortened")
    assert (cut.of, cut.left) == ("topic", 10)


def test_an_action_that_begins_too_late_is_short_from_the_start() -> None:
    nodes = [
        topic("甲", ask("一？", "a"), ai_ask("怎么了", question="怎么了？", max_rounds=6), id="t1"),
        topic("乙", ask("乙？", "b"), id="t2"),
    ]
    talk = hold(topics=nodes, model=vague)
    talk.say("好", seconds=650)
    assert talk.happened("shortened")[0].max_rounds == 1
    talk.say("难受")
    assert running(talk) == "t2"


def test_without_a_model_each_value_is_asked_for_once_all_the_same() -> None:
    nodes = [topic("甲", ask("一？", "a", "b", "c", id="q"), id="t1"), topic("乙", ask("乙？", "d"), id="t2")]
    talk = hold(topics=nodes)
    for words in ("一", "二", "三"):
        assert talk.at == "q"
        talk.say(words, seconds=650)
    assert [talk.value(name) for name in "abc"] == [None] * 3, "the topic's scope has gone"
    assert running(talk) == "t2"
    assert topics(talk, "completed") == ["t1"]


def test_a_question_about_a_risk_is_not_cut() -> None:
    risky = {"get": "想死", "type": "boolean", "risk": True, "define": "有没有想过死"}
    nodes = [topic("甲", ask("一？", "a"), ask("有没有想过死？", risky, id="risk"), id="t1")]
    talk = hold(topics=nodes)
    talk.say("好", seconds=650)
    assert talk.at == "risk"
    assert [event for event in talk.happened("shortened") if event.action == "risk"] == []


def test_what_is_called_for_what_matters_is_not_cut() -> None:
    talk = hold(watcher(call("calm")), topics=guided(), model=vague)
    talk.say(WORD, seconds=650)
    assert running(talk) == "calm"
    assert [event for event in talk.happened("shortened") if event.action == "calm_ask"] == []


# when time rests


def test_a_topic_that_was_put_aside_takes_no_time() -> None:
    talk = hold(watcher(call("calm")), topics=guided(time_budget="2m"), model=vague)
    talk.say(WORD, seconds=20)
    talk.say("好些了", seconds=300)
    assert talk.state.running is not None
    assert talk.state.running.spent == 20
    assert running(talk) == "t1"
    talk.say("难受", seconds=20)
    assert running(talk) == "t1"


def test_safety_takes_no_time_of_the_phase() -> None:
    talk = hold()
    talk.say(INTENT["zh"], seconds=20)
    for words in ("没有",) * 3:
        talk.say(words, seconds=300)
    out(talk)
    assert talk.at is not None
    assert running(talk) == "t1"
    assert left(talk) == 580


def test_a_pause_takes_no_time() -> None:
    talk = hold()
    talk.say("好", seconds=60)
    talk.move(Input("pause"))
    roundtrip(talk)
    talk.now += timedelta(minutes=20)
    talk.move(Input("resume"))
    assert left(talk) == 540
    talk.say("好", seconds=60)
    assert left(talk) == 480


def test_a_silence_in_which_the_session_sleeps_takes_no_time() -> None:
    talk = hold()
    talk.say("好", seconds=30 * 60 + 1)
    assert left(talk) == 600
    talk.say("好", seconds=30 * 60)
    assert left(talk) == 600 - 30 * 60


def test_a_timer_that_strikes_counts_the_time_and_a_stray_one_nothing() -> None:
    nodes = [topic("甲", ask("一？", "a", timeout="9m"), ask("二？", "b"), id="t1"), *steps()[1:]]
    talk = hold(topics=nodes)
    talk.move(Input("timer"))
    assert left(talk) == 600
    talk.wait(minutes=9)
    assert left(talk) == 60
    talk.say("好", seconds=1)
    assert running(talk) == "t3"


def test_time_is_part_of_the_state() -> None:
    talk = hold()
    talk.say("好", seconds=240)
    roundtrip(talk)
    talk.say("好", seconds=245)
    assert topics(talk, "skipped") == ["t2"]


@pytest.mark.parametrize(("seconds", "said"), [(479, False), (485, True)])
def test_conditions_may_read_what_is_left(seconds: int, said: bool) -> None:
    nodes = [
        topic(
            "甲",
            ask("一？", "a"),
            put("余", expr="phase.left"),
            say("快到了。", condition="phase.left <= 120"),
            id="t1",
        )
    ]
    talk = hold(topics=nodes)
    talk.say("好", seconds=seconds)
    assert ("快到了。" in talk.said) == said


def test_a_budget_that_cannot_be_read_is_none() -> None:
    """Lint refuses it; a session that was moved to such a version goes on."""
    talk = hold()
    talk.script.session.phases[0].__dict__["time_budget"] = "一会儿"
    try:
        talk.say("好", seconds=1_000)
        talk.say("好", seconds=1_000)
        assert running(talk) == "t2"
    finally:
        talk.script.session.phases[0].__dict__["time_budget"] = "10m"
