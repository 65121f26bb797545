"""Streams of the wire: what is heard, when, what comes of it in the end, and every way in which they can go wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from tests.llm.conformance import KEY, REQUEST, SAID, SECRET
from tests.table import tabled

from heartrule.llm import provider as p
from heartrule.llm.providers import openai_wire
from heartrule.llm.providers.openai_wire import OpenAIWire
from heartrule.testing.openai_server import Fault, OpenAIServer, Pace

PLAIN = replace(REQUEST, timeout=5.0)
SSE = "Content-Type: text/event-stream"
USAGE = {"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 2}}
DONE = b"data: [DONE]\n\n"
Sent = bytes | float | str
"""Bytes, seconds of silence, or ``eof``: the connection ends without the stream's own end."""


@dataclass
class Heard:
    """What a call came to. ``at``: the seconds after which each piece was heard."""

    result: p.Reply | p.ProviderError
    pieces: list[str] = field(default_factory=list)
    at: list[float] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def reply(self) -> p.Reply:
        assert isinstance(self.result, p.Reply), self.result
        return self.result

    @property
    def error(self) -> p.ProviderError:
        assert isinstance(self.result, p.ProviderError), self.result
        return self.result


async def listen(provider: OpenAIWire, request: p.Request = PLAIN) -> Heard:
    now = asyncio.get_running_loop().time
    began = now()
    heard = Heard(p.ProviderError())

    def hear(piece: str) -> None:
        heard.pieces.append(piece)
        heard.at.append(now() - began)

    try:
        heard.result = await provider.complete(request, hear)
    except p.ProviderError as error:
        heard.result = error
    heard.seconds = now() - began
    return heard


def event(delta: object = None, finish: str | None = None, **more: Any) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return b"data: " + json.dumps({"model": "m-7", "choices": [choice], **more}, ensure_ascii=False).encode() + b"\n\n"


def said(*texts: str) -> bytes:
    return b"".join(event({"content": text}) for text in texts)


END = event({}, "stop")


def stream(*sent: Sent, head: Sequence[str] = (SSE,), chunked: bool = True, request: p.Request = PLAIN) -> Heard:
    """A call against a server that sends exactly this, in its time."""

    serving: set[asyncio.Task[None] | None] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.add(asyncio.current_task())
        try:
            await reader.readuntil(b"\r\n\r\n")
            await say(writer)
        except (asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()

    async def say(writer: asyncio.StreamWriter) -> None:
        more = ["Transfer-Encoding: chunked"] if chunked else ["Connection: close"]
        writer.write("\r\n".join(["HTTP/1.1 200 OK", *head, *more, "", ""]).encode())
        for each in sent:
            if isinstance(each, float):
                await asyncio.sleep(each)
            elif isinstance(each, bytes):
                writer.write(b"%x\r\n%b\r\n" % (len(each), each) if chunked else each)
                await writer.drain()
        if chunked and "eof" not in sent:
            writer.write(b"0\r\n\r\n")

    async def run() -> Heard:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        provider = OpenAIWire(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", "stub", KEY)
        try:
            return await listen(provider, request)
        finally:
            await provider.aclose()
            server.close()
            for task in serving:
                task.cancel()  # type: ignore[union-attr]
            await asyncio.gather(*serving)  # type: ignore[arg-type]

    return asyncio.run(run())


def ask(server: OpenAIServer, *requests: p.Request) -> list[Heard]:
    """Every request in turn through one provider."""

    async def run() -> list[Heard]:
        provider = OpenAIWire(server.url, "stub", KEY)
        try:
            return [await listen(provider, request) for request in requests or (PLAIN,)]
        finally:
            await provider.aclose()

    return asyncio.run(run())


def test_what_is_sent_and_what_comes_of_it() -> None:
    with OpenAIServer(SAID) as server:
        (heard,) = ask(server)
        (body,) = server.bodies
    assert body["stream"] is True
    assert body["stream_options"] == {"include_usage": True}
    assert body["response_format"]["json_schema"]["schema"] == REQUEST.schema
    assert heard.text == SAID
    assert len(heard.pieces) > 3
    assert heard.reply.first_token is not None
    assert replace(heard.reply, first_token=None) == p.Reply(SAID, "stub", tokens_in=100, tokens_out=20, cached=64)


def test_who_does_not_listen_is_not_streamed_to() -> None:
    async def run(server: OpenAIServer) -> p.Reply:
        provider = OpenAIWire(server.url, "stub")
        try:
            return await provider.complete(PLAIN)
        finally:
            await provider.aclose()

    with OpenAIServer(SAID) as server:
        assert asyncio.run(run(server)).first_token is None
        assert "stream" not in server.bodies[0]


def test_pieces_are_heard_when_they_come_and_the_first_is_timed() -> None:
    with OpenAIServer("一二三四五", pace=Pace(first=0.3, per_second=10, characters=1)) as server:
        (heard,) = ask(server)
    assert heard.pieces == ["一", "二", "三", "四", "五"]
    assert heard.at == pytest.approx([0.3, 0.4, 0.5, 0.6, 0.7], abs=0.09)
    assert heard.reply.first_token == pytest.approx(0.3, abs=0.09)


def test_a_connection_serves_stream_after_stream() -> None:
    with OpenAIServer(SAID) as server:
        ask(server, *[PLAIN] * 5)
        assert server.connections == 1


def test_streams_side_by_side_are_kept_apart() -> None:
    async def run(server: OpenAIServer) -> list[Heard]:
        provider = OpenAIWire(server.url, "stub")
        requests = [replace(PLAIN, messages=(p.PromptMessage("user", f"第{number}个"),)) for number in range(20)]
        try:
            return list(await asyncio.gather(*(listen(provider, each) for each in requests)))
        finally:
            await provider.aclose()

    with OpenAIServer(lambda body: body["messages"][0]["content"], pace=Pace(per_second=100, characters=1)) as server:
        found = asyncio.run(run(server))
    assert [each.text for each in found] == [f"第{number}个" for number in range(20)]
    assert [each.reply.text for each in found] == [f"第{number}个" for number in range(20)]


@tabled(
    "sent",
    [
        [said("你", "好") + END + DONE],
        [said("你"), said("好"), END, DONE],
        [said("你", "好").replace(b"\n", b"\r\n"), END.replace(b"\n", b"\r\n"), DONE],
        [said("你", "好").replace(b"\n", b"\r") + END.replace(b"\n", b"\r") + b"data: [DONE]\r\r"],
        [b": keep-alive\n\n", said("你"), b":\n\nevent: message\nid: 3\nretry: 5\n", said("好"), END, DONE],
        [b"\n\n", said("你", "好"), END, DONE],
        [b"\xef\xbb\xbf" + said("你", "好"), END, DONE],
        [said("你", "好"), event({"content": ""}, "stop")],
        [said("你", "好"), END.rstrip(b"\n")],
        [event({"role": "assistant", "content": None}), said("你"), event(None), said("好"), END, DONE],
        [event({"content": [{"type": "text", "text": "你"}]}), said("好"), END, DONE],
        [said("你"), b'data: {"model":"m-7",\ndata: "choices":[{"delta":{"content":"\xe5\xa5\xbd"}}]}\n\n', END, DONE],
        [said("你"), event({"content": "坏"}).replace(b'"index": 0', b'"index": 1'), said("好"), END, DONE],
        [said("你", "好"), DONE],
        [said("你", "好"), END, DONE, said("多")],
        [said("你", "好"), event({"content": None}, "stop"), b"data:[DONE]\r\n\r\n"],
    ],
)
def test_all_the_ways_to_say_hello(sent: list[bytes]) -> None:
    for each in (sent, [bytes([byte]) for byte in b"".join(sent)]):
        heard = stream(*each)
        assert heard.reply.text == heard.text == "你好"
        assert heard.pieces == ["你", "好"]
        assert heard.reply.model == "m-7"
    assert stream(*sent, chunked=False).reply.text == "你好"


@pytest.mark.parametrize(
    "sent",
    [
        [said("好"), END, b"data: " + json.dumps({"choices": [], "usage": USAGE}).encode() + b"\n\n", DONE],
        [said("好"), event({}, "stop", usage=USAGE), DONE],
        [said("好"), b'data: {"choices":[{"delta":{},"finish_reason":"stop","usage":%b}]}\n\n', DONE],
        [event({"content": "好"}, usage={"prompt_tokens": 9, "completion_tokens": 1}), event({}, "stop", usage=USAGE)],
        [event({"content": "好"}, usage=None), event({}, "stop", usage=USAGE), event({}, usage={}), DONE],
    ],
    ids=["in a chunk of its own", "in the last", "in the last choice", "counted on", "and then nothing"],
)
def test_what_was_used_is_found_wherever_it_is_told(sent: list[bytes]) -> None:
    reply = stream(*[each.replace(b"%b", json.dumps(USAGE).encode()) for each in sent]).reply
    assert (reply.tokens_in, reply.tokens_out, reply.cached, reply.finish) == (9, 4, 2, "stop")


def test_what_is_not_told_is_unknown() -> None:
    reply = stream(said("好"), DONE).reply
    assert (reply.tokens_in, reply.tokens_out, reply.finish) == (None, None, None)


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning", "thinking"])
def test_thoughts_are_not_heard_but_are_the_first_token(name: str) -> None:
    heard = stream(0.2, event({name: "让我想想", "content": ""}), 0.4, said("好"), END, DONE)
    assert heard.pieces == ["好"]
    assert heard.reply.text == "好"
    assert heard.reply.first_token == pytest.approx(0.2, abs=0.15)
    assert heard.at[0] > 0.55


def test_an_empty_beginning_is_no_first_token() -> None:
    heard = stream(event({"role": "assistant", "content": ""}), 0.4, said("好"), END, DONE)
    assert heard.reply.first_token == pytest.approx(0.4, abs=0.15)


def test_what_is_sent_twice_is_heard_twice() -> None:
    chunk = event({"content": "好"}, id="chunk-1")
    assert stream(chunk, chunk, END, DONE).pieces == ["好", "好"]


@pytest.mark.parametrize("kind", ["Content-Type: application/json", SSE, "X-None: 1"])
def test_a_whole_answer_may_come_all_the_same(kind: str) -> None:
    body = json.dumps({"choices": [{"finish_reason": "stop", "message": {"content": "你好"}}], "usage": USAGE})
    heard = stream(b" \n", body[:20].encode(), 0.01, body[20:].encode(), head=[kind])
    assert heard.pieces == ["你好"]
    assert (heard.reply.text, heard.reply.tokens_in, heard.reply.first_token) == ("你好", 9, None)


def test_a_stream_may_come_under_any_name() -> None:
    assert stream(said("好"), END, DONE, head=["Content-Type: application/json"]).text == "好"


@pytest.mark.parametrize("body", [b"", b" \n", b"<html></html>", b"[]", b'{"choices":[]}', b"{", b"\xef\xbb\xbf{}"])
def test_a_whole_answer_that_is_none(body: bytes) -> None:
    heard = stream(body or b" ")
    assert type(heard.error) is p.Malformed
    assert heard.pieces == []


@pytest.mark.parametrize(
    ("sent", "error", "heard"),
    [
        ([said("你"), b"data: {no json}\n\n", DONE], p.Malformed, "你"),
        ([b"data: []\n\n", DONE], p.Malformed, ""),
        ([b"data: null\n\n", DONE], p.Malformed, ""),
        ([b"data: " + b"[" * 100_000 + b"\n\n"], p.Malformed, ""),
        ([b"data: \xff\xfe\n\n"], p.Malformed, ""),
        ([b"data: {}\n\n", DONE], p.Malformed, ""),
        ([DONE], p.Malformed, ""),
        ([b'data: {"choices":{}}\n\n', b'data: {"choices":[7]}\n\n', DONE], p.Malformed, ""),
        ([said("你")], p.Cut, "你"),
        ([b": nothing\n\n"], p.Cut, ""),
        ([b"welcome to the hotel"], p.Cut, ""),
        ([said("你"), "eof"], p.Cut, "你"),
        ([said("你"), event({"content": "好"})[:20], "eof"], p.Cut, "你"),
        ([END, DONE], p.Empty, ""),
        ([said(" ", "\n"), END, DONE], p.Empty, " \n"),
        ([event({"reasoning_content": "想"}), END, DONE], p.Empty, ""),
        ([said("你"), event({}, "content_filter"), DONE], p.Filtered, "你"),
        ([said("你"), event({}, "sensitive"), DONE], p.Filtered, "你"),
        ([event({"refusal": "I cannot"}), END, DONE], p.Filtered, ""),
        ([said("你", "x" * 60_000), END, DONE], p.TooLong, "你"),
        ([said("你"), b": " + b"x" * 400_000 + b"\n\n", END, DONE], p.TooLong, "你"),
        ([b'{"choices":' + b" " * 60_000], p.TooLong, ""),
    ],
    ids=range(22),
)
def test_streams_that_come_to_nothing(
    sent: list[Sent], error: type[p.ProviderError], heard: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_wire, "ANSWER_LIMIT", 50_000)
    monkeypatch.setattr(openai_wire, "STREAM_LIMIT", 300_000)
    found = stream(*sent)
    assert type(found.error) is error
    assert found.text == heard


@pytest.mark.parametrize(
    ("told", "error", "cause"),
    [
        ({"message": SECRET, "type": "server_error", "code": None}, p.ServerError, "server_error:chunk"),
        ({"message": SECRET, "code": 502}, p.ServerError, "server_error:502"),
        ({"message": SECRET, "code": "429"}, p.RateLimited, "rate_limited"),
        ({"message": SECRET, "type": "rate_limit_error"}, p.RateLimited, "rate_limited"),
        ({"message": SECRET, "code": "Throttling.User"}, p.RateLimited, "rate_limited"),
        ({"message": SECRET, "code": 401}, p.Unauthorised, "unauthorised:401"),
        ({"message": SECRET, "code": 400}, p.BadRequest, "bad_request:400"),
        ({"message": SECRET, "code": "data_inspection_failed"}, p.Filtered, "filtered:chunk"),
        ({"message": SECRET, "code": 400, "type": "content_filter"}, p.Filtered, "filtered:400"),
        ({"message": SECRET, "type": "overloaded_error"}, p.ServerError, "server_error:chunk"),
        (SECRET, p.ServerError, "server_error:chunk"),
        ([SECRET], p.ServerError, "server_error:chunk"),
    ],
    ids=range(12),
)
def test_an_error_in_the_midst(told: object, error: type[p.ProviderError], cause: str) -> None:
    counted = event({"content": "好"}, usage={"prompt_tokens": 9, "completion_tokens": 1})
    found = stream(said("你"), counted, b"data: " + json.dumps({"error": told}).encode() + b"\n\n", END, DONE)
    assert type(found.error) is error
    assert found.error.cause == cause
    assert found.text == "你好"
    assert SECRET not in repr(found.error)
    assert found.error.spent is not None
    assert (found.error.spent.tokens_in, found.error.spent.text) == (9, "")


def test_what_was_counted_before_the_fault_is_kept() -> None:
    counted = event({"content": "好"}, usage={"prompt_tokens": 9, "completion_tokens": 1})
    for sent in ([counted, "eof"], [counted, 5.0], [counted, event({}, "content_filter"), DONE], [counted]):
        error = stream(*sent, request=replace(PLAIN, timeout=0.5)).error
        assert error.spent is not None
        assert (error.spent.tokens_in, error.spent.tokens_out, error.spent.text) == (9, 1, "")


def test_an_answer_cut_short_by_its_limit_is_a_reply() -> None:
    assert stream(said("你"), event({}, "length"), DONE).reply.finish == "length"


@pytest.mark.parametrize("before", [[], [event({"role": "assistant", "content": ""})], [said("你")]])
def test_silence_is_never_longer_than_the_call_may_take(before: list[bytes]) -> None:
    heard = stream(*before, 5.0, request=replace(PLAIN, timeout=0.4))
    assert type(heard.error) is p.TimedOut
    assert heard.seconds < 1.0


def test_a_trickle_is_no_longer_either() -> None:
    heard = stream(*[each for _ in range(50) for each in (said("字"), 0.05)], request=replace(PLAIN, timeout=0.4))
    assert type(heard.error) is p.TimedOut
    assert 3 <= len(heard.pieces) <= 9


def test_an_answer_that_is_done_is_not_waited_for() -> None:
    heard = stream(said("好"), END, DONE, 3.0)
    assert heard.reply.text == "好"
    assert heard.seconds < 1.0


def test_after_a_stream_that_did_not_end_the_next_one_does() -> None:
    faults = [Fault("cut"), Fault("stall_after", seconds=30), Fault("reset_after"), Fault("error_after")]
    with OpenAIServer(SAID, faults) as server:
        found = ask(server, *[replace(PLAIN, timeout=0.5)] * 4, PLAIN)
    assert [type(each.result) for each in found] == [p.Cut, p.TimedOut, p.Cut, p.ServerError, p.Reply]
    assert all(0 < len(each.text) < len(SAID) and SAID.startswith(each.text) for each in found[:4])


def test_a_cancelled_stream_leaves_the_provider_usable() -> None:
    async def run(server: OpenAIServer) -> Heard:
        provider = OpenAIWire(server.url, "stub")
        call = asyncio.ensure_future(listen(provider))
        await asyncio.sleep(0.2)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        server.pace = Pace()
        try:
            return await listen(provider)
        finally:
            await provider.aclose()

    with OpenAIServer(SAID, pace=Pace(per_second=5)) as server:
        assert asyncio.run(run(server)).text == SAID


def test_a_server_that_cannot_count_streams_is_asked_without() -> None:
    with OpenAIServer(SAID, [Fault("no_stream_options")]) as server:
        found = ask(server, PLAIN, PLAIN, PLAIN)
    assert [type(each.result) for each in found] == [p.Unsupported, p.Reply, p.Reply]
    assert [body.get("stream_options") is not None for body in server.bodies] == [True, False, False]
    assert all(body["stream"] for body in server.bodies)
    assert found[2].reply.tokens_in is None


def test_a_server_that_cannot_stream_is_heard_all_the_same() -> None:
    with OpenAIServer(SAID, [Fault("no_stream")]) as server:
        found = ask(server, PLAIN, PLAIN)
    assert type(found[0].error) is p.Unsupported
    assert found[1].pieces == [SAID]
    assert "stream" not in server.bodies[1]


def test_a_complaint_from_upstream_is_no_word_against_streams() -> None:
    provider = OpenAIWire("http://127.0.0.1:9", "stub")
    assert not provider.dialect.learn('{"message":"upstream_error: bad request"}', {"stream": True})
    assert provider.dialect.streams


def test_the_other_dialects_are_learned_from_streams_too() -> None:
    kinds = ["no_json_schema", "no_max_tokens"]
    with OpenAIServer(SAID, [Fault(kind) for kind in kinds]) as server:  # type: ignore[arg-type]
        found = ask(server, PLAIN, PLAIN, PLAIN)
    assert found[2].text == SAID
    assert server.bodies[2]["response_format"] == {"type": "json_object"}
    assert server.bodies[2]["max_completion_tokens"] == 300


def test_settings_may_forbid_streams() -> None:
    async def run(server: OpenAIServer) -> Heard:
        provider = OpenAIWire(server.url, "stub", extra={"stream": False})
        try:
            return await listen(provider)
        finally:
            await provider.aclose()

    with OpenAIServer(SAID) as server:
        heard = asyncio.run(run(server))
    assert heard.pieces == [SAID]
