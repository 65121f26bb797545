"""What a variable holds after a new value came to an old one, and which part of the new one contradicts the old."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from heartrule.language.values.types import MAX_ITEMS, MAX_TEXT, loose, type_name

Update = Literal["overwrite", "append", "merge_unique", "versioned"]


def merge(update: Update, key: str | None, old: Any, new: Any, kind: str | None = None) -> Any:
    """What a variable holds after ``new`` came to ``old``; the arguments are left as they were.

    ``append`` makes a list, except where ``kind`` is text: then lines. ``merge_unique`` adds what is not there yet;
    objects are the same when their ``key`` is, and the newer fields win. Where ``kind`` is object it stays one: its
    fields are added (``append``: those that it has stay as they are). A list keeps its newest items within bounds.
    ``versioned`` holds the newest value; earlier ones are kept beside it.
    """
    if update in ("overwrite", "versioned") or new is None:
        return old if new is None else new
    if kind == "text" and isinstance(new, str):
        return _appended_text(old, new, unique=update == "merge_unique")
    if kind == "object" and isinstance(new, Mapping):
        base = old if isinstance(old, Mapping) else {}
        return {**new, **base} if update == "append" else {**base, **_known(new)}
    added = list(new) if isinstance(new, list) else [new]
    merged = [] if old is None else list(old) if isinstance(old, list) else [old]
    if update == "append":
        return [*merged, *added][-MAX_ITEMS:]
    places = {identity(item, key): index for index, item in reversed(list(enumerate(merged)))}
    for item in added:
        place = places.setdefault(identity(item, key), len(merged))
        if place == len(merged):
            merged.append(item)
        elif key and isinstance(item, Mapping) and isinstance(merged[place], Mapping):
            merged[place] = {**merged[place], **_known(item)}
    return merged[-MAX_ITEMS:]


@dataclass(frozen=True, slots=True)
class Parts:
    """A new value in two parts: ``fits`` contradicts nothing, ``contradicts`` does (None: nothing does). Both are
    written as the whole would be."""

    fits: Any = field(repr=False)
    contradicts: Any = field(repr=False)


def apart(update: Update, key: str | None, old: Any, new: Any) -> Parts:
    """``new`` beside ``old``. A plain value contradicts when it differs; of objects only a changed field does, of lists
    only a changed field of an item that is known by ``key``. What is added contradicts nothing."""
    if old is None or update == "append" or (update == "merge_unique" and not isinstance(old, list | Mapping)):
        return Parts(new, None)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        changed = _changed(old, new)
        return Parts({**new, **{name: old[name] for name in changed}}, changed or None)
    if isinstance(old, list):
        return _items_apart(key, old, new) if key else Parts(new, None)
    return Parts(new, None) if identity(old) == identity(new) else Parts(old, new)


def _items_apart(key: str, old: list[Any], new: Any) -> Parts:
    known = {identity(item, key): item for item in reversed(old) if isinstance(item, Mapping)}
    fits, contradicts = [], []
    for item in new if isinstance(new, list) else [new]:
        there = known.get(identity(item, key))
        changed = _changed(there, item) if there is not None and isinstance(item, Mapping) else {}
        changed.pop(key, None)
        fits.append({**item, **{name: there[name] for name in changed}} if changed and there is not None else item)
        if changed:
            contradicts.append({key: item[key], **changed})
    return Parts(fits, contradicts or None)


def patched(old: Any, part: Any, key: str | None) -> Any:
    """``old`` with the part of a new value that contradicted it."""
    if isinstance(part, Mapping) and isinstance(old, Mapping):
        return {**old, **part}
    if key and isinstance(part, list) and isinstance(old, list):
        return merge("merge_unique", key, old, part)
    return part


def counterpart(old: Any, part: Any, key: str | None) -> Any:
    """What ``old`` holds where ``part`` contradicts it."""
    if isinstance(part, Mapping) and isinstance(old, Mapping):
        return {name: old.get(name) for name in part}
    if key and isinstance(part, list) and isinstance(old, list):
        known = {identity(item, key): item for item in reversed(old) if isinstance(item, Mapping)}
        pairs = [(known.get(identity(item, key)), item) for item in part]
        return [{name: there.get(name) for name in item} for there, item in pairs if there is not None]
    return old


def _changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in new.items()
        if value is not None and old.get(name) is not None and identity(old[name]) != identity(value)
    }


def _known(item: Mapping[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in item.items() if each is not None}


def _appended_text(old: Any, new: str, *, unique: bool) -> str:
    if not isinstance(old, str) or not old:
        return new
    if unique and loose(new) in map(loose, old.split("\n")):
        return old
    return f"{old}\n{new}"[-MAX_TEXT:]


def identity(item: Any, key: str | None = None) -> Any:
    """Equal for items that are one and the same to a person."""
    if key and isinstance(item, Mapping) and item.get(key) is not None:
        return "key", identity(item[key])
    if isinstance(item, Mapping):
        return "object", tuple(sorted((str(name), identity(each)) for name, each in item.items()))
    if isinstance(item, list):
        return "list", tuple(identity(each) for each in item)
    return type_name(item), loose(item)
