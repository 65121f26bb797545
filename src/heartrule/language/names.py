"""Which names a node reads and writes, and where exactly, whatever the type of an action is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Annotated, Any, Literal, TypeVar, TypeVarTuple, get_args, get_origin

from pydantic import BaseModel

from heartrule.language import placeholders
from heartrule.language.expressions import Expression
from heartrule.language.nodes import (
    Action,
    Depends,
    Directive,
    ExitCondition,
    ForEach,
    Node,
    Phase,
    Scope,
    Set,
    Steps,
    Text,
    VariableRules,
)
from heartrule.language.nodes.conditions import expressions, judges
from heartrule.language.nodes.media import Chart
from heartrule.language.references import split
from heartrule.language.texts.source import Path

SCOPES: tuple[Scope, ...] = ("topic", "phase", "session", "global")
COUNTERS = frozenset(
    {
        *(
            f"topic.{name}"
            for name in ("attempts", "exit", "suspended", "completed", "skipped", "planned", "elapsed", "left")
        ),
        *(
            "action.round",
            "phase.elapsed",
            "phase.left",
            "session.elapsed",
            "session.model",
            "session.human",
            "session.leaving",
            "safety.handled",
            "safety.asked",
            "safety.wish",
            "safety.explored",
            "safety.told",
            "safety.open",
            "safety.desk",
            "safety.contact",
        ),
    }
)
VERSIONS = "versions"
"""``name.versions``: the earlier values of a variable with ``update: versioned``, unless it has such a field."""
Kind = Literal["text", "expression", "condition", "json"]
N = TypeVar("N", bound=Node)
T = TypeVar("T")
Ts = TypeVarTuple("Ts")


@lru_cache(maxsize=4_096)
def head_of(name: str) -> str:
    """The variable that a name means: ``mood`` for ``session.mood``, ``成员`` for ``成员.称呼``."""
    first, _, rest = name.partition(".")
    return rest.partition(".")[0] if first in SCOPES and rest else first


@dataclass(frozen=True, slots=True)
class NameUse:
    """``name`` as it was written, dots and all, at character ``offset`` of the text under ``keys`` of ``node``.
    ``expression`` is set where it stands in one."""

    name: str
    node: Node
    keys: Path
    offset: int = 0
    expression: Expression | None = None

    @property
    def head(self) -> str:
        """The variable that is read."""
        return head_of(self.name)

    @property
    def scope(self) -> Scope | None:
        """The scope that the name itself says."""
        first, dot, _ = self.name.partition(".")
        return next((scope for scope in SCOPES if dot and first == scope), None)


@dataclass(frozen=True, slots=True)
class Write:
    """A name that is written; ``rules`` are those of an output, ``scope`` what it says about an undeclared name."""

    name: str
    node: Node
    keys: Path
    scope: Scope | None = None
    rules: VariableRules | None = None

    @property
    def head(self) -> str:
        return head_of(self.name)


class Names:
    """What nodes read and write, worked out once for each node; ``known`` is asked first."""

    def __init__(self, known: Names | None = None) -> None:
        self._reads: dict[int, tuple[Node, tuple[NameUse, ...]]] = {}
        self._writes: dict[int, tuple[Node, tuple[Write, ...]]] = {}
        self._conditions: dict[int, tuple[Node, tuple[tuple[Path, Any], ...]]] = {}
        self._once: dict[Callable[..., Any], dict[int, tuple[Node, tuple[Any, ...], Any]]] = defaultdict(dict)
        self._known = known

    def once(self, work: Callable[[Names, N, *Ts], T], node: N, *given: *Ts) -> T:
        """What ``work`` makes of a node and of what is given beside it, worked out once for as long as that is given.
        It must look at nothing else: neither at other nodes, nor at where they stand in the text."""
        done = self._once[work]
        known = done.get(id(node))
        if known is None or (known[1] is not given and not _is_given(known[1], given)):
            known = done[id(node)] = (node, given, work(self, node, *given))
        made: T = known[2]
        return made

    def reads(self, node: Node) -> tuple[NameUse, ...]:
        """What a node and the small nodes below it read; phases, topics, actions and other scripts speak for
        themselves."""
        known = self._reads.get(id(node))
        if known is None and self._known is not None:
            known = self._known._reads.get(id(node))
        if known is None:
            known = self._reads[id(node)] = (node, tuple(_reads(node)))
        return known[1]

    def conditions(self, node: Node) -> tuple[tuple[Path, Any], ...]:
        """The conditions of a node and the small nodes below it, with their paths."""
        known = self._conditions.get(id(node))
        if known is None:
            known = self._conditions[id(node)] = (node, tuple(conditions(node)))
        return known[1]

    def expressions(self, node: Node) -> tuple[tuple[Path, Expression], ...]:
        """The expressions in those conditions, with their paths."""
        return self.once(_expressions, node)

    def writes(self, node: Node) -> tuple[Write, ...]:
        """What a node and the small nodes below it write."""
        known = self._writes.get(id(node))
        if known is None and self._known is not None:
            known = self._known._writes.get(id(node))
        if known is None:
            known = self._writes[id(node)] = (node, tuple(_writes(node)))
        return known[1]


def _is_given(before: tuple[Any, ...], now: tuple[Any, ...]) -> bool:
    """Whether the same is given again. Nodes may be equal and not the same, as 1 is equal to true."""
    if len(before) != len(now):
        return False
    others = ((one, other) for one, other in zip(before, now, strict=True) if one is not other)
    return all(repr(one) == repr(other) if isinstance(one, Node) else one == other for one, other in others)


def _expressions(names: Names, node: Node) -> tuple[tuple[Path, Expression], ...]:
    return tuple(found for keys, condition in names.conditions(node) for found in expressions(condition, keys))


def _reads(node: Node) -> Iterator[NameUse]:
    for owner, above in _own(node):
        for key, attribute, kind in _plan(type(owner)):
            value = getattr(owner, attribute)
            if value is not None:
                yield from _read(node, (*above, key), kind, value)
        if isinstance(owner, ExitCondition):
            yield NameUse(owner.variable, node, (*above, "variable"))
        elif isinstance(owner, ForEach):
            yield NameUse(owner.in_, node, (*above, "in"))
        elif isinstance(owner, Depends):
            if owner.var is not None:
                yield NameUse(owner.var, node, (*above, "var"))
        elif isinstance(owner, Chart):
            for index, name in enumerate(owner.variables):
                yield NameUse(name, node, (*above, "variables", index))
        elif isinstance(owner, Action):
            for index, name in enumerate(_names(owner, "input")):
                yield NameUse(name, node, (*above, "input", index))


def _writes(node: Node) -> Iterator[Write]:
    for owner, above in _own(node):
        target = owner.peek("set")
        if isinstance(target, str) or isinstance(owner, Set):
            yield Write(str(target), node, (*above, "set"))
        elif isinstance(name := owner.peek("get"), str):
            rules = owner if isinstance(owner, VariableRules) else None
            yield Write(name, node, (*above, "get"), rules.scope if rules else None, rules)
        elif isinstance(name := owner.peek("var"), str) and (
            isinstance(owner, Directive)
            or (isinstance(node, Action) and not isinstance(owner, VariableRules | Depends))
        ):
            yield Write(name, node, (*above, "var"), owner.peek("scope"))
        for key in ("tolist", "rest", "store_as"):
            if isinstance(owner, Action) and isinstance(name := owner.peek(key), str):
                yield Write(name, node, (*above, key))
        if isinstance(owner, Action) and isinstance(name := owner.peek("form"), str):
            yield Write(split(name, "")[1], node, (*above, "form"), "session")


def system_names(node: Node) -> Iterator[tuple[Path, placeholders.Placeholder]]:
    """The system variables that the texts of a node and the small nodes below it hold, with their paths."""
    for owner, above in _own(node):
        for key, attribute, kind in _plan(type(owner)):
            if kind in ("text", "json"):
                yield from _system_in(getattr(owner, attribute), (*above, key))


def aliases(node: Node) -> Iterator[str]:
    """Names that stand for the present item of a ``for_each`` of this node."""
    each = node.peek("for_each")
    if isinstance(each, ForEach):
        yield each.as_


def conditions(node: Node) -> Iterator[tuple[Path, Any]]:
    """The conditions of a node and the small nodes below it, with their paths."""
    for owner, above in _own(node):
        for key, attribute, kind in _plan(type(owner)):
            if kind == "condition" and (value := getattr(owner, attribute)) is not None:
                yield (*above, key), value


def _own(node: Node, above: Path = ()) -> Iterator[tuple[Node, Path]]:
    yield node, above
    for keys, child in node.children():
        if not isinstance(child, Action | Steps | Phase) or isinstance(node, Action):
            yield from _own(child, (*above, *keys))


def _names(action: Action, field: str) -> list[str]:
    value = getattr(action, field, None)
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


def _read(node: Node, keys: Path, kind: Kind, value: Any) -> Iterator[NameUse]:
    if kind == "text":
        yield from _in_text(node, keys, value)
    elif kind == "json":
        yield from _in_json(node, keys, value)
    else:
        for where, expression in expressions(value, keys):
            for use in expression.uses():
                yield NameUse(use.name, node, where, use.offset, expression)
        for where, judge in judges(value, keys):
            yield from _in_text(node, (*where, "judge"), judge.judge)


def _in_text(node: Node, keys: Path, text: Any) -> Iterator[NameUse]:
    if isinstance(text, dict):
        for key, part in text.items():
            yield from _in_text(node, (*keys, key), part)
    if isinstance(text, list):
        for index, part in enumerate(text):
            yield from _in_text(node, (*keys, index), part)
    if isinstance(text, str) and "{" in text:
        for found in placeholders.names(text):
            if found.kind == "script":
                yield NameUse(found.name, node, keys, found.offset)


def _system_in(value: Any, keys: Path) -> Iterator[tuple[Path, placeholders.Placeholder]]:
    if isinstance(value, str):
        if "{%" in value:
            yield from ((keys, found) for found in placeholders.names(value) if found.kind == "system")
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _system_in(part, (*keys, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _system_in(part, (*keys, index))


def _in_json(node: Node, keys: Path, value: Any) -> Iterator[NameUse]:
    if isinstance(value, str):
        yield from _in_text(node, keys, value)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _in_json(node, (*keys, key), part)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _in_json(node, (*keys, index), part)


@cache
def _plan(model: type[Node]) -> tuple[tuple[str, str, Kind], ...]:
    """The fields of a model that may hold names: key, attribute and kind of each."""
    filled = issubclass(model, Action | Set | Directive)
    found: list[tuple[str, str, Kind]] = []
    for name, field in model.model_fields.items():
        kind = _kind(field.rebuild_annotation(), filled)
        if kind is not None:
            found.append((field.alias or name, name, kind))
    return tuple(found)


def _kind(annotation: Any, filled: bool) -> Kind | None:
    """Texts by their mark, expressions and conditions by their type, literals of actions and directives."""
    parts = list(_parts(annotation))
    if any(isinstance(part, Text) for part in parts):
        return "text"
    if any(isinstance(part, type) and issubclass(part, Expression) for part in parts):
        return "condition" if any(_combination(part) for part in parts) else "expression"
    if filled and Any in parts:
        return "json"
    return None


def _combination(part: Any) -> bool:
    return isinstance(part, type) and issubclass(part, BaseModel) and not issubclass(part, Node)


def _parts(annotation: Any) -> Iterator[Any]:
    yield annotation
    if get_origin(annotation) is Annotated:
        first, *marks = get_args(annotation)
        yield from _parts(first)
        yield from marks
    else:
        for part in get_args(annotation):
            yield from _parts(part)
