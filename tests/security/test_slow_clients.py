"""Clients that take their time: half a header is not waited for, whichever request of a connection it begins."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.server.material import Grounds, problem, run

WHOLE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF = b"GET /healthz HTTP/1.1\r\nHost: local"


@pytest.fixture
def grounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Grounds:
    monkeypatch.setattr("heartrule.server.process.HEADER_SECONDS", 0.4)
    return Grounds(tmp_path)


@pytest.mark.parametrize("before", [b"", WHOLE, WHOLE + WHOLE])
def test_half_a_request_is_put_down(grounds: Grounds, before: bytes) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            reader, writer = await asyncio.open_connection("127.0.0.1", api.client.base_url.port)
            for _ in range(before.count(b"GET")):
                writer.write(WHOLE)
                assert (await reader.readuntil(b"}")).startswith(b"HTTP/1.1 200")
            writer.write(HALF)
            async with asyncio.timeout(3):
                assert await reader.read() == b""
            writer.close()

    run(work())


def test_who_asks_again_and_again_is_not(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            reader, writer = await asyncio.open_connection("127.0.0.1", api.client.base_url.port)
            for _ in range(6):
                writer.write(WHOLE)
                assert (await reader.readuntil(b"}")).startswith(b"HTTP/1.1 200")
                await asyncio.sleep(0.15)
            writer.close()

    run(work())


def test_length_told_twice_is_refused(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            reader, writer = await asyncio.open_connection("127.0.0.1", api.client.base_url.port)
            writer.write(
                b"POST /api/v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n"
            )
            async with asyncio.timeout(3):
                answer = await reader.read()
            assert answer.startswith(b"HTTP/1.1 400 ")
            assert answer.count(b"HTTP/1.1") == 1, "nothing behind it is taken for another request"
            writer.close()

    run(work())


def test_streams_of_one_address_are_bounded(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served(streams_an_address=2) as api:
            visits = [await api.visit() for _ in range(3)]
            async with api.events(visits[0]), api.events(visits[1]):
                async with asyncio.timeout(10):
                    while api.context.live.open < 2:  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
                answer = await api.get(f"{visits[2].path}/events", visits[2].token)
                problem(answer, "too-many-requests", 429)

    run(work())


def test_foreign_names_and_strangers_are_refused(grounds: Grounds) -> None:
    async def work() -> None:
        async with grounds.served() as api:
            foreign = await api.client.get("/api/v1/about", headers={"Host": "rebound.example"})
            problem(foreign, "wrong-host", 421)
            assert (await api.client.get("/metrics")).status_code == 200
            proxied = await api.client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"})
            assert proxied.status_code == 404
        async with grounds.served(metrics_token="a token of more than thirty-two bytes") as api:
            assert (await api.client.get("/metrics")).status_code == 401
            sent = {"Authorization": "Bearer a token of more than thirty-two bytes"}
            assert (await api.client.get("/metrics", headers=sent)).status_code == 200
        async with grounds.served(hosts=("talk.example.org",)) as api:
            named = await api.client.get("/api/v1/about", headers={"Host": "talk.example.org"})
            assert named.status_code == 200
            problem(await api.client.get("/api/v1/about", headers={"Host": "10.0.0.1"}), "wrong-host", 421)

    run(work())


def test_every_path_is_limited(grounds: Grounds) -> None:
    async def work() -> None:
        rates = {"token": 0, "address": 0, "sessions": 0, "turns": 0, "pages": 5}
        async with grounds.asgi(rates=rates) as api:
            answers = [(await api.client.get("/schema/script.json")).status_code for _ in range(7)]
            assert answers.count(429) == 2

    run(work())
