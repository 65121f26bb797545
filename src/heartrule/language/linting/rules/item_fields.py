"""W403: a field that the items of a list do not have (``{成员.姓名}`` where they have ``称呼``), and ``key`` of a
``for_each`` or of a variable that is none of their fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from heartrule.language.findings import Finding, clip, finding, mends
from heartrule.language.findings.mends import Mend
from heartrule.language.linting.view import Body, View, listed
from heartrule.language.nodes import Action, ForEach, Node, Place


@dataclass(frozen=True, slots=True)
class _Items:
    """What the items of a list are called, and the fields that they have."""

    alias: str
    fields: frozenset[str]

    def lacks(self, name: str) -> str | None:
        """The field that ``alias.field`` names, where the items have none of that name."""
        head, dot, field = name.partition(".")
        field = field.partition(".")[0]
        return field if dot and head == self.alias and field and field not in self.fields else None


def check(view: View) -> Iterator[Finding]:
    yield from _keys(view)
    for body in view.bodies:
        outer = _items(view, body, body.steps)
        if outer is not None:
            yield from _looped(view, body.steps, outer)
        for node in (body.steps, *body.steps.actions):
            for items in (outer, _items(view, body, node) if isinstance(node, Action) else None):
                if items is not None:
                    yield from _read(view, node, items)
                    yield from _written(view, body, node, items)
        for action in body.steps.actions:
            own = _items(view, body, action)
            if own is not None:
                yield from _looped(view, action, own)


def _items(view: View, body: Body, node: Node) -> _Items | None:
    """The items that a node goes through, where their fields are known: those that are declared, and those that are
    written and read under a name that is like none of them."""
    each = node.peek("for_each")
    if not isinstance(each, ForEach):
        return None
    found = view.declaration(body, each.in_)
    if found is None or not found[1].fields:
        return None
    names = {field.name for field in found[1].fields}
    near = sorted(names)
    read = {read.name for node in (body.steps, *body.steps.actions) for read in view.names.reads(node)}
    for action in body.steps.actions:
        for write in view.names.writes(action):
            head, dot, field = write.name.partition(".")
            if dot and head == each.as_ and write.name in read and not mends.alike(field, near):
                names.add(field)
    return _Items(each.as_, frozenset(names))


def _looped(view: View, node: Node, items: _Items) -> Iterator[Finding]:
    each = node.peek("for_each")
    if isinstance(each, ForEach) and each.key is not None and each.key not in items.fields:
        place = view.project.at(node, "for_each", "key", value=True)
        mend = view.renamed(place, each.key, sorted(items.fields))
        yield _told(place, each.key, sorted(items.fields), mend)


def _read(view: View, node: Node, items: _Items) -> Iterator[Finding]:
    for read in view.names.reads(node):
        field = items.lacks(read.name)
        if field is not None:
            place = view.project.within(node, read.offset, *read.keys)
            near = mends.one_near(field, sorted(items.fields))
            new = read.name.replace(f".{field}", f".{near}", 1)
            mend = view.replaced(place, read.name, new, safe=False, inside=True) if near else None
            yield _told(place, field, sorted(items.fields), mend)


def _written(view: View, body: Body, node: Node, items: _Items) -> Iterator[Finding]:
    for write in view.names.writes(node):
        field = items.lacks(write.name)
        if write.name in items.fields and view.declaration(body, write.name) is None:
            place = view.project.at(node, *write.keys, value=True)
            mend = view.replaced(place, write.name, f"{items.alias}.{write.name}", safe=False)
            yield finding("W431", place, mend=mend, name=clip(write.name), meant=f"{items.alias}.{write.name}")
        if field is not None:
            near = mends.one_near(field, sorted(items.fields))
            place = view.project.at(node, *write.keys, value=True)
            mend = view.replaced(place, write.name, f"{items.alias}.{near}", safe=False) if near else None
            yield _told(place, field, sorted(items.fields), mend)


def _keys(view: View) -> Iterator[Finding]:
    for rules in view.rules():
        if rules.key is None or not rules.fields:
            continue
        names = [field.name for field in rules.fields]
        if rules.key not in names:
            place = view.project.at(rules, "key", value=True)
            mend = view.renamed(place, rules.key, names)
            yield _told(place, rules.key, names, mend)


def _told(place: Place, name: str, known: Iterable[str], mend: Mend | None) -> Finding:
    return finding("W403", place, mend=mend, name=clip(name), fields=listed(known))
