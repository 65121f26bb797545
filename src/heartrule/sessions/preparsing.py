"""Long words are made ready to be read on a thread of their own: what takes tens of milliseconds would hold up every
other conversation of the process. The turn then finds them read."""

from __future__ import annotations

import asyncio

from heartrule.engine.awareness.risk_text import fold
from heartrule.parsing.text import fold as folded
from heartrule.parsing.text import normalise, words_of

LONG = 1_000
"""Characters from which on it pays."""


async def read_ahead(text: str | None) -> None:
    if text is not None and len(text) >= LONG:
        await asyncio.to_thread(_read, text)


def _read(text: str) -> None:
    for reading in (fold, normalise, folded, words_of):
        reading(text)
    fold(text, "joined")
