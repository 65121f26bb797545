"""What a script has, and what sessions come to of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from heartrule.engine.installed_types import field_models
from heartrule.engine.session.events import BranchesTaken, Marker, TopicChanged
from heartrule.language.compiling.script import Script
from heartrule.language.projects.library import Library
from heartrule.script_tests.coverage import EVENTS, KINDS, Item, items, reached, uses
from heartrule.script_tests.tally import Count, tally
from heartrule.testing.talk import Talk, compile_text, shipped

SCRIPT = """\
global:
  - {var: 心情, type: integer, range: [0, 10], define: 心情几分}
awareness:
  - awareness: 夸人
    id: praise
    priority: P1
    at: [after ask]
    condition: 心情 > 7
    then:
      - {directive: FEEDBACK, text: 夸一句}
skills:
  - skill: 呼吸
    id: breathe
    repeat: {until: 心情 >= 0}
    actions:
      - {type: say, content: 吸气。}
sessions:
  - session: 小试
    id: small
    awareness: [praise]
    phases:
      - phase: 头
        id: head
        transitions:
          - {to: end, condition: 心情 > 9}
        steps:
          - topic: 问
            id: first
            done_when: 心情 > 2
            actions:
              - {type: ask, id: mood, content: 几分, timeout: 3m, output: [{get: 心情}]}
              - {type: use_skill, id: calm, condition: 心情 < 5, skill: breathe}
      - phase: 尾
        id: tail
        steps:
          - topic: 选
            actions:
              - type: user_option
                var: 选
                choices: [{value: A, label: 甲}, {value: B, label: 乙}]
"""


@pytest.fixture(scope="module")
def script() -> Script:
    return compile_text(SCRIPT)


def own(found: tuple[Item, ...] | frozenset[Item]) -> list[str]:
    return [f"{item.kind} {item.id}" for item in found if item.project == "local"]


def test_a_script_has_these_items(script: Script) -> None:
    assert own(items(script)) == [
        "phase local/small:head",
        "branch local/small:head: transition 1",
        "branch local/small:head: transition 1 did not hold",
        "topic local/small:head/first",
        "branch local/small:head/first: done_when held",
        "branch local/small:head/first: done_when did not hold",
        "action local/small:head/first/mood",
        "branch local/small:head/first/mood: timeout",
        "action local/small:head/first/calm",
        "branch local/small:head/first/calm: condition held",
        "branch local/small:head/first/calm: condition did not hold",
        "branch local/small:head/first/calm: call",
        "phase local/small:tail",
        "topic local/small:tail/选",
        "action local/small:tail/选/#1",
        "branch local/small:tail/选/#1: choice 1",
        "branch local/small:tail/选/#1: choice 2",
        "topic local/breathe",
        "branch local/breathe: repeat held",
        "branch local/breathe: repeat did not hold",
        "action local/breathe/#1",
        "awareness local/praise",
        "branch local/praise: then",
    ]


def test_an_item_stands_where_its_key_does(tmp_path: Path) -> None:
    (tmp_path / "project.yaml").write_text("id: local\n", encoding="utf-8")
    (tmp_path / "small.yaml").write_text(SCRIPT, encoding="utf-8")
    library = Library([tmp_path], field_models())
    projects = {project.id: project for project in library.projects()}
    lines = {item.id: item.place.line for item in items(library.script("local/small"), projects)}
    written = SCRIPT.splitlines()
    for name, text in {
        "local/small:head": "- phase: 头",
        "local/small:head: transition 1": "to: end",
        "local/small:head/first: done_when held": "done_when",
        "local/small:head/first/mood: timeout": "timeout: 3m",
        "local/small:tail/选/#1: choice 2": "乙",
        "local/breathe: repeat held": "repeat:",
        "local/praise: then": "then:",
    }.items():
        assert text in written[lines[name] - 1], name


def test_what_a_session_comes_to(script: Script) -> None:
    talk = Talk(script)
    assert own(tuple(sorted(reached(script, talk.events), key=lambda item: item.id))) == [
        "phase local/small:head",
        "topic local/small:head/first",
        "action local/small:head/first/mood",
    ]
    talk.say("3")
    talk.choose("B")
    assert talk.ended
    missed = [item for item in items(script) if item.project == "local" and item not in reached(script, talk.events)]
    assert own(tuple(missed)) == [
        "branch local/small:head: transition 1",
        "branch local/small:head/first: done_when did not hold",
        "branch local/small:head/first/mood: timeout",
        "branch local/small:head/first/calm: condition did not hold",
        "branch local/small:tail/选/#1: choice 1",
        "branch local/breathe: repeat did not hold",
        "awareness local/praise",
        "branch local/praise: then",
    ]


def test_an_awareness_script_is_reached_when_it_acts_and_not_when_it_is_judged(script: Script) -> None:
    calm, glad = Talk(script), Talk(script)
    calm.say("5")
    glad.say("8")
    praise = Item("awareness", "local/praise")
    assert praise not in reached(script, calm.events)
    assert praise in reached(script, glad.events)


def test_that_nobody_could_judge_is_no_hit() -> None:
    script = shipped("cbt/abc_intro")
    watcher = Item("awareness", "safety/suicide_risk")
    assert watcher in items(script)
    unknown = BranchesTaken(taken=["!safety/suicide_risk: on_unknown"])
    assert reached(script, [unknown]) == {Item("branch", "safety/suicide_risk: on_unknown")}
    assert watcher in reached(script, [BranchesTaken(taken=["!safety/suicide_risk: on_watch"])])


def test_what_a_plan_has_put_in_or_the_script_has_lost_does_not_count(script: Script) -> None:
    stranger = Marker(
        action="made_up", edge="before", phase="head", topic="first", topic_key="t1", index=7, type="say",
        round=0, message=0, write=0,
    )  # fmt: skip
    assert own(reached(script, [stranger, BranchesTaken(taken=["gone/topic: condition held"])])) == own(
        reached(script, [stranger])
    )
    assert Item("action", "local/small:head/first/made_up") not in reached(script, [stranger])


def test_a_session_that_begins_amidst_counts_from_there(script: Script) -> None:
    marker = Marker(
        action="#1", edge="after", phase="tail", topic="选", topic_key="t1", index=0, type="user_option",
        round=0, message=0, write=0,
    )  # fmt: skip
    assert own(tuple(sorted(reached(script, [marker]), key=lambda item: item.id))) == [
        "phase local/small:tail",
        "topic local/small:tail/选",
    ]
    other = TopicChanged(key="t1", ref="local/breathe", state="running")
    assert own(reached(script, [other])) == ["topic local/breathe"]


def test_no_event_that_is_read_holds_what_was_said() -> None:
    hidden = {name for event in EVENTS for name, field in event.model_fields.items() if not field.repr}
    assert hidden == set()


# counting


def counted(script: Script, *talks: Talk, own: tuple[str, ...] = ("local",)) -> tuple[dict[str, Count], int]:
    found = tally([script], {}, own, [reached(script, talk.events) for talk in talks])
    return {str(kind): count for kind, count in found.kinds.items()}, len(found.beside)


def test_the_safety_project_counts_where_it_is_asked_about_or_named(script: Script) -> None:
    talk = Talk(script)
    kinds, beside = counted(script, talk)
    assert kinds["phase"] == Count(1, 2)
    assert kinds["awareness"] == Count(0, 1)
    assert beside > 100
    assert counted(script, talk, own=("local", "safety"))[1] == 0
    named = compile_text(SCRIPT.replace("skill: breathe", "skill: safety/crisis_support"))
    assert uses(named) == {"safety/crisis_support"}
    assert uses(script) == frozenset()
    of_crisis = [item for item in tally([named], {}, ["local"]).items if item.project == "safety"]
    assert of_crisis
    assert {item.owner.split("/")[1] for item in of_crisis} == {"crisis_support"}


def test_what_two_scripts_share_counts_once(script: Script) -> None:
    alone, twice = tally([script], {}, ["local"]), tally([script, script], {}, ["local"])
    assert alone.items == twice.items


def test_tests_and_sessions_are_told_apart(script: Script) -> None:
    talk, other = Talk(script), Talk(script)
    other.say("3")
    found = tally([script], {}, ["local"], [reached(script, talk.events)], [reached(script, other.events)])
    calm = Item("action", "local/small:head/first/calm")
    assert calm in found.by_sessions
    assert calm not in found.by_tests
    assert calm in found.reached
    assert (found.tests, found.sessions) == (1, 1)


def test_a_share_is_not_rounded_up() -> None:
    script = compile_text(SCRIPT)
    everything = tally([script], {}, ["local"], [frozenset(items(script))])
    assert everything.enough(100)
    assert everything.missed == ()
    but_one = tally([script], {}, ["local"], [frozenset(items(script)) - {everything.items[-1]}])
    assert not but_one.enough(100)
    assert but_one.enough(95)
    assert [item.id for item in but_one.missed] == ["local/praise: then"]


def test_of_nothing_everything_is_reached() -> None:
    assert tally([], {}, []).enough(100)
    assert tally([], {}, []).kinds == {}
    assert set(tally([shipped("cbt/abc_intro")], {}, ["cbt"]).kinds) <= set(KINDS)


# blocks and forms

BLOCK = """\
forms:
  - form: 心情表
    id: mood
    fields:
      - {id: q1, label: 心情, type: integer}
sessions:
  - session: 一起
    id: block
    declare: [{var: 分, type: integer, value: 3, define: 几分}]
    phases:
      - phase: 头
        id: head
        steps:
          - topic: 说
            id: say
            actions:
              - type: parallel_actions
                actions:
                  - {type: say, condition: 分 > 5, content: 很高。}
                  - {type: say, id: low, condition: 分 < 5, content: 很低。}
                  - type: user_option
                    id: pick
                    var: 选
                    choices: [{value: A, label: 甲}, {value: B, label: 乙}]
              - {type: show_form, id: form, form: mood, mode: view}
"""


def test_the_parts_of_a_block_and_the_form_that_is_shown() -> None:
    script = compile_text(BLOCK)
    talk = Talk(script)
    begun = reached(script, talk.events)
    assert Item("action", "local/block:head/say/low") in begun
    assert Item("action", "local/block:head/say/#1.1") in items(script)
    assert Item("form", "local/mood") not in begun
    talk.choose("B")
    assert own(tuple(item for item in items(script) if item not in reached(script, talk.events))) == [
        "action local/block:head/say/#1.1",
        "branch local/block:head/say/#1.1: condition held",
        "branch local/block:head/say/low: condition did not hold",
        "branch local/block:head/say/pick: choice 1",
    ]
