"""What a name means where the session stands: its present value, where it is written, the rules its values obey.

Lookup goes topic → phase → session → global; an inner name shadows an outer one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from heartrule.engine.session.state import State
from heartrule.engine.session.variables import GLOBAL, SESSION, ScopeKey, Value
from heartrule.engine.variables import versions
from heartrule.engine.variables.topic_context import counter
from heartrule.engine.work import Work, topic_of
from heartrule.language.compiling.implicit_scopes import said_in
from heartrule.language.names import VERSIONS
from heartrule.language.nodes import (
    Declares,
    ForEach,
    Get,
    Scope,
    Skill,
    Topic,
    Variable,
    VariableRules,
)

SCOPES = ("topic", "phase", "session", "global")
PLAIN = "$item"
"""Where a plain item of a list is kept once a field has been written into it, for a ``for_each`` without a key."""


# reading


def lookup(work: Work, name: str) -> Any:
    """The present value of a name, dotted or not; None when it has none."""
    head, _, rest = name.partition(".")
    own = counter(work, head, rest) if rest else None
    if own is not None:
        return own
    if head in loops(work):
        item = _item(work, head)
        return _within(item, rest) if rest else item
    if rest and head in SCOPES:
        inner, _, deeper = rest.partition(".")
        found = work.variables.find(inner, [key for key in work.chain() if key[0] == head])
        if found is None:
            return None
        return _value_at(work.state, found, inner, deeper)
    found = work.variables.find(head, work.chain())
    if found is None:
        return None
    return _value_at(work.state, found, head, rest)


def _value_at(state: State, found: tuple[ScopeKey, Value], name: str, path: str) -> Any:
    if not path:
        return found[1].value
    value = _within(found[1].value, path)
    if value is None and found[1].strategy == "form" and isinstance(found[1].value, Mapping):
        value = found[1].value.get(path)  # ``total.band``
    return versions.earlier(state, found[0], name) if value is None and path == VERSIONS else value


def _within(value: Any, path: str) -> Any:
    for part in path.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(part)
    return value


def loops(work: Work) -> dict[str, tuple[ForEach, str]]:
    """The ``for_each`` aliases that can be read here, each with the key of its present item."""
    running = work.state.running
    if running is None:
        planned = work.schedule.considered
        topic = topic_of(work.phase, planned.ref) if planned and planned.kind == "topic" else None
        return _loop(topic, planned.item) if topic and planned else {}
    found: dict[str, tuple[ForEach, str]] = {}
    body = work.body()
    if isinstance(body, Topic):
        found |= _loop(body, running.item)
    action = running.action
    if action is not None and action.item is not None:
        each = getattr(work.action_at(action.index), "for_each", None)
        if each is not None:
            found[each.as_] = (each, action.item)
    return found


def _loop(topic: Topic, item: str | None) -> dict[str, tuple[ForEach, str]]:
    return {topic.for_each.as_: (topic.for_each, item)} if topic.for_each and item is not None else {}


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
    for index, item in enumerate(items):
        if len(found) < each.max:
            found.setdefault(known_by(each, index, item), item)
    return list(found.items())


def known_by(each: ForEach, index: int, item: Any) -> str:
    """A plain value is its own key, also after something has been written into it."""
    if not isinstance(item, Mapping):
        return str(item)
    name = each.key or PLAIN
    return str(index if item.get(name) is None else item[name])


def visible(work: Work) -> dict[str, Any]:
    seen = work.variables.visible(work.chain())
    for alias in loops(work):
        seen[alias] = _item(work, alias)
    return seen


# definitions


def is_on_demand(work: Work, item: Get) -> bool:
    """Whether it is only told where it is asked for (``listen: on_demand``): what was said before does not count."""
    declared = definition(work, item.get)[1]
    own = item.listen or (declared.listen if isinstance(declared, Variable) else None)
    return own is not None and own.mode == "on_demand"


def definition(work: Work, name: str) -> tuple[ScopeKey, VariableRules | None]:
    """Where ``name`` is written, and the rules its values obey (None when it is declared nowhere).

    ``scope.name`` means the variable of that scope; ``name.field`` a field of an object, ``alias.field`` of the present
    item, which obeys the field's own rules."""
    head, _, rest = name.partition(".")
    if rest and (loop := loops(work).get(head)):
        where, listed = definition(work, loop[0].in_)
        return where, _field_rules(listed, rest)
    if rest and head in SCOPES:
        scope = cast(Scope, head)
        inner, _, path = rest.partition(".")
        named = next((variable for at, variable in _declared(work, inner) if at == scope), None)
        return key_of(work.state, scope), _field_rules(named, path) if path else named
    if rest:
        where, whole = definition(work, head)
        return where, _field_rules(whole, rest)
    running, phase = work.state.running, work.state.phase
    if running is not None and running.plan is not None:  # what it writes is another thing with every change of it
        return _defined(work, name)
    place = (running and (running.key, running.ref), phase and (phase.key, phase.index), name)
    known = work.defined.get(place)
    if known is None:
        known = work.defined[place] = _defined(work, name)
    return known


def _defined(work: Work, name: str) -> tuple[ScopeKey, VariableRules | None]:
    """``definition`` of a plain name."""
    found = next(_declared(work, name), None)
    if found is not None:
        return key_of(work.state, found[0]), found[1]
    body = work.body() if work.state.running else None
    inferred = work.world.script.scopes.get(name, "topic")
    if isinstance(body, Skill) and inferred != "topic":
        inferred = said_in(body, name) or "topic"
    return key_of(work.state, inferred), None


def is_known(work: Work, name: str) -> bool:
    """Whether the script knows the name, with or without a declaration."""
    head, _, rest = name.partition(".")
    if rest and head in SCOPES:
        head = rest.partition(".")[0]
    if head in loops(work) or head in work.world.script.scopes:
        return True
    body = work.body() if work.state.running else None
    own = own_names(body) if isinstance(body, Skill) else set()
    return head in own or next(_declared(work, head), None) is not None


def _declared(work: Work, name: str) -> Iterator[tuple[Scope, Variable | None]]:
    """The declarations of ``name`` that count here, inner first. What a technique takes and gives is its own."""
    body = work.body() if work.state.running else None
    for scope, node in _declarations(work):
        yield from ((variable.scope or scope, variable) for variable in node.declared.get(name, ()))
        if scope == "topic" and isinstance(body, Skill) and name in own_names(body):
            yield "topic", None
    known = work.world.script.variables.get(name)
    if known is not None:
        yield known.scope or "global", known


def own_names(skill: Skill) -> set[str]:
    return {*skill.returns, *(parameter.name for parameter in skill.parameters)}


def _field_rules(whole: VariableRules | None, field: str) -> VariableRules | None:
    """What is declared of a field of an object, or of a list's items."""
    known = next((each for each in (whole.fields if whole else None) or () if each.name == field), None)
    if known is None:
        return None
    return VariableRules(
        type=known.type, define=known.define, options=known.options, range=known.range, pattern=known.pattern
    )


def _declarations(work: Work) -> Iterable[tuple[Scope, Declares]]:
    """What may declare variables that can be seen here, inner first."""
    if work.state.running is not None and (body := work.body()) is not None:
        yield "topic", body
    if work.state.phase is not None:
        yield "phase", work.phase
    yield "session", work.world.script.session


def declared(work: Work) -> Iterator[Variable]:
    """Every declaration that can be seen here, outer ones first: the project's, the session's, the phase's, the
    topic's."""
    yield from work.world.script.variables.values()
    for _, node in reversed(list(_declarations(work))):
        yield from node.declare


def key_of(state: State, scope: Scope) -> ScopeKey:
    if scope == "topic" and state.running is not None:
        return "topic", state.running.key
    if scope == "phase" and state.phase is not None:
        return "phase", state.phase.key
    return GLOBAL if scope == "global" else SESSION


def rules_for(declared: VariableRules | None, inline: VariableRules) -> VariableRules:
    """An output's rules: what it says itself, over what the declaration says."""
    if declared is None:
        return inline
    own = {name: getattr(inline, name) for name in inline.model_fields_set if name in VariableRules.model_fields}
    return declared.model_copy(update=own) if own else declared
