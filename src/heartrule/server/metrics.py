"""What the server counts. Labels are routes and statuses, never anybody's ids."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

from heartrule.engine.dialogue.speech import HELD_BACK
from heartrule.engine.session.tasks import Attempt, Task
from heartrule.llm.prices import PARTS
from heartrule.store.records import Commit
from heartrule.store.tallies import counts

ASKED = ("provider", "model", "purpose")
"""By who was asked, as the settings name them, and for what. Who answered may call itself anything, and is no label."""
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60)
MANY = 4
"""Rounds of waiting that are counted as so many or more."""


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

        self._model_metrics()
        self._turn_metrics()

    def _model_metrics(self) -> None:
        self.calls = Counter(
            "heartrule_model_calls", "Calls of language models.", (*ASKED, "outcome"), registry=self._registry
        )
        self.call_seconds = Histogram(
            "heartrule_model_call_seconds",
            "Seconds a call took.",
            ASKED,
            buckets=SECONDS,
            registry=self._registry,
        )
        self.failures = Counter(
            "heartrule_model_failures", "Calls without a usable answer.", (*ASKED, "cause"), registry=self._registry
        )
        self.tokens = Counter(
            "heartrule_model_tokens",
            "Tokens that providers told of; cached is part of input, reasoning of output.",
            (*ASKED, "kind"),
            registry=self._registry,
        )
        self.cost = Counter(
            "heartrule_model_cost", "What calls cost, as far as known.", (*ASKED, "currency"), registry=self._registry
        )
        self.unpriced = Counter(
            "heartrule_model_calls_of_unknown_cost", "Calls whose cost is unknown.", ASKED, registry=self._registry
        )

        self.first = Histogram(
            "heartrule_model_first_token_seconds",
            "Seconds to the first token, of calls that told it.",
            ASKED,
            buckets=SECONDS,
            registry=self._registry,
        )
        self.retries = Counter("heartrule_model_retries", "Calls made once more.", ASKED, registry=self._registry)
        self.fallbacks = Counter("heartrule_model_fallbacks", "Calls of a stand-in.", ASKED, registry=self._registry)
        self.blocked = Counter(
            "heartrule_model_blocked",
            "Answers with words that may not be shown; what was objected to.",
            (*ASKED, "check"),
            registry=self._registry,
        )

    def _turn_metrics(self) -> None:
        def counter(name: str, text: str, labels: tuple[str, ...] = ()) -> Counter:
            return Counter(name, text, labels, registry=self._registry)

        self.turns = counter("heartrule_turns", "Turns, by how often they waited for a model.", ("rounds",))
        self.turn_seconds = Histogram(
            "heartrule_turn_seconds",
            "Seconds from a turn's beginning to its commit, of turns that waited for a model.",
            buckets=SECONDS,
            registry=self._registry,
        )
        self.perceptions = counter("heartrule_perception_calls", "Calls that were asked what the words say.")
        self.perceived = counter("heartrule_perception_items", "Things those calls were asked for.")
        self.replies = counter("heartrule_speculative_replies", "Replies asked for early.", ("redone",))
        self.fused = counter("heartrule_fused_replies", "Replies that could open the next action too.", ("kept",))

        self.started = counter("heartrule_sessions_started", "Sessions that had their first turn.")
        self.completed = counter("heartrule_sessions_completed", "Sessions that came to the end of their script.")
        self.rated = counter("heartrule_sessions_rated", "Sessions whose persons said what they were like.")
        self.satisfaction = counter("heartrule_sessions_satisfaction", "What they said, in points from 1 to 5, summed.")
        self.restored = counter(
            "heartrule_sessions_restored", "Sessions that somebody came back to, by whether they go on.", ("outcome",)
        )

    def turn(self, commit: Commit) -> None:
        """A turn that stands."""
        counted = counts(commit)
        told = {name: int(number or 0) for name, number in counted.items()}
        self.started.inc(commit.seq == 1)
        self.completed.inc(told["completed"])
        self.rated.inc(told["satisfaction"] > 0)
        self.satisfaction.inc(counted["satisfaction"] or 0)
        self.turns.labels(str(min(told["rounds"], MANY)) + ("+" if told["rounds"] >= MANY else "")).inc()
        if told["rounds"] and commit.seconds is not None:
            self.turn_seconds.observe(commit.seconds)
        self.perceptions.inc(told["perceptions"])
        self.perceived.inc(told["perceived"])
        self.replies.labels("yes").inc(told["redone"])
        self.replies.labels("no").inc(told["speculative"] - told["redone"])
        self.fused.labels("yes").inc(told["fused"] - told["unfused"])
        self.fused.labels("no").inc(told["unfused"])

    def attempt(self, task: Task, attempt: Attempt) -> None:
        """What a model was asked, and what came of it; of what was given up before that, only the cause."""
        provider, _, model = attempt.provider.partition("/")
        asked = (provider, model, task.template)
        if attempt.outcome not in ("ok", "cancelled"):
            self.failures.labels(*asked, attempt.code).inc()
        if not attempt.provider:
            return
        self.calls.labels(*asked, attempt.outcome).inc()
        self.call_seconds.labels(*asked).observe(attempt.seconds)
        if attempt.first_token is not None:
            self.first.labels(*asked).observe(attempt.first_token)
        if attempt.number > 1:
            self.retries.labels(*asked).inc()
        if attempt.fallback:
            self.fallbacks.labels(*asked).inc()
        if attempt.code.startswith(HELD_BACK):
            self.blocked.labels(*asked, attempt.code.partition(":")[2]).inc()
        kinds = {
            "input": attempt.tokens_in,
            "cached": attempt.cached,
            "output": attempt.tokens_out,
            "reasoning": attempt.reasoning,
        }
        for kind, number in kinds.items():
            if number is not None:
                self.tokens.labels(*asked, kind).inc(number)
        if attempt.cost is None or attempt.currency is None:
            self.unpriced.labels(*asked).inc()
        else:
            self.cost.labels(*asked, attempt.currency).inc(attempt.cost / PARTS)

    def gauge(self, name: str, text: str, value: Callable[[], float]) -> None:
        Gauge(name, text, registry=self._registry).set_function(value)

    def text(self) -> bytes:
        return generate_latest(self._registry)
