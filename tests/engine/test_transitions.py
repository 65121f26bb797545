"""Jumps: from a topic or a phase, forwards and backwards, out of everything, and never for ever."""

from __future__ import annotations

from dataclasses import replace

from tests.engine.scripts import (
    ask,
    causes,
    check,
    faults,
    phase,
    phases,
    put,
    say,
    script,
    spoken,
    topic,
    topics,
    use,
)
from tests.engine.scripts import skill as technique

from heartrule.engine.session.io import Input
from heartrule.engine.session.state import SCRIPT, TopicFrame
from heartrule.testing.talk import Talk


def to(target: str, condition: object = None) -> dict[str, object]:
    return {"to": target, **({"condition": condition} if condition is not None else {})}


def test_a_topic_jumps_to_a_later_topic_and_what_lies_between_is_skipped() -> None:
    talk = Talk(script(phase("P", topic("甲", transitions=[to("丁")]), topic("乙"), topic("丙"), topic("丁"))))
    assert spoken(talk) == ["甲", "丁"]
    assert topics(talk, "skipped") == ["乙", "丙"]
    assert "丁" in causes(talk, "skipped")["乙"]
    check(talk)


def test_a_topic_is_named_by_its_id_or_its_name() -> None:
    for target in ("d", "丁"):
        talk = Talk(script(phase("P", topic("甲", transitions=[to(target)]), topic("乙"), topic("丁", id="d"))))
        assert spoken(talk) == ["甲", "丁"]


def test_a_topic_jumps_back_and_what_follows_runs_again() -> None:
    again = [to("甲", "回 == '是'")]
    talk = Talk(
        script(
            phase("P", topic("甲"), topic("乙", ask("再来？", "回"), transitions=again), topic("丙")),
            declare=[{"var": "回"}],
        )
    )
    talk.say("是")
    check(talk)
    talk.say("不了")
    assert topics(talk, "running") == ["甲", "乙", "甲", "乙", "丙"]
    assert talk.ended
    check(talk)


def test_a_topic_may_jump_to_itself() -> None:
    talk = Talk(
        script(
            phase(
                "P", topic("甲", put("n", expr="n + 1"), say("第{n}次"), transitions=[to("甲", "n < 3")]), topic("乙")
            ),
            declare=[{"var": "n", "value": 0}],
        )
    )
    assert spoken(talk) == ["第1次", "第2次", "第3次", "乙"]


def test_a_topic_jumps_to_another_phase() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", transitions=[to("C")]), topic("乙")),
            phase("B", topic("丙")),
            phase("C", topic("丁")),
        )
    )
    assert spoken(talk) == ["甲", "丁"]
    assert phases(talk) == ["a entered", "a left", "c entered", "c left"]
    assert topics(talk, "skipped") == ["乙"]
    check(talk)


def test_a_topic_jumps_to_the_end() -> None:
    talk = Talk(script(phase("A", topic("甲", transitions=[to("end")]), topic("乙")), phase("B", topic("丙"))))
    assert spoken(talk) == ["甲"]
    assert talk.ended
    assert talk.state.end_reason == "transition"
    check(talk)


def test_the_first_transition_that_holds_wins() -> None:
    talk = Talk(
        script(
            phase(
                "P",
                topic("甲", put("n", 3), transitions=[to("乙", "n > 5"), to("丙", "n > 2"), to("丁", "n > 1")]),
                topic("乙"),
                topic("丁"),
                topic("丙"),
            )
        )
    )
    assert spoken(talk) == ["丙"]


def test_no_transition_holds_and_the_next_topic_comes() -> None:
    talk = Talk(script(phase("P", topic("甲", transitions=[to("丙", "1 > 2")]), topic("乙"), topic("丙"))))
    assert spoken(talk) == ["甲", "乙", "丙"]


def test_a_phase_jumps_when_it_ends() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲"), topic("乙"), transitions=[to("c")]),
            phase("B", topic("丙")),
            phase("C", topic("丁")),
        )
    )
    assert spoken(talk) == ["甲", "乙", "丁"]
    assert "b skipped" not in phases(talk)


def test_a_phase_jumps_back() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", ask("再来？", {"get": "回", "scope": "session"}))),
            phase("B", topic("乙"), transitions=[to("a", "回 == '是'")]),
        )
    )
    talk.say("是")
    assert phases(talk) == ["a entered", "a left", "b entered", "b left", "a entered"]
    talk.say("不")
    assert talk.ended
    check(talk)


def test_a_phase_jumps_to_the_end() -> None:
    talk = Talk(script(phase("A", topic("甲"), transitions=[to("end")]), phase("B", topic("乙"))))
    assert spoken(talk) == ["甲"]
    assert talk.ended


def test_a_phase_level_jump_means_the_phase_where_a_topic_has_the_same_name() -> None:
    talk = Talk(script(phase("A", topic("x", ask("好？", "y")), transitions=[to("x")]), phase("X", topic("到了"))))
    talk.say("好")
    assert spoken(talk)[-1] == "到了"
    assert talk.ended


def test_a_condition_of_a_transition_reads_what_the_topic_has_just_found() -> None:
    talk = Talk(
        script(
            phase(
                "P",
                topic("甲", ask("几分？", {"get": "分", "type": "integer"}), transitions=[to("丙", "分 >= 8")]),
                topic("乙"),
                topic("丙"),
            )
        )
    )
    talk.say("9")
    assert talk.said[-1] == "丙"
    assert "乙" not in spoken(talk)


def test_transitions_ask_the_model_once_for_all_their_questions() -> None:
    transitions = [to("乙", {"judge": "难过吗"}), to("丙", {"judge": "生气吗"})]
    talk = Talk(
        script(phase("P", topic("甲", transitions=transitions), topic("乙"), topic("丙"))),
        model={
            "judge": {
                "verdicts": [{"id": 1, "verdict": False, "confidence": 1}, {"id": 2, "verdict": True, "confidence": 1}]
            }
        },
    )
    assert spoken(talk) == ["甲", "丙"]
    assert len(talk.asked) == 1


def test_a_transition_that_code_decides_first_asks_nobody() -> None:
    transitions = [to("丙", "1 < 2"), to("乙", {"judge": "难过吗"})]
    talk = Talk(script(phase("P", topic("甲", transitions=transitions), topic("乙"), topic("丙"))), model={})
    assert spoken(talk) == ["甲", "丙"]
    assert talk.asked == []


def test_a_topic_that_is_jumped_to_keeps_its_condition() -> None:
    talk = Talk(script(phase("P", topic("甲", transitions=[to("丙")]), topic("乙"), topic("丙", condition="false"))))
    assert spoken(talk) == ["甲"]
    assert topics(talk, "skipped") == ["乙", "丙"]


def test_a_phase_that_is_jumped_to_keeps_its_condition() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲"), transitions=[to("c")]),
            phase("B", topic("乙")),
            phase("C", topic("丙"), condition="false"),
            phase("D", topic("丁")),
        )
    )
    assert spoken(talk) == ["甲", "丁"]
    assert "c skipped" in phases(talk)


def test_a_target_that_is_gone_is_recorded_and_the_session_goes_on() -> None:
    made = script(phase("A", topic("甲", transitions=[to("c")]), topic("乙")), phase("C", topic("丙")))
    session = made.session.model_copy(update={"phases": made.session.phases[:1]})
    talk = Talk(replace(made, session=session))
    assert spoken(talk) == ["甲", "乙"]
    assert any("c" in what for what in faults(talk))


# bounds


def test_a_jump_loop_that_waits_goes_on_as_long_as_the_person_does_but_not_for_ever() -> None:
    talk = Talk(script(phase("P", topic("甲", ask("再来？", "x"), transitions=[to("甲")]), topic("乙", say("完")))))
    for turn in range(130):
        if talk.ended:
            break
        talk.say(f"第{turn}次")
    assert talk.ended
    assert talk.said[-1] == "完"
    assert 50 <= turn <= 120
    assert faults(talk)
    check(talk)


def test_two_topics_that_jump_to_each_other_do_not_run_for_ever() -> None:
    talk = Talk(
        script(
            phase(
                "P", topic("甲", put("a", 1), transitions=[to("乙")]), topic("乙", put("b", 1), transitions=[to("甲")])
            )
        )
    )
    assert talk.ended
    assert faults(talk)
    check(talk)


def test_a_loop_that_speaks_does_not_flood_the_person() -> None:
    talk = Talk(script(phase("P", topic("甲", say("又来了"), transitions=[to("甲")]), topic("乙", say("完")))))
    assert faults(talk)
    assert len(spoken(talk)) <= 60
    check(talk)


def test_phases_that_jump_to_each_other_do_not_run_for_ever() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", put("a", 1)), transitions=[to("b")]),
            phase("B", topic("乙", put("b", 1)), transitions=[to("a")]),
        )
    )
    assert talk.ended
    assert faults(talk)
    check(talk)


# what a jump leaves behind


def test_a_jump_out_of_a_phase_skips_suspended_topics_with_a_cause() -> None:
    """A topic is put aside for another one of the same phase, which jumps away."""
    talk = Talk(
        script(
            phase("A", topic("甲", ask("好？", "x")), topic("乙", say("乙"), transitions=[to("c")])),
            phase("C", topic("丙", ask("丙？", "y"))),
        )
    )
    running = talk.state.running
    assert running is not None
    running.suspended, talk.state.running = SCRIPT, None
    talk.state.suspended.append(running)
    talk.state.running = TopicFrame(
        key="t99", kind="topic", ref="乙", name="乙", project="local", started_at=talk.now, next=1
    )
    talk.move(Input("resume"))
    assert talk.at is not None
    assert talk.said == ["丙？"]
    assert talk.state.suspended == []
    assert "c" in causes(talk, "skipped")["甲"]
    check_from = [event for event in talk.happened("marker") if event.topic == "甲"]
    assert [event.edge for event in check_from] == ["before", "after"]


def test_a_phase_that_is_left_leaves_no_variables_behind() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", put("phase.x", 1), put("topic.y", 2), transitions=[to("b")]), topic("乙")),
            phase("B", topic("丙", ask("好？", "z"))),
        )
    )
    names = {name for cell in talk.variables.cells.values() for name in cell}
    assert not names & {"x", "y"}
    snapshots = {event.scope: event.variables for event in talk.happened("scope_snapshot")}
    assert snapshots == {"topic": {"y": 2}, "phase": {"x": 1}}


def test_a_technique_deferred_after_its_topic_runs_before_the_topic_that_is_jumped_to() -> None:
    talk = Talk(
        script(
            phase("P", topic("甲", use("技", timing="after_topic"), transitions=[to("丙")]), topic("乙"), topic("丙")),
            skills=[technique("技")],
        )
    )
    assert spoken(talk) == ["技", "丙"]


def test_a_technique_deferred_before_a_topic_stays_before_it_when_it_is_jumped_to() -> None:
    talk = Talk(
        script(
            phase(
                "P",
                topic("甲", use("技", timing="before_topic", to="丙"), transitions=[to("丙")]),
                topic("乙"),
                topic("丙"),
                topic("丁"),
            ),
            skills=[technique("技")],
        )
    )
    assert spoken(talk) == ["技", "丙", "丁"]


def test_a_technique_for_the_end_of_the_phase_stays_at_its_end_after_a_jump() -> None:
    talk = Talk(
        script(
            phase("P", topic("甲", use("技", timing="after_phase"), transitions=[to("丙")]), topic("乙"), topic("丙")),
            skills=[technique("技")],
        )
    )
    assert spoken(talk) == ["丙", "技"]


def test_a_technique_before_a_topic_that_is_passed_over_is_skipped_with_it() -> None:
    talk = Talk(
        script(
            phase(
                "P",
                topic("甲", use("技", timing="before_topic", to="乙"), transitions=[to("丙")]),
                topic("乙"),
                topic("丙"),
            ),
            skills=[technique("技")],
        )
    )
    assert spoken(talk) == ["丙"]
    assert set(topics(talk, "skipped")) == {"乙", "技"}
    check(talk)
