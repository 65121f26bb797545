"""The crisis technique: what calls it, beside awareness scripts, and that nothing calls it twice."""

from __future__ import annotations

from typing import Any

from heartrule.engine import scopes, topics
from heartrule.engine.events import Fault
from heartrule.engine.extraction import alarming
from heartrule.engine.work import SAFETY, Work
from heartrule.language.nodes import VariableRules

CRISIS = "safety/crisis_support"
"""What a positive or unclear answer to a variable marked ``risk`` calls."""


def technique(work: Work) -> str:
    """Its full id in the language of the session."""
    found = work.world.script.skill(CRISIS, SAFETY)
    return found[0] if found else CRISIS


def called(cause: str) -> bool:
    """Whether this is what a topic was put aside for."""
    return cause.startswith((f"awareness {SAFETY}/", "risk variable of "))


def runs(work: Work) -> bool:
    frames = [*work.state.suspended, *([work.state.running] if work.state.running else [])]
    return any(frame.ref == technique(work) for frame in frames)


def call(work: Work, cause: str) -> None:
    """Put everything else aside for it; unless it runs already."""
    if runs(work):
        return
    why = topics.interrupt(work, technique(work), cause)
    if why:
        work.emit(Fault(what=f"{CRISIS}: {why}"))


def raise_risk(work: Work) -> None:
    """Explicit intent while a safety topic is running: its variables marked ``risk`` become true, so that it stays."""
    body = work.body()
    for variable in body.declare if body is not None and work.running.project == SAFETY else ():
        if variable.risk:
            scopes.write(work, variable.var, True, strategy="rules")


def rings(work: Work, name: str, rules: VariableRules | None, before: Any) -> bool:
    """Whether a variable marked ``risk`` has become a yes that it was not before."""
    return rules is not None and rules.risk and not alarming(before) and alarming(scopes.lookup(work, name))
