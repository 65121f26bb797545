"""Works turns out: hands the engine its world, asks the model what the engine needs, and commits what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from heartrule.engine.io import Input, Turn, World
from heartrule.engine.tasks import Answer, Attempt, Task
from heartrule.engine.turn import UnderWay
from heartrule.language.script import Script
from heartrule.llm.model import Model
from heartrule.llm.prompt import Prompt, render
from heartrule.prompts.spoken import spoken_table
from heartrule.prompts.template import TemplateError
from heartrule.sessions.clock import Clock
from heartrule.sessions.conversations import Conversation
from heartrule.sessions.grounds import grounds_of
from heartrule.sessions.remembered import GLOBAL, Remembered, Standing
from heartrule.sessions.rows import (
    answer_of,
    attempt_rows,
    batch_of,
    call_row,
    committed,
    event_rows,
    input_of,
    message_rows,
    rested,
    status_after,
    variable_rows,
    variables_of,
)
from heartrule.sessions.scripts import Scripts
from heartrule.sessions.views import Outcome, outcome_data, outcome_of
from heartrule.sessions.watching import Watchers
from heartrule.store.records import Commit, InboxEntry, Loaded, Mark, MessageRecord, VariableRecord
from heartrule.store.store import Store


class Joined(Exception):
    """More words of the same answer have arrived: the turn is to be worked out again, with them."""


@dataclass(frozen=True, slots=True)
class Done:
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
        self._kept: set[str] = set()
        self.remembered = Remembered()
        self._spoken: dict[tuple[str, str], Mapping[str, tuple[str, ...]]] = {}

    async def turn(
        self,
        script: Script,
        loaded: Loaded,
        conversation: Conversation,
        inherited: Sequence[MessageRecord] = (),
    ) -> Done:
        """Work out and commit the next turn of a session that is held.

        Raises ``Joined`` when words of the same answer arrived, ``Outdated`` when the session moved on meanwhile.
        ``inherited`` are messages of an older session that this one, in its first turn, takes over.
        """
        self.watchers.begun(loaded.session.id, loaded.session.seq + 1)
        batch = batch_of(loaded.pending)
        given = input_of(batch, loaded.session)
        standing = conversation.standing if loaded.unchanged else None
        if standing is None:
            standing = Standing.of(loaded, inherited)
            if inherited:
                standing.state.messages = inherited[-1].number
        shared = [record for record in loaded.variables if record.scope == GLOBAL]
        world = World(
            script=script,
            state=rested(standing.state, loaded.session, given.kind, batch[-1].received_at),
            variables=variables_of([*standing.own.values(), *shared]),
            history=standing.history,
            now=batch[-1].received_at,
            model=self.model.configured,
            spoken=self._sentences(script),
        )
        turn = await self._work_out(world, given, loaded, conversation)
        commit = self._changes(script, loaded, batch, given, turn, inherited)
        commit = replace(commit, grounds=await self._grounds(script, loaded, commit, shared, standing.shared))
        waiting = await self.store.commit(commit)
        mark = Mark(commit.epoch, commit.seq)
        self.remembered.keep(commit.session, mark, standing.after(turn, commit.variables, shared), self.clock.now())
        outcome = outcome_of(committed(commit))
        self.watchers.committed(commit.session, commit.seq, outcome)
        return Done(tuple(commit.consumed), outcome, waiting)

    async def _grounds(
        self,
        script: Script,
        loaded: Loaded,
        commit: Commit,
        shared: Sequence[VariableRecord],
        expected: Sequence[VariableRecord] | None,
    ) -> dict[str, Any]:
        """What the turn rested on. The safety project is kept as it is now: it is live, and may be another tomorrow."""
        safety, sources = self._scripts.safety_of(script)
        if safety not in self._kept:
            await self.store.save_bundle(safety, sources)
            self._kept.add(safety)
        model = self.model.configured
        found = grounds_of(loaded.session, commit, model=model, safety=safety, shared=shared, expected=expected)
        return found.data()

    def _sentences(self, script: Script) -> Mapping[str, tuple[str, ...]]:
        key = (script.bundle, script.locale)
        if key not in self._spoken:
            if len(self._spoken) > 64:
                self._spoken.clear()
            self._spoken[key] = spoken_table(script)
        return self._spoken[key]

    async def _work_out(self, world: World, given: Input, loaded: Loaded, conversation: Conversation) -> Turn:
        bought = {(call.key, call.prompt_hash): call for call in loaded.calls if call.status == "answered"}
        answers: dict[str, Answer] = {}
        deadline = self.model.deadline() if self.model.configured else None
        under_way = UnderWay(world, given)
        while True:
            result = under_way.go_on(answers)
            if isinstance(result, Turn):
                return result
            asked: list[Task] = []
            prompts = _prompts(result.tasks, world.script)
            for task in result.tasks:
                prompt = prompts.get(task.key)
                known = bought.get((task.key, prompt.hash)) if prompt else None
                if known is not None:
                    answers[task.key] = answer_of(known)
                else:
                    asked.append(task)
            if asked:
                answers |= await self._ask(world, given, loaded, asked, prompts, deadline, conversation)

    async def _ask(
        self,
        world: World,
        given: Input,
        loaded: Loaded,
        asked: Sequence[Task],
        prompts: Mapping[str, Prompt],
        deadline: float | None,
        conversation: Conversation,
    ) -> Mapping[str, Answer]:
        """Ask the model, side by side; words of the same answer that arrive meanwhile break it off. What was tried
        until then is written down with the answers to what is asked instead."""
        turn = loaded.session.seq + 1
        broken_off: dict[str, tuple[Attempt, ...]] = {}
        call = asyncio.ensure_future(self.model.answer(asked, deadline, world.script, prompts, broken_off))
        seen = loaded.pending[-1].number
        try:
            while not call.done():
                arrival = asyncio.ensure_future(conversation.arrived.wait())
                try:
                    await asyncio.wait((call, arrival), return_when=asyncio.FIRST_COMPLETED)
                finally:
                    arrival.cancel()
                if conversation.arrived.is_set() and conversation.joins(seen, given.after):
                    raise Joined
        finally:
            if not call.done():
                call.cancel()
                await asyncio.gather(call, return_exceptions=True)
                at = self.clock.now()
                for task in asked:
                    conversation.broken_off += attempt_rows(turn, task, broken_off.get(task.key, ()), at)
        answers = call.result()
        at = self.clock.now()
        rows, attempts = [], list(conversation.broken_off)
        for task in asked:
            prompt = prompts.get(task.key)
            rows.append(call_row(turn, task.template, answers[task.key], prompt.hash if prompt else "", at))
            attempts += attempt_rows(turn, task, answers[task.key].attempts, at)
        await self.store.save_calls(loaded.session.id, self.owner, loaded.epoch, rows, attempts)
        conversation.broken_off.clear()
        return answers

    def _changes(
        self,
        script: Script,
        loaded: Loaded,
        batch: Sequence[InboxEntry],
        given: Input,
        turn: Turn,
        inherited: Sequence[MessageRecord],
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
            joins=given.after if given.kind == "message" else None,
            consumed=[item.number for item in batch],
            state=turn.state.model_dump(mode="json"),
            status=status,
            position=outcome["position"],
            outcome=outcome,
            messages=messages,
            events=event_rows(turn),
            variables=variable_rows(turn),
            removed_scopes=sorted(turn.variables.removed),
            wake_at=None if status == "paused" else turn.wake_at,
            at=batch[-1].received_at,
            ended=turn.state.ended,
            release=True,
        )


def _prompts(tasks: Sequence[Task], script: Script) -> dict[str, Prompt]:
    """Each task's prompt; a task whose template is broken has none, and the model layer says so."""
    found = {}
    for task in tasks:
        try:
            found[task.key] = render(task, script)
        except TemplateError:
            continue
    return found
