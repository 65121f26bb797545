"""How sessions of a release go, and whether a release that is being tried has crossed a limit. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any

from heartrule.language.bilingual import Bilingual
from heartrule.sessions.session_status import AWAY
from heartrule.store.release_figures import Course, Sums

FEWEST = 5
"""Of fewer sessions it is not told where they were left, nor what was noticed in them: it would tell of somebody."""
COMPLETED = frozenset({"completed", "transition"})


@dataclass(frozen=True, slots=True)
class Figures:
    """``decided``: sessions that have ended or that nobody has come back to for half an hour, of the newest; shares are
    of those. ``left``: by topic, where sessions were left. ``cost``: in millionths a turn, by currency. None: nothing
    to tell it from."""

    sessions: int
    turns: int
    decided: int
    completed: float | None
    left: Mapping[str, int] = field(default_factory=dict)
    noticed: float | None = None
    faulty: float | None = None
    cost: Mapping[str, float] = field(default_factory=dict)
    reported: float | None = None
    unsuitable: float | None = None
    reviewed: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a release that is being tried is halted, once ``least`` of its sessions are decided: how far each share may
    be worse than the former one's (``0.2``: twenty points), and how many times the former's ``cost`` a turn may cost.
    None: that is not looked at."""

    least: int = 20
    completed: float | None = 0.2
    noticed: float | None = 0.1
    faulty: float | None = 0.05
    reported: float | None = 0.05
    unsuitable: float | None = 0.1
    cost: float | None = 2.0

    def plain(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Limits:
        return cls(**{each.name: told[each.name] for each in fields(cls) if each.name in told})


@dataclass(frozen=True, slots=True)
class CrossedLimit:
    """``what``: the name of the limit; ``now`` and ``before``: the figures of the two."""

    what: str
    now: float
    before: float
    limit: float

    @property
    def says(self) -> Bilingual:
        name = NAMES[self.what]
        now, before = _shown(self.what, self.now), _shown(self.what, self.before)
        return Bilingual(f"{name.zh}：{now}，之前是 {before}。", f"{name.en}: {now}, before {before}.")


NAMES: Mapping[str, Bilingual] = {
    "completed": Bilingual("谈完的比例", "Sessions completed"),
    "noticed": Bilingual("触发意识脚本的会谈", "Sessions in which awareness scripts hit"),
    "faulty": Bilingual("出故障的会谈", "Sessions with faults"),
    "reported": Bilingual("被报告的回复", "Replies reported"),
    "unsuitable": Bilingual("被评为不合适的回复", "Replies judged unsuitable"),
    "cost": Bilingual("每轮费用的倍数", "Cost of a turn, as a multiple"),
}


def _shown(what: str, value: float) -> str:
    return f"{value:.2f}" if what == "cost" else f"{value:.0%}"


def figures(sums: Sums, courses: Sequence[Course], now: datetime) -> Figures:
    decided = [each for each in courses if each.ended or now - each.last_active_at >= AWAY]
    enough = len(decided) >= FEWEST
    over = [each for each in decided if each.reason not in COMPLETED]
    left = Counter(each.topic or each.phase for each in over if each.topic or each.phase)
    return Figures(
        sessions=sums.sessions,
        turns=sums.turns,
        decided=len(decided),
        completed=_share(sum(each.reason in COMPLETED for each in decided), len(decided)),
        left=dict(left.most_common()) if enough else {},
        noticed=_share(sum(bool(each.noticed) for each in decided), len(decided)) if enough else None,
        faulty=_share(sum(each.faults > 0 or each.status == "interrupted" for each in courses), len(courses)),
        cost={currency: cost / sums.turns for currency, cost in sums.cost} if sums.turns else {},
        reported=_share(sums.reported, sums.turns),
        unsuitable=_share(sums.unsuitable, sums.reviewed),
        reviewed=sums.reviewed,
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def crossed(limits: Limits, now: Figures, before: Figures) -> tuple[CrossedLimit, ...]:
    """The limits that the one that is being tried (``now``) has crossed, beside the one that it would take the place
    of. Of that one nothing need be known: then a share is held against the best there is."""
    if now.decided < limits.least:
        return ()
    found = [
        _worse("completed", limits.completed, now.completed, _or(before.completed, 1.0), higher_is_worse=False),
        _worse("noticed", limits.noticed, now.noticed, _or(before.noticed, 0.0)),
        _worse("faulty", limits.faulty, now.faulty, _or(before.faulty, 0.0)),
        _worse("reported", limits.reported, now.reported, _or(before.reported, 0.0)),
        _worse("unsuitable", limits.unsuitable, now.unsuitable, _or(before.unsuitable, 0.0)),
        _dearer(limits.cost, now.cost, before.cost),
    ]
    return tuple(each for each in found if each is not None)


def _or(value: float | None, other: float) -> float:
    return other if value is None else value


def _worse(
    what: str, limit: float | None, now: float | None, before: float, *, higher_is_worse: bool = True
) -> CrossedLimit | None:
    if limit is None or now is None:
        return None
    by = now - before if higher_is_worse else before - now
    return CrossedLimit(what, now, before, limit) if by > limit else None


def _dearer(limit: float | None, now: Mapping[str, float], before: Mapping[str, float]) -> CrossedLimit | None:
    times = [now[currency] / before[currency] for currency in now if before.get(currency)]
    if limit is None or not times or max(times) <= limit:
        return None
    return CrossedLimit("cost", max(times), 1.0, limit)
