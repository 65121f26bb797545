"""What a person takes back. The last thing they said is taken back with all that came of it: the session stands where
it stood before, and of the words nothing is left. Of what lies longer ago the words go and what came of them stays.

Where the words brought up danger, that they were judged stays on record, and the crisis technique begins: taking words
back never lets a crisis pass.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from heartrule.engine.session.events import Recalled
from heartrule.engine.session.io import Input, Turn, Words
from heartrule.engine.session.state import State
from heartrule.language.projects.project import SAFETY
from heartrule.sessions import forms
from heartrule.sessions.replay import Tape
from heartrule.sessions.replay_check import Differs, NotKept
from heartrule.sessions.rows import BESIDE, all_variables, state_of
from heartrule.sessions.state_cache import GLOBAL, SHARED, Own, TurnStart, in_order
from heartrule.sessions.undone_values import MessageWords, Unsaid, quoting, texts_of, unsaid
from heartrule.sessions.undone_values import without as without_answer
from heartrule.sessions.views import REWOUND, TAKEN_BACK, CannotRestore
from heartrule.store.memories import SCOPE as MEMORY
from heartrule.store.memories import without
from heartrule.store.quotations import Quotations, long_texts
from heartrule.store.recalls import RECALLED
from heartrule.store.records import (
    EVERYTHING,
    Commit,
    EventRecord,
    InputKind,
    MessageRecord,
    Recall,
    SessionRecord,
    StoreError,
    VariableRecord,
)
from heartrule.store.store import Store

KIND: InputKind = "recall"
LATEST = 20
"""Turns that may have come by themselves since the one that is taken back."""
BY_THEMSELVES = (*BESIDE, "timer", KIND)
"""Kinds of inputs that do not keep what was said before them from being taken back: the person has said nothing since.
"""


class NothingToRecall(StoreError):
    """There is no such message of the person's, or it has been taken back already."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Message number ``message`` is to be taken back, with all that came of it if it was said less than ``within``
    seconds ago."""

    message: int
    within: float


def encode(wish: Wish) -> str:
    """For the inbox."""
    return json.dumps({"message": wish.message, "within": wish.within})


def decode(text: str | None) -> Wish:
    """``ValueError`` or ``TypeError`` for what is none."""
    return Wish(**json.loads(text or "{}"))


@dataclass(frozen=True, slots=True)
class UndoState:
    """What the turn that takes it back starts from. ``rewound``: where the session stood before it was said.
    ``shared``: the person's own variables as that turn is to find them."""

    recall: Recall
    session_state: TurnStart = field(repr=False)
    given: Input = field(repr=False)
    rewound: bool
    shared: tuple[VariableRecord, ...] = field(repr=False)
    common: frozenset[str] = frozenset()
    """The person's own variables that may be written, by name: those that were written since."""
    said_again: tuple[int | None, ...] = ()
    """The inbox numbers of the words that are answered anew, in their order."""


def own_words(found: Sequence[MessageRecord], number: int) -> MessageRecord | None:
    """The message, where it is the person's and has its words still."""
    only = next((each for each in found if each.number == number), None)
    gone = only is None or only.sender != "person" or bool(only.metadata.get(RECALLED))
    return None if gone else only


async def prepare_recall(
    store: Store,
    tape: Tape,
    record: SessionRecord,
    session_state: TurnStart,
    shared: Sequence[VariableRecord],
    wish: Wish,
    now: datetime,
) -> UndoState | None:
    """``session_state``: where the session stands now, loaded whole; ``shared``: the person's own variables now. None
    where nothing is left to take back."""
    found = await store.messages(record.id, wish.message - 1, 1)
    message = own_words(found, wish.message)
    if message is None:
        return None
    if _is_recent(record, session_state.state, message, wish, now):
        rewound = await _rewound(store, tape, record, session_state.state, shared, message)
        if rewound is not None:
            return rewound
    try:
        words = await _words(store, record, message)
        gone = await _unsaid(store, record, session_state, shared, message, words)
        return _redacted(session_state, shared, message, words, await _elsewhere(store, record, message), gone)
    except (LookupError, TypeError, ValueError, AttributeError):
        # Whatever stands in the way: a wish that cannot be carried out may not keep the session from going on.
        return _redacted(session_state, shared, message, (), (), Unsaid())


async def _unsaid(
    store: Store,
    record: SessionRecord,
    session_state: TurnStart,
    shared: Sequence[VariableRecord],
    message: MessageRecord,
    words: tuple[str, ...],
) -> Unsaid:
    """What is known by these words alone."""
    if not message.turn:
        return Unsaid()
    events = await store.events(record.id, ("variable",))
    danger = await _told_of_danger(store, record.id, range(message.turn, message.turn + 1))
    present = [*session_state.own.values(), *(each for each in shared if each.scope == GLOBAL)]
    said = [each for each in await _said_since(store, record.id, message.turn) if each.turn == message.turn]
    others = [each.text for each in said if _is_also_said(each, message)]
    return unsaid(present, events, message.turn, MessageWords(words, others), danger=danger)


async def _words(store: Store, record: SessionRecord, message: MessageRecord) -> tuple[str, ...]:
    """What was said by it: of a form, every text that was written into it."""
    came = await store.consumed(record.id, message.turn) if message.turn else ()
    entry = next((each.entry for each in came if each.number == message.inbox), None)
    filled = entry is not None and entry.kind in forms.KINDS and entry.text
    return (message.text, *(long_texts(json.loads(entry.text)) if filled and entry and entry.text else ()))


async def _elsewhere(store: Store, record: SessionRecord, message: MessageRecord) -> tuple[str, ...]:
    """The sessions that this one took them over from, and those of the person that may have read them since."""
    found, parent = list[str](), record.parent
    while parent is not None and parent not in found:
        found.append(parent)
        older = await store.session(parent)
        parent = older.parent if older is not None else None
    others = [each for each in await store.sessions_of(record.person) if each.last_active_at >= message.at]
    return tuple(dict.fromkeys([*found, *(each.id for each in others if each.id != record.id)]))


def _is_recent(record: SessionRecord, state: State, message: MessageRecord, wish: Wish, now: datetime) -> bool:
    """Whether all that came of it may go: not once the session is over, a human holds it, or it was moved."""
    held = record.human is not None or state.human is not None or state.ended
    since = record.seq - message.turn
    here = message.turn > (record.moved or 0)  # what it stood at before belongs to another text
    return (
        not held
        and here
        and message.turn > 0
        and since <= LATEST
        and now - message.at <= timedelta(seconds=wish.within)
    )


async def _rewound(
    store: Store,
    tape: Tape,
    record: SessionRecord,
    state: State,
    shared: Sequence[VariableRecord],
    message: MessageRecord,
) -> UndoState | None:
    """None where the person has said more since, or where it stood before cannot be worked out any more."""
    turns = range(message.turn, record.seq + 1)
    for turn in turns[1:]:
        came = await store.consumed(record.id, turn)
        if await tape.taken_back(turn) is None and any(each.entry.kind not in BY_THEMSELVES for each in came):
            return None
    try:
        before = await tape.before(message.turn)
    except (Differs, NotKept, CannotRestore):
        return None
    said = await _said_since(store, record.id, message.turn)
    others = [each for each in said if each.turn == message.turn and _is_also_said(each, message)]
    danger = await _told_of_danger(store, record.id, turns) or (state.is_in(SAFETY) and not before.state.is_in(SAFETY))
    kept = {each.number for each in others} if danger else set()
    inputs = [each.number for turn in turns for each in await store.consumed(record.id, turn)]
    spared = {each.inbox for each in others}
    common = await _written(store, record.id, turns)
    common |= {each.name for each in (*shared, *(before.shared or ())) if _is_own(each, record.id)}
    recall = Recall(
        turns=tuple(turns),
        messages=tuple(each.number for each in said if each.number not in kept),
        inputs=(*(number for number in inputs if number not in spared), *([message.inbox] if message.inbox else ())),
        words=await _words(store, record, message),
        elsewhere=await _elsewhere(store, record, message) if common else (),
    )
    given = Input("recalled", danger=danger)
    if others and not danger:
        after = others[0].number - 1
        given = Input("message", words=tuple(Words(each.text, after) for each in others), after=after)
    counted = {"seq": record.seq, "messages": state.messages, "keys": state.keys, "writes": state.writes}
    return UndoState(
        recall=recall,
        session_state=replace(before, state=before.state.model_copy(update=counted, deep=True)),
        given=given,
        rewound=True,
        shared=_as_before(shared, before.shared or (), common),
        common=common,
        said_again=tuple(each.inbox for each in others) if given.kind == "message" else (),
    )


async def _said_since(store: Store, session: str, turn: int) -> tuple[MessageRecord, ...]:
    """In that turn and behind it. What was said before is not opened: it may be long."""
    ended = await store.turn(session, turn)
    first = ended.messages[0].number if ended and ended.messages else 1
    return await store.messages(session, first - 1, EVERYTHING)


def _is_also_said(each: MessageRecord, message: MessageRecord) -> bool:
    """Whether it is another part of the same answer."""
    return each.sender == "person" and each.number != message.number and not each.metadata.get(RECALLED)


async def _told_of_danger(store: Store, session: str, turns: range) -> bool:
    """Whether anybody was told, or a P0 script has said yes."""
    for turn in turns:
        for event in await store.events(session, ("awareness", "escalated"), turn=turn):
            is_first = event.data.get("priority", "P0") == "P0" and event.data.get("verdict") == "yes"
            if event.kind == "escalated" or is_first:
                return True
    return False


async def _written(store: Store, session: str, turns: range) -> frozenset[str]:
    kinds = ("variable", "memory_written")
    events = [each for turn in turns for each in await store.events(session, kinds, turn=turn)]
    names = [str(each.data["name"]) for each in events if each.data.get("scope") == GLOBAL]
    items = [(each.data["item"], *each.data["gone"]) for each in events if each.kind == "memory_written"]
    return frozenset([*names, *(name for group in items for name in group)])


def _is_own(each: VariableRecord, session: str) -> bool:
    """Whether it is remembered of this very session: what was for short may have gone since."""
    return each.scope == MEMORY and each.value.get("session") == session


def _as_before(
    now: Sequence[VariableRecord], before: Sequence[VariableRecord], names: frozenset[str]
) -> tuple[VariableRecord, ...]:
    """The person's own variables, of which ``names`` are as they were before; another session may have written the
    others meanwhile."""
    kept = [each for each in now if each.name not in names]
    return tuple(in_order([*kept, *(each for each in before if each.name in names)]))


def _redacted(
    session_state: TurnStart,
    shared: Sequence[VariableRecord],
    message: MessageRecord,
    words: tuple[str, ...],
    elsewhere: tuple[str, ...],
    gone: Unsaid,
) -> UndoState:
    """The words alone go, from the transcript and from whatever quotes them, and the values that are known by them
    alone. What came of them otherwise stays."""
    case = quoting(session_state.state.case, words, _answer_of(session_state, message))
    quoted = Quotations(words, (*gone.texts, *texts_of(case)))
    history = tuple(
        replace(each, text=quoted.out_of(each.text)) for each in session_state.history if each.number != message.number
    )
    own = {key: left for key, each in session_state.own.items() if (left := _left(gone.left(each), quoted))}
    common = tuple(left for each in shared if (left := _left(gone.left(each), quoted)))
    recall = Recall(
        turns=(message.turn,) if message.turn else (),
        messages=(message.number,),
        inputs=(message.inbox,) if message.inbox is not None else (),
        words=words,
        values=(*gone.texts, *texts_of(case)),
        elsewhere=elsewhere,
    )
    state = without_answer(_state_left(session_state.state, quoted), words, gone.values, case)
    made = replace(session_state, state=state, history=history, own=own)
    named = frozenset(each.name for each in shared)
    return UndoState(recall, made, Input("recalled"), rewound=False, shared=common, common=named)


def _answer_of(session_state: TurnStart, message: MessageRecord) -> range:
    """The numbers of the messages that were one answer with this one."""
    last = message.number
    for each in session_state.history:
        if each.number == last + 1 and each.sender == "person":
            last = each.number
    return range(message.number, last + 1)


def _state_left(state: State, quoted: Quotations) -> State:
    """What the state holds without the words. Where that would be no state (they are its own words, too), as it is."""
    try:
        return state_of(quoted.out_of(state.model_dump(mode="json")))
    except CannotRestore:
        return state


def _left(record: VariableRecord | None, quoted: Quotations) -> VariableRecord | None:
    """None where the value is the words themselves."""
    if record is None:
        return None
    if record.scope == MEMORY:
        return without(record, quoted)
    evidence = None if record.evidence and quoted.proves(record.evidence) else record.evidence
    value = quoted.out_of(record.value)
    if isinstance(value, str) and value != record.value:
        value = value.strip()
    return None if value == "" != record.value else replace(record, value=value, evidence=evidence)


@dataclass(frozen=True, slots=True)
class Present:
    """The session's and the person's variables as the store has them."""

    own: Own = field(repr=False)
    shared: tuple[VariableRecord, ...] = field(repr=False)


def commit_recall(commit: Commit, made: UndoState, present: Present, turn: Turn, record: SessionRecord) -> Commit:
    """The commit of the turn, with what must be written and removed so that the store holds what it came to. Of the
    person's own variables only those are touched that came of what is taken back, or of the turn itself. A session that
    was over has ended when it did."""
    after = {(each.scope, each.scope_key, each.name): each for each in all_variables(turn)}
    before = {**present.own, **{(each.scope, each.scope_key, each.name): each for each in present.shared}}
    written = {*turn.variables.changed, *turn.memories.changed, *turn.memories.dropped}
    changed = {(*where, name) for where, name in written}

    def counts(key: tuple[str, str, str]) -> bool:
        return key[0] not in SHARED or key[2] in made.common or key in changed

    again = iter(made.said_again)
    said = [replace(each, inbox=next(again, None)) if each.sender == "person" else each for each in commit.messages]
    told = Recalled(messages=list(made.recall.messages), turns=list(made.recall.turns), rewound=made.rewound)
    row = EventRecord(commit.seq, len(commit.events) + 1, told.kind, None, told.model_dump(exclude={"kind", "action"}))
    return replace(
        commit,
        messages=said,
        variables=[each for key, each in sorted(after.items()) if counts(key) and before.get(key) != each],
        removed=[key for key in sorted(before) if key not in after and counts(key)],
        events=[*commit.events, row],
        outcome={**commit.outcome, TAKEN_BACK: list(made.recall.messages), REWOUND: made.rewound},
        recall=made.recall,
        ended=commit.ended and record.ended_at is None,
    )
