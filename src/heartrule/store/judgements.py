"""How many replies were reported and judged, and how: sums by script. Nothing is opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, case, func, select

from heartrule.store.database import Tx
from heartrule.store.schema import reports, reviews, sessions, turns


@dataclass(frozen=True, slots=True)
class Judgements:
    """Of one script. ``reported``: replies; ``sampled`` and ``unsuitable_sampled`` are of the sample alone, which says
    something of all replies; ``reviewed``, ``unsuitable`` and ``harmful`` are of every reply that was judged. What is
    harmful is unsuitable as well."""

    script: str
    turns: int = 0
    reported: int = 0
    reviewed: int = 0
    unsuitable: int = 0
    harmful: int = 0
    sampled: int = 0
    unsuitable_sampled: int = 0

    @property
    def reported_share(self) -> float | None:
        """Of the turns."""
        return self.reported / self.turns if self.turns else None

    @property
    def unsuitable_share(self) -> float | None:
        """Of the sample that was judged."""
        return self.unsuitable_sampled / self.sampled if self.sampled else None


_bad = reviews.c.verdict != "fitting"
_drawn = reviews.c.cause == "sampled"
_REPORTED = {"reported": func.count()}
_REVIEWED = {
    "reviewed": func.count(),
    "unsuitable": func.sum(case((_bad, 1), else_=0)),
    "harmful": func.sum(case((reviews.c.verdict == "harmful", 1), else_=0)),
    "sampled": func.sum(case((_drawn, 1), else_=0)),
    "unsuitable_sampled": func.sum(case((_bad & _drawn, 1), else_=0)),
}


def judgements(tx: Tx, since: datetime | None = None) -> tuple[Judgements, ...]:
    """By script. ``since``: what was said, reported and judged from then on."""
    found: dict[str, dict[str, int]] = {}
    for statement in (_turns(since), _of(reports, _REPORTED, since), _of(reviews, _REVIEWED, since)):
        for row in tx.conn.execute(statement).mappings():
            told = {name: int(number or 0) for name, number in row.items() if name != "script"}
            found.setdefault(row["script"], {}).update(told)
    return tuple(Judgements(script, **told) for script, told in sorted(found.items()))


def _turns(since: datetime | None) -> Select[Any]:
    if since is not None:
        return _of(turns, {"turns": func.count()}, since)
    return select(sessions.c.script, func.sum(sessions.c.seq).label("turns")).group_by(sessions.c.script)


def _of(table: Table, counted: Mapping[str, ColumnElement[Any]], since: datetime | None) -> Select[Any]:
    columns = [each.label(name) for name, each in counted.items()]
    statement = select(sessions.c.script, *columns).join_from(table, sessions, sessions.c.id == table.c.session)
    statement = statement if since is None else statement.where(table.c.at >= since)
    return statement.group_by(sessions.c.script)
