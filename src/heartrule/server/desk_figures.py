"""How a desk is doing: calls and how long they waited, what was taken over and how it ended. Counted from what stands
on record, without a word of what was said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from math import ceil

from heartrule.identity.principal import Principal
from heartrule.server import desk_shapes as shapes
from heartrule.server.board import projects_of
from heartrule.server.context import AppContext

MOST = 20_000
"""Rows of the record, and calls, that are counted at most."""


async def figures(context: AppContext, who: Principal, days: int) -> shapes.FiguresShape:
    store, now = context.sessions.store, context.sessions.clock.now()
    since = now - timedelta(days=days)
    calls = await store.escalations.attended(projects_of(who), MOST, unacknowledged=False)
    calls = tuple(each for each in calls if each.at >= since)
    deeds = [each for each in await store.audit.newest(MOST) if each.at >= since and each.session]
    if projects_of(who) is not None:
        there = await store.watchlist.these({each.session for each in deeds}, projects_of(who))
        own = {each.id for each in there}
        deeds = [each for each in deeds if each.session in own]
    counts = Counter(each.what for each in deeds)
    waited = sorted((each.acknowledged_at - each.at).total_seconds() for each in calls if each.acknowledged_at)
    of_day = Counter(f"{each.at:%Y-%m-%d}" for each in calls)
    taken = Counter(f"{each.at:%Y-%m-%d}" for each in deeds if each.what == "takeover")
    return shapes.FiguresShape(
        days=days,
        calls=len(calls),
        acknowledged=len(waited),
        open=len(calls) - len(waited),
        taken_over=counts["takeover"],
        handed_back=counts["hand_back"] + counts["cleared"],
        ended=counts["ended"],
        vanished=counts["vanished"],
        cleared=dict(Counter(each.detail or "other" for each in deeds if each.what == "cleared")),
        waiting=shapes.Waited(
            count=len(waited), p50=_share(waited, 0.5), p95=_share(waited, 0.95), longest=waited[-1] if waited else None
        ),
        by_day=[shapes.OfDay(day=day, calls=of_day[day], taken_over=taken[day]) for day in sorted({*of_day, *taken})],
    )


def _share(waited: Sequence[float], share: float) -> float | None:
    """The value below which that share of them is; by nearest rank."""
    return waited[max(0, ceil(share * len(waited)) - 1)] if waited else None
