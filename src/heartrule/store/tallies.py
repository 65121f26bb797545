"""What is counted of a turn when it is committed: numbers in clear, so that sums over many turns unseal nothing."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, case, func, select

from heartrule.store.database import Tx
from heartrule.store.records import Commit, EventRecord, TurnFigures
from heartrule.store.schema import sessions, turns

GROUPS: Mapping[str | None, tuple[ColumnElement[Any], ...]] = {
    None: (),
    "script": (sessions.c.script,),
    "project": (sessions.c.project,),
    "session": (turns.c.session,),
    "direction": (sessions.c.script, sessions.c.direction),
}
"""What turns can be counted by that asked nobody. All others are counted by their attempts."""
_CUTS = (50, 95, 99)


def counts(turn: Commit) -> dict[str, float | int | None]:
    """The columns of ``turns`` that hold counts. What an unknown event says is not counted."""
    found: dict[str, float | int | None] = {"rounds": turn.rounds, "seconds": turn.seconds, **dict.fromkeys(_EVENTS, 0)}
    for event in turn.events:
        for name, number in _of(event).items():
            found[name] = (found[name] or 0) + number
    return found


_EVENTS = (
    *("perceptions", "perceived", "speculative", "redone", "fused", "unfused"),
    *("completed", "satisfaction"),
)


def _of(event: EventRecord) -> Mapping[str, float]:
    data = event.data
    match event.kind:
        case "perceived":
            return {"perceptions": int(data["calls"]), "perceived": int(data["asked"])}
        case "replied":
            return {"speculative": int(data["speculative"]), "redone": int(data["speculative"] and data["redone"])}
        case "ended":
            return {"completed": int(data["reason"] == "completed")}
        case "form_submitted":
            return {} if data.get("points") is None else {"satisfaction": data["points"]}
        case "fused":
            return {"fused": 1, "unfused": int(not data["kept"])}
        case _:
            return {}


def figures(tx: Tx, by: str | None, since: datetime | None) -> dict[tuple[Hashable, ...], TurnFigures]:
    """The sums of each group's turns; none where turns may belong to several groups."""
    if by not in GROUPS:
        return {}
    width = len(GROUPS[by])
    waits = {tuple(row[:width]): row for row in tx.conn.execute(_waits(by, since)).all()}
    found = {}
    for row in tx.conn.execute(_sums(by, since)).all():
        key = tuple(row[:width])
        if row.turns:
            found[key] = _figures(row, waits.get(key))
    return found


def _figures(row: Row[Any], waits: Row[Any] | None) -> TurnFigures:
    told: dict[str, Any] = {
        each.name: int(getattr(row, each.name) or 0) for each in fields(TurnFigures) if each.name in _SUMS
    }
    told["satisfaction"] = float(row.satisfaction or 0)
    cuts = {f"p{part}": getattr(waits, f"p{part}") for part in _CUTS} if waits is not None else {}
    return TurnFigures(**told, **cuts)


_SUMS: Mapping[str, ColumnElement[Any]] = {
    "turns": func.count(),
    "counted": func.count(turns.c.rounds),
    "waited": func.sum(case((turns.c.rounds > 0, 1), else_=0)),
    "waited_once": func.sum(case((turns.c.rounds == 1, 1), else_=0)),
    "perceptions": func.sum(turns.c.perceptions),
    "perceived": func.sum(turns.c.perceived),
    "speculative": func.sum(turns.c.speculative),
    "redone": func.sum(turns.c.redone),
    "fused": func.sum(turns.c.fused),
    "unfused": func.sum(turns.c.unfused),
    "started": func.sum(case((turns.c.seq == 1, 1), else_=0)),
    "completed": func.sum(turns.c.completed),
    "rated": func.sum(case((turns.c.satisfaction > 0, 1), else_=0)),
    "satisfaction": func.sum(turns.c.satisfaction),
}


_tried = select(sessions.c.id).where(sessions.c.trial.is_not(None))


def _from(statement: Select[Any], by: str | None, since: datetime | None) -> Select[Any]:
    if by in ("script", "project", "direction"):
        statement = statement.join(sessions, sessions.c.id == turns.c.session)
    if by == "direction":
        statement = statement.where(sessions.c.direction.is_not(None))
    statement = statement.where(turns.c.session.not_in(_tried))
    return statement if since is None else statement.where(turns.c.at >= since)


def _sums(by: str | None, since: datetime | None) -> Select[Any]:
    columns: Sequence[ColumnElement[Any]] = [*GROUPS[by], *(sum_.label(name) for name, sum_ in _SUMS.items())]
    return _from(select(*columns).select_from(turns), by, since).group_by(*GROUPS[by])


def _waits(by: str | None, since: datetime | None) -> Select[Any]:
    """Nearest rank, of the turns that waited for a model."""
    told = _from(
        select(*(column.label(f"group{n}") for n, column in enumerate(GROUPS[by])), turns.c.seconds), by, since
    )
    return cuts(told.where(turns.c.rounds > 0), len(GROUPS[by]), turns.c.seconds)


def cuts(told: Select[Any], width: int, seconds: ColumnElement[Any]) -> Select[Any]:
    """``p50``, ``p95``, ``p99`` of ``seconds``, by the first ``width`` columns of ``told``: nearest rank, the least
    number that so many per cent do not exceed."""
    group = list(told.selected_columns)[:width]
    ranked = told.add_columns(
        func.row_number().over(partition_by=group, order_by=seconds).label("rank"),
        func.count().over(partition_by=group).label("number"),
        seconds.label("of"),
    ).subquery()
    keys = [ranked.c[f"group{number}"] for number in range(width)]
    parts = [
        func.min(case((ranked.c.rank * 100 >= ranked.c.number * part, ranked.c.of))).label(f"p{part}") for part in _CUTS
    ]
    return select(*keys, *parts).group_by(*keys)
