"""What variables depend on (``depends_on``): a value is looked for as soon as that holds, and not before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from heartrule.engine.variables.definitions import definition, lookup, rules_for
from heartrule.engine.work import Work
from heartrule.language.nodes import Get, Set, VariableRules

_NOTHING: Mapping[str, Any] = {}


def lacking(work: Work, rules: VariableRules, found: Mapping[str, Any] = _NOTHING) -> str | None:
    """Why the variable is not looked for now: the condition that does not hold, in its own words, or the name of the
    variable that is not known. None: nothing stands in its way. ``found``: values that are about to be written."""

    def read(name: str) -> Any:
        return found[name] if name in found else lookup(work, name)

    for each in rules.depends_on or ():
        if each.var is not None and read(each.var) is None:
            return each.var
        if each.condition is not None and not each.condition.holds(read, work.world.now):
            return each.condition.source
    return None


def wanted(work: Work, output: Iterable[Get | Set]) -> list[Get]:
    """The outputs that are looked for now."""
    return [item for item in output if isinstance(item, Get) and lacking(work, rules_of(work, item)) is None]


def skipped(work: Work, output: Iterable[Get | Set]) -> list[tuple[Get, str]]:
    """The outputs that are not looked for now, each with why."""
    found = [(item, lacking(work, rules_of(work, item))) for item in output if isinstance(item, Get)]
    return [(item, why) for item, why in found if why is not None]


def rules_of(work: Work, item: Get) -> VariableRules:
    return rules_for(definition(work, item.get)[1], item)


def in_order(rules: Mapping[str, VariableRules]) -> Sequence[str]:
    """The names, each behind those that it depends on; else as they were given. What depends on itself comes last."""
    left, ordered = list(rules), list[str]()
    while left:
        free = [name for name in left if not any(each.var in left for each in rules[name].depends_on or ())]
        if not free:
            return [*ordered, *left]
        ordered.append(free[0])
        left.remove(free[0])
    return ordered
