"""W416: a placeholder that is opened and not closed, or closed and not opened. The person would see the brace."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from heartrule.language.findings import Finding, clip, finding
from heartrule.language.names import COUNTERS
from heartrule.language.nodes import Node
from heartrule.language.source import Path
from heartrule.language.view import View

_SAID = ("content", "question", "fallback", "goal", "exercise", "on_stop", "caption", "alt", "value")


def check(view: View) -> Iterator[Finding]:
    known = {variable.var for variable in view.variables()} | set(view.globals) | COUNTERS
    known |= {write.head for _, action in view.actions() for write in view.names.writes(action)}
    names = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    if not names:
        return
    halves = re.compile(
        rf"(?<!\{{)\{{[ \u3000]*(?P<opened>{names})(?![^{{}}]*\}})|(?P<closed>{names})[ \u3000]*\}}(?!\}})"
    )
    for _, action in view.actions():
        for keys, text in _texts(action):
            for match in halves.finditer(text):
                name = match["opened"] or match["closed"]
                if match["closed"] and "{" in text[: match.start()].rpartition("}")[2]:
                    continue
                place = view.project.within(action, match.start(), *keys)
                mend = view.rewritten(place, re.escape(match[0]), "{" + name.replace("\\", r"\\") + "}", safe=False)
                yield finding("W416", place, mend=mend, name=clip(name))


def _texts(action: Node) -> Iterator[tuple[Path, str]]:
    for key in _SAID:
        yield from _in(action.peek(key), (key,))
    for index, choice in enumerate(action.peek("choices") or ()):
        yield from _in(choice.label, ("choices", index, "label"))


def _in(value: Any, keys: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str) and ("{" in value or "}" in value):
        yield keys, value
