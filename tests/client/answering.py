"""A server that answers whatever a test wants it to, byte for byte."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

Answer = Callable[[socket.socket], None]
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


class Answering:
    """``heard``: requests that came; ``cut_off``: answers whose listener went before their end."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.heard: list[bytes] = []
        self.cut_off = threading.Event()
        self._listening = socket.create_server(("127.0.0.1", 0))
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
            threading.Thread(target=self._serve, args=(here,), daemon=True).start()

    def _serve(self, here: socket.socket) -> None:
        with here:
            try:
                self.heard.append(here.recv(65536))
                self._answer(here)
            except OSError:
                self.cut_off.set()

    def close(self) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()


@contextmanager
def answering(answer: Answer) -> Iterator[Answering]:
    made = Answering(answer)
    try:
        yield made
    finally:
        made.close()


def whole(status: int, body: bytes) -> Answer:
    head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    return lambda here: here.sendall(head + body)


def dripping(head: bytes, drop: bytes) -> Answer:
    """A drop at a time, each long before a reader loses patience with it, and none the last that is needed."""

    def answer(here: socket.socket) -> None:
        here.sendall(head)
        between = threading.Event()
        for _ in range(1000):
            here.sendall(drop)
            between.wait(0.01)

    return answer
