"""Lines in, lines out: for pipes, files and other programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TextIO

from heartrule.cli.conversation_ui import Due, Line
from heartrule.cli.line_source import LineSource
from heartrule.cli.media_text import message_text
from heartrule.cli.options import keys
from heartrule.cli.safe_text import shown
from heartrule.cli.speakers import speaker_of
from heartrule.cli.words import Words
from heartrule.engine.session.io import Request
from heartrule.store.records import MessageRecord


class Plain:
    patient = False

    def __init__(self, words: Words, speaker: str, source: TextIO | None = None, target: TextIO | None = None) -> None:
        self._words = words
        self._speaker = shown(speaker)
        self._source = LineSource(source or sys.stdin)
        self._target = target or sys.stdout
        self._read = 0
        self._writing = False

    def _write(self, text: str) -> None:
        self._target.write(text + "\n")
        self._target.flush()

    def notice(self, paragraphs: Sequence[str]) -> None:
        self._write(shown("\n".join(paragraphs)) + "\n")

    def say(self, messages: Sequence[MessageRecord]) -> None:
        for message in messages:
            if message.sender == "person":
                self._write(f"> {shown(message.text)}")
            else:
                speaker = speaker_of(message, self._speaker, self._words)
                self._write(f"{speaker}: {shown(message_text(message, self._words))}")

    def write(self, text: str) -> None:
        """Any pause in it is the model's: what reads the lines gets the same ones as otherwise."""
        self._target.write(shown(text) if self._writing else f"{self._speaker}: {shown(text)}")
        self._target.flush()
        self._writing = True

    def written(self, text: str) -> None:
        self._writing = False
        self._write(shown(text))

    def offer(self, request: Request) -> None:
        for key, choice in zip(keys(request.choices), request.choices, strict=True):
            self._write(f"  {shown(key)}  {shown(choice.label)}")

    def read(self, request: Request, seconds: float | None) -> Line | None:
        """Blank lines are passed over, except where they press what is offered."""
        try:
            while (text := self._source.line(seconds)) is not None:
                self._read += 1
                if text.strip() or request.kind == "press":
                    self._write(f"> {shown(text)}".rstrip())
                    return Line(text, self._read)
        except TimeoutError:
            raise Due from None
        return None

    def note(self, text: str) -> None:
        self._write(shown(text))

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        for row in [columns, *rows]:
            self._write("  " + "\t".join(shown(cell).replace("\n", " ") for cell in row))

    def thinking(self) -> AbstractContextManager[object]:
        return nullcontext()
