"""The top level of a file: one ``session:``, one technique, ``rules:``, ``consciousness:``."""

from __future__ import annotations

import re

from heartrule.language.nodes.script_file import ASIDE
from heartrule.language.spellings.parts.rewrite import Made, SpelledMapping, both
from heartrule.language.texts.text_edits import Edit, Piece
from heartrule.language.texts.tree import Entry

LISTS = frozenset({"sessions", "skills", "awareness", "global", "forms", "roles", "metadata"})
_WHOLE = {
    "session": "sessions",
    "technique": "skills",
    "skill": "skills",
    "consciousness": "awareness",
    "awareness": "awareness",
    "form": "forms",
}
_NAMED = {"rules": "awareness", "consciousness": "awareness", "variables": "global"}
_ASIDE = frozenset(
    {"defaults", "templates", "anchors", "aliases", "common", "shared", "definitions", "base", "snippets"}
    | {"公共", "公用", "共用", "默认", "模板", "锚点"}
)
_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
_TECHNIQUE = frozenset({"technique_id", "technique", "technique_name", "skill", "input_parameters"})


def spelled(here: SpelledMapping) -> Made:
    page, node = here.page, here.node
    yield from _aside(here)
    if unwrapped := _unwrapped(here):
        yield unwrapped
        return
    if named := list(_named(here)):
        yield from named
        return
    for entry in node.entries:
        form = _WHOLE.get(entry.name)
        if form is not None and entry.value.kind == "mapping":
            twice = form != entry.name and here.get(form)
            yield both(entry, form) if twice else _listed(here, entry, form)
            return
        if entry.name in _NAMED and entry.value.kind == "list":
            form = _NAMED[entry.name]
            yield both(entry, form) if here.get(form) else page.rename(entry, form)
            return
    own = [entry for entry in node.entries if entry.name not in LISTS and not entry.name.startswith(ASIDE)]
    kind = _kind(here)
    if kind is None or node.flow or not own:
        return
    if here.get(kind):
        yield both(own[0], kind)
    else:
        yield _gathered(here, own, kind)


def _gathered(here: SpelledMapping, own: list[Entry], kind: str) -> list[Edit]:
    """The keys of the one thing that a file is, those that stand apart put behind those that stand together."""
    page, entries = here.page, here.node.entries
    first = entries.index(own[0])
    together = [entry for number, entry in enumerate(own) if entries[first + number : first + number + 1] == [entry]]
    begins, ends = own[0].key.start, max(together[-1].value.end, together[-1].key.end)
    opened = Edit(begins, begins, (f"{kind}:\n" + " " * (page.column(begins) + 2) + "- ",))
    edits, moved = [opened, *page.shift(begins, ends, 4)], list[Piece]()
    for entry in own[len(together) :]:
        start, stop = page.line(entry.key.start), page.end_of_line(max(entry.value.end, entry.key.end))
        moved += ["\n" + " " * 4, *page.moved(start, stop, 4)]
        edits += [Edit(start, page.next_line(stop)), *page.settled(stop, page.column(entry.key.start))]
    at = page.end_of_line(ends)
    return [*edits, Edit(at, at, tuple(moved)), *page.settled(at, page.column(begins) + 4)] if moved else edits


def aside(name: str) -> bool:
    """Whether people call that so which the rest of a file refers to by anchors."""
    return name in _ASIDE or (name[:1] in ("_", ".") and bool(name.strip("._")))


def _aside(here: SpelledMapping) -> Made:
    """What holds anchors for the rest of the file."""
    for entry in here.node.entries:
        if aside(entry.name) and any(part.marked for part in entry.value.parts()):
            yield here.page.rename(entry, ASIDE + entry.name.lstrip("._"))


_WRAPS = ("script", "script_content")
_HOLDS = frozenset({*LISTS, *_WHOLE, *_NAMED, "phases", "stages", "topic", "topics", "actions"}) - {"metadata"}


def _unwrapped(here: SpelledMapping) -> list[Edit] | None:
    """``script: {session: …}``: what stands in it is the file."""
    entry = here.get(*_WRAPS)
    if entry is None or not any(each.name in _HOLDS for each in entry.value.entries):
        return None
    if any(here.get(each.name) for each in entry.value.entries):
        return None
    return here.page.hoist(here.node, entry)


_HEADS = {
    "technique": ("technique_id", "technique_name"),
    "skill": ("technique_id", "technique_name"),
    "awareness": ("consciousness_id", "consciousness_name"),
    "consciousness": ("consciousness_id", "consciousness_name"),
    "session": ("session_id", "session_name"),
}
"""By what a file says it is: what ``script_id`` and ``script_name`` are called in a file of that kind."""
_PARTS = {
    "technique": ("topic", "actions"),
    "skill": ("topic", "actions"),
    "awareness": ("condition", "if", "trigger"),
    "consciousness": ("condition", "if", "trigger"),
    "session": ("phases", "stages"),
}


def _named(here: SpelledMapping) -> Made:
    """A file that is one script, and is called so by ``script_id`` and ``script_name``."""
    kind = (here.text("script_type") or "").lower()
    form = here.get("form")
    id_ = here.get("script_id")
    if form and form.value.kind == "mapping" and id_ and not form.value.get("id", "form_id") and not form.value.flow:
        if _SLUG.fullmatch(id_.value.text() or "") and form.value.entries:
            first = form.value.entries[0]
            yield here.page.before(form.value, first, "id: ", (id_.value.start, id_.value.end))
        return
    if kind in _HEADS and here.get(*_PARTS[kind]):
        yield from here.rename(dict(zip(("script_id", "script_name"), _HEADS[kind], strict=True)))


def _kind(here: SpelledMapping) -> str | None:
    """What a file is that holds one thing and says so by its keys."""
    if any(here.get(name) for name in _TECHNIQUE):
        return "skills"
    if here.get("session", "session_id", "session_name") and here.get("phases", "stages"):
        return "sessions"
    if here.get("rule", "consciousness_id", "consciousness") and here.get("if", "condition", "trigger"):
        return "awareness"
    if here.get("topic") and here.get("actions"):
        return "skills"
    return None


def _listed(here: SpelledMapping, entry: Entry, form: str) -> list[Edit]:
    """``session: {…}`` → ``sessions: [{…}]``."""
    page, value = here.page, entry.value
    renamed = page.rename(entry, form)
    if value.flow:
        return [*renamed, Edit(value.start, value.start, ("[",)), Edit(value.end, value.end, ("]",))]
    at = value.entries[0].key.start
    return [*renamed, Edit(at, at, ("- ",)), *page.shift(at, value.end, 2)]
