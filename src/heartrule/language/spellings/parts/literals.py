"""Yes and no, and numbers in quotes: read as they are meant, and written as every reader of YAML takes them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from heartrule.language.spellings.parts.rewrite import Made, Quietly, SpelledMapping
from heartrule.language.texts.text_edits import Edit

TRUTHS = frozenset({"require_acknowledgment", "required", "sensitive", "always", "strict", "has_questions"})
TRUTHS |= {"confirm_change", "risk", "review", "adaptive"}
NUMBERS = frozenset({"max_rounds", "min_rounds", "max_retries", "understanding_threshold", "min_length", "times"})
_WORDS = {
    **dict.fromkeys(("yes", "y", "on", "true"), "true"),
    **dict.fromkeys(("no", "n", "off", "false"), "false"),
}
_WHOLE = re.compile(r"[0-9]{1,6}")


def literal(key: Any, value: Any) -> str | None:
    """How the value of a key is written here; None where it is written so, or means no such thing."""
    if not isinstance(value, str):
        return None
    if key in TRUTHS:
        return _WORDS.get(value.lower())
    return str(int(value)) if key in NUMBERS and _WHOLE.fullmatch(value) else None


def otherwise(data: Mapping[Any, Any]) -> bool:
    return any(literal(key, value) for key, value in data.items())


def spelled(here: SpelledMapping) -> Made:
    for entry in here.node.entries:
        value = entry.value
        form = literal(entry.name, value.value) if value.kind == "scalar" and not value.marked else None
        if form and value.style not in ("|", ">"):
            yield Quietly([Edit(value.start, value.end, (form,))])
