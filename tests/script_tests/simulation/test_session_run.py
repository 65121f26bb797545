"""Sessions that are held to their end, left, or stuck: on the real engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from tests.script_tests.simulation.material import SMALL, Says, hold, persona, ruled

from heartrule.engine.session.tasks import Answer, Attempt, Task
from heartrule.script_tests.simulation.findings import findings
from heartrule.script_tests.simulation.open_question import asked, questions_of
from heartrule.script_tests.simulation.session_run import SessionSettings
from heartrule.script_tests.simulation.visitor import Move
from heartrule.testing.talk import shipped

ENDLESS = """\
sessions:
  - session: 绕圈
    id: endless
    declare: [{var: 好了, type: boolean, value: false}]
    phases:
      - phase: 一
        id: one
        steps:
          - topic: 一
            id: one
            repeat: {until: 好了}
            actions:
              - {type: user_say, id: again, content: 再来}
"""
DEAF = """\
sessions:
  - session: 不听
    id: deaf
    phases:
      - phase: 一
        id: one
        steps:
          - topic: 一
            id: one
            actions:
              - {type: user_option, id: pick, var: 选, choices: [{value: A, label: 第一个}, {value: B, label: 第二个}]}
"""
TIMED = """\
sessions:
  - session: 限时
    id: timed
    phases:
      - phase: 一
        id: one
        steps:
          - topic: 一
            id: one
            actions:
              - {type: ask, id: quick, content: 快说。, timeout: 5m, on_timeout: end, output: [{get: 话, type: text}]}
"""


def test_a_session_is_held_to_its_end() -> None:
    held = hold(SMALL)
    assert (held.outcome, held.why, held.phases) == ("completed", "", ("opening", "later", "ending"))
    assert held.exchanges[0].move is None
    assert "最近怎么样？" in held.exchanges[0].said
    assert held.exchanges[-1].said[-1] == "再见。"
    assert held.rounds == 5
    assert held.seconds == sum(each.move.seconds for each in held.exchanges if each.move)
    assert not list(findings(held))


def test_who_chooses_to_stop_has_parted_where_they_chose() -> None:
    held = hold(SMALL, ruled(persona(endings=1)))
    assert (held.outcome, str(held.last)) == ("parted", "opening/lately/stay")
    assert held.phases == ("opening", "ending")


@pytest.mark.parametrize(("move", "why"), [(Move("gone", "leave"), "gone"), (Move("end", "leave"), "ended")])
def test_who_goes_has_left(move: Move, why: str) -> None:
    held = hold(SMALL, Says("还行", move))
    assert (held.outcome, held.why, str(held.last)) == ("left", why, "opening/lately/ask_score")


def test_who_says_nothing_any_more_has_left() -> None:
    held = hold(SMALL, Says("还行", Move("wait", "silent", seconds=600)))
    assert (held.outcome, held.why) == ("left", "gone")
    assert held.rounds == 1


def test_a_timer_strikes_while_they_are_silent() -> None:
    held = hold(TIMED, Says(Move("wait", "silent", seconds=600)))
    assert (held.outcome, held.why, held.seconds) == ("timed_out", "timeout", 600)


def test_turns_without_progress_are_stuck() -> None:
    held = hold(DEAF, Says("说不好"), patience=4)
    assert (held.outcome, held.why, str(held.last)) == ("stuck", "no_progress", "one/one/pick")
    assert held.rounds == 4
    assert [each.kind for each in findings(held) if each.grave] == ["stuck"]


def test_going_round_for_ever_is_stuck_though_something_ends_in_each_turn() -> None:
    held = hold(ENDLESS, turns=20, patience=4)
    assert (held.outcome, held.why) == ("stuck", "too_long")
    assert held.rounds == 20


LOOPS = """\
sessions:
  - session: 空转
    id: loops
    phases:
      - phase: 一
        id: one
        steps:
          - {{topic: 甲, id: first, actions: [{first}]}}
          - {{topic: 乙, id: second, actions: [{second}], transitions: [{{to: first}}]}}
          - {{topic: 丙, id: third, actions: [{{type: say, id: bye, content: 再见。}}]}}
"""


def test_talking_without_end_is_stuck_and_not_what_anybody_chose() -> None:
    """The engine ends it, and tells the person of a fault."""
    held = hold(LOOPS.format(first="{type: say, id: a, content: 你好。}", second="{type: say, id: b, content: 再来。}"))
    assert (held.outcome, held.why) == ("stuck", "loop")
    assert str(held.last) in ("one/first/a", "one/second/b")
    assert [(each.kind, each.place) for each in findings(held) if each.grave] == [("stuck", held.last)]


def test_jumping_back_and_forth_is_stuck_though_the_engine_gets_out_of_it() -> None:
    ask = "{{type: ask, id: ask_{0}, content: 好吗？, output: [{{get: {0}}}]}}"
    held = hold(LOOPS.format(first=ask.format("one"), second=ask.format("two")))
    assert (held.outcome, held.why, str(held.last)) == ("stuck", "jumps", "one/second/ask_two")
    assert [(each.kind, each.place) for each in findings(held) if each.grave] == [("stuck", held.last)]


def test_waiting_for_nothing_is_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    """No script we know can do it; a fault of the engine could."""
    from heartrule.engine import flow

    monkeypatch.setattr(flow, "run_on", lambda work: iter(()))
    held = hold(SMALL)
    assert (held.outcome, held.why) == ("stuck", "waits_for_nothing")


def test_what_was_not_understood_is_kept_with_the_reason() -> None:
    held = hold(SMALL, Says("还行", "挺好的呀", "三", Move("gone", "leave")))
    assert [(each.name, each.reason) for e in held.exchanges for each in e.noticed.misread] == [("分数", "need_number")]


def test_danger_calls_the_crisis_technique_in_the_same_turn() -> None:
    voiced = Move("message", "danger", "我不想活了", danger=True)
    held = hold(SMALL, Says("还行", voiced, Move("gone", "leave")))
    turn = held.exchanges[2]
    assert turn.noticed.met
    assert "suicide_risk" in turn.noticed.crisis
    assert turn.after.topic == "safety/crisis_support"
    assert not [each for each in findings(held) if each.grave]


def test_danger_that_nobody_heard_is_a_finding() -> None:
    veiled = Move("message", "danger", "今天的云很好看", danger=True)
    held = hold(SMALL, Says("还行", veiled, Move("gone", "leave")))
    assert [(each.kind, each.turn, each.what) for each in findings(held)] == [("danger_unanswered", 2, veiled.words)]


def test_a_model_is_asked_and_what_it_took_is_counted_by_turn() -> None:
    asked_for: list[str] = []

    def answers(tasks: Sequence[Task]) -> Mapping[str, Answer]:
        asked_for.extend(task.template for task in tasks)
        tried = Attempt(1, "error", code="x"), Attempt(2, "ok", tokens_in=100, tokens_out=7, cost=5, currency="USD")
        return {task.key: Answer(task.key, "failed", attempts=tried) for task in tasks}

    held = hold(SMALL, answers=answers)
    assert held.outcome == "completed"
    assert "ai_ask" in asked_for
    spent = [each.spent for each in held.exchanges]
    assert sum(each.calls for each in spent) == 2 * len(asked_for)
    assert sum(each.failed for each in spent) == len(asked_for)
    assert sum(each.tokens_in for each in spent) == 100 * len(asked_for)
    assert sum(each.cost["USD"] for each in spent) == 5 * len(asked_for)
    assert spent[0].calls < sum(each.calls for each in spent)


def test_what_is_asked_is_known_with_its_rules() -> None:
    script = shipped("cbt/first_assessment")
    assert questions_of(script) > 40
    seen: dict[str, tuple[str | None, bool]] = {}

    class Looks:
        def __init__(self) -> None:
            self.inner = ruled("cooperative", 3, questions_of(script))

        def move(self, question: object, said: Sequence[str]) -> Move:
            if getattr(question, "name", ""):
                seen[question.name] = (question.rules.type, question.safety)  # type: ignore[attr-defined]
            return self.inner.move(question, said)  # type: ignore[arg-type]

    SessionSettings(script, Looks()).run("cooperative", 1)
    assert seen["心情评分"] == ("integer", False)
    assert seen["兴奋期"] == ("boolean", False)
    assert seen["死亡念头"] == ("boolean", True)
    assert seen["称呼"][0] == "text"
    assert callable(asked)
