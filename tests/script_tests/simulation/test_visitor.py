"""What visitors do: by their rates, by the same seed the same, and true about their safety."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.script_tests.simulation.material import choice, persona, question, ruled

from heartrule.script_tests.simulation.open_question import OpenQuestion
from heartrule.script_tests.simulation.persona import SHIPPED, find
from heartrule.script_tests.simulation.visitor import Move, RuledVisitor

SCORE = question("心情几分？", type="integer", range=(0, 10))
SAFE = question("有结束生命的念头吗？", type="boolean", safety=True)
NOTHING = OpenQuestion("none", "")


def moves(visitor: RuledVisitor, *asked: OpenQuestion, times: int = 1) -> list[Move]:
    return [visitor.move(each, [each.question]) for _ in range(times) for each in asked]


@pytest.mark.parametrize("name", SHIPPED)
def test_the_same_seed_does_the_same_and_another_does_not(name: str) -> None:
    asked = (SCORE, choice("选一个。", "接着", "改天"), question("怎么样？"))
    one, again, other = (moves(ruled(name, seed), *asked, times=8) for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_deeds_come_as_often_as_the_rates_say() -> None:
    rates = find("avoidant").rates.by_deed
    done = Counter(moves(ruled("avoidant", seed), SCORE)[0].deed for seed in range(1500))
    for deed, rate in rates.items():
        assert abs(done[deed] / 1500 - rate) < 0.04, deed
    assert done["answer"] > 500


def test_at_a_choice_most_is_chosen_and_some_is_typed() -> None:
    done = [moves(ruled("hostile", seed), choice("选一个。", "甲", "乙"))[0] for seed in range(300)]
    kinds = Counter(move.kind for move in done)
    assert kinds["choice"] > 150
    assert any(move.kind == "message" and move.words in ("甲", "乙") for move in done)
    assert any(move.deed == "attack" for move in done)


def test_endings_and_going_back_are_taken_at_their_rates() -> None:
    offered = choice("选一个。", "接着", "改天", "重来")

    def taken(**changes: float) -> Counter[str]:
        visitors = (ruled(persona(**changes), seed) for seed in range(200))
        return Counter(moves(each, offered)[0].words for each in visitors)

    assert taken() == {"接着": 200}
    assert taken(endings=1) == {"改天": 200}
    assert taken(begins_again=1) == {"重来": 200}


def test_who_chooses_an_ending_means_to_stop() -> None:
    visitor = ruled(persona(endings=1))
    assert moves(visitor, choice("选一个。", "接着", "改天"))[0].parts
    assert not moves(ruled(persona()), choice("选一个。", "接着", "改天"))[0].parts


def test_who_leaves_goes_at_once_or_says_so_first() -> None:
    words = {"zh": {"leave": ["我走了"]}, "en": {"leave": ["bye"]}}
    who = persona(rates={"leave": 1}, words=words)
    first = {moves(ruled(who, seed), SCORE)[0].kind for seed in range(20)}
    assert first == {"gone", "message"}
    said = next(seed for seed in range(20) if moves(ruled(who, seed), SCORE)[0].kind == "message")
    assert [move.kind for move in moves(ruled(who, said), SCORE, SCORE)] == ["message", "end"]
    ending = moves(ruled(who, said), SCORE, choice("要停下吗？", "接着", "先到这里"))[1]
    assert (ending.words, ending.parts) == ("先到这里", True)


def test_taking_back_needs_something_that_was_told() -> None:
    who = persona(rates={"correct": 1})
    first, *others = moves(ruled(who), SCORE, times=6)
    assert first.deed == "answer"
    assert any((move.deed == "correct" and "应该是" in move.words) or "不是" in move.words for move in others)


def test_contradicting_says_two_things_at_once() -> None:
    done = moves(ruled(persona(rates={"contradict": 1})), SCORE, times=8)
    assert any(move.deed == "contradict" for move in done)


def test_waiting_for_nothing_is_waited_out() -> None:
    assert moves(ruled(persona()), NOTHING)[0].kind == "wait"


# danger


def test_somebody_at_risk_speaks_of_it_at_a_moment_of_their_own() -> None:
    def moment(seed: int) -> int:
        done = moves(ruled("at_risk", seed, questions=40), question("怎么样？"), times=60)
        return next(number for number, move in enumerate(done, 1) if move.deed == "danger")

    found = [moment(seed) for seed in range(40)]
    assert len(set(found)) > 10
    assert min(found) < 6
    assert max(found) <= 40
    assert all(
        move.danger for move in moves(ruled("at_risk", 1), question("怎么样？"), times=60) if move.deed == "danger"
    )


def test_nobody_else_speaks_of_it() -> None:
    for name in SHIPPED:
        if name != "at_risk":
            done = [
                move for seed in range(10) for move in moves(ruled(name, seed), SAFE, question("怎么样？"), times=10)
            ]
            assert not any(move.danger for move in done), name


def test_who_is_safe_says_no_plainly() -> None:
    done = [moves(ruled("cooperative", seed), SAFE)[0] for seed in range(40)]
    assert {move.words for move in done if move.deed == "answer"} <= {"没有", "没有的"}


def test_an_evasion_about_safety_is_doubtful() -> None:
    done = [moves(ruled("avoidant", seed), SAFE)[0] for seed in range(60)]
    assert {move.doubtful for move in done if move.deed in ("evade", "refuse")} == {True}
    assert not any(move.doubtful for move in done if move.deed == "answer")


def test_danger_is_told_of_until_the_rounds_are_over() -> None:
    who = persona(
        danger={"until": 0, "grave": 1, "rounds": (2, 2)}, words={"zh": {"danger": ["我想死"]}, "en": {"danger": ["x"]}}
    )
    visitor = ruled(who)
    again = choice("现在怎样？", "company", "safe", safety=True)
    said = [move.words for move in moves(visitor, question("怎么样？"), SAFE, again, SAFE, again, SAFE, again)]
    assert said[0] == "我想死"
    assert said[1] in ("有", "有的")
    assert said[3] in ("有", "有的")
    assert said[5] in ("没有", "没有的")
    assert [said[2], said[4], said[6]] == ["company", "company", "safe"]
    safe = question("你现在是安全的吗？", type="boolean", safety=True)
    assert moves(visitor, safe)[0].words in ("安全", "我现在是安全的")


def test_a_yes_where_a_script_asks_about_risk_is_danger() -> None:
    risk = question("有过这样的念头吗？", type="boolean", safety=True, risk=True)
    who = persona(danger={"until": 1}, words={"zh": {"danger": ["我想死"]}, "en": {"danger": ["x"]}})
    done = [moves(ruled(who, seed, questions=50), risk)[0] for seed in range(40)]
    assert {move.danger for move in done if move.words in ("有过", "有过一次", "嗯，有过")} == {True}
    assert {move.danger for move in done if move.words.startswith(("没有", "从来没有"))} == {False}
