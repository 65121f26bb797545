"""Processor time of one model call by HTTP client, against a stub in a process of its own.

    python bench/providers.py [--calls 600] [--together 8] [--apart 0.001]

Every contender sends the same 6 kB prompt and reads the same 1 kB answer over kept-alive loopback connections, JSON
included. Contenders whose package is not installed are left out. The figure is ``time.process_time`` of this process
divided by the calls, best of three passes; the stub's own time is not in it.

Those that stream get the answer in chunks of four characters, each in a packet of its own, as a model would send them.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from importlib.util import find_spec

PROMPT = {
    "model": "stub",
    "messages": [
        {"role": "system", "content": "你是一位温和而专业的咨询师。" * 60},
        {"role": "user", "content": "咨询师：最近睡得怎么样？\n来访者：不太好，总是半夜醒。\n" * 40},
    ],
    "temperature": 0.3,
}
TEXT = json.dumps({"EXIT": "NO", "content": "听起来这几天睡得不太踏实。" * 12}, ensure_ascii=False)
ANSWER = json.dumps(
    {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "stub",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": TEXT}}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 80, "total_tokens": 980},
    }
).encode()
WIRE = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(ANSWER) + ANSWER

PIECES = [TEXT[at : at + 4] for at in range(0, len(TEXT), 4)]
STREAMED = {**PROMPT, "stream": True, "stream_options": {"include_usage": True}}


def _framed(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def _event(choices: list[dict[str, object]], **more: object) -> bytes:
    chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "stub", "choices": choices, **more}
    return _framed(b"data: " + json.dumps(chunk, ensure_ascii=False).encode() + b"\n\n")


PACKETS = [
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    + _event([{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}]),
    *(_event([{"index": 0, "delta": {"content": piece}, "finish_reason": None}]) for piece in PIECES),
    _event([{"index": 0, "delta": {}, "finish_reason": "stop"}]),
    _event([], usage={"prompt_tokens": 900, "completion_tokens": 80, "total_tokens": 980})
    + _framed(b"data: [DONE]\n\n")
    + b"0\r\n\r\n",
]

Call = Callable[[], Awaitable[str]]
Contender = Callable[[int, AsyncExitStack], Awaitable[Call]]


class Stub(asyncio.Protocol):
    """Answers every POST with the same bytes, or packet by packet, ``apart`` seconds from each other."""

    apart = 0.001

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.buffer = b""

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (head := self.buffer.find(b"\r\n\r\n")) >= 0:
            at = self.buffer[:head].lower().find(b"content-length:")
            length = int(self.buffer[at + 15 : head].split(b"\r\n", 1)[0]) if at >= 0 else 0
            if len(self.buffer) < head + 4 + length:
                return
            asked, self.buffer = self.buffer[: head + 4 + length], self.buffer[head + 4 + length :]
            if b'"stream":' in asked:
                self.tell(iter(PACKETS))
            else:
                self.transport.write(WIRE)  # type: ignore[attr-defined]

    def tell(self, packets: Iterator[bytes]) -> None:
        if (packet := next(packets, None)) is not None:
            self.transport.write(packet)  # type: ignore[attr-defined]
            asyncio.get_running_loop().call_later(self.apart, self.tell, packets)


def serve(apart: float) -> None:
    Stub.apart = apart

    async def run() -> None:
        server = await asyncio.get_running_loop().create_server(Stub, "127.0.0.1", 0)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    asyncio.run(run())


def body(streamed: bool = False) -> bytes:
    return json.dumps(STREAMED if streamed else PROMPT, ensure_ascii=False).encode()


def piece_of(line: bytes) -> str:
    """Of a line of a stream. What is no piece is empty."""
    if not line.startswith(b"data: {"):
        return ""
    choices = json.loads(line[6:])["choices"]
    return (choices[0]["delta"].get("content") or "") if choices else ""


class Lines:
    """Bytes to lines to pieces, with none of what a real server would need."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._rest = b""

    def feed(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        self.pieces += filter(None, map(piece_of, lines))

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def text(data: bytes) -> str:
    return str(json.loads(data)["choices"][0]["message"]["content"])


HEADERS = {"Content-Type": "application/json", "Authorization": "Bearer stub"}
PATH = "/v1/chat/completions"


async def ours(port: int, stack: AsyncExitStack, streamed: bool = False) -> Call:
    from heartrule.llm.provider import PromptMessage, Request
    from heartrule.llm.providers.openai_wire import OpenAIWire

    provider = OpenAIWire(f"http://127.0.0.1:{port}/v1", "stub", "stub")
    stack.push_async_callback(provider.aclose)
    messages = tuple(PromptMessage(each["role"], each["content"]) for each in PROMPT["messages"])  # type: ignore
    request = Request(messages, {"type": "object"})

    async def call() -> str:
        pieces: list[str] = []
        reply = await provider.complete(request, pieces.append if streamed else None)
        return "".join(pieces) if streamed else reply.text

    return call


async def ours_heard(port: int, stack: AsyncExitStack) -> Call:
    return await ours(port, stack, streamed=True)


async def ours_read(port: int, stack: AsyncExitStack) -> Call:
    """Streamed, and read as it comes down to the sentences of ``content``."""
    from heartrule.language.sentences import Sentences
    from heartrule.llm.partial import Partial
    from heartrule.llm.provider import PromptMessage, Request
    from heartrule.llm.providers.openai_wire import OpenAIWire

    provider = OpenAIWire(f"http://127.0.0.1:{port}/v1", "stub", "stub")
    stack.push_async_callback(provider.aclose)
    messages = tuple(PromptMessage(each["role"], each["content"]) for each in PROMPT["messages"])  # type: ignore
    request = Request(messages, {"type": "object"})

    async def call() -> str:
        partial, sentences, said = Partial(), Sentences(), list[str]()
        told = 0

        def hear(piece: str) -> None:
            nonlocal told
            partial.feed(piece)
            said.extend(sentences.feed(partial.content[told:]))
            told = len(partial.content)

        reply = await provider.complete(request, hear)
        assert "".join(said) + sentences.rest == json.loads(reply.text)["content"]
        return reply.text

    return call


async def httpx2_client(port: int, stack: AsyncExitStack) -> Call:
    import httpx2

    client = await stack.enter_async_context(httpx2.AsyncClient(headers=HEADERS, timeout=15))
    url = httpx2.URL(f"http://127.0.0.1:{port}{PATH}")

    async def call() -> str:
        return text((await client.post(url, content=body())).content)

    return call


async def httpx2_stream(port: int, stack: AsyncExitStack) -> Call:
    import httpx2

    client = await stack.enter_async_context(httpx2.AsyncClient(headers=HEADERS, timeout=15))
    url = httpx2.URL(f"http://127.0.0.1:{port}{PATH}")

    async def call() -> str:
        lines = Lines()
        async with client.stream("POST", url, content=body(True)) as response:
            async for chunk in response.aiter_bytes():
                lines.feed(chunk)
        return lines.text

    return call


async def httpx2_transport(port: int, stack: AsyncExitStack) -> Call:
    import httpx2

    transport = await stack.enter_async_context(httpx2.AsyncHTTPTransport())
    url = httpx2.URL(f"http://127.0.0.1:{port}{PATH}")
    headers = httpx2.Headers({**HEADERS, "Host": f"127.0.0.1:{port}"})
    extensions = {"timeout": httpx2.Timeout(15).as_dict()}

    async def call() -> str:
        request = httpx2.Request("POST", url, headers=headers, content=body(), extensions=extensions)
        response = await transport.handle_async_request(request)
        try:
            return text(b"".join([chunk async for chunk in response.aiter_raw()]))
        finally:
            await response.aclose()

    return call


async def httpcore2_pool(port: int, stack: AsyncExitStack) -> Call:
    import httpcore2

    pool = await stack.enter_async_context(httpcore2.AsyncConnectionPool(max_connections=100))
    url = httpcore2.URL(f"http://127.0.0.1:{port}{PATH}")
    fixed = [(k.encode(), v.encode()) for k, v in {**HEADERS, "Host": f"127.0.0.1:{port}"}.items()]

    async def call() -> str:
        content = body()
        headers = [*fixed, (b"Content-Length", str(len(content)).encode())]
        response = await pool.request("POST", url, headers=headers, content=content)
        return text(response.content)

    return call


async def httpcore2_stream(port: int, stack: AsyncExitStack) -> Call:
    import httpcore2

    pool = await stack.enter_async_context(httpcore2.AsyncConnectionPool(max_connections=100))
    url = httpcore2.URL(f"http://127.0.0.1:{port}{PATH}")
    fixed = [(k.encode(), v.encode()) for k, v in {**HEADERS, "Host": f"127.0.0.1:{port}"}.items()]

    async def call() -> str:
        content, lines = body(True), Lines()
        headers = [*fixed, (b"Content-Length", str(len(content)).encode())]
        async with pool.stream("POST", url, headers=headers, content=content) as response:
            async for chunk in response.aiter_stream():
                lines.feed(chunk)
        return lines.text

    return call


async def aiohttp_stream(port: int, stack: AsyncExitStack) -> Call:
    import aiohttp

    session = await stack.enter_async_context(aiohttp.ClientSession(headers=HEADERS))

    async def call() -> str:
        lines = Lines()
        async with session.post(f"http://127.0.0.1:{port}{PATH}", data=body(True)) as response:
            async for chunk in response.content.iter_any():
                lines.feed(chunk)
        return lines.text

    return call


async def aiohttp_client(port: int, stack: AsyncExitStack) -> Call:
    import aiohttp

    session = await stack.enter_async_context(aiohttp.ClientSession(headers=HEADERS))

    async def call() -> str:
        async with session.post(f"http://127.0.0.1:{port}{PATH}", data=body()) as response:
            return text(await response.read())

    return call


async def urllib3_threads(port: int, stack: AsyncExitStack) -> Call:
    import urllib3

    pool = urllib3.HTTPConnectionPool("127.0.0.1", port, maxsize=32, retries=False)
    threads = stack.enter_context(ThreadPoolExecutor(32))
    stack.callback(pool.close)

    def once() -> str:
        return text(pool.request("POST", PATH, body=body(), headers=HEADERS).data)

    return lambda: asyncio.get_running_loop().run_in_executor(threads, once)


async def stdlib_threads(port: int, stack: AsyncExitStack) -> Call:
    threads = stack.enter_context(ThreadPoolExecutor(32))
    idle: list[http.client.HTTPConnection] = []

    def once() -> str:
        connection = idle.pop() if idle else http.client.HTTPConnection("127.0.0.1", port, timeout=15)
        connection.request("POST", PATH, body=body(), headers=HEADERS)
        found = text(connection.getresponse().read())
        idle.append(connection)
        return found

    return lambda: asyncio.get_running_loop().run_in_executor(threads, once)


async def bare_streams(port: int, stack: AsyncExitStack) -> Call:
    """The floor: asyncio's streams with the least HTTP that a well-behaved stub needs. Not fit for the world."""
    idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def call() -> str:
        reader, writer = idle.pop() if idle else await asyncio.open_connection("127.0.0.1", port)
        content = body()
        head = f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(content)}\r\n\r\n"
        writer.write(head.encode() + content)
        lines = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(lines.split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
        found = text(await reader.readexactly(length))
        idle.append((reader, writer))
        return found

    async def close() -> None:
        for _, writer in idle:
            writer.close()

    stack.push_async_callback(close)
    return call


async def bare_lines(port: int, stack: AsyncExitStack) -> Call:
    """The floor of a stream: every chunk of the stub is two lines of framing and two of the event."""
    idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def call() -> str:
        reader, writer = idle.pop() if idle else await asyncio.open_connection("127.0.0.1", port)
        content = body(True)
        head = f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(content)}\r\n\r\n"
        writer.write(head.encode() + content)
        await reader.readuntil(b"\r\n\r\n")
        pieces: list[str] = []
        while (line := await reader.readline()) != b"0\r\n":
            pieces.append(piece_of(line))
        await reader.readline()
        idle.append((reader, writer))
        return "".join(pieces)

    async def close() -> None:
        for _, writer in idle:
            writer.close()

    stack.push_async_callback(close)
    return call


async def openai_sdk_stream(port: int, stack: AsyncExitStack) -> Call:
    import openai

    client = openai.AsyncOpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="stub", max_retries=0)
    stack.push_async_callback(client.close)

    async def call() -> str:
        pieces: list[str] = []
        async for chunk in await client.chat.completions.create(**STREAMED):  # type: ignore[call-overload]
            if chunk.choices:
                pieces.append(chunk.choices[0].delta.content or "")
        return "".join(pieces)

    return call


async def openai_sdk(port: int, stack: AsyncExitStack) -> Call:
    import openai

    client = openai.AsyncOpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="stub", max_retries=0)
    stack.push_async_callback(client.close)

    async def call() -> str:
        done = await client.chat.completions.create(**PROMPT)  # type: ignore[call-overload]
        return str(done.choices[0].message.content)

    return call


WHOLE: dict[str, tuple[str, Contender]] = {
    "our provider": ("heartrule.llm.providers.openai_wire", ours),
    "httpx2 client": ("httpx2", httpx2_client),
    "httpx2 transport": ("httpx2", httpx2_transport),
    "httpcore2 pool": ("httpcore2", httpcore2_pool),
    "aiohttp": ("aiohttp", aiohttp_client),
    "urllib3 in threads": ("urllib3", urllib3_threads),
    "http.client in threads": ("http.client", stdlib_threads),
    "bare asyncio streams": ("asyncio", bare_streams),
    "OpenAI SDK": ("openai", openai_sdk),
}
CHUNKED: dict[str, tuple[str, Contender]] = {
    "our provider": ("heartrule.llm.providers.openai_wire", ours_heard),
    "our provider, to sentences": ("heartrule.llm.providers.openai_wire", ours_read),
    "httpx2 client": ("httpx2", httpx2_stream),
    "httpcore2 pool": ("httpcore2", httpcore2_stream),
    "aiohttp": ("aiohttp", aiohttp_stream),
    "bare asyncio streams": ("asyncio", bare_lines),
    "OpenAI SDK": ("openai", openai_sdk_stream),
}


async def measure(contender: Contender, port: int, calls: int, together: int) -> float:
    """Milliseconds of processor time a call, the best of three passes."""
    async with AsyncExitStack() as stack:
        call = await contender(port, stack)

        async def some(count: int) -> None:
            for _ in range(count):
                assert await call() == TEXT

        await asyncio.gather(*(some(10) for _ in range(together)))
        best = float("inf")
        for _ in range(3):
            before = time.process_time()
            await asyncio.gather(*(some(calls // together) for _ in range(together)))
            best = min(best, (time.process_time() - before) / (calls // together * together))
    return best * 1000


def table(title: str, contenders: dict[str, tuple[str, Contender]], port: int, calls: int, together: int) -> None:
    print(f"\n{title:28}{'one at a time':>16}{f'{together} together':>16}   ms of processor time a call")
    for name, (module, contender) in contenders.items():
        if find_spec(module.partition(".")[0]) is None or find_spec(module) is None:
            continue
        figures = [asyncio.run(measure(contender, port, calls, n)) for n in (1, together)]
        print(f"{name:28}{figures[0]:16.3f}{figures[1]:16.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=600)
    parser.add_argument("--together", type=int, default=8)
    parser.add_argument("--apart", type=float, default=0.001, help="seconds between two chunks of a stream")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        return serve(asked.apart)
    command = [sys.executable, __file__, "--serve", "--apart", str(asked.apart)]
    stub = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert stub.stdout is not None
        port = int(stub.stdout.readline())
        table("whole", WHOLE, port, asked.calls, asked.together)
        table(f"streamed, {len(PIECES)} chunks", CHUNKED, port, max(asked.together, asked.calls // 6), asked.together)
    finally:
        stub.terminate()
        stub.wait()
    return None


if __name__ == "__main__":
    main()
