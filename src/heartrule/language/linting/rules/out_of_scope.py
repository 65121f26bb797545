"""W428: a condition that is looked at where no topic runs, about a variable that is kept for a topic alone."""

from __future__ import annotations

from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.view import View
from heartrule.language.nodes import Node, Phase, Session, Topic, Variable

_OUTSIDE: tuple[tuple[type[Node], frozenset[str]], ...] = (
    (Phase, frozenset({"condition", "transitions"})),
    (Topic, frozenset({"condition"})),
)


def check(view: View) -> Iterator[Finding]:
    for session in view.project.sessions:
        for phase in session.phases:
            kept = _of_topics(view, session, phase)
            for node, keys in (
                (node, keys) for node in (phase, *phase.steps) for kind, keys in _OUTSIDE if type(node) is kind
            ):
                for read in view.names.reads(node):
                    if read.keys[0] in keys and (variable := kept.get(read.head)) is not None:
                        where = view.project.within(read.node, read.offset, *read.keys)
                        yield finding("W428", where, name=clip(read.head), line=variable.place.line)


def _of_topics(view: View, session: Session, phase: Phase) -> dict[str, Variable]:
    """Variables that are kept for a topic, and have no value of their own; the nearest declaration counts."""
    declared = {variable.var: variable for variable in (*view.project.variables, *session.declare, *phase.declare)}
    return {name: each for name, each in declared.items() if each.scope == "topic" and each.value is None}
