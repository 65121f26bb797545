"""Writing variables, by the rules of language.md: a write goes to the scope of the definition and never to another; a
good value is never lost to a worse one; what is not written leaves a record of why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

from heartrule.engine.session.events import Fault, ScopeCleaned, ScopeOpened, ScopeSnapshot, VariableOperation
from heartrule.engine.session.variables import ScopeKey, Value
from heartrule.engine.variables import contradictions, memories, versions
from heartrule.engine.variables.definitions import PLAIN, key_of, known_by
from heartrule.engine.variables.definitions import SCOPES as SCOPES
from heartrule.engine.variables.definitions import declared as declared
from heartrule.engine.variables.definitions import definition as definition
from heartrule.engine.variables.definitions import is_known as is_known
from heartrule.engine.variables.definitions import keyed as keyed
from heartrule.engine.variables.definitions import lookup as lookup
from heartrule.engine.variables.definitions import loops as loops
from heartrule.engine.variables.definitions import own_names as own_names
from heartrule.engine.variables.definitions import rules_for as rules_for
from heartrule.engine.variables.definitions import visible as visible
from heartrule.engine.variables.dependencies import lacking
from heartrule.engine.variables.evidence import alarming
from heartrule.engine.variables.offered_values import Offer, record
from heartrule.engine.variables.offered_values import Strategy as Strategy
from heartrule.engine.work import Work
from heartrule.language import values
from heartrule.language.nodes import Scope, Variable, VariableRules
from heartrule.language.values.merge import apart, identity, merge, patched


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
    """Write a value where its definition says. False where it is not written: its type or rules refuse it, it would
    take the place of a better one, what it depends on does not hold, or the person is to be asked about it first.

    ``alias.field`` writes into the ``for_each`` item, ``name.field`` into an object; ``scope.name`` names the scope.
    """
    source = source or (work.frame.id if work.state.running and work.state.running.action else "system")
    if work.recorded is not None:
        noted = {"name": name, "raw": raw, "strategy": strategy, "source": source, "evidence": evidence}
        work.recorded.append({**noted, "checked": checked})
    where, declared = definition(work, name)
    rules = rules or declared
    offer = _admitted(work, name, _offer(work, name, where, raw, source, strategy, evidence), rules, checked=checked)
    if offer is None:
        return False
    head, _, rest = name.partition(".")
    if rest and head in loops(work):
        return _write_item(work, head, rest, offer)
    return _write_field(work, offer) if offer.path else _write_whole(work, offer, rules)


def _admitted(work: Work, name: str, offer: Offer, rules: VariableRules | None, *, checked: bool) -> Offer | None:
    """The offer with its value as its rules take it; None, recorded, where they do not, or it depends on what does not
    hold."""
    raw = offer.value
    if raw is None and offer.strategy != "set":
        record(work, offer, "refused", "missing")
        return None
    if rules is None:
        return offer
    lacks = None if rules.risk or contradictions.is_ordered(offer) else lacking(work, rules)
    if lacks is not None:
        record(work, offer, "skipped", lacks)
        return None
    if checked or raw is None:
        return offer
    outcome = values.accept(rules, raw, lambda other: raw if other == name else lookup(work, other))
    if isinstance(outcome, values.Bad):
        work.emit(Fault(what=f"{name}: {outcome.code}"))
        record(work, offer, "refused", outcome.code)
        return None
    left_out(work, offer, outcome)
    return replace(offer, value=outcome.value)


def refuse(work: Work, name: str, raw: Any, *, strategy: Strategy, evidence: str | None, reason: str) -> None:
    """Record that a value was offered and cannot be one."""
    source = work.frame.id if work.state.running and work.state.running.action else "system"
    record(work, _offer(work, name, definition(work, name)[0], raw, source, strategy, evidence), "refused", reason)


def skip(work: Work, name: str, reason: str) -> None:
    """Record that a value was not looked for, because what it depends on does not hold."""
    source = work.frame.id if work.state.running and work.state.running.action else "system"
    record(work, _offer(work, name, definition(work, name)[0], None, source, "json", None), "skipped", reason)


def left_out(work: Work, offer: Offer, outcome: values.Ok) -> None:
    """Record the parts of a composite that were refused alone."""
    for part in outcome.left_out:
        record(work, replace(offer, value=part.raw), "refused", f"{part.path}: {part.bad.code}")


def _offer(
    work: Work, name: str, where: ScopeKey, raw: Any, source: str, strategy: Strategy, evidence: str | None
) -> Offer:
    head, _, rest = name.partition(".")
    if rest and (loop := loops(work).get(head)):
        head = loop[0].in_
        head = head.partition(".")[2] if head.partition(".")[0] in SCOPES and "." in head else head
        return Offer(head.partition(".")[0], rest, where, raw, source, strategy, evidence)
    bare, _, path = (rest if rest and head in SCOPES else name).partition(".")
    return Offer(bare, path, where, raw, source, strategy, evidence)


def _write_whole(work: Work, offer: Offer, rules: VariableRules | None) -> bool:
    """What a better value stands in the way of stays out; what is to be asked about waits; the rest is written."""
    held, value = _held(work, offer), offer.value
    if held is not None and work.state.contradictions and identity(held.value) == identity(value):
        contradictions.told_again(work, offer)
    if held is None or held.value is None or value is None:
        return _store(work, offer, _merged(rules, None, value), rules)
    if identity(held.value) == identity(value) and contradictions.is_worse(offer, held):
        return True
    return _write_over(work, offer, rules, held)


def _write_over(work: Work, offer: Offer, rules: VariableRules | None, held: Value) -> bool:
    """Another value is there already."""
    update, key = (rules.update, rules.key) if rules is not None else ("overwrite", None)
    parts = apart(update, key, held.value, offer.value)
    if parts.contradicts is not None and contradictions.is_asked(work, rules, offer, held):
        assert rules is not None
        contradictions.note(work, rules, replace(offer, value=parts.contradicts), held, parts.contradicts)
        return _rest(work, offer, rules, held, parts.fits)
    if not (rules is not None and rules.risk) and contradictions.is_worse(offer, held):
        if update != "merge_unique" and update != "append":
            record(work, offer, "kept", "what is there is better proved")
            return False
        if parts.contradicts is not None:
            record(work, replace(offer, value=parts.contradicts), "kept", "what is there is better proved")
            return _rest(work, offer, rules, held, parts.fits)
    return _store(work, offer, _merged(rules, held.value, offer.value), rules)


def _rest(work: Work, offer: Offer, rules: VariableRules | None, held: Value, fits: Any) -> bool:
    """Write what contradicts nothing. False: the whole was not written."""
    merged = _merged(rules, held.value, fits)
    if identity(merged) != identity(held.value):
        _store(work, offer, merged, rules)
    return False


def _merged(rules: VariableRules | None, old: Any, new: Any) -> Any:
    return new if rules is None or new is None else merge(rules.update, rules.key, old, new, rules.type)


def _write_field(work: Work, offer: Offer) -> bool:
    """Write into a field of an object."""
    held, path = _held(work, offer), offer.path.split(".")
    base = dict(held.value) if held is not None and isinstance(held.value, Mapping) else {}
    whole = definition(work, f"{offer.where[0]}.{offer.name}")[1]
    part = {path[0]: offer.value} if len(path) == 1 else None
    if held is not None and not _may(work, whole, offer, held, _at(base, path), part):
        return False
    return _store(work, offer, _with(base, path, offer.value), whole)


def _write_item(work: Work, alias: str, field: str, offer: Offer) -> bool:
    """Write into the present item; all other items stay as they are. False when the item has gone."""
    each, key = loops(work)[alias]
    items = lookup(work, each.in_)
    keys = [known_by(each, index, item) for index, item in enumerate(items)] if isinstance(items, list) else []
    if key not in keys:
        work.emit(Fault(what=f"{alias}: item vanished"))
        record(work, offer, "refused", "item vanished")
        return False
    changed, at = list(items), keys.index(key)
    base = dict(changed[at]) if isinstance(changed[at], Mapping) else {each.key or PLAIN: changed[at]}
    rest, path, held = _inside(each.in_), field.split("."), _held(work, offer)
    whole = definition(work, each.in_)[1] if not rest else None
    by_key = whole is not None and whole.key == each.key and each.key in base and len(path) == 1
    part = [{str(each.key): base[str(each.key)], field: offer.value}] if by_key else None
    if held is not None and not _may(work, whole, offer, held, _at(base, path), part):
        return False
    changed[at] = _with(base, path, offer.value)
    value = _with(dict(lookup(work, each.in_.removesuffix(f".{rest}"))), rest.split("."), changed) if rest else changed
    return _store(work, offer, value, whole)


def _inside(name: str) -> str:
    """The path inside an object that a name goes to; empty where it names a variable."""
    head, _, rest = name.partition(".")
    return rest.partition(".")[2] if head in SCOPES else rest


def _may(work: Work, whole: VariableRules | None, offer: Offer, held: Value, old: Any, part: Any) -> bool:
    """Whether a field that holds ``old`` may be written; ``part`` is the field as a part of the whole variable."""
    if old is None or offer.value is None or identity(old) == identity(offer.value):
        return True
    if part is not None and whole is not None and contradictions.is_asked(work, whole, offer, held):
        contradictions.note(work, whole, offer, held, part)
        return False
    if contradictions.is_worse(offer, held) and not (whole is not None and whole.risk):
        record(work, offer, "kept", "what is there is better proved")
        return False
    return True


def _held(work: Work, offer: Offer) -> Value | None:
    found = work.variables.find(offer.name, [offer.where])
    return found[1] if found is not None else None


def _store(work: Work, offer: Offer, value: Any, rules: VariableRules | None) -> bool:
    """Put the value there, with its record and, where they are kept, the version before it."""
    where, name, held = offer.where, offer.name, _held(work, offer)
    if held is not None and _is_told_already(held, offer, value):
        return True
    versioned = rules is not None and rules.update == "versioned"
    if versioned and held is not None and held.value is not None and identity(held.value) != identity(value):
        versions.keep(work.state, where, name, held.value)
    kind = values.type_name(value)
    work.state.writes += 1
    work.variables.put(
        where, name, Value(value, kind, work.world.now, offer.source, where[0], offer.strategy, offer.evidence)
    )
    work.emit(
        VariableOperation(
            action=offer.source,
            operation="update" if held else "extract",
            name=name,
            scope=where[0],
            scope_key=where[1],
            type=kind,
            old=held.value if held else None,
            value=value,
            source=offer.source,
            strategy=offer.strategy,
            evidence=offer.evidence,
            number=work.state.writes,
            at=work.world.now,
        )
    )
    return True


def put_right(work: Work, where: ScopeKey, name: str, raw: Any, source: str) -> str:
    """What somebody knows better takes the place of what is there; why not, where it cannot: its rules refuse it, or it
    is not there."""
    held = work.variables.find(name, [where])
    if held is None:
        return "unknown"
    rules = definition(work, f"{where[0]}.{name}")[1]
    value = raw
    if rules is not None:
        outcome = values.accept(rules, raw, lambda other: raw if other == name else lookup(work, other))
        if isinstance(outcome, values.Bad):
            return outcome.code
        value = outcome.value
    _store(work, Offer(name, "", where, value, source, "correction"), value, rules)
    return ""


def _is_told_already(held: Value, offer: Offer, value: Any) -> bool:
    """Whether the same value is there, proved as well."""
    again = offer.strategy == "history" and held.strategy == "fallback"
    return bool(held.value == value) and offer.strategy != "set" and (held.strategy == offer.strategy or again)


def confirm(work: Work, offer: Offer, key: str | None) -> bool:
    """The person has said that this part counts: it takes its place. False when its scope has gone."""
    held = _held(work, offer)
    if held is None:
        return False
    rules = definition(work, f"{offer.where[0]}.{offer.name}")[1]
    return _store(work, offer, patched(held.value, offer.value, key), rules)


def _at(base: Mapping[str, Any], path: list[str]) -> Any:
    value: Any = base
    for part in path:
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


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
    wide = [v for v in work.world.script.variables.values() if (v.scope or "global") == where[0]]
    for variable in [*declared, *wide]:
        scope = variable.scope or cast(Scope, where[0])
        if variable.value is not None and work.variables.find(variable.var, [key_of(work.state, scope)]) is None:
            write(work, f"{scope}.{variable.var}", variable.value, strategy="set", source=source)


def close_scope(work: Work, where: ScopeKey, name: str) -> None:
    """Record a snapshot of a phase or topic scope, then remove it."""
    held = work.variables.snapshot(where)
    work.emit(ScopeSnapshot(scope=where[0], scope_key=where[1], name=name, variables=held))
    work.variables.clean(where)
    versions.forget(work.state, where)
    memories.close(work.memories, where[1])
    work.emit(ScopeCleaned(scope=where[0], scope_key=where[1], variables=sorted(held)))


def rings(work: Work, name: str, rules: VariableRules | None, before: Any) -> bool:
    """Whether a variable marked ``risk`` has become a yes that it was not before."""
    return rules is not None and rules.risk and not alarming(before) and alarming(lookup(work, name))
