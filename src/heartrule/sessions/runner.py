"""Works turns out: hands the engine its world, asks the model what the engine needs, and commits what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from heartrule.engine.session.batch_limits import BatchLimits
from heartrule.engine.session.io import Helper, Input, Turn, World
from heartrule.engine.session.tasks import Task
from heartrule.language.compiling.script import Script
from heartrule.llm.model import Model
from heartrule.prompts.fixed_sentences import spoken_table
from heartrule.sessions.clock import Clock
from heartrule.sessions.conversations import Conversation
from heartrule.sessions.duty import Duty
from heartrule.sessions.memory_retrieval import is_due, reminded
from heartrule.sessions.replay import Tape
from heartrule.sessions.replay_inputs import grounds_of
from heartrule.sessions.rows import (
    QUIET,
    batch_of,
    committed,
    escalation_rows,
    event_rows,
    human_row,
    input_of,
    memories_of,
    message_rows,
    remembers,
    removed_of,
    rested,
    status_after,
    variable_rows,
    variables_of,
    waiting_words,
)
from heartrule.sessions.scripts import Scripts
from heartrule.sessions.state_cache import GLOBAL, StateCache, TurnStart, in_order
from heartrule.sessions.subscribers import Watchers
from heartrule.sessions.turn_answers import TurnAnswers
from heartrule.sessions.undo import Present, UndoState, commit_recall, prepare_recall
from heartrule.sessions.undo import decode as decode_wish
from heartrule.sessions.views import Outcome, outcome_data, outcome_of
from heartrule.store.records import (
    Commit,
    InboxEntry,
    LoadedSession,
    Mark,
    MessageRecord,
    SessionRecord,
    VariableRecord,
)
from heartrule.store.snapshots import EVERY
from heartrule.store.store import Store
from heartrule.tracing.turns import traced_turn

WITHOUT_MODEL = "without_model"
"""Kept beside a session that is held without a model though there is one."""


@dataclass(frozen=True, slots=True)
class CommittedTurn:
    """A committed turn: the inbox numbers it consumed, what its senders get, and how many inputs still wait."""

    consumed: tuple[int, ...]
    outcome: Outcome
    waiting: int


class Runner:
    """One turn at a time. Holds nothing between turns but compiled sentences and what sessions stood at."""

    def __init__(
        self, store: Store, scripts: Scripts, model: Model, clock: Clock, owner: str, watchers: Watchers
    ) -> None:
        self.store, self.model, self.clock, self.owner, self.watchers = store, model, clock, owner, watchers
        self._scripts = scripts
        self.listeners: list[Callable[[Commit], None]] = []
        """Are told of every turn that stands. They must neither raise nor wait."""
        self.aside: Callable[[str, int, Script, Sequence[Task]], None] = lambda *_: None
        """Is given what a turn that stands leaves to be asked: the session, the turn. As the listeners."""
        self.reaches: frozenset[Helper] = frozenset()
        """Who can be told that a person needs help; ``contact``: whom the person has named."""
        self.duty = Duty(store, clock)
        self._kept: set[str] = set()
        self.state_cache = StateCache()
        self._spoken: dict[tuple[str, str], Mapping[str, tuple[str, ...]]] = {}

    async def turn(
        self,
        script: Script,
        loaded: LoadedSession,
        conversation: Conversation,
        inherited: Sequence[MessageRecord] = (),
    ) -> CommittedTurn:
        """Work out and commit the next turn of a session that is held.

        Raises ``Joined`` when words of the same answer arrived, ``Outdated`` when the session moved on meanwhile.
        ``inherited`` are messages of an older session that this one, in its first turn, takes over.
        """
        batch = batch_of(loaded.pending, loaded.session.latched, urgent=conversation.urgent)
        given = input_of(batch, loaded.session)
        session, number = loaded.session, loaded.session.seq + 1
        with traced_turn(session.id, number, given.kind, script, session.script, self.model.clock) as traced:
            done, rounds = await self._turn(script, loaded, conversation, inherited, batch, given)
            traced.outcome, traced.rounds = done.outcome.status, rounds
        return done

    async def _turn(
        self,
        script: Script,
        loaded: LoadedSession,
        conversation: Conversation,
        inherited: Sequence[MessageRecord],
        batch: Sequence[InboxEntry],
        given: Input,
    ) -> tuple[CommittedTurn, int]:
        if given.kind not in QUIET:  # nobody is to wonder what is being written
            self.watchers.begun(loaded.session.id, loaded.session.seq + 1)
        session_state = conversation.session_state if loaded.unchanged else None
        if session_state is None:
            session_state = TurnStart.of(loaded, inherited)
            if inherited:
                session_state.state.messages = inherited[-1].number
        shared = await self._shared(script, loaded, session_state, given)
        taken_back = await self._taken_back(loaded, batch[0], session_state, shared)
        present = Present(session_state.own, tuple(shared))
        if taken_back is not None:
            session_state, shared, given = taken_back.session_state, list(taken_back.shared), taken_back.given
        world = self._world(script, loaded.session, session_state, shared, given.kind, batch[-1].received_at)
        begun = self.model.clock.now()
        answering = TurnAnswers(self.store, self.model, self.clock, self.owner, self.watchers, conversation)
        turn = await answering.turn(world, given, loaded, waiting_words(loaded.pending, batch))
        joins = given.after if given.kind == "message" and not answering.latched else None
        commit = self._changes(script, loaded, batch, given, turn, inherited, joins)
        if taken_back is not None:
            commit = commit_recall(commit, taken_back, present, turn, loaded.session)
        expected = session_state.shared
        if taken_back is not None:  # it is worked out again only where no turn has gone with it
            expected = tuple(shared) if taken_back.recall.turns else None
        grounds = await self._grounds(script, loaded, commit, shared, expected, world.reaches)
        seconds = self.model.clock.now() - begun
        commit = replace(commit, grounds=grounds, rounds=answering.rounds, seconds=seconds)
        waiting = await self.store.commit(commit)
        conversation.urgent = False
        mark = Mark(commit.epoch, commit.seq)
        if taken_back is None:
            self.state_cache.keep(
                commit.session, mark, session_state.after(turn, commit.variables, shared), self.clock.now()
            )
        outcome = outcome_of(committed(commit))
        self.watchers.committed(commit.session, commit.seq, outcome)
        for listener in self.listeners:
            listener(commit)
        if turn.after:
            self.aside(commit.session, commit.seq, script, turn.after)
        return CommittedTurn(tuple(commit.consumed), outcome, waiting), answering.rounds

    async def _shared(
        self, script: Script, loaded: LoadedSession, session_state: TurnStart, given: Input
    ) -> list[VariableRecord]:
        """What other sessions of the person may have changed: the person's own variables and, where the script uses it,
        what is remembered."""
        shared = [record for record in loaded.variables if record.scope == GLOBAL]
        if not remembers(script, loaded.session):
            return shared
        session, now = loaded.session.id, self.clock.now()
        found = await reminded(self.store, self.model.embedder, script, session, session_state, given, now)
        return in_order([*shared, *found])

    async def _taken_back(
        self, loaded: LoadedSession, first: InboxEntry, session_state: TurnStart, shared: Sequence[VariableRecord]
    ) -> UndoState | None:
        """What the turn starts from where the person takes something back; None for any other turn, and where nothing
        is left to take back."""
        if first.entry.kind != "recall":
            return None
        tape = Tape(self.store, self._scripts, loaded.session)
        wish = decode_wish(first.entry.text)
        return await prepare_recall(self.store, tape, loaded.session, session_state, shared, wish, first.received_at)

    def world(self, script: Script, loaded: LoadedSession, now: datetime) -> World:
        """What a turn of a session that was loaded whole would start from now, for whoever only looks."""
        shared = [record for record in loaded.variables if record.scope == GLOBAL]
        return self._world(script, loaded.session, TurnStart.of(loaded), shared, "noticed", now)

    def _world(
        self,
        script: Script,
        session: SessionRecord,
        session_state: TurnStart,
        shared: Sequence[VariableRecord],
        kind: str,
        now: datetime,
    ) -> World:
        return World(
            script=script,
            grouping=BatchLimits.of(script),
            state=rested(session_state.state, session, kind, now),
            variables=variables_of([*session_state.own.values(), *shared]),
            memories=memories_of(shared),
            session=session.id,
            history=session_state.history,
            now=now,
            model=self.asks(session) or session.latched is not None,
            reaches=self._reaches(session),
            spoken=self._sentences(script),
            classifiers=self._scripts.classifiers,
        )

    async def _grounds(
        self,
        script: Script,
        loaded: LoadedSession,
        commit: Commit,
        shared: Sequence[VariableRecord],
        expected: Sequence[VariableRecord] | None,
        reaches: frozenset[Helper],
    ) -> dict[str, Any]:
        """What the turn rested on. The safety project is kept as it is now: it is live, and may be another tomorrow."""
        safety, sources = self._scripts.safety_of(script)
        if safety not in self._kept:
            await self.store.save_bundle(safety, sources)
            self._kept.add(safety)
        model = self.asks(loaded.session) or loaded.session.latched is not None
        if remembers(script, loaded.session) and loaded.session.seq % EVERY == 0:
            expected = None  # a snapshot holds none of what is remembered
        found = grounds_of(
            loaded.session,
            commit,
            model=model,
            reaches=reaches,
            classifiers=self._scripts.classifiers,
            safety=safety,
            shared=shared,
            expected=expected,
        )
        return found.data()

    def asks(self, session: SessionRecord) -> bool:
        """Whether a model is asked for it."""
        return self.model.configured and not session.metadata.get(WITHOUT_MODEL)

    def _reaches(self, session: SessionRecord) -> frozenset[Helper]:
        if session.trial is not None:
            return frozenset()
        desk: frozenset[Helper] = frozenset({"desk"}) if self.duty.is_for(session.project) else frozenset()
        return (self.reaches if session.contact else self.reaches - {"contact"}) | desk

    def _sentences(self, script: Script) -> Mapping[str, tuple[str, ...]]:
        key = (script.bundle, script.locale)
        if key not in self._spoken:
            if len(self._spoken) > 64:
                self._spoken.clear()
            self._spoken[key] = spoken_table(script)
        return self._spoken[key]

    def _changes(
        self,
        script: Script,
        loaded: LoadedSession,
        batch: Sequence[InboxEntry],
        given: Input,
        turn: Turn,
        inherited: Sequence[MessageRecord],
        joins: int | None,
    ) -> Commit:
        messages = [*(inherited if loaded.session.seq == 0 else ()), *message_rows(turn, batch)]
        status = status_after(loaded.session, given, turn)
        outcome = outcome_data(script, status, turn)
        return Commit(
            session=loaded.session.id,
            owner=self.owner,
            epoch=loaded.epoch,
            seq=turn.state.seq,
            seen=loaded.pending[-1].number,
            joins=joins,
            consumed=[item.number for item in batch],
            state=turn.state.model_dump(mode="json"),
            status=status,
            position=outcome["position"],
            outcome=outcome,
            messages=messages,
            events=event_rows(turn),
            variables=variable_rows(turn),
            escalations=escalation_rows(turn),
            removed_scopes=sorted(removed_of(turn)),
            removed=sorted((*where, name) for where, name in turn.memories.dropped),
            wake_at=None if status == "paused" else turn.wake_at,
            at=batch[-1].received_at,
            ended=turn.state.ended
            and given.kind not in ("counsel_form", "correct"),  # one that is over ended when it did
            human=human_row(turn),
            release=True,
            remember=remembers(script, loaded.session) and is_due(turn),
        )
