"""What a new item is called: its ids and its title are its own from the start, so that putting it in breaks nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from heartrule.authoring import value_edits
from heartrule.authoring.project_map import TITLES
from heartrule.authoring.splices import into, parse_cached
from heartrule.authoring.workspace import Snapshot
from heartrule.language.texts.source import Path

_NODES = frozenset({"sessions", "phases", "steps", "actions", "skills", "awareness", "forms"})
"""Lists whose items are meant by their id from elsewhere: it is looked for in the whole project."""
_OWN = {"fields": "id", "scores": "id", "parameters": "name", "declare": "var", "global": "var", "variables": "var"}
"""Lists whose items are told apart by a key among each other."""
_WRITTEN = r"(?<![\w$]){key}[\"']?[ \t]*:[ \t]*(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s\"',}}][^\n,}}#]*))"
_NUMBERED = re.compile(r"(.*?[^\d])(\d+)\Z")


def named(snapshot: Snapshot, documents: list[Any], path: Path, said: str) -> str:
    """YAML of a new item of the list at ``path``, its names those that it says, or with the next number where something
    has them already. What cannot be read is left as it is."""
    found = parse_cached(said)
    if len(found.documents) != 1 or not isinstance(found.documents[0], dict) or any(e.stops for e in found.findings):
        return said
    last = str(path[-1])
    if last in _OWN:
        key = _OWN[last]
        beside = _beside(documents, path, key)
        return _renamed(said, [((0, key), free(found.documents[0].get(key), beside.__contains__))])
    if last not in _NODES:
        return said
    return _renamed(said, _of_nodes(snapshot, found.documents, said))


def free(name: Any, taken: Callable[[str], bool], between: str = "_") -> Any:
    """The name, or the first with a number behind it that is not taken; what is no text stays."""
    if not isinstance(name, str) or not taken(name):
        return name
    numbered = _NUMBERED.match(name)
    stem, number = (numbered[1], int(numbered[2])) if numbered else (f"{name}{between}", 1)
    while taken(f"{stem}{number + 1}"):
        number += 1
    return f"{stem}{number + 1}"


def _beside(documents: list[Any], path: Path, key: str) -> set[str]:
    try:
        items = into(documents, path)
    except (KeyError, IndexError, TypeError):
        return set()
    return {str(each.get(key)) for each in items or () if isinstance(each, dict)}


def _of_nodes(snapshot: Snapshot, documents: list[Any], said: str) -> Iterator[tuple[Path, Any]]:
    ids, titles = _taken(snapshot, ["id"]), _taken(snapshot, sorted(set(TITLES.values())))
    for path, node in _nodes(documents[0], (0,)):
        own = node.get("id")
        # A part that the item itself refers to keeps the name that it is referred to by.
        if isinstance(own, str) and (path == (0,) or len(re.findall(rf"(?<!\w){re.escape(own)}(?!\w)", said)) == 1):
            made = free(own, ids.__contains__)
            ids.add(made)
            yield (*path, "id"), made
        title = next((key for key in TITLES.values() if key in node and "type" not in node), None)
        if title is not None:
            made = free(node[title], titles.__contains__, " ")
            titles.add(str(made))
            yield (*path, title), made


def _nodes(data: Any, path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    if not isinstance(data, dict):
        return
    yield path, data
    for key in ("phases", "steps", "actions"):
        for index, each in enumerate(data.get(key) or () if isinstance(data.get(key), list) else ()):
            yield from _nodes(each, (*path, key, index))


def _taken(snapshot: Snapshot, keys: Iterable[str]) -> set[str]:
    """What stands behind these keys anywhere in the texts, also in those that cannot be read just now."""
    written = re.compile(_WRITTEN.format(key=f"(?:{'|'.join(keys)})"))
    return {
        "".join(found).strip()
        for file, text in snapshot.texts.items()
        if file.endswith((".yaml", ".yml"))
        for found in written.findall(text)
    }


def _renamed(said: str, names: Iterable[tuple[Path, Any]]) -> str:
    for path, name in names:
        if name is not None:
            said = value_edits.with_value(said, path, name)
    return said
