"""Random histories of the topic scheduler: scripts of many shapes, orders from awareness scripts, answers, time that
passes, danger, crashes and restores. One topic runs at most; none is lost; none runs twice without ``repeat``, a
transition, or having been broken off; what was put aside finishes or is skipped with a cause.

``HEARTRULE_HISTORIES=5000`` runs that many (``make histories``); without it there are fewer.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from tests.engine.minds import INTENT, fork, sensible
from tests.engine.schedules import ORDERS, WATCHED, Ledger, shape
from tests.engine.scripts import check, roundtrip

from heartrule.engine.session.state import State
from heartrule.testing.talk import Talk

HISTORIES = int(os.environ.get("HEARTRULE_HISTORIES", "120"))
SHAPES = max(40, min(400, HISTORIES // 5))
"""Scripts that they are drawn from."""
MOVES = 12
WORDS = ("还行", "说不清", "没有", "换了部门以后", "跳过", "什么意思", "我想跟真人说")
TURNS = 150
"""A session comes to its end within so many answers more."""
HISTORY: dict[str, int] = {}
"""What the histories held, for the record."""


class Histories(RuleBasedStateMachine):
    talk: Talk
    ledger: Ledger
    crashes: bool = False

    @initialize(seed=st.integers(0, SHAPES - 1), model=st.sampled_from([None, None, sensible]))
    def begin(self, seed: int, model: Any) -> None:
        self.talk = Talk(shape(seed), model)
        self.ledger = Ledger(self.talk)
        self._check()

    def _check(self) -> None:
        """After each turn: what was written down agrees with the state, which survives being put down and taken up."""
        for event in self.talk.turn.events:
            HISTORY[event.kind] = HISTORY.get(event.kind, 0) + 1
        HISTORY["turns"] = HISTORY.get("turns", 0) + 1
        self.ledger.follow()
        check(self.talk)
        state = self.talk.state.model_dump_json()
        roundtrip(self.talk)
        assert self.talk.state.model_dump_json() == state

    def _say(self, words: str) -> None:
        if self.crashes:
            self.crashes = False
            lost = fork(self.talk)
            lost._used = dict(self.talk._used)
            lost.state = State.model_validate_json(self.talk.state.model_dump_json())
            lost.say(words)
            self.talk.say(words)
            assert lost.turn.state == self.talk.turn.state, "a turn that was lost is worked out the same again"
            assert lost.turn.events == self.talk.turn.events
            assert lost.turn.messages == self.talk.turn.messages
        else:
            self.talk.say(words)
        self._check()

    @precondition(lambda self: not self.talk.ended)
    @rule(words=st.sampled_from(WORDS))
    def answer(self, words: str) -> None:
        choices = self.talk.request.choices
        if choices and words != "说不清":
            self.talk.choose(choices[0].value)
            self._check()
        else:
            self._say(words)

    @precondition(lambda self: not self.talk.ended)
    @rule(word=st.sampled_from(ORDERS), also=st.sampled_from(["", "", "，还行", *ORDERS]))
    def order(self, word: str, also: str) -> None:
        self._say(f"{word} {also}")

    @precondition(lambda self: not self.talk.ended)
    @rule()
    def danger(self) -> None:
        self._say(INTENT["zh"])

    @precondition(lambda self: not self.talk.ended)
    @rule(word=st.sampled_from(WATCHED), also=st.sampled_from(["", "，还行", *WATCHED]))
    def watched(self, word: str, also: str) -> None:
        self._say(f"{word} {also}")

    @precondition(lambda self: not self.talk.ended)
    @rule(minutes=st.sampled_from([0, 2]))
    def look_back(self, minutes: int) -> None:
        """Whoever sweeps asks what is due; what was found comes in as a turn of its own."""
        seq = self.talk.state.seq
        found = self.talk.look(minutes=minutes)
        HISTORY["looks"] = HISTORY.get("looks", 0) + bool(found)
        if self.talk.state.seq != seq:
            self._check()

    @rule(minutes=st.sampled_from([1, 3, 45]))
    def time(self, minutes: int) -> None:
        self.talk.wait(minutes=minutes)

    @rule()
    def crash(self) -> None:
        """The next turn is worked out, lost before its commit, and worked out again from what was stored."""
        self.crashes = True

    def teardown(self) -> None:
        if not hasattr(self, "talk"):
            return
        for _ in range(TURNS):
            if self.talk.ended:
                break
            choices = self.talk.request.choices
            self.talk.choose(choices[-1].value) if choices else self.talk.say("没有")
            self._check()
        assert self.talk.ended, "the session comes to its end"
        self.ledger.ended()


def test_histories() -> None:
    HISTORY.clear()
    run_state_machine_as_test(
        Histories,
        settings=settings(
            max_examples=HISTORIES,
            stateful_step_count=MOVES,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
            phases=[Phase.generate],
        ),
    )
    print(f"{HISTORIES} histories: {HISTORY}")  # noqa: T201
    assert HISTORY["directive"] > HISTORIES, "orders were given"
    assert HISTORY["queue"] > HISTORIES
    assert HISTORY["looks"] > HISTORIES // 10
