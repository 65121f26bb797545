"""What the server counts. Labels are routes and statuses, never anybody's ids."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60)


class Metrics:
    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self.requests = Counter(
            "heartrule_requests", "Answered requests.", ("route", "method", "status"), registry=self._registry
        )
        self.seconds = Histogram(
            "heartrule_request_seconds",
            "Seconds until the answer began.",
            ("route", "method"),
            buckets=SECONDS,
            registry=self._registry,
        )
        self.faults = Counter("heartrule_faults", "Answers with status 500.", registry=self._registry)
        self.woken = Counter("heartrule_sessions_woken", "Sessions woken by the sweep.", registry=self._registry)
        self.put_down = Counter("heartrule_turns_put_down", "Turns put down at a stop.", registry=self._registry)

    def gauge(self, name: str, text: str, value: Callable[[], float]) -> None:
        Gauge(name, text, registry=self._registry).set_function(value)

    def text(self) -> bytes:
        return generate_latest(self._registry)
