"""Sessions, inputs and turns for the store's tests to work with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from heartrule.language.compiling.script import Source
from heartrule.memory.item import Item
from heartrule.store import Store
from heartrule.store.records import (
    AttemptRecord,
    CallRecord,
    Commit,
    Entry,
    EventRecord,
    LoadedSession,
    MessageRecord,
    NewSession,
    VariableRecord,
)

NOW = datetime(2025, 3, 1, 9, 30, 15, 123456, tzinfo=UTC)
LEASE = timedelta(seconds=30)
UNTIL = NOW + LEASE
WORDS = "和妈妈又吵了一架，睡不着"
SOURCES = (
    Source("demo", "main.yaml", "a" * 64, "session: 初谈\nid: demo\n"),
    Source("demo", "roles/counsellor.yaml", "b" * 64, "role: counsellor\n"),
)
STATE = {"format": 1, "seq": 0, "phase": None, "started_at": NOW.isoformat()}


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


async def session(store: Store, name: str = "s1", person: str | None = None, **more: Any) -> str:
    """A new session; of a new person unless one is given."""
    if person is None:
        person = await store.new_person()
    await store.save_bundle("bundle-1", SOURCES)
    new = NewSession(name, person, "demo", "demo/main", "bundle-1", "zh", STATE, NOW, {"channel": "web"})
    await store.create_session(replace(new, **more))
    return name


def say(key: str, text: str = "我今天很难受", after: int | None = None) -> Entry:
    return Entry(key, "message", text, after=after)


def message(number: int, turn: int, text: str, **more: Any) -> MessageRecord:
    made = MessageRecord(number, turn, "ai", text, "text", "a1", NOW)
    return replace(made, **more)


def variable(name: str, value: Any, **more: Any) -> VariableRecord:
    made = VariableRecord("session", "", name, value, "string", NOW, "a1", "json", "原话")
    return replace(made, **more)


def remembered(
    name: str, content: str = WORDS, *, session: str = "s1", kind: str = "long", **more: Any
) -> VariableRecord:
    """An item of memory, as it stands among the variables."""
    value = {"content": content, "session": session, "names": [], "taken": []}
    cell = more.pop("scope_key", kind)
    return variable(name, value, scope="memory", scope_key=cell, type=kind, strategy="memory", **more)


def recollection(session: str, content: str = WORDS, **more: Any) -> Item:
    """Something that is remembered beside the turns."""
    number = more.pop("number", 1)
    made = Item(f"{session}~{number}", "event", "mid", content, 0.5, session, "t1", "近况", number, NOW)
    return replace(made, **more)


def event(turn: int, number: int, kind: str = "round", **data: Any) -> EventRecord:
    return EventRecord(turn, number, kind, "a1", data)


def call(turn: int, key: str = "reply", prompt: str = "p" * 64, **more: Any) -> CallRecord:
    made = CallRecord(turn, key, "ai_ask", prompt, "answered", {"reply": "嗯"}, [{"number": 1, "raw": "{}"}], NOW)
    return replace(made, **more)


def attempt(turn: int, key: str = "reply", **more: Any) -> AttemptRecord:
    made = AttemptRecord(turn, key, "ai_ask", "understand", NOW, "host/m", "m", 0, False, "ok", "")
    return replace(made, **more)


def turn(session: str, seq: int, epoch: int, **more: Any) -> Commit:
    """A turn in which nothing happened but what ``more`` says."""
    made = Commit(
        session=session,
        owner="one",
        epoch=epoch,
        seq=seq,
        seen=0,
        joins=None,
        consumed=[],
        state={**STATE, "seq": seq},
        status="active",
        position={"phase": "p1", "topic": "t1", "action": "a1"},
        outcome={"status": "waiting_input"},
        messages=[],
        events=[],
        variables=[],
        removed_scopes=[],
        wake_at=None,
        at=later(seq),
    )
    return replace(made, **more)


async def start(store: Store, session: str, entry: Entry, seconds: float = 0, owner: str = "one") -> LoadedSession:
    """The session with this input accepted, held by ``owner``."""
    now = later(seconds)
    _, loaded = await store.accept_and_load(session, entry, now, owner, now + LEASE, 20)
    assert loaded is not None
    return loaded


async def talk(store: Store, session: str, seq: int, text: str, **more: Any) -> Commit:
    """One whole ordinary turn: words in, words out, a variable, an event, a call."""
    loaded = await start(store, session, say(f"key-{seq}", text), seq)
    first = seq * 2 - 1
    entry = loaded.pending[-1]
    await store.save_calls(session, "one", loaded.epoch, [call(seq, data={"heard": text})], [attempt(seq)])
    made = turn(
        session,
        seq,
        loaded.epoch,
        seen=entry.number,
        consumed=[entry.number],
        messages=[
            message(first, seq, text, sender="person", action=None, inbox=entry.number),
            message(first + 1, seq, f"你说：{text}"),
        ],
        events=[event(seq, 1, "variable", name="said", value=text), event(seq, 2, "round", heard=text)],
        variables=[variable("said", text, evidence=text)],
        outcome={"status": "waiting_input", "said": text},
        release=True,
    )
    await store.commit(replace(made, **more))
    return made


def texts(messages: Sequence[MessageRecord]) -> list[str]:
    return [one.text for one in messages]
