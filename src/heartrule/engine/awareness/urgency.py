"""Words that have come and are not yet any turn's: whether they can wait until the present one is over."""

from __future__ import annotations

from heartrule.engine.awareness import awareness
from heartrule.engine.session.io import World
from heartrule.engine.work import Work


def cannot_wait(world: World, text: str) -> bool:
    """Whether rules in code read explicit intent in words that the turn of ``world`` does not answer. Whether somebody
    is handling it already makes no difference: whoever says it is answered at once."""
    return any(verdict.verdict == "yes" for verdict in awareness.by_rules(Work.of(world), text))
