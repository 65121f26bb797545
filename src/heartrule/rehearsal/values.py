"""What a variable can never hold, whatever is said: outside of its range, none of its options."""

from __future__ import annotations

from typing import Any

from heartrule.language.names import SCOPES
from heartrule.language.nodes import Declares, Get, VariableRules
from heartrule.language.said import Said
from heartrule.language.values import Bad, accept
from heartrule.rehearsal.known import Known, head

_NEVER = frozenset({"range", "not_an_option"})


def never(known: Known, name: str, value: Any) -> Said | None:
    """Why it cannot: every rule there is for the name refuses it. None where one might take it, or for a field."""
    if value is None or name not in (head(name), *(f"{scope}.{head(name)}" for scope in SCOPES)):
        return None
    why: Said | None = None
    for rules in rules_of(known, name):
        outcome = accept(rules, value, lambda _: None)
        if not isinstance(outcome, Bad) or outcome.code not in _NEVER:
            return None
        why = Said(outcome.zh, outcome.en)
    return why


def rules_of(known: Known, name: str) -> list[VariableRules]:
    """The declarations, and the outputs that say for themselves what they take; without a declaration, all outputs,
    unless something else writes it, which may be anything."""
    name = head(name)
    declared: list[VariableRules] = [each for ref, each in known.script.variables.items() if ref == name]
    outputs: list[VariableRules] = []
    free = False
    for node in known.nodes:
        if isinstance(node, Declares):
            declared += [each for each in node.declare if each.var == name]
        here = [each for each in node.peek("output") or () if isinstance(each, Get) and each.get == name]
        outputs += here
        free = free or (not here and any(write.head == name for write in known.names.writes(node)))
    own = [each for each in outputs if each.model_fields_set & {"type", "range", "options"}]
    return [*declared, *own] if declared else [] if free else outputs
