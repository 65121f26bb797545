"""Where variables live: which scope a name is written to and read from, and what becomes of a scope that is left."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.engine.scripts import (
    ask,
    cells,
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
    use,
)
from tests.engine.scripts import skill as technique

from heartrule.engine.session.io import Input
from heartrule.engine.session.state import State
from heartrule.engine.session.variables import GLOBAL, Variables
from heartrule.testing.talk import START, Talk

# reading


def test_an_inner_name_shadows_an_outer_one_and_leaves_it_alone() -> None:
    talk = Talk(
        script(
            phase(
                "P",
                topic("甲", say("{x}"), put("x", "题二"), say("{x}"), declare=[{"var": "x", "value": "题"}]),
                topic("乙", say("{x}")),
                declare=[{"var": "x", "value": "段"}],
            ),
            phase("Q", topic("丙", say("{x}"))),
            declare=[{"var": "x", "value": "会"}],
            variables=[{"var": "x", "value": "全"}],
        )
    )
    assert spoken(talk) == ["题", "题二", "段", "会"]
    assert cells(talk, "session")["x"] == "会"
    assert talk.variables.cells[GLOBAL]["x"].value == "全"


def test_a_scope_can_be_named_in_text_and_in_expressions() -> None:
    talk = Talk(
        script(
            phase(
                "P",
                topic(
                    "甲",
                    say("{x} {topic.x} {phase.x} {session.x} ${session.x} {global.x}"),
                    say(
                        "对", condition="topic.x == '题' and phase.x == '段' and session.x == '会' and global.x == '全'"
                    ),
                    declare=[{"var": "x", "value": "题"}],
                ),
                declare=[{"var": "x", "value": "段"}],
            ),
            declare=[{"var": "x", "value": "会"}],
            variables=[{"var": "x", "value": "全"}],
        )
    )
    assert spoken(talk) == ["题 题 段 会 会 全", "对"]


def test_fields_of_objects_are_read_with_dots() -> None:
    person = {"名": "小明", "家": {"城市": "上海"}}
    talk = Talk(only(say("{他.名}在{他.家.城市}，{session.他.名}"), declare=[{"var": "他", "value": person}]))
    assert spoken(talk) == ["小明在上海，小明"]


def test_fields_of_objects_are_written_with_dots() -> None:
    fields = [{"name": "名"}, {"name": "岁", "type": "integer"}]
    declared = {"var": "他", "type": "object", "fields": fields, "value": {"名": "小明"}}
    talk = Talk(only(put("他.岁", "30"), put("他.名", "小红"), say("{他.名}{他.岁}"), declare=[declared]))
    assert spoken(talk) == ["小红30"]
    assert talk.value("他") == {"名": "小红", "岁": 30}
    refused = Talk(only(put("他.岁", "很老"), declare=[declared]))
    assert refused.value("他") == {"名": "小明"}
    assert faults(refused)


# writing


def test_a_write_goes_to_the_scope_of_the_definition() -> None:
    talk = Talk(
        script(
            phase(
                "A",
                topic("甲", put("段", 1), put("会", 1), put("全", 1), put("题", 1), ask("好？", "z")),
                declare=[{"var": "段"}],
            ),
            declare=[{"var": "会"}],
            variables=[{"var": "全"}],
        )
    )
    assert {event.name: event.scope for event in talk.happened("variable")} == {
        "段": "phase",
        "会": "session",
        "全": "global",
        "题": "topic",
    }
    check(talk)


def test_a_declaration_may_name_another_scope_than_the_one_it_stands_in() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", put("x", 1), declare=[{"var": "x", "scope": "session", "value": 0}])),
            phase("B", topic("乙", say("{x}"))),
        )
    )
    assert spoken(talk) == ["1"]
    assert cells(talk, "session")["x"] == 1


@pytest.mark.parametrize(
    ("name", "scope"),
    [
        ("全局心情", "global"),
        ("用户基础信息", "global"),
        ("会话次数", "session"),
        ("累积分", "session"),
        ("心情", "topic"),
    ],
)
def test_the_scope_of_an_undeclared_name_is_read_off_the_name(name: str, scope: str) -> None:
    talk = Talk(only(ask("？", name), ask("？", "完")))
    talk.say("还好")
    assert [event.scope for event in operations(talk, name)] == [scope]


def test_an_explicit_scope_declares_an_undeclared_name() -> None:
    talk = Talk(only(put("a", 1, scope="session"), ask("？", {"get": "b", "scope": "phase"}), ask("？", "c")))
    talk.say("好")
    assert [event.scope for event in talk.happened("variable")] == ["session", "phase"]


def test_an_undeclared_name_gets_the_narrowest_scope_that_covers_its_readers() -> None:
    talk = Talk(
        script(
            phase(
                "A",
                topic("甲", put("自己", 1), put("邻居", 1), put("别处", 1), say("{自己}")),
                topic("乙", say("{邻居}")),
            ),
            phase("B", topic("丙", say("{别处}"))),
        )
    )
    assert {event.name: event.scope for event in talk.happened("variable")} == {
        "自己": "topic",
        "邻居": "phase",
        "别处": "session",
    }
    assert spoken(talk) == ["1", "1", "1"]


def test_a_write_may_name_its_scope() -> None:
    talk = Talk(
        only(
            put("session.x", "会"),
            put("topic.x", "题"),
            say("{x} {session.x}"),
            ask("？", "z"),
        )
    )
    assert spoken(talk)[0] == "题 会"
    assert cells(talk, "session") == {"x": "会"}


def test_a_write_that_names_its_scope_obeys_the_declaration_of_that_scope() -> None:
    talk = Talk(
        script(
            phase(
                "P",
                topic(
                    "甲", put("session.x", 50), put("x", 3), declare=[{"var": "x", "type": "integer", "range": [0, 5]}]
                ),
            ),
            declare=[{"var": "x", "type": "integer", "range": [0, 100]}],
        )
    )
    assert not faults(talk)
    assert cells(talk, "session")["x"] == 50


# coming and going


def test_scopes_are_created_on_entry_and_removed_on_leaving_after_a_snapshot() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", put("t", 1), put("p", 2)), declare=[{"var": "p"}]),
            phase("B", topic("乙", ask("好？", "z"))),
        )
    )
    history = [(event.kind, event.scope) for event in talk.events if event.kind.startswith("scope")]
    assert history == [
        ("scope_opened", "global"),
        ("scope_opened", "session"),
        ("scope_opened", "phase"),
        ("scope_opened", "topic"),
        ("scope_snapshot", "topic"),
        ("scope_cleaned", "topic"),
        ("scope_snapshot", "phase"),
        ("scope_cleaned", "phase"),
        ("scope_opened", "phase"),
        ("scope_opened", "topic"),
    ]
    taken = {event.scope: (event.name, event.variables) for event in talk.happened("scope_snapshot")}
    assert taken == {"topic": ("甲", {"t": 1}), "phase": ("a", {"p": 2})}
    cleaned = {event.scope: event.variables for event in talk.happened("scope_cleaned")}
    assert cleaned == {"topic": ["t"], "phase": ["p"]}
    assert {key[0] for key in talk.variables.cells} == {"global", "session", "phase", "topic"}
    talk.say("好")
    assert {key[0] for key in talk.variables.cells} == {"global", "session"}


def test_a_turn_says_which_scopes_it_removed() -> None:
    talk = Talk(only(ask("好？", "x")))
    keys = {key for key in talk.variables.cells if key[0] in ("phase", "topic")}
    talk.say("好")
    assert talk.turn.variables.removed == keys
    assert all(key not in keys for key, _ in talk.turn.variables.changed)


def test_a_topic_that_runs_again_begins_with_a_fresh_scope() -> None:
    talk = Talk(
        script(
            phase(
                "P",
                topic(
                    "甲",
                    say("{x}"),
                    put("x", "旧"),
                    put("次", expr="次 + 1"),
                    transitions=[{"to": "甲", "condition": "次 < 2"}],
                ),
            ),
            declare=[{"var": "次", "value": 0}],
        )
    )
    missing = spoken(Talk(only(say("{没有}"))))[0]
    assert spoken(talk) == [missing, missing]


def test_initial_values_are_written_when_their_scope_opens() -> None:
    talk = Talk(
        script(
            phase(
                "A",
                topic("甲", put("x", 9), put("y", 9)),
                topic("乙", say("{x}{y}")),
                declare=[{"var": "x", "value": 1}],
            ),
            phase("B", topic("丙", say("{x}{y}")), declare=[{"var": "x", "value": 2}]),
            declare=[{"var": "y", "value": 3}],
        )
    )
    assert spoken(talk) == ["99", "29"]


def test_a_project_variable_with_the_scope_of_a_phase_or_topic_begins_there() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", say("{段}{题}"), put("段", 7), put("题", 8)), topic("乙", say("{段}{题}"))),
            phase("B", topic("丙", say("{段}{题}"))),
            variables=[{"var": "段", "scope": "phase", "value": 1}, {"var": "题", "scope": "topic", "value": 2}],
        )
    )
    assert spoken(talk) == ["12", "72", "12"]
    assert {event.scope for event in operations(talk, "段")} == {"phase"}
    assert {event.scope for event in operations(talk, "题")} == {"topic"}


def test_a_suspended_topic_keeps_its_scope_and_its_values() -> None:
    talk = Talk(
        only(
            put("x", "我的", scope="topic"),
            use("技"),
            say("{x}"),
            skills=[technique("技", put("x", "他的"), ask("好？", "y"), say("{x}"))],
        )
    )
    roundtrip(talk)
    assert len([key for key in talk.variables.cells if key[0] == "topic"]) == 2
    talk.say("好")
    assert spoken(talk)[-2:] == ["他的", "我的"]


def test_an_action_registers_what_nobody_declared() -> None:
    talk = Talk(only(ask("怎么样？", "没声明过的"), say("{没声明过的}")))
    talk.say("还行")
    assert spoken(talk)[-1] == "还行"
    assert operations(talk, "没声明过的")[0].scope == "topic"


# across sessions and from outside


def test_global_variables_live_on_in_the_next_session() -> None:
    made = script(
        phase("P", topic("甲", say("{次}"), put("次", expr="次 + 1"), put("这次", 1))),
        declare=[{"var": "这次"}],
        variables=[{"var": "次", "type": "integer", "value": 0}],
    )
    first = Talk(made)
    kept = Variables({GLOBAL: dict(first.variables.cells[GLOBAL])})
    second = object.__new__(Talk)
    second.__dict__.update(first.__dict__)
    second.state, second.variables, second.history, second.events = State(), kept, [], []
    second.move(Input("start"))
    assert spoken(first) == ["0"]
    assert spoken(second) == ["1"]
    assert second.value("次") == 2
    assert [event.old for event in operations(second, "次")] == [1]


def test_a_global_name_that_the_session_declares_too_keeps_its_own_initial_value() -> None:
    talk = Talk(only(say("{x}{global.x}"), declare=[{"var": "x"}], variables=[{"var": "x", "value": 5}]))
    assert spoken(talk) == ["55"]
    assert "x" not in cells(talk, "session")


def test_values_brought_by_the_starter() -> None:
    made = only(
        say("{名}{岁}{新}"),
        declare=[{"var": "名", "value": "某"}, {"var": "岁", "type": "integer", "range": [0, 120]}],
    )
    talk = Talk(made, values={"名": "小明", "岁": "30", "新": "来"})
    assert spoken(talk) == ["小明30来"]
    assert talk.value("岁") == 30
    assert {event.source for event in operations(talk, "岁")} == {"start"}


def test_a_value_of_the_starter_that_its_rules_refuse_is_not_written() -> None:
    made = only(say("好"), declare=[{"var": "岁", "type": "integer", "range": [0, 120], "value": 18}])
    talk = Talk(made, values={"岁": "两百"})
    assert talk.value("岁") == 18
    assert any("岁" in what for what in faults(talk))


def test_the_starters_values_stay_readable_in_every_phase() -> None:
    talk = Talk(
        script(phase("A", topic("甲", say("{渠道}"))), phase("B", topic("乙", say("{渠道}")))), values={"渠道": "门诊"}
    )
    assert spoken(talk) == ["门诊", "门诊"]


# techniques


def test_what_a_technique_takes_and_gives_is_its_own_whatever_others_declare() -> None:
    talk = Talk(
        script(
            phase(
                "P",
                topic(
                    "甲",
                    use("技", input={"心情": "差"}, output=[{"get": "结果", "set": "得到"}]),
                    say("{心情}{结果}{得到}"),
                ),
            ),
            skills=[technique("技", say("{心情}"), put("结果", "新"), parameters=[{"name": "心情"}], returns=["结果"])],
            declare=[{"var": "心情", "value": "好"}, {"var": "结果", "value": "旧"}, {"var": "得到"}],
        )
    )
    assert spoken(talk) == ["差", "好旧新"]


def test_a_techniques_undeclared_names_do_not_leak_into_the_session() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", put("x", "原"), use("技"))),
            phase("B", topic("乙", say("{x}"))),
            skills=[technique("技", put("x", "漏"))],
        )
    )
    assert spoken(talk) == ["原"]


def test_a_technique_may_write_where_it_says() -> None:
    talk = Talk(
        script(
            phase("A", topic("甲", use("技")), topic("乙", say("{累积分}{session.x}{名}"))),
            skills=[technique("技", put("累积分", 1), put("session.x", 2), put("名", 3))],
            declare=[{"var": "名"}],
        )
    )
    assert spoken(talk) == ["123"]


def test_time_passes_for_the_counters() -> None:
    talk = Talk(only(ask("好？", "x"), put("过", expr="session.elapsed"), ask("？", "y")))
    talk.say("好", seconds=90)
    assert talk.value("过") == 90
    assert talk.now == START + timedelta(seconds=90)
