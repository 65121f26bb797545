"""Turns worked out again from what was written down of them: the same inputs at the same moments, the same answers, the
same variables to begin with. It comes to the same, byte for byte, or says where it does not.

Nothing is asked of a model, and nothing is written.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

from heartrule.classifiers import as_kept
from heartrule.engine.session.batch_limits import BatchLimits
from heartrule.engine.session.io import HISTORY, Input, Turn, World
from heartrule.engine.session.tasks import Answer, Task
from heartrule.engine.turn import UnderWay
from heartrule.language.compiling.script import Script
from heartrule.language.findings import Refused
from heartrule.llm.prompt import Prompt, render
from heartrule.prompts.fixed_sentences import spoken_table
from heartrule.prompts.template import TemplateError
from heartrule.sessions.replay_check import Differs, NotKept, TurnRecords, compare
from heartrule.sessions.replay_inputs import Grounds, program
from heartrule.sessions.rows import (
    answer_of,
    history_of,
    input_of,
    memories_of,
    rested,
    state_of,
    variable_rows,
    variables_of,
)
from heartrule.sessions.scripts import Scripts
from heartrule.sessions.state_cache import GLOBAL, TurnStart
from heartrule.sessions.views import REWOUND, CannotRestore, NoSuchSession
from heartrule.store.bundles import NoSuchBundle
from heartrule.store.recalls import RECALLED
from heartrule.store.records import EVERYTHING, CallRecord, SessionRecord
from heartrule.store.store import Store


@dataclass(frozen=True, slots=True)
class ReplayedCall:
    """A question to a model and the record that answered it. ``prompt`` is None where its template is broken.
    ``exact``: the prompt is the very one that was sent, not what the present templates make of it."""

    task: Task
    prompt: Prompt | None = field(repr=False)
    call: CallRecord = field(repr=False)
    exact: bool


@dataclass(frozen=True, slots=True)
class ReplayedTurn:
    """A turn worked out again, and found to be what was written down. ``seconds``: what working it out took, without
    reading the records."""

    turn: int
    world: World = field(repr=False)
    given: Input = field(repr=False)
    asked: tuple[ReplayedCall, ...]
    answers: Mapping[str, Answer] = field(repr=False)
    result: Turn = field(repr=False)
    kept: TurnRecords = field(repr=False)
    seconds: float


async def replay(
    store: Store, scripts: Scripts, session: str, first: int = 1, last: int | None = None
) -> AsyncIterator[ReplayedTurn]:
    """The turns ``first`` to ``last`` (all that stand, without it), one after the other. What lies between ``first``
    and the snapshot before it is worked out too, and not given. Of turns that were taken back nothing is left to work
    out: it goes on behind the turn that took them back.

    Raises ``Differs`` where a turn does not come to what was written down, ``NotKept`` where an older version did not
    write down enough, ``NoSuchSession``, and ``CannotRestore`` when the script cannot be read any more.
    """
    record = await store.session(session)
    if record is None:
        raise NoSuchSession(session)
    end = record.seq if last is None else min(last, record.seq)
    if first > end:
        return
    tape = Tape(store, scripts, record)
    number, session_state = await tape.begin(max(first, 1) - 1)
    while number < end:
        number += 1
        taken_back = await tape.taken_back(number)
        if taken_back is not None:
            number, session_state = await tape.behind(taken_back, end)
            continue
        done, session_state = await tape.turn(number, session_state)
        if number >= first:
            yield done


class Tape:
    """One session's records, read turn by turn."""

    def __init__(self, store: Store, scripts: Scripts, record: SessionRecord) -> None:
        self._store, self._scripts, self._record = store, scripts, record
        self._compiled: dict[tuple[str, str], Script] = {}
        self._spoken: dict[tuple[str, str], Mapping[str, tuple[str, ...]]] = {}
        self._bundle = ""

    async def begin(self, upto: int) -> tuple[int, TurnStart]:
        """The turn of the newest snapshot not after ``upto``, and where the session stood then."""
        session = self._record.id
        snapshot = await self._store.snapshot(session, upto)
        if snapshot is None:
            raise NotKept(1)
        if snapshot.turn == 0 and self._record.parent is not None:
            said = tuple(each for each in await self._store.messages(session, limit=EVERYTHING) if each.turn == 0)
        else:
            said = await self._store.last_messages(session, snapshot.message + 1, HISTORY)
        own = {(v.scope, v.scope_key, v.name): v for v in snapshot.variables if v.scope != GLOBAL}
        shared = tuple(v for v in snapshot.variables if v.scope == GLOBAL)
        state = state_of(snapshot.state)
        if snapshot.turn == 0 and said:
            state.messages = said[-1].number
        return snapshot.turn, TurnStart(state, own, history_of(said), shared)

    async def before(self, number: int) -> TurnStart:
        """Where the session stood when turn ``number`` began, the person's own variables included."""
        at, session_state = await self.begin(number - 1)
        while at < number - 1:
            at += 1
            by = await self.taken_back(at)
            if by is not None and by >= number and await self._rewound(by):
                continue  # as if it had never been
            _, session_state = await self.turn(at, session_state)
        kept = await self._kept(number)
        return replace(session_state, shared=tuple(kept.grounds.found(session_state.shared or ())))

    async def behind(self, number: int, end: int) -> tuple[int, TurnStart]:
        """Where the session stood behind turn ``number``, which took others back; where it was taken back itself,
        behind the one that did. Beyond ``end`` nothing is left."""
        while number < end and (by := await self.taken_back(number)) is not None and by > number:
            number = by
        at, session_state = await self.begin(min(number, end))
        return max(at, min(number, end)), session_state

    async def _rewound(self, number: int) -> bool:
        record = await self._store.turn(self._record.id, number)
        return record is None or bool(record.outcome.get(REWOUND))

    async def taken_back(self, number: int) -> int | None:
        """The turn by which this one was taken back."""
        record = await self._store.turn(self._record.id, number)
        found = record.outcome.get(RECALLED) if record is not None else None
        return found if isinstance(found, int) else None

    async def turn(self, number: int, session_state: TurnStart) -> tuple[ReplayedTurn, TurnStart]:
        kept = await self._kept(number)
        bundle = kept.grounds.bundle or self._record.bundle
        if self._bundle not in ("", bundle):  # it was moved to another text, and what it stood at then was kept
            _, session_state = await self.begin(number - 1)
        self._bundle = bundle
        script = await self._script(kept.grounds)
        given = input_of(kept.batch, self._record)
        shared = kept.grounds.found(session_state.shared or ())
        before = replace(self._record, status=kept.grounds.status, last_active_at=kept.grounds.active_at)
        world = World(
            script=script,
            grouping=BatchLimits.of(script),
            state=rested(session_state.state, before, given.kind, kept.record.at),
            variables=variables_of([*session_state.own.values(), *shared]),
            memories=memories_of(shared),
            session=self._record.id,
            history=session_state.history,
            now=kept.record.at,
            model=kept.grounds.model,
            reaches=frozenset(kept.grounds.reaches),
            spoken=self._sentences(script),
            classifiers=as_kept(kept.grounds.classifiers, self._scripts.classifiers),
        )
        begun = perf_counter()
        result, asked, answers = _worked_out(world, given, kept)
        seconds = perf_counter() - begun
        compare(script, before, given, result, kept)
        after = session_state.after(result, variable_rows(result), shared)
        return ReplayedTurn(number, world, given, asked, answers, result, kept, seconds), after

    async def _kept(self, number: int) -> TurnRecords:
        store, session = self._store, self._record.id
        record = await store.turn(session, number)
        batch = await store.consumed(session, number)
        if record is None or record.grounds is None or not batch:
            raise NotKept(number)
        try:
            grounds = Grounds.of(record.grounds)
        except (KeyError, TypeError, ValueError):
            raise NotKept(number) from None
        calls = await store.calls(session, number)
        return TurnRecords(record, batch, calls, await store.events(session, turn=number), grounds)

    def _sentences(self, script: Script) -> Mapping[str, tuple[str, ...]]:
        key = (script.bundle, script.locale)
        if key not in self._spoken:
            self._spoken[key] = spoken_table(script)
        return self._spoken[key]

    async def _script(self, grounds: Grounds) -> Script:
        """The script as it was then, beside the safety project as it was then."""
        bundle = grounds.bundle or self._record.bundle
        if (bundle, grounds.safety) not in self._compiled:
            record, scripts = self._record, self._scripts
            script = scripts.known(bundle, record.script)
            if script is None or scripts.safety_of(script)[0] != grounds.safety:
                try:
                    sources = await self._store.bundle(bundle)
                    script = scripts.as_of(record.script, sources, await self._store.bundle(grounds.safety))
                except (NoSuchBundle, Refused):
                    raise CannotRestore("the script that the session was started with cannot be read") from None
            self._compiled[(bundle, grounds.safety)] = script
        return self._compiled[(bundle, grounds.safety)]


def _worked_out(
    world: World, given: Input, kept: TurnRecords
) -> tuple[Turn, tuple[ReplayedCall, ...], Mapping[str, Answer]]:
    answers: dict[str, Answer] = {}
    asked: list[ReplayedCall] = []
    under_way = UnderWay(world, given)
    while True:
        needs = under_way.go_on(answers)
        if isinstance(needs, Turn):
            return needs, tuple(asked), answers
        for task in needs.tasks:
            found = _answered(task, world.script, kept)
            asked.append(found)
            answers[task.key] = answer_of(found.call)
        if not needs.tasks:
            raise Differs(
                kept.record.seq, "calls", "an answer that was never finished", kept.grounds.program, program()
            )


def asked_beside(replayed: ReplayedTurn, recorded: Sequence[CallRecord]) -> tuple[ReplayedCall, ...]:
    """What was asked about a turn once it stood, as far as there is a record of an answer."""
    script = replayed.world.script
    found: list[ReplayedCall] = []
    for task in replayed.result.after:
        prompt = _rendered(task, script)
        of_key = [call for call in recorded if call.key == task.key]
        call = next((each for each in of_key if prompt is not None and each.prompt_hash == prompt.hash), None)
        if of_key:
            found.append(ReplayedCall(task, prompt, call or of_key[-1], exact=call is not None))
    return tuple(found)


def _rendered(task: Task, script: Script) -> Prompt | None:
    try:
        return render(task, script)
    except TemplateError:
        return None


def _answered(task: Task, script: Script, kept: TurnRecords) -> ReplayedCall:
    """The record that answered ``task``: the one of this very prompt, else (its template has been reworded since) the
    last that was asked under its key."""
    prompt = _rendered(task, script)
    of_key = [call for call in kept.calls if call.key == task.key and call.status != "speaking"]
    wanted = prompt.hash if prompt else ""
    call = next((each for each in of_key if each.prompt_hash == wanted), None)
    if call is None and not of_key:
        raise Differs(kept.record.seq, "calls", task.key, kept.grounds.program, program())
    return ReplayedCall(task, prompt, call or of_key[-1], exact=call is not None)
