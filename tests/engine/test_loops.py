"""``repeat``, ``done_when`` and ``for_each``: topics that run more than once, and how they stop."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.scripts import (
    ask,
    causes,
    check,
    faults,
    only,
    operations,
    phase,
    put,
    roundtrip,
    say,
    script,
    spoken,
    topic,
    topics,
    use,
)
from tests.engine.scripts import skill as technique

from heartrule.testing.talk import Talk

# repeat


def repeated(*actions: dict[str, Any], until: Any, top: int | None = None, **more: Any) -> Talk:
    limits = {"until": until, **({"max": top} if top else {})}
    return Talk(script(phase("P", topic("甲", *actions, repeat=limits, **more), topic("乙", say("完")))))


def test_a_topic_repeats_until_its_condition_holds() -> None:
    talk = repeated(ask("够了吗？", "回"), until="回 == '够了'")
    talk.play(["没", "还没", "够了"])
    assert sum("够了吗？" in text for text in spoken(talk)) == 3
    assert spoken(talk)[-1] == "完"
    assert topics(talk, "running") == ["甲", "乙"]
    check(talk)


def test_a_topic_whose_condition_holds_at_once_runs_once() -> None:
    assert spoken(repeated(say("一次"), until="true")) == ["一次", "完"]


def test_a_topic_repeats_no_more_often_than_max_and_ends_unfinished() -> None:
    talk = repeated(say("再来"), until="false", top=3)
    assert spoken(talk) == ["再来"] * 3 + ["完"]
    completed = next(event for event in talk.happened("topic") if event.ref == "甲" and event.state == "completed")
    assert completed.unfinished
    done = {entry.name: entry.unfinished for entry in _finished(talk)}
    assert done == {"甲": True}


def _finished(talk: Talk) -> list[Any]:
    """What the state says of the topics before the last turn's end; taken while the session waits."""
    made = script(
        phase("P", topic("甲", say("再来"), repeat={"until": "false", "max": 3}), topic("乙", ask("？", "x")))
    )
    state = Talk(made).state
    assert state.phase is not None
    return state.phase.finished


def test_attempts_count_the_passes() -> None:
    talk = repeated(say("第{topic.attempts}次"), until="topic.attempts >= 3")
    assert spoken(talk) == ["第1次", "第2次", "第3次", "完"]


def test_a_repeated_topic_keeps_its_scope() -> None:
    talk = repeated(put("topic.n", expr="exists(topic.n) and topic.n + 1 or 1"), until="topic.attempts >= 3")
    assert talk.ended
    (snapshot, *_) = [event for event in talk.happened("scope_snapshot") if event.scope == "topic"]
    assert snapshot.name == "甲"


def test_a_judge_may_decide_how_often() -> None:
    def verdict(holds: bool) -> dict[str, Any]:
        return {"verdicts": [{"id": 1, "verdict": holds, "confidence": 1}]}

    made = script(phase("P", topic("甲", say("讲"), repeat={"until": {"judge": "懂了吗"}, "max": 5})))
    talk = Talk(made, model={"judge": [verdict(False), verdict(False), verdict(True)]})
    assert spoken(talk) == ["讲", "讲", "讲"]


def test_a_repeat_that_never_waits_is_stopped_and_says_so() -> None:
    talk = repeated(put("n", 1), until="false")
    assert talk.ended
    assert talk.state.end_reason == "loop"
    assert faults(talk)
    assert len(talk.said) == 1
    assert talk.said[0].strip()
    check(talk)


def test_a_repeat_that_speaks_and_never_waits_does_not_flood_the_person() -> None:
    talk = repeated(say("喂"), until="false")
    assert talk.ended
    assert len(talk.said) <= 60
    assert talk.said[-1] != "喂"
    check(talk)


def test_a_repeat_that_asks_the_model_and_never_waits_does_not_ask_for_ever() -> None:
    made = script(phase("P", topic("甲", put("n", 1), repeat={"until": {"judge": "懂了吗"}})))
    talk = Talk(made, model={"judge": {"verdicts": [{"id": 1, "verdict": False, "confidence": 1}]}})
    assert talk.ended
    assert len(talk.asked) <= 120


def test_transitions_are_read_after_the_last_pass() -> None:
    made = script(
        phase(
            "P",
            topic("甲", say("遍"), repeat={"until": "topic.attempts >= 2"}, transitions=[{"to": "丙"}]),
            topic("乙"),
            topic("丙"),
        )
    )
    assert spoken(Talk(made)) == ["遍", "遍", "丙"]


# done_when


@pytest.mark.parametrize(("value", "unfinished"), [(1, True), (5, False)])
def test_a_completion_standard_that_is_not_met_marks_the_topic_unfinished(value: int, unfinished: bool) -> None:
    made = script(
        phase("P", topic("甲", put("n", value), say("说了"), done_when="n > 3"), topic("乙", ask("好？", "x"))),
    )
    talk = Talk(made)
    assert spoken(talk) == ["说了", "好？"]
    assert talk.state.phase is not None
    assert [entry.unfinished for entry in talk.state.phase.finished] == [unfinished]
    (completed,) = [event for event in talk.happened("topic") if event.state == "completed"]
    assert bool(completed.unfinished) == unfinished


def test_a_technique_has_a_completion_standard_too() -> None:
    talk = Talk(only(use("技"), ask("好？", "x"), skills=[technique("技", say("教"), done_when="false")]))
    (completed,) = [event for event in talk.happened("topic") if event.state == "completed"]
    assert completed.unfinished


# for_each

FAMILY = [{"称呼": "妈妈"}, {"称呼": "爸爸"}, {"称呼": "妹妹"}]
EACH = {"in": "家人", "as": "成员", "key": "称呼"}


def family(*actions: dict[str, Any], items: Any = FAMILY, each: dict[str, Any] = EACH, **more: Any) -> Talk:
    declared = more.pop("declared", {})
    return Talk(
        script(
            phase("P", topic("每人", *actions, for_each=each, **more), topic("完", ask("完了？", "x"))),
            declare=[{"var": "家人", **({"value": items} if items is not None else {}), **declared}],
        )
    )


def test_one_instance_for_each_item() -> None:
    talk = family(say("说说{成员.称呼}"))
    assert spoken(talk) == ["说说妈妈", "说说爸爸", "说说妹妹", "完了？"]
    assert topics(talk, "running") == ["每人", "每人", "每人", "完"]
    assert talk.state.phase is not None
    assert [entry.name for entry in talk.state.phase.finished] == ["每人（妈妈）", "每人（爸爸）", "每人（妹妹）"]
    check(talk)


def test_every_instance_has_a_scope_of_its_own() -> None:
    talk = family(say("{记}"), put("记", "{成员.称呼}"), declare=[{"var": "记", "value": "空"}])
    assert spoken(talk)[:3] == ["空", "空", "空"]


def test_what_is_written_through_the_alias_goes_into_the_item() -> None:
    talk = family(ask("{成员.称呼}做什么？", {"get": "成员.职业"}), say("{成员.称呼}是{成员.职业}"))
    talk.play(["老师", "工人"])
    roundtrip(talk)
    talk.say("学生")
    assert talk.value("家人") == [
        {"称呼": "妈妈", "职业": "老师"},
        {"称呼": "爸爸", "职业": "工人"},
        {"称呼": "妹妹", "职业": "学生"},
    ]
    assert "爸爸是工人" in spoken(talk)
    check(talk)


def test_a_set_through_the_alias_goes_into_the_item_too() -> None:
    talk = family(put("成员.谈过", True), put("成员.住.城市", "上海"))
    assert talk.value("家人")[2] == {"称呼": "妹妹", "谈过": True, "住": {"城市": "上海"}}


def test_writing_into_an_item_loses_no_other_item() -> None:
    items = [*FAMILY, {"称呼": "妈妈", "备注": "又一次"}, {"备注": "没有称呼"}, "一段话"]
    talk = family(put("成员.谈过", True), items=items, each=EACH | {"max": 2})
    held = talk.value("家人")
    assert held == [{"称呼": "妈妈", "谈过": True}, {"称呼": "爸爸", "谈过": True}, *items[2:]]


def test_a_field_of_an_item_obeys_its_declaration() -> None:
    declared = {"type": "list", "fields": [{"name": "称呼"}, {"name": "年龄", "type": "integer"}]}
    talk = family(ask("{成员.称呼}几岁？", {"get": "成员.年龄"}), items=FAMILY[:1], declared=declared)
    talk.say("五十")
    assert talk.value("家人") == [{"称呼": "妈妈", "年龄": 50}]
    refused = family(put("很", "很老"), put("成员.年龄", "{很}"), items=FAMILY[:1], declared=declared)
    assert refused.value("家人") == FAMILY[:1]
    assert faults(refused)


def test_an_update_mode_of_the_list_does_not_double_its_items() -> None:
    talk = family(put("成员.谈过", True), declared={"type": "list", "update": "append"})
    assert len(talk.value("家人")) == 3


def test_items_that_appear_while_it_runs_are_appended() -> None:
    grown = put("家人", [*FAMILY, {"称呼": "外婆"}], condition="成员.称呼 == '爸爸'")
    talk = family(say("说说{成员.称呼}"), grown)
    assert spoken(talk)[:4] == ["说说妈妈", "说说爸爸", "说说妹妹", "说说外婆"]
    check(talk)


def test_an_item_that_appears_in_the_last_instance_is_appended() -> None:
    grown = put("家人", [*FAMILY, {"称呼": "外婆"}], condition="成员.称呼 == '妹妹'")
    talk = family(say("说说{成员.称呼}"), grown)
    assert spoken(talk)[3] == "说说外婆"


def test_items_that_vanish_are_skipped_with_a_cause() -> None:
    gone = put("家人", [FAMILY[0], FAMILY[2]], condition="成员.称呼 == '妈妈'")
    talk = family(say("说说{成员.称呼}"), gone)
    assert spoken(talk)[:2] == ["说说妈妈", "说说妹妹"]
    assert topics(talk, "skipped") == ["每人"]
    assert "vanish" in causes(talk, "skipped")["每人"]


def test_the_running_item_may_vanish() -> None:
    talk = family(put("家人", FAMILY[1:], condition="成员.称呼 == '妈妈'"), put("成员.谈过", True), say("{成员.称呼}"))
    assert talk.value("家人") == [{"称呼": "爸爸", "谈过": True}, {"称呼": "妹妹", "谈过": True}]
    assert spoken(talk)[1:3] == ["爸爸", "妹妹"]
    check(talk)


@pytest.mark.parametrize("items", [[], None, "不是列表", {"也": "不是"}])
def test_without_items_the_topic_is_skipped_with_a_cause(items: Any) -> None:
    talk = family(say("说说{成员.称呼}"), items=items)
    assert spoken(talk) == ["完了？"]
    assert topics(talk, "skipped") == ["每人"]
    assert causes(talk, "skipped")["每人"]


def test_plain_values() -> None:
    talk = family(say("{成员}"), items=["妈妈", "爸爸", 3], each={"in": "家人", "as": "成员"})
    assert spoken(talk)[:3] == ["妈妈", "爸爸", "3"]


def test_plain_values_can_be_compared_and_copied() -> None:
    talk = family(
        say("是{成员}", condition="成员 == '爸爸'"),
        put("记", "{成员}", condition="成员 contains '妈'"),
        say("{记}", condition="exists(记)"),
        items=["妈妈", "爸爸"],
        each={"in": "家人", "as": "成员"},
    )
    assert spoken(talk)[:2] == ["妈妈", "是爸爸"]


def test_writing_into_a_plain_value_makes_it_an_object_and_keeps_what_it_was() -> None:
    talk = family(put("成员.谈过", True), say("{成员.称呼}"), items=["妈妈", "爸爸"])
    assert talk.value("家人") == [{"称呼": "妈妈", "谈过": True}, {"称呼": "爸爸", "谈过": True}]
    assert spoken(talk)[:2] == ["妈妈", "爸爸"]


def test_writing_into_a_plain_value_without_a_key_stays_at_its_item() -> None:
    talk = family(put("成员.一", 1), put("成员.二", 2), items=["妈妈", "爸爸"], each={"in": "家人", "as": "成员"})
    held = talk.value("家人")
    assert [(item["一"], item["二"]) for item in held] == [(1, 2), (1, 2)]
    assert "妈妈" in held[0].values()
    assert not faults(talk)


def test_no_more_instances_than_max() -> None:
    items = [{"称呼": f"人{number}"} for number in range(9)]
    assert spoken(family(say("{成员.称呼}"), items=items, each=EACH | {"max": 2})) == ["人0", "人1", "完了？"]


def test_no_more_instances_than_max_when_the_list_grows() -> None:
    grown = put("家人", [*FAMILY, {"称呼": "外婆"}, {"称呼": "外公"}])
    talk = family(say("{成员.称呼}"), grown, each=EACH | {"max": 4})
    assert spoken(talk) == ["妈妈", "爸爸", "妹妹", "外婆", "完了？"]


def test_a_long_list_is_gone_through_whole() -> None:
    items = [{"称呼": f"人{number}"} for number in range(200)]
    actions = [put(f"成员.{name}", 1) for name in "abcd"]
    talk = family(*actions, items=items, each=EACH | {"max": 200})
    assert not talk.ended
    assert all(item["d"] == 1 for item in talk.value("家人"))


def test_equal_keys_make_one_instance() -> None:
    talk = family(say("{成员.称呼}"), items=[{"称呼": "妈妈"}, {"称呼": "妈妈"}, {"称呼": "爸爸"}])
    assert spoken(talk) == ["妈妈", "爸爸", "完了？"]


def test_items_without_a_key_are_known_by_their_place() -> None:
    talk = family(
        put("成员.谈过", True), say("{成员.甲}"), items=[{"甲": 1}, {"甲": 1}], each={"in": "家人", "as": "成员"}
    )
    assert spoken(talk)[:2] == ["1", "1"]
    assert talk.value("家人") == [{"甲": 1, "谈过": True}] * 2


def test_the_condition_of_the_topic_is_read_for_each_item() -> None:
    talk = family(say("{成员.称呼}"), condition="成员.称呼 != '爸爸' and exists(成员.称呼)")
    assert spoken(talk) == ["妈妈", "妹妹", "完了？"]
    assert topics(talk, "skipped") == ["每人"]


def test_a_condition_that_has_nothing_to_do_with_the_items() -> None:
    assert spoken(family(say("{成员.称呼}"), condition="false")) == ["完了？"]


def test_the_alias_means_nothing_outside() -> None:
    talk = Talk(
        script(
            phase(
                "P",
                topic("每人", put("n", 1), for_each=EACH),
                topic("后", say("有", condition="exists(成员)"), say("无")),
            ),
            declare=[{"var": "家人", "value": FAMILY}],
        )
    )
    assert spoken(talk) == ["无"]


def test_a_list_in_a_named_scope() -> None:
    talk = family(put("成员.谈过", True), items=FAMILY[:1], each=EACH | {"in": "session.家人"})
    assert talk.value("家人") == [{"称呼": "妈妈", "谈过": True}]
    assert [event.scope for event in operations(talk, "家人")] == ["session", "session"]


def test_a_list_inside_an_object() -> None:
    each = {"in": "来访者.家人", "as": "成员", "key": "称呼"}
    talk = Talk(
        script(
            phase("P", topic("每人", put("成员.谈过", True), for_each=each), topic("完", ask("？", "x"))),
            declare=[{"var": "来访者", "value": {"名": "小明", "家人": [{"称呼": "妈妈"}]}}],
        )
    )
    assert talk.value("来访者") == {"名": "小明", "家人": [{"称呼": "妈妈", "谈过": True}]}


def test_a_transition_of_an_instance_leaves_the_others() -> None:
    talk = family(say("{成员.称呼}"), transitions=[{"to": "完", "condition": "成员.称呼 == '爸爸'"}])
    assert spoken(talk) == ["妈妈", "爸爸", "完了？"]
    assert topics(talk, "skipped") == ["每人"]
    check(talk)


def test_instances_repeat_by_themselves() -> None:
    talk = family(say("{成员.称呼}{topic.attempts}"), items=FAMILY[:2], repeat={"until": "topic.attempts >= 2"})
    assert spoken(talk)[:4] == ["妈妈1", "妈妈2", "爸爸1", "爸爸2"]


def test_going_back_to_a_topic_goes_through_its_items_again() -> None:
    talk = Talk(
        script(
            phase(
                "P",
                topic("每人", say("{成员.称呼}"), for_each=EACH),
                topic("数", put("次", expr="次 + 1"), transitions=[{"to": "每人", "condition": "次 < 2"}]),
            ),
            declare=[{"var": "家人", "value": FAMILY[:2]}, {"var": "次", "value": 0}],
        )
    )
    assert spoken(talk) == ["妈妈", "爸爸"] * 2
    check(talk)
