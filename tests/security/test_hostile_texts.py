"""Texts that are made to take long: all reading of one message takes time that grows with its length alone."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from heartrule.engine.awareness.risk_text import READ_AT_ONCE, fold
from heartrule.language.nodes import VariableRules
from heartrule.llm.model import Model
from heartrule.parsing.self_corrections import CLAUSES_READ, several
from heartrule.sessions import Settings, open_sessions
from heartrule.store.records import Entry
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
AT_ONCE = 20.0
"""Milliseconds that the loop, on which everybody else waits too, may do one thing because of a message."""
A_SESSION = 10
"""Messages after which it is another session's turn."""


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


def mixtures() -> Iterator[str]:
    chance = random.Random(20)
    for _ in range(MANY):
        length = chance.choice(list(LENGTHS))
        parts: list[str] = []
        while sum(map(len, parts)) < length:
            parts.append(chance.choice(PIECES) * chance.randrange(1, 1 + length // 20))
        yield "".join(parts)[:length]


def test_no_mixture_takes_longer_than_its_length_allows() -> None:
    for text in mixtures():
        assert min(folded(text) for _ in range(2)) <= LENGTHS[len(text)] * SLACK, ascii(text[:80])


def test_nobody_waits_for_what_somebody_else_has_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every message goes through a whole turn in a process that serves others: what it takes to read lies beside the
    loop, and what is left of the turn is little more than a turn of a few words."""
    held: list[float] = []
    once = asyncio.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        begun = time.thread_time()
        once(handle)
        held.append((time.thread_time() - begun) * 1000)

    async def work() -> None:
        settings = Settings(data=tmp_path, model=Model(), synchronous="OFF")
        async with open_sessions(settings) as sessions:
            for number, mixed in enumerate(("在", *islice(mixtures(), MANY // 4))):
                text = mixed.replace("\ud800", "\ufffd")  # half a character is refused at the door
                if number % A_SESSION == 0:
                    session = (await sessions.create("cbt/abc_intro", None, {}, None, {})).id
                    outcome = await sessions.take(session, Entry("start", "start"))
                for again in range(3):  # a collection of garbage is nobody's message
                    held.clear()
                    last = max(each.number for each in outcome.messages)
                    outcome = await sessions.take(session, Entry(f"{number}-{again}", "message", text=text, after=last))
                    if max(held) <= AT_ONCE * SLACK:
                        break
                else:
                    pytest.fail(f"{max(held):.0f} ms for {len(text)} characters: {text[:80]!a}")

    monkeypatch.setattr(asyncio.Handle, "_run", timed)
    asyncio.run(work())


@pytest.mark.parametrize("text", ["有," * 1_300, ",".join(f"有{number}" for number in range(700))])
def test_a_value_is_looked_for_in_so_many_clauses(text: str) -> None:
    read: list[str] = []
    several(VariableRules(type="boolean", define="有没有"), text, read.append)
    assert len(read) == len(set(read)) <= CLAUSES_READ


def test_little_is_remembered_of_what_was_read() -> None:
    assert READ_AT_ONCE <= 64
