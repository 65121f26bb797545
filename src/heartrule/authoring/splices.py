"""Edits of a text as splices, and the proof that they did what was asked and nothing else."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from heartrule.language.bilingual import Bilingual
from heartrule.language.texts.page import Page
from heartrule.language.texts.source import Path
from heartrule.language.texts.tree import Tree, trees
from heartrule.language.yaml import ParsedYaml, parse

ONE_LINE = Bilingual(
    "这一处的写法没法这样改，请在文本里改。",
    "This part is written so that it cannot be edited here; change it in the text.",
)
SHARED = Bilingual(
    "这一处是别处的引用（&、*），请在文本里改。", "This part is shared with another one (&, *); change it in the text."
)
GONE = Bilingual("那里没有这一项了。", "There is no such item any more.")
UNSURE = Bilingual(
    "这样改，别处会跟着变；请在文本里改。", "The edit would change something else as well; make it in the text."
)
UNREAD = Bilingual("这个文件现在读不懂，先改好它。", "The file cannot be read as it is; mend it first.")


class CannotEdit(Exception):
    """The edit was not made, and why."""

    def __init__(self, why: Bilingual) -> None:
        self.why = why
        super().__init__(why.en)


@dataclass(frozen=True, slots=True)
class Splice:
    """The text from ``start`` to ``end`` (offsets) becomes ``text``."""

    start: int
    end: int
    text: str


@lru_cache(maxsize=4)
def parse_cached(text: str) -> ParsedYaml:
    """What a text says; nobody may change it."""
    return parse(text, "")


@lru_cache(maxsize=4)
def _trees(text: str) -> list[Tree]:
    return trees(text)


def spliced(text: str, splices: Sequence[Splice]) -> str:
    for each in sorted(splices, key=lambda splice: (splice.start, splice.end), reverse=True):
        text = text[: each.start] + each.text + text[each.end :]
    return text


def least(before: str, after: str) -> list[Splice]:
    """One splice from the first difference to the last."""
    if before == after:
        return []
    most = min(len(before), len(after))
    start = next((at for at in range(most) if before[at] != after[at]), most)
    end = 0
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return [Splice(start, len(before) - end, after[start : len(after) - end])]


def proved(
    text: str, splices: list[Splice], change: Callable[[list[Any]], None], *, drops: bool = False
) -> list[Splice]:
    """The splices, where what comes out means what the same operation on the data comes to, and no comment is lost;
    ``drops``: those of what is taken out are."""
    wanted = copy.deepcopy(parse_cached(text).documents)
    try:
        change(wanted)
    except (IndexError, KeyError, TypeError, AttributeError):
        raise CannotEdit(GONE) from None
    after = spliced(text, splices)
    found = parse_cached(after)
    if any(each.stops for each in found.findings) or not same(found.documents, wanted):
        raise CannotEdit(UNSURE)
    if not drops and comments(text) - comments(after):
        raise CannotEdit(UNSURE)
    return splices


def same(one: Any, other: Any) -> bool:
    """Whether data is equal; ``1``, ``1.0`` and ``true`` are not, and the order of keys counts."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


@lru_cache(maxsize=4)
def comments(text: str) -> Counter[str]:
    """Every comment of a text, as often as it stands there; nobody may change it."""
    found = Page(text).inner(0, len(text), *_trees(text))
    return Counter(text[start:end].rstrip() for start, end in found)


def tree_at(text: str, path: Path) -> Tree:
    """What stands at a path. Raises ``CannotEdit``."""
    if any(found.stops for found in parse_cached(text).findings):
        raise CannotEdit(UNREAD)
    documents = _trees(text)
    if not path or not isinstance(path[0], int) or not -1 < path[0] < len(documents):
        raise CannotEdit(GONE)
    tree = documents[path[0]]
    for part in path[1:]:
        found = below(tree, part)
        if found is None:
            raise CannotEdit(SHARED if tree.kind == "alias" or any(tree.merged()) else GONE)
        tree = found
    return tree


def below(tree: Tree, part: str | int) -> Tree | None:
    if isinstance(part, int) and tree.kind == "list":
        return tree.items[part] if -1 < part < len(tree.items) else None
    entry = tree.get(str(part)) if tree.kind == "mapping" else None
    return entry.value if entry is not None else None


def into(documents: list[Any], path: Path) -> Any:
    data: Any = documents
    for part in path:
        data = data[part]
    return data
