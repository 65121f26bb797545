"""Variables that whoever creates a session brings along: those that the script declares, with values that it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from heartrule.language.compiling.script import Script
from heartrule.language.nodes import Variable
from heartrule.language.values import Bad, accept

Readings = Callable[[Variable, Any], Iterable[Any]]
"""What a value may mean, the likeliest first."""


class NotTaken(Exception):
    """``why`` is None when the script declares no variable of this name; ``declared`` are those that it does."""

    def __init__(self, name: str, declared: tuple[str, ...], why: Bad | None = None) -> None:
        super().__init__(name)
        self.name, self.declared, self.why = name, declared, why


def as_it_is(variable: Variable, value: Any) -> Iterable[Any]:
    return (value,)


def taken(given: Mapping[str, Any], script: Script, now: datetime, readings: Readings = as_it_is) -> dict[str, Any]:
    """The values of their types. Raises ``NotTaken``.

    The session's own declarations count before those of the project, as they do in the engine; those of phases and
    topics do not exist yet when it starts.
    """
    declared = {**script.variables, **{variable.var: variable for variable in script.session.declare}}
    values: dict[str, Any] = {name: variable.value for name, variable in declared.items()}
    found: dict[str, Any] = {}
    for name, raw in given.items():
        if name not in declared:
            raise NotTaken(name, tuple(declared))
        known = {**values, **found}
        found[name] = _value(declared[name], readings(declared[name], raw), known, now, tuple(declared))
    return found


def _value(
    variable: Variable, readings: Iterable[Any], known: Mapping[str, Any], now: datetime, declared: tuple[str, ...]
) -> Any:
    why: Bad | None = None
    for raw in readings:
        outcome = accept(variable, raw, known.get, now)
        if not isinstance(outcome, Bad):
            return outcome.value
        why = why or outcome
    raise NotTaken(variable.var, declared, why)
