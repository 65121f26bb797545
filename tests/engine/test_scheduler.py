"""The topic scheduler, one behaviour at a time: positions, what is ordered twice, depth, what is told of a topic's
place, and what is written down of every change."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.minds import INTENT, fork, out, running
from tests.engine.scripts import Node, ask, causes, check, phase, put, roundtrip, say, script, skill, topic, topics, use
from tests.engine.test_directives import call, directive, done, watcher
from tests.engine.test_interruptions import calm

from heartrule.engine.scheduling import topics as scheduler
from heartrule.testing.talk import Talk

WORD = "苹果"
NEXT = "梨子"


def insert(name: str, position: str = "HEAD") -> Node:
    return directive("INSERT_TOPIC", topic=name, position=position)


def hold(*awareness: Node, steps: list[Node] | None = None, model: Any = None, **session: Any) -> Talk:
    plain = [
        topic("甲", ask("一？", "a", id="q1"), ask("二？", "b", id="q2"), id="t1"),
        topic("乙", ask("乙？", "c", id="q3"), id="t2"),
        topic("丙", ask("丙？", "d", id="q4"), id="t3"),
    ]
    skills = [
        skill("缓", ask("好些了吗？", id="calm_ask"), id="calm"),
        skill("记", say("记下了。"), id="note"),
        skill("深", ask("深？", "e", id="deep_ask"), use("calm", id="deep_call"), id="deep"),
    ]
    whole = phase("P", *(steps or plain), **session)
    return Talk(script(whole, skills=skills, awareness=awareness), model)


def queue(talk: Talk) -> list[str]:
    assert talk.state.phase is not None
    return [planned.ref for planned in talk.state.phase.queue]


# HEAD, NEXT, TAIL


def test_head_puts_aside_what_is_running_and_comes_now() -> None:
    talk = hold(watcher(insert("t3")))
    talk.say(WORD)
    assert talk.at == "q4"
    assert [frame.ref for frame in talk.state.suspended] == ["t1"]
    roundtrip(talk)
    talk.say("说完了")
    assert talk.at == "q1"
    assert talk.said[-1].endswith("一？")
    assert talk.said[-1] != "一？", "there is a bridge"
    check(talk)


def test_next_waits_until_the_running_topic_has_ended() -> None:
    talk = hold(watcher(insert("t3", "NEXT")))
    talk.say(WORD)
    assert talk.at == "q2", "the words were an answer"
    talk.say("还行")
    assert talk.at == "q4"
    talk.say("还行")
    assert talk.at == "q3"
    check(talk)


def test_next_comes_behind_what_was_deferred_to_the_end_of_the_running_topic() -> None:
    steps = [
        topic("甲", use("note", timing="after_topic", id="u"), ask("一？", "a"), ask("二？", "b"), id="t1"),
        topic("乙", say("乙。"), id="t2"),
        topic("丙", say("丙。"), id="t3"),
    ]
    talk = hold(watcher(insert("t3", "NEXT")), steps=steps)
    talk.say(WORD)
    talk.say("还行")
    assert topics(talk, "running")[1:] == ["note", "t3", "t2"]


def test_tail_comes_last_of_the_topics_but_before_the_end_of_the_phase() -> None:
    steps = [
        topic("甲", use("note", timing="after_phase", id="u"), ask("一？", "a"), id="t1"),
        topic("乙", say("乙。"), id="t2"),
        topic("丙", say("丙。"), id="t3"),
    ]
    talk = hold(watcher(insert("t2", "TAIL")), steps=steps)
    talk.say(WORD)
    assert topics(talk, "running")[1:] == ["t3", "t2", "note"]


def test_a_topic_that_is_planned_is_moved_and_runs_once() -> None:
    for position in ("HEAD", "NEXT", "TAIL"):
        talk = hold(watcher(insert("t3", position)))
        talk.say(WORD)
        assert sum(ref == "t3" for ref in [*queue(talk), running(talk)]) == 1
        talk.play(["还行"] * 6)
        assert talk.ended
        assert topics(talk, "completed").count("t3") == 1
        check(talk)


def test_techniques_deferred_to_its_beginning_are_moved_with_a_topic() -> None:
    steps = [
        topic("甲", use("note", timing="before_topic", to="t3", id="u"), ask("一？", "a"), ask("二？", "b"), id="t1"),
        topic("乙", say("乙。"), id="t2"),
        topic("丙", ask("丙？", "d"), id="t3"),
    ]
    talk = hold(watcher(insert("t3")), steps=steps)
    talk.say(WORD)
    assert topics(talk, "running") == ["t1", "note", "t3"]
    assert talk.said[0] == "记下了。"


def test_what_has_been_gone_through_is_not_gone_through_again() -> None:
    talk = hold(watcher(insert("t1", "TAIL")))
    talk.say("还行")
    talk.say("还行")
    assert running(talk) == "t2"
    talk.say(WORD)
    assert done(talk) == [("INSERT_TOPIC", "it has been gone through")]
    assert queue(talk) == []


@pytest.mark.parametrize("position", ["HEAD", "TAIL"])
def test_what_runs_or_waits_to_come_back_is_not_put_in(position: str) -> None:
    talk = hold(watcher(insert("t1", position)), watcher(call("calm"), word=NEXT, id="other"))
    talk.say(WORD)
    assert done(talk)[-1] == ("INSERT_TOPIC", "it is running")
    assert talk.request.kind == "message"
    talk.say(NEXT)
    talk.say(WORD)
    assert done(talk)[-1] == ("INSERT_TOPIC", "it was put aside and comes back")
    check(talk)


def test_a_topic_that_was_skipped_may_be_put_in() -> None:
    steps = [
        topic("甲", ask("一？", "a"), id="t1"),
        topic("乙", ask("乙？", "c"), id="t2", condition="再来 == true"),
        topic("丙", ask("丙？", "d"), id="t3"),
    ]
    order = [directive("SET_VAR", var="再来", value=True), insert("t2")]
    talk = hold(watcher(*order), steps=steps, declare=[{"var": "再来", "value": False}])
    talk.say("还行")
    assert running(talk) == "t3"
    talk.say(WORD)
    assert running(talk) == "t2"
    talk.say("还行")
    assert running(talk) == "t3"
    check(talk)


def test_what_is_put_in_under_a_condition_that_does_not_hold_is_skipped_and_the_other_comes_back() -> None:
    steps = [
        topic("甲", ask("一？", "a", id="q1"), id="t1"),
        topic("乙", ask("乙？", "c"), id="t2", condition="1 == 2"),
        topic("丙", ask("丙？", "d"), id="t3"),
    ]
    talk = hold(watcher(insert("t2")), steps=steps)
    talk.say(WORD)
    assert talk.at == "q1"
    assert causes(talk, "skipped") == {"t2": "condition"}
    check(talk)


def test_head_with_resume_skip_leaves_what_was_running() -> None:
    talk = hold(watcher(insert("t3"), resume="skip"))
    talk.say(WORD)
    talk.say("还行")
    assert running(talk) == "t2"
    assert causes(talk, "skipped") == {"t1": "left for t3"}
    check(talk)


def test_instances_that_are_put_in_all_come_before_what_was_put_aside() -> None:
    each = {"in": "家人", "as": "成员"}
    steps = [
        topic("甲", ask("一？", "a", id="q1"), id="t1"),
        topic("各人", ask("{成员}？", "答", id="each"), id="t2", for_each=each),
    ]
    talk = hold(watcher(insert("t2"), resume="skip"), steps=steps, declare=[{"var": "家人", "value": ["妈", "爸"]}])
    talk.say(WORD)
    assert talk.said == ["妈？"]
    talk.say("好")
    assert talk.said[-1].endswith("爸？")
    talk.say("好")
    assert talk.ended
    assert topics(talk, "skipped") == ["t1"]
    check(talk)


@pytest.mark.parametrize("level", ["explicit", "watch"])
def test_who_set_off_what_is_refused_is_not_left_without_a_word(level: str) -> None:
    steps = [topic("甲", ask("几分？", {"get": "分", "type": "integer"}, id="q1"), id="t1")]
    talk = hold(watcher(insert("t1"), level=level), steps=steps)
    talk.say(f"还行，{WORD}")
    assert done(talk) == [("INSERT_TOPIC", "it is running")]
    assert talk.at == "q1"
    assert talk.said[-1].endswith("几分？")


# the queue


def test_reordering_keeps_what_was_deferred_in_its_place() -> None:
    steps = [
        topic(
            "甲",
            use("note", timing="before_topic", to="t2", id="u1"),
            use("calm", timing="after_phase", id="u2"),
            ask("一？", "a"),
            ask("二？", "b"),
            id="t1",
        ),
        topic("乙", say("乙。"), id="t2"),
        topic("丙", say("丙。"), id="t3"),
    ]
    talk = hold(watcher(directive("REORDER_TOPICS", priority_map={"t3": "high", "t2": "low"})), steps=steps)
    talk.say(WORD)
    assert queue(talk) == ["t3", "local/note", "t2", "local/calm"]
    assert [planned.priority for planned in talk.state.phase.queue if planned.kind == "topic"] == ["high", "low"]


def test_techniques_deferred_to_a_topic_that_is_skipped_are_skipped_with_it() -> None:
    steps = [
        topic("甲", use("note", timing="before_topic", to="t2", id="u1"), ask("一？", "a"), ask("二？", "b"), id="t1"),
        topic("乙", say("乙。"), id="t2"),
        topic("丙", say("丙。"), id="t3"),
    ]
    talk = hold(watcher(directive("SKIP_TOPICS", topics=["t2"])), steps=steps)
    talk.say(WORD)
    assert queue(talk) == ["t3"]
    assert topics(talk, "skipped") == ["note", "t2"]
    assert set(causes(talk, "skipped").values()) == {"awareness local/fruit"}


def test_a_jump_keeps_what_is_planned_and_what_was_put_aside() -> None:
    """t1 is put aside, and the topic that takes its place jumps to it: it is taken up where it was."""
    steps = [
        topic("甲", ask("一？", "a", id="q1"), ask("二？", "b", id="q2"), id="t1"),
        topic("乙", ask("乙？", "c"), id="t2", transitions=[{"to": "t1", "condition": "topic.attempts < 2"}]),
        topic("丙", ask("丙？", "d", id="q4"), id="t3"),
    ]
    talk = hold(watcher(directive("SUSPEND_CURRENT")), steps=steps)
    talk.say("还行")
    talk.say(WORD)
    assert running(talk) == "t2"
    key = talk.state.suspended[0].key
    talk.say("还行")
    assert talk.at == "q2", "nothing that was answered is asked again"
    assert talk.state.running is not None
    assert talk.state.running.key == key
    assert queue(talk) == ["t2", "t3"]
    check(talk)


# depth


def nested(depth: int) -> Talk:
    """Each word puts something of its own above what runs."""
    steps = [topic(f"话{n}", ask(f"{n}？", f"v{n}", id=f"q{n}"), id=f"t{n}") for n in range(depth + 1)]
    orders = [watcher(insert(f"t{n}"), word=f"第{n}个", id=f"o{n}") for n in range(1, depth + 1)]
    return hold(
        *orders, watcher(directive("SUSPEND_CURRENT"), id="aside", word="放下"), watcher(call("calm")), steps=steps
    )


def test_interruptions_nest_and_come_back_one_by_one() -> None:
    talk = nested(5)
    for number in range(1, 6):
        talk.say(f"第{number}个")
        roundtrip(talk)
    assert [frame.ref for frame in talk.state.suspended] == ["t0", "t1", "t2", "t3", "t4"]
    for number in range(4, -1, -1):
        talk.say("好")
        assert talk.at == f"q{number}"
        assert talk.said[-1].endswith(f"{number}？")
        check(talk)


def test_a_technique_within_a_technique_within_a_topic() -> None:
    talk = hold(watcher(call("deep")), watcher(insert("t3"), word=NEXT, id="other"))
    talk.say(WORD)
    talk.say("还行")
    assert (running(talk), [frame.ref for frame in talk.state.suspended]) == ("calm", ["t1", "local/deep"])
    talk.say(NEXT)
    assert (running(talk), len(talk.state.suspended)) == ("t3", 3)
    talk.say(INTENT["zh"])
    assert len(talk.state.suspended) == 4
    for words in ("没有",) * 3:
        talk.say(words)
    out(talk)
    for place in ("q4", "calm_ask", "q1"):
        assert talk.at == place
        talk.say("好")
    assert talk.at == "q2"
    check(talk)


def test_too_many_are_refused_but_for_safety() -> None:
    deep = nested(scheduler.DEPTH + 1)
    for number in range(1, scheduler.DEPTH + 1):
        deep.say(f"第{number}个")
    for words in (f"第{scheduler.DEPTH + 1}个", "放下", WORD):
        talk = fork(deep)
        assert len(talk.state.suspended) == scheduler.DEPTH
        talk.say(words)
        assert done(talk)[-1][1] == scheduler.TOO_DEEP
        assert len(talk.state.suspended) == scheduler.DEPTH - 1, "what comes of nothing is an answer"
        assert talk.request.kind == "message"
        assert talk.said, "nobody is left without a word"
    talk = deep
    talk.say(INTENT["zh"])
    assert running(talk) == "crisis_support"
    check(talk)


# what is told


SEEN = "{%topic_attempts%}|{%suspended_because%}|{%completed_topics%}|{%planned_topics%}"


def test_a_text_may_say_where_its_topic_stands() -> None:
    steps = [
        topic("甲", say("甲。"), id="t1"),
        topic("乙", ask("一？", "a"), say(SEEN), id="t2"),
        topic("丙", say("丙。"), id="t3"),
        topic("丁", say("丁。"), id="t4"),
    ]
    talk = hold(watcher(call("calm"), awareness="要缓一缓"), steps=steps)
    talk.say("好")
    assert talk.said[0] == "1||甲|丙、丁"
    talk = hold(watcher(call("calm"), awareness="要缓一缓"), steps=steps)
    talk.say(WORD)
    talk.say("好些了")
    talk.say("好")
    assert talk.said[0] == "1|要缓一缓|甲、缓|丙、丁"


def test_the_reason_of_being_put_aside_is_told_as_it_was_given() -> None:
    steps = [
        topic("甲", ask("一？", "a"), say("因为{%suspended_because%}"), id="t1"),
        topic("乙", say("乙。"), id="t2"),
    ]
    talk = hold(watcher(directive("SUSPEND_CURRENT", reason="先说别的")), steps=steps)
    talk.say(WORD)
    talk.say("好")
    assert talk.said[0] == "因为先说别的"


CONDITIONS = [
    ("topic.attempts == 1", True),
    ("topic.suspended == null", True),
    ("topic.completed contains 't1'", True),
    ("topic.skipped contains 't2'", True),
    ("topic.planned contains 't4'", True),
    ("topic.planned contains 't3'", False),
    ("topic.completed contains 't3'", False),
    ("topic.left == null and phase.left == null", True),
    ("topic.elapsed == 20", True),
    ("phase.elapsed == 20 and session.elapsed == 20", True),
    ("action.round == null", True),
]


@pytest.mark.parametrize(("condition", "holds"), CONDITIONS)
def test_conditions_may_read_it(condition: str, holds: bool) -> None:
    steps = [
        topic("甲", say("甲。"), id="t1"),
        topic("乙", say("乙。"), id="t2", condition="1 == 2"),
        topic("丙", ask("一？", "a"), say("是的。", condition=condition), id="t3"),
        topic("丁", say("丁。"), id="t4"),
    ]
    talk = hold(steps=steps)
    talk.say("好")
    assert ("是的。" in talk.said) == holds


def test_attempts_are_counted_over_passes_and_jumps() -> None:
    steps = [
        topic(
            "甲", put("数", expr="topic.attempts"), ask("一？", "a"), id="t1", repeat={"until": "topic.attempts >= 2"}
        ),
        topic("乙", say("乙。"), id="t2", transitions=[{"to": "t1", "condition": "数 < 3"}]),
    ]
    talk = hold(steps=steps, declare=[{"var": "数", "type": "integer"}])
    seen = []
    while not talk.ended:
        seen.append(talk.value("数"))
        talk.say("好")
    assert seen == [1, 2, 3]


def test_a_condition_of_a_topic_reads_how_often_it_was_tried_before() -> None:
    steps = [
        topic("甲", ask("一？", "a"), id="t1", condition="topic.attempts < 2"),
        topic("乙", say("乙。"), id="t2", transitions=[{"to": "t1", "condition": "topic.skipped == []"}]),
    ]
    talk = hold(steps=steps)
    talk.play(["好"] * 5)
    assert talk.ended
    assert topics(talk, "running").count("t1") == 2


def test_prompts_may_read_it() -> None:
    talk = hold(watcher(call("calm"), awareness="要缓一缓"), model=calm)
    talk.say("好")
    values = talk.asked[-1].context.values
    assert (values["topic_attempts"], values["suspended_because"]) == ("1", "")
    assert (values["completed_topics"], values["planned_topics"]) == ("", "乙、丙")
    talk.say(WORD)
    talk.say("好些了")
    talk.say("好")
    assert talk.asked[-1].context.values["suspended_because"] == "要缓一缓"


# what is written down


def test_an_interruption_and_its_end_are_recorded_with_what_stood_before_and_after() -> None:
    talk = hold(watcher(call("calm")))
    talk.say(WORD)
    talk.say("好些了")
    away, back = [event for event in talk.happened("queue") if event.suspended_before != event.suspended_after]
    assert away.cause == "awareness local/fruit"
    assert (away.running_before, away.running_after) == ("t1", "local/calm")
    assert (away.suspended_before, away.suspended_after) == ([], ["t1"])
    assert away.before == away.after == ["t2", "t3"]
    assert back.cause == "resumed"
    assert (back.running_before, back.running_after) == (None, "t1")
    assert (back.suspended_before, back.suspended_after) == (["t1"], [])


@pytest.mark.parametrize(
    ("order", "after"),
    [
        (insert("t3"), (["t3", "t2"], ["t1"])),
        (insert("t3", "NEXT"), (["t3", "t2"], [])),
        (insert("t2", "TAIL"), (["t3", "t2"], [])),
        (directive("SUSPEND_CURRENT"), (["t2", "t3"], ["t1"])),
        (directive("SKIP_TOPICS", topics=["t2"]), (["t3"], [])),
        (directive("REORDER_TOPICS", priority_map={"t3": "high"}), (["t3", "t2"], [])),
        (call("calm"), (["t2", "t3"], ["t1"])),
    ],
    ids=lambda value: value["directive"] + value.get("position", "") if isinstance(value, dict) else "",
)
def test_every_directive_is_recorded_with_its_effect(order: Node, after: tuple[list[str], list[str]]) -> None:
    talk = hold(watcher(order))
    talk.say(WORD)
    change = next(event for event in talk.happened("queue") if event.cause == "awareness local/fruit")
    assert change.before == ["t2", "t3"]
    assert (change.after, change.suspended_after) == after
    assert done(talk) == [(order["directive"], "")]


def test_a_call_of_a_script_is_recorded_too() -> None:
    talk = hold(steps=[topic("甲", use("calm", id="u"), say("好。"), id="t1")])
    change = next(event for event in talk.happened("queue") if event.cause == "use_skill u")
    assert (change.running_before, change.running_after, change.suspended_after) == ("t1", "local/calm", ["t1"])


# bridges


def test_what_is_taken_up_between_two_actions_has_a_bridge_too() -> None:
    talk = hold(watcher(call("calm"), level="watch"))
    talk.say(f"还行，{WORD}")
    assert running(talk) == "calm"
    talk.say("好些了")
    assert talk.at == "q2"
    assert len(talk.said) == 2 or talk.said[0] != "二？"
    assert talk.said[-1].endswith("二？")
    assert any(line in "".join(talk.said) for line in talk._spoken["resume"])


def test_a_bridge_costs_no_call() -> None:
    talk = hold(watcher(call("calm")), model=calm)
    talk.say(WORD)
    before = len(talk.asked)
    talk.say("好些了")
    assert [task.template for task in talk.asked[before:] if task.template not in ("risk", "perceive", "ask")] == []
    assert talk.at == "q1"


def test_a_topic_with_nothing_left_to_say_ends_without_a_bridge() -> None:
    steps = [topic("甲", ask("一？", "a"), put("n", 1), id="t1"), topic("乙", ask("乙？", "c", id="q3"), id="t2")]
    talk = hold(watcher(call("calm"), level="watch"), steps=steps)
    talk.say(f"还行，{WORD}")
    talk.say("好些了")
    assert talk.at == "q3"
    assert not any(line in "".join(talk.said) for line in talk._spoken["resume"])


def test_the_same_words_make_the_same_schedule() -> None:
    words = [WORD, "好", NEXT, "好些了", "好", "好", "好"]
    first, second = (hold(watcher(call("deep")), watcher(insert("t3"), word=NEXT, id="o")) for _ in range(2))
    first.play(words)
    second.play(words)
    assert first.events == second.events
