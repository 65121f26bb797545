"""E201: two of a kind with the same id (or, without ids, the same name) in one place; references could mean either."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Node, Skill, Variable
from heartrule.language.references import Referable, identity


def check(view: View) -> Iterator[Finding]:
    project = view.project
    for shelf in (project.sessions, project.skills, project.awareness, project.forms):
        yield from _same_identity(view, list(shelf))
    for session in project.sessions:
        yield from _same_identity(view, session.phases)
        for phase in session.phases:
            yield from _same_identity(view, phase.steps)
            yield from _same_variable(view, phase.declare)
        yield from _same_variable(view, session.declare)
    yield from _same_variable(view, project.variables)
    for rules in view.rules():
        if rules.fields:
            yield from _same(view, ((field.name, field, "name") for field in rules.fields))
    for body in view.bodies:
        steps = body.steps
        yield from _same_variable(view, steps.declare)
        yield from _same(view, ((action.id, action, "id") for action in steps.actions if action.id))
        if isinstance(steps, Skill):
            yield from _same(view, ((parameter.name, parameter, "name") for parameter in steps.parameters))


def _same_identity(view: View, nodes: Sequence[Referable]) -> Iterator[Finding]:
    return _same(view, ((identity(n), n, "id" if n.id else "") for n in nodes if isinstance(n, Node)))


def _same_variable(view: View, variables: Iterable[Variable]) -> Iterator[Finding]:
    return _same(view, ((variable.var, variable, "var") for variable in variables))


def _same(view: View, named: Iterable[tuple[str, Node, str]]) -> Iterator[Finding]:
    named = list(named)
    known = {name for name, _, _ in named}
    if len(known) == len(named):
        return
    first: dict[str, Node] = {}
    met: Counter[str] = Counter()
    for name, node, key in named:
        if name in first:
            place = view.project.at(node, key) if key else node.place
            before = first[name].place
            value = view.project.at(node, "id", value=True)
            mend = view.replaced(value, name, _free(name, known, met), safe=False) if key == "id" else None
            yield finding("E201", place, mend=mend, name=name, line=before.line, file=before.file)
        else:
            first[name] = node


def _free(name: str, known: set[str], met: Counter[str]) -> str:
    """The name with the first number that makes it another one; ``met`` is how far each was counted already."""
    found = next(number for number in count(max(2, met[name] + 1)) if f"{name}_{number}" not in known)
    met[name] = found
    return f"{name}_{found}"
