"""A debug session read: where it stands, and what its moves have come to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from heartrule.classifiers import as_kept, configured
from heartrule.debugger.head import Head
from heartrule.debugger.move_run import MoveProgress, MoveStart, Stop, never, work_out, world_of
from heartrule.debugger.state_transfer import carry
from heartrule.debugger.tape import Branch, Move
from heartrule.debugger.texts import Text
from heartrule.engine.session.events import Event
from heartrule.engine.session.io import Input, Message, Turn
from heartrule.engine.work import Work
from heartrule.sessions.clock import Clock


@dataclass(frozen=True, slots=True)
class FinishedMove:
    """A move that stands: its turn, and its events with their numbers."""

    turn: Turn = field(repr=False)
    seen: int
    heard: tuple[tuple[int, Event], ...] = field(repr=False)


class MoveCache:
    """What was worked out of a move that stands is kept; it would come to the same."""

    def __init__(self, head: Head, texts: dict[str, Text], moves: dict[int, Move], clock: Clock) -> None:
        self.head, self.texts, self.moves = head, texts, moves
        self._clock = clock
        self.classifiers = as_kept(head.classifiers, configured())
        self._done: dict[int, FinishedMove] = {}
        self._after: dict[int, MoveStart] = {}

    @property
    def text(self) -> Text:
        return self.texts[self.head.text]

    @property
    def branch(self) -> Branch:
        return self.head.branches[self.head.branch]

    @property
    def open(self) -> Move | None:
        """The move that is under way."""
        number = self.branch.open
        return None if number is None else self.moves[number]

    def chain(self, leaf: int | None) -> list[Move]:
        """The moves up to ``leaf``, the first one first."""
        found = []
        while leaf is not None:
            found.append(self.moves[leaf])
            leaf = self.moves[leaf].parent
        return found[::-1]

    def done(self, number: int) -> FinishedMove:
        """A move that stands, worked out whole."""
        if number not in self._done:
            for move in self.chain(number):
                if move.number not in self._done:
                    self._take(move, self.reach(move))
        return self._done[number]

    def turn(self, number: int) -> Turn:
        return self.done(number).turn

    def _take(self, move: Move, reached: MoveProgress) -> None:
        assert reached.turn is not None, "a move that stood comes to another end now"
        self._after[move.number] = self.session_state(move.parent, move.text).after(reached.turn)
        self._done[move.number] = FinishedMove(reached.turn, reached.seen, reached.heard)

    def session_state(self, leaf: int | None, text: str) -> MoveStart:
        """Where a move of ``text`` starts from behind ``leaf``."""
        if leaf is None:
            return MoveStart()
        self.done(leaf)
        after, was = self._after[leaf], self.moves[leaf].text
        if was == text:
            return after
        state, _ = carry(after.state, self.texts[was].script, self.texts[text].script)
        return replace(after, state=state)

    def reach(self, move: Move, passed: int = 0, stop: Stop = never) -> MoveProgress:
        text = self.texts[move.text]
        world = world_of(text, self.session_state(move.parent, move.text), move, self.head.id, self.classifiers)
        return work_out(world, move, passed, stop)

    def here(self) -> MoveProgress:
        """The place at which it is held, or where it waits: the working copy, and what has happened in the open
        move."""
        branch, move = self.branch, self.open
        if move is not None:
            if branch.why.get("kind") in ("call", "misfit", "asking"):
                return self.reach(move)
            if branch.passed:
                return self.reach(move, branch.passed - 1, lambda work, event, number: dict(branch.why))
        return MoveProgress(0, self._waiting(move), ())

    def _waiting(self, move: Move | None) -> Work:
        idle = move or Move(0, self.branch.leaf, self.head.text, Input("resume"), self.now(), False)
        session_state = self.session_state(idle.parent, idle.text)
        return Work.of(world_of(self.texts[idle.text], session_state, idle, self.head.id, self.classifiers))

    def messages(self, leaf: int | None = None, *, open_too: bool = True) -> list[Message]:
        """All that was said on the present branch, or up to ``leaf``."""
        found = [each for move in self.chain(leaf or self.branch.leaf) for each in self.turn(move.number).messages]
        if leaf is None and open_too and self.open is not None:
            found += self.here().work.messages
        return found

    def now(self) -> datetime:
        """The session's own time: it stands still while the session is held."""
        head = self.head
        passed = timedelta(0) if self.branch.open is not None else self._clock.now() - head.real
        return head.virtual + max(passed, timedelta(0))

    def _clocked(self, at: datetime) -> None:
        self.head.virtual, self.head.real = at, self._clock.now()

    def all_events(self, leaf: int | None = None) -> Iterator[tuple[Move, int, Event]]:
        """Of the branch, with the move and the number in it."""
        for move in self.chain(leaf if leaf is not None else self.branch.leaf):
            for number, event in self.done(move.number).heard:
                yield move, number, event
