"""``use_skill``: a technique runs in the middle of a topic or later, takes and gives what it says, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from tests.engine.minds import option
from tests.engine.minds import spoken as known
from tests.engine.scripts import (
    ask,
    causes,
    check,
    faults,
    only,
    phase,
    put,
    roundtrip,
    say,
    script,
    skill,
    spoken,
    topic,
    topics,
    use,
)
from tests.engine.watchers import watcher, words

from heartrule.testing.talk import Talk


def test_now_suspends_the_caller_and_comes_back_to_it() -> None:
    talk = Talk(only(say("前"), use("技"), say("后"), skills=[skill("技", say("技"), ask("好？", "x"))]))
    assert spoken(talk) == ["前", "技", "好？"]
    assert len(talk.state.suspended) == 1
    check(talk)
    roundtrip(talk)
    talk.say("好")
    assert spoken(talk)[-1] == "后"
    assert topics(talk) == [
        "T running",
        "T suspended",
        "技 running",
        "技 completed",
        "T running",
        "T completed",
    ]
    assert causes(talk, "suspended")["T"]
    check(talk)


def test_a_technique_runs_with_a_scope_of_its_own() -> None:
    talk = Talk(
        only(
            put("x", "我的", scope="topic"),
            use("技", input={"给": "{x}"}),
            say("{x}{里}", condition="exists(里)"),
            say("{x}"),
            skills=[skill("技", say("{给}{x}", condition="exists(x)"), put("里", 1), parameters=[{"name": "给"}])],
        )
    )
    assert spoken(talk) == ["我的"]


def test_parameters_come_in() -> None:
    parameters = [{"name": "信念", "required": True}, {"name": "次", "default": 3}, {"name": "没给"}]
    talk = Talk(
        only(
            put("想法", "我不行"),
            use("技", input={"信念": "{想法}"}),
            skills=[skill("技", say("{信念}{次}"), say("有", condition="exists(没给)"), parameters=parameters)],
        )
    )
    assert spoken(talk) == ["我不行3"]


def test_a_parameter_keeps_its_type_and_may_be_any_literal() -> None:
    talk = Talk(
        only(
            put("列", ["一", "二"]),
            use("技", input={"a": "{列}", "b": {"x": "{列}"}, "c": 5, "d": "前{列}后"}),
            skills=[
                skill(
                    "技",
                    say("{a}；{b.x}；{c}；{d}", condition="len(a) == 2 and c > 4"),
                    parameters=[{"name": n} for n in "abcd"],
                )
            ],
        )
    )
    assert spoken(talk) == ["一、二；一、二；5；前一、二后"]


def test_a_parameter_whose_value_is_missing_takes_its_default() -> None:
    talk = Talk(
        only(
            use("技", input={"名": "{没有}"}),
            declare=[{"var": "没有"}],
            skills=[skill("技", say("{名}"), parameters=[{"name": "名", "default": "你"}])],
        )
    )
    assert spoken(talk) == ["你"]


def test_returns_go_out_under_the_callers_names() -> None:
    talk = Talk(
        only(
            use("技", output=[{"get": "结果", "set": "得到"}]),
            say("{得到}"),
            say("漏", condition="exists(结果) or exists(中间)"),
            skills=[skill("技", put("中间", 1), ask("想到什么？", "结果"), returns=["结果"])],
        )
    )
    talk.say("也许没那么糟")
    assert spoken(talk)[-1] == "也许没那么糟"


def test_a_return_goes_to_the_scope_of_the_callers_definition() -> None:
    talk = Talk(
        script(
            phase(
                "A",
                topic("甲", use("技", output=[{"get": "r", "set": "会里的"}, {"get": "r", "set": "成"}]), say("{成}")),
            ),
            phase("B", topic("乙", say("{会里的}"))),
            declare=[{"var": "会里的"}],
            skills=[skill("技", put("r", "好"), returns=["r"])],
        )
    )
    assert spoken(talk) == ["好", "好"]


def test_a_return_that_was_never_set_leaves_the_callers_variable_alone() -> None:
    talk = Talk(
        only(
            use("技", output=[{"get": "r", "set": "x"}]),
            say("{x}"),
            declare=[{"var": "x", "value": "原"}, {"var": "r", "value": "别人的"}],
            skills=[skill("技", say("教"), returns=["r"])],
        )
    )
    assert spoken(talk) == ["教", "原"]


def test_resume_skip_leaves_the_topic() -> None:
    talk = Talk(
        script(
            phase("P", topic("甲", say("前"), use("技", resume="skip"), say("后")), topic("乙")),
            skills=[skill("技", ask("好？", "x"))],
        )
    )
    talk.say("好")
    assert spoken(talk)[-1] == "乙"
    assert "后" not in spoken(talk)
    check(talk)


def test_resume_skip_leaves_a_topic_that_repeats() -> None:
    talk = Talk(
        script(
            phase(
                "P", topic("甲", say("前"), use("技", resume="skip"), repeat={"until": "false", "max": 3}), topic("乙")
            ),
            skills=[skill("技")],
        )
    )
    assert spoken(talk) == ["前", "技", "乙"]


def test_a_call_under_a_condition() -> None:
    talk = Talk(only(use("技", condition="false"), say("后"), skills=[skill("技")]))
    assert spoken(talk) == ["后"]


def test_a_technique_repeats_too() -> None:
    talk = Talk(only(use("技"), say("后"), skills=[skill("技", say("遍"), repeat={"until": "topic.attempts >= 2"})]))
    assert spoken(talk) == ["遍", "遍", "后"]


def test_techniques_call_techniques() -> None:
    talk = Talk(
        only(
            use("外", output=[{"get": "r", "set": "x"}]),
            say("{x}"),
            skills=[
                skill("外", say("外"), use("内", output=[{"get": "s", "set": "r"}]), say("外完"), returns=["r"]),
                skill("内", ask("？", "s"), returns=["s"]),
            ],
        )
    )
    assert len(talk.state.suspended) == 2
    check(talk)
    talk.say("里面的")
    assert spoken(talk)[-2:] == ["外完", "里面的"]
    check(talk)


# later


def later(timing: str, **more: Any) -> dict[str, Any]:
    return use("技", timing=timing, **more)


@pytest.mark.parametrize(
    ("action", "order"),
    [
        (later("after_topic"), ["甲", "技", "乙", "丙", "丁"]),
        (later("before_topic", to="丙"), ["甲", "乙", "技", "丙", "丁"]),
        (later("before_topic", to="c"), ["甲", "乙", "技", "丙", "丁"]),
        (later("after_phase"), ["甲", "乙", "丙", "技", "丁"]),
    ],
)
def test_a_technique_for_later(action: dict[str, Any], order: list[str]) -> None:
    talk = Talk(
        script(
            phase("P", topic("甲", action, say("甲")), topic("乙"), topic("丙", id="c")),
            phase("Q", topic("丁")),
            skills=[skill("技")],
        )
    )
    assert [text.replace("c", "丙") for text in spoken(talk)] == order
    (planned,) = [event for event in talk.happened("topic") if event.state == "planned"]
    assert planned.cause
    assert not talk.happened("fault")
    check(talk)


@pytest.mark.parametrize("timing", ["after_topic", "before_topic", "after_phase"])
def test_techniques_for_the_same_moment_keep_their_order(timing: str) -> None:
    to = {"to": "乙"} if timing == "before_topic" else {}
    talk = Talk(
        script(
            phase("P", topic("甲", *(use(name, timing=timing, **to) for name in "abc")), topic("乙")),
            skills=[skill(name) for name in "abc"],
        )
    )
    assert [text for text in spoken(talk) if text != "乙"] == ["a", "b", "c"]


def test_parameters_for_later_are_taken_now() -> None:
    talk = Talk(
        only(
            put("x", "那时"),
            use("技", timing="after_topic", input={"给": "{x}"}),
            put("x", "后来"),
            declare=[{"var": "x"}],
            skills=[skill("技", say("{给}"), parameters=[{"name": "给"}])],
        )
    )
    assert spoken(talk) == ["那时"]


def test_a_technique_for_later_may_return_into_the_session() -> None:
    talk = Talk(
        script(
            phase(
                "P",
                topic("甲", use("技", timing="after_topic", output=[{"get": "r", "set": "x"}])),
                topic("乙", say("{x}")),
            ),
            declare=[{"var": "x"}],
            skills=[skill("技", put("r", "好"), returns=["r"])],
        )
    )
    assert spoken(talk) == ["好"]


def test_a_topic_that_is_over_can_have_nothing_before_it() -> None:
    talk = Talk(
        script(
            phase("P", topic("甲"), topic("乙", use("技", timing="before_topic", to="甲"), say("乙"))),
            skills=[skill("技")],
        )
    )
    assert spoken(talk) == ["甲", "乙"]
    assert faults(talk)


def test_queue_changes_are_recorded_with_before_and_after() -> None:
    talk = Talk(script(phase("P", topic("甲", use("技", timing="after_phase")), topic("乙")), skills=[skill("技")]))
    changes = [(event.before, event.after) for event in talk.happened("queue")]
    assert changes[0] == ([], ["甲", "乙"])
    assert (["乙"], ["乙", "local/技"]) in changes
    assert changes[-1][1] == []
    assert all(event.cause for event in talk.happened("queue"))
    check(talk)


# for each

FAMILY = [{"称呼": "妈妈"}, {"称呼": "爸爸"}]
EACH = {"in": "家人", "as": "成员", "key": "称呼"}


def each(*, action: dict[str, Any] | None = None, made: list[dict[str, Any]], items: Any = FAMILY, **more: Any) -> Talk:
    call = use("技", for_each=EACH | more.pop("limits", {}), **(action or {}))
    return Talk(only(call, say("后"), ask("完？", "q"), declare=[{"var": "家人", "value": items}], skills=made, **more))


def test_a_call_for_each_item() -> None:
    talk = each(action={"input": {"谁": "{成员.称呼}"}}, made=[skill("技", say("{谁}"), parameters=[{"name": "谁"}])])
    assert spoken(talk) == ["妈妈", "爸爸", "后", "完？"]
    check(talk)


def test_a_call_for_each_item_waits_in_each() -> None:
    talk = each(
        action={"input": {"谁": "{成员.称呼}"}, "output": [{"get": "答", "set": "成员.职业"}]},
        made=[skill("技", ask("{谁}做什么？", "答"), parameters=[{"name": "谁"}], returns=["答"])],
    )
    talk.say("老师")
    roundtrip(talk)
    check(talk)
    talk.say("工人")
    assert talk.value("家人") == [{"称呼": "妈妈", "职业": "老师"}, {"称呼": "爸爸", "职业": "工人"}]
    assert spoken(talk)[-2:] == ["后", "完？"]
    check(talk)


def test_a_call_for_each_item_of_a_list_that_grows() -> None:
    talk = each(made=[skill("技", put("家人", [*FAMILY, {"称呼": "外婆"}]), say("一次"))])
    assert spoken(talk) == ["一次"] * 3 + ["后", "完？"]


def test_a_call_for_each_item_of_a_list_that_shrinks() -> None:
    talk = each(made=[skill("技", put("家人", FAMILY[:1]), say("一次"))])
    assert spoken(talk) == ["一次", "后", "完？"]


def test_a_call_for_each_item_no_more_often_than_max() -> None:
    talk = each(made=[skill("技", say("一次"), put("家人", [{"称呼": f"人{n}"} for n in range(9)]))], limits={"max": 3})
    assert spoken(talk).count("一次") == 3


def test_a_call_for_each_of_nothing() -> None:
    for items in ([], "不是列表"):
        talk = each(made=[skill("技")], items=items)
        assert spoken(talk) == ["后", "完？"]
        check(talk)


def test_a_call_for_each_plain_value() -> None:
    talk = each(
        action={"input": {"谁": "{成员}"}},
        made=[skill("技", say("{谁}"), parameters=[{"name": "谁"}])],
        items=["甲", "乙"],
    )
    assert spoken(talk)[:2] == ["甲", "乙"]


def test_a_call_for_each_item_that_then_leaves_the_topic() -> None:
    talk = each(action={"resume": "skip"}, made=[skill("技", say("一次"))])
    assert spoken(talk) == ["一次", "一次"]
    assert talk.ended


def test_a_call_for_each_item_for_later() -> None:
    talk = each(
        action={"input": {"谁": "{成员.称呼}"}, "timing": "after_phase"},
        made=[skill("技", say("{谁}"), parameters=[{"name": "谁"}])],
    )
    talk.say("完")
    assert spoken(talk) == ["后", "完？", "妈妈", "爸爸"]
    check(talk)


# bounds


def test_calls_nest_only_so_deep() -> None:
    names = [f"层{n}" for n in range(15)]
    made = [skill(name, use(below), say(name)) for name, below in pairwise(names)]
    talk = Talk(only(use("层0"), say("完"), skills=[*made, skill("层14", say("底"))]))
    assert talk.ended
    assert spoken(talk)[-1] == "完"
    assert "底" not in spoken(talk)
    assert faults(talk)
    check(talk)


def test_recursion_is_bounded() -> None:
    made = [skill("技", say("又"), use("技", condition="深 == true"))]
    talk = Talk(only(use("技"), say("完"), skills=made, declare=[{"var": "深", "value": True}]))
    assert talk.ended
    assert 1 < spoken(talk).count("又") <= 20
    assert spoken(talk)[-1] == "完"
    assert faults(talk)
    check(talk)


def test_two_techniques_that_call_each_other_are_bounded() -> None:
    made = [
        skill("甲技", use("乙技", condition="深 == true"), use("乙技", condition="深 == true")),
        skill("乙技", use("甲技", condition="深 == true"), use("甲技", condition="深 == true")),
    ]
    talk = Talk(only(use("甲技"), say("完"), skills=made, declare=[{"var": "深", "value": True}]))
    assert talk.ended
    assert faults(talk)
    check(talk)


def test_a_topic_that_defers_without_end_does_not_make_the_state_grow() -> None:
    actions = [use("技", timing="after_phase"), ask("再来？", "x")]
    talk = Talk(
        script(phase("P", topic("甲", *actions, repeat={"until": "false"})), skills=[skill("技")]),
    )
    for _ in range(120):
        talk.say("好")
    assert talk.state.phase is not None
    assert len(talk.state.phase.queue) <= 60
    assert faults(talk)


def test_a_technique_that_is_not_there_is_passed_over_with_a_fault() -> None:
    made = only(say("前"), use("技"), say("后"), skills=[skill("技")])
    talk = Talk(replace(made, skills={}))
    assert spoken(talk) == ["前", "后"]
    assert any("技" in what for what in faults(talk))
    check(talk)


def test_a_technique_that_goes_while_it_runs_is_dropped_and_its_caller_goes_on() -> None:
    made = only(use("技"), say("后"), skills=[skill("技", ask("好？", "x"))])
    talk = Talk(made)
    talk.script = replace(made, skills={})
    talk.say("好")
    assert talk.said[-1] == "后"
    assert faults(talk)
    check(talk)


def test_a_technique_of_another_project_is_named_in_full() -> None:
    talk = Talk(only(use("cbt/emotion_regulation"), say("后")))
    assert talk.state.running is not None
    assert talk.state.running.project == "cbt"
    check(talk)


def test_a_topic_left_for_its_technique_was_not_gone_through() -> None:
    """Whoever asks what has been talked about is told so, with what was still to be asked."""
    after = say("跳过{topic.skipped}，谈过{topic.completed}")
    talk = Talk(
        script(
            phase(
                "P",
                topic("甲", ask("一？", "a"), use("技", resume="skip"), ask("二？", "b"), option("选", "丙", "丁")),
                topic("乙", after),
            ),
            skills=[skill("技", ask("好？", "x"), id="t")],
        )
    )
    talk.say("一的回答")
    talk.say("好")
    (left,) = [e for e in talk.happened("topic") if e.ref == "甲" and e.state in ("completed", "skipped")]
    assert (left.state, left.cause, left.unfinished) == ("skipped", "left for local/t", ["b", "选"])
    assert talk.said[-1] == "跳过甲，谈过local/t"
    check(talk)


def test_a_topic_of_which_nothing_is_left_was() -> None:
    talk = Talk(
        script(phase("P", topic("甲", ask("一？", "a"), use("技", resume="skip"))), skills=[skill("技", say("好"))])
    )
    talk.say("一的回答")
    (left,) = [e for e in talk.happened("topic") if e.ref == "甲" and e.state in ("completed", "skipped")]
    assert (left.state, left.unfinished) == ("completed", [])


def before(condition: str, **more: Any) -> list[str]:
    """What is said where a technique leads to a topic under a condition; ``x`` is 1."""
    return spoken(
        Talk(
            script(
                phase(
                    "P",
                    topic("甲", put("x", 1), use("技", timing="before_topic", to="乙", **more)),
                    topic("乙", say("乙"), condition=condition),
                    topic("丙", say("丙")),
                ),
                declare=[{"var": "x", "type": "integer"}, {"var": "y", "type": "integer"}],
                skills=[skill("技", put("r", 2), say("技"), declare=[{"var": "r", "type": "integer"}], returns=["r"])],
            )
        )
    )


def test_nobody_is_led_to_a_topic_that_does_not_come() -> None:
    assert before("x == 2") == ["丙"]
    assert before("x == 1") == ["技", "乙", "丙"]


def test_a_technique_whose_find_may_decide_comes_first() -> None:
    assert before("y == 2") == ["技", "丙"], "nobody can tell yet"
    assert before("x == 2", output=[{"get": "r", "set": "x"}]) == ["技", "乙", "丙"]


def test_what_was_just_told_is_taken_up_before_the_way_back() -> None:
    """Put aside between two actions: the word for the last answer, the way back, and only then the next question."""
    aside = {"directive": "CALL_TECHNIQUE", "technique": "t"}
    watch = watcher(aside, at="after ask", rules=words("累"))
    talk = Talk(
        script(
            phase("P", topic("甲", ask("一？", "a"), ask("二？", "b"))),
            skills=[skill("技", ask("好些？", "x"), id="t")],
            awareness=[watch],
        )
    )
    talk.say("好累")
    talk.say("好些了")
    lines = [line for text in talk.said for line in text.splitlines()]
    assert lines[0] in known(talk, "acknowledge")
    assert lines[1:] == ["我们接着刚才的话说。", "二？"]
