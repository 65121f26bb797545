"""E228: a ``timeout`` that is no length of time between a second and a day. W425: a length of time in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.lengths import length, short
from heartrule.language.linting.view import View
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
    for node in _timed(view):
        for key in _KEYS:
            text = node.peek(key)
            if isinstance(text, str) and seconds(text) is not None and not _SHORT.fullmatch(text):
                yield _in_words(view, view.project.at(node, key, value=True), text)


def _timed(view: View) -> Iterator[Node]:
    """Every node that may say how long something takes."""
    for node in (*view.nodes(), *(part for _, action in view.actions() for part in action.peek("actions") or ())):
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
