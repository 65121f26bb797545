"""Variables given at the start (``--set``): those that the script declares, with values that it takes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from heartrule.cli.words import Words
from heartrule.language.nodes import Variable
from heartrule.language.script import Script
from heartrule.language.values import Bad, accept


class NotTaken(Exception):
    """``why`` is None when the script declares no variable of this name; ``declared`` are those that it does."""

    def __init__(self, name: str, declared: tuple[str, ...], why: Bad | None = None) -> None:
        super().__init__(name)
        self.name, self.declared, self.why = name, declared, why

    def told(self, words: Words) -> str:
        if self.why is not None:
            return words("set_refused", name=self.name, why=self.why.zh if words.language == "zh" else self.why.en)
        if not self.declared:
            return words("set_nothing", name=self.name)
        return words("set_unknown", name=self.name, names=words("and").join(self.declared))


def taken(given: Mapping[str, str], script: Script, now: datetime) -> dict[str, Any]:
    """The values of their types, from what was typed. Raises ``NotTaken``.

    The session's own declarations count before those of the project, as they do in the engine; those of phases and
    topics do not exist yet when it starts.
    """
    declared = {**script.variables, **{variable.var: variable for variable in script.session.declare}}
    values: dict[str, Any] = {name: variable.value for name, variable in declared.items()}
    found: dict[str, Any] = {}
    for name, text in given.items():
        if name not in declared:
            raise NotTaken(name, tuple(declared))
        found[name] = _value(declared[name], text, {**values, **found}, now, tuple(declared))
    return found


def _value(variable: Variable, text: str, known: Mapping[str, Any], now: datetime, declared: tuple[str, ...]) -> Any:
    why: Bad | None = None
    for raw in _readings(variable, text):
        outcome = accept(variable, raw, known.get, now)
        if not isinstance(outcome, Bad):
            return outcome.value
        why = why or outcome
    raise NotTaken(variable.var, declared, why)


def _readings(variable: Variable, text: str) -> Iterator[Any]:
    """What was typed may be JSON, or a text as it stands; a number where a text is wanted keeps its zeros."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        yield text
        return
    if variable.type == "text" and not isinstance(read, str):
        yield text
    else:
        yield read
        if variable.type is not None:
            yield text
