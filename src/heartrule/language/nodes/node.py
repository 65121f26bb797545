"""What all parts of a script have in common: a place, strictness, and the parts below them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Self, get_args

from pydantic import BaseModel, ConfigDict, PrivateAttr

Json = Any
"""A literal from the script: text, number, boolean, null, list or mapping, already free of YAML objects."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands: file (relative to its project), 1-based line and column, and the path in words (Chinese and
    English) and in keys, the document's number first."""

    file: str = "?"
    line: int = 0
    column: int = 0
    words: str = ""
    words_en: str = ""
    path: tuple[str | int, ...] = ()


NOWHERE = Place()


class Text:
    """Marks a string that may hold placeholders (``{name}``, ``{%name%}``)."""


Template = Annotated[str, Text()]


class Node(BaseModel):
    """Anything in a script that has a place of its own."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, hide_input_in_errors=True, coerce_numbers_to_str=True, defer_build=True
    )

    # A factory, because a default would be copied deeply for every node.
    _place: Place = PrivateAttr(default_factory=lambda: NOWHERE)

    @property
    def place(self) -> Place:
        return self._place

    def put(self, place: Place) -> None:
        """Set by the loader, once."""
        self._place = place

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """As pydantic's, but what was worked out of the original is not the copy's: it may hold something else."""
        copied = super().model_copy(update=update, deep=deep)
        fields = type(self).model_fields
        if len(copied.__dict__) > len(fields):
            for name in copied.__dict__.keys() - fields.keys():
                del copied.__dict__[name]
        return copied

    def peek(self, name: str) -> Any:
        """The value of a field that this kind of node may or may not have; None where it has none."""
        return self.__dict__.get(name)

    def children(self) -> Iterator[tuple[tuple[str | int, ...], Node]]:
        """Direct child nodes with their path from here, in the order of the fields (keys as written in YAML)."""
        for key, name in _holding(type(self)):
            value = getattr(self, name)
            if isinstance(value, Node):
                yield (key,), value
            elif isinstance(value, list | tuple):
                for index, item in enumerate(value):
                    if isinstance(item, Node):
                        yield (key, index), item


@cache
def _holding(model: type[Node]) -> tuple[tuple[str, str], ...]:
    """The fields of a model that may hold nodes: key and attribute of each."""
    return tuple(
        (field.alias or name, name)
        for name, field in model.model_fields.items()
        if any(isinstance(part, type) and issubclass(part, Node) for part in _parts(field.annotation))
    )


def _parts(annotation: Any) -> Iterator[Any]:
    yield annotation
    for part in get_args(annotation):
        yield from _parts(part)
