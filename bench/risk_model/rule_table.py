"""Which watch rules earn their place: what each finds, on sentences it was not made on, that nothing else finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bench.risk_model.held_out import Heard, node

from heartrule.engine.awareness.risk_rules import RiskMatcher
from heartrule.language.nodes import RiskPattern, RiskRules


@dataclass(frozen=True, slots=True)
class Worth:
    """Of one rule: dangers that it hears, and those that neither explicit rules nor the classifier hear; harmless
    sentences that it raises, and those that nobody else raises."""

    rule: RiskPattern
    found: int
    alone: int
    wrong: int
    alone_wrong: int


def worths(heard: Sequence[Heard], learned: Callable[[Heard], bool]) -> Iterator[Worth]:
    rules = whole()
    without = RiskMatcher(rules.model_copy(update={"watch": []}))
    rest = [each for each in heard if not learned(each) and not without.match(each.row.text).level]
    for rule in rules.watch:
        alone = RiskMatcher(rules.model_copy(update={"explicit": [], "watch": [rule]}))
        hits = [each for each in heard if _hits(alone, each)]
        own = [each for each in rest if _hits(alone, each)]
        yield Worth(
            rule,
            sum(each.row.danger for each in hits),
            sum(each.row.danger for each in own),
            sum(not each.row.danger for each in hits),
            sum(not each.row.danger for each in own),
        )


def whole() -> RiskRules:
    noticing = node().noticing
    assert noticing is not None
    assert noticing.rules is not None
    return noticing.rules


def _hits(matcher: RiskMatcher, each: Heard) -> bool:
    found = matcher.match(each.row.text)
    return found.level is not None and found.about == "self" and not found.doubted


def rule_table(heard: Sequence[Heard], learned: Callable[[Heard], bool]) -> Iterator[str]:
    yield "| watch rule | dangers heard | by nothing else | harmless raised | by nothing else |"
    yield "|---|---|---|---|---|"
    for each in worths(heard, learned):
        yield f"| {each.rule.reason} | {each.found} | {each.alone} | {each.wrong} | {each.alone_wrong} |"
