"""Between the store's rows and the engine's world."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from heartrule.engine.session.events import Escalated, Noticed
from heartrule.engine.session.io import Input, Message, Turn, Who, Words
from heartrule.engine.session.media import Media
from heartrule.engine.session.state import FORMAT, LOWEST, State
from heartrule.engine.session.tasks import Answer, Attempt, Task
from heartrule.engine.session.variables import Value, Variables
from heartrule.engine.variables import memories
from heartrule.engine.variables.elapsed_time import stood_still
from heartrule.engine.work import SAFETY
from heartrule.language.compiling.script import Script
from heartrule.language.nodes.memory import MemoryPolicy
from heartrule.sessions import advice_inbox, counsellor_corrections, findings, forms
from heartrule.sessions.views import CannotRestore
from heartrule.store.memories import SCOPE as MEMORY
from heartrule.store.recalls import RECALLED
from heartrule.store.records import (
    AttemptRecord,
    CallRecord,
    Commit,
    EventRecord,
    HumanRecord,
    InboxEntry,
    MessageRecord,
    NewEscalation,
    SessionRecord,
    TurnRecord,
    VariableRecord,
)
from heartrule.store.turns import BY_ITSELF

VARIABLES = "variables"
GIVEN, POLICY = "given", "memory"
"""Under these names stands beside a session what whoever began it has noted of it (``metadata``), and wants of its
memory."""
OTHERS = (*BY_ITSELF, "human", "hand_back")
"""Kinds of inputs that are not the person's, and leave a paused session paused."""
SPOKEN = ("message", "choice", "human", "hand_back", "form_submit", "form_cancel")
"""Kinds of inputs of which something stands in the transcript."""
BESIDE = ("noticed", "advised")
"""Kinds of inputs that nobody gave: they come of what is asked beside the conversation."""
QUIET = (*BESIDE, "form_draft", "counsel_form", "correct")
"""Kinds of inputs of which nothing is said as a rule."""
NAME = "name"
"""Under this name a message's metadata keeps the shown name of the human who said it."""
MEDIA = "media"
"""Under this name it keeps what is shown beside the words."""
LONGEST_NAME = 120
"""Characters of a model's or provider's name that are kept."""


def place_of(data: object) -> str:
    """Where the person's browser is, of a state that may not be readable otherwise."""
    told = data.get("place") if isinstance(data, Mapping) else None
    return told if isinstance(told, str) else ""


def state_of(data: object) -> State:
    """The stored state. ``CannotRestore`` when this version cannot load it."""
    if not isinstance(data, Mapping):
        raise CannotRestore("the state cannot be read")
    known = data.get("format")
    if not isinstance(known, int) or not LOWEST <= known <= FORMAT:
        raise CannotRestore("the state is of a format that this version does not know")
    try:
        return State.model_validate(data)
    except ValidationError:
        raise CannotRestore("the state does not have the shape of its format") from None


def variables_of(records: Sequence[VariableRecord]) -> Variables:
    """The same order whatever gave them: prompts are rendered from it."""
    return _cells(each for each in records if each.scope != MEMORY)


def memories_of(records: Sequence[VariableRecord]) -> Variables:
    """What is remembered, of what stands among them."""
    return _cells(each for each in records if each.scope == MEMORY)


def _cells(records: Iterable[VariableRecord]) -> Variables:
    variables = Variables()
    for record in sorted(records, key=lambda one: (one.scope, one.scope_key, one.name)):
        cell = variables.cells.setdefault((record.scope, record.scope_key), {})
        cell[record.name] = Value(
            record.value,
            record.type,
            record.updated_at,
            record.updated_by,
            record.scope,
            record.strategy,
            record.evidence,
        )
    return variables


def history_of(records: Sequence[MessageRecord]) -> tuple[Message, ...]:
    return tuple(
        Message(
            number=record.number,
            sender=record.sender,
            text=record.text,
            at=record.at,
            content_type=record.content_type,  # type: ignore[arg-type]
            action=record.action,
            withheld=record.withheld,
            name=str(record.metadata.get(NAME, "")),
            media=tuple(Media.load(each) for each in record.metadata.get(MEDIA, ())),
        )
        for record in records
        if not record.metadata.get(RECALLED)
    )


def rested(state: State, session: SessionRecord, kind: str, now: datetime) -> State:
    """The state as a turn of this kind at ``now`` finds it: what times the waiting action has stood still since the
    person paused."""
    if session.status != "paused" or kind in BY_ITSELF:
        return state
    return stood_still(state, now - session.last_active_at)


def batch_of(
    pending: Sequence[InboxEntry], latched: int | None = None, *, urgent: bool = False
) -> tuple[InboxEntry, ...]:
    """The entries that make the next turn: the start before anything else, then a counsellor who takes over (unless
    words of a turn have been shown already, ``latched`` being the last number that it is made of), then the oldest, and
    with a message all others that were sent after seeing the same (up to ``latched``). Messages that do not say what
    their sender had seen stand alone. What comes from beside the conversation comes behind everything else."""
    ahead = ("start",) if latched is not None else ("start", "takeover")
    came = [item for item in pending if item.entry.kind not in BESIDE] or pending
    first = next((item for kind in ahead for item in came if item.entry.kind == kind), came[0])
    if urgent and first.entry.kind == "message" and latched is None:  # whatever their senders had seen
        return tuple(item for item in pending if item.entry.kind == "message")
    if first.entry.kind != "message" or first.entry.after is None:
        return (first,)
    return tuple(
        item
        for item in pending
        if item.entry.kind == "message"
        and item.entry.after == first.entry.after
        and (latched is None or item.number <= latched)
    )


def waiting_words(pending: Sequence[InboxEntry], batch: Sequence[InboxEntry]) -> list[str]:
    """What the person has said and the turn of ``batch`` does not answer."""
    taken = {item.number for item in batch}
    return [item.entry.text or "" for item in pending if item.entry.kind == "message" and item.number not in taken]


def input_of(batch: Sequence[InboxEntry], session: SessionRecord) -> Input:
    first = batch[0].entry
    if first.kind == "message":
        words = tuple(Words(item.entry.text or "", item.entry.after) for item in batch)
        return Input("message", words=words, after=first.after)
    if first.kind == "noticed":
        return Input("noticed", found=findings.decode(first.text))
    if first.kind == "advised":
        return Input("advised", advice=advice_inbox.decode(first.text))
    if first.kind == "recall":
        return Input("recalled")
    if first.kind == "counsel_form":
        who = Who(**first.who) if first.who is not None else None
        return Input(first.kind, who=who, filled=forms.decode_filled(first.text))
    if first.kind == "correct":
        who = Who(**first.who) if first.who is not None else None
        return Input(first.kind, who=who, correction=counsellor_corrections.decode(first.text))
    if first.kind in forms.KINDS:
        return Input(first.kind, after=first.after, form=forms.decode_answers(first.text))
    if first.who is not None:
        spoken = (Words(first.text),) if first.text is not None else ()
        return Input(first.kind, words=spoken, who=Who(**first.who))
    values = session.metadata.get(VARIABLES, {}) if first.kind == "start" else {}
    return Input(first.kind, choice=first.choice, after=first.after, values=values)


def policy_of(metadata: Mapping[str, Any]) -> MemoryPolicy | None:
    return MemoryPolicy.model_validate(metadata[POLICY]) if POLICY in metadata else None


def remembers(script: Script, session: SessionRecord) -> bool:
    """Whether anything of the session uses the memory."""
    return memories.remembers(script, policy_of(session.metadata))


def status_after(session: SessionRecord, given: Input, turn: Turn) -> str:
    """A session that was paused stays so until its person does something."""
    if turn.state.ended:
        return "ended"
    if given.kind == "pause" or (given.kind in OTHERS and session.status == "paused"):
        return "paused"
    return "active"


def message_rows(turn: Turn, batch: Sequence[InboxEntry]) -> list[MessageRecord]:
    """The turn's messages; the person's own keep the inbox entry they came with."""
    came = iter([item.number for item in batch if item.entry.kind in SPOKEN])
    return [
        MessageRecord(
            number=message.number,
            turn=turn.state.seq,
            sender=message.sender,
            text=message.text,
            content_type=message.content_type,
            action=message.action,
            at=message.at,
            withheld=message.withheld,
            inbox=next(came, None) if message.sender in ("person", "human") else None,
            metadata=_metadata(message),
        )
        for message in turn.messages
    ]


def _metadata(message: Message) -> dict[str, Any]:
    named = {NAME: message.name} if message.name else {}
    return {**named, MEDIA: [each.dump() for each in message.media]} if message.media else named


def human_row(turn: Turn) -> HumanRecord | None:
    """Who holds the session after it."""
    held = turn.state.human
    return None if held is None else HumanRecord(held.id, held.name, held.since)


def committed(turn: Commit) -> TurnRecord:
    """The turn as the store gives it back."""
    own = [message for message in turn.messages if message.turn == turn.seq]
    messages = tuple(replace(message, id=f"{turn.session}.{message.number}") for message in own)
    return TurnRecord(turn.session, turn.seq, turn.at, turn.outcome, messages)


def event_rows(turn: Turn) -> list[EventRecord]:
    return [
        EventRecord(
            turn=turn.state.seq,
            number=number,
            kind=event.kind,
            action=event.action,
            data=event.model_dump(mode="json", exclude={"kind", "action"}),
        )
        for number, event in enumerate(turn.events, 1)
    ]


def escalation_rows(turn: Turn) -> list[NewEscalation]:
    """Whom the turn wants told. Its level is the priority of the awareness script that caused it, and P0 whatever has
    caused it while somebody is in danger: in this turn's words, or in what the session has turned to."""
    noticed = [event for event in turn.events if isinstance(event, Noticed)]
    levels = {event.awareness: event.priority for event in noticed}
    grave = any(event.priority == "P0" and event.verdict == "yes" for event in noticed)
    grave = grave or turn.state.is_in(SAFETY)
    return [
        NewEscalation(event.id, event.to, event.cause, "P0" if grave else levels.get(_script(event.cause)), event.note)
        for event in turn.events
        if isinstance(event, Escalated)
    ]


def _script(cause: str) -> str:
    """The awareness script that a cause names (``awareness mine/resist``)."""
    kind, _, rest = cause.partition(" ")
    return rest.partition(" ")[0] if kind == "awareness" else ""


def variable_rows(turn: Turn) -> list[VariableRecord]:
    """What the turn has written, what is to be remembered behind it."""
    written = _rows(turn.variables, sorted(turn.variables.changed))
    return [*written, *_rows(turn.memories, sorted(turn.memories.changed))]


def removed_of(turn: Turn) -> set[tuple[str, str]]:
    """The scopes that the turn has removed."""
    return turn.variables.removed | turn.memories.removed


def all_variables(turn: Turn) -> list[VariableRecord]:
    """What there is after the turn."""
    both = (turn.variables, turn.memories)
    return [
        row
        for held in both
        for row in _rows(held, [(where, name) for where, cell in held.cells.items() for name in cell])
    ]


def _rows(held: Variables, wanted: Sequence[tuple[tuple[str, str], str]]) -> list[VariableRecord]:
    rows = []
    for where, name in wanted:
        value = held.cells[where][name]
        rows.append(
            VariableRecord(
                scope=where[0],
                scope_key=where[1],
                name=name,
                value=value.value,
                type=value.type,
                updated_at=value.updated_at,
                updated_by=value.source,
                strategy=value.strategy,
                evidence=value.evidence,
            )
        )
    return rows


def call_row(turn: int, template: str, answer: Answer, prompt_hash: str, at: datetime) -> CallRecord:
    return CallRecord(
        turn=turn,
        key=answer.key,
        template=template,
        prompt_hash=prompt_hash,
        status=answer.status,
        data=dict(answer.data) if answer.data is not None else None,
        attempts=[
            {
                "number": a.number,
                "outcome": a.outcome,
                "cause": a.cause,
                "code": a.code,
                "raw": a.raw[:20_000],
                "parse": list(a.parse),
                "model": a.model,
                "seconds": a.seconds,
                "tokens_in": a.tokens_in,
                "tokens_out": a.tokens_out,
                "form": a.form,
            }
            for a in answer.attempts
        ],
        at=at,
    )


def speaking_row(
    turn: int, task: Task, prompt_hash: str, head: Mapping[str, Any], shown: str, at: datetime
) -> CallRecord:
    """An answer that is still being written, of which words are shown."""
    data = {"head": dict(head), "shown": shown}
    return CallRecord(turn, task.key, task.template, prompt_hash, "speaking", data, [], at)


def dropped_row(turn: int, task: Task, prompt_hash: str, head: Mapping[str, Any], at: datetime) -> CallRecord:
    """An answer whose head was there, and whose end nobody needed."""
    return CallRecord(turn, task.key, task.template, prompt_hash, "dropped", dict(head), [], at)


def attempt_rows(turn: int, task: Task, attempts: Sequence[Attempt], at: datetime) -> list[AttemptRecord]:
    """For the ledger. What a server calls its model may be anything; it is kept as a name."""
    return [
        AttemptRecord(
            turn=turn,
            key=task.key,
            template=task.template,
            role=task.role,
            at=at,
            provider=_name(a.provider),
            model=_name(a.model) if a.outcome in ("ok", "rejected") or a.tokens_in is not None else None,
            retry=a.number - 1,
            fallback=a.fallback,
            outcome=a.outcome,
            cause=a.code,
            tokens_in=a.tokens_in,
            cached=a.cached,
            tokens_out=a.tokens_out,
            reasoning=a.reasoning,
            cost=a.cost,
            currency=a.currency,
            seconds=a.seconds,
            first_token=a.first_token,
            finish=a.finish,
        )
        for a in attempts
    ]


def _name(said: str) -> str | None:
    kept = said[:LONGEST_NAME]
    return (kept if kept.isprintable() else "".join(filter(str.isprintable, kept))) or None


def answer_of(record: CallRecord) -> Answer:
    attempts = tuple(Attempt(**{**dict(a), "parse": tuple(a.get("parse", ()))}) for a in record.attempts)
    status = "speaking" if record.status == "dropped" else record.status
    return Answer(record.key, status, record.data, attempts, record.prompt_hash)
