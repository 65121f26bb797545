"""What goes to and comes from the store, in plain types. Content is in clear here and encrypted in every row; no
``repr`` shows it, since those end up in logs and tracebacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from heartrule.language.bilingual import Bilingual, SaidError

InputKind = Literal[
    "start",
    "message",
    "choice",
    "timer",
    "resume",
    "pause",
    "end",
    "noticed",
    "advised",
    "takeover",
    "human",
    "hand_back",
    "form_draft",
    "form_submit",
    "form_cancel",
    "counsel_form",
    "correct",
    "recall",
]


class StoreError(Exception):
    """Base of what the store says no to."""


class NoDriver(SaidError, StoreError):
    """PostgreSQL is wanted, and what reaches it is not installed."""

    def __init__(self) -> None:
        install = "pip install 'heartrule[postgres]'"
        super().__init__(
            Bilingual(
                f"连接 PostgreSQL 的驱动没有安装：{install}",
                f"the driver that PostgreSQL needs is not installed: {install}",
            )
        )


class KeyReused(StoreError):
    """The same idempotency key came with another body."""


class Full(StoreError):
    """So much has come in that no more is taken: of the session, or of its person."""


class Outdated(StoreError):
    """The commit was not made: the lease, the sequence number or the inbox has moved on since the turn was loaded."""


class Gone(StoreError):
    """No such session, or its person's data has been erased."""


@dataclass(frozen=True, slots=True)
class NewSession:
    id: str
    person: str
    project: str
    script: str
    bundle: str
    locale: str
    state: Mapping[str, Any] = field(repr=False)
    created_at: datetime
    metadata: Mapping[str, Any] = field(default_factory=dict, repr=False)
    parent: str | None = None
    trial: str | None = None
    release: str | None = None
    direction: str | None = None


@dataclass(frozen=True, slots=True)
class HumanRecord:
    """The counsellor who holds a session: the id and the shown name of somebody on the operator's staff."""

    id: str
    name: str
    since: datetime


@dataclass(frozen=True, slots=True)
class EndedSession:
    """A session that is over, and the script that it was held from; nothing of its content."""

    id: str
    script: str
    bundle: str
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A session without its content. ``status``: created, active, paused (by the person, until they come back), ended,
    interrupted (away, suspended and archived are read off the clock by ``sessions``). ``position`` holds script ids
    and numbers only: it is stored in clear. ``last_active_at`` is when something last came in
    that does not come of the time alone (a timer, what was noticed beside the conversation).
    ``latched``: words of the turn under way have been shown; it is made of the inputs up to this number of the inbox.
    ``contact``: the person has named somebody who may be told. ``trial``: the project of the workbench whose author
    tries it out; it stands in no list of production, and nobody is called. ``release``: which it was begun with, or
    has been moved to; ``moved``: the last turn that it was held in another text.
    """

    id: str
    person: str
    project: str
    script: str
    bundle: str
    locale: str
    status: str
    seq: int
    position: Mapping[str, Any]
    created_at: datetime
    last_active_at: datetime
    ended_at: datetime | None
    wake_at: datetime | None
    metadata: Mapping[str, Any] = field(repr=False)
    parent: str | None = None
    trial: str | None = None
    release: str | None = None
    moved: int | None = None
    latched: int | None = None
    human: HumanRecord | None = None
    contact: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """An input on its way in. ``body`` is everything the sender said; the same ``key`` with another body, kind or
    ``after`` is refused. ``who``: the counsellor whose input it is."""

    key: str = field(repr=False)
    kind: InputKind
    text: str | None = field(default=None, repr=False)
    choice: str | None = field(default=None, repr=False)
    after: int | None = None
    who: Mapping[str, str] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class InboxEntry:
    """``number`` orders the inbox of a session. ``turn`` is the turn that consumed it."""

    number: int
    entry: Entry
    received_at: datetime
    turn: int | None


@dataclass(frozen=True, slots=True)
class Accepted:
    number: int
    repeated: bool
    turn: int | None


@dataclass(frozen=True, slots=True)
class MessageRecord:
    """An utterance. ``inbox`` is the entry it came in with, for a person's own words. ``id`` is given by the store."""

    number: int
    turn: int
    sender: Literal["person", "ai", "system", "human"]
    text: str = field(repr=False)
    content_type: str
    action: str | None
    at: datetime
    withheld: bool = False
    inbox: int | None = None
    id: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class VariableRecord:
    """One variable's present value. ``scope`` global belongs to person and project, any other to the session."""

    scope: str
    scope_key: str
    name: str
    value: Any = field(repr=False)
    type: str
    updated_at: datetime
    updated_by: str
    strategy: str
    evidence: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class EventRecord:
    turn: int
    number: int
    kind: str
    action: str | None
    data: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class CallRecord:
    """An answered (or failed) model task. Bought once: unique by session, turn, key and prompt hash. An answer is
    never replaced; a failure is, by what came of a later try. ``speaking``: words of it have been shown and it has not
    ended; ``data`` is then ``{"head": …, "shown": …}``. ``dropped``: nobody waited for its end, and
    ``data`` is its head."""

    turn: int
    key: str
    template: str
    prompt_hash: str
    status: Literal["answered", "speaking", "dropped", "failed", "absent"]
    data: Mapping[str, Any] | None = field(repr=False)
    attempts: Sequence[Mapping[str, Any]] = field(repr=False)
    at: datetime


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """One try at an answer, as the ledger keeps it, in clear. Numbers are None where nobody told them.

    ``key`` and ``template`` say which task, ``role`` what it was for. ``provider`` is who was asked (None: nobody),
    ``model`` who answered. ``retry`` counts from 0; ``fallback``: another than the preferred provider. ``cause`` is a
    word or two. ``cached`` is part of ``tokens_in``, ``reasoning`` of ``tokens_out``; ``cost`` is in billionths of
    ``currency``.
    """

    turn: int
    key: str
    template: str
    role: str
    at: datetime
    provider: str | None
    model: str | None
    retry: int
    fallback: bool
    outcome: str
    cause: str
    tokens_in: int | None = None
    cached: int | None = None
    tokens_out: int | None = None
    reasoning: int | None = None
    cost: int | None = None
    currency: str | None = None
    seconds: float = 0.0
    first_token: float | None = None
    finish: str | None = None


@dataclass(frozen=True, slots=True)
class TurnFigures:
    """Sums over turns. Of the ``counted`` ones (older versions counted nothing) some ``waited`` for a model,
    ``waited_once`` in one round, all calls side by side; ``p50`` … are seconds such a turn took, from its beginning to
    its commit. ``perceived`` things were asked for in ``perceptions`` calls. Of ``speculative`` replies ``redone`` were
    asked for once more; ``fused`` replies could have opened the next action too, and ``unfused`` of them did not.
    Of the sessions that were ``started``, ``completed`` ones came to the end of their script; ``satisfaction`` sums the
    points, 1 to 5, of those that were ``rated``.
    """

    turns: int = 0
    counted: int = 0
    waited: int = 0
    waited_once: int = 0
    perceptions: int = 0
    perceived: int = 0
    speculative: int = 0
    redone: int = 0
    fused: int = 0
    unfused: int = 0
    started: int = 0
    completed: int = 0
    rated: int = 0
    satisfaction: float = 0.0
    p50: float | None = None
    p95: float | None = None
    p99: float | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """Sums over attempts. ``key`` names the group, in one or (a turn) two parts.

    ``calls`` are attempts that asked somebody; of these, each is one of ``ok``, ``rejected`` (not to be used),
    ``failed``, ``timed_out`` and ``cancelled`` (more words arrived). ``beside``: those of them that no turn waited for.
    ``not_asked``: given up before anybody was asked.
    ``turns``: all of them, or, where a turn may belong to several groups, those that asked (``turns_asking``). Tokens
    are those that were told; ``untold`` calls told not all of them. ``costs`` are billionths, by currency;
    ``unpriced`` answers and ``unpriced_failures`` come on top, by an unknown amount. ``p50`` … are seconds of all calls
    but the cancelled ones, ``first_p50`` … those to the first token, where that was told. ``blocked`` answers held
    words that may not be shown. ``models`` are the names that answered. ``of_turns`` is None where a turn may belong to
    several groups.
    """

    key: tuple[str, ...] = ()
    calls: int = 0
    beside: int = 0
    turns: int = 0
    turns_asking: int = 0
    not_asked: int = 0
    ok: int = 0
    rejected: int = 0
    failed: int = 0
    timed_out: int = 0
    cancelled: int = 0
    retried: int = 0
    fallbacks: int = 0
    blocked: int = 0
    tokens_in: int = 0
    cached: int = 0
    tokens_out: int = 0
    reasoning: int = 0
    untold: int = 0
    costs: tuple[tuple[str, int], ...] = ()
    unpriced: int = 0
    unpriced_failures: int = 0
    p50: float | None = None
    p95: float | None = None
    p99: float | None = None
    first_p50: float | None = None
    first_p95: float | None = None
    first_p99: float | None = None
    models: tuple[str, ...] = ()
    first: datetime | None = None
    last: datetime | None = None
    of_turns: TurnFigures | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a session stood when its last turn was committed: under which lease, and as which turn. Whoever changes
    what a turn starts from without committing one raises the epoch."""

    epoch: int
    seq: int


@dataclass(frozen=True, slots=True)
class LoadedSession:
    """Everything a turn starts from, read in one transaction. ``messages`` are the last ones, oldest first.

    ``unchanged``: the session still stands at the mark that the caller knew. Then only what others may have changed is
    read: the session's row, its inbox, and global variables."""

    session: SessionRecord
    state: Any = field(repr=False)
    """None when it cannot be read."""
    epoch: int
    variables: tuple[VariableRecord, ...]
    messages: tuple[MessageRecord, ...]
    pending: tuple[InboxEntry, ...]
    calls: tuple[CallRecord, ...]
    """Calls already made for the turn ``session.seq + 1``."""
    unchanged: bool = False


@dataclass(frozen=True, slots=True)
class NewEscalation:
    """Somebody is to be told that a person needs help. ``id`` is one of its kind in the session. ``cause`` and
    ``level`` name the script that noticed it and its priority; both are stored in clear."""

    id: str
    to: str
    cause: str
    level: str | None = None
    note: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Recall:
    """What is taken back with a turn: of the messages ``messages`` the words, of the turns ``turns`` everything that
    came of what was said in them, of the inbox entries ``inputs`` what the sender said. ``words`` are forgotten
    wherever they are quoted since; in ``elsewhere`` (other sessions that took them over, or read them) altogether.
    ``values``: texts that were known by them alone; they are forgotten in this session."""

    turns: tuple[int, ...]
    messages: tuple[int, ...]
    inputs: tuple[int, ...]
    words: tuple[str, ...] = field(default=(), repr=False)
    elsewhere: tuple[str, ...] = ()
    values: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Commit:
    """What one turn changed. Written whole or not at all.

    Refused with ``Outdated`` unless the lease (``owner``, ``epoch``) still holds, ``seq`` is the stored number plus
    one, and no inbox entry newer than ``seen`` waits with a kind of ``message`` and an ``after`` equal to ``joins``
    (when ``joins`` is not None): such an entry is part of this answer and the turn must be worked out again. Likewise
    when one of ``consumed`` has been consumed already.

    ``messages`` hold the person's words as well, with ``inbox`` set. Of ``removed_scopes`` and ``removed`` (scope,
    scope key, name) the variables are deleted before ``variables`` are written. ``release`` gives the lease back with
    this commit unless inputs still wait. ``grounds`` are what the turn rested on beside its records. ``rounds`` is how
    often the turn waited for a model, ``seconds`` how long it took; None: not counted. ``human``: who holds the
    session after it. ``escalations`` are put down for
    delivery with it. ``recall``: what is taken back with it. ``remember``: what was said so far is to be remembered
    beside the turns.
    """

    session: str
    owner: str
    epoch: int
    seq: int
    seen: int
    joins: int | None
    consumed: Sequence[int]
    state: Mapping[str, Any] = field(repr=False)
    status: str
    position: Mapping[str, Any]
    outcome: Mapping[str, Any] = field(repr=False)
    messages: Sequence[MessageRecord]
    events: Sequence[EventRecord]
    variables: Sequence[VariableRecord]
    removed_scopes: Sequence[tuple[str, str]]
    wake_at: datetime | None
    at: datetime
    ended: bool = False
    removed: Sequence[tuple[str, str, str]] = ()
    release: bool = False
    grounds: Mapping[str, Any] | None = field(default=None, repr=False)
    rounds: int | None = None
    seconds: float | None = None
    human: HumanRecord | None = None
    escalations: Sequence[NewEscalation] = ()
    recall: Recall | None = None
    remember: bool = False


EVERYTHING = 2**31 - 1
"""As a limit: none. More of anything than a session has."""


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A finished turn as it was answered; what a repeated key gets back."""

    session: str
    seq: int
    at: datetime
    outcome: Mapping[str, Any] = field(repr=False)
    messages: tuple[MessageRecord, ...]
    grounds: Mapping[str, Any] | None = field(default=None, repr=False)
    """None for turns of versions that did not keep them."""


@dataclass(frozen=True, slots=True)
class SnapshotRecord:
    """The state and all variables as they stood after ``turn``; ``message`` is the number of the last message then."""

    session: str
    turn: int
    format: int
    action: str | None
    message: int
    at: datetime
    state: Mapping[str, Any] = field(repr=False)
    variables: tuple[VariableRecord, ...]
