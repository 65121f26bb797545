"""What a value must be: ``validation: {min, max, pattern, enum}`` and ``range: {min, max}``."""

from __future__ import annotations

from heartrule.language.spellings.parts.rewrite import Made, SpelledMapping, both
from heartrule.language.texts.page import scalar
from heartrule.language.texts.text_edits import Piece
from heartrule.language.texts.tree import Entry, Tree

_LEAST, _MOST = ("min", "minimum", "min_value"), ("max", "maximum", "max_value")
_SAME = {
    "pattern": "pattern",
    "regex": "pattern",
    "min_length": "min_length",
    "enum": "options",
    "options": "options",
    "range": "range",
}
_CALLED = ("var", "get", "name", "variable", "variable_name")
_HELD = ("validation", "validation_rule", "validate", "range")


def spelled(here: SpelledMapping) -> Made:
    entry = here.get(*_HELD)
    if entry is None or entry.value.kind != "mapping" or not entry.value.entries:
        return
    value = entry.value
    known = {*_LEAST, *_MOST, *_SAME}
    if (
        value.marked
        or not here.text(*_CALLED)
        or any(each.name not in known or _deep(each.value) for each in value.entries)
    ):
        return
    fields = _fields(here, value)
    taken = next((name for name, _ in fields if name != entry.name and here.get(name)), None)
    if taken:
        yield both(entry, taken)
        return
    page = here.page
    break_ = ", " if here.node.flow else "\n" + " " * page.column(entry.key.start)
    pieces: list[Piece] = []
    for number, (name, held) in enumerate(fields):
        pieces += [*([break_] if number else []), f"{name}: ", held]
    yield [page.written(here.node, entry.key.start, value.end, pieces, value)]


def _deep(value: Tree) -> bool:
    """What cannot be carried elsewhere as it stands."""
    lines = value.lines if value.single else not value.flow
    return value.marked or (value.kind == "alias" and not value.single) or lines


def _fields(here: SpelledMapping, value: Tree) -> list[tuple[str, Piece]]:
    """Our keys with what they hold. A limit on one side alone is a condition."""
    least, most = value.get(*_LEAST), value.get(*_MOST)
    text = here.page.text
    found: list[tuple[str, Piece]] = []

    def held(entry: Entry) -> str:
        return text[entry.value.start : entry.value.end]

    if least and most:
        found.append(("range", f"[{held(least)}, {held(most)}]"))
    elif least or most:
        sign, only = (">=", least) if least else ("<=", most)
        assert only is not None
        found.append(("validate", scalar(f"{here.text(*_CALLED)} {sign} {only.value.text()}")))
    return found + [
        (_SAME[each.name], (each.value.start, each.value.end)) for each in value.entries if each.name in _SAME
    ]
