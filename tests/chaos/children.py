"""Processes that are made to die: forked, watched through a pipe, killed at a moment of the parent's choosing."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from random import Random

Tell = Callable[[str], None]
"""What a child calls when it has got on: ``opened``, ``accepted`` …"""
OPENING = 0.25
"""How many of the deaths fall into the opening of the data folder."""
STEPS = 8
PATIENCE = 60.0
"""Seconds after which a child that neither gets on nor ends is a failure."""


@dataclass(slots=True)
class Deaths:
    """``moments``: how many fell where. ``furthest``: what a child has got done so far."""

    random: Random
    furthest: int = 0
    moments: Counter[str] = field(default_factory=Counter)
    opening: float = 0.1
    most: int = STEPS
    """New things that a child is let do at most."""
    rest_only: bool = False
    """A child tells only of what an earlier one has left."""
    words: Mapping[str, str] = field(default_factory=dict)
    """What a death is counted as, by the first letter of what was told last; else "at work"."""
    last: str = ""

    @property
    def count(self) -> int:
        return sum(self.moments.values())

    def until_one_lives(self, work: Callable[[Tell], Coroutine[None, None, None]]) -> None:
        """Run children of ``work`` and kill them, until one has come to its end before its time."""
        while self._one(work):
            pass

    def _one(self, work: Callable[[Tell], Coroutine[None, None, None]]) -> bool:
        """One child; whether it was killed."""
        process, pipe = _child(work)
        try:
            early = self.random.random() < OPENING
            steps = 0 if early else self.furthest + self.random.randint(1, self.most)
            told, at_end = self._watch(pipe, steps)
            if not at_end:
                time.sleep(self.random.uniform(0, self.opening if early else 0.015))
        finally:
            os.kill(process, signal.SIGKILL)
            _, status = os.waitpid(process, 0)
            rest = _rest(pipe)
            os.close(pipe)
        if os.WIFEXITED(status):
            if os.WEXITSTATUS(status) != 0:
                raise AssertionError(f"a child failed with {os.WEXITSTATUS(status)}")
            return False
        got = told + len(rest)
        self.last = rest[-1:].decode() or self.last
        self.furthest = 0 if self.rest_only else max(self.furthest, got)
        self.moments["while opening" if not got else self.words.get(self.last, "at work")] += 1
        return True

    def _watch(self, pipe: int, steps: int) -> tuple[int, bool]:
        """Wait until the child has got ``steps`` things done; how many it has, and whether it has ended."""
        told, began = 0, time.monotonic()
        while told < steps:
            ready, _, _ = select.select([pipe], [], [], PATIENCE)
            if not ready:
                raise AssertionError(f"a child hangs after {told} steps")
            read = os.read(pipe, 4096)
            if not read:
                return told, True
            if not told:
                self.opening = 0.8 * self.opening + 0.2 * (time.monotonic() - began)
            told += len(read)
            self.last = read[-1:].decode()
        return told, False


def _rest(pipe: int) -> bytes:
    told = b""
    while read := os.read(pipe, 4096):
        told += read
    return told


def _child(work: Callable[[Tell], Coroutine[None, None, None]]) -> tuple[int, int]:
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    os.close(reading)
    try:
        asyncio.run(work(lambda word: _say(writing, word)))
        os._exit(0)
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
        os._exit(1)


def _say(pipe: int, word: str) -> None:
    os.write(pipe, word[:1].encode() or b".")
