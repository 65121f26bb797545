"""What was asked of language models: a row for every attempt, and their sums. Which task it was is sealed, since it
names the action; the rest are ids, names of templates and models, and numbers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from itertools import groupby
from typing import Any, Literal

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    String,
    and_,
    bindparam,
    case,
    cast,
    distinct,
    func,
    insert,
    literal,
    select,
)

from heartrule.store import tallies
from heartrule.store.codec import decode_text, encode_text
from heartrule.store.crypto import Box, place
from heartrule.store.database import Tx
from heartrule.store.records import AttemptRecord, Figures, TurnFigures
from heartrule.store.schema import attempts, sessions

By = Literal["model", "script", "project", "session", "turn", "purpose", "direction"]
"""``model`` is who was asked: whoever fails has answered under no name."""
Key = tuple[Hashable, ...]

KEY_BYTES = 256
_KEPT = tuple(one.name for one in fields(AttemptRecord))
_insert = insert(attempts)
_highest = select(func.max(attempts.c.number)).where(
    attempts.c.session == bindparam("session"), attempts.c.turn == bindparam("turn")
)
_of_session = (
    select(attempts).where(attempts.c.session == bindparam("session")).order_by(attempts.c.turn, attempts.c.number)
)
_of_turn = _of_session.where(attempts.c.turn == bindparam("turn"))

_GROUPS: Mapping[By | None, tuple[ColumnElement[Any], ...]] = {
    None: (),
    "model": (attempts.c.provider,),
    "purpose": (attempts.c.template,),
    "script": (sessions.c.script,),
    "project": (sessions.c.project,),
    "session": (attempts.c.session,),
    "turn": (attempts.c.session, attempts.c.turn),
    "direction": (sessions.c.script, sessions.c.direction),
}
BESIDE = ("periodic", "ai_ask_monitor", "ai_say_monitor", "topic_orchestrator", "strategy")
"""Templates of what is asked beside the conversation: nobody waits for it."""
_asked = attempts.c.provider.is_not(None)
_answered = and_(_asked, attempts.c.outcome.in_(("ok", "rejected")))


def add(tx: Tx, box: Box, session: str, records: Sequence[AttemptRecord]) -> None:
    for turn, made in groupby(sorted(records, key=lambda one: one.turn), lambda one: one.turn):
        last = tx.conn.execute(_highest, {"session": session, "turn": turn}).scalar() or 0
        tx.conn.execute(_insert, [_row(box, session, last + n, one) for n, one in enumerate(made, 1)])


def _row(box: Box, session: str, number: int, record: AttemptRecord) -> dict[str, Any]:
    row: dict[str, Any] = {name: getattr(record, name) for name in _KEPT}
    row["session"], row["number"] = session, number
    row["key"] = box.seal(encode_text(record.key), _place(session, record.turn, number), KEY_BYTES)
    return row


def read(tx: Tx, box: Box, session: str, turn: int | None = None) -> tuple[AttemptRecord, ...]:
    """In the order they were written in."""
    if turn is None:
        rows = tx.conn.execute(_of_session, {"session": session})
    else:
        rows = tx.conn.execute(_of_turn, {"session": session, "turn": turn})
    return tuple(_record(box, row) for row in rows)


def _place(session: str, turn: int, number: int) -> bytes:
    return place("attempts", "key", session, turn, number)


def _record(box: Box, row: Row[Any]) -> AttemptRecord:
    kept = dict(row._mapping)
    kept["key"] = decode_text(box.open(row.key, _place(row.session, row.turn, row.number)))
    del kept["session"], kept["number"]
    return AttemptRecord(**kept)


def figures(tx: Tx, by: By | None, since: datetime | None) -> tuple[Figures, ...]:
    """The sums of each group that asked somebody, or took turns; those with the most calls first, of sessions and turns
    the newest. Without ``by`` there is one group, without a key, or none."""

    def rows(statement: Select[Any]) -> list[Row[Any]]:
        return list(tx.conn.execute(statement).all())

    width = len(_GROUPS[by])
    counted = {_key(row, width): row for row in rows(_counts(by, since)) if row.last_at is not None}
    costs = _gathered(rows(_costs(by, since)), width, lambda row: (row.currency, int(row.cost)))
    models = _gathered(rows(_models(by, since)), width, lambda row: row.model)
    waits = {_key(row, width): row for row in rows(_waits(by, since, attempts.c.seconds))}
    firsts = {_key(row, width): row for row in rows(_waits(by, since, attempts.c.first_token))}
    taken = tallies.figures(tx, by, since)
    found = [
        _figures(
            key,
            counted.get(key),
            costs.get(key, ()),
            models.get(key, ()),
            {**_cuts(waits.get(key), "p"), **_cuts(firsts.get(key), "first_p")},
            taken.get(key, TurnFigures()) if by in tallies.GROUPS else None,
        )
        for key in dict.fromkeys([*counted, *taken])
    ]
    if by in ("session", "turn"):
        return tuple(sorted(found, key=_newest_first))
    return tuple(sorted(found, key=lambda one: (-one.calls, one.key)))


def _newest_first(one: Figures) -> tuple[float, str, int]:
    moment = -one.last.timestamp() if one.last is not None else 0.0
    return moment, one.key[0], -int(one.key[1]) if len(one.key) > 1 else 0


def _key(row: Row[Any], width: int) -> Key:
    return tuple(row[:width])


def _gathered(rows: Sequence[Row[Any]], width: int, value: Callable[[Row[Any]], Any]) -> dict[Key, tuple[Any, ...]]:
    found: dict[Key, tuple[Any, ...]] = {}
    for row in rows:
        key = _key(row, width)
        found[key] = (*found.get(key, ()), value(row))
    return found


def _cuts(row: Row[Any] | None, name: str) -> dict[str, float]:
    return {} if row is None else {f"{name}{part}": getattr(row, f"p{part}") for part in (50, 95, 99)}


def _figures(
    key: Key,
    row: Row[Any] | None,
    costs: tuple[tuple[str, int], ...],
    models: tuple[str, ...],
    waits: Mapping[str, Any],
    taken: TurnFigures | None,
) -> Figures:
    names = tuple(str(part) for part in key)
    turns_taken = taken.turns if taken is not None else None
    if row is None:
        return Figures(names, turns=turns_taken or 0, of_turns=taken)
    counts = {name: int(value or 0) for name, value in row._mapping.items() if name in _COUNTED}
    return Figures(
        names,
        **{**counts, "turns": counts["turns_asking"] if turns_taken is None else turns_taken},
        costs=costs,
        models=models,
        **waits,
        first=row.first_at,
        last=row.last_at,
        of_turns=taken,
    )


def _from(statement: Select[Any], by: By | None, since: datetime | None) -> Select[Any]:
    if by in ("script", "project", "direction"):
        statement = statement.join(sessions, sessions.c.id == attempts.c.session)
    if by == "direction":
        statement = statement.where(sessions.c.direction.is_not(None))
    if by == "model":
        statement = statement.where(_asked)
    if since is not None:
        statement = statement.where(attempts.c.at >= since)
    return statement


def _number(condition: ColumnElement[bool]) -> ColumnElement[Any]:
    return func.sum(case((condition, 1), else_=0))


_NUMBERS: Mapping[str, ColumnElement[Any]] = {
    "calls": _number(_asked),
    "beside": _number(and_(_asked, attempts.c.template.in_(BESIDE))),
    "not_asked": _number(attempts.c.provider.is_(None)),
    "turns_asking": func.count(
        distinct(case((_asked, attempts.c.session + literal(":") + cast(attempts.c.turn, String))))
    ),
    "ok": _number(and_(_asked, attempts.c.outcome == "ok")),
    "rejected": _number(and_(_asked, attempts.c.outcome == "rejected")),
    "failed": _number(and_(_asked, attempts.c.outcome == "error")),
    "timed_out": _number(and_(_asked, attempts.c.outcome == "timeout")),
    "cancelled": _number(and_(_asked, attempts.c.outcome == "cancelled")),
    "retried": _number(and_(_asked, attempts.c.retry > 0)),
    "fallbacks": _number(and_(_asked, attempts.c.fallback)),
    "blocked": _number(and_(_asked, attempts.c.cause.like("check:%") | attempts.c.cause.like("cut:%"))),
    "tokens_in": func.sum(attempts.c.tokens_in),
    "cached": func.sum(attempts.c.cached),
    "tokens_out": func.sum(attempts.c.tokens_out),
    "reasoning": func.sum(attempts.c.reasoning),
    "untold": _number(and_(_asked, attempts.c.tokens_in.is_(None) | attempts.c.tokens_out.is_(None))),
    "unpriced": _number(and_(_answered, attempts.c.cost.is_(None))),
    "unpriced_failures": _number(
        and_(_asked, attempts.c.outcome.not_in(("ok", "rejected")), attempts.c.cost.is_(None))
    ),
}
_COUNTED = frozenset(_NUMBERS)


def _counts(by: By | None, since: datetime | None) -> Select[Any]:
    group = _GROUPS[by]
    numbers = [column.label(name) for name, column in _NUMBERS.items()]
    times = (func.min(attempts.c.at).label("first_at"), func.max(attempts.c.at).label("last_at"))
    return _from(select(*group, *numbers, *times).select_from(attempts), by, since).group_by(*group)


def _costs(by: By | None, since: datetime | None) -> Select[Any]:
    group = _GROUPS[by]
    columns = (*group, attempts.c.currency, func.sum(attempts.c.cost).label("cost"))
    priced = _from(select(*columns).select_from(attempts), by, since).where(attempts.c.cost.is_not(None))
    return priced.group_by(*group, attempts.c.currency).order_by(attempts.c.currency)


def _models(by: By | None, since: datetime | None) -> Select[Any]:
    group = _GROUPS[by]
    named = _from(select(*group, attempts.c.model).select_from(attempts), by, since).where(_answered)
    return named.where(attempts.c.model.is_not(None)).distinct().order_by(*group, attempts.c.model)


def _waits(by: By | None, since: datetime | None, seconds: ColumnElement[Any]) -> Select[Any]:
    """Of the calls that were told ``seconds``."""
    group = [column.label(f"group{number}") for number, column in enumerate(_GROUPS[by])]
    told = _from(select(*group, seconds.label("seconds")).select_from(attempts), by, since)
    waited = told.where(_asked, attempts.c.outcome != "cancelled", seconds.is_not(None))
    return tallies.cuts(waited, len(group), seconds)
