"""Texts that are made to take long: all reading of one message takes time that grows with its length alone."""

from __future__ import annotations

import os
import random
import time

import pytest

from heartrule.engine.awareness.risk_text import READ_AT_ONCE, fold
from heartrule.testing.talk import Talk, shipped

PIECES = (
    *(
        "a'",
        "ä",
        "a",
        "a-",
        "xiang ",
        "woxiangsi",
        "wo xiang si ",
        "想",
        "想\n",
        "想 ，",
        "不想死",
        "没有,",
        "……。。",
        "一",
        "1,000",
    ),
    *(
        "not ",
        "I don't want to die. ",
        "a\u0301\u0302",
        "👨\u200d👩\u200d",
        "“”",
        "\ud800",
        "  a",
        "(",
        "\t",
        "麼",
        "2026年",
    ),
)
LENGTHS = {500: 2.0, 5_000: 20.0, 20_000: 80.0}
"""Characters, and the milliseconds that reading them may take on a quiet machine."""
SLACK = 4.0
"""As many times slower may a machine be that does other things; only our own processor time counts."""
MANY = int(os.environ.get("HEARTRULE_HOSTILE", "200"))


def folded(text: str) -> float:
    fold.cache_clear()
    begun = time.thread_time()
    for view in ("lines", "joined"):
        fold(text, view)  # type: ignore[arg-type]
    return (time.thread_time() - begun) * 1000


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
@pytest.mark.parametrize("length", LENGTHS)
def test_what_rules_are_searched_in_is_folded_in_time(piece: str, length: int) -> None:
    text = (piece * length)[:length]
    assert min(folded(text) for _ in range(3)) <= LENGTHS[length] * SLACK


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_a_turn_of_it_is_worked_out_in_time(piece: str) -> None:
    script = shipped("cbt/abc_intro")
    text = (piece * 20_000)[:20_000]
    Talk(script).say("在")  # what the first turn of a process prepares is not meant

    def taken() -> float:
        fold.cache_clear()
        talk = Talk(script)
        begun = time.thread_time()
        talk.say(text)
        return time.thread_time() - begun

    # The least of three: in a process that holds ten thousand tests one collection of garbage alone takes a second.
    assert min(taken() for _ in range(3)) <= 0.2 * SLACK


def test_no_mixture_takes_longer_than_its_length_allows() -> None:
    chance = random.Random(20)
    for _ in range(MANY):
        length = chance.choice(list(LENGTHS))
        parts: list[str] = []
        while sum(map(len, parts)) < length:
            parts.append(chance.choice(PIECES) * chance.randrange(1, 1 + length // 20))
        text = "".join(parts)[:length]
        assert min(folded(text) for _ in range(2)) <= LENGTHS[length] * SLACK, ascii(parts[:8])


def test_little_is_remembered_of_what_was_read() -> None:
    assert READ_AT_ONCE <= 64
