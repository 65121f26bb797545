"""W243: ``listen`` with a scope that does nothing: wider than the declaration can be seen, or narrower, and no topic
asks for it."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, finding
from heartrule.language.linting.view import View
from heartrule.language.names import SCOPES
from heartrule.language.nodes import Scope, Variable

_LASTING: frozenset[Scope] = frozenset({"global", "session"})


def check(view: View) -> Iterator[Finding]:
    asked = frozenset[str]().union(*(body.steps.asked_for for body in view.bodies))
    for place, variable in _declared(view):
        wanted = variable.listen.scope if variable.listen is not None else None
        if wanted is None or wanted == place or {wanted, place} <= _LASTING:
            continue
        if SCOPES.index(wanted) < SCOPES.index(place) and variable.var in asked:
            continue
        where = view.project.at(variable, "listen", "scope")
        mend = view.without(where)
        yield finding("W243", where, mend=mend, name=variable.var, scope=wanted, declared=place)


def _declared(view: View) -> Iterator[tuple[Scope, Variable]]:
    """Every declaration with where it stands."""
    for variable in view.project.variables:
        yield "global", variable
    for session in view.project.sessions:
        for variable in session.declare:
            yield "session", variable
        for phase in session.phases:
            for variable in phase.declare:
                yield "phase", variable
    for body in view.bodies:
        for variable in body.steps.declare:
            yield "topic", variable
