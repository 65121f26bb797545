"""What counsellors do with sessions: look, take over, speak, hand back. Each is put on record with who did it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from heartrule.engine.session.io import Correction, Then
from heartrule.sessions.counsellor_corrections import encode
from heartrule.sessions.service import Sessions
from heartrule.sessions.session_status import life_of, read_only
from heartrule.sessions.views import Closed, NoSuchSession, Outcome
from heartrule.store.audit import AuditRecord, Deed
from heartrule.store.records import Entry, Gone, HumanRecord, InputKind, SessionRecord, StoreError

Check = Callable[[SessionRecord], None]
DEEDS: dict[InputKind, Deed] = {
    "takeover": "takeover",
    "human": "write",
    "hand_back": "hand_back",
    "correct": "correct",
}


class Taken(StoreError):
    """Another counsellor holds the session."""

    def __init__(self, holder: HumanRecord) -> None:
        super().__init__("another counsellor holds the session")
        self.holder = holder


class NotTaken(StoreError):
    """Nobody of the staff holds the session: it must be taken over first."""


@dataclass(frozen=True, slots=True)
class Counsellor:
    """``id`` is theirs alone, ``name`` is shown to the person, ``role`` is what lets them in."""

    id: str
    name: str = field(repr=False)
    role: str


class CounsellorActions:
    """What one counsellor may do, session by session. Raises ``NoSuchSession``, ``Closed``, ``KeyReused``."""

    def __init__(self, sessions: Sessions, who: Counsellor) -> None:
        self._sessions, self._who = sessions, who

    async def read(self, session: str) -> None:
        """To be called before anything that was said is shown."""
        await self._sessions.store.audit.note(self._record(session, "read"))

    async def take_over(self, session: str, key: str, instead: str = "") -> Outcome:
        """Come between the program and the person: a reply that is being written ends where it is, and one of
        which nothing was shown is given up, so that the human answers. ``instead``: the id
        of the colleague who holds the session and is to be relieved. Raises ``Taken`` where it is held otherwise."""

        def check(record: SessionRecord) -> None:
            if record.human is not None and record.human.id not in (self._who.id, instead):
                raise Taken(record.human)

        outcome = await self._do(session, Entry(key=key, kind="takeover", who=self._speaker(instead)), check)
        await self._acknowledge(session)
        return outcome

    async def _acknowledge(self, session: str) -> None:
        """Whoever is there now has seen all calls."""
        calls, now = self._sessions.store.escalations, self._sessions.clock.now()
        for each in await calls.of_session(session):
            if each.acknowledged_at is None:
                await calls.acknowledge(each.id, self._who.name, now)

    async def speak(self, session: str, key: str, text: str) -> Outcome:
        """Say something to the person. Raises ``Taken`` and ``NotTaken``."""
        return await self._do(session, Entry(key=key, kind="human", text=text, who=self._speaker()), self._mine)

    async def hand_back(
        self,
        session: str,
        key: str,
        *,
        closed: bool = False,
        reason: str = "",
        then: Then = "",
        text: str | None = None,
    ) -> Outcome:
        """Leave, behind a closing word ``text``: the program goes on at once, or ``then``. ``closed``: the danger has
        been cleared, for a ``reason`` that stands on record, and it is not to be asked about again. Raises ``Taken``
        and ``NotTaken``."""
        who = self._speaker() | ({"closed": "yes"} if closed else {}) | ({"then": then} if then else {})
        return await self._do(session, Entry(key=key, kind="hand_back", text=text, who=who), self._mine, reason)

    async def vanish(self, session: str, since: datetime) -> Outcome:
        """They hold it ``since`` then, and give no sign of life: it is taken from them."""
        who = self._speaker() | {"vanished": "yes"}
        key = f"vanished {self._who.id} {since.isoformat()}"
        return await self._do(session, Entry(key=key, kind="hand_back", who=who), self._mine)

    async def correct(self, session: str, key: str, correction: Correction) -> Outcome:
        """Set right what was taken from the person's words, whoever holds the session, and when it is over, too."""
        entry = Entry(key=key, kind="correct", text=encode(correction), who=self._speaker())
        return await self._do(session, entry, lambda _: None)

    def _mine(self, record: SessionRecord) -> None:
        if record.human is None:
            raise NotTaken(record.id)
        if record.human.id != self._who.id:
            raise Taken(record.human)

    async def _do(self, session: str, entry: Entry, check: Check, detail: str = "") -> Outcome:
        """Accepted and put on record, both or neither; then its turn is worked out."""
        sessions = self._sessions
        now = sessions.clock.now()

        def checked(record: SessionRecord) -> None:
            if entry.kind != "correct" and read_only(life_of(record, now)):
                raise Closed(record.id)
            check(record)

        try:
            record = self._record(session, _deed(entry), detail)
            await sessions.store.audit.accept(entry, record, checked)
            outcome = await sessions.take(session, entry)
        except Gone:
            raise NoSuchSession(session) from None
        if entry.kind == "takeover" and outcome.human is not None and outcome.human.id != self._who.id:
            raise Taken(outcome.human)  # two came at once
        return outcome

    def _speaker(self, instead: str = "") -> dict[str, str]:
        return {"id": self._who.id, "name": self._who.name} | ({"instead": instead} if instead else {})

    def _record(self, session: str, what: Deed, detail: str = "") -> AuditRecord:
        return AuditRecord(self._who.id, self._who.role, session, what, self._sessions.clock.now(), detail)


def _deed(entry: Entry) -> Deed:
    who = entry.who or {}
    if who.get("then") == "end":
        return "ended"
    return "cleared" if who.get("closed") else "vanished" if who.get("vanished") else DEEDS[entry.kind]
