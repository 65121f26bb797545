"""Which ways a turn took: one record a turn, and none where there was nothing to decide."""

from __future__ import annotations

from dataclasses import replace

from heartrule.testing.talk import Talk, shipped

SCRIPT = """
global:
  - {var: 心情, type: integer, range: [0, 10], define: 心情几分}
skills:
  - skill: 呼吸
    id: breathe
    actions:
      - {type: say, id: in, condition: 心情 > 8, content: 吸气。}
      - {type: say, content: 呼气。}
      - {type: say, condition: 心情 < 9, content: 好。}
sessions:
  - session: 小试
    id: small
    phases:
      - phase: 头
        id: head
        steps:
          - topic: 问
            id: first
            done_when: 心情 > 2
            repeat: {until: 心情 > 1, max: 2}
            transitions:
              - {to: end, condition: 心情 > 9}
              - {to: last, condition: 心情 < 9}
              - {to: end}
            actions:
              - {type: ask, id: mood, content: 几分, output: [{get: 心情}]}
          - topic: 跳过的
            id: between
            actions: [{type: say, content: 听不到。}]
          - topic: 末
            id: last
            actions:
              - {type: use_skill, id: calm, skill: breathe}
              - type: user_option
                id: pick
                var: 选
                timeout: 5m
                on_timeout: retry
                choices: [{value: A, label: 甲}, {value: B, label: 乙}]
      - phase: 尾
        id: tail
        condition: 选 == 'A'
        steps:
          - topic: 多余
            id: never
            condition: 心情 > 9
            actions: [{type: say, content: 听不到。}]
"""


def taken(talk: Talk) -> list[str]:
    """Of the last turn."""
    found = [event.taken for event in talk.turn.events if event.kind == "branches"]
    assert len(found) <= 1
    return found[0] if found else []


def test_a_turn_that_decides_nothing_has_no_record() -> None:
    assert taken(Talk(SCRIPT)) == []


def test_conditions_say_whether_they_held_and_transitions_which_was_made() -> None:
    talk = Talk(SCRIPT)
    talk.say("1")
    assert taken(talk) == ["head/first: repeat did not hold"]
    talk.say("2")
    assert taken(talk) == [
        "head/first: repeat held",
        "head/first: done_when did not hold",
        "head/first: transition 1 did not hold",
        "head/first: transition 2",
        "head/last/calm: call",
        "@local/breathe/in: condition did not hold",
        "@local/breathe/#3: condition held",
    ]


def test_a_transition_without_a_condition_is_made() -> None:
    talk = Talk(SCRIPT)
    talk.say("9")
    assert taken(talk)[1:5] == [
        "head/first: done_when held",
        "head/first: transition 1 did not hold",
        "head/first: transition 2 did not hold",
        "head/first: transition 3",
    ]
    assert talk.ended


def test_a_time_that_is_up_and_the_choice_that_was_picked() -> None:
    talk = Talk(SCRIPT)
    talk.say("5")
    talk.wait(minutes=6)
    assert taken(talk) == ["head/last/pick: timeout"]
    talk.choose("A")
    assert taken(talk) == [
        "head/last/pick: choice 1",
        "tail: condition held",
        "tail/never: condition did not hold",
    ]


def test_a_choice_in_words_and_a_phase_that_is_passed_over() -> None:
    talk = Talk(SCRIPT)
    talk.say("5")
    talk.say("乙")
    assert taken(talk) == ["head/last/pick: choice 2", "tail: condition did not hold"]


def test_what_an_awareness_script_orders_is_told_by_its_list() -> None:
    talk = Talk(shipped("cbt/abc_intro"))
    talk.say("我不想活了，今晚就去死")
    assert "!safety/suicide_risk: then" in taken(talk)
    gentle = Talk(shipped("cbt/abc_intro"))
    gentle.say("活着没意思")
    assert "!safety/suicide_risk: on_watch" in taken(gentle)


def test_what_was_ordered_and_refused_is_no_way_that_was_taken() -> None:
    watching = """
awareness:
  - awareness: 跳过
    id: skip
    priority: P1
    at: [after ask]
    condition: 心情 > 1
    then:
      - {directive: SKIP_TOPICS, topics: [WHICH]}
"""
    script = watching + SCRIPT.replace("    id: small\n", "    id: small\n    awareness: [skip]\n")
    done, refused = Talk(script.replace("WHICH", "last")), Talk(script.replace("WHICH", "first"))
    done.say("5")
    refused.say("5")
    assert "!local/skip: then" in taken(done)
    assert [event.refused for event in refused.happened("directive")] == ["no such topic is planned"]
    assert "!local/skip: then" not in taken(refused)


def test_a_call_that_leads_nowhere_is_none() -> None:
    talk = Talk(SCRIPT)
    skills = {key: skill for key, skill in talk.script.skills.items() if not key.endswith("breathe")}
    talk.script = replace(talk.script, skills=skills)
    talk.say("5")
    assert "head/last/calm: call" not in taken(talk)


def test_the_record_holds_no_words() -> None:
    talk = Talk(SCRIPT)
    talk.say("5")
    talk.say("乙")
    assert all("乙" not in each for event in talk.happened("branches") for each in event.taken)
