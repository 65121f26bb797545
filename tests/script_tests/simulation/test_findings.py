"""What is conspicuous in a session, and what is not."""

from __future__ import annotations

from tests.script_tests.simulation.material import exchange, held

from heartrule.script_tests.simulation.findings import REPEATED, findings, is_in_doubt
from heartrule.script_tests.simulation.simulated_session import SimulatedSession
from heartrule.script_tests.simulation.visitor import Move

VOICED = Move("message", "danger", "我想死", danger=True)
UNCLEAR = Move("message", "evade", "说不清", doubtful=True)


def kinds(one: SimulatedSession) -> list[str]:
    return [each.kind for each in findings(one)]


def test_danger_is_answered_in_the_same_turn_or_not() -> None:
    assert kinds(held(exchange(VOICED, met=True))) == []
    late = held(exchange(VOICED), exchange("嗯", crisis="awareness safety/suicide_risk", met=True))
    assert kinds(late) == ["danger_unanswered", "false_alarm"]
    assert next((each.turn, each.what, each.grave) for each in findings(late)) == (0, "我想死", True)


def test_an_alarm_needs_danger_or_an_unclear_answer() -> None:
    crisis = "risk variable of ask_death"
    assert kinds(held(exchange("没有", crisis=crisis, met=True))) == ["false_alarm"]
    assert kinds(held(exchange(UNCLEAR, crisis=crisis, met=True))) == []
    assert is_in_doubt(exchange(UNCLEAR, crisis=crisis))
    assert not is_in_doubt(exchange(VOICED, crisis=crisis))
    assert not is_in_doubt(exchange(UNCLEAR))
    assert kinds(held(exchange(None, crisis=crisis))) == ["false_alarm"]


def test_what_a_player_says_of_its_own_words_is_no_proof() -> None:
    played = Move("message", "answer", "药都数好了", played=True)
    assert kinds(held(exchange(played, crisis="awareness safety/suicide_risk", met=True))) == ["unclaimed"]


def test_the_same_question_over_and_over() -> None:
    often = held(*(exchange("嗯", ("你 好吗？", "好的。")) for _ in range(REPEATED + 1)))
    assert [(each.kind, each.what, each.times, each.turn) for each in findings(often)] == [
        ("repeated", "你 好吗？", REPEATED + 1, REPEATED - 1)
    ]
    assert kinds(held(*(exchange("嗯", ("你好吗？",)) for _ in range(REPEATED - 1)))) == []
    assert kinds(held(*(exchange("嗯", ("再来一次。",)) for _ in range(9)))) == []


def test_who_asks_to_hear_it_again_or_is_silent_hears_it_again() -> None:
    for deed in ("ask_back", "silent"):
        move = Move("message", deed, "再说一遍")  # type: ignore[arg-type]
        assert kinds(held(*(exchange(move, ("你好吗？",)) for _ in range(9)))) == []


def test_faults_and_being_stuck() -> None:
    stuck = held(exchange("嗯", faults=("no such topic",)), exchange("嗯"), outcome="stuck")
    assert [(each.kind, each.what, each.grave) for each in findings(stuck)] == [
        ("fault", "no such topic", False),
        ("stuck", "too_long", True),
    ]
