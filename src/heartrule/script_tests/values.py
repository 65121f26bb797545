"""What a variable can never hold, whatever is said: outside of its range, none of its options; and names that nothing
can ever be found under."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrule.language.bilingual import Bilingual
from heartrule.language.names import SCOPES, aliases
from heartrule.language.nodes import Declares, Get, Phase, Session, Skill, Topic, VariableRules
from heartrule.language.values import Bad, accept
from heartrule.script_tests.script_names import KnownScript, head

VERSIONS = "versions"


def never(known: KnownScript, name: str, value: Any) -> Bilingual | None:
    """Why it cannot: every rule there is for the name refuses it. None where one might take it, or for a field."""
    if value is None or _path(name):
        return None
    why: Bilingual | None = None
    for rules in rules_of(known, name):
        outcome = accept(rules, value, lambda _: None)
        if not isinstance(outcome, Bad) or not (outcome.code == "range" or outcome.code.startswith("not_")):
            return None
        why = Bilingual(outcome.zh, outcome.en)
    return why


def can_hold(known: KnownScript, name: str) -> bool:
    """Whether a name can ever hold anything: something writes it, in the scope that it says, and has the field."""
    own, scope, path = head(name), _scope(name), _path(name)
    if not known.has_variable(name):
        return False
    scopes = _scopes(known, own) if scope is not None else frozenset()
    return (not scopes or scope in scopes) and (not path or _has_field(known, own, path))


def near_names(known: KnownScript, name: str) -> list[str]:
    """What may be meant instead of a name that cannot hold anything."""
    own, path = head(name), _path(name)
    if not known.has_variable(name):
        return known.listed_variables
    scopes = _scopes(known, own)
    scope = _scope(name)
    if scope is not None and scopes and scope not in scopes:
        return [".".join((each, own, *path)) for each in sorted(scopes)]
    fields = {each.name for rules in rules_of(known, own) for each in rules.fields or ()} | _answers(known, own)
    return [own, *(f"{own}.{each}" for each in sorted(fields))]


def _scope(name: str) -> str | None:
    first, dot, _ = name.partition(".")
    return first if dot and first in SCOPES else None


def _path(name: str) -> list[str]:
    return name.split(".")[(1 if _scope(name) is None else 2) :]


def _scopes(known: KnownScript, own: str) -> frozenset[str]:
    """Those that a variable is ever written in; none where that cannot be told."""
    found: set[str] = {each.scope or "global" for ref, each in known.script.variables.items() if ref == own}
    for node in known.about(own):
        if own in aliases(node):
            return frozenset()
        declared = node.declared.get(own, ()) if isinstance(node, Declares) else ()
        found |= {each.scope or _SCOPE_OF[type(node)] for each in declared}
        found |= {write.scope for write in known.names.writes(node) if write.head == own and write.scope}
        if isinstance(node, Skill) and own in (*node.returns, *(each.name for each in node.parameters)):
            found.add("topic")
    if own in known.script.scopes:
        found.add(known.script.scopes[own])
    if known.answered(own):
        found.add("session")
    return frozenset(found)


_SCOPE_OF: Mapping[type, str] = {Session: "session", Phase: "phase", Topic: "topic", Skill: "topic"}
_NO_FIELDS = frozenset({"text", "integer", "number", "boolean", "enum", "date", "list"})


def _has_field(known: KnownScript, own: str, path: list[str]) -> bool:
    if path == [VERSIONS]:
        return True
    answers = _answers(known, own)
    if answers:
        return ".".join(path) in answers
    rules = rules_of(known, own)
    if not rules or any(own in aliases(node) for node in known.about(own)):
        return True
    named = [{each.name for each in rule.fields or ()} for rule in rules if rule.type not in _NO_FIELDS]
    return any(not names or path[0] in names for names in named)


def _answers(known: KnownScript, own: str) -> set[str]:
    """What the variable of a form holds: answers, scores and the labels of their bands."""
    forms = known.answered(own)
    scores = [score for form in forms for score in form.score_by_id]
    return {*(each for form in forms for each in form.by_id), *scores, *(f"{score}.band" for score in scores)}


def rules_of(known: KnownScript, name: str) -> list[VariableRules]:
    """The declarations, and the outputs that say for themselves what they take; without a declaration, all outputs,
    unless something else writes it, which may be anything."""
    name = head(name)
    declared: list[VariableRules] = [each for ref, each in known.script.variables.items() if ref == name]
    outputs: list[VariableRules] = []
    free = False
    for node in known.about(name):
        if isinstance(node, Declares):
            declared += [each for each in node.declare if each.var == name]
        here = [each for each in node.peek("output") or () if isinstance(each, Get) and each.get == name]
        outputs += here
        free = free or (not here and any(write.head == name for write in known.names.writes(node)))
    own = [each for each in outputs if each.model_fields_set & {"type", "range", "options"}]
    return [*declared, *own] if declared else [] if free else outputs
