"""E262: a ``cooldown``, ``every`` or ``expires: {after}`` that cannot be read. E265: an expiry that asks the model."""

from __future__ import annotations

import re
from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.linting.rules.timeouts import mended, seconds
from heartrule.language.linting.view import View
from heartrule.language.nodes import Node
from heartrule.language.nodes.conditions import judges

_TURNS = re.compile(r"\s*[1-9]\d{0,3}\s*turns?\s*")


def check(view: View) -> Iterator[Finding]:
    for node in view.project.awareness:
        expires = node.expires
        told: list[tuple[Node, str, str | None, bool]] = [
            (node, "every", node.every, True),
            (node, "cooldown", node.cooldown, True),
        ]
        told += [(expires, "after", expires.after, False)] if expires is not None else []
        for owner, key, text, turns in told:
            if text is not None and seconds(text) is None and not (turns and _TURNS.fullmatch(text)):
                place = view.project.at(owner, key, value=True)
                yield finding("E262", place, mend=mended(view, place, text, turns=turns), key=key, value=clip(text))
        if expires is not None and any(True for _ in judges(expires.condition)):
            yield finding("E265", view.project.at(expires, "condition"))
