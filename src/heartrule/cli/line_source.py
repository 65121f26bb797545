"""Lines of a pipe or file, waited for no longer than asked."""

from __future__ import annotations

import io
import os
import select
import time
from typing import TextIO

CHUNK = 65536


class LineSource:
    """Reads past Python's own buffer, so that waiting can end before a line has come."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._bytes = b""
        self._ended = False
        try:
            self._file: int | None = stream.fileno() if os.name == "posix" else None
        except (io.UnsupportedOperation, ValueError):
            self._file = None

    def line(self, seconds: float | None) -> str | None:
        """The next line without its end; None at the end of input. Raises ``TimeoutError`` after ``seconds``."""
        if self._file is None:
            text = self._stream.readline()
            return text.rstrip("\r\n") if text else None
        until = None if seconds is None else time.monotonic() + seconds
        while b"\n" not in self._bytes and not self._ended:
            self._wait(self._file, until)
            chunk = os.read(self._file, CHUNK)
            self._ended = not chunk
            self._bytes += chunk
        if not self._bytes:
            return None
        line, _, self._bytes = self._bytes.partition(b"\n")
        return line.rstrip(b"\r").decode("utf-8", "replace")

    @staticmethod
    def _wait(file: int, until: float | None) -> None:
        left = None if until is None else max(0.0, until - time.monotonic())
        if not select.select([file], [], [], left)[0]:
            raise TimeoutError
