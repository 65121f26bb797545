"""How firmly an answer is meant: words of doubt, a range where one number is wanted, words by which people correct
themselves. They never decide a value."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any, Literal

import yaml

from heartrule.language.patterns import compiled
from heartrule.readers.text import MAX_READ, normalise

Doubt = Literal["hedge", "range", "correction"]


def holds(kind: Doubt, text: str) -> bool:
    """Whether ``text`` holds such words. Chinese and English are understood whatever the locale."""
    plain = normalise(text[:MAX_READ]).casefold().replace("’", "'")
    return any(each.search(plain) is not None for each in _patterns(kind))


@cache
def _patterns(kind: Doubt) -> tuple[Any, ...]:
    text = resources.files("heartrule.readers.phrases").joinpath("doubts.yaml").read_text(encoding="utf-8")
    written = yaml.load(text, yaml.CSafeLoader)
    return tuple(compiled(pattern) for language in written.values() for pattern in language[kind])
