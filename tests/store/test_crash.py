"""A process that is killed at any moment: what was acknowledged is there, once, and the rest is not there at all."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest
from tests.store import child, worlds
from tests.store.worlds import later, say

from heartrule.store import Store

TURNS = 6

# One conversation, each step of which is told before and after. ``at`` is the step to die at.
CONVERSATION = """
folder, at = sys.argv[1], sys.argv[2]

def step(name):
    if name == at:
        die()

async def run():
    with Store.open(folder) as store:
        if await store.session("s1") is None:
            await worlds.session(store)
        for seq in range(1, int(sys.argv[3]) + 1):
            text = f"第{seq}句"
            accepted = await store.accept("s1", say(f"key-{seq}", text), later(seq))
            step(f"{seq} accepted")
            if accepted.turn is not None:
                continue
            loaded = await store.claim_and_load("s1", "one", later(seq + 1000 * (at == "")), later(seq + 30), 20)
            step(f"{seq} claimed")
            if not any(one.key == "reply" for one in loaded.calls):
                await store.save_calls("s1", "one", loaded.epoch, [call(seq, data={"reply": text})])
            step(f"{seq} answered")
            spoken = [
                message(seq * 2 - 1, seq, text, sender="person", action=None, inbox=accepted.number),
                message(seq * 2, seq, "嗯"),
            ]
            made = worlds.turn("s1", seq, loaded.epoch, seen=accepted.number, consumed=[accepted.number],
                messages=spoken, events=[event(seq, 1, heard=text)], variables=[variable("said", text)],
                outcome={"said": text}, release=True)
            await store.commit(made)
            step(f"{seq} committed")

asyncio.run(run())
"""
MOMENTS = ("accepted", "claimed", "answered", "committed")


def dump(folder: Path) -> dict[str, Any]:
    with Store.open(folder) as store:
        return asyncio.run(store.dump("s1"))


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("whole")
    child.run(CONVERSATION, str(folder), "", str(TURNS))
    return dump(folder)


@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_between_steps_a_conversation_ends_as_if_nothing_had_been(
    tmp_path: Path, moment: str, unbroken: dict[str, Any]
) -> None:
    for seq in (1, 3):
        child.run(CONVERSATION, str(tmp_path), f"{seq} {moment}", str(TURNS), dies=True)
    child.run(CONVERSATION, str(tmp_path), "", str(TURNS))
    assert dump(tmp_path) == unbroken


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_was_acknowledged_is_there_after_the_kill(tmp_path: Path, moment: str) -> None:
    child.run(CONVERSATION, str(tmp_path), f"2 {moment}", str(TURNS), dies=True)

    async def run() -> None:
        with Store.open(tmp_path) as store:
            found = await store.session("s1")
            assert found is not None
            done = moment == "committed"
            assert found.seq == (2 if done else 1)
            assert [one.turn for one in await store.inbox("s1")] == [1, 2 if done else None]
            assert len(await store.calls("s1")) == (2 if moment in {"answered", "committed"} else 1)
            assert len(await store.messages("s1")) == found.seq * 2
            assert await store.unanswered(later(10**4), 5) == (() if done else ("s1",))

    asyncio.run(run())


# Writes as fast as it can, several at once, and says what was acknowledged.
BUSY = """
folder, name = sys.argv[1:]

async def one(store, number):
    await store.accept("s1", say(f"{name} {number}", f"text {number}"), later(number))
    print(number, flush=True)

async def run():
    with Store.open(folder, synchronous="OFF") as store:
        for number in range(0, 100000, 8):
            await asyncio.gather(*(one(store, number + n) for n in range(8)))

asyncio.run(run())
"""


def test_killed_while_writing_nothing_acknowledged_is_lost_or_doubled(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        asyncio.run(worlds.session(store))
    acknowledged: list[tuple[str, int]] = []
    for round_, seconds in enumerate((0.05, 0.15, 0.3)):
        process = child.start(BUSY, str(tmp_path), f"round {round_}")
        assert process.stdout is not None
        acknowledged.append((f"round {round_}", int(process.stdout.readline())))
        time.sleep(seconds)
        process.kill()
        out = process.stdout.read()
        process.communicate(timeout=30)
        # The last line may have been cut short by the kill.
        acknowledged += [(f"round {round_}", int(line)) for line in out.split("\n")[:-1]]
    assert len(acknowledged) > 30
    with Store.open(tmp_path) as store:
        entries = asyncio.run(store.inbox("s1"))
        keys = [one.entry.key for one in entries]
        assert len(set(keys)) == len(keys)
        assert {f"{name} {number}" for name, number in acknowledged} <= set(keys)
        assert [one.number for one in entries] == list(range(1, len(entries) + 1))
        integrity = store._db.engines.reader.connect().exec_driver_sql("PRAGMA integrity_check").scalar()
        assert integrity == "ok"


INSIDE = """
folder, where = sys.argv[1:]
from heartrule.store import history, variables, inbox, turns, snapshots

store = Store.open(folder)
module, name = {"messages": (history, "add_messages"), "events": (history, "add_events"),
    "variables": (variables, "write"), "inbox": (inbox, "consume"), "turn": (turns, "_add"),
    "session": (turns, "_move_on")}[where]
real = getattr(module, name)

def dying(*arguments):
    real(*arguments)
    die()

setattr(module, name, dying)
asyncio.run(worlds.talk(store, "s1", 2, "半句"))
"""


@pytest.mark.parametrize("where", ["inbox", "messages", "variables", "events", "turn", "session"])
def test_killed_inside_a_commit_nothing_of_the_turn_remains(tmp_path: Path, where: str) -> None:
    async def begin() -> dict[str, Any]:
        with Store.open(tmp_path) as store:
            await worlds.session(store)
            await worlds.talk(store, "s1", 1, "一句")
            return await store.dump("s1")

    before = asyncio.run(begin())
    child.run(INSIDE, str(tmp_path), where, dies=True)
    after = dump(tmp_path)
    assert after["inbox"].pop()["text"] == "半句"  # accepted is accepted
    assert len(after["calls"]) == 2
    after["calls"].pop()
    assert after == before

    async def go_on() -> None:
        with Store.open(tmp_path) as store:
            await worlds.talk(store, "s1", 2, "半句")
            assert worlds.texts(await store.messages("s1"))[2:] == ["半句", "你说：半句"]

    asyncio.run(go_on())


TWO = """
where, folder, name = sys.argv[1:]
print("ready", flush=True)
sys.stdin.readline()
with Store.open(where, folder=folder) as store:
    person = asyncio.run(store.new_person("same subject"))
    asyncio.run(worlds.session(store, name, person))
    asyncio.run(worlds.talk(store, name, 1, "你好"))
print(person, flush=True)
"""


def together(where: str, folder: Path, count: int) -> list[str]:
    processes = [child.start(TWO, where, str(folder), f"s{n}") for n in range(count)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    persons = []
    for process in processes:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        persons.append(out.strip())
    return persons


def test_processes_that_start_at_once_make_one_store(where: str, tmp_path: Path) -> None:
    persons = together(where, tmp_path, 4)
    assert len(set(persons)) == 1
    with Store.open(where, folder=tmp_path) as store:
        assert len(asyncio.run(store.sessions_of(persons[0]))) == 4
        for number in range(4):
            assert worlds.texts(asyncio.run(store.messages(f"s{number}")))[0] == "你好"


def test_two_processes_write_to_one_session_in_turn(tmp_path: Path) -> None:
    one, other = Store.open(tmp_path), Store.open(tmp_path)

    async def run() -> None:
        await worlds.session(one)
        for seq in range(1, 7):
            await worlds.talk((one, other)[seq % 2], "s1", seq, f"第{seq}句")
        assert len(await other.messages("s1")) == 12
        await asyncio.gather(*((one, other)[n % 2].accept("s1", say(f"k{n}"), later(n)) for n in range(40)))
        assert len((await one.load("s1", 1)).pending) == 40

    with one, other:
        asyncio.run(run())


def test_the_dump_says_what_was_said_and_not_when(tmp_path: Path) -> None:
    child.run(CONVERSATION, str(tmp_path), "", "2")
    made = dump(tmp_path)
    text = json.dumps(made, ensure_ascii=False)
    assert "第2句" in text
    assert "2025-03-01" not in text
    assert made["state"] == {"format": 1, "phase": None, "seq": 2}
    assert [one["said"] for one in (turn["outcome"] for turn in made["turns"])] == ["第1句", "第2句"]


def test_dumps_of_the_same_conversation_under_other_names_are_equal(tmp_path: Path) -> None:
    async def run() -> None:
        with Store.open(tmp_path) as store:
            for name in ("first", "another"):
                person = await store.new_person()
                await worlds.session(store, name, person)
                made = {"session": name, "person": person, "link": f"see {name}.1", "at": str(time.time())}
                for seq in (1, 2):
                    await worlds.talk(store, name, seq, "你好", outcome=made)
            one, other = await store.dump("first"), await store.dump("another")
            assert one == other
            assert one["turns"][0]["outcome"]["link"] == "see <session>.1"

    asyncio.run(run())
