"""The words of one reply that have opened what comes next."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OpeningWords:
    """The words that have opened an action before it was entered: the phase and topic that it stands in, its index."""

    phase: str
    topic: str
    index: int
    words: str
