"""What a conversation shows itself through: a terminal, or plain lines in and out."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from heartrule.engine.session.io import Request
from heartrule.store.records import MessageRecord


@dataclass(frozen=True, slots=True)
class Line:
    """``number`` counts the lines read. ``early``: it was typed before what is now on the screen had been shown."""

    text: str
    number: int
    early: bool = False


class Due(Exception):
    """The session wants a turn of its own before the person has said anything."""


class ConversationUI(Protocol):
    patient: bool
    """Someone is there who can be asked to try again."""

    def notice(self, paragraphs: Sequence[str]) -> None:
        """Before the first word."""

    def say(self, messages: Sequence[MessageRecord]) -> None:
        """What the AI, or the system, said."""

    def write(self, text: str) -> None:
        """More of a reply of the AI that is still being written; the first of it, or what comes next."""

    def written(self, text: str) -> None:
        """The last of the reply that was being written; it may be nothing."""

    def offer(self, request: Request) -> None:
        """What may be picked or pressed, where there is anything."""

    def read(self, request: Request, seconds: float | None) -> Line | None:
        """The next line; None when there will be no more. Raises ``Due`` after ``seconds``."""

    def note(self, text: str) -> None:
        """The program's own words, apart from the session's."""

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None: ...

    def thinking(self) -> AbstractContextManager[object]: ...
