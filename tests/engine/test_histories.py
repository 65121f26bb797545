"""What a session writes down about itself: boundaries of actions, the queue, topics, and where everything stood."""

from __future__ import annotations

from typing import Any

from tests.engine.scripts import (
    ask,
    check,
    open_markers,
    phase,
    put,
    say,
    script,
    skill,
    spoken,
    topic,
    topics,
    use,
)

from heartrule.engine.session.io import Input
from heartrule.testing.talk import Talk


def whole() -> Talk:
    """A session with a bit of everything, up to its end."""
    each = {"in": "家人", "as": "成员", "key": "称呼"}
    talk = Talk(
        script(
            phase(
                "A",
                topic("甲", say("你好", id="hello"), ask("名字？", "名", id="name"), use("技", timing="after_phase")),
                topic("每人", ask("{成员.称呼}？", {"get": "成员.答"}, id="each"), for_each=each),
                topic("不来", condition="false"),
            ),
            phase("B", topic("乙", put("n", 1, id="n"), say("完", id="bye"))),
            declare=[{"var": "名"}, {"var": "家人", "value": [{"称呼": "妈妈"}, {"称呼": "爸爸"}]}],
            skills=[skill("技", ask("技？", "t", id="t"))],
        )
    )
    talk.play(["小明", "一", "二", "三"])
    assert talk.ended
    check(talk)
    return talk


def test_every_action_is_marked_before_and_after_in_order() -> None:
    talk = whole()
    marks = [(event.action, event.edge) for event in talk.happened("marker")]
    ids = ["hello", "name", None, "each", "each", "t", "n", "bye"]
    expected = [(name, edge) for name in ids for edge in ("before", "after")]
    assert [mark for mark in marks if not str(mark[0]).startswith("甲#")] == [pair for pair in expected if pair[0]]
    assert marks[4] == ("甲#3", "before")
    assert open_markers(talk.events) == []


def test_a_marker_says_what_had_been_said_and_written_by_then() -> None:
    talk = whole()
    before, after = [event for event in talk.happened("marker") if event.action == "name"]
    assert (before.message, after.message) == (1, 3)
    assert (before.write, after.write) == (1, 2)
    assert (before.phase, before.topic, before.index, before.type) == ("a", "甲", 1, "ask")
    assert after.outcome == "completed"
    assert after.round == 1
    numbers = [(event.message, event.write) for event in talk.happened("marker")]
    assert numbers == sorted(numbers)


def test_an_action_that_is_left_is_closed_with_how() -> None:
    talk = Talk(script(phase("P", topic("甲", ask("？", "x")))))
    talk.move(Input("end"))
    before, after = talk.happened("marker")
    assert (before.edge, after.edge) == ("before", "after")
    assert after.outcome not in ("", "completed")


def test_an_action_that_is_interrupted_is_not_closed_and_closed_once() -> None:
    talk = Talk(script(phase("P", topic("甲", ask("？", "x", id="q")))))
    talk.say("我不想活了")
    assert len(open_markers(talk.events)) == 2
    talk.move(Input("end"))
    assert open_markers(talk.events) == []
    assert [event.edge for event in talk.happened("marker") if event.action == "q"] == ["before", "after"]
    check(talk)


def test_topics_pass_through_their_states() -> None:
    talk = whole()
    assert topics(talk) == [
        "甲 running",
        "技 planned",
        "甲 completed",
        "每人 running",
        "每人 completed",
        "每人 running",
        "每人 completed",
        "不来 skipped",
        "技 running",
        "技 completed",
        "乙 running",
        "乙 completed",
    ]


def test_every_key_is_one_topic() -> None:
    talk = whole()
    started = [event.key for event in talk.happened("topic") if event.state == "running"]
    assert len(started) == len(set(started))


def test_the_queue_can_be_followed_from_empty_to_empty() -> None:
    talk = whole()
    changes = talk.happened("queue")
    assert changes[0].before == []
    assert changes[-1].after == []
    assert all(event.cause for event in changes)
    grown = next(event for event in changes if event.cause.startswith("for_each"))
    assert grown.after.count("每人") == 2


def test_scopes_open_and_close_in_balance() -> None:
    talk = whole()
    opened = [event.scope_key for event in talk.happened("scope_opened") if event.scope in ("topic", "phase")]
    cleaned = [event.scope_key for event in talk.happened("scope_cleaned")]
    snapshots = [event.scope_key for event in talk.happened("scope_snapshot")]
    assert sorted(opened) == sorted(cleaned) == sorted(snapshots)
    assert len(set(opened)) == len(opened)
    for snapshot, clean in zip(talk.happened("scope_snapshot"), talk.happened("scope_cleaned"), strict=True):
        assert sorted(snapshot.variables) == clean.variables


def test_values_can_be_rebuilt_from_the_history_alone() -> None:
    talk = whole()
    rebuilt: dict[tuple[str, str], dict[str, Any]] = {}
    for event in talk.events:
        if event.kind == "variable":
            rebuilt.setdefault((event.scope, event.scope_key), {})[event.name] = event.value
        elif event.kind == "scope_cleaned":
            rebuilt.pop((event.scope, event.scope_key), None)
    held = {key: {name: value.value for name, value in cell.items()} for key, cell in talk.variables.cells.items()}
    assert {key: cell for key, cell in held.items() if cell} == rebuilt


def test_every_old_value_is_the_one_before() -> None:
    talk = whole()
    last: dict[tuple[str, str, str], Any] = {}
    for event in talk.happened("variable"):
        where = (event.scope, event.scope_key, event.name)
        assert event.old == last.get(where)
        assert (event.operation == "update") == (where in last)
        last[where] = event.value


def test_rounds_are_recorded_for_every_answer() -> None:
    talk = whole()
    assert [event.action for event in talk.happened("round")] == ["name", "each", "each", "t"]
    assert all(event.current_round == 1 for event in talk.happened("round"))


def test_every_message_of_the_ai_names_its_action() -> None:
    talk = whole()
    assert [message.action for message in talk.history if message.sender == "ai"][:2] == ["hello", "name"]
    assert all(message.action for message in talk.history if message.sender == "ai")
    assert all(message.action is None for message in talk.history if message.sender == "person")


def test_the_end_is_the_last_thing_that_happens() -> None:
    talk = whole()
    assert talk.events[-1].kind == "ended"
    assert talk.events[-1].reason == talk.state.end_reason == "completed"
    assert spoken(talk)[-1] == "完"


def test_history_carries_plain_json() -> None:
    for event in whole().events:
        assert type(event).model_validate_json(event.model_dump_json()) == event
