"""Labelled items as JSON Lines: each row an object, each id its own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

from heartrule.evals.labelled_files import BadFile

_ID = re.compile(r"[A-Za-z0-9_-]{1,60}\Z")


class PlacedRow(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def line(self) -> int: ...


Item = TypeVar("Item", bound=PlacedRow)
Make = Callable[[Mapping[str, Any], int], Item]
"""An item of a row and its line. Raises ``BadFile``."""


def load_items(paths: Iterable[Path], make: Make[Item]) -> list[Item]:
    """The items of all files, in order; their ids differ. Raises ``BadFile``, which quotes none of them."""
    found: list[Item] = []
    seen: set[str] = set()
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError):
            raise BadFile("unread", path=path) from None
        own = [make(row, line) for line, row in _rows(text)]
        if not own:
            raise BadFile("empty", path=path)
        for each in own:
            if each.id in seen:
                raise BadFile("bad_item", each.line, key="id")
            seen.add(each.id)
        found += own
    return found


def _rows(text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for line, written in enumerate(text.split("\n"), 1):
        if not written.strip():
            continue
        try:
            row: Any = json.loads(written)
        except (ValueError, RecursionError):
            raise BadFile("not_json", line) from None
        if not isinstance(row, dict):
            raise BadFile("not_json", line)
        yield line, row


def need(line: int, key: str, ok: bool) -> None:
    """Raises ``BadFile``, about the ``key`` of that line, where it is not ``ok``."""
    if not ok:
        raise BadFile("bad_item", line, key=key)


def is_id(given: object) -> bool:
    """Whether it can name an item, and a file."""
    return isinstance(given, str) and _ID.match(given) is not None
