"""The names that actions give values to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from heartrule.language.nodes.node import Node


class Writes:
    """What has actions of its own."""

    if TYPE_CHECKING:  # a field of each node that is one, in its own place
        actions: Sequence[Node]

    @cached_property
    def written(self) -> frozenset[str]:
        """The names that its actions give values to, those inside of others too."""
        return frozenset(_all(self.actions))


def _all(actions: Sequence[Node]) -> Iterator[str]:
    for action in actions:
        yield from writes(action)
        yield from _all(action.peek("actions") or ())


def writes(action: Node) -> Iterator[str]:
    """Names that an action gives values to."""
    for item in action.peek("output") or []:
        yield from (name for key in ("get", "set") if isinstance(name := item.peek(key), str))
    decide = action.peek("decide")
    for name in (action.peek("var"), action.peek("tolist"), decide.peek("var") if isinstance(decide, Node) else None):
        if isinstance(name, str):
            yield name
