"""A value that is offered to a variable, and the record of one that was not written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from heartrule.engine.session.events import Unwritten
from heartrule.engine.session.variables import ScopeKey
from heartrule.engine.work import Work

Strategy = Literal["json", "history", "llm", "rules", "fallback", "form", "set", "passive", "correction"]
Outcome = Literal["refused", "kept", "unconfirmed", "skipped"]
"""``refused``: it cannot be a value of the variable; ``kept``: the one that is there stays; ``unconfirmed``: the person
is asked which of the two counts; ``skipped``: what the variable depends on does not hold."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A value on its way to the variable ``name`` in the scope ``where``; ``path``: to that field of it."""

    name: str
    path: str
    where: ScopeKey
    value: Any = field(repr=False)
    source: str
    strategy: Strategy
    evidence: str | None = field(default=None, repr=False)


def record(work: Work, offer: Offer, outcome: Outcome, reason: str) -> None:
    """``reason`` is said in codes and words of the script, without content."""
    held = work.variables.find(offer.name, [offer.where])
    work.emit(
        Unwritten(
            action=offer.source,
            outcome=outcome,
            reason=reason,
            name=offer.name,
            path=offer.path,
            scope=offer.where[0],
            scope_key=offer.where[1],
            old=held[1].value if held else None,
            value=offer.value,
            source=offer.source,
            strategy=offer.strategy,
            evidence=offer.evidence,
            at=work.world.now,
        )
    )
