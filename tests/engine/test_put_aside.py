"""Topics that are put aside for others of their phase, and what becomes of them."""

from __future__ import annotations

from typing import Any

from tests.engine.scripts import ask, causes, check, phase, roundtrip, script, spoken, topic, topics

from heartrule.testing.talk import Talk


def notices(*then: dict[str, Any]) -> dict[str, Any]:
    """An awareness script that acts on the words 换一个."""
    return {
        "awareness": "想换话题",
        "id": "change",
        "always": True,
        "condition": {"judge": "来访者想换话题", "rules": {"explicit": [{"pattern": "换一个", "reason": "想换"}]}},
        "then": list(then),
    }


SUSPEND = {"directive": "SUSPEND_CURRENT", "reason": "想换"}


def aside(*then: dict[str, Any], **more: Any) -> Talk:
    talk = Talk(
        script(
            phase(
                "A", topic("甲", ask("甲？", "x")), topic("乙", ask("乙？", "y"), **more), topic("丙", ask("丙？", "z"))
            ),
            phase("C", topic("丁", ask("丁？", "w"))),
            awareness=[notices(*then)],
        )
    )
    talk.say("换一个吧")
    return talk


def test_the_next_planned_topic_runs_and_then_the_one_that_was_put_aside_comes_back() -> None:
    talk = aside(SUSPEND)
    assert talk.said == ["乙？"]
    assert causes(talk, "suspended") == {"甲": "想换"}
    check(talk)
    roundtrip(talk)
    talk.say("说完乙了")
    assert talk.said[-1].endswith("甲？")
    talk.say("说完甲了")
    assert talk.said[-1].endswith("丙？")
    check(talk)


def test_an_inserted_topic_comes_before_the_one_that_was_put_aside() -> None:
    insert = {"directive": "INSERT_TOPIC", "topic": "丙", "position": "HEAD"}
    talk = aside(insert, SUSPEND)
    assert talk.said == ["丙？"]
    check(talk)
    talk.say("好")
    assert talk.said[-1].endswith("甲？")


def test_with_nothing_planned_the_topic_comes_back_at_once() -> None:
    talk = Talk(script(phase("A", topic("甲", ask("甲？", "x"))), awareness=[notices(SUSPEND)]))
    talk.say("换一个吧")
    assert talk.said[-1].endswith("甲？")
    assert not talk.state.suspended
    check(talk)


def test_planned_topics_that_do_not_run_do_not_count() -> None:
    talk = aside(SUSPEND, condition="false")
    assert talk.said == ["丙？"]
    assert topics(talk, "skipped") == ["乙"]
    check(talk)


def test_a_jump_out_of_the_phase_skips_what_was_put_aside_with_a_cause() -> None:
    talk = aside(SUSPEND, transitions=[{"to": "c"}])
    talk.say("好")
    assert talk.said[-1].endswith("丁？")
    assert not talk.state.suspended
    assert topics(talk, "skipped") == ["甲", "丙"]
    assert "c" in causes(talk, "skipped")["甲"]
    edges = [event.edge for event in talk.happened("marker") if event.topic == "甲"]
    assert edges == ["before", "after"]
    check(talk)


def test_a_jump_within_the_phase_keeps_what_was_put_aside() -> None:
    talk = aside(SUSPEND, transitions=[{"to": "丙"}])
    talk.say("好")
    assert talk.said[-1].endswith("甲？")
    talk.say("好")
    assert talk.said[-1].endswith("丙？")
    check(talk)


def test_what_was_put_aside_again_and_again_is_not_lost() -> None:
    talk = aside(SUSPEND)
    talk.say("换一个")
    assert talk.said == ["丙？"]
    assert [frame.ref for frame in talk.state.suspended] == ["甲", "乙"]
    check(talk)
    for _ in range(3):
        talk.say("好")
    assert spoken(talk)[-1].endswith("丁？")
    check(talk)
