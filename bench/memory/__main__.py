"""``python -m bench.memory``: generated histories, put through the questions of ``heartrule eval memory``; and a store
with 20,000 memories of a person, on SQLite and, where it is there, PostgreSQL."""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.memory.generate import FACTS, UNSEEN, histories, write

from heartrule.evals.memories import load_histories
from heartrule.evals.memory_run import run
from heartrule.memory import derivation
from heartrule.memory.item import Item
from heartrule.memory.session_material import SaidMessage, SessionMaterial
from heartrule.sessions.person_memory import wanted
from heartrule.store import Store
from heartrule.store.records import NewSession

K = 8
MEMORIES = 20_000
QUESTIONS = (
    "妈",
    "药",
    "睡眠",
    "老板骂我",
    "我和妈妈吵架以后睡不着，上次说的那个练习",
    "What medication am I on?",
    "sleep",
    "dog",
)


def found(folder: Path) -> None:
    for name, facts in (("facts.yaml", FACTS), ("unseen.yaml", UNSEEN)):
        file = folder / f"{name}.jsonl"
        write(file, facts=facts)
        figures, _ = run(load_histories(file), K)
        for kind in sorted(figures):
            print(f"{name} {kind}: {figures[kind].data()}")


async def timed(where: str, folder: Path) -> None:
    """Cold: a process that has nothing open; warm: the same question's like again."""
    with Store.open(where, folder=folder, synchronous="OFF") as store:
        person = await filled(store)
    cold, cold_cpu, warm, warm_cpu = [], [], [], []
    for question in QUESTIONS:
        with Store.open(where, folder=folder, synchronous="OFF") as store:
            asked = wanted(question, datetime.now(UTC))
            begun, cpu = time.perf_counter(), time.process_time()
            hits = await store.recollections.find(person, "bench", asked, K)
            cold.append(time.perf_counter() - begun)
            cold_cpu.append(time.process_time() - cpu)
            assert hits, question
            for again in QUESTIONS:
                what = wanted(again, datetime.now(UTC))
                begun, cpu = time.perf_counter(), time.process_time()
                await store.recollections.find(person, "bench", what, K)
                warm.append(time.perf_counter() - begun)
                warm_cpu.append(time.process_time() - cpu)
    name = "PostgreSQL" if "://" in where else "SQLite"
    worst = statistics.quantiles(warm, n=20)[18] * 1000
    print(
        f"{name}: {MEMORIES} memories; cold median {_ms(cold)} ms, worst {max(cold) * 1000:.0f} ms (processor "
        f"{_ms(cold_cpu)} ms); warm median {_ms(warm)} ms, p95 {worst:.1f} ms (processor {_ms(warm_cpu)} ms)"
    )


def _ms(seconds: list[float]) -> str:
    return f"{statistics.median(seconds) * 1000:.1f}"


async def filled(store: Store) -> str:
    person = await store.new_person()
    await store.save_bundle("bundle", ())
    sentences = [each["text"] for told in histories(4) for of in told["sessions"] for each in of["said"]]
    chance, at, made = random.Random(1), datetime(2024, 1, 1, tzinfo=UTC), 0
    while made < MEMORIES:
        session = f"bench{made}"
        await store.create_session(NewSession(session, person, "bench", "bench/s", "bundle", "zh-CN", {}, at, {}))
        said = [
            SaidMessage(number, " ".join(chance.sample(sentences, 2)), at + timedelta(minutes=number))
            for number in range(1, min(400, MEMORIES - made) + 1)
        ]
        items: list[Item] = [
            each
            for each in derivation.items(SessionMaterial(session, "s", "zh-CN", at, said))
            if each.kind == "passage"
        ]
        await store.recollections.keep(session, items)
        made, at = made + len(items), at + timedelta(days=3)
    return person


async def canaries(store: Store, count: int) -> None:
    """Ten persons in two projects each, who all say the same with a word of their own: of ``count`` questions for each
    other's words, how many found another's."""
    people: list[tuple[str, str, str]] = []
    await store.save_bundle("bundle", ())
    at = datetime(2024, 1, 1, tzinfo=UTC)
    for number in range(10):
        person = await store.new_person()
        for project in ("one", "two"):
            session, word = f"{project}{number}", f"金丝雀{number}{project}"
            new = NewSession(session, person, project, f"{project}/s", "bundle", "zh-CN", {}, at, {})
            await store.create_session(new)
            said = [SaidMessage(n, f"我妈妈说起{word}的第{n}件事，睡不着", at) for n in range(1, 21)]
            await store.recollections.keep(session, derivation.items(SessionMaterial(session, "s", "zh-CN", at, said)))
            people.append((person, project, word))
    chance, strange = random.Random(2), 0
    for _ in range(count):
        (person, project, own), other = chance.choice(people), chance.choice(people)
        hits = await store.recollections.find(person, project, wanted(f"{other[2]}是什么？妈妈", at), K)
        strange += sum(own not in each.item.content and each.item.kind == "passage" for each in hits)
        strange += any(each.project != project for each in hits)
    print(f"canaries: {count} questions, {strange} answers of another person or project")


def main(arguments: list[str] | None = None) -> None:
    options = argparse.ArgumentParser(prog="python -m bench.memory")
    options.add_argument("--canaries", type=int, default=10_000)
    options.add_argument("--write", type=Path, help="only write the generated histories to this file")
    given: Any = options.parse_args(arguments)
    if given.write is not None:
        write(given.write)
        return
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        found(folder)
        asyncio.run(timed(str(folder / "sqlite"), folder / "sqlite"))
        with Store.open(folder / "canaries", synchronous="OFF") as store:
            asyncio.run(canaries(store, given.canaries))
        with suppress(ImportError):
            from tests.store.postgres import Server, programs

            if (installed := programs()) is not None:
                server = Server(installed)
                try:
                    asyncio.run(timed(server.new_database(), folder / "postgres"))
                finally:
                    server.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
