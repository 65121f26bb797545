"""``user_option``: ``choices: [{A: …}]``, and the one-key form with words, a name or the choices themselves."""

from __future__ import annotations

from collections.abc import Iterable

from heartrule.language.spellings.parts.rewrite import Made, SpelledMapping, senseless
from heartrule.language.texts.page import scalar
from heartrule.language.texts.text_edits import Edit, Piece
from heartrule.language.texts.tree import Entry, Tree

PICKED = "选择"
"""The variable of a choice that names none: it is picked, and nothing reads it."""


def choice(here: SpelledMapping) -> Made:
    """An item of ``choices`` with one key: ``A: …`` → ``value: A``, ``label: …``."""
    node = here.node
    if len(node.entries) != 1 or here.get("value", "label") or not node.entries[0].value.single:
        return
    entry = node.entries[0]
    break_ = ", " if node.flow else "\n" + " " * here.page.column(entry.key.start)
    key = (entry.key.start, entry.key.end)
    yield [Edit(key[0], here.page.colon(entry), ("value: ", key, break_, "label:", *here.page.room(entry)))]


def one_key(here: SpelledMapping, entry: Entry) -> Made:
    """``- user_option: …``."""
    page, node, value = here.page, here.node, entry.value
    if edits := _picked(here):
        yield edits
        return
    var = here.get("var", "target_variable")
    if value.kind == "list" or (value.kind == "mapping" and _bare(value)):
        if here.get("choices"):
            yield senseless(entry, "选项写了两遍，留下 choices。", "The choices are written twice; keep choices.")
            return
        named = () if var else (f"var: {PICKED}", _break(here, entry))
        head = Edit(entry.key.start, entry.key.end, ("type: user_option", _break(here, entry), *named, "choices"))
        yield [head, *(_items(here, value) if value.kind == "mapping" else [])]
    elif value.kind == "mapping":
        lifted = page.hoist(node, entry)
        if lifted:
            yield led(lifted, entry.key.start, ("type: user_option", _break(here, entry)))
    elif var is None:
        if value.text() is None:
            yield [Edit(entry.key.start, max(entry.key.end, value.end), ("type: user_option", _break(here, entry)))]
        else:
            yield [Edit(entry.key.start, entry.key.end, ("type: user_option", _break(here, entry), "var"))]
    elif value.text() is None:
        yield [Edit(entry.key.start, entry.key.end, ("type",)), Edit(value.start, value.start, (" user_option",))]
    elif node.flow or node.marked or not (item := page.beside(node.entries[0].key.start)):
        yield senseless(entry, "先用一个 say 把话说出来。", "Say the words in an action of their own (say) first.")
    elif node.entries[0] is not entry:
        yield _words(here, entry, item + "type: user_option" + _break(here, node.entries[0]))
    elif len(node.entries) > 1:
        # Words, and the choices beside them: the words are said first, by an action of their own.
        rest = page.end_of_line(value.end)
        yield [
            Edit(entry.key.start, entry.key.end, ("type: say" + _break(here, entry) + "content",)),
            Edit(rest, rest, (item + "type: user_option",)),
        ]


def _picked(here: SpelledMapping) -> list[Edit] | None:
    """``output: [{get: x}]`` → ``var: x``."""
    output = here.get("output")
    if output is None or here.get("var", "target_variable") or len(output.value.items) != 1 or here.node.flow:
        return None
    item = output.value.items[0]
    got = item.get("get")
    behind = max(output.value.end, item.end)
    if got is None or len(item.entries) != 1 or here.page.comments(got.key.end, got.value.start):
        return None
    if got.value.end < behind and here.page.comments(got.value.end, behind):
        return None
    kept: list[Piece] = []
    for comment in here.page.comments(output.key.end, got.key.start):
        kept += [comment, _break(here, output)]
    return [
        Edit(output.key.start, got.key.start, (*kept, "var: ")),
        Edit(got.key.start, got.value.start),
        Edit(got.value.end, max(output.value.end, item.end, got.value.end)),
    ]


def _words(here: SpelledMapping, said: Entry, item: str) -> list[Edit]:
    """What is said beside the choices → an action of its own before them, on the same condition."""
    page, node = here.page, here.node
    at = node.entries[0].key.start
    indent = " " * page.column(at)
    when = here.get("condition")
    condition = (f"\n{indent}condition: ", *page.copied(when.value, 0, twice=True)) if when else ()
    target = said.value.target
    # An alias cannot stand before what it calls.
    later = target is not None and target.start > at
    words: Iterable[Piece] = (scalar(said.value.value),) if later else page.copied(said.value, 0)
    opened: tuple[Piece, ...] = ("type: say", f"\n{indent}content: ", *words, *condition, item)
    if said is not node.entries[0]:
        return [Edit(at, at, opened), *page.remove(node, said, copied=True)]
    following = node.entries[1].key.start
    told = [*page.comments(said.key.end, said.value.start), *page.comments(said.value.end, following)]
    return [Edit(at, following, (*opened, *page.stacked(told, page.column(at))))]


def bare(here: SpelledMapping) -> Made:
    """``choices: {A: …}``, the variable among the outputs, and words beside the choices."""
    if edits := _picked(here):
        yield edits
    said = here.get("content", "question")
    item = "" if here.node.flow or here.node.marked else here.page.beside(here.node.entries[0].key.start)
    if item and said is not None and said.value.text() is not None:
        yield _words(here, said, item)
    entry = here.get("choices")
    if entry is not None and entry.value.kind == "mapping" and _bare(entry.value):
        yield _items(here, entry.value)


def _bare(value: Tree) -> bool:
    known = {"var", "choices", "type", "id", "condition", "target_variable", "content", "config"}
    return bool(value.entries) and not any(entry.name in known for entry in value.entries)


def _items(here: SpelledMapping, value: Tree) -> list[Edit]:
    """``{A: …, B: …}`` → a list of choices."""
    page, edits = here.page, list[Edit]()
    for entry in value.entries:
        key = (entry.key.start, entry.key.end)
        if value.flow:
            end = max(entry.key.end, entry.value.end)
            labelled: tuple[Piece, ...] = ("{value: ", key, ", label:", *page.room(entry))
            edits += [Edit(key[0], page.colon(entry), labelled), Edit(end, end, ("}",))]
        else:
            indent = " " * page.column(entry.key.start)
            labelled = ("- value: ", key, "\n" + indent + "  label:", *page.room(entry))
            edits.append(Edit(key[0], page.colon(entry), labelled))
            edits += page.shift(entry.key.start, entry.value.end, 2)
    if value.flow:
        edits += [Edit(value.start, value.start + 1, ("[",)), Edit(value.end - 1, value.end, ("]",))]
    return edits


def _break(here: SpelledMapping, entry: Entry) -> str:
    return ", " if here.node.flow else "\n" + " " * here.page.column(entry.key.start)


def led(edits: list[Edit], at: int, pieces: tuple[str, ...]) -> list[Edit]:
    """Edits of which the one that begins at ``at`` is led by something new."""
    return [Edit(e.start, e.end, (*pieces, *e.pieces)) if e.start == at else e for e in edits]
