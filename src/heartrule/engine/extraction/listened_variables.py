"""Variables that are listened for (``listen``): whatever is asked, as long as their declaration can be seen, or the
scope is there that an output's variable belongs to.

A model that found nothing is believed. Where none answers the variable's own rules read the words, and nothing else
does: a number, a yes or a word means nothing without its question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from heartrule import parsing
from heartrule.engine.session.moves import PersonInput
from heartrule.engine.variables import scopes
from heartrule.engine.variables.definitions import SCOPES
from heartrule.engine.variables.dependencies import lacking
from heartrule.engine.variables.evidence import shortened
from heartrule.engine.work import SAFETY, Work
from heartrule.language.nodes import Get, Steps, Variable, VariableRules


@dataclass(frozen=True, slots=True)
class ListenedVariable:
    """A variable that is listened for, with the rules its values obey."""

    name: str
    rules: VariableRules


def listened(work: Work) -> Iterator[ListenedVariable]:
    """Those that are listened for here: declarations first, outer ones before inner, then outputs; each in its own
    order. In a technique of the safety project its own declarations alone, and none whose dependencies do not hold;
    what is marked ``risk`` waits for nothing."""
    for each in _candidates(work):
        if each.rules.risk or lacking(work, each.rules) is None:
            yield each


def note_skipped(work: Work) -> None:
    """Record what is not listened for because of what it depends on, once until it is."""
    skipped: list[str] = []
    for each in _candidates(work):
        why = None if each.rules.risk else lacking(work, each.rules)
        if why is not None:
            where = scopes.definition(work, each.name)[0]
            skipped.append("/".join((*where, each.name)))
            if skipped[-1] not in work.state.unheard:
                scopes.skip(work, each.name, why)
    if skipped or work.state.unheard:
        work.state.unheard = skipped


def _candidates(work: Work) -> Iterator[ListenedVariable]:
    if work.state.running is None:
        return
    found: set[str] = set()
    safety, body = work.running.project == SAFETY, work.body()
    for variable in body.declare if safety and body is not None else scopes.declared(work):
        if variable.listen is None or variable.listen.mode != "passive":
            continue
        if not _asked_here(work, variable):
            continue
        where, counts = scopes.definition(work, variable.var)
        if counts is variable and where in work.chain():
            found.add(variable.var)
            yield ListenedVariable(variable.var, variable)
    for item in () if safety else _outputs(work):
        where, declared = scopes.definition(work, item.get)
        if item.get not in found and where in work.chain():
            found.add(item.get)
            yield ListenedVariable(item.get, scopes.rules_for(declared, item))


def _asked_here(work: Work, variable: Variable) -> bool:
    """Whether a ``listen.scope`` that is narrower than the declaration holds here: the running topic, or some topic of
    the phase, has an output for it."""
    scope = variable.listen.scope if variable.listen is not None else None
    where = scopes.definition(work, variable.var)[0][0]
    if scope not in ("topic", "phase") or SCOPES.index(scope) >= SCOPES.index(where):
        return True
    body = work.body()
    topics: Sequence[Steps] = work.phase.steps if scope == "phase" and work.state.phase is not None else ()
    return any(variable.var in each.asked_for for each in (*topics, *([body] if body is not None else ())))


def _outputs(work: Work) -> Iterator[Get]:
    """The outputs whose variables belong to a scope that is there. A field is listened for with its variable."""
    body = work.body()
    within = [("session", work.world.script.session.listening)]
    within += [("phase", work.phase.listening)] if work.state.phase is not None else []
    within += [("topic", body.listening)] if body is not None else []
    for level, items in within:
        for item in items:
            own = item.listen.scope if item.listen is not None else None
            if own is not None and SCOPES.index(level) > SCOPES.index(own):
                continue
            if "." not in item.get and _width(work, item.get) >= SCOPES.index(level):
                yield item


def _width(work: Work, name: str) -> int:
    return SCOPES.index(scopes.definition(work, name)[0][0])


def by_rules(work: Work, listened: ListenedVariable, heard: PersonInput) -> bool:
    """Write what the variable's own rules find in the words. False where they find nothing that it may be."""
    read = parsing.read_by_rules(listened.rules, heard.text, work.world.script.locale, work.world.now)
    if read is None:
        return False
    evidence = shortened(read.evidence)
    return scopes.write(work, listened.name, read.value, strategy="passive", evidence=evidence, rules=listened.rules)
