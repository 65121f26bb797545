"""What stands among the actions and belongs to the phase: ``- open_rule:``, ``- close_rule:``, ``- scene:``."""

from __future__ import annotations

from heartrule.language.page import scalar
from heartrule.language.rewriting import Edit, Piece
from heartrule.language.spelled.found import Made, Refusal, Spelled, both, senseless
from heartrule.language.tree import Entry, Tree

_SWITCHES = {"open_rule": "enable", "close_rule": "disable"}
KEYS = frozenset({*_SWITCHES, "scene"})


def spelled(here: Spelled) -> Made:
    """A phase with such items in its topics."""
    found = list(_items(here.node))
    if not found:
        return
    refused = [refusal for _, _, item in found for refusal in [_unfit(item)] if refusal]
    if refused:
        yield from refused
        return
    names: dict[str, list[str]] = {"enable": [], "disable": []}
    scenes: list[str] = []
    for _, _, item in found:
        entry = item.entries[0]
        if entry.name == "scene":
            scenes.append(_scene(entry.value))
        else:
            names[_SWITCHES[entry.name]] += _named(entry.value)
    first = found[0][2].entries[0]
    clash = set(names["enable"]) & set(names["disable"])
    taken = here.get("awareness") if any(names.values()) else None
    taken = taken or (here.get("instructions") if scenes else None)
    if clash:
        yield senseless(
            first,
            "同一个阶段里又开又关，说不清从哪里起；分成两个阶段。",
            "It is opened and closed in one phase; make two phases of it.",
        )
    elif taken:
        yield both(first, taken.name)
    else:
        yield _edits(here, found, names, scenes)


def stray(here: Spelled) -> Made:
    """The same in a technique, which stands in no phase."""
    for _, _, item in _of(here.node):
        yield senseless(
            item.entries[0],
            "技术不属于任何阶段；写在叫它的阶段里，或者写成意识脚本的 ENABLE、DISABLE。",
            "A technique stands in no phase: write it in the phase that calls it, or as ENABLE, DISABLE of an awareness"
            " script.",
        )


Found = tuple[Entry, int, Tree]


def _items(phase: Tree) -> list[Found]:
    steps = phase.get("steps", "topics")
    return [found for topic in (steps.value.items if steps else ()) for found in _of(topic)]


def _of(topic: Tree) -> list[Found]:
    actions = topic.get("actions")
    if actions is None:
        return []
    items = enumerate(actions.value.items)
    return [(actions, index, item) for index, item in items if item.entries and item.entries[0].name in KEYS]


def _unfit(item: Tree) -> Refusal | None:
    entry = item.entries[0]
    if len(item.entries) > 1:
        return senseless(
            item.entries[1],
            "它是对整个阶段说的，旁边不能有别的字段；要看条件，写成意识脚本。",
            "It is meant for the whole phase, with no key beside it; for a condition write an awareness script.",
        )
    good = _scene(entry.value) if entry.name == "scene" else _named(entry.value)
    if not good:
        return senseless(entry, "写上名字或一段文字。", "Give it a name or a text.")
    return None


def _named(value: Tree) -> list[str]:
    texts = [item.text() for item in value.items] if value.kind == "list" else [value.text()]
    return [text for text in texts if text]


def _scene(value: Tree) -> str:
    """Who speaks and how, as a sentence for the model."""
    if value.kind == "mapping":
        pairs = [(entry.name, "、".join(_named(entry.value))) for entry in value.entries]
        return "；".join(f"{key}：{text}" for key, text in pairs) if all(text for _, text in pairs) else ""
    return "；".join(_named(value))


def _edits(here: Spelled, found: list[Found], names: dict[str, list[str]], scenes: list[str]) -> list[Edit]:
    page, edits = here.page, list[Edit]()
    head = here.node.get("steps", "topics")
    assert head is not None
    written: list[Piece] = []
    break_ = ", " if here.node.flow else "\n" + " " * page.column(head.key.start)
    switches = [f"{key}: [{', '.join(scalar(name) for name in listed)}]" for key, listed in names.items() if listed]
    if switches:
        written += [f"awareness: {{{', '.join(switches)}}}", break_]
    if scenes:
        written += [f"instructions: {scalar('；'.join(scenes))}", break_]
    edits.append(Edit(head.key.start, head.key.start, tuple(written)))
    by_list: dict[int, tuple[Entry, list[int]]] = {}
    for actions, index, _ in found:
        by_list.setdefault(actions.key.start, (actions, []))[1].append(index)
    for actions, gone in by_list.values():
        edits += _without(here, actions, gone)
    return edits


def _without(here: Spelled, actions: Entry, gone: list[int]) -> list[Edit]:
    """A list of actions without some of them; comments stay."""
    page, value = here.page, actions.value
    if value.flow:
        kept = [item for index, item in enumerate(value.items) if index not in gone]
        pieces: list[Piece] = []
        for item in kept:
            pieces += [", "] if pieces else []
            pieces.append((item.start, item.end))
        return [Edit(value.start + 1, value.end - 1, tuple(pieces))]
    edits = []
    for index in gone:
        item = value.items[index]
        entry = item.entries[0]
        dash = page.dash(value, index)
        start, stop = page.line(dash), page.next_line(item.end)
        written = page.comments(dash, entry.key.start) + page.comments(entry.key.end, entry.value.start)
        behind = page.behind(item.end)
        lines: list[Piece] = []
        for comment in [*written, *([behind] if behind else [])]:
            lines += [page.text[start:dash], comment, "\n"]
        edits.append(Edit(start, stop, tuple(lines)))
    if len(gone) == len(value.items):
        edits.append(Edit(actions.key.end + 1, actions.key.end + 1, (" []",)))
    return edits
