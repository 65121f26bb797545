"""How well values are taken from what is said: held items, counted, with numbers that say how sure they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from heartrule.evals.extraction_gold import VERDICTS, Verdict
from heartrule.evals.extraction_items import KINDS
from heartrule.evals.extraction_round import STRATEGIES
from heartrule.evals.extraction_run import Came, ItemRun
from heartrule.evals.figures import Share, wilson


@dataclass(frozen=True, slots=True)
class KindCount:
    """How many values of a kind were right, wrong, missed, invented; the share that was right."""

    label: str
    right: int
    wrong: int
    missed: int
    invented: int
    share: Share | None

    @property
    def all(self) -> int:
        return self.right + self.wrong + self.missed + self.invented


@dataclass(frozen=True, slots=True)
class TagCount:
    """Items with a tag: how many succeeded."""

    tag: str
    items: int
    success: Share


@dataclass(frozen=True, slots=True)
class VariableOutcome:
    """A variable, what it was to hold and what it holds. ``why``: what is the matter where nothing is to be taken."""

    id: str
    name: str
    type: str
    verdict: Verdict
    strategy: str
    why: str
    gold: Any = field(repr=False)
    held: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class Report:
    """``success`` is over items, everything else over values. ``came``: what became of the first attempts."""

    items: int
    successes: int
    success: Share | None
    came: dict[Came, int]
    values: KindCount
    types: list[KindCount]
    empty: list[KindCount]
    strategies: list[KindCount]
    tags: list[TagCount]
    faults: list[VariableOutcome] = field(repr=False)
    stale: list[str]


def report(held: Sequence[ItemRun]) -> Report:
    """Everything that is told of a file."""
    successes = sum(each.success for each in held)
    rows = list(_rows(held))
    full = [row for row in rows if row.gold is not None]
    bare = [row for row in rows if row.gold is None]
    types = list(dict.fromkeys(row.type for row in full))
    return Report(
        items=len(held),
        successes=successes,
        success=wilson(successes, len(held)),
        came=dict(Counter(each.came for each in held)),
        values=_counted("all", rows),
        types=[_counted(name, [row for row in full if row.type == name]) for name in sorted(types)],
        empty=[_counted(kind, found) for kind in KINDS if (found := [row for row in bare if row.why == kind])],
        strategies=[
            _counted(name, found) for name in STRATEGIES if (found := [row for row in rows if row.strategy == name])
        ],
        tags=_tags(held),
        faults=[row for row in rows if row.verdict != "right"],
        stale=[each.item.id for each in held if each.came == "stale"],
    )


def _rows(held: Iterable[ItemRun]) -> Iterable[VariableOutcome]:
    for each in held:
        for variable in each.item.output:
            name = variable["get"]
            written = each.written.get(name)
            yield VariableOutcome(
                id=each.item.id,
                name=name,
                type=variable.get("type") or "text",
                verdict=each.verdicts[name],
                strategy=written.strategy if written else "",
                why=each.item.missing.get(name, ""),
                gold=each.item.gold[name],
                held=written.value if written else each.item.before.get(name),
            )


def _counted(label: str, rows: Iterable[VariableOutcome]) -> KindCount:
    found = Counter(row.verdict for row in rows)
    counts = {name: found[name] for name in VERDICTS}
    return KindCount(label, **counts, share=wilson(found["right"], sum(counts.values())))


def _tags(held: Sequence[ItemRun]) -> list[TagCount]:
    found = []
    for tag in sorted({tag for each in held for tag in each.item.tags}):
        own = [each for each in held if tag in each.item.tags]
        share = wilson(sum(each.success for each in own), len(own))
        assert share is not None
        found.append(TagCount(tag, len(own), share))
    return found
