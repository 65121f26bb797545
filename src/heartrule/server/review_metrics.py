"""What the server tells of replies that were reported and judged, by script."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from heartrule.store.judgements import Judgements

NUMBERS = {
    "reported": "Replies that persons reported.",
    "reviewed": "Replies that counsellors judged.",
    "unsuitable": "Of these, those that do not fit; the harmful ones among them.",
    "harmful": "Of these, those that harm.",
    "sampled": "Judged replies that nobody had reported.",
}
SHARES = {
    "reported_share": "Reported replies a turn.",
    "unsuitable_share": "Share of the judged sample that does not fit.",
}

KEPT = 100
"""So many times as long as it takes to sum a whole database is it not summed again, however often somebody asks."""


class Sums:
    """What was last told. ``now`` gives seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._told, self._until = b"", float("-inf")

    async def text(self, summed: Callable[[], Awaitable[Sequence[Judgements]]]) -> bytes:
        """``summed`` anew, or as it was a moment ago. Raises what it raises."""
        began = self._now()
        if began >= self._until:
            self._told = text(await summed())
            ended = self._now()
            self._until = ended + KEPT * (ended - began)
        return self._told


def text(found: Sequence[Judgements]) -> bytes:
    """For Prometheus: the whole database as it stands; the same in every process. A share of nothing is left out."""
    registry = CollectorRegistry()
    registry.register(_ReviewCollector(found))
    return generate_latest(registry)


class _ReviewCollector(Collector):
    def __init__(self, found: Sequence[Judgements]) -> None:
        self._found = found

    def collect(self) -> Iterable[Metric]:
        return list(self._families())

    def _families(self) -> Iterator[Metric]:
        for name, words in {**NUMBERS, **SHARES}.items():
            family = GaugeMetricFamily(f"heartrule_replies_{name}", words, labels=("script",))
            for each in self._found:
                value = getattr(each, name)
                if value is not None:
                    family.add_metric([each.script], value)
            yield family
