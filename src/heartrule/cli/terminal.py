"""The conversation on a terminal."""

from __future__ import annotations

import contextlib
import importlib
import select
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType, ModuleType

from rich.console import Console
from rich.padding import Padding
from rich.status import Status
from rich.table import Table
from rich.text import Text

from heartrule.cli.conversation_ui import Due, Line
from heartrule.cli.media_text import message_text
from heartrule.cli.options import keys
from heartrule.cli.safe_text import shown
from heartrule.cli.speakers import speaker_of
from heartrule.cli.text_wrap import wrapped
from heartrule.cli.words import Words
from heartrule.engine.session.io import Request
from heartrule.store.records import MessageRecord

PASTED_WITHIN = 0.05
"""Seconds. Lines that come closer together than anyone types are one message."""


WIDEST = 88
"""Columns. Longer lines are hard to read."""


class Terminal:
    patient = True

    def __init__(self, words: Words, speaker: str, console: Console | None = None) -> None:
        self._words = words
        self._speaker = shown(speaker)
        self._console = console or Console(highlight=False)
        self._read = 0
        self._before: str | None = None
        self._written: str | None = None
        self._status: Status | None = None
        self._editor = editor()

    def notice(self, paragraphs: Sequence[str]) -> None:
        for paragraph in paragraphs:
            self.note(paragraph)
        self._console.print()

    def say(self, messages: Sequence[MessageRecord]) -> None:
        for message in messages:
            name = None if message.sender == "person" else speaker_of(message, self._speaker, self._words)
            self._name(name)
            self._console.print(Padding(Text(self._wrapped(message_text(message, self._words))), (0, 0, 1, 2)))

    def _name(self, name: str | None) -> None:
        """Who speaks (None: the person), unless it is the one who spoke last."""
        if name is None:
            self._console.print(Text(self._words("you"), style="dim"))
        elif name != self._before:
            self._console.print(Text(name, style="bold cyan" if name == self._speaker else "bold magenta"))
        self._before = name

    def _wrapped(self, text: str) -> str:
        return wrapped(shown(text), min(self._console.width - 2, WIDEST))

    def write(self, text: str) -> None:
        if self._status is not None:
            self._status.stop()
        if self._written is None:
            self._name(self._speaker)
            self._written = ""
            self._put("  ")
        before, whole = self._wrapped(self._written), self._wrapped(self._written + text)
        if whole.startswith(before):
            self._written += text
            self._put(whole[len(before) :].replace("\n", "\n  "))
        else:  # what stands on the screen cannot be broken in another place
            self._written = text.lstrip()
            self._put("\n  " + self._wrapped(self._written).replace("\n", "\n  "))

    def _put(self, text: str) -> None:
        self._console.print(Text(text), end="", soft_wrap=True)

    def written(self, text: str) -> None:
        if text:
            self.write(text)
        self._written = None
        self._console.print("\n")

    def offer(self, request: Request) -> None:
        self._before = None
        if request.kind == "press" and request.choices:
            self._console.print(Text(self._words("press", label=shown(request.choices[0].label)), style="dim"))
        elif request.choices:
            for key, choice in zip(keys(request.choices), request.choices, strict=True):
                line = Text.assemble("  ", (shown(key), "bold yellow"), "  ", shown(choice.label))
                self._console.print(line)
            self._console.print(Text(self._words("pick"), style="dim"))

    def read(self, request: Request, seconds: float | None) -> Line | None:
        early = self._waiting(0.0)
        self._before = None
        try:
            with alarm(seconds):
                text = input(self._prompt())
        except Due:
            self._keep_what_was_typed()
            raise
        except EOFError:
            self._console.print()
            return None
        while self._waiting(PASTED_WITHIN):
            try:
                text += "\n" + input()
            except EOFError:
                break
        self._read += 1
        return Line(text, self._read, early)

    def _prompt(self) -> str:
        prompt = f"{self._words('you')} › "
        if self._console.is_terminal and self._editor:
            return f"\001\x1b[1m\002{prompt}\001\x1b[0m\002"
        return prompt

    def _keep_what_was_typed(self) -> None:
        """The session speaks while someone is typing: their half line stands again after the next prompt."""
        self._console.print()
        if self._editor and (typed := self._editor.get_line_buffer()):
            self._editor.set_startup_hook(self._put_back(typed))

    def _put_back(self, typed: str) -> Callable[[], None]:
        def put() -> None:
            if self._editor:
                self._editor.insert_text(typed)
                self._editor.set_startup_hook()

        return put

    @staticmethod
    def _waiting(seconds: float) -> bool:
        try:
            return bool(select.select([sys.stdin], [], [], seconds)[0])
        except (OSError, ValueError):
            return False

    def note(self, text: str) -> None:
        self._before = None
        self._console.print(Text(wrapped(shown(text), min(self._console.width, WIDEST)), style="dim"))

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        table = Table(*columns, box=None, header_style="dim")
        for row in rows:
            table.add_row(*(Text(shown(cell)) for cell in row))
        self._console.print(table)

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """Until the first words come."""
        with self._console.status(Text(self._words("thinking"), style="dim")) as self._status:
            try:
                yield
            finally:
                self._status = None


def editor() -> ModuleType | None:
    """Line editing, which also knows how wide Chinese characters are. Not every system has it."""
    with contextlib.suppress(ImportError):
        return importlib.import_module("readline")
    return None


@contextmanager
def alarm(seconds: float | None) -> Iterator[None]:
    """Raises ``Due`` in here after so many seconds, where the system can do that."""
    if seconds is None or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise Due

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.01))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
