"""What has changed in folders since one looked last: looked at again and again, since that works everywhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

PAUSE = 0.5
"""Seconds between two looks."""
_IGNORED = frozenset({"node_modules", "__pycache__"})
_Marks = dict[str, tuple[int, int]]


def changes(paths: Iterable[Path], pause: Callable[[], object]) -> Iterator[frozenset[str]]:
    """The files that were written, added or taken away since this was called, each time there are any; those whose
    names begin with a dot do not count. ``pause`` is waited for between two looks."""
    roots = list(paths)
    return _changes(roots, _marks(roots), pause)


def _changes(roots: list[Path], before: _Marks, pause: Callable[[], object]) -> Iterator[frozenset[str]]:
    while True:
        pause()
        now = _marks(roots)
        changed = frozenset(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
        before = now
        if changed:
            yield changed


def _marks(paths: Iterable[Path]) -> _Marks:
    found: _Marks = {}
    for path in paths:
        files = [path] if path.is_file() else _files(path)
        for file in files:
            try:
                stat = file.stat()
            except OSError:
                continue
            found[str(file)] = (stat.st_mtime_ns, stat.st_size)
    return found


def _files(folder: Path) -> Iterator[Path]:
    for above, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _IGNORED]
        yield from (Path(above) / name for name in names if not name.startswith("."))
