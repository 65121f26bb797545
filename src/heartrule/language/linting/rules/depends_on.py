"""E270: variables that depend on each other in a circle, so that none of them is ever looked for. E271: a variable that
depends on a name which nothing declares or writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.rules.unknown_names import unquoted, where_a_text_stands
from heartrule.language.linting.view import View, nearest
from heartrule.language.names import COUNTERS, NameUse, aliases, head_of
from heartrule.language.nodes import Depends, VariableRules

_Graph = Mapping[str, VariableRules]


def check(view: View) -> Iterator[Finding]:
    if not any(rules.depends_on for rules in view.rules()):
        return
    told: set[int] = set()
    for graph in _graphs(view):
        if not any(rules.depends_on for rules in graph.values()):
            continue
        for name, rules in graph.items():
            circle = _circle(graph, name)
            if circle and id(rules) not in told:
                told.add(id(rules))
                shown = clip(" → ".join([*circle, name]), 80)
                yield finding("E270", view.project.at(rules, "depends_on"), name=clip(name), circle=shown)
    if view.project.whole:
        yield from _unknown(view)


def _graphs(view: View) -> Iterator[_Graph]:
    """What can be seen together: the project's variables, and those of each body with its outputs."""
    yield {variable.var: variable for variable in view.project.variables}
    for body in view.bodies:
        seen: dict[str, VariableRules] = {variable.var: variable for variable in view.project.variables}
        for _, variable in reversed(list(body.declared())):
            seen[variable.var] = variable
        for action in body.steps.actions:
            for write in view.names.writes(action):
                if write.rules is not None and write.rules.depends_on is not None:
                    seen[write.name] = write.rules
        yield seen


def _circle(graph: _Graph, start: str) -> list[str]:
    """The names from ``start`` on whose dependencies lead back to it; empty when none do."""
    paths, seen = [[start]], set[str]()
    while paths:
        path = paths.pop()
        for name in sorted(_needs(graph.get(path[-1]))):
            if name == start:
                return path
            if name not in seen:
                seen.add(name)
                paths.append([*path, name])
    return []


def _needs(rules: VariableRules | None) -> set[str]:
    return {head_of(name) for each in (rules.depends_on if rules else None) or () for name, _ in _names(each)}


def _names(each: Depends) -> Iterator[tuple[str, int | None]]:
    """The names that are read, with where in the condition."""
    if each.var is not None:
        yield each.var, None
    for use in each.condition.uses() if each.condition is not None else ():
        yield use.name, use.offset


def _declared(view: View) -> dict[str, VariableRules]:
    """The variables of the project by name; of several of a name one."""
    return {variable.var: variable for variable in view.variables()}


def _unknown(view: View) -> Iterator[Finding]:
    known = set(view.globals)
    for session in view.project.sessions:
        known |= {each.var for each in session.declare}
        known |= {each.var for phase in session.phases for each in phase.declare}
    for body in view.bodies:
        known |= view.names_in(body).union(*(aliases(action) for action in body.steps.actions))
    known |= {write.head for node in view.project.awareness for write in view.names.writes(node)}
    for rules in view.rules():
        for each in rules.depends_on or ():
            for name, offset in _names(each):
                if head_of(name) in known or name in COUNTERS:
                    continue
                at = view.project.at(each, "var") if offset is None else view.project.within(each, offset, "condition")
                read = NameUse(name, each, ("condition",), offset or 0, each.condition)
                if offset is not None and where_a_text_stands(read):
                    yield unquoted(view, at, read, _declared(view).get)
                    continue
                mend = view.renamed(at, name, sorted(known), inside=True)
                yield finding("E271", at, mend=mend, name=clip(name), advice=nearest(head_of(name), sorted(known)))
