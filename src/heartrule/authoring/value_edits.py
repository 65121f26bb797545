"""Values set in a text: a key's value in place of another, a new key, a key taken away. Of a list or a mapping only
what differs is touched."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any

from heartrule.authoring import items
from heartrule.authoring.splices import (
    GONE,
    ONE_LINE,
    SHARED,
    CannotEdit,
    Splice,
    below,
    into,
    least,
    parse_cached,
    proved,
    same,
    spliced,
    tree_at,
)
from heartrule.authoring.yaml_writer import entry as entry_of
from heartrule.authoring.yaml_writer import flow, key_of, styled, value_of
from heartrule.language.texts.page import Page
from heartrule.language.texts.source import Path
from heartrule.language.texts.tree import Entry, Tree


def set_value(text: str, path: Path, value: Any) -> list[Splice]:
    """The value of the key (or item) at ``path``, which may be new. None takes the key away."""

    def change(documents: list[Any]) -> None:
        above, last = into(documents, path[:-1]), path[-1]
        if value is not None:
            above[last] = value
        elif isinstance(above, dict):
            above.pop(last, None)
        else:
            above[last] = None

    after = with_value(text, path, value)
    return proved(text, least(text, after), change, drops=value is None or isinstance(value, list | dict))


def set_text(text: str, path: Path, said: str) -> list[Splice]:
    """The same, with the value as YAML."""
    found = parse_cached(said)
    if any(each.stops for each in found.findings) or len(found.documents) > 1:
        raise CannotEdit(items.UNREADABLE)
    return set_value(text, path, found.documents[0] if found.documents else None)


def with_value(text: str, path: Path, value: Any) -> str:
    """The text with the value in it, not yet proved."""
    above = tree_at(text, path[:-1])
    if above.kind == "list" and isinstance(path[-1], int):
        return _item(text, above, path, value)
    if above.kind != "mapping":
        if above.kind == "scalar" and above.value is None and value is not None and len(path) > 2:
            return with_value(text, path[:-1], {path[-1]: value})
        raise CannotEdit(SHARED if above.kind == "alias" else GONE)
    entry = above.get(str(path[-1]))
    if value is None:
        return text if entry is None else spliced(text, _removed(Page(text), above, entry))
    if entry is None:
        return spliced(text, [_added(Page(text), above, path[-1], value)])
    return _revalued(text, above, entry, path, value)


def _revalued(text: str, above: Tree, entry: Entry, path: Path, value: Any) -> str:
    old = entry.value
    if old.kind == "alias" or (old.marked and old.kind != "scalar"):
        raise CannotEdit(SHARED)
    known = into(parse_cached(text).documents, path)
    if same(known, value):
        return text
    if old.kind == "mapping" and isinstance(value, dict) and value and old.entries and isinstance(known, dict):
        return _merged(text, path, known, value)
    if old.kind == "list" and isinstance(value, list) and value and old.items and isinstance(known, list):
        return _aligned(text, path, known, value)
    page = Page(text)
    if old.marked:
        raise CannotEdit(SHARED)
    column = page.column(above.entries[0].key.start)
    start, end = max(old.start, entry.key.end), max(old.end, entry.key.end)
    if old.kind == "scalar":
        said = flow(value) if above.flow else styled(value, old, column)
    else:
        said = flow(value) if above.flow or old.flow else value_of(value, column)
        if not old.flow:
            start = page.colon(entry)
            said = said if said.startswith("\n") else f" {said}"
    return spliced(text, _placed(page, entry, start, end, said))


def _placed(page: Page, entry: Entry, start: int, end: int, said: str) -> list[Splice]:
    """A value behind its key; a comment on that line stays there."""
    colon = page.colon(entry)
    if start <= colon:
        start, end = colon, max(colon, end)
        said = said if said.startswith(("\n", " ")) else f" {said}"
    several = "\n" in said
    behind = page.behind(end) if several else None
    if behind is None:
        if said.startswith("\n"):
            start = len(page.text[:start].rstrip(" "))
        return [Splice(start, end, said)]
    head, _, rest = said.partition("\n")
    comment = page.text[behind[0] : behind[1]].rstrip()
    if head == "" and start > colon:
        start = len(page.text[:start].rstrip(" "))
    return [Splice(start, behind[1], f"{head}  {comment}\n{rest}")]


def _merged(text: str, path: Path, known: dict[Any, Any], value: dict[Any, Any]) -> str:
    for key in [key for key in value if key in known]:
        text = with_value(text, (*path, key), value[key]) if value[key] is not None else _nulled(text, (*path, key))
    for key in [key for key in value if key not in known]:
        text = with_value(text, (*path, key), value[key])
    for key in [key for key in known if key not in value]:
        text = with_value(text, (*path, key), None)
    if list(into(parse_cached(text).documents, path)) != list(value):
        raise CannotEdit(ONE_LINE)
    return text


def _nulled(text: str, path: Path) -> str:
    return text if into(parse_cached(text).documents, path) is None else with_value(text, path, None)


def _aligned(text: str, path: Path, known: list[Any], value: list[Any]) -> str:
    """Items put in, taken out and changed until the list is the other one, from the end."""
    marks = {id_: number for number, id_ in enumerate(dict.fromkeys(map(repr, [*known, *value])))}
    matcher = SequenceMatcher(None, [marks[repr(x)] for x in known], [marks[repr(x)] for x in value], autojunk=False)
    for kind, low, high, first, last in reversed(matcher.get_opcodes()):
        if kind == "equal":
            continue
        pairs = min(high - low, last - first)
        for extra in range(last - first - 1, pairs - 1, -1):
            text = items.put(text, path, low + pairs, value[first + extra])
        for index in range(high - 1, low + pairs - 1, -1):
            text = items.taken(text, path, index)
        for number in range(pairs):
            text = with_value(text, (*path, low + number), value[first + number])
    return text


def _item(text: str, above: Tree, path: Path, value: Any) -> str:
    index = int(path[-1])
    old = below(above, index)
    if old is None:
        raise CannotEdit(GONE)
    if old.kind == "alias" or old.marked:
        raise CannotEdit(SHARED)
    known = into(parse_cached(text).documents, path)
    if same(known, value):
        return text
    if isinstance(known, dict) and isinstance(value, dict) and known and value:
        return _merged(text, path, known, value)
    page = Page(text)
    if old.kind != "scalar" or old.lines or (isinstance(value, dict | list) and not above.flow):
        if above.flow or old.flow:
            return spliced(text, [Splice(old.start, old.end, flow(value))])
        return items.taken(items.put(text, path[:-1], index + 1, value), path[:-1], index)
    said = flow(value) if above.flow else styled(value, old, page.column(old.start) - 2)
    lead = " " if page.text[old.start - 1 : old.start] == "-" else ""
    return spliced(text, [Splice(old.start, old.end, lead + said)])


def _added(page: Page, above: Tree, key: str | int, value: Any) -> Splice:
    if above.flow:
        if not above.entries:
            return Splice(above.start, above.end, "{" + f"{key_of(key)}: {flow(value)}" + "}")
        last = above.entries[-1]
        at = max(last.value.end, last.key.end)
        return Splice(at, at, f", {key_of(key)}: {flow(value)}")
    if not above.entries:
        raise CannotEdit(ONE_LINE)
    last = above.entries[-1]
    column = page.column(above.entries[0].key.start)
    end = max(last.value.end, last.key.end)
    at = max(page.end_of_line(end), end)
    return Splice(at, at, f"\n{' ' * column}{entry_of(key, value, column)}")


def _removed(page: Page, above: Tree, entry: Entry) -> list[Splice]:
    if entry.value.marked:
        raise CannotEdit(SHARED)
    if len(above.entries) == 1:
        if above.flow:
            return [Splice(above.start, above.end, "{}")]
        raise CannotEdit(ONE_LINE)
    return [
        Splice(edit.start, edit.end, "".join(p if isinstance(p, str) else page.text[p[0] : p[1]] for p in edit.pieces))
        for edit in page.remove(above, entry)
    ]
