"""Visual edits as splices of the text: an item put in, moved, copied or taken out. Nothing outside of what is touched
changes by a byte, and the result is read again and held against the same operation on the data before it is given
back."""

from __future__ import annotations

import copy
from typing import Any

from heartrule.authoring import items, value_edits
from heartrule.authoring.splices import (
    GONE,
    ONE_LINE,
    SHARED,
    CannotEdit,
    Splice,
    into,
    least,
    parse_cached,
    proved,
    tree_at,
)
from heartrule.authoring.splices import spliced as spliced
from heartrule.authoring.value_edits import set_text as set_text
from heartrule.authoring.value_edits import set_value as set_value
from heartrule.authoring.yaml_writer import flow, item, key_of
from heartrule.language.texts.page import Page
from heartrule.language.texts.source import Path
from heartrule.language.texts.tree import Tree


def insert(text: str, path: Path, index: int, said: str) -> list[Splice]:
    """A new item of the list at ``path``, as YAML without its dash, before the one that is ``index`` now. The list may
    be empty, or not there yet."""
    data = _data(said)

    def change(documents: list[Any]) -> None:
        above = into(documents, path[:-1])
        if isinstance(above, dict) and above.get(path[-1]) is None:
            above[path[-1]] = []
        into(documents, path).insert(index, data)

    found = _list_or_none(text, path)
    if found is None or not found.items:
        return proved(text, _first(text, path, found, said, data), change)
    page = Page(text)
    if found.flow:
        return proved(text, [items.put_flow(found, index, flow(data))], change)
    block = items.as_item(said, page.column(items.dash(page, found, 0)))
    return proved(text, [items.put_lines(page, found, index, block)], change)


def delete(text: str, path: Path) -> list[Splice]:
    """Without the item (and the comment that stands right above it) or the key at ``path``."""
    above, index = path[:-1], path[-1]
    if not isinstance(index, int):
        return value_edits.set_value(text, path, None)

    def change(documents: list[Any]) -> None:
        del into(documents, above)[index]

    _unshared(tree_at(text, path))
    return proved(text, items.take(text, above, index), change, drops=True)


def duplicate(text: str, path: Path, changed: tuple[str, str] | None = None) -> list[Splice]:
    """The item at ``path`` once more, behind itself. ``changed``: one of its keys, and what the copy has there."""
    above, index = path[:-1], int(path[-1])

    def change(documents: list[Any]) -> None:
        own = into(documents, above)
        copied = copy.deepcopy(own[index])
        if changed is not None:
            copied[changed[0]] = changed[1]
        own.insert(index + 1, copied)

    page, found = items.list_at(text, above, index)
    _unshared(found.items[index])
    own = found.items[index]
    if found.flow:
        splice = items.put_flow(found, index + 1, text[own.start : own.end])
    else:
        start, end = items.begin(page, found, index), items.end(page, found, index)
        splice = Splice(end, end, items.on_lines(text, end, text[start:end]))
    after = spliced(text, [splice])
    if changed is not None:
        after = value_edits.with_value(after, (*above, index + 1, changed[0]), changed[1])
    return proved(text, _behind(text, after, splice.start), change)


def move(text: str, path: Path, to: Path, index: int) -> list[Splice]:
    """The item at ``path`` to the list at ``to``, before the one that is ``index`` there now, with its comment."""
    above, number = path[:-1], int(path[-1])
    if to[: len(path)] == path:
        raise CannotEdit(GONE)

    def change(documents: list[Any]) -> None:
        over = into(documents, to[:-1])
        if isinstance(over, dict) and over.get(to[-1]) is None:
            over[to[-1]] = []
        source, target = into(documents, above), into(documents, to)
        target.insert(index, source[number])
        del source[number + (1 if source is target and index <= number else 0)]

    page, found = items.list_at(text, above, number)
    target = _list_or_none(text, to)
    if above == to and index in (number, number + 1):
        return []
    if target is not None and target.items and not target.flow and not found.flow:
        if above == to and len(found.items) == 1:
            return []
        start, end = items.begin(page, found, number), items.end(page, found, number)
        by = page.column(items.dash(page, target, 0)) - page.column(items.dash(page, found, number))
        put = items.put_lines(page, target, index, items.shifted(text[start:end], by))
        return proved(text, [*items.take(text, above, number), put], change)
    return proved(text, _rewritten(text, path, to, index, target), change)


def _rewritten(text: str, path: Path, to: Path, index: int, target: Tree | None) -> list[Splice]:
    """Where the item cannot keep its lines: it is written anew at the place where it goes. What has comments in it
    stays where it is."""
    own = tree_at(text, path)
    _unshared(own)
    page = Page(text)
    start = (
        items.begin(page, tree_at(text, path[:-1]), int(path[-1])) if not tree_at(text, path[:-1]).flow else own.start
    )
    if page.inner(start, own.end, own):
        raise CannotEdit(ONE_LINE)
    value = into(parse_cached(text).documents, path)
    if target is not None and target.flow and target.items:
        put = [items.put_flow(target, index, text[own.start : own.end] if own.flow else flow(value))]
    elif target is not None and target.items:
        column = page.column(items.dash(page, target, 0))
        put = [items.put_lines(page, target, index, f"{' ' * column}- {item(value, column + 2)}\n")]
    else:
        put = _first(text, to, target, "", value)
    return [*items.take(text, path[:-1], int(path[-1])), *put]


def _first(text: str, path: Path, found: Tree | None, said: str, data: Any) -> list[Splice]:
    """The first item of a list that is empty, or not there."""
    page = Page(text)
    above = tree_at(text, path[:-1])
    if above.kind != "mapping" or not above.entries:
        raise CannotEdit(ONE_LINE)
    key = str(path[-1])
    if above.flow or (found is not None and not found.flow and found.kind == "list"):
        return least(text, value_edits.with_value(text, path, [data]))
    column = page.column(above.entries[0].key.start)
    block = items.as_item(said, column + 2) if said else f"{' ' * (column + 2)}- {item(data, column + 4)}\n"
    block = block.rstrip("\n")
    entry = above.get(key)
    if entry is None:
        last = above.entries[-1]
        end = max(last.value.end, last.key.end)
        at = max(page.end_of_line(end), end)
        return [Splice(at, at, f"\n{' ' * column}{key_of(key)}:\n{block}")]
    _unshared(entry.value)
    start, end = page.colon(entry), max(entry.value.end, page.colon(entry))
    behind = page.behind(end)
    tail = page.end_of_line(end)
    return [Splice(start, end, ""), Splice(tail, tail, f"\n{block}")] if behind else [Splice(start, end, f"\n{block}")]


def _list_or_none(text: str, path: Path) -> Tree | None:
    """The list there; None where its key is not there, or has no value."""
    above = tree_at(text, path[:-1])
    entry = above.get(str(path[-1])) if above.kind == "mapping" else None
    if above.kind == "mapping" and entry is None and not any(above.merged()):
        return None
    found = tree_at(text, path)
    if found.kind == "scalar" and found.value is None:
        return None
    if found.kind != "list":
        raise CannotEdit(SHARED if found.kind == "alias" else GONE)
    return found


def _behind(text: str, after: str, at: int) -> list[Splice]:
    """All that came in stands at one place."""
    length = len(after) - len(text)
    if after[:at] == text[:at] and after[at + length :] == text[at:]:
        return [Splice(at, at, after[at : at + length])]
    return least(text, after)


def _unshared(tree: Tree) -> None:
    """What has an anchor in it is named elsewhere."""
    if any(part.marked for part in tree.parts()):
        raise CannotEdit(SHARED)


def _data(said: str) -> Any:
    found = parse_cached(said)
    if any(each.stops for each in found.findings) or len(found.documents) != 1:
        raise CannotEdit(items.UNREADABLE)
    return copy.deepcopy(found.documents[0])
