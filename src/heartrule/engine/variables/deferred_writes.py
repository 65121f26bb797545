"""Writes that are put off: what a part of a block writes is seen by itself only, until the whole block has ended.

While ``recording`` is on, everything that is written is noted down and taken back again when it is over; ``apply``
writes it for good, by all the rules of writing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from heartrule.engine.session.state import State
from heartrule.engine.variables import scopes
from heartrule.engine.variables.evidence import gets
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, VariableRules

Written = dict[str, Any]
"""The arguments of one write, as plain data."""
_OF_WRITES = ("variable", "unwritten")
_RESTORED = ("writes", "contradictions", "versions")
"""What writing changes in the state."""


@contextmanager
def recording(work: Work, action: Action, before: Iterable[Written]) -> Iterator[list[Written]]:
    """Within it what was noted ``before`` counts as written. Gives what is noted within."""
    held, state, events = work.variables, _kept(work.state), len(work.events)
    work.variables = held.copy()
    for written in before:
        _write(work, action, written)
    noted: list[Written] = []
    work.recorded = noted
    try:
        yield noted
    finally:
        work.recorded = None
        work.variables = held
        for name, value in state.items():
            setattr(work.state, name, value)
        work.events[events:] = [event for event in work.events[events:] if event.kind not in _OF_WRITES]


def apply(work: Work, action: Action, noted: Sequence[Written]) -> bool:
    """Write for good. Whether a variable marked ``risk`` has become a yes by it."""
    risk = False
    for written in noted:
        name = str(written["name"])
        before = scopes.lookup(work, name)
        _write(work, action, written)
        risk = risk or scopes.rings(work, name, _rules(work, action, name), before)
    return risk


def _write(work: Work, action: Action, written: Written) -> None:
    scopes.write(work, **written, rules=_rules(work, action, str(written["name"])))


def _rules(work: Work, action: Action, name: str) -> VariableRules | None:
    """What holds for a name where this action writes it."""
    declared = scopes.definition(work, name)[1]
    item = next((each for each in gets(action.peek("output") or []) if each.get == name), None)
    return declared if item is None else scopes.rules_for(declared, item)


def _kept(state: State) -> dict[str, Any]:
    copied = state.model_copy(deep=True)
    return {name: getattr(copied, name) for name in _RESTORED}
