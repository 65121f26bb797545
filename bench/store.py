"""What the store costs: an ordinary turn, one row's encryption, bytes written, many conversations at once.

python bench/store.py [--synchronous FULL] [--turns 1000] [--sessions 50] [--url postgresql://…]
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from heartrule.language.compiling.script import Source
from heartrule.store import Store
from heartrule.store.crypto import Box, new_key, place
from heartrule.store.records import Commit, Entry, EventRecord, MessageRecord, NewSession, VariableRecord

NOW = datetime(2025, 1, 1, tzinfo=UTC)
LEASE = timedelta(seconds=30)
STATE = {
    "format": 1,
    "frames": [{"key": f"t{n}", "name": "睡眠与情绪", "memory": {"n": n, "text": "x" * 60}} for n in range(24)],
}
WORDS = "我最近总是睡不着，躺下以后脑子里一直在想工作上的事情，越想越清醒，第二天整个人都没有精神。"


@dataclass(frozen=True, slots=True)
class Times:
    accept: float
    commit: float

    @property
    def whole(self) -> float:
        return self.accept + self.commit


def turn(session: str, seq: int, epoch: int, number: int) -> Commit:
    first = seq * 2 - 1
    at = NOW + timedelta(seconds=seq)
    data = {"operation": "update", "name": "mood", "value": WORDS[:20], "evidence": WORDS[:20], "number": seq}
    return Commit(
        session=session,
        owner="bench",
        epoch=epoch,
        seq=seq,
        seen=number,
        joins=first - 1,
        consumed=[number],
        state={**STATE, "seq": seq},
        status="active",
        position={"phase": "p1", "topic": "t1", "action": "a1"},
        outcome={"status": "waiting_input", "request": {"kind": "message"}, "messages": [first, first + 1]},
        messages=[
            MessageRecord(first, seq, "person", WORDS, "text", None, at, inbox=number),
            MessageRecord(first + 1, seq, "ai", WORDS + WORDS, "text", "a1", at),
        ],
        events=[EventRecord(seq, n, "variable", "a1", data) for n in range(1, 9)],
        variables=[
            VariableRecord("session", "", name, WORDS[:20], "string", at, "a1", "json", WORDS[:20])
            for name in ("mood", "sleep")
        ],
        removed_scopes=[],
        wake_at=at + LEASE,
        at=at,
        release=True,
    )


async def one(store: Store, session: str, seq: int) -> Times:
    start = time.perf_counter()
    entry = Entry(f"key-{seq}", "message", WORDS, after=seq * 2 - 2)
    now = NOW + timedelta(seconds=seq)
    accepted, loaded = await store.accept_and_load(session, entry, now, "bench", now + LEASE, 20)
    middle = time.perf_counter()
    assert loaded is not None
    made = turn(session, seq, loaded.epoch, accepted.number)
    began = time.perf_counter()
    await store.commit(made)
    return Times(middle - start, time.perf_counter() - began)


async def begin(store: Store, count: int) -> list[str]:
    await store.save_bundle("bundle", [Source("demo", "main.yaml", "0" * 64, "session: demo")])
    names = [f"{n:032x}" for n in range(count)]
    for name in names:
        person = await store.new_person()
        await store.create_session(NewSession(name, person, "demo", "demo/main", "bundle", "zh", STATE, NOW))
    return names


def quantiles(figures: list[float]) -> str:
    cuts = statistics.quantiles(figures, n=20)
    return f"median {statistics.median(figures) * 1e3:.2f} ms, p95 {cuts[18] * 1e3:.2f} ms"


def sizes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.glob("heartrule.db*"))


def written() -> int:
    """Bytes this process has handed to the system for files, where the system counts them."""
    try:
        lines = Path("/proc/self/io").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("wchar")), 0)


async def sequence(store: Store, folder: Path, turns: int) -> Iterator[str]:
    (session,) = await begin(store, 1)
    times: list[Times] = []
    bytes_at: list[int] = [written()]
    processor = time.process_time()
    for seq in range(1, turns + 1):
        times.append(await one(store, session, seq))
        bytes_at.append(written())
    processor = (time.process_time() - processor) / turns
    warm = times[20:]
    lines = [
        f"processor time a turn, whatever else the machine does: {processor * 1e3:.2f} ms",
        f"turn (accept_and_load + commit), 2 commits: {quantiles([one.whole for one in warm])}",
        f"  accept_and_load: {quantiles([one.accept for one in warm])}",
        f"  commit:          {quantiles([one.commit for one in warm])}",
    ]
    span = min(100, turns // 3)
    for at in (0, (turns - span) // 2, turns - span):
        part = quantiles([one.whole for one in times[at : at + span]])
        kilobytes = (bytes_at[at + span] - bytes_at[at]) / span / 1000
        lines.append(f"  turns {at + 1}–{at + span}: {part}, {kilobytes:.1f} kB written a turn")
    lines.append(f"  on disk after {turns} turns: {sizes(folder) / turns / 1000:.2f} kB a turn")
    return iter(lines)


async def together(store: Store, sessions: int, turns: int) -> str:
    names = await begin(store, sessions)

    async def talk(session: str) -> None:
        for seq in range(1, turns + 1):
            await one(store, session, seq)

    start = time.perf_counter()
    await asyncio.gather(*(talk(name) for name in names))
    took = time.perf_counter() - start
    return f"{sessions} conversations at once: {sessions * turns / took:.0f} turns/s"


def sealing() -> str:
    box, rounds = Box(b"k" * 8, new_key()), 20_000
    text = WORDS.encode()
    start = time.perf_counter()
    for number in range(rounds):
        box.seal(text, place("messages", "text", "session", number))
    sealed = (time.perf_counter() - start) / rounds
    kept = box.seal(text, place("messages", "text", "session", 1))
    start = time.perf_counter()
    for _ in range(rounds):
        box.open(kept, place("messages", "text", "session", 1))
    opened = (time.perf_counter() - start) / rounds
    return f"one row ({len(text)} bytes): seal {sealed * 1e6:.1f} µs, open {opened * 1e6:.1f} µs"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--synchronous", choices=("FULL", "NORMAL", "OFF"), default="OFF")
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--url")
    options = parser.parse_args()
    print(sealing())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        where = options.url or folder
        start = time.perf_counter()
        store = Store.open(where, folder=folder, synchronous=options.synchronous, threads=8)
        print(f"open, new: {(time.perf_counter() - start) * 1e3:.0f} ms")
        with store:
            for line in asyncio.run(sequence(store, folder, options.turns)):
                print(line)
        start = time.perf_counter()
        with Store.open(where, folder=folder, synchronous=options.synchronous, threads=8):
            print(f"open, again: {(time.perf_counter() - start) * 1e3:.0f} ms")
    if options.url:
        return
    with tempfile.TemporaryDirectory() as name, Store.open(name, synchronous=options.synchronous) as store:
        print(asyncio.run(together(store, options.sessions, 20)))


if __name__ == "__main__":
    sys.exit(main())
