"""Cases are run on the real engine, and what answers them goes through the real model layer."""

from __future__ import annotations

import pytest
from tests.script_tests.material import SCRIPT, case_of, failed, hello, ran

from heartrule.engine.session.tasks import Answer
from heartrule.script_tests.case_run import run
from heartrule.script_tests.provider import Table
from heartrule.testing.talk import Talk, compile_text


def test_it_is_the_conversation_that_the_engine_holds() -> None:
    found = ran("- say: 小林\n- say: 三分\n- choose: 大多数日子")
    talk = Talk(SCRIPT)
    talk.say("小林")
    talk.say("三分")
    talk.choose("B")
    assert [(each.sender, each.text) for each in found.messages] == [(each.sender, each.text) for each in talk.history]
    assert [each.kind for each in found.events] == [each.kind for each in talk.events]


def test_a_burst_is_one_answer() -> None:
    found = ran("- say: [小, 小林]\n  expect: {completed: ask_name}")
    assert found.passed
    assert [each.text for each in found.messages if each.sender == "person"] == ["小", "小林"]


def test_time_passes_and_timers_strike() -> None:
    found = ran("- say: 小林\n- wait: 29m\n  expect: {at: ask_score}\n- wait: 2m\n  expect: {at: pick}")
    assert found.passed, failed(found)
    assert found.took[-1].seconds == 20 + 31 * 60


def test_the_clock_can_be_set() -> None:
    assert ran("- start", "given: {clock: 2027-01-02T08:30}").messages[0].at.isoformat() == "2027-01-02T08:30:00+00:00"
    assert ran("- start", "given: {clock: '2027-01-02T08:30+08:00'}").messages[0].at.isoformat().endswith("+08:00")


def test_what_is_brought_along_is_there() -> None:
    found = ran("- say: 阿林", "given: {variables: {强度: 7}}", "{set: {强度: 7}}")
    assert found.passed


def test_nothing_is_lost_by_reconnecting() -> None:
    moves = ("- say: 小林", "- say: 不知道", "- say: 三分", "- choose: A", "- choose: 我们继续吧")
    whole = ran("\n".join(moves))
    broken = ran("\n- reconnect\n".join(moves))
    assert [each.text for each in broken.messages] == [each.text for each in whole.messages]
    assert broken.fault is None


def test_pause_resume_and_end() -> None:
    found = ran("- pause\n- resume\n- say: 小林\n- end\n  expect: {ended: true}")
    assert found.passed


def test_a_choice_that_is_not_offered_stops_the_case() -> None:
    found = ran("- say: 小林\n- say: 三分\n- choose: C\n- choose: A")
    assert found.fault == ("not_offered", "C (A | B)")
    assert not found.passed
    assert len(found.took) == 4


def test_what_breaks_in_another_package_fails_its_case_only() -> None:
    def broken(tasks: object) -> dict[str, Answer]:
        raise RuntimeError("no disk")

    found = run(case_of("- say: 小林", "model: scripted"), hello(), broken)
    assert found.fault == ("broke", "RuntimeError: no disk")
    assert not found.passed


# answers


ASK = "answers:\n  ai_ask: "
THREE = "{values: {强度: {value: 3, evidence: 三分}}, EXIT: true, content: 好。}"
LED = "- say: 小林\n- say: 差不多三分吧\n"


def test_an_answer_goes_through_parsing_and_the_engine() -> None:
    found = ran(
        LED,
        ASK + "{values: {强度: {value: 3, evidence: 三分}}, EXIT: true, content: 好的，三分。}",
        "{set: {强度: {value: 3, strategy: json}}}",
    )
    assert found.passed, failed(found)


def test_an_answer_may_be_a_text_as_a_model_writes_it() -> None:
    values = '\\"values\\": {\\"强度\\": {\\"value\\": 3, \\"evidence\\": \\"三分\\"}}'
    text = f'"```json\\n{{{values}, \\"EXIT\\": true, \\"content\\": \\"好\\"}}\\n```"'
    assert ran(LED, ASK + text, "{set: {强度: {value: 3, strategy: json}}}").passed


def test_words_that_may_not_be_said_are_held_back() -> None:
    found = ran(LED, ASK + "{values: {}, EXIT: false, content: 你得了抑郁症，要吃药。}", "{never_says: 抑郁症}")
    assert found.passed, failed(found)


def test_a_question_that_is_asked_again_has_an_answer_of_its_own() -> None:
    tries = f"{{tries: [不是 JSON, {THREE}]}}"
    assert ran(LED, ASK + tries, "{set: {强度: {value: 3, strategy: json}}}").passed
    assert not ran(LED, ASK + "[不是 JSON]", "{set: {强度: {value: 3, strategy: json}}}").passed


@pytest.mark.parametrize("outage", ["fail", "timeout"])
def test_without_an_answer_the_script_goes_on_by_itself(outage: str) -> None:
    found = ran(LED, ASK + outage, "{set: {强度: {value: 3, strategy: rules}}, at: pick}")
    assert found.passed, failed(found)


def test_a_list_is_used_up_and_its_last_one_stays() -> None:
    answers = f"[{{values: {{}}, EXIT: false, content: 再想想？}}, {THREE}]"
    found = ran(
        "- say: 小林\n- say: 说不好\n  expect: {said_contains: 再想想, at: ask_score}\n- say: 三分", ASK + answers
    )
    assert found.passed, failed(found)


def test_an_answer_may_depend_on_the_prompt() -> None:
    answers = f"[{{when_prompt_contains: 差不多, then: {THREE}}}, fail]"
    assert ran(LED, ASK + answers, "{set: {强度: {strategy: json}}}").passed
    assert not ran("- say: 小林\n- say: 三分", ASK + answers, "{set: {强度: {strategy: json}}}").passed


def test_who_is_not_asked_about_danger_notices_none() -> None:
    found = ran(
        LED,
        ASK + THREE,
        "{not: {entered: crisis_support}}",
    )
    assert found.passed


def test_a_table_without_an_answer_fails() -> None:
    table = Table({"ai_ask": [{"when_prompt_contains": ["a", "b"], "then": {"x": 1}}]})
    assert table.pick("ai_ask", "a") == ["fail"]
    assert table.pick("ai_ask", "ab") == [{"x": 1}]
    assert table.pick("ai_say", "ab") == ["fail"]
    assert table.pick("risk", "")[0]["verdicts"][0] == {"id": 1, "verdict": "no"}
    assert Table({"ai_ask": {"when_prompt_contains": "a", "then": ["x", "y"]}}).pick("ai_ask", "b") == ["fail"]


def test_an_answer_is_laid_over_what_is_noticed_anyway() -> None:
    assert Table({"perceive": {"values": [1]}}).pick("perceive", "") == [{"holds": [], "values": [1]}]


def test_calls_are_counted() -> None:
    found = ran(LED, ASK + THREE)
    assert found.took[0].calls == 0
    assert found.calls >= 2
    assert ran(LED).calls == 0


def test_it_comes_to_the_same_every_time() -> None:
    case, script = case_of(LED, ASK + "[{values: {}, EXIT: false, content: 嗯？}]"), hello()
    first, second = run(case, script), run(case, script)
    assert first == second


def test_what_is_asked_beside_the_conversation_is_answered_too() -> None:
    """A look back (P2) that has come due is taken before the next move."""
    periodic = SCRIPT.replace("awareness:\n  - awareness: 累了", AWARE + "  - awareness: 累了", 1)
    script = compile_text(periodic)
    answers = "answers: {periodic: {verdicts: [{id: 1, verdict: yes, confidence: 0.9}]}, ai_ask: fail}"
    turns = "- say: 小林\n- wait: 10m\n  expect: {verdict: {slow: yes}}\n"
    assert ran(turns, answers, script=script).passed
    assert not ran(turns, answers.replace("verdict: yes", "verdict: no"), script=script).passed


AWARE = """\
awareness:
  - awareness: 慢了
    id: slow
    priority: P2
    always: true
    every: 5m
    condition: {judge: 谈话是否停住了}
    then:
      - {directive: FEEDBACK, text: 慢一点}
"""
