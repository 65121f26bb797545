"""What memory costs a turn: prompt tokens early and late, model calls, and processor time.

    python -m bench.memory.turns [--turns 1000]

The same long session is held twice side by side, of a person with ten earlier sessions of sixty turns: once where the
script reads memory and once where it does not. Turns alternate, so that both meet the same load. The scripted model's
own time is left out.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.memory.generate import histories
from bench.turns import script

from heartrule.evals.memories import own
from heartrule.llm.model import Model
from heartrule.llm.provider import Request
from heartrule.llm.providers.scripted import ScriptedProvider
from heartrule.memory import derivation
from heartrule.memory.tokens_of import tokens_of
from heartrule.sessions import Sessions, Settings, open_sessions
from heartrule.store.records import Entry, NewSession
from heartrule.testing.counsellor import counsel
from heartrule.testing.hold import MovedClock

READS = "    memory: {read: {enabled: true, top_k: 8}}\n"
EARLY, SPAN = 50, 20


@dataclass(slots=True)
class Costs:
    """By turn."""

    tokens: list[int] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)


class Heard:
    """The scripted model, and what was asked of it."""

    def __init__(self) -> None:
        self.tokens, self.calls, self.seconds = 0, 0, 0.0

    async def answer(self, request: Request) -> dict[str, Any]:
        began = time.thread_time()
        self.calls += 1
        self.tokens = max(self.tokens, sum(tokens_of(each.text) for each in request.messages))
        made = counsel(request)
        self.seconds += time.thread_time() - began
        return made

    def take(self) -> tuple[int, int, float]:
        found = self.tokens, self.calls, self.seconds
        self.tokens, self.calls, self.seconds = 0, 0, 0.0
        return found


async def measured(folder: Path, turns: int) -> dict[str, Costs]:
    heard, clock = Heard(), MovedClock()
    model = Model([ScriptedProvider(heard.answer)])
    costs = {"with": Costs(), "without": Costs()}
    async with open_sessions(Settings(data=folder / "data", model=model, clock=clock, synchronous="OFF")) as sessions:
        person = await sessions.store.new_person()
        await sessions.store.recollections.choose(person, True, clock.now())
        held, said = {}, list[str]()
        for name in costs:
            path = folder / f"{name}.yaml"
            text = script(turns)
            path.write_text(text.replace("    declare:\n", f"{READS}    declare:\n", 1) if name == "with" else text)
            record = await sessions.create(str(path), person=person)
            held[name] = record.id
            if name == "with":
                said = await _earlier(sessions, person, record.project)
            await sessions.start(record.id)
        for number in range(turns):
            for name in sorted(costs, reverse=number % 2 == 0):
                heard.take()
                clock.pass_(seconds=20)
                text = f"{said[number % len(said)]}{number}"
                began = time.process_time()
                await sessions.take(held[name], Entry(f"said-{number:06}", "message", text=text))
                spent = time.process_time() - began
                tokens, calls, own_seconds = heard.take()
                costs[name].tokens.append(tokens)
                costs[name].calls.append(calls)
                costs[name].processor.append(1000 * (spent - own_seconds))
            if number % 10 == 9:  # as the job does, outside the turns
                await sessions.remember(held["with"])
    return costs


async def _earlier(sessions: Sessions, person: str, project: str) -> list[str]:
    """Ten sessions that the person has held before; what they said in them."""
    store = sessions.store
    history = own(next(iter(histories(1))))
    await store.save_bundle("bundle", ())
    for told in history.told:
        new = NewSession(told.session, person, project, f"{project}/s", "bundle", "zh-CN", {}, told.began, {})
        await store.create_session(new)
        await store.recollections.keep(told.session, derivation.items(told))
    return [each.text for told in history.told for each in told.said if not each.reply]


def main(arguments: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(prog="python -m bench.memory.turns")
    options.add_argument("--turns", type=int, default=1000)
    given: Any = options.parse_args(arguments)
    with tempfile.TemporaryDirectory() as home:
        costs = asyncio.run(measured(Path(home), given.turns))
    for name, each in costs.items():
        early = statistics.mean(each.tokens[EARLY - SPAN // 2 : EARLY + SPAN // 2])
        late = statistics.mean(each.tokens[-SPAN:])
        print(
            f"{name} memory: longest prompt of a turn {early:.0f} tokens about turn {EARLY}, {late:.0f} at turn"
            f" {given.turns} ({late / early:.3f}); {sum(each.calls)} calls in {len(each.calls)} turns; processor median"
            f" {statistics.median(each.processor):.2f} ms"
        )
    more = [a - b for a, b in zip(costs["with"].processor, costs["without"].processor, strict=True)]
    print(f"with memory, processor more a turn: median {statistics.median(more):.2f} ms")


if __name__ == "__main__":
    main(sys.argv[1:])
