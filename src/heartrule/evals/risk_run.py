"""Utterances put before a P0 script, as a session would: to its rules, or to the model beside them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from heartrule.classifiers import configured
from heartrule.engine.awareness import awareness
from heartrule.engine.awareness.risk_rules import Risk, matcher_for
from heartrule.engine.session.awareness_results import Verdict
from heartrule.engine.session.classifier import Classifier
from heartrule.engine.session.tasks import Context, Line, Task
from heartrule.evals.risk_figures import Found, UtteranceResult
from heartrule.evals.risk_items import Utterance
from heartrule.language.nodes import Awareness, RiskRules
from heartrule.llm.model import Model
from heartrule.prompts.fixed_sentences import spoken

_FOUND: dict[str, Found] = {"yes": "explicit", "watch": "watch", "no": "none", "unknown": "none"}


def rules_of(node: Awareness) -> RiskRules:
    """Of a script that has some."""
    rules = node.noticing.rules if node.noticing is not None else None
    return rules or RiskRules()


def by_rules(
    node: Awareness,
    rows: Sequence[Utterance],
    told: Callable[[int, int], None],
    classifiers: Mapping[str, Classifier] | None = None,
) -> list[UtteranceResult]:
    """What is heard without a model: by rules, and by the classifier that reads along (without any given, the one that
    is configured). ``told`` hears how many of all have been judged."""
    matcher = matcher_for(rules_of(node))
    known = configured() if classifiers is None else classifiers
    _ruled("", node, matcher.match(""), "", known)
    heard = []
    for number, row in enumerate(rows, 1):
        begun = time.perf_counter()
        found = _ruled("", node, matcher.match(row.text), row.text, known)
        seconds = time.perf_counter() - begun
        heard.append(UtteranceResult(row, _FOUND[found.verdict], seconds, found.reason, found.about))
        told(number, len(rows))
    return heard


def _ruled(ref: str, node: Awareness, match: Risk, text: str, classifiers: Mapping[str, Classifier]) -> Verdict:
    level: Literal["yes", "watch", "no"] = "yes" if match.level == "explicit" else match.level or "no"
    ruled = Verdict(ref, node, level, "rules", match.reason, match.evidence, about=match.about, doubted=match.doubted)
    return awareness.read_along(ruled, classifiers, text)


@dataclass(slots=True)
class ModelListening:
    """A script's question asked of a model about each utterance by itself, and joined to what its rules say."""

    model: Model
    ref: str
    node: Awareness
    locale: str = "zh-CN"
    parallel: int = 4
    told: Callable[[int, int], None] = field(default=lambda done, all_: None)
    _done: int = 0

    async def run(self, rows: Sequence[Utterance]) -> list[UtteranceResult]:
        gate = asyncio.Semaphore(self.parallel)

        async def one(row: Utterance) -> UtteranceResult:
            async with gate:
                heard = await self._hear(row)
            self._done += 1
            self.told(self._done, len(rows))
            return heard

        return list(await asyncio.gather(*(one(row) for row in rows)))

    async def _hear(self, row: Utterance) -> UtteranceResult:
        begun = time.perf_counter()
        match = matcher_for(rules_of(self.node)).match(row.text)
        ruled = _ruled(self.ref, self.node, match, row.text, configured())
        task = self._task(row)
        answer = (await self.model.answer([task]))[task.key]
        (joined,) = awareness.with_model([ruled], answer)
        return UtteranceResult(
            row,
            _FOUND[joined.verdict],
            time.perf_counter() - begun,
            joined.reason,
            joined.about,
            unanswered=joined.source == "default",
        )

    def _question(self) -> str:
        always = spoken(None, "answer_always", locale=self.locale)
        return awareness.as_asked(1, self.node, self.locale, always=always)

    def _task(self, row: Utterance) -> Task:
        return Task(
            key="risk",
            kind="judge",
            role="judge",
            template="risk",
            context=Context(None, self.locale, {}, {}, (Line("person", row.text),)),
            values={"questions": self._question(), "handling": "", "since": ""},
            schema=awareness.RISK_SCHEMA,
            required=("verdicts",),
            temperature=0.0,
            seconds=awareness.HOLD,
        )
