"""Keys in other cases: ``maxRounds`` and ``max-rounds`` for ``max_rounds``."""

from __future__ import annotations

import re

from heartrule.language.spellings.parts.rewrite import Made, SpelledMapping

_CASED = re.compile(r"[a-z]+(?:[A-Z][a-z0-9]*)+|[a-z]+(?:-[a-z0-9]+)+")
_OUTER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|-")
_FREE = ("choices", "options")
"""Where a key may be what somebody picks."""
ALONE = frozenset({"defaultValue"})
"""What is another spelling as it is."""


def cased(name: str) -> str | None:
    """The key with underscores; None where it is written so, or is none of the kind."""
    if name in ALONE or not _CASED.fullmatch(name) or name.startswith("x-"):
        return None
    return "_".join(_OUTER.split(name)).lower()


def spelled(here: SpelledMapping) -> Made:
    if here.kind in _FREE:
        return
    forms = {entry.name: form for entry in here.node.entries if (form := cased(entry.name))}
    if forms:
        yield from here.rename(forms)
