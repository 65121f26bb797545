"""Sessions from plain code."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from types import TracebackType
from typing import Any, TypeVar

from heartrule.client import calls
from heartrule.client.calls import Call
from heartrule.client.events import Event, Lines
from heartrule.client.patience import Patience, asked
from heartrule.client.problem import Problem
from heartrule.client.session_state import SessionView, made_key, turn_end
from heartrule.client.wire import Address, Wire
from heartrule.server import shapes

T = TypeVar("T")


class Client:
    """A server. ``token``: a person's (or one that an embedder signed), for sessions that are to be theirs and for
    the list of them. ``locale``: the language of problems. Every method raises ``Problem``, and ``ValueError`` for what
    cannot be sent. May be shared by threads;
    a conversation may not."""

    def __init__(
        self, address: str, *, token: str | None = None, locale: str | None = None, patience: Patience | None = None
    ) -> None:
        self.token, self.locale = token, locale
        self._patience = patience or Patience()
        self._wire = Wire(Address(address, locale))

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._wire.close()

    def about(self) -> shapes.About:
        return self.ask(calls.about(self.locale))

    def scripts(self) -> list[shapes.ScriptShape]:
        """What can be held."""
        return self.ask(calls.scripts())

    def create(self, script: str, **options: Any) -> shapes.CreatedSession:
        """A new session that has not begun. ``options``: ``variables``, ``locale``, ``memory``, ``debug_level``,
        ``metadata``, ``zone``. Where the answer is lost it is not asked again: the session that may be there has
        nothing in it."""
        return self.ask(calls.create(script, self.token, **options))

    def begin(self, script: str, **options: Any) -> Conversation:
        """A new session, and its first words."""
        made = self.create(script, **options)
        talk = self.conversation(made.session.id, made.token)
        talk.start()
        return talk

    def sessions(self) -> Iterator[shapes.SessionItem]:
        """The person's sessions, made last first. Needs ``token``."""
        before = None
        while True:
            page = self.ask(calls.sessions(self.token or "", before=before))
            yield from page.sessions
            if page.next is None:
                return
            before = page.next

    def conversation(self, session_id: str, token: str) -> Conversation:
        """A session that is there already. ``token`` is its own or its person's."""
        return Conversation(self, session_id, token)

    def ask(self, call: Call[T]) -> T:
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
                came = self._wire.send(step)
            else:
                time.sleep(step)

    def follow(self, call: Call[None], last: int | None) -> Iterator[Event]:
        """Events as they come; a stream that breaks is opened again behind the last one."""
        broken = 0
        while True:
            try:
                with self._wire.stream(call, last) as pieces:
                    lines = Lines()
                    for piece in pieces:
                        for event in lines.feed(piece):
                            last, broken = event.id or last, 0
                            yield event
                raise Problem("network")
            except Problem as problem:
                broken += 1
                wait = self._patience.wait(broken, problem)
                if wait is None:
                    raise
                time.sleep(wait)

    def aloud(self, call: Call[shapes.Turn]) -> Generator[Event]:
        """A turn as events, as far as the stream goes."""
        with self._wire.stream(call) as pieces:
            lines = Lines()
            for piece in pieces:
                yield from lines.feed(piece)


class Conversation(SessionView):
    """One session, held turn by turn."""

    __slots__ = ("_client",)

    def __init__(self, client: Client, session_id: str, token: str) -> None:
        super().__init__(session_id, token)
        self._client = client

    def start(self) -> shapes.Turn:
        return self._take(self.given("start"))

    def say(self, text: str, *, key: str | None = None, after: int | None = None) -> shapes.Turn:
        """``key``: the caller's own, where the same words may be sent again after a crash of the caller."""
        return self._take(self.given("message", key, after, text=text))

    def choose(self, value: str, *, key: str | None = None, after: int | None = None) -> shapes.Turn:
        return self._take(self.given("choice", key, after, choice=value))

    def send(self, given: Mapping[str, Any], *, key: str | None = None, after: int | None = None) -> shapes.Turn:
        """Any input of the API, by its ``type``."""
        fields = dict(given)
        return self._take(self.given(fields.pop("type"), key, after, **fields))

    def stream(self, text: str, *, key: str | None = None) -> Iterator[Event]:
        """Say something and see the reply being written: ``message.delta`` and what else happens, ``turn.completed``
        last. Where the stream breaks the turn is asked for once more, and what is left of it comes whole."""
        call = self.given("message", key, text=text)
        told: set[int] = set()
        try:
            with closing(self._client.aloud(call)) as events:
                for event in events:
                    if event.name == "message.completed":
                        told.add(event.data.seq)
                    if event.name in ("turn.completed", "error"):
                        break
                    yield event
        except Problem as problem:
            if not problem.is_passing:
                raise
        turn = self._take(call)
        for message in turn.messages:
            if message.seq not in told:
                yield Event(None, "message.completed", message)
        yield Event(None, "turn.completed", turn_end(turn))

    def resume(self) -> shapes.Turn:
        return self._take(calls.resume(self.id, self.token, made_key()))

    def pause(self) -> shapes.SessionShape:
        return self._client.ask(calls.pause(self.id, self.token, made_key()))

    def end(self) -> shapes.Turn:
        return self._take(calls.end(self.id, self.token, made_key()))

    def recall(self, message: int) -> shapes.Turn:
        """Take message number ``message`` back, with all that came of it where it is the last thing said."""
        return self._take(calls.recall(self.id, self.token, made_key(), message))

    def report(self, message: int, reason: calls.Reason, text: str | None = None) -> shapes.ReportShape:
        """Say that the reply number ``message`` does not fit, and why. The first report of a reply stands."""
        return self._client.ask(calls.report(self.id, self.token, message, reason, text))

    def reports(self) -> list[shapes.ReportShape]:
        return self._client.ask(calls.reports(self.id, self.token)).reports

    def stop(self) -> bool:
        """Ask the reply that is under way to end where it is; False when none is. For another thread than the one that
        waits for it."""
        return self._client.ask(calls.stop(self.id, self.token)).stopping

    def session(self) -> shapes.SessionShape:
        return self._client.ask(calls.session(self.id, self.token))

    def messages(self, after: int = 0) -> Iterator[shapes.Message]:
        """The transcript behind message number ``after``, oldest first."""
        while True:
            page = self._client.ask(calls.messages(self.id, self.token, after=after, limit=500))
            yield from page.messages
            if not page.more or not page.messages:
                return
            after = page.messages[-1].seq

    def events(self, last: int | None = None) -> Iterator[Event]:
        """Live events, until the caller has had enough. ``last``: the id of the last one known; what came after it is
        told first."""
        yield from self._client.follow(calls.events(self.id, self.token, None), last)

    def recovery(self) -> shapes.Recovery:
        """A token for a link that opens the session elsewhere."""
        return self._client.ask(calls.recovery(self.id, self.token))

    def _take(self, call: Call[shapes.Turn]) -> shapes.Turn:
        return self.note(self._client.ask(call))
