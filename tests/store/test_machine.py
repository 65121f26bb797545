"""Any order of calls, against a model of what the store promises, on both databases."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Coroutine
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.store import worlds
from tests.store.postgres import Server, programs
from tests.store.worlds import call, event, later, message, variable

from heartrule.store import Store
from heartrule.store.records import Accepted, Entry, KeyReused, Outdated

R = TypeVar("R")
OWNERS = st.sampled_from(["one", "two"])
KEYS = st.sampled_from([f"k{n}" for n in range(12)])
TEXTS = st.text(st.characters(exclude_categories=()), max_size=8)
LEASED = 30.0


@dataclass
class Input:
    entry: Entry
    turn: int | None = None


@dataclass
class Model:
    """One session, as the contract has it."""

    inputs: list[Input] = field(default_factory=list)
    seq: int = 0
    owner: str | None = None
    epoch: int = 0
    until: float = 0.0
    messages: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)
    calls: dict[tuple[int, str], str] = field(default_factory=dict)
    turns: list[str] = field(default_factory=list)

    def number_of(self, key: str) -> int | None:
        return next((n for n, one in enumerate(self.inputs, 1) if one.entry.key == key), None)

    def waiting(self) -> list[int]:
        return [number for number, one in enumerate(self.inputs, 1) if one.turn is None]

    def take(self, owner: str, now: float) -> int | None:
        running = self.owner is not None and self.until > now
        if running and self.owner != owner:
            return None
        if not running:
            self.epoch += 1
        self.owner, self.until = owner, now + LEASED
        return self.epoch

    def holds(self, owner: str, epoch: int) -> bool:
        return self.owner == owner and self.epoch == epoch


class Machine(RuleBasedStateMachine):
    """``seen_epoch`` is what each owner believes; owners do not notice that they were overtaken."""

    server: Server | None = None

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.where = self.folder.name if self.server is None else self.server.new_database()
        self.store = self._open()
        self.loop = asyncio.new_event_loop()
        self.model = Model()
        self.now = 0.0
        self.seen_epoch = {"one": 0, "two": 0}

    def _open(self) -> Store:
        return Store.open(self.where, folder=self.folder.name, synchronous="OFF")

    def run(self, work: Coroutine[Any, Any, R]) -> R:
        return self.loop.run_until_complete(work)

    @property
    def time(self) -> datetime:
        return later(self.now)

    @property
    def end(self) -> datetime:
        return later(self.now + LEASED)

    @initialize()
    def begin(self) -> None:
        self.run(worlds.session(self.store))

    def teardown(self) -> None:
        self.store.close()
        self.loop.close()
        self.folder.cleanup()

    # What the outside may do

    @rule(seconds=st.sampled_from([1.0, 10.0, 31.0]))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = self._open()

    def _expected(self, entry: Entry) -> Accepted | None:
        """None: refused."""
        number = self.model.number_of(entry.key)
        if number is None:
            self.model.inputs.append(Input(entry))
            return Accepted(len(self.model.inputs), False, None)
        known = self.model.inputs[number - 1]
        return Accepted(number, True, known.turn) if known.entry == entry else None

    @rule(key=KEYS, text=TEXTS, after=st.sampled_from([0, None]))
    def accept(self, key: str, text: str, after: int | None) -> None:
        entry = Entry(key, "message", text, after=after)
        expected = self._expected(entry)
        if expected is None:
            with pytest.raises(KeyReused):
                self.run(self.store.accept("s1", entry, self.time))
        else:
            assert self.run(self.store.accept("s1", entry, self.time)) == expected

    @precondition(lambda self: self.model.inputs)
    @rule(data=st.data())
    def send_again(self, data: st.DataObject) -> None:
        known = data.draw(st.sampled_from(self.model.inputs))
        accepted = self.run(self.store.accept("s1", known.entry, self.time))
        assert accepted.repeated
        assert accepted.turn == known.turn

    @rule(owner=OWNERS, key=KEYS, text=TEXTS)
    def accept_and_load(self, owner: str, key: str, text: str) -> None:
        entry = Entry(key, "message", text)
        expected = self._expected(entry)
        work = self.store.accept_and_load("s1", entry, self.time, owner, self.end, 5)
        if expected is None:
            with pytest.raises(KeyReused):
                self.run(work)
            return
        accepted, loaded = self.run(work)
        assert accepted == expected
        epoch = None if expected.turn is not None else self.model.take(owner, self.now)
        assert (loaded is None) == (epoch is None)
        if loaded is not None and epoch is not None:
            self.seen_epoch[owner] = epoch
            assert loaded.epoch == epoch
            assert [one.number for one in loaded.pending] == self.model.waiting()
            assert worlds.texts(loaded.messages) == self.model.messages[-5:]

    @rule(owner=OWNERS)
    def claim(self, owner: str) -> None:
        expected = self.model.take(owner, self.now)
        assert self.run(self.store.claim("s1", owner, self.time, self.end)) == expected
        if expected is not None:
            self.seen_epoch[owner] = expected

    @rule(owner=OWNERS)
    def release(self, owner: str) -> None:
        holds = self.model.holds(owner, self.seen_epoch[owner])
        assert self.run(self.store.release("s1", owner, self.seen_epoch[owner])) == holds
        if holds:
            self.model.owner = None

    @rule(owner=OWNERS, key=st.sampled_from(["reply", "judge"]), text=TEXTS)
    def save_call(self, owner: str, key: str, text: str) -> None:
        seq, epoch = self.model.seq + 1, self.seen_epoch[owner]
        work = self.store.save_calls("s1", owner, epoch, [call(seq, key, data={"reply": text})])
        if not self.model.holds(owner, epoch):
            with pytest.raises(Outdated):
                self.run(work)
            return
        self.run(work)
        self.model.calls.setdefault((seq, key), text)

    @rule(owner=OWNERS, text=TEXTS, skip=st.integers(0, 1), joins=st.sampled_from([None, 0]), late=st.booleans())
    def commit(self, owner: str, text: str, skip: int, joins: int | None, late: bool) -> None:
        """Consume the first inputs that wait; ``skip`` gets the number of the turn wrong, ``late`` sees one input
        less."""
        model = self.model
        seq, epoch, waiting = model.seq + 1 + skip, self.seen_epoch[owner], model.waiting()
        consumed = waiting[:-1] if late else waiting
        seen = max(consumed, default=0)
        made = worlds.turn(
            "s1",
            seq,
            epoch,
            owner=owner,
            seen=seen,
            joins=joins,
            consumed=consumed,
            messages=[message(len(model.messages) + 1, seq, text)],
            events=[event(seq, 1, said=text)],
            variables=[variable("said", text)],
            outcome={"said": text},
            at=self.time,
        )
        joined = joins is not None and any(
            number > seen and model.inputs[number - 1].entry.after == joins for number in waiting
        )
        if skip or joined or not model.holds(owner, epoch):
            with pytest.raises(Outdated):
                self.run(self.store.commit(made))
            return
        assert self.run(self.store.commit(made)) == len(waiting) - len(consumed)
        model.seq = seq
        model.messages.append(text)
        model.turns.append(text)
        model.variables["said"] = text
        for number in consumed:
            model.inputs[number - 1].turn = seq

    @precondition(lambda self: self.model.seq > 0)
    @rule(owner=OWNERS)
    def commit_the_past(self, owner: str) -> None:
        past = worlds.turn("s1", self.model.seq, self.seen_epoch[owner], owner=owner)
        with pytest.raises(Outdated):
            self.run(self.store.commit(replace(past, messages=[message(99, 1, "doubled")])))

    # What must hold at all times

    @invariant()
    def everything_is_there_once(self) -> None:
        model = self.model
        loaded = self.run(self.store.load("s1", 1000))
        assert loaded.session.seq == model.seq
        assert loaded.epoch == model.epoch
        assert worlds.texts(loaded.messages) == model.messages
        assert {one.name: one.value for one in loaded.variables} == model.variables
        assert [one.number for one in loaded.pending] == model.waiting()
        assert {one.key: one.data for one in loaded.calls} == {
            key: {"reply": text} for (turn, key), text in model.calls.items() if turn == model.seq + 1
        }
        entries = self.run(self.store.inbox("s1"))
        assert [(one.entry, one.turn) for one in entries] == [(one.entry, one.turn) for one in model.inputs]

    @invariant()
    def history_is_only_appended(self) -> None:
        events = self.run(self.store.events("s1"))
        assert [one.data["said"] for one in events] == self.model.turns
        if self.model.seq:
            last = self.run(self.store.turn("s1", self.model.seq))
            assert last is not None
            assert last.outcome == {"said": self.model.turns[-1]}


QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def test_any_order_of_calls_on_sqlite() -> None:
    options = settings(max_examples=25, stateful_step_count=30, deadline=None, suppress_health_check=QUIET)
    run_state_machine_as_test(Machine, settings=options)


def test_any_order_of_calls_on_postgresql(server: Server) -> None:
    assert programs() is not None

    class OnPostgres(Machine):
        pass

    OnPostgres.server = server
    options = settings(max_examples=6, stateful_step_count=25, deadline=None, suppress_health_check=QUIET)
    run_state_machine_as_test(OnPostgres, settings=options)
