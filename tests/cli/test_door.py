"""Waiting for the sessions from a thread that reads lines: what is heard meanwhile, and Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.sessions.material import Gate, Place

from heartrule.cli.door import Door, opened
from heartrule.cli.terminal_session import Session
from heartrule.sessions import Outcome
from heartrule.store.records import Entry

Tell = Callable[[int], None]


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def door(tmp_path: Path, gate: Gate) -> Iterator[Door]:
    with opened(Place(tmp_path).settings(model=gate.model())) as made:
        yield made


def press(seconds: float, times: int = 1) -> None:
    """Ctrl-C, so much later, and again after as long."""

    def later() -> None:
        for _ in range(times):
            time.sleep(seconds)
            os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=later).start()


def never() -> None:
    raise AssertionError("nobody has pressed Ctrl-C")


def test_what_is_told_is_heard_in_order_and_before_the_end(door: Door) -> None:
    heard: list[tuple[int, bool]] = []

    async def work(tell: Tell) -> str:
        for number in range(100):
            tell(number)
            await asyncio.sleep(0)
        return "done"

    here = threading.get_ident()
    done = door.follow(work, lambda part: heard.append((part, threading.get_ident() == here)), never)
    assert done == "done"
    assert heard == [(number, True) for number in range(100)]


def test_a_fault_is_raised_here_after_what_was_told(door: Door) -> None:
    heard: list[int] = []

    async def work(tell: Tell) -> None:
        tell(1)
        raise OSError("away")

    with pytest.raises(OSError, match="away"):
        door.follow(work, heard.append, never)
    assert heard == [1]


def test_a_fault_while_hearing_stops_the_work(door: Door) -> None:
    ended = threading.Event()

    async def work(tell: Tell) -> None:
        try:
            tell(1)
            await asyncio.sleep(60)
        finally:
            ended.set()

    def gone(_: int) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        door.follow(work, gone, never)
    assert ended.wait(5)


def test_the_first_ctrl_c_is_told_and_the_work_goes_on(door: Door) -> None:
    pressed = threading.Event()

    async def work(tell: Tell) -> str:
        async with asyncio.timeout(20):
            while not pressed.is_set():  # noqa: ASYNC110 - set from another thread
                await asyncio.sleep(0.01)
        return "done"

    press(0.2)
    assert door.follow(work, lambda _: None, pressed.set) == "done"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_second_ctrl_c_leaves(door: Door) -> None:
    pressed: list[bool] = []
    ended = threading.Event()

    async def work(tell: Tell) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    press(0.2, times=2)
    with pytest.raises(KeyboardInterrupt):
        door.follow(work, lambda _: None, lambda: pressed.append(True))
    assert pressed == [True]
    assert ended.wait(5)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_who_has_another_use_for_ctrl_c_keeps_it(door: Door) -> None:
    theirs: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: theirs.append(number))
    try:

        async def work(tell: Tell) -> None:
            async with asyncio.timeout(20):
                while not theirs:  # noqa: ASYNC110 - set from another thread
                    await asyncio.sleep(0.01)

        press(0.2)
        door.follow(work, lambda _: None, never)
    finally:
        signal.signal(signal.SIGINT, before)
    assert theirs == [signal.SIGINT]


class Heard:
    """Somebody who waits for a turn."""

    def __init__(self) -> None:
        self.parts: list[tuple[int, int, str]] = []
        self.stops = 0

    def more(self, number: int, offset: int, text: str) -> None:
        self.parts.append((number, offset, text))

    def stopping(self) -> None:
        self.stops += 1


def begun(door: Door, folder: Path) -> tuple[Session, Outcome]:
    record = door.call(door.sessions.create, Place(folder).script)
    session = Session(door, record.id)
    return session, session.start(Heard())


def test_a_turn_is_heard_while_it_is_worked_out(door: Door, gate: Gate, tmp_path: Path) -> None:
    session, first = begun(door, tmp_path)
    gate.close()
    heard = Heard()

    async def release() -> None:
        await gate.asked.wait()
        for offset, text in ((0, "听到了。"), (4, "后来呢？")):
            door.sessions._watchers.released(session.id, 2, 4, offset, text)
            await asyncio.sleep(0.05)
        gate.opened.set()

    door.begin(release)
    outcome = session.take(Entry("a", "message", text="难受", after=first.messages[-1].number), heard)
    assert outcome.turn == 2
    assert heard.parts[:2] == [(4, 0, "听到了。"), (4, 4, "后来呢？")]
    assert heard.stops == 0
    assert not door.sessions._watchers._watches


def test_without_a_model_there_is_nothing_to_hear(tmp_path: Path) -> None:
    with opened(Place(tmp_path).settings()) as door:
        session, first = begun(door, tmp_path)
        heard = Heard()
        session.take(Entry("a", "message", text="难受", after=first.messages[-1].number), heard)
        assert heard.parts == []
