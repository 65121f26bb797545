"""One writer a session: who is at work on it in this process, and words that arrive meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Conversation:
    """``afters`` collects what the senders of newly accepted messages had seen; ``arrived`` says that there are some."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    afters: list[int | None] = field(default_factory=list)
    users: int = 0

    def tell(self, after: int | None) -> None:
        self.afters.append(after)
        self.arrived.set()

    def joins(self, after: int | None) -> bool:
        """Whether words have arrived that belong to the same answer. Forgets them."""
        joined = after is not None and after in self.afters
        self.afters.clear()
        self.arrived.clear()
        return joined


class Conversations:
    """The conversations that somebody is using now; the rest take no memory."""

    def __init__(self) -> None:
        self._open: dict[str, Conversation] = {}

    @asynccontextmanager
    async def of(self, session: str) -> AsyncIterator[Conversation]:
        conversation = self._open.setdefault(session, Conversation())
        conversation.users += 1
        try:
            yield conversation
        finally:
            conversation.users -= 1
            if not conversation.users:
                self._open.pop(session, None)
