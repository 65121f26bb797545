"""A way to a server that breaks where a test wants it to: what the server answered is cut, or never handed on."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

Cut = Callable[[bytes], int | None]
"""Of an answer's bytes so far: how many are handed on before the connection breaks, None while it holds."""


def after(mark: bytes) -> Cut:
    """Break behind the first ``mark`` of an answer."""

    def cut(seen: bytes) -> int | None:
        at = seen.find(mark)
        return None if at < 0 else at + len(mark)

    return cut


def unheard(seen: bytes) -> int | None:
    """The server has answered, and nobody hears it."""
    return 0 if b"\r\n\r\n" in seen else None


class Way:
    """``cuts``: for connection after connection, in their order; later ones hold."""

    def __init__(self, port: int, cuts: Sequence[Cut]) -> None:
        self._port, self._cuts = port, list(cuts)
        self.connections = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self._listening.accept()
            except OSError:
                return
            there = socket.create_connection(("127.0.0.1", self._port))
            cut = self._cuts.pop(0) if self._cuts else None
            self.connections += 1
            self._open += [here, there]
            threading.Thread(target=self._carry, args=(here, there, None), daemon=True).start()
            threading.Thread(target=self._carry, args=(there, here, cut), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket, cut: Cut | None) -> None:
        seen, sent = b"", 0
        with suppress(OSError):
            while piece := source.recv(65536):
                seen += piece
                end = cut(seen) if cut else None
                target.sendall(seen[sent:end] if end is not None else piece)
                sent = len(seen)
                if end is not None:
                    break
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        for each in (self._listening, *self._open):
            each.close()


@contextmanager
def way(port: int, *cuts: Cut) -> Iterator[Way]:
    made = Way(port, cuts)
    try:
        yield made
    finally:
        made.close()
