"""The wire: addresses, dialects, what is sent, what is read, and what is never let through."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from tests.llm.conformance import KEY, REQUEST, SAID, SECRET
from tests.table import tabled

from heartrule.llm import provider as p
from heartrule.llm.live import LiveCallForbidden, live_calls_allowed
from heartrule.llm.providers import openai_wire
from heartrule.llm.providers.openai_wire import OpenAIWire, endpoint
from heartrule.testing.openai_server import Body, Fault, OpenAIServer

PLAIN = replace(REQUEST, timeout=5.0)


def ask(server: OpenAIServer, *requests: p.Request, **options: Any) -> list[p.Reply | p.ProviderError]:
    """Every request in turn through one provider: its reply, or the error it raised."""

    async def run() -> list[p.Reply | p.ProviderError]:
        provider = OpenAIWire(server.url, "stub", KEY, **options)
        found: list[p.Reply | p.ProviderError] = []
        try:
            for request in requests or (PLAIN,):
                try:
                    found.append(await provider.complete(request))
                except p.ProviderError as error:
                    found.append(error)
        finally:
            await provider.aclose()
        return found

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("base", "address"),
    [
        ("https://api.deepseek.com", "https://api.deepseek.com/v1/chat/completions"),
        ("https://api.deepseek.com/", "https://api.deepseek.com/v1/chat/completions"),
        ("https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"),
        ("https://api.openai.com/v1/", "https://api.openai.com/v1/chat/completions"),
        (" http://127.0.0.1:11434 ", "http://127.0.0.1:11434/v1/chat/completions"),
        ("https://h/compatible-mode/v1", "https://h/compatible-mode/v1/chat/completions"),
        ("https://h/compatible-mode", "https://h/compatible-mode/v1/chat/completions"),
        ("https://h/api/paas/v4/", "https://h/api/paas/v4/chat/completions"),
        ("https://h/api/v3", "https://h/api/v3/chat/completions"),
        ("https://h/v1beta/openai", "https://h/v1beta/openai/chat/completions"),
        ("https://h/v1/chat/completions", "https://h/v1/chat/completions"),
        ("https://h/v1?api-version=2", "https://h/v1/chat/completions?api-version=2"),
    ],
)
def test_a_base_url_is_understood_with_or_without_its_version(base: str, address: str) -> None:
    assert endpoint(base) == address


@pytest.mark.parametrize("base", ["", "api.openai.com/v1", "ftp://h/v1", "https://", "file:///etc/passwd"])
def test_what_is_no_address_is_refused(base: str) -> None:
    with pytest.raises(ValueError, match="https://host/v1"):
        endpoint(base)


@pytest.mark.parametrize("key", ["sk-1\nX-Evil: 1", "钥匙", "sk\x00"])
def test_a_key_cannot_smuggle_headers(key: str) -> None:
    with pytest.raises(ValueError, match="printable ASCII"):
        OpenAIWire("https://h/v1", "m", key)


def test_what_is_sent() -> None:
    with OpenAIServer(SAID) as server:
        ask(server, extra={"enable_thinking": False}, headers={"X-Tenant": "7"})
    body, headers = server.bodies[0], server.headers[0]
    assert body["model"] == "stub"
    assert body["messages"] == [{"role": m.role, "content": m.text} for m in REQUEST.messages]
    assert (body["temperature"], body["max_tokens"]) == (0.2, 300)
    assert body["response_format"]["json_schema"]["schema"] == REQUEST.schema
    assert body["enable_thinking"] is False
    assert headers["authorization"] == f"Bearer {KEY}"
    assert headers["x-tenant"] == "7"
    assert headers["accept-encoding"] == "identity"
    assert headers["host"] == server.url.split("/")[2]


def test_without_a_key_none_is_sent() -> None:
    async def run(server: OpenAIServer) -> None:
        provider = OpenAIWire(server.url, "stub")
        await provider.complete(PLAIN)
        await provider.aclose()

    with OpenAIServer(SAID) as server:
        asyncio.run(run(server))
    assert "authorization" not in server.headers[0]


def test_what_is_read() -> None:
    with OpenAIServer(SAID) as server:
        (reply,) = ask(server)
    assert reply == p.Reply(SAID, "stub", tokens_in=100, tokens_out=20, cached=64)


def test_one_connection_serves_call_after_call() -> None:
    with OpenAIServer(SAID) as server:
        ask(server, *[PLAIN] * 10)
        assert len(server.bodies) == 10
        assert server.connections == 1


def test_a_server_that_comes_back_is_found_again() -> None:
    async def run(server: OpenAIServer) -> None:
        provider = OpenAIWire(server.url, "stub")
        await provider.complete(PLAIN)
        await asyncio.to_thread(server.down)
        with pytest.raises((p.Refused, p.Cut)):
            await provider.complete(PLAIN)
        with pytest.raises(p.Refused):
            await provider.complete(PLAIN)
        await asyncio.to_thread(server.up)
        assert (await provider.complete(PLAIN)).text == SAID
        await provider.aclose()

    with OpenAIServer(SAID) as server:
        asyncio.run(run(server))


@pytest.mark.parametrize(
    ("complaints", "levels"),
    [
        ([], ["json_schema"]),
        (["no_json_schema"], ["json_schema", "json_object", "json_object"]),
        (["no_json_schema", "no_json_object"], ["json_schema", "json_object", None, None]),
    ],
)
def test_structured_output_steps_down_and_remembers(complaints: list[Any], levels: list[str | None]) -> None:
    with OpenAIServer(SAID, [Fault(kind) for kind in complaints]) as server:
        found = ask(server, *[PLAIN] * len(levels))
    assert [type(each) for each in found[: len(complaints)]] == [p.Unsupported] * len(complaints)
    assert all(isinstance(each, p.Reply) for each in found[len(complaints) :])
    assert [body.get("response_format", {}).get("type") for body in server.bodies] == levels


def test_three_refusals_at_once_step_down_once() -> None:
    async def run(server: OpenAIServer) -> str:
        provider = OpenAIWire(server.url, "stub")
        await asyncio.gather(*(provider.complete(PLAIN) for _ in range(3)), return_exceptions=True)
        await provider.complete(PLAIN)
        await provider.aclose()
        return provider.dialect.structured

    with OpenAIServer(SAID, [Fault("no_json_schema")] * 3) as server:
        assert asyncio.run(run(server)) == "json_object"


def test_a_configured_level_is_kept() -> None:
    with OpenAIServer(SAID, [Fault("no_json_object")]) as server:
        found = ask(server, PLAIN, PLAIN, structured="json_object")
    assert isinstance(found[0], p.BadRequest)
    assert [body["response_format"]["type"] for body in server.bodies] == ["json_object"] * 2


def test_json_object_is_not_asked_for_where_the_prompt_does_not_say_json() -> None:
    silent = replace(PLAIN, messages=(p.PromptMessage("user", "你好"),))
    with OpenAIServer(SAID) as server:
        ask(server, silent, structured="json_object")
    assert "response_format" not in server.bodies[0]


def test_without_a_schema_nothing_structured_is_asked_for() -> None:
    with OpenAIServer(SAID) as server:
        ask(server, replace(PLAIN, schema=None))
    assert "response_format" not in server.bodies[0]


def test_the_newer_name_of_the_token_limit_is_learned() -> None:
    with OpenAIServer(SAID, [Fault("no_max_tokens")]) as server:
        found = ask(server, PLAIN, PLAIN)
    assert isinstance(found[0], p.Unsupported)
    assert server.bodies[1]["max_completion_tokens"] == 300
    assert "max_tokens" not in server.bodies[1]


def raw(status: int, headers: dict[str, str], content: bytes) -> Callable[[], p.Reply | p.ProviderError]:
    """A call against a server that answers exactly these bytes."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        lines = [f"HTTP/1.1 {status} X", *(f"{k}: {v}" for k, v in headers.items()), f"Content-Length: {len(content)}"]
        writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        await writer.drain()
        writer.close()

    async def run() -> p.Reply | p.ProviderError:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        provider = OpenAIWire(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", "stub", KEY)
        try:
            return await provider.complete(PLAIN)
        except p.ProviderError as error:
            return error
        finally:
            await provider.aclose()
            server.close()

    return lambda: asyncio.run(run())


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, p.Unauthorised),
        (402, p.Unauthorised),
        (403, p.Unauthorised),
        (404, p.BadRequest),
        (413, p.BadRequest),
        (422, p.BadRequest),
        (307, p.BadRequest),
        (408, p.ServerError),
        (409, p.ServerError),
        (425, p.ServerError),
        (429, p.RateLimited),
        (500, p.ServerError),
        (503, p.ServerError),
        (529, p.ServerError),
    ],
)
def test_statuses(status: int, kind: type[p.ProviderError]) -> None:
    found = raw(status, {"Location": "http://elsewhere.invalid/"}, SECRET.encode())()
    assert type(found) is kind
    assert SECRET not in str(found)


@pytest.mark.parametrize("words", ["data_inspection_failed", "Content_Filter", "content_policy_violation"])
def test_a_filter_may_speak_as_a_bad_request(words: str) -> None:
    assert type(raw(400, {}, f'{{"error":{{"code":"{words}"}}}}'.encode())()) is p.Filtered


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "3"}, 3.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"retry-after-ms": "250"}, 0.25),
        ({"Retry-After": format_datetime(datetime.now(UTC) - timedelta(hours=1))}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-4"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "nan"}, None),
        ({}, None),
    ],
)
def test_retry_after_in_all_its_spellings(headers: dict[str, str], seconds: float | None) -> None:
    found = raw(429, headers, b"")()
    assert isinstance(found, p.RateLimited)
    assert found.retry_after == seconds


def test_retry_after_may_be_a_date() -> None:
    found = raw(503, {"Retry-After": format_datetime(datetime.now(UTC) + timedelta(seconds=60))}, b"")()
    assert isinstance(found, p.ServerError)
    assert found.retry_after == pytest.approx(60, abs=5)


def body_of(message: dict[str, Any] | None = None, **more: Any) -> bytes:
    choice = {"finish_reason": "stop", "message": {"content": "好"} if message is None else message}
    return json.dumps({"choices": [choice], **more}).encode()


@tabled(
    "content",
    [
        b"",
        b"null",
        b"[]",
        b'"x"',
        b"{}",
        b'{"choices":[]}',
        b'{"choices":{}}',
        b'{"choices":[null]}',
        b'{"choices":["x"]}',
        b'{"choices":[{"message":"x"}]}',
        b'{"choices":[{"message":null}]}',
        b'{"error":{"message":"overloaded"}}',
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"<html></html>",
    ],
)
def test_a_body_that_is_not_the_wire(content: bytes) -> None:
    assert type(raw(200, {}, content)()) is p.Malformed


@pytest.mark.parametrize("message", [{}, {"content": None}, {"content": ""}, {"content": " \n"}, {"content": 7}])
def test_nothing_said(message: dict[str, Any]) -> None:
    assert type(raw(200, {}, body_of(message))()) is p.Empty


def test_a_refusal_is_a_filter() -> None:
    assert type(raw(200, {}, body_of({"content": None, "refusal": "I cannot"}))()) is p.Filtered


def test_content_may_come_in_parts() -> None:
    parts = [{"type": "text", "text": "你"}, {"type": "image"}, "x", {"type": "text", "text": "好"}]
    reply = raw(200, {}, body_of({"content": parts}))()
    assert isinstance(reply, p.Reply)
    assert reply.text == "你好"


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        ({"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}, (9, 2, 4)),
        ({"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 5}, (9, 2, 5)),
        ({"prompt_tokens": 9, "cached_tokens": 6, "prompt_tokens_details": None}, (9, None, 6)),
        ({"prompt_tokens": "9", "completion_tokens": -1, "cached_tokens": True}, (None, None, None)),
        ([], (None, None, None)),
        (None, (None, None, None)),
    ],
)
def test_tokens_are_counted_where_they_are_told(usage: Any, counts: tuple[int | None, ...]) -> None:
    reply = raw(200, {}, body_of(usage=usage))()
    assert isinstance(reply, p.Reply)
    assert (reply.tokens_in, reply.tokens_out, reply.cached) == counts


def test_running_into_the_token_limit_is_told() -> None:
    with OpenAIServer(SAID, [Fault("truncated")]) as server:
        (reply,) = ask(server)
    assert isinstance(reply, p.Reply)
    assert reply.finish == "length"


@pytest.mark.parametrize(
    ("kind", "error"),
    [("reset", p.Cut), ("cut", p.Cut), ("not_wire", p.Malformed), ("unending", p.TooLong), ("empty", p.Empty)],
)
def test_faults_of_the_connection(kind: Any, error: type[p.ProviderError]) -> None:
    with OpenAIServer(SAID, [Fault(kind)]) as server:
        found = ask(server, PLAIN, PLAIN)
    assert type(found[0]) is error
    assert isinstance(found[1], p.Reply), "the provider is usable afterwards"


def test_a_megabyte_is_read_and_no_more_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer(SAID, [Fault("huge"), Fault("huge")]) as server:
        (whole,) = ask(server)
        monkeypatch.setattr(openai_wire, "ANSWER_LIMIT", 500_000)
        (cut,) = ask(server)
    assert isinstance(whole, p.Reply)
    assert len(whole.text.encode()) > 1_000_000
    assert isinstance(cut, p.TooLong)


def test_the_timeout_bounds_the_whole_call() -> None:
    with OpenAIServer(SAID, [Fault("stall", seconds=30)]) as server:
        (found,) = ask(server, replace(PLAIN, timeout=0.1))
    assert type(found) is p.TimedOut


def test_nobody_there() -> None:
    async def run() -> None:
        with pytest.raises(p.Refused):
            await OpenAIWire("http://127.0.0.1:9", "stub").complete(PLAIN)

    asyncio.run(run())


def test_nothing_of_a_conversation_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with OpenAIServer({"content": "回答里的秘密"}, [Fault("400"), Fault("none")]) as server:
        ask(server, PLAIN, PLAIN)
    told = caplog.text
    assert not any(each in told for each in (SECRET, KEY, "回答里的秘密"))


def test_half_characters_do_not_stop_a_call() -> None:
    odd = replace(PLAIN, messages=(p.PromptMessage("user", "坏字符\ud83d"),))
    with OpenAIServer(SAID) as server:
        (reply,) = ask(server, odd)
    assert isinstance(reply, p.Reply)


def test_live_calls_are_forbidden_here_unless_allowed() -> None:
    provider = OpenAIWire("https://model.invalid/v1", "m")
    with pytest.raises(LiveCallForbidden):
        asyncio.run(provider.complete(PLAIN))
    with live_calls_allowed(), pytest.raises(p.ProviderError):
        asyncio.run(provider.complete(replace(PLAIN, timeout=2.0)))


def test_the_environment_may_name_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer(SAID) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1").replace("//", "//me:secret@"))
        monkeypatch.setenv("no_proxy", "nowhere.invalid")
        provider = OpenAIWire("http://model.invalid/v1", "m")

        async def run() -> p.Reply:
            try:
                return await provider.complete(PLAIN)
            finally:
                await provider.aclose()

        with live_calls_allowed():
            assert asyncio.run(run()).text == SAID
    assert proxy.headers[0]["host"] == "model.invalid"
    assert proxy.headers[0]["proxy-authorization"].startswith("Basic ")


def test_the_server_keeps_what_it_was_asked() -> None:
    def answer(body: Body) -> str:
        return f"{len(body['messages'])} messages"

    with OpenAIServer(answer) as server:
        (reply,) = ask(server)
    assert isinstance(reply, p.Reply)
    assert reply.text == "2 messages"
