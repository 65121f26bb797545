"""E228: a ``timeout`` that is no length of time between a second and a day. W425: a length of time in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.lengths import length, short
from heartrule.language.linting.view import View
from heartrule.language.names import Names
from heartrule.language.nodes import Node, Place

_DAY = 86_400
_KEYS = ("timeout", "time_budget", "duration", "every", "cooldown", "after", "wait")
_SHORT = re.compile(r"\s*(\d+\s*h)?\s*(\d+\s*m)?\s*(\d+\s*s)?\s*")


def check(view: View) -> Iterator[Finding]:
    for _, action in view.actions():
        if action.timeout is None:
            continue
        if seconds(action.timeout) is None:
            place = view.project.at(action, "timeout", value=True)
            yield finding("E228", place, value=clip(action.timeout))
    for node in (*view.nodes(), *(part for _, action in view.actions() for part in action.peek("actions") or ())):
        for part, key, text in view.names.once(_worded, node):
            yield _in_words(view, view.project.at(part, key, value=True), text)


def _worded(_: Names, node: Node) -> tuple[tuple[Node, str, str], ...]:
    """The lengths of time of a node that are said in words, with what says them."""
    said = ((part, key, part.peek(key)) for part in _timed(node) for key in _KEYS)
    return tuple(
        (part, key, text)
        for part, key, text in said
        if isinstance(text, str) and seconds(text) is not None and not _SHORT.fullmatch(text)
    )


def _timed(node: Node) -> Iterator[Node]:
    """The node and those below it that may say how long something takes."""
    yield node
    if (expires := node.peek("expires")) is not None:
        yield expires
    yield from (step for step in node.peek("exercise_steps") or () if isinstance(step, Node))


def _in_words(view: View, place: Place, text: str) -> Finding:
    span = length(text)
    read_as = short(span) if span is not None else ""
    return finding("W425", place, mend=view.replaced(place, text, read_as), value=clip(text), short=read_as)


def seconds(text: str) -> int | None:
    """How long that is; None when it is no length of time between a second and a day."""
    found = length(text)
    whole = int(found.total_seconds()) if found is not None else 0
    return whole if 1 <= whole <= _DAY else None
