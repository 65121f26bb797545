"""All debug sessions of one data folder: made, found again, closed, taken elsewhere."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from uuid import uuid4

from heartrule.classifiers import configured
from heartrule.debugger import session_file
from heartrule.debugger.answers import AnswerPolicy
from heartrule.debugger.breakpoints import Breakpoint
from heartrule.debugger.head import FORMAT, Head
from heartrule.debugger.session import DebugSession, NotPossible
from heartrule.debugger.stepping import Go, StepLimit
from heartrule.debugger.tape import Move
from heartrule.debugger.texts import Text, compile_files
from heartrule.language.projects.library import Library
from heartrule.llm.model import Model
from heartrule.sessions.clock import Clock
from heartrule.store.debug_sessions import DebugHead, DebugListed
from heartrule.store.store import Store

R = TypeVar("R")
OPEN = 50
"""Debug sessions kept in memory; others are worked out again when they are asked for."""
READ_AT_ONCE = 2
"""Texts that are read at once; visitors' words and sign-ins need threads as well."""
SHARED = "heartrule debug session"


class NoSuchDebugSession(Exception):
    """There is none of this id for who asks."""


class Debugger:
    """``model`` answers where a session wants a real one."""

    def __init__(self, store: Store, library: Library, model: Model, clock: Clock) -> None:
        self._store, self.library, self.model, self.clock = store, library, model, clock
        self._open: OrderedDict[str, DebugSession] = OrderedDict()
        self._loading, self._reading = asyncio.Lock(), asyncio.Semaphore(READ_AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()

    def text(self, files: Mapping[str, str], script: str = "", locale: str | None = None) -> Text:
        """Raises ``Refused`` with what keeps these files from being run."""
        return compile_files(files, script, self.library, locale)

    async def read(self, files: Mapping[str, str], script: str = "") -> Text:
        """The same beside the loop: whole projects take long."""
        return await self.aside(lambda: self.text(files, script))

    async def aside(self, act: Callable[[], R]) -> R:
        """What takes long, beside the loop and a few at a time."""
        async with self._reading:
            return await asyncio.to_thread(act)

    async def create(
        self,
        text: Text,
        who: str,
        *,
        name: str = "",
        values: Mapping[str, Any] | None = None,
        answering: AnswerPolicy | None = None,
        breakpoints: Sequence[Breakpoint] = (),
        go: Go = "run",
        at: Any = None,
        project: str = "",
        base: int = 0,
    ) -> DebugSession:
        """A new one that has not begun. ``project`` and ``base``: the project and the version that the text is of;
        0 where the project lies in a folder."""
        now = at or self.clock.now()
        head = Head(
            id=uuid4().hex,
            who=who,
            script=text.script.id,
            name=name or text.script.session.session,
            text=text.hash,
            created_at=now,
            virtual=now,
            real=self.clock.now(),
            breakpoints=list(breakpoints),
            answering=answering or AnswerPolicy(),
            values=dict(values or {}),
            stepping=StepLimit(go),
            project=project,
            base=base,
            classifiers={hears: each.name for hears, each in configured().items()},
        )
        session = self._session(head, {text.hash: text}, {})
        await self._store.debug_sessions.save_text(text.hash, text.sources)
        await session.keep()
        self._hold(session)
        return session

    async def session(self, id_: str, who: str) -> DebugSession:
        """Somebody's own. Raises ``NoSuchDebugSession``."""
        found = await self.found(id_)
        if found.head.who != who:
            raise NoSuchDebugSession(id_)
        return found

    async def found(self, id_: str) -> DebugSession:
        """Whoever's it is. Raises ``NoSuchDebugSession``."""
        async with self._loading:
            found = self._open.get(id_) or await self._load(id_)
            if found is None:
                raise NoSuchDebugSession(id_)
            self._hold(found)
            return found

    def keep_task(self, task: asyncio.Task[None]) -> None:
        """What goes on when its asker leaves."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def of(self, who: str) -> Sequence[DebugListed]:
        return await self._store.debug_sessions.of(who)

    async def close(self, session: DebugSession) -> None:
        """It takes nothing more; what it has come to stays."""
        session.head.closed = True
        await session.keep()

    async def remove(self, session: DebugSession) -> None:
        self._open.pop(session.head.id, None)
        await self._store.debug_sessions.remove(session.head.id)

    async def keep_text(self, text: Text) -> None:
        await self._store.debug_sessions.save_text(text.hash, text.sources)

    # sharing

    def shared(self, session: DebugSession) -> dict[str, Any]:
        """All of it, as one file that opens to the same state elsewhere."""
        texts = {name: dict(text.files) for name, text in session.texts.items()}
        moves = [move.plain() for _, move in sorted(session.moves.items())]
        return {"kind": SHARED, "format": FORMAT, "head": session.head.plain(), "moves": moves, "texts": texts}

    async def take(self, data: Mapping[str, Any], who: str) -> DebugSession:
        """What ``shared`` gave, as a session of one's own. Raises ``NotPossible`` for what is none, ``Refused`` where
        its texts cannot be read here."""
        try:
            if data["kind"] != SHARED or data["format"] != FORMAT:
                raise NotPossible("debug-not-shared")
            head = session_file.head_of(data["head"], id=uuid4().hex, who=who, project="", base=0)
            moves = session_file.moves_of(data["moves"])
            if not session_file.hold_together(head, moves, data["texts"]):
                raise NotPossible("debug-not-shared")
            texts = {name: await self.read(files, head.script) for name, files in data["texts"].items()}
        except (KeyError, TypeError, ValueError, AttributeError):
            raise NotPossible("debug-not-shared") from None
        if set(texts) != {text.hash for text in texts.values()}:
            raise NotPossible("debug-not-shared")
        session = self._session(head, texts, moves)
        try:
            await asyncio.to_thread(session_file.work_out, session)
        except Exception as error:  # nothing of ours failed: somebody has written moves that cannot have been made
            raise NotPossible("debug-not-shared") from error
        for text in texts.values():
            await self.keep_text(text)
        await session.keep(*moves.values())
        self._hold(session)
        return session

    # keeping

    def _session(self, head: Head, texts: dict[str, Text], moves: dict[int, Move]) -> DebugSession:
        return DebugSession(head, texts, moves, self.model, self.clock, self._save)

    async def _save(self, head: Head, moves: Sequence[Move]) -> None:
        kept = DebugHead(head.id, head.who, head.script, self.clock.now(), head.closed, head.plain())
        await self._store.debug_sessions.save(kept, [(move.number, move.plain()) for move in moves])

    async def _load(self, id_: str) -> DebugSession | None:
        found = await self._store.debug_sessions.load(id_)
        if found is None:
            return None
        kept, rows = found
        head = Head.of(kept.data)
        moves = {move.number: move for move in map(Move.of, rows)}
        wanted = {head.text, *(move.text for move in moves.values())}
        texts = {}
        for name in wanted:
            sources = await self._store.bundle(name)
            texts[name] = await self.read({each.path: each.text for each in sources}, head.script)
        return self._session(head, texts, moves)

    def _hold(self, session: DebugSession) -> None:
        self._open[session.head.id] = session
        self._open.move_to_end(session.head.id)
        while len(self._open) > OPEN:
            oldest = next(iter(self._open.values()))
            if oldest.lock.locked() or oldest.listeners:
                break
            self._open.popitem(last=False)
