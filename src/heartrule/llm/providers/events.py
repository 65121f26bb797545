"""Server-sent events, as far as models speak them: the ``data`` of each event, however the bytes were cut.

After https://html.spec.whatwg.org/multipage/server-sent-events.html; names, ids and comments are skipped.
"""

from __future__ import annotations

_BOM = b"\xef\xbb\xbf"


class Events:
    """What is fed is kept only until its event has ended; the time is proportional to it."""

    def __init__(self) -> None:
        self._line: list[bytes] = []
        self._data: list[bytes] = []
        self._after_return = False
        self._first = True

    def feed(self, part: bytes) -> list[bytes]:
        """The events that have ended with ``part``, without those that hold nothing."""
        if not part:
            return []
        if self._after_return and part.startswith(b"\n"):
            part = part[1:]
        self._after_return = part.endswith(b"\r") if part else False
        *whole, rest = part.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        found: list[bytes] = []
        for line in whole:
            self._line.append(line)
            found += self._end_line()
        if rest:
            self._line.append(rest)
        return found

    def end(self) -> list[bytes]:
        """What a server left unended that has hung up."""
        found = self._end_line()
        return [*found, *self._end_line()]

    def _end_line(self) -> list[bytes]:
        line, self._line = b"".join(self._line), []
        if self._first:
            line, self._first = line.removeprefix(_BOM), False
        if line.startswith(b"data:"):
            self._data.append(line[6:] if line[5:6] == b" " else line[5:])
        elif not line:
            data, self._data = b"\n".join(self._data), []
            return [data] if data else []
        return []
