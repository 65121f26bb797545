"""Sessions on asyncio: the same as ``heartrule.client.synchronous``, awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from types import TracebackType
from typing import Any, TypeVar

from heartrule.client import calls
from heartrule.client.calls import Call
from heartrule.client.events import Event, Lines
from heartrule.client.patience import Patience, asked
from heartrule.client.problem import Problem
from heartrule.client.session_state import SessionView, made_key, turn_end
from heartrule.client.wire import Address, AsyncWire
from heartrule.server import shapes

T = TypeVar("T")


class AsyncClient:
    """A server. ``token``: a person's (or one that an embedder signed), for sessions that are to be theirs and for
    the list of them. ``locale``: the language of problems. Every method raises ``Problem``, and ``ValueError`` for what
    cannot be sent. A conversation is
    held by one task at a time."""

    def __init__(
        self, address: str, *, token: str | None = None, locale: str | None = None, patience: Patience | None = None
    ) -> None:
        self.token, self.locale = token, locale
        self._patience = patience or Patience()
        self._wire = AsyncWire(Address(address, locale))

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._wire.aclose()

    async def about(self) -> shapes.About:
        return await self.ask(calls.about(self.locale))

    async def scripts(self) -> list[shapes.ScriptShape]:
        """What can be held."""
        return await self.ask(calls.scripts())

    async def create(self, script: str, **options: Any) -> shapes.CreatedSession:
        """A new session that has not begun. ``options``: ``variables``, ``locale``, ``memory``, ``debug_level``,
        ``metadata``, ``zone``. Where the answer is lost it is not asked again: the session that may be there has
        nothing in it."""
        return await self.ask(calls.create(script, self.token, **options))

    async def begin(self, script: str, **options: Any) -> AsyncConversation:
        """A new session, and its first words."""
        made = await self.create(script, **options)
        talk = self.conversation(made.session.id, made.token)
        await talk.start()
        return talk

    async def sessions(self) -> AsyncIterator[shapes.SessionItem]:
        """The person's sessions, made last first. Needs ``token``."""
        before = None
        while True:
            page = await self.ask(calls.sessions(self.token or "", before=before))
            for each in page.sessions:
                yield each
            if page.next is None:
                return
            before = page.next

    def conversation(self, session_id: str, token: str) -> AsyncConversation:
        """A session that is there already. ``token`` is its own or its person's."""
        return AsyncConversation(self, session_id, token)

    async def ask(self, call: Call[T]) -> T:
        """Send a request until it is answered."""
        steps = asked(call, self._patience)
        came = None
        while True:
            try:
                step = steps.send(came)
            except StopIteration as done:
                answer: T = done.value
                return answer
            came = None
            if isinstance(step, Call):
                came = await self._wire.send(step)
            else:
                await asyncio.sleep(step)

    async def follow(self, call: Call[None], last: int | None) -> AsyncGenerator[Event]:
        """Events as they come; a stream that breaks is opened again behind the last one."""
        broken = 0
        while True:
            try:
                async with self._wire.stream(call, last) as pieces:
                    lines = Lines()
                    async for piece in pieces:
                        for event in lines.feed(piece):
                            last, broken = event.id or last, 0
                            yield event
                raise Problem("network")
            except Problem as problem:
                broken += 1
                wait = self._patience.wait(broken, problem)
                if wait is None:
                    raise
                await asyncio.sleep(wait)

    async def aloud(self, call: Call[shapes.Turn]) -> AsyncGenerator[Event]:
        """A turn as events, as far as the stream goes."""
        async with self._wire.stream(call) as pieces:
            lines = Lines()
            async for piece in pieces:
                for event in lines.feed(piece):
                    yield event


class AsyncConversation(SessionView):
    """One session, held turn by turn."""

    __slots__ = ("_client",)

    def __init__(self, client: AsyncClient, session_id: str, token: str) -> None:
        super().__init__(session_id, token)
        self._client = client

    async def start(self) -> shapes.Turn:
        return await self._take(self.given("start"))

    async def say(self, text: str, *, key: str | None = None, after: int | None = None) -> shapes.Turn:
        """``key``: the caller's own, where the same words may be sent again after a crash of the caller."""
        return await self._take(self.given("message", key, after, text=text))

    async def choose(self, value: str, *, key: str | None = None, after: int | None = None) -> shapes.Turn:
        return await self._take(self.given("choice", key, after, choice=value))

    async def send(self, given: Mapping[str, Any], *, key: str | None = None, after: int | None = None) -> shapes.Turn:
        """Any input of the API, by its ``type``."""
        fields = dict(given)
        return await self._take(self.given(fields.pop("type"), key, after, **fields))

    async def stream(self, text: str, *, key: str | None = None) -> AsyncIterator[Event]:
        """Say something and see the reply being written: ``message.delta`` and what else happens, ``turn.completed``
        last. Where the stream breaks the turn is asked for once more, and what is left of it comes whole."""
        call = self.given("message", key, text=text)
        told: set[int] = set()
        try:
            async with aclosing(self._client.aloud(call)) as events:
                async for event in events:
                    if event.name == "message.completed":
                        told.add(event.data.seq)
                    if event.name in ("turn.completed", "error"):
                        break
                    yield event
        except Problem as problem:
            if not problem.is_passing:
                raise
        turn = await self._take(call)
        for message in turn.messages:
            if message.seq not in told:
                yield Event(None, "message.completed", message)
        yield Event(None, "turn.completed", turn_end(turn))

    async def resume(self) -> shapes.Turn:
        return await self._take(calls.resume(self.id, self.token, made_key()))

    async def pause(self) -> shapes.SessionShape:
        return await self._client.ask(calls.pause(self.id, self.token, made_key()))

    async def end(self) -> shapes.Turn:
        return await self._take(calls.end(self.id, self.token, made_key()))

    async def recall(self, message: int) -> shapes.Turn:
        """Take message number ``message`` back, with all that came of it where it is the last thing said."""
        return await self._take(calls.recall(self.id, self.token, made_key(), message))

    async def report(self, message: int, reason: calls.Reason, text: str | None = None) -> shapes.ReportShape:
        """Say that the reply number ``message`` does not fit, and why. The first report of a reply stands."""
        return await self._client.ask(calls.report(self.id, self.token, message, reason, text))

    async def reports(self) -> list[shapes.ReportShape]:
        return (await self._client.ask(calls.reports(self.id, self.token))).reports

    async def stop(self) -> bool:
        """Ask the reply that is under way to end where it is; False when none is. For another task than the one that
        waits for it."""
        return (await self._client.ask(calls.stop(self.id, self.token))).stopping

    async def session(self) -> shapes.SessionShape:
        return await self._client.ask(calls.session(self.id, self.token))

    async def messages(self, after: int = 0) -> AsyncIterator[shapes.Message]:
        """The transcript behind message number ``after``, oldest first."""
        while True:
            page = await self._client.ask(calls.messages(self.id, self.token, after=after, limit=500))
            for each in page.messages:
                yield each
            if not page.more or not page.messages:
                return
            after = page.messages[-1].seq

    async def events(self, last: int | None = None) -> AsyncGenerator[Event]:
        """Live events, until the caller has had enough. ``last``: the id of the last one known; what came after it is
        told first."""
        async for event in self._client.follow(calls.events(self.id, self.token, None), last):
            yield event

    async def recovery(self) -> shapes.Recovery:
        """A token for a link that opens the session elsewhere."""
        return await self._client.ask(calls.recovery(self.id, self.token))

    async def _take(self, call: Call[shapes.Turn]) -> shapes.Turn:
        return self.note(await self._client.ask(call))
