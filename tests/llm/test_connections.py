"""Connections kept to a model server: over real sockets of the loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import httpcore2
import pytest

from heartrule.llm.providers.connections import Connections

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
OK = b"HTTP/1.1 200 X\r\nContent-Length: 2\r\n\r\nok"


class AppContext:
    """Counts who came. ``answers`` each request until the connection ends."""

    def __init__(self, answer: bytes = OK) -> None:
        self.answer, self.came, self.writers = answer, 0, list[asyncio.StreamWriter]()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.came += 1
        self.writers.append(writer)
        try:
            while True:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(self.answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def listening(handler: Handler) -> AsyncIterator[str]:
    server = await asyncio.start_server(handler, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.close()


async def get(connections: Connections, address: str) -> bytes:
    response = await connections.handle_async_request(httpcore2.Request("GET", address, headers={"Host": "x"}))
    try:
        return b"".join([part async for part in response.aiter_stream()])
    finally:
        await response.aclose()


def run(work: Awaitable[None]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(20):
            await work

    asyncio.run(bounded())


def test_one_connection_serves_who_comes_one_after_the_other() -> None:
    async def work() -> None:
        house = AppContext()
        async with listening(house) as address:
            connections = Connections(10, 30)
            for _ in range(5):
                assert await get(connections, address) == b"ok"
            assert house.came == 1
            await connections.aclose()

    run(work())


def test_who_comes_at_once_gets_one_each_up_to_the_most() -> None:
    async def work() -> None:
        house = AppContext()
        async with listening(house) as address:
            connections = Connections(3, 30)
            assert await asyncio.gather(*(get(connections, address) for _ in range(20))) == [b"ok"] * 20
            assert house.came == 3
            await connections.aclose()

    run(work())


def test_one_that_the_server_hung_up_is_not_taken_again() -> None:
    async def work() -> None:
        house = AppContext()
        async with listening(house) as address:
            connections = Connections(10, 30)
            await get(connections, address)
            house.writers[0].close()
            await house.writers[0].wait_closed()
            await asyncio.sleep(0.05)
            assert await get(connections, address) == b"ok"
            assert house.came == 2
            await connections.aclose()

    run(work())


def test_those_that_nobody_uses_are_closed() -> None:
    async def work() -> None:
        house = AppContext()
        async with listening(house) as address:
            connections = Connections(10, 0.2)
            await asyncio.gather(*(get(connections, address) for _ in range(4)))
            for _ in range(8):  # one is used all the time
                await asyncio.sleep(0.05)
                await get(connections, address)
            await asyncio.sleep(0.1)
            assert house.came == 4
            assert sum(writer.is_closing() for writer in house.writers) == 3
            await connections.aclose()

    run(work())


def test_a_call_that_was_cancelled_leaves_its_room_and_not_its_connection() -> None:
    async def work() -> None:
        silent, house = asyncio.Event(), AppContext()

        async def moody(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if not silent.is_set():
                silent.set()
                await reader.read()
                writer.close()
            else:
                await house(reader, writer)

        async with listening(moody) as address:
            connections = Connections(1, 30)
            call = asyncio.create_task(get(connections, address))
            await silent.wait()
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
            assert await get(connections, address) == b"ok"
            await connections.aclose()

    run(work())


@pytest.mark.parametrize(
    ("said", "error"),
    [(b"", httpcore2.RemoteProtocolError), (b"HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\nok", httpcore2.ProtocolError)],
    ids=["nothing", "half"],
)
def test_a_server_that_hangs_up_is_said_to_have(said: bytes, error: type[Exception]) -> None:
    async def work() -> None:
        async def rude(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(said)
            writer.close()

        async with listening(rude) as address:
            connections = Connections(1, 30)
            for _ in range(3):  # and its room is free again
                with pytest.raises(error):
                    await get(connections, address)
            await connections.aclose()

    run(work())


def test_nobody_there_is_an_error_of_connecting() -> None:
    async def work() -> None:
        async with listening(AppContext()) as address:
            pass
        await asyncio.sleep(0.05)
        with pytest.raises(httpcore2.ConnectError):
            await get(Connections(1, 30), address)

    run(work())


def test_what_waits_for_an_answer_ends_with_the_connections() -> None:
    async def work() -> None:
        asked = asyncio.Event()

        async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            asked.set()
            await reader.read()
            writer.close()

        async with listening(silent) as address:
            connections = Connections(1, 30)
            call = asyncio.create_task(get(connections, address))
            await asked.wait()
            await connections.aclose()
            with pytest.raises((httpcore2.NetworkError, httpcore2.ProtocolError)):
                await call

    run(work())
