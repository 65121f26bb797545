"""What a turn of the six-question intake asks: no more tokens than we hold ourselves to, and the same beginning."""

from __future__ import annotations

from statistics import mean

import pytest
from bench.intake import prompts

WHOLE, DISCOUNTED = 2_300, 750
"""What a turn may ask, in tokens; and with what repeats counted a tenth."""


@pytest.fixture(scope="module")
def turns() -> list[prompts.Spent]:
    return prompts.spent(list(prompts.asked()))


def test_a_turn_asks_three_calls_and_no_more_tokens_than_we_hold_ourselves_to(turns: list[prompts.Spent]) -> None:
    assert len(turns) == 6
    assert {tuple(sorted(turn.prompts)) for turn in turns} == {("ai_ask", "perceive", "risk")}
    # 2,027 and 725, of which the judgement of danger with its verdict "passive" and what it knows is a third
    assert mean(turn.whole for turn in turns) <= WHOLE
    assert mean(turn.discounted for turn in turns) <= DISCOUNTED


def test_what_repeats_is_most_of_it_after_the_first_turn(turns: list[prompts.Spent]) -> None:
    first, *later = turns
    assert first.discounted == first.whole
    assert sum(turn.discounted for turn in later) < 0.3 * sum(turn.whole for turn in later)
    # more in the one turn in which old lines leave what the judge is shown
    assert all(turn.discounted < DISCOUNTED / WHOLE * turn.whole for turn in later)


def test_calls_of_a_turn_make_only_later_ones_cheaper() -> None:
    one, other = prompts.Call("risk", tuple(range(10))), prompts.Call("ai_ask", (*range(10), 99))
    spent = prompts.spent([[one], [one, other]])
    assert [turn.whole for turn in spent] == [10, 21]
    assert [turn.discounted for turn in spent] == [10, pytest.approx(1 + 1 + 1)]
    assert spent[1].prompts == {"risk": 10, "ai_ask": 11}
