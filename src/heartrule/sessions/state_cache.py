"""What sessions that go on in this process stood at, so that the next turn need not read and open it all again.

The database is asked all the same whether it still holds: a memory counts only under the epoch and the number at which
its turn was committed, and both are compared in the transaction that accepts the next input and takes the lease.
Another process cannot have changed anything without a lease of its own, which is another epoch.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from heartrule.engine.session.io import HISTORY, Message, Turn
from heartrule.engine.session.state import State
from heartrule.sessions.rows import history_of, state_of
from heartrule.sessions.session_status import AWAY
from heartrule.store.codec import decode, encode
from heartrule.store.memories import SCOPE as MEMORY
from heartrule.store.records import LoadedSession, Mark, MessageRecord, VariableRecord

SESSIONS = 128
CHARACTERS = 2_000_000
"""Of messages that are kept, in all sessions together."""

GLOBAL = "global"
SHARED = (GLOBAL, MEMORY)
"""Scopes of what other sessions of the person may change."""
Own = Mapping[tuple[str, str, str], VariableRecord]


@dataclass(frozen=True, slots=True)
class TurnStart:
    """What a turn starts from. ``own`` are the variables of the session alone, by scope, its key and name; those of
    the person are read for each turn, since another session may have written them. ``shared`` are those as the turn
    before left them, None when that is not known."""

    state: State = field(repr=False)
    own: Own = field(repr=False)
    history: tuple[Message, ...]
    shared: tuple[VariableRecord, ...] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, loaded: LoadedSession, inherited: Sequence[MessageRecord] = ()) -> TurnStart:
        """As it was loaded whole. ``CannotRestore`` when the state cannot be."""
        own = {(v.scope, v.scope_key, v.name): v for v in loaded.variables if v.scope not in SHARED}
        return cls(state_of(loaded.state), own, history_of(inherited or loaded.messages))

    def after(self, turn: Turn, written: Sequence[VariableRecord], shared: Sequence[VariableRecord] = ()) -> TurnStart:
        """As the next turn would load it once ``turn`` has been committed, which had ``shared`` to go by."""
        own = {key: record for key, record in self.own.items() if key[:2] not in turn.variables.removed}
        gone = {name for _, name in turn.memories.dropped}
        common = {each.name: each for each in shared if not _is_left_behind(each, turn) and each.name not in gone}
        for record in written:
            kept = replace(record, value=decode(encode(record.value)))
            if record.scope in SHARED:
                common[record.name] = kept
            else:
                own[(record.scope, record.scope_key, record.name)] = kept
        left = tuple(in_order(common.values()))
        return TurnStart(turn.state, own, (*self.history, *turn.messages)[-HISTORY:], left)


def _is_left_behind(record: VariableRecord, turn: Turn) -> bool:
    return record.scope == MEMORY and (record.scope, record.scope_key) in turn.memories.removed


def in_order(shared: Iterable[VariableRecord]) -> list[VariableRecord]:
    """The same whoever puts them together."""
    return sorted(shared, key=lambda each: (each.scope, each.scope_key, each.name))


@dataclass(frozen=True, slots=True)
class _CacheEntry:
    mark: Mark
    session_state: TurnStart
    since: datetime
    characters: int


class StateCache:
    """Bounded, and nothing stays for longer than a person who is still there would."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, _CacheEntry] = OrderedDict()
        self._characters = 0

    def __len__(self) -> int:
        return len(self._kept)

    def take(self, session: str) -> tuple[Mark, TurnStart] | None:
        """Each memory serves one turn; the turn leaves the next one."""
        kept = self._kept.pop(session, None)
        if kept is None:
            return None
        self._characters -= kept.characters
        return kept.mark, kept.session_state

    def keep(self, session: str, mark: Mark, session_state: TurnStart, now: datetime) -> None:
        self.take(session)
        characters = sum(len(message.text) for message in session_state.history)
        self._kept[session] = _CacheEntry(mark, session_state, now, characters)
        self._characters += characters
        while self._kept and self._too_much(next(iter(self._kept.values())), now):
            self.take(next(iter(self._kept)))

    def _too_much(self, oldest: _CacheEntry, now: datetime) -> bool:
        return len(self._kept) > SESSIONS or self._characters > CHARACTERS or now - oldest.since >= AWAY
