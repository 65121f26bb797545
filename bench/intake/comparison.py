"""Model calls of the six-question intake: our server beside a client that makes one call for each task, in one run.

    python -m bench.intake [--short]

Both hold the committed conversation with the same model, a stub of its own process that counts. The machine's other
work blurs wall-clock times; what is bound to the processor is therefore told as processor time too.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.intake import judged
from bench.intake.conversation import SCRIPT
from bench.intake.measure import Run, megabytes, middle, one_by_one, slowest, stub, together
from bench.intake.report import Figure, Section, missed, printed
from bench.intake.sides import OneByOne, Ours
from bench.intake.turns import Sums
from bench.over_http import server


@dataclass(frozen=True, slots=True)
class Size:
    """How many conversations of each kind."""

    alone: int
    waiting: int
    crowd: int
    again: int
    reading: int


SHORT, LONG = Size(5, 1, 50, 1, 4), Size(40, 5, 50, 4, 12)
Both = tuple[Run, Run]


async def _side_by_side(address: str, pid: int, url: str, conversations: int) -> Both:
    async with Ours.at(address, pid, SCRIPT) as ours, OneByOne.at(url) as other:
        return await one_by_one(ours, url, conversations), await one_by_one(other, url, conversations)


async def _crowds(address: str, pid: int, url: str, size: Size) -> Both:
    async with Ours.at(address, pid, SCRIPT) as ours, OneByOne.at(url) as other:
        return await together(ours, size.crowd, size.again), await together(other, size.crowd, 1)


async def _readers(address: str, pid: int, url: str, size: Size) -> Both:
    async with (
        Ours.at(address, pid, judged.SCRIPT, events=True) as ours,
        OneByOne.at(url, judged.judgements()) as other,
    ):
        return await together(ours, size.reading), await together(other, size.reading)


def asked(size: Size, folder: Path, project: Path) -> Iterator[Section]:
    """What is asked of the model, and how long one waits for it, at 300 ms and at none."""
    with stub(0.3) as url, server(folder / "waiting", project, url) as (address, pid):
        ours, other = asyncio.run(_side_by_side(address, pid, url, size.waiting))
    with stub(0.0) as url, server(folder / "alone", project, url) as (address, pid):
        fast, quick = asyncio.run(_side_by_side(address, pid, url, size.alone))
    mine, theirs = Sums.of(ours.turns), Sums.of(other.turns)
    yield Section(
        "What a turn asks of the model (turns 2–7)",
        [
            Figure("calls, most of any turn", mine.most_calls, theirs.most_calls, limit=3),
            Figure("calls, mean", mine.calls, theirs.calls, digits=1),
            Figure("round-trips one after another, most", mine.most_rounds, theirs.most_rounds, limit=1),
            Figure("prompt tokens, all calls, mean", mine.prompt, theirs.prompt, limit=2000),
            Figure("prompt tokens, most of any turn", mine.most_prompt, theirs.most_prompt),
            Figure("… with what repeats counted a tenth, mean", mine.discounted, theirs.discounted, limit=700),
            Figure("output tokens, mean", mine.output, theirs.output),
        ],
    )
    yield Section("A turn over HTTP, model at 300 ms", list(_waits(ours, other, 330)))
    yield Section("A turn over HTTP, model at 0 ms", [*_waits(fast, quick, 15), _processor(fast, quick)])


def _waits(ours: Run, other: Run, limit: float | None) -> list[Figure]:
    return [
        Figure("median", middle(ours.waits) * 1e3, middle(other.waits) * 1e3, " ms", limit, digits=1),
        Figure("95th percentile", slowest(ours.waits) * 1e3, slowest(other.waits) * 1e3, " ms", digits=1),
    ]


def _processor(ours: Run, other: Run) -> Figure:
    return Figure("processor time a turn", ours.processor * 1e3, other.processor * 1e3, " ms", digits=1)


def crowds(size: Size, folder: Path, project: Path) -> Iterator[Section]:
    """Many at once at 300 ms; and how soon one can read, with a model that takes its time and much to judge."""
    with stub(0.3, forget=True) as url, server(folder / "crowd", project, url) as (address, pid):
        fresh = megabytes(pid)
        ours, other = asyncio.run(_crowds(address, pid, url, size))
    yield Section(
        f"{size.crowd} conversations at once in one process, model at 300 ms",
        [
            Figure("turns a second", ours.rate, other.rate, limit=120, bound="least", digits=1),
            _processor(ours, other),
            *_waits(ours, other, None),
            Figure("memory after the start", fresh, None, " MB", 150),
            Figure(f"memory after {size.crowd * size.again} conversations", ours.memory, None, " MB", 170),
        ],
    )
    with stub(0.4, 40) as url, server(folder / "reading", project, url) as (address, pid):
        ours, other = asyncio.run(_readers(address, pid, url, size))
    yield Section(
        "First visible character, 400 ms to the first token, 40 tokens a second, 8 judgements on",
        [
            Figure("median", middle(ours.firsts), middle(other.firsts), " s", digits=2),
            Figure("95th percentile", slowest(ours.firsts), slowest(other.firsts), " s", 2.5, digits=2),
            Figure("the whole turn, median", middle(ours.waits), middle(other.waits), " s", digits=2),
        ],
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="half a minute rather than five")
    size = SHORT if parser.parse_args(arguments).short else LONG
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project = judged.project(folder / "project")
        sections = [*asked(size, folder, project), *crowds(size, folder, project)]
    for line in printed(sections, (Ours.name, OneByOne.name)):
        print(line)
    late = missed(sections)
    print(f"{len(late)} of our limits missed: {', '.join(late)}" if late else "Every limit is kept.")
