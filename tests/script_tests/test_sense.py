"""What can never come to pass is refused with its line, under ``not`` too, where it would hold whatever happens; and
what can is not."""

from __future__ import annotations

import pytest
from tests.script_tests.material import codes, file_of

from heartrule.language.compiling.script import Script
from heartrule.testing.talk import compile_text

SCRIPT = """\
global:
  - {var: nickname, scope: global, define: what they want to be called}
forms:
  - form: Diary
    id: diary
    fields:
      - {id: f1, label: How stiff?, type: single, options: [{value: 0, label: not}, {value: 3, label: very}]}
    scores:
      - {id: total, sum: [f1], bands: [{from: 0, to: 2, label: fine}, {from: 3, to: 13, label: stiff}]}
sessions:
  - session: Walking
    id: walk
    awareness: [tired, hop]
    declare:
      - {var: days, type: integer, range: [0, 7], define: days walked}
      - {var: plan, type: enum, options: [park, river], define: where to walk}
      - {var: box, type: object, fields: [{name: value, type: integer}], define: a box}
      - {var: seen, type: boolean, value: false}
    phases:
      - phase: Hello
        id: hello
        milestone: greeted
        steps:
          - topic: Names
            id: names
            actions:
              - {type: say, id: hi, content: Good day.}
              - {type: ask, id: q, content: What shall I call you?, output: [{get: nickname}]}
      - phase: Planning
        id: planning
        milestone: "{plan} planned"
        steps:
          - topic: Where
            id: where
            declare: [{var: why, define: why there}]
            actions:
              - {type: ask, id: ask_why, content: Why?, output: [{get: why}, {get: plan}]}
              - {type: ai_ask, id: ask_days, question: How many days?, content: ask, output: [{get: days}]}
              - {type: show_form, id: show, form: diary}
              - {type: use_skill, id: call, skill: calm, input: {cause: "{plan}"}}
skills:
  - skill: Calm down
    id: calm
    parameters: [{name: cause}]
    actions: [{type: user_say, id: fine, content: Fine}]
awareness:
  - awareness: Tired
    id: tired
    priority: P0
    condition: {judge: whether they are tired, rules: {explicit: [{pattern: tired, reason: tired}]}}
    then:
      - {directive: CALL_TECHNIQUE, technique: calm}
      - {directive: SET_VAR, var: seen, value: true}
  - awareness: Hop
    id: hop
    priority: P1
    at: [topic_start]
    condition: days == 1
    then: [{directive: SKIP_TOPICS, topics: [where]}]
"""


@pytest.fixture(scope="module")
def script() -> Script:
    return compile_text(SCRIPT)


def found(expect: str, script: Script) -> list[str]:
    text = file_of(f"- say: x\n  expect: {expect}").replace("script: hello", "script: walk")
    return [code for code, _ in codes(text, script)]


NEVER = [
    # the reviewer's list
    ("{directive: {directive: SKIP_TOPICS, topic: where}}", "E716"),
    ("{directive: {directive: SKIP_TOPICS, topics: wher}}", "E703"),
    ("{directive: {directive: SET_VAR, technique: calm}}", "E716"),
    ("{directive: [END_SESSION, {directive: CALL_TECHNIQUE, awareness: tired}]}", "E716"),
    ("{directive: {directive: END_SESSION, topic: where}}", "E716"),
    ("{exit: {action: q, class: exit_criteria_met}}", "E716"),
    ("{exit: {action: hi, source: max_rounds}}", "E716"),
    ("{exit: {action: names/ask_days}}", "E703"),
    ("{milestone: greetd}", "E703"),
    ("{set: {diary.totl: 3}}", "E703"),
    ("{set: {diary.total.bnd: fine}}", "E703"),
    ("{unset: seen.foo}", "E703"),
    ("{not_asked: nicknam}", "E703"),
    ("{not_asked: seen}", "E716"),
    ("{set: {seen: maybe}}", "E714"),
    ("{unset: topic.nickname}", "E703"),
    ("{unset: phase.days}", "E703"),
    ("{set: {days.value: 3}}", "E703"),
    ("{set: {box.valu: 3}}", "E703"),
    ("{set: {nickname: {strategy: ruels}}}", "E703"),
    ("{set: {nickname: {scope: sesion}}}", "E703"),
    ("{submitted: {form: diary, bands: {total: stif}}}", "E703"),
    ("{problems: [nosuch]}", "E703"),
    ("{problems: nosuch}", "E703"),
    ("{problems: {nosuch: x}}", "E703"),
    ("{form: diary, problems: [dairy]}", "E703"),
    ("{set: {plan: prak}}", "E714"),
    ("{set: {days: 9}}", "E714"),
    ("{skipped: ask_days}", "E703"),
    ("{suspended: ask_days}", "E703"),
    ("{suspended: planning}", "E703"),
    ("{at: planning}", "E703"),
    ("{entered: whre}", "E703"),
    # what says nothing
    ("{exit: {class: null}}", "E106"),
    ("{exit: {}}", "E106"),
    ("{directive: {directive: SKIP_TOPICS, topics: []}}", "E106"),
    ("{problems: {}}", "E106"),
    ("{problems: {f1: ''}}", "E106"),
    ("{choices: []}", "E106"),
]


@pytest.mark.parametrize(("expect", "code"), NEVER, ids=[each[0] for each in NEVER])
def test_what_can_never_come_to_pass_is_refused_also_under_a_not(expect: str, code: str, script: Script) -> None:
    assert found(expect, script) == [code]
    assert found(f"{{not: {expect}}}", script) == [code]


@pytest.mark.parametrize(
    "expect",
    [
        "{directive: {directive: SKIP_TOPICS, topics: where}}",
        "{directive: {directive: SKIP_TOPICS, topics: [Where], refused: true}}",
        "{directive: {directive: SET_VAR, var: seen}}",
        "{directive: {directive: CALL_TECHNIQUE, technique: calm, refused: no such}}",
        "{exit: {action: q, outcome: completed}}",
        "{exit: {action: where/ask_days, class: exit_criteria_met, source: exit_criteria}}",
        "{exit: {source: max_rounds}}",
        "{milestone: [greeted, park planned]}",
        "{set: {diary.total: 3, diary.total.band: fine, diary.f1: 0}}",
        "{set: {session.diary.total: 3}}",
        "{not_asked: [nickname, global.nickname, topic.why, plan]}",
        "{unset: [nickname, global.nickname, topic.why, session.days, plan, topic.cause]}",
        "{set: {box.value: 3, box: {value: {value: 3}}}}",
        "{set: {box: {}}}",
        "{set: {nickname: {strategy: passive, scope: global}}}",
        "{submitted: {form: Diary, bands: {total: stiff}}}",
        "{problems: [f1, diary]}",
        "{problems: []}",
        "{form: diary, problems: {Diary: again}}",
        "{skipped: [where, planning, calm]}",
        "{suspended: [names, calm]}",
        "{unfinished: [days, ask_days, where]}",
        "{set: {plan: park, days: 7}}",
        "{choices: Fine}",
    ],
)
def test_what_can_come_to_pass_is_not(expect: str, script: Script) -> None:
    assert found(expect, script) == []
    assert found(f"{{not: {expect}}}", script) == []


@pytest.mark.parametrize(
    ("variables", "wrong"),
    [
        ("{days: 5}", []),
        ("{session.days: 5}", []),
        ("{global.nickname: May}", []),
        ("{phase.days: 5}", ["E703"]),
        ("{topic.days: 5}", ["E703"]),
        ("{session.nickname: May}", ["E703"]),
    ],
)
def test_a_value_is_given_in_a_scope_that_it_can_have(variables: str, wrong: list[str], script: Script) -> None:
    text = file_of("- start: {ended: false}", f"given: {{variables: {variables}}}")
    assert [code for code, _ in codes(text, script)] == wrong


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("fail", False),
        ("timeout", False),
        ("Fail", True),
        ("timeot", True),
        ("{tries: [timeot, fail]}", True),
        ("Failing is fine here.", False),
        ("好的。", False),
        ("{when_prompt_contains: '', then: fail}", True),
        ("{when_prompt_contains: [], then: fail}", True),
        ("{when_prompt_contains: [a, ''], then: fail}", True),
        ("{when_prompt_contain: a, then: fail}", True),
        ("{when_prompt_contains: a, then: fail}", False),
        ("{content: x}", False),
    ],
)
def test_answers_that_are_meant_otherwise(answer: str, wrong: bool, script: Script) -> None:
    text = file_of("- start: {ended: false}", f"answers: {{ai_ask: {answer}}}")
    assert [code for code, _ in codes(text, script)] == (["E712"] if wrong else [])


def test_advice_is_of_the_script_before_the_safety_project(script: Script) -> None:
    from heartrule.script_tests.script_names import KnownScript

    known = KnownScript(script)
    for listed in (known.listed_actions, known.listed_skills, known.listed_awareness, known.listed_variables):
        assert listed
        assert not [name for name in listed if name.startswith("safety/")]
    assert "fine" in known.listed_actions
    assert "crisis" not in " ".join(known.listed_variables)
    assert known.listed_milestones == ["greeted", "{plan} planned"]
