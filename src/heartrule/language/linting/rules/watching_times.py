"""E262: a ``cooldown``, ``every`` or ``expires: {after}`` that cannot be read. E265: an expiry that asks the model."""

from __future__ import annotations

import re
from collections.abc import Iterator

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.lengths import turns
from heartrule.language.linting.rules.timeouts import seconds
from heartrule.language.linting.view import View
from heartrule.language.nodes import Node
from heartrule.language.nodes.conditions import judges
from heartrule.language.spellings import conversions

_SAID = re.compile(r"\s*(\d{1,4}|[一二两三四五六七八九十])\s*(?:轮|次|回|rounds?|times?|turns?)\s*")


def check(view: View) -> Iterator[Finding]:
    for node in view.project.awareness:
        expires = node.expires
        told: list[tuple[Node, str, str | None, bool]] = [
            (node, "every", node.every, True),
            (node, "cooldown", node.cooldown, True),
        ]
        told += [(expires, "after", expires.after, False)] if expires is not None else []
        for owner, key, text, counts in told:
            if text is not None and seconds(text) is None and not (counts and turns(text)):
                place = view.project.at(owner, key, value=True)
                counted = _SAID.fullmatch(text) if counts else None
                said = f"{conversions.number(counted[1])} turns" if counted else ""
                mend = view.replaced(place, text, said) if said else None
                yield finding("E262", place, mend=mend, key=key, value=clip(text))
        if expires is not None and any(True for _ in judges(expires.condition)):
            yield finding("E265", view.project.at(expires, "condition"))
