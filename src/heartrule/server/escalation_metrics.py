"""What the server tells of escalations: how many stand where, and since when somebody waits to be seen."""

from __future__ import annotations

from collections.abc import Callable

from heartrule.jobs.worker import Worker
from heartrule.server.metrics import Metrics
from heartrule.sessions.clock import Clock

TOLD = {
    "open": "Escalations that nobody has been told of yet, and nobody is being told of.",
    "delivering": "Escalations on their way.",
    "delivered": "Escalations that were delivered and that nobody has acknowledged.",
    "failed": "Escalations that were given up.",
    "acknowledged": "Escalations that somebody has acknowledged.",
}


def count(metrics: Metrics, jobs: Worker, clock: Clock) -> None:
    """Gauges of the whole database, as it stood a few seconds ago; the same in every process."""

    def of(status: str) -> Callable[[], float]:
        return lambda: jobs.tally.counts.get(status, 0)

    def oldest() -> float:
        return (clock.now() - jobs.tally.oldest).total_seconds() if jobs.tally.oldest else 0.0

    for status, text in TOLD.items():
        metrics.gauge(f"heartrule_escalations_{status}", text, of(status))
    metrics.gauge(
        "heartrule_escalations_oldest_seconds", "Age of the oldest that nobody has acknowledged; 0: none.", oldest
    )
