"""Replies that are shown while they are written: each once, and when it stands only what is missing of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from heartrule.cli.conversation_ui import ConversationUI
from heartrule.cli.media_text import message_text
from heartrule.cli.words import Words
from heartrule.sessions.shown_messages import ShownMessages
from heartrule.store.records import MessageRecord


class StreamedOutput:
    def __init__(self, front: ConversationUI, words: Words) -> None:
        self._front, self._words = front, words
        self._shown = ShownMessages(0)
        self._open: int | None = None

    def more(self, number: int, offset: int, text: str) -> None:
        before = len(self._text(number))
        if not self._shown.add(number, offset, text):
            return
        if self._open not in (None, number):
            self._front.written("")
        self._open = number
        self._front.write(self._text(number)[before:])

    def stopping(self) -> None:
        """Where words have been shown already, their end says enough."""
        if self._open is None:
            self._front.note(self._words("stopping"))

    def say(self, messages: Sequence[MessageRecord]) -> None:
        """What was said, without what has been shown of it."""
        for message in messages:
            before = self._text(message.number)
            if not message.text.startswith(before) or self._open != message.number:
                self.end()
                before = before if message.text.startswith(before) else ""
                self._front.say([replace(message, text=message.text[len(before) :])] if message.text != before else [])
            else:
                self._open = None
                self._front.written(message_text(message, self._words)[len(before) :])
        self.end()
        self._shown = ShownMessages(0)

    def begun(self, message: MessageRecord) -> bool:
        """Whether some of it has been shown."""
        return self._text(message.number) != ""

    def end(self) -> None:
        """Nothing more comes of what is being shown now; should it be gone on with, that is told as well."""
        if self._open is not None:
            self._open = None
            self._front.written("")

    def _text(self, number: int) -> str:
        return dict(self._shown).get(number, "")
