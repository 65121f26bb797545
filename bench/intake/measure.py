"""Conversations one at a time with everything that is asked counted; many at once; and how soon one can read."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

import httpx2
from bench.intake.conversation import conversation
from bench.intake.sides import Said, Side, Talk
from bench.intake.turns import Turn, turns

ROOT = Path(__file__).parents[2]


@contextmanager
def stub(latency: float, rate: float | None = None, *, forget: bool = False, spread: float = 0.0) -> Iterator[str]:
    """The address of a model of its own process, which ends with its input."""
    command = [sys.executable, "-m", "bench.intake.stub", "--latency", str(latency)]
    command += ["--rate", str(rate)] if rate else []
    command += ["--forget"] if forget else []
    command += ["--spread", str(spread)] if spread else []
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()


@dataclass(slots=True)
class Run:
    """What one side needed. Times are in seconds; ``processor`` is per turn, of the process that holds the
    conversations, all its threads; ``waits`` whole turns, ``firsts`` until something could be read."""

    turns: list[Turn] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    firsts: list[float] = field(default_factory=list)
    processor: float = 0.0
    rate: float = 0.0
    memory: float = 0.0


async def one_by_one(side: Side, address: str, conversations: int) -> Run:
    """One conversation after another; the first warms everything up and counts for nothing but its calls."""
    run, before, said = Run(), 0.0, conversation().answers
    async with httpx2.AsyncClient(timeout=60) as http:
        for number in range(conversations + 1):
            talk = await side.begun()
            await _calls(http, address)
            spent = _processor(side.pid)
            spans = [await talk.say(answer.says) for answer in said]
            before += _processor(side.pid) - spent if number else 0.0
            told = await _calls(http, address)
            run.turns += turns(told, [(span.began, span.ended) for span in spans])
            if number:
                _note(run, spans)
    run.processor = before / len(run.waits)
    run.memory = megabytes(side.pid)
    return run


async def together(side: Side, conversations: int, times: int = 1) -> Run:
    """So many conversations at once, each going through the six questions, and so ``times`` over. They begin when it is
    their turn, as a server does not keep a connection for long on which nothing is asked; that counts for nothing."""
    run, seconds, used = Run(), 0.0, 0.0
    for _ in range(times):
        talks = await asyncio.gather(*(side.begun() for _ in range(conversations)))
        began, spent = time.monotonic(), _processor(side.pid)
        for spans in await asyncio.gather(*(_held(talk) for talk in talks)):
            _note(run, spans)
        seconds, used = seconds + time.monotonic() - began, used + _processor(side.pid) - spent
    run.rate, run.processor = len(run.waits) / seconds, used / len(run.waits)
    run.memory = megabytes(side.pid)
    return run


async def _held(talk: Talk) -> list[Said]:
    return [await talk.say(answer.says) for answer in conversation().answers]


async def _calls(http: httpx2.AsyncClient, address: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = (await http.get(address.replace("/v1", "/calls"))).json()
    return found


def _note(run: Run, spans: Sequence[Said]) -> None:
    run.waits += [span.ended - span.began for span in spans]
    run.firsts += [span.first - span.began for span in spans]


def _processor(pid: int | None) -> float:
    """Seconds of processor time that a process has used, our own by default."""
    if pid is None:
        return time.process_time()
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(pid: int | None) -> float:
    """Resident memory."""
    for line in Path(f"/proc/{pid or os.getpid()}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def middle(seconds: Sequence[float]) -> float:
    return median(seconds)


def slowest(seconds: Sequence[float]) -> float:
    """The 95th percentile."""
    return quantiles(seconds, n=20, method="inclusive")[18]
