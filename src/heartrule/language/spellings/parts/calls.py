"""``use_skill``: ``timing: NOW``, ``timing_to``, ``fromlist``, ``input`` and ``output`` as lists of set and value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from heartrule.language.spellings.parts.rewrite import Made, SpelledMapping, senseless
from heartrule.language.texts.page import scalar
from heartrule.language.texts.text_edits import Edit, Piece
from heartrule.language.texts.tree import Entry, Tree

ITEM = "item"
"""What an item of ``fromlist`` is called in the call's inputs when the script gives it no name."""
_TIMINGS = {"NOW": "now", "AFTER_GOAL": "after_topic", "AFTER_STAGE": "after_phase"}
_FROM = re.compile(r"\s*(?P<as>[^\s]+)\s+in\s+(?P<in>[^\s]+)\s*\Z")
_HELD = re.compile(r"\s*\$?\{{1,2}\s*([^{}%]+?)\s*\}{1,2}\s*\Z")


def spelled(here: SpelledMapping) -> Made:
    yield from here.rename({"timing_to": "to", "input_variables": "input", "output_variables": "output"})
    timing = here.get("timing")
    if timing is not None and timing.value.single:
        yield from _timing(here, timing)
    if (listed := here.get("fromlist")) is not None:
        yield from _from(here, listed)
    row = _row(here)
    if (given := here.get("input")) is not None and given.value.kind == "list":
        edits = _input(here, given.value, row)
        if edits:
            yield edits
    if (back := here.get("output")) is not None and back.value.kind == "list":
        edits = [edit for item in back.value.items for edit in _returned(here, item, row)]
        if edits:
            yield edits


def _timing(here: SpelledMapping, timing: Entry) -> Made:
    written = timing.value.value
    form = _TIMINGS.get(str(written))
    if written == "BEFORE_GOAL":
        form = "before_topic" if here.get("timing_to", "to") else "now"
    if form is None:
        return
    edits = [Edit(timing.value.start, timing.value.end, (form,))]
    if written == "NOW" and not here.get("resume"):
        edits = [*here.page.before(here.node, timing, "resume: skip"), *edits]
    yield edits


def _from(here: SpelledMapping, listed: Entry) -> Made:
    text = listed.value.text()
    if here.get("for_each") or text is None:
        yield senseless(listed, "写成 for_each: {in: 列表, as: 名字}。", "Write for_each: {in: list, as: name}.")
        return
    match = _FROM.match(text)
    held = _HELD.match(text)
    within, named = (match["in"], match["as"]) if match else (held[1] if held else text, ITEM)
    form = f"for_each: {{in: {scalar(within)}, as: {scalar(named)}}}"
    yield [here.page.written(here.node, listed.key.start, listed.value.end, (form,), listed.value)]


class _Row(NamedTuple):
    """What an item of the list is called that a technique is called for, and what is known to stand in it."""

    name: str
    fields: frozenset[str]


def _row(here: SpelledMapping) -> _Row | None:
    """None where the technique is called once, or each item is written as itself."""
    listed, each = here.get("fromlist"), here.get("for_each")
    if listed is not None:
        text = listed.value.text() or ""
        held = _HELD.match(text)
        name = None if _FROM.match(text) else (held[1] if held else text).strip()
    else:
        within, named = (each.value.get("in"), each.value.get("as")) if each else (None, None)
        name = within.value.text() if within and named and named.value.text() == ITEM else None
    return _Row(ITEM, frozenset(_fields(here.above[0][1], name))) if name and here.above else None


def _fields(within: Tree, name: str) -> Iterator[str]:
    """What the actions of a file put into the rows of a list."""
    stack = [within]
    while stack:
        node = stack.pop()
        stack += [*node.items, *(entry.value for entry in node.entries)]
        output, rows, got = node.get("output"), node.get("tolist"), node.get("get")
        held: Sequence[Tree] = ()
        if output and rows and rows.value.text() == name:
            held = output.value.items
        elif got and got.value.text() == name and (columns := node.get("fields")):
            held = columns.value.items
        yield from (text for item in held if (entry := item.get("get", "name")) and (text := entry.value.text()))


def _input(here: SpelledMapping, value: Tree, row: _Row | None) -> list[Edit]:
    """A list of ``{set: name, value: …}`` → ``{name: …}``. A bare name is given on under its own name."""
    page, edits = here.page, list[Edit]()
    given_at = here.get("input")
    if given_at and value.items and not value.flow and page.column(value.start) <= page.column(given_at.key.start):
        # A list may stand right under its key, a mapping may not.
        return page.shift(page.line(value.start) - 1, value.end, 2)
    for index, item in enumerate(value.items):
        start, end = page.dash(value, index) if not value.flow else item.start, item.end
        if start < 0:
            return []
        if item.single and item.text() is not None:
            name = str(item.value)
            new: tuple[Piece, ...] = (scalar(name), ": ", scalar("{" + name + "}"))
        elif (pair := _pair(item)) is not None and given_at is not None:
            set_, given = pair
            column = page.column(given_at.key.start) + 2 if value.flow else page.column(start)
            behind = max(given.value.end, given.key.end)
            inward = 0 if item.flow else column - page.column(item.entries[0].key.start)
            after = _after_colon(here, given, inward)
            field = _HELD.match(given.value.text() or "") if row else None
            if row and field and field[1] in row.fields:
                after = (" ", scalar(f"{{{row.name}.{field[1]}}}"))
            told = [each for each in page.inner(start, end, item) if not page.colon(given) <= each[0] < behind]
            held = [piece for each in told for piece in (each, "\n" + " " * column)]
            new = (*((" ",) if held and value.flow else ()), *held, (set_.value.start, set_.value.end), ":", *after)
            edits += [] if value.flow else page.settled(end, column)
        else:
            return []
        edits.append(Edit(start, end, new))
    if value.flow or not value.items:
        edits += [Edit(value.start, value.start + 1, ("{",)), Edit(value.end - 1, value.end, ("}",))]
    return edits


def _after_colon(here: SpelledMapping, given: Entry, by: int) -> tuple[Piece, ...]:
    """What stands behind the key's colon, spaces and all, moved by so many columns."""
    page, at, value = here.page, here.page.colon(given), given.value
    between = ((at, value.start),) if at < value.start else ()
    return (*page.room(given), *between, *page.copied(value, by))


def _pair(item: Tree) -> tuple[Entry, Entry] | None:
    set_, given = item.get("set", "name", "var"), item.get("value", "get")
    if len(item.entries) != 2 or set_ is None or given is None or not set_.value.text():
        return None
    return set_, given


def _returned(here: SpelledMapping, item: Tree, row: _Row | None) -> list[Edit]:
    """``{set: ours, value: theirs}`` → ``{set: ours, get: theirs}``; a bare name comes back under its own name."""
    if item.single and (name := item.text()):
        pair = f"{{get: {scalar(name)}, set: {scalar(name)}}}"
        return [Edit(item.start, item.end, (pair,))]
    given, set_ = item.get("value"), item.get("set")
    text = given.value.text() if given else None
    if given is None or set_ is None or item.get("get") or not text:
        return []
    held = _HELD.match(text)
    edits = [Edit(given.key.start, given.key.end, ("get",))]
    ours = set_.value.text()
    if row and ours and "." not in ours:
        # What comes back for an item is kept with it.
        edits.append(Edit(set_.value.start, set_.value.end, (scalar(f"{row.name}.{ours}"),)))
    return [*edits, here.page.revalued(given.value, scalar(held[1]))] if held else edits
