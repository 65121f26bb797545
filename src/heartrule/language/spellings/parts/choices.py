"""``user_option``: ``choices: [{A: …}]``, and the one-key form with words, a name or the choices themselves."""

from __future__ import annotations

from heartrule.language.spellings.parts.found import Made, Spelled, senseless
from heartrule.language.texts.rewriting import Edit, Piece
from heartrule.language.texts.tree import Entry, Tree

PICKED = "选择"
"""The variable of a choice that names none: it is picked, and nothing reads it."""


def choice(here: Spelled) -> Made:
    """An item of ``choices`` with one key: ``A: …`` → ``value: A``, ``label: …``."""
    node = here.node
    if len(node.entries) != 1 or here.get("value", "label") or node.entries[0].value.kind != "scalar":
        return
    entry = node.entries[0]
    break_ = ", " if node.flow else "\n" + " " * here.page.column(entry.key.start)
    key = (entry.key.start, entry.key.end)
    colon = "" if here.page.text[entry.key.end : entry.key.end + 1] == ":" else ": "
    yield [Edit(*key, ("value: ", key, break_, "label", colon))]


def one_key(here: Spelled, entry: Entry) -> Made:
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
    elif node.flow:
        yield senseless(entry, "先用一个 say 把话说出来。", "Say the words in an action of their own (say) first.")
    else:
        # Words, and the choices beside them: the words are said first, by an action of their own.
        indent = " " * max(0, page.column(entry.key.start) - 2)
        rest = page.end_of_line(value.end)
        following = node.entries[node.entries.index(entry) + 1 :]
        if node.entries[0] is not entry or not following:
            return
        yield [
            Edit(entry.key.start, entry.key.end, ("type: say\n" + indent + "  content",)),
            Edit(rest, rest, ("\n" + indent + "- type: user_option",)),
        ]


def _picked(here: Spelled) -> list[Edit] | None:
    """``output: [{get: x}]`` → ``var: x``."""
    output = here.get("output")
    if output is None or here.get("var", "target_variable") or len(output.value.items) != 1 or here.node.flow:
        return None
    item = output.value.items[0]
    got = item.get("get")
    if got is None or len(item.entries) != 1 or here.page.comments(got.key.end, got.value.start):
        return None
    kept: list[Piece] = []
    for comment in here.page.comments(output.key.end, got.key.start):
        kept += [comment, _break(here, output)]
    return [
        Edit(output.key.start, got.key.start, (*kept, "var: ")),
        Edit(got.key.start, got.value.start),
        Edit(got.value.end, max(item.end, got.value.end)),
    ]


def _words(here: Spelled, said: Entry) -> list[Edit]:
    """What is said beside the choices → an action of its own before them, on the same condition."""
    page, node = here.page, here.node
    at = node.entries[0].key.start
    indent = " " * page.column(at)
    when = here.get("condition")
    condition = (f"\n{indent}condition: ", *page.copied(when.value, 0, twice=True)) if when else ()
    opened = ("type: say", f"\n{indent}content: ", *page.copied(said.value, 0), *condition, f"\n{indent[2:]}- ")
    first, *rest = page.remove(node, said)
    if first.start == at:
        return [Edit(at, first.end, (*opened, *first.pieces)), *rest]
    return [Edit(at, at, opened), first, *rest]


def bare(here: Spelled) -> Made:
    """``choices: {A: …}``, the variable among the outputs, and words beside the choices."""
    if edits := _picked(here):
        yield edits
    said = here.get("content", "question")
    if said is not None and said.value.text() is not None and not here.node.flow:
        yield _words(here, said)
    entry = here.get("choices")
    if entry is not None and entry.value.kind == "mapping" and _bare(entry.value):
        yield _items(here, entry.value)


def _bare(value: Tree) -> bool:
    known = {"var", "choices", "type", "id", "condition", "target_variable", "content", "config"}
    return bool(value.entries) and not any(entry.name in known for entry in value.entries)


def _items(here: Spelled, value: Tree) -> list[Edit]:
    """``{A: …, B: …}`` → a list of choices."""
    page, edits = here.page, []
    for entry in value.entries:
        key = (entry.key.start, entry.key.end)
        if value.flow:
            end = max(entry.key.end, entry.value.end)
            edits += [Edit(*key, ("{value: ", key, ", label")), Edit(end, end, ("}",))]
        else:
            indent = " " * page.column(entry.key.start)
            edits.append(Edit(*key, ("- value: ", key, "\n" + indent + "  label")))
    if value.flow:
        edits += [Edit(value.start, value.start + 1, ("[",)), Edit(value.end - 1, value.end, ("]",))]
    return edits


def _break(here: Spelled, entry: Entry) -> str:
    return ", " if here.node.flow else "\n" + " " * here.page.column(entry.key.start)


def led(edits: list[Edit], at: int, pieces: tuple[str, ...]) -> list[Edit]:
    """Edits of which the one that begins at ``at`` is led by something new."""
    return [Edit(e.start, e.end, (*pieces, *e.pieces)) if e.start == at else e for e in edits]
