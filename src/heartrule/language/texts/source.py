"""Where things stand in a YAML file: a map from paths (keys and indices, the document's number first) to positions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

Path = tuple[str | int, ...]


class Spot(NamedTuple):
    """1-based line and column. ``style`` of a text is how it was written: plain (``""``), ``'``, ``"``, ``|`` or ``>``;
    ``{`` and ``[`` mark mappings and lists written in one line."""

    line: int
    column: int
    style: str = ""


@dataclass(slots=True)
class SourceMap:
    """Positions of keys and of values, and the lines of the file they are in."""

    keys: dict[Path, Spot] = field(default_factory=dict)
    values: dict[Path, Spot] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    written: object = field(default=None, repr=False, compare=False)
    """What ``mends`` works out of the lines."""

    def key(self, path: Path) -> Spot:
        """Where the key (or the list item) at ``path`` begins; inside of an alias, where the alias stands."""
        while path:
            spot = self.keys.get(path) or self.values.get(path)
            if spot is not None:
                return spot
            path = path[:-1]
        return Spot(1, 1)

    def value(self, path: Path) -> Spot:
        """Where the value at ``path`` begins."""
        return self.values.get(path) or self.key(path)

    def within(self, path: Path, offset: int) -> Spot:
        """Where the character ``offset`` of the text at ``path`` stands, exact for texts without line folding."""
        spot = self.value(path)
        if spot.style in ("", "'", '"'):
            return Spot(spot.line, spot.column + offset + len(spot.style))
        if spot.style == "|":
            for number, line in enumerate(self.lines[spot.line :], start=spot.line + 1):
                indent = len(line) - len(line.lstrip(" "))
                if offset <= len(line) - indent:
                    return Spot(number, indent + offset + 1)
                offset -= len(line) - indent + 1
        return spot
