"""What takes deliveries, on the loopback: a webhook's receiver and a mail server. Both misbehave on demand.

    python -m tests.jobs.receivers FILE EACH

runs a webhook's receiver that says its address and puts down the key of everything it takes in FILE, line by line; of
EACH calls one is refused.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


@dataclass(slots=True)
class Taken:
    path: str
    headers: Mapping[str, str]
    content: bytes

    @property
    def told(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.content)
        return found

    @property
    def key(self) -> str:
        return self.headers["idempotency-key"]


@dataclass(slots=True)
class Hook:
    """``answers``: a status for each call, or ``cut`` or ``hang``; then 204. ``taken``: every call that came whole."""

    answers: deque[int | str] = field(default_factory=deque)
    taken: list[Taken] = field(default_factory=list)
    url: str = ""
    log: Path | None = None
    slow: float = 0.0
    refuses: int = 0
    calls: int = 0

    @property
    def keys(self) -> list[str]:
        return [each.key for each in self.taken]

    @contextmanager
    def serving(self, context: ssl.SSLContext | None = None) -> Iterator[Hook]:
        hook = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                hook.receive(self)

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        self.url = f"http{'s' if context else ''}://127.0.0.1:{server.server_address[1]}/hook"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join(5)

    def receive(self, request: BaseHTTPRequestHandler) -> None:
        content = request.rfile.read(int(request.headers["content-length"]))
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.taken.append(Taken(request.path, headers, content))
        answer = self.answers.popleft() if self.answers else 204
        self.calls += 1
        if self.refuses and self.calls % self.refuses == 0:
            answer = 503
        elif self.log is not None:
            with self.log.open("a") as log:
                log.write(f"{headers['idempotency-key']}\n")
        if answer == "hang":
            time.sleep(30)
        if answer in ("hang", "cut"):
            request.close_connection = True
            return
        time.sleep(self.slow)
        request.send_response(int(answer))
        if answer == 302:
            request.send_header("Location", self.url + "/elsewhere")
        request.send_header("Content-Length", "0")
        request.end_headers()


@dataclass(slots=True)
class Mailbox:
    """An SMTP server. ``refuse``: replies by command (``RCPT: 550``). ``context``: it offers STARTTLS, or speaks TLS
    from the beginning with ``wrapped``. ``hang``: the command to which it says nothing."""

    refuse: dict[str, int] = field(default_factory=dict)
    context: ssl.SSLContext | None = None
    wrapped: bool = False
    users: frozenset[str] = frozenset()
    hang: str = ""
    mails: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    in_clear: list[str] = field(default_factory=list)
    port: int = 0

    @contextmanager
    def serving(self) -> Iterator[Mailbox]:
        loop = asyncio.new_event_loop()
        begun: threading.Event = threading.Event()

        async def run() -> None:
            wrapped = self.context if self.wrapped else None
            server = await asyncio.start_server(self._talk, "127.0.0.1", 0, ssl=wrapped)
            self.port = server.sockets[0].getsockname()[1]
            begun.set()
            async with server:
                await server.serve_forever()

        task = loop.create_task(run())

        def serve() -> None:
            try:
                loop.run_until_complete(task)
            except asyncio.CancelledError:
                pass
            finally:
                for other in asyncio.all_tasks(loop):
                    other.cancel()
                loop.run_until_complete(asyncio.sleep(0.05))
                loop.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        begun.wait(5)
        try:
            yield self
        finally:
            loop.call_soon_threadsafe(task.cancel)
            thread.join(5)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._session(reader, writer)
            writer.close()
            await asyncio.wait_for(writer.wait_closed(), 1)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.transport.abort()

    async def _session(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        secure = self.wrapped
        writer.write(b"220 box\r\n")
        while line := (await reader.readline()).decode().strip():
            word = line.split()[0].upper()
            if word == self.hang:
                await asyncio.sleep(30)
            if not secure and word not in ("EHLO", "STARTTLS", "QUIT"):
                self.in_clear.append(word)
            if code := self.refuse.get(word):
                writer.write(f"{code} no, and here are secrets\r\n".encode())
            elif word == "EHLO":
                offers = ["box", *(["STARTTLS"] if self.context and not secure else []), "AUTH PLAIN", "8BITMIME"]
                writer.write("".join(f"250-{each}\r\n" for each in offers[:-1]).encode() + b"250 8BITMIME\r\n")
            elif word == "STARTTLS":
                writer.write(b"220 go\r\n")
                await writer.drain()
                assert self.context is not None
                await writer.start_tls(self.context)
                secure = True
            elif word == "DATA":
                writer.write(b"354 go\r\n")
                data = bytearray()
                while (part := await reader.readline()) != b".\r\n":
                    data += part.removeprefix(b".")
                self.mails.append(message_from_bytes(bytes(data), policy=policy.default))
                writer.write(b"250 taken\r\n")
            elif word == "QUIT":
                writer.write(b"221 bye\r\n")
                return
            else:
                if word == "RCPT":
                    self.recipients.append(line)
                writer.write({"AUTH": b"235 in\r\n"}.get(word, b"250 ok\r\n"))
            await writer.drain()


def main(arguments: Iterable[str]) -> None:
    file, each = arguments
    with Hook(log=Path(file), refuses=int(each), slow=0.02).serving() as hook:
        sys.stdout.write(f"{hook.url}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1:])
