"""What is asked for on a map or in a panel, as a change of the text: an operation in, edits out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heartrule.authoring import extract_technique, new_ids, node_edits, occurrences, rename, wordlist
from heartrule.authoring.error_recovery import Readable, readable
from heartrule.authoring.occurrences import Occurrence
from heartrule.authoring.positions import Position
from heartrule.authoring.splices import GONE, CannotEdit, Splice, into, parse_cached, spliced
from heartrule.authoring.wire import Json, hash_of, lines_of, text_edits
from heartrule.authoring.workspace import Snapshot, Workspace
from heartrule.authoring.yaml_writer import item
from heartrule.language.bilingual import Bilingual
from heartrule.language.texts.page import Page
from heartrule.language.texts.source import Path

_BROKEN = Bilingual("这一处有读不懂的部分，先改好它。", "There is a part here that cannot be read; mend that first.")
_UNKNOWN = Bilingual("没有这种操作。", "There is no such operation.")
_NOT_WORDS = Bilingual(
    "这里的规则不只是词，请在文本里改。", "The rules here are more than words; change them in the text."
)
_NUMBERED = re.compile(r"(.*?)_?(\d+)\Z")


class TextMoved(Exception):
    """The text is not the one that was meant."""


@dataclass(frozen=True, slots=True)
class EditResult:
    """``splices`` by file; ``select``: where the item that was touched is afterwards."""

    splices: Mapping[str, Sequence[Splice]] = field(repr=False)
    select: Path | None = None


def operate(workspace: Workspace, params: Json, lang: str = "zh-CN") -> Json:
    """``{file, base, operation}`` → ``{edit, hash, select}``. Nothing is written. ``lang``: in which is said what an
    operation puts in besides. Raises ``CannotEdit``, ``TextMoved``."""
    snapshot, file = workspace.now, str(params.get("file", ""))
    text = snapshot.texts.get(file)
    if text is None:
        raise CannotEdit(GONE)
    if params.get("base") not in (None, hash_of(text)):
        raise TextMoved(file)
    done = _done(workspace, snapshot, file, text, params.get("operation") or {}, lang)
    changes = {
        path: text_edits(snapshot.texts.get(path, ""), splices) for path, splices in done.splices.items() if splices
    }
    after = spliced(text, done.splices.get(file, ()))
    return {
        "edit": {"changes": changes},
        "hash": hash_of(after),
        "select": list(done.select) if done.select is not None else None,
    }


def _done(workspace: Workspace, snapshot: Snapshot, file: str, text: str, operation: Json, lang: str) -> EditResult:
    kind = operation.get("kind")
    if kind == "rename":
        return _renamed(workspace, file, operation)
    if kind == "extract_to_technique":
        return _extracted(snapshot, file, text, operation)
    known = readable(text, file)
    splices, select = _edited(snapshot, known.text, operation, lang)
    _outside(known, splices)
    return EditResult({file: splices}, select)


def _edited(snapshot: Snapshot, text: str, operation: Json, lang: str) -> tuple[list[Splice], Path | None]:
    path = _path(operation.get("path"))
    match operation.get("kind"):
        case "insert":
            index = _number(operation.get("index"))
            said = new_ids.named(snapshot, parse_cached(text).documents, path, _item(operation.get("item")))
            return node_edits.insert(text, path, index, said), (*path, index)
        case "move":
            to, index = _path(operation.get("to")), _number(operation.get("index"))
            return node_edits.move(text, path, to, index), _moved(path, to, index)
        case "delete":
            return node_edits.delete(text, path), None
        case "duplicate":
            return _duplicated(snapshot, text, path)
        case "set":
            return node_edits.set_value(text, path, operation.get("value")), path
        case "set_text":
            return node_edits.set_text(text, path, str(operation.get("text", ""))), path
        case "words":
            return _worded(text, path, operation.get("words"), lang), path
        case _:
            raise CannotEdit(_UNKNOWN)


def _worded(text: str, path: Path, words: Any, lang: str) -> list[Splice]:
    """The words that a condition hears without a model."""
    if not isinstance(words, list) or not all(isinstance(each, str) for each in words):
        raise CannotEdit(GONE)
    try:
        own = into(parse_cached(text).documents, path)
    except (KeyError, IndexError, TypeError):
        raise CannotEdit(GONE) from None
    if not isinstance(own, dict) or wordlist.rule_words(own.get("rules"))["plain"] is None:
        raise CannotEdit(_NOT_WORDS)
    return node_edits.set_value(text, (*path, "rules"), wordlist.ruled(own.get("rules"), words, lang))


def _path(given: Any) -> Path:
    if not isinstance(given, list) or not given or not all(isinstance(each, str | int) for each in given):
        raise CannotEdit(GONE)
    return tuple(given)


def _number(given: Any) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or given < 0:
        raise CannotEdit(GONE)
    return given


def _item(given: Any) -> str:
    return given if isinstance(given, str) else item(given, 0)


def _moved(path: Path, to: Path, index: int) -> Path:
    """Where an item is behind its move: lists behind it have moved up."""
    above, number = path[:-1], int(path[-1])
    if above == to:
        return (*to, index - 1 if index > number else index)
    if len(to) >= len(path) and to[: len(above)] == above and isinstance(to[len(above)], int):
        other = int(to[len(above)])
        to = (*above, other - 1 if other > number else other, *to[len(above) + 1 :])
    return (*to, index)


def _duplicated(snapshot: Snapshot, text: str, path: Path) -> tuple[list[Splice], Path]:
    if not isinstance(path[-1], int):
        raise CannotEdit(GONE)
    try:
        own = into(parse_cached(text).documents, path)
    except (KeyError, IndexError, TypeError):
        raise CannotEdit(GONE) from None
    key = next((key for key in ("id", "var", "get") if isinstance(own, dict) and isinstance(own.get(key), str)), None)
    changed = (key, free(snapshot, own[key])) if key is not None else None
    return node_edits.duplicate(text, path, changed), (*path[:-1], path[-1] + 1)


def free(snapshot: Snapshot, name: str) -> str:
    """A name like this one that nothing in the project has."""
    everything = "\n".join(snapshot.texts.values())
    found = _NUMBERED.match(name)
    stem, number = (found[1], int(found[2])) if found and found[1] else (name, 1)
    while re.search(rf"(?<![\w-]){re.escape(f'{stem}_{number + 1}')}(?![\w-])", everything):
        number += 1
    return f"{stem}_{number + 1}"


def _outside(known: Readable, splices: Sequence[Splice]) -> None:
    """No edit may touch, move or copy what could not be read."""
    page = Page(known.text)
    for each in splices:
        first = page.text.count("\n", 0, each.start) + 1
        last = first + max(0, page.text.count("\n", each.start, each.end) - 1)
        if known.locked and each.end > each.start and known.holds(first, last):
            raise CannotEdit(_BROKEN)
        if known.locked and "####" in each.text:
            raise CannotEdit(_BROKEN)


# names


def _renamed(workspace: Workspace, file: str, operation: Json) -> EditResult:
    snapshot = workspace.now
    named = _named(snapshot, file, operation)
    if named is None:
        raise CannotEdit(GONE)
    try:
        changes = rename.renamed(workspace, named, str(operation.get("name", "")))
    except rename.CannotRename as refused:
        raise CannotEdit(refused.why) from None
    splices: dict[str, list[Splice]] = {}
    for each in changes:
        lines = lines_of(snapshot, each.file)
        start, end = (lines.begins_at(*place) for place in each.range)
        splices.setdefault(each.file, []).append(Splice(start, end, each.text))
    path = operation.get("path")
    return EditResult(splices, tuple(path) if isinstance(path, list) else None)


def _named(snapshot: Snapshot, file: str, operation: Json) -> Occurrence | None:
    if isinstance(at := operation.get("position"), dict):
        line = int(at.get("line", 0)) + 1
        column = lines_of(snapshot, file).column(line, int(at.get("character", 0)))
        return occurrences.at(snapshot, file, Position(line, column))
    path = _path(operation.get("path"))
    known = snapshot.project.maps.get(file)
    for key in ("id", "var", "name", "get", "set", *("session", "phase", "topic", "skill", "awareness", "form"), None):
        at_path = (*path, key) if key is not None else path
        spot = known.values.get(at_path) if known is not None else None
        if spot is None:
            continue
        column = spot.column + (1 if spot.style in ("'", '"') else 0)
        found = occurrences.at(snapshot, file, Position(spot.line, column))
        if found is not None:
            return found
    return None


def _extracted(snapshot: Snapshot, file: str, text: str, operation: Json) -> EditResult:
    path = _path(operation.get("path"))
    first, last = _number(operation.get("first")), _number(operation.get("last"))
    id_ = str(operation.get("id") or free(snapshot, "technique"))
    name = str(operation.get("name") or id_)
    asked = extract_technique.ExtractTechniqueRequest(path, first, last, id_, name, str(operation.get("goal") or name))
    return EditResult({file: extract_technique.extracted(snapshot, file, text, asked)}, (*path, first))
