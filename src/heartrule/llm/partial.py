"""An answer read as it comes: what precedes ``content`` as soon as it is there, and ``content`` letter by letter.

Only answers that are one JSON object can be read so, in a fence or after ``<think>…</think>`` if need be. All others
are ``lost`` and have to wait for ``parsing.parse``, which reads them whole and kindly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from heartrule.llm.parsing import loads, storable

HEAD_LIMIT = 20_000
CONTENT_LIMIT = 20_000
"""Characters of what precedes ``content``, and of ``content``, that are read as they come; ours have 500 and 200."""
DEPTH = 40
"""Brackets open at once."""
_LONGEST_KEY = 64
"""Characters in which ``content`` can be spelt, and more."""

_KEY = "content"
_BLANK = " \t\r\n"
_INVISIBLE = _BLANK + "\ufeff\u200b\u200e\u200f\u00a0\u3000"
_FENCE = re.compile(r"```[A-Za-z0-9_+-]{0,16}(?=[^A-Za-z0-9_+-])")
_FENCE_BEGUN = re.compile(r"`{1,3}|```[A-Za-z0-9_+-]{1,16}")
_THINK, _THOUGHT = "<think>", "</think>"
_RUN = re.compile(r'(?:[^"\\]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_ESCAPE_BEGUN = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?")
_ODD = re.compile("[\0\ud800-\udfff]")


class Partial:
    """``head``: the top-level fields before ``content``, None until that begins. ``content``: what of it has come.
    ``closed``: it has ended, which is certain only when the mark after it has come; the rest is not read. ``lost``:
    this answer cannot be read as it comes; what ``content`` held by then stays. Where the whole answer parses as it is,
    all of this equals what it holds (of two ``content`` it is the first). It is the same however the answer was cut,
    takes time in proportion to it, and keeps no more than the limits above."""

    def __init__(self) -> None:
        self.head: dict[str, Any] | None = None
        self.closed = False
        self.lost = False
        self._read: Callable[[str], str] = self._prelude
        self._held = ""
        self._fenced = self._thought = False
        self._said: list[str] = []
        self._half = ""
        self._length = 0
        self._comma = False
        self._fields = _Fields()

    @property
    def content(self) -> str:
        if len(self._said) > 1:
            self._said = ["".join(self._said)]
        return self._said[0] if self._said else ""

    def feed(self, piece: str) -> None:
        """Never raises. What comes after ``closed`` or ``lost`` is not looked at."""
        while piece and not self.closed and not self.lost:
            piece = self._read(piece)

    def _prelude(self, piece: str) -> str:
        text = (self._held + piece).lstrip(_INVISIBLE)
        self._held = ""
        if text.startswith("{"):
            self._read = self._before
            return text
        if not self._fenced and (fence := _FENCE.match(text)):
            self._fenced = True
            return text[fence.end() :]
        if not self._fenced and not self._thought and text.startswith(_THINK):
            self._thought = True
            self._read = self._thinking
            return text[len(_THINK) :]
        if _THINK.startswith(text) or _FENCE_BEGUN.fullmatch(text):
            self._held = text
        else:
            self.lost = True
        return ""

    def _thinking(self, piece: str) -> str:
        text = self._held + piece
        end = text.find(_THOUGHT)
        if end < 0:
            self._held = text[1 - len(_THOUGHT) :]
            return ""
        self._held = ""
        self._read = self._prelude
        return text[end + len(_THOUGHT) :]

    def _before(self, piece: str) -> str:
        end = self._fields.feed(piece)
        self.lost = self._fields.lost
        if end is None:
            return ""
        self._read = self._value
        return piece[end:]

    def _value(self, piece: str) -> str:
        """From the colon to the quote that opens the content."""
        text = piece.lstrip(_BLANK)
        if not text:
            return ""
        self.head = self._fields.read() if text.startswith('"') else None
        self.lost = self.head is None
        self._read = self._content
        return text[1:]

    def _content(self, piece: str) -> str:
        text = self._held + piece
        self._held = ""
        end = _RUN.match(text).end()  # type: ignore[union-attr]
        self._say(json.loads(f'"{text[:end]}"', strict=False))
        if text.startswith('"', end):
            self._read = self._after
            self._keep("\ufffd" if self._half else "")
            return text[end + 1 :]
        if _ESCAPE_BEGUN.fullmatch(text, end):
            self._held = text[end:]
        elif end < len(text):
            self.lost = True
        return ""

    def _say(self, text: str) -> None:
        """As ``parsing.storable`` would have it of the whole: two halves of a character become one, wherever cut."""
        text = self._half + text
        self._half = ""
        if _ODD.search(text):
            text = text.replace("\0", "")
            if text and "\ud800" <= text[-1] <= "\udbff":
                text, self._half = text[:-1], text[-1]
            text = storable(text)
        self._keep(text)

    def _keep(self, text: str) -> None:
        room = CONTENT_LIMIT - self._length
        self.lost = self.lost or len(text) > room
        if kept := text[:room]:
            self._said.append(kept)
            self._length += len(kept)

    def _after(self, piece: str) -> str:
        """A quote ends the content where the object ends or goes on; one that somebody forgot to escape does not."""
        text = piece.lstrip(_BLANK)
        if not text:
            return ""
        self.closed = text[0] == "}" or (self._comma and text[0] == '"')
        self.lost = not self.closed and (self._comma or text[0] != ",")
        self._comma = True
        return text[1:]


class _Fields:
    """The object up to the key ``content``: nothing is decoded before that is found."""

    def __init__(self) -> None:
        self.lost = False
        self._raw: list[str] = []
        self._size = 0
        self._depth = 0
        self._quoted = self._escaped = self._wants_key = self._naming = False
        self._key: list[str] = []
        self._key_at = 0

    def feed(self, piece: str) -> int | None:
        """How much of ``piece`` belongs here, when the colon after ``content`` is in it."""
        self._raw.append(piece)
        before, self._size = self._size, self._size + len(piece)
        for at, mark in enumerate(piece):
            if self._quoted:
                self._in_text(mark)
            elif self._depth == 1 and mark == ":" and self._is_content():
                self.lost = before + at > HEAD_LIMIT
                return at + 1
            else:
                self._between(mark, before + at)
            if self.lost:
                return None
        self.lost = self._size > HEAD_LIMIT
        return None

    def read(self) -> dict[str, Any] | None:
        """What stands before the key."""
        inside = "".join(self._raw)[1 : self._key_at].strip(_BLANK)
        if inside and not (inside.endswith(",") and inside[:-1].strip(_BLANK)):
            return None
        try:
            found = storable(loads(f"{{{inside[:-1]}}}"))
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None

    def _is_content(self) -> bool:
        """Keys may be spelt with escapes."""
        try:
            return loads(f'"{"".join(self._key)}"') == _KEY
        except ValueError:
            return False

    def _in_text(self, mark: str) -> None:
        if self._escaped:
            self._escaped = False
        elif mark == "\\":
            self._escaped = True
        elif mark == '"':
            self._quoted = self._naming = False
        if self._naming and len(self._key) <= _LONGEST_KEY:
            self._key.append(mark)

    def _between(self, mark: str, at: int) -> None:
        top = self._depth == 1
        if mark == '"':
            self._quoted = True
            if top and self._wants_key:
                self._naming, self._wants_key = True, False
                self._key, self._key_at = [], at
        elif top and self._wants_key and mark not in _BLANK + "}":
            self.lost = True
        elif mark in "{[":
            self._depth += 1
            self._wants_key = self._depth == 1
            self.lost = self._depth > DEPTH
        elif mark in "}]":
            self._depth -= 1
            self.lost = self._depth == 0
        elif top and mark == ",":
            self._wants_key = True
            self._key = []
