"""Looks: whoever opens a session looks at it once, however many requests their page makes. Each look is one row on
record, written before anything is shown."""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime, timedelta

from heartrule.identity.principal import Principal
from heartrule.sessions import Sessions
from heartrule.store.audit import AuditRecord

LASTS = timedelta(minutes=10)
"""A look is over when nothing was asked for so long."""
KEPT = 10_000


class Looks:
    """Remembered in this process: of several that serve, each writes a row of its own."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._last: OrderedDict[tuple[str, str], datetime] = OrderedDict()

    async def look(self, who: Principal, session: str) -> None:
        """To be called before anything that was said is shown."""
        now, key = self._sessions.clock.now(), (who.id, session)
        before = self._last.get(key)
        if before is None or now - before >= LASTS:
            await self._sessions.store.audit.note(AuditRecord(who.id, who.role, session, "read", now))
        self._last[key] = now
        self._last.move_to_end(key)
        while len(self._last) > KEPT:
            self._last.popitem(last=False)
