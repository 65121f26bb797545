"""Looking variables up and writing them, by the rules of language.md: topic → phase → session → global; an inner name
shadows an outer one; a write goes to the scope of the definition and never to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

from heartrule.engine.events import Fault, ScopeCleaned, ScopeOpened, ScopeSnapshot, VariableOperation
from heartrule.engine.variables import GLOBAL, SESSION, ScopeKey, Value
from heartrule.engine.work import Work
from heartrule.language import values
from heartrule.language.nodes import ForEach, Scope, Skill, Topic, Variable, VariableRules

Strategy = Literal["json", "history", "llm", "rules", "fallback", "form", "set", "passive"]
SCOPES = ("topic", "phase", "session", "global")


# reading


def lookup(work: Work, name: str) -> Any:
    """The present value of a name, dotted or not; None when it has none."""
    head, _, rest = name.partition(".")
    if not rest:
        found = work.variables.find(name, work.chain())
        return found[1].value if found else None
    counter = _counter(work, head, rest)
    if counter is not None:
        return counter
    item = _item(work, head)
    if item is not None:
        return _within(item, rest)
    if head in SCOPES:
        inner, _, deeper = rest.partition(".")
        found = work.variables.find(inner, [key for key in work.chain() if key[0] == head])
        if found is None:
            return None
        return _within(found[1].value, deeper) if deeper else found[1].value
    found = work.variables.find(head, work.chain())
    return _within(found[1].value, rest) if found else None


def _within(value: Any, path: str) -> Any:
    for part in path.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(part)
    return value


def _counter(work: Work, head: str, rest: str) -> float | int | None:
    running = work.state.running
    if (head, rest) == ("topic", "attempts"):
        return running.attempts if running else None
    if (head, rest) == ("action", "round"):
        return running.action.round if running and running.action else None
    if rest == "elapsed" and head in ("phase", "session"):
        return work.elapsed(head)
    return None


def loops(work: Work) -> dict[str, tuple[ForEach, str]]:
    """The ``for_each`` aliases that can be read here, each with the key of its present item."""
    running = work.state.running
    if running is None:
        return {}
    found: dict[str, tuple[ForEach, str]] = {}
    body = work.body()
    if isinstance(body, Topic) and body.for_each and running.item is not None:
        found[body.for_each.as_] = (body.for_each, running.item)
    action = running.action
    if body and action and "item" in action.memory and action.index < len(body.actions):
        each = getattr(body.actions[action.index], "for_each", None)
        if each is not None:
            found[each.as_] = (each, str(action.memory["item"]))
    return found


def _item(work: Work, alias: str) -> Any:
    each = loops(work).get(alias)
    if each is None:
        return None
    items = lookup(work, each[0].in_)
    return dict(keyed(each[0], items)).get(each[1])


def keyed(each: ForEach, items: Any) -> list[tuple[str, Any]]:
    """The items of a list with the key each is known by, at most ``max``, the first of equal keys only."""
    if not isinstance(items, list):
        return []
    found: dict[str, Any] = {}
    for index, item in enumerate(items[: each.max]):
        known = item.get(each.key, index) if each.key and isinstance(item, Mapping) else index
        key = str(known if isinstance(item, Mapping) else item)
        found.setdefault(key, item)
    return list(found.items())


def visible(work: Work) -> dict[str, Any]:
    seen = work.variables.visible(work.chain())
    for alias in loops(work):
        seen[alias] = _item(work, alias)
    return seen


# definitions


def definition(work: Work, name: str) -> tuple[ScopeKey, VariableRules | None]:
    """Where ``name`` is written, and the rules its values obey (None when it is declared nowhere)."""
    for scope, variables in _declarations(work):
        for variable in variables:
            if variable.var == name:
                return _key(work, variable.scope or scope), variable
    body = work.body() if work.state.running else None
    if isinstance(body, Skill) and (name in body.returns or any(p.name == name for p in body.parameters)):
        return _key(work, "topic"), None
    known = work.world.script.variables.get(name)
    if known is not None:
        return _key(work, known.scope or "global"), known
    return _key(work, work.world.script.scopes.get(name, "topic")), None


def _declarations(work: Work) -> Iterable[tuple[Scope, list[Variable]]]:
    if work.state.running is not None and (body := work.body()) is not None:
        yield "topic", body.declare
    if work.state.phase is not None:
        yield "phase", work.phase.declare
    yield "session", work.world.script.session.declare


def _key(work: Work, scope: Scope) -> ScopeKey:
    if scope == "topic" and work.state.running is not None:
        return "topic", work.state.running.key
    if scope == "phase" and work.state.phase is not None:
        return "phase", work.state.phase.key
    return GLOBAL if scope == "global" else SESSION


def rules_for(declared: VariableRules | None, inline: VariableRules) -> VariableRules:
    """An output's rules: what it says itself, over what the declaration says."""
    if declared is None:
        return inline
    own = {name: getattr(inline, name) for name in inline.model_fields_set if name in VariableRules.model_fields}
    return declared.model_copy(update=own)


# writing


def write(
    work: Work,
    name: str,
    raw: Any,
    *,
    strategy: Strategy,
    source: str | None = None,
    evidence: str | None = None,
    rules: VariableRules | None = None,
    checked: bool = False,
) -> bool:
    """Write a value where its definition says. A value that its type or rules refuse is not written (False).

    ``alias.field`` writes into the ``for_each`` item; ``scope.name`` names the scope.
    """
    source = source or (work.frame.id if work.state.running and work.state.running.action else "system")
    head, _, rest = name.partition(".")
    if rest and head in loops(work):
        return _write_item(work, head, rest, raw, strategy, source, evidence)
    if rest and head in SCOPES:
        where, declared = _key(work, cast(Scope, head)), definition(work, rest)[1]
        name = rest
    else:
        where, declared = definition(work, name)
    rules = rules or declared
    value = raw
    if not checked and rules is not None and raw is not None:
        outcome = values.accept(rules, raw, lambda other: raw if other == name else lookup(work, other))
        if isinstance(outcome, values.Bad):
            work.emit(Fault(what=f"{name}: {outcome.code}"))
            return False
        value = outcome.value
    _put(work, where, name, value, declared or rules, strategy, source, evidence)
    return True


def _put(
    work: Work,
    where: ScopeKey,
    name: str,
    value: Any,
    rules: VariableRules | None,
    strategy: Strategy,
    source: str,
    evidence: str | None,
) -> None:
    before = work.variables.find(name, [where])
    old = before[1].value if before else None
    if rules is not None and value is not None:
        value = values.merge(rules.update, rules.key, old, value)
    if before and before[1].value == value and before[1].strategy == strategy and strategy != "set":
        return
    kind = values.type_name(value)
    work.state.writes += 1
    work.variables.put(where, name, Value(value, kind, work.world.now, source, where[0], strategy, evidence))
    work.emit(
        VariableOperation(
            action=source,
            operation="update" if before else "extract",
            name=name,
            scope=where[0],
            scope_key=where[1],
            type=kind,
            old=old,
            value=value,
            source=source,
            strategy=strategy,
            evidence=evidence,
            number=work.state.writes,
            at=work.world.now,
        )
    )


def _write_item(
    work: Work, alias: str, field: str, raw: Any, strategy: Strategy, source: str, evidence: str | None
) -> bool:
    each, key = loops(work)[alias]
    items = lookup(work, each.in_)
    where, declared = definition(work, each.in_)
    changed = []
    for known, item in keyed(each, items):
        if known == key:
            base = dict(item) if isinstance(item, Mapping) else {each.key or "value": item}
            item = _with(base, field.split("."), raw)
        changed.append(item)
    plain = declared.model_copy(update={"update": "overwrite"}) if declared else None
    _put(work, where, each.in_, changed, plain, strategy, source, evidence)
    return True


def _with(mapping: dict[str, Any], path: list[str], value: Any) -> dict[str, Any]:
    if len(path) == 1:
        return {**mapping, path[0]: value}
    inner = mapping.get(path[0])
    return {**mapping, path[0]: _with(dict(inner) if isinstance(inner, Mapping) else {}, path[1:], value)}


# scopes coming and going


def open_scope(work: Work, where: ScopeKey, declared: Iterable[Variable], source: str) -> None:
    """Create a scope and write the initial values that belong to it."""
    work.variables.open(where)
    work.emit(ScopeOpened(scope=where[0], scope_key=where[1]))
    for variable in declared:
        home = _key(work, variable.scope or _of(where))
        if variable.value is not None and work.variables.find(variable.var, [home]) is None:
            write(work, variable.var, variable.value, strategy="set", source=source)


def _of(where: ScopeKey) -> Scope:
    return cast(Scope, where[0])


def close_scope(work: Work, where: ScopeKey, name: str) -> None:
    """Record a snapshot of a phase or topic scope, then remove it."""
    held = work.variables.snapshot(where)
    work.emit(ScopeSnapshot(scope=where[0], scope_key=where[1], name=name, variables=held))
    work.variables.clean(where)
    work.emit(ScopeCleaned(scope=where[0], scope_key=where[1], variables=sorted(held)))
