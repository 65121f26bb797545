"""Other vendors through pydantic-ai: its own models of nobody, and Anthropic's client against a loopback server."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest
from pydantic_ai import exceptions as theirs
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, DeltaThinkingPart, DeltaToolCalls, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RequestUsage
from tests.llm.anthropic_server import MODEL, AnthropicServer
from tests.llm.conformance import KEY, REQUEST, SAID, SECRET, Conformance, Situation, Use

from heartrule.llm import provider as p
from heartrule.llm.config import ConfigError, build_provider
from heartrule.llm.live import LiveCallForbidden
from heartrule.llm.providers import openai_wire, vendors
from heartrule.llm.providers.vendor_faults import fault_of
from heartrule.llm.providers.vendors import Vendors
from heartrule.llm.settings import ModelSettings

FAULTS: dict[Situation, str] = {
    "good": "",
    "rate_limited": "429",
    "server_error": "529",
    "bad_request": "404",
    "unauthorised": "401",
    "cut": "cut",
    "empty": "empty",
    "filtered": "filtered",
    "stalled": "stalled",
}


def configured(url: str, **more: Any) -> ModelSettings:
    given = {"provider": "pydantic-ai", "model": f"anthropic:{MODEL}", "api_key": KEY, "base_url": url, **more}
    return ModelSettings.model_validate(given)


class TestAnthropic(Conformance):
    """Its own client, over HTTP."""

    async def run(self, situation: Situation, use: Use) -> None:
        async with AnthropicServer(SAID, FAULTS.get(situation, "")).running() as server:
            url = server.url
            if situation == "refused":
                with socket.socket() as taken:
                    taken.bind(("127.0.0.1", 0))
                    url = f"http://127.0.0.1:{taken.getsockname()[1]}"
            provider = build_provider(configured(url))
            try:
                await use(provider)
            finally:
                await provider.aclose()


def http(status: int, body: object = None, retry_after: float | None = None) -> Exception:
    return theirs.ModelHTTPError.for_category(
        None, status_code=status, model_name="m", body=body, retry_after=retry_after
    )


RAISED: dict[Situation, Callable[[], Exception]] = {
    "refused": lambda: caused(theirs.ModelConnectionError("m", SECRET), ConnectionRefusedError()),
    "rate_limited": lambda: http(429, SECRET, 7),
    "server_error": lambda: http(500, SECRET),
    "bad_request": lambda: http(404, SECRET),
    "unauthorised": lambda: http(401, SECRET),
    "cut": lambda: theirs.ModelConnectionError("m", SECRET),
    "filtered": lambda: theirs.ContentFilterError(SECRET),
}


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


def talking(situation: Situation) -> FunctionModel:
    async def prepare() -> None:
        if situation == "stalled":
            await asyncio.sleep(5)
        if situation in RAISED:
            raise RAISED[situation]()

    async def whole(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        await prepare()
        return ModelResponse([TextPart("" if situation == "empty" else SAID)], finish_reason="stop")

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        await prepare()
        for at in range(0, len(SAID), 5):
            yield "" if situation == "empty" else SAID[at : at + 5]

    return FunctionModel(whole, stream_function=stream, model_name="m")


class TestFunction(Conformance):
    """A model of pydantic-ai's that reaches nobody."""

    async def run(self, situation: Situation, use: Use) -> None:
        await use(Vendors(talking(situation)))


def over_http(
    fault: str = "", *, heard: list[str] | None = None, request: p.Request = REQUEST, words: str = "", **more: Any
) -> tuple[p.Reply | p.ProviderError, AnthropicServer]:
    async def run() -> tuple[p.Reply | p.ProviderError, AnthropicServer]:
        async with AnthropicServer(SAID, fault, words=words or "it went wrong").running() as server:
            provider = build_provider(configured(server.url, **more))
            try:
                return await provider.complete(request, None if heard is None else heard.append), server
            except p.ProviderError as error:
                return error, server
            finally:
                await provider.aclose()

    return asyncio.run(run())


def test_what_is_sent_and_what_is_read() -> None:
    asked = replace(REQUEST, messages=(*REQUEST.messages, p.PromptMessage("assistant", "嗯"), REQUEST.messages[1]))
    reply, server = over_http(request=asked, extra={"top_p": 0.5}, headers={"X-Tenant": "7"})
    assert reply == p.Reply(SAID, MODEL, tokens_in=100, tokens_out=20, cached=64)
    (body,) = server.bodies
    assert [each["role"] for each in body["messages"]] == ["user", "assistant", "user"]
    assert body["messages"][0]["content"][0]["text"] == SECRET
    assert "你是咨询师，输出 JSON。" in json.dumps(body["system"], ensure_ascii=False)
    assert (body["model"], body["max_tokens"], body["temperature"], body["top_p"]) == (MODEL, 300, 0.2, 0.5)
    assert "content" in json.dumps(body["output_config"]["format"]["schema"])
    assert "x-tenant: 7" in server.headers[0].lower()
    assert KEY in server.headers[0]


def test_a_stream_is_heard_piece_by_piece() -> None:
    pieces: list[str] = []
    reply, server = over_http(heard=pieces)
    assert isinstance(reply, p.Reply)
    assert server.bodies[0]["stream"] is True
    assert len(pieces) > 3
    assert "".join(pieces) == reply.text == SAID
    assert reply.first_token is not None
    assert 0 < reply.first_token < 5
    assert (reply.tokens_in, reply.tokens_out, reply.cached, reply.finish) == (100, 20, 64, "stop")


@pytest.mark.parametrize("heard", [None, []])
def test_running_into_the_token_limit_is_told(heard: list[str] | None) -> None:
    reply, _ = over_http("length", heard=heard)
    assert isinstance(reply, p.Reply)
    assert reply.finish == "length"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("400", p.BadRequest),
        ("403", p.Unauthorised),
        ("408", p.ServerError),
        ("413", p.BadRequest),
        ("429", p.RateLimited),
        ("500", p.ServerError),
        ("502", p.ServerError),
        ("503", p.ServerError),
        ("529", p.ServerError),
    ],
)
@pytest.mark.parametrize("streamed", [False, True])
def test_statuses_are_told_once_and_nothing_is_tried_again(
    status: str, kind: type[p.ProviderError], streamed: bool
) -> None:
    found, server = over_http(status, heard=[] if streamed else None, words=SECRET, structured_output="prompt")
    assert type(found) is kind
    assert SECRET not in f"{found!r} {found}"
    assert isinstance(found, p.ProviderError)
    assert found.__cause__ is None
    assert found.__suppress_context__
    assert len(server.bodies) == 1


def test_a_stream_that_goes_wrong_in_the_middle() -> None:
    for fault, kind in (("cut", p.Cut), ("error_after", p.ServerError)):
        pieces: list[str] = []
        found, server = over_http(fault, heard=pieces, words=SECRET)
        assert type(found) is kind, fault
        assert SAID.startswith("".join(pieces))
        assert pieces
        assert len(server.bodies) == 1
        assert SECRET not in repr(found)


def test_a_filter_may_speak_as_a_bad_request() -> None:
    found, _ = over_http("400", words="blocked by our content_filter", structured_output="prompt")
    assert type(found) is p.Filtered


def test_structured_output_is_given_up_where_it_is_refused() -> None:
    async def run() -> tuple[list[Any], AnthropicServer]:
        async with AnthropicServer(SAID, "400").running() as server:
            provider = build_provider(configured(server.url))
            found: list[Any] = []
            for _ in range(2):
                try:
                    found.append(await provider.complete(REQUEST))
                except p.ProviderError as error:
                    found.append(error)
                server.fault = ""
            await provider.aclose()
            return found, server

    found, server = asyncio.run(run())
    assert type(found[0]) is p.Unsupported
    assert found[1].text == SAID
    assert ["output_config" in body for body in server.bodies] == [True, False]


@pytest.mark.parametrize(("level", "sent"), [("json_schema", True), ("prompt", False), ("json_object", False)])
def test_a_configured_level_is_kept(level: str, sent: bool) -> None:
    found, server = over_http("400", structured_output=level)
    assert type(found) is p.BadRequest
    assert ("output_config" in server.bodies[0]) is sent
    _, server = over_http(request=replace(REQUEST, schema=None))
    assert "output_config" not in server.bodies[0]


def test_thinking_is_off_unless_it_is_asked_for() -> None:
    _, server = over_http()
    assert server.bodies[0].get("thinking", {"type": "disabled"}) == {"type": "disabled"}
    _, server = over_http(thinking=True, extra={"thinking": True}, request=replace(REQUEST, max_tokens=9000))
    assert server.bodies[0]["thinking"]["type"] != "disabled"


def test_silence_is_never_longer_than_the_call_may_take() -> None:
    async def slow(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        yield "好"
        await asyncio.sleep(30)

    pieces: list[str] = []
    with pytest.raises(p.TimedOut):
        asyncio.run(Vendors(FunctionModel(stream_function=slow)).complete(replace(REQUEST, timeout=0.2), pieces.append))
    assert pieces == ["好"]


def test_thoughts_are_not_heard_but_are_the_first_token() -> None:
    async def thinking(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
        yield {0: DeltaThinkingPart(content="让我")}
        yield {0: DeltaThinkingPart(content="想想")}
        await asyncio.sleep(0.3)
        yield "好"
        yield "的"

    pieces: list[str] = []
    reply = asyncio.run(Vendors(FunctionModel(stream_function=thinking)).complete(REQUEST, pieces.append))
    assert pieces == ["好", "的"]
    assert reply.text == "好的"
    assert reply.first_token is not None
    assert reply.first_token < 0.25


def test_an_answer_without_end_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    async def endless(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
        while True:
            yield "字" * 1000

    monkeypatch.setattr(vendors, "ANSWER_LIMIT", 50_000)
    assert openai_wire.ANSWER_LIMIT == 2_000_000
    with pytest.raises(p.TooLong):
        asyncio.run(Vendors(FunctionModel(stream_function=endless)).complete(REQUEST, lambda piece: None))


def test_what_is_not_told_is_unknown() -> None:
    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse([TextPart("好")], usage=RequestUsage())

    reply = asyncio.run(Vendors(FunctionModel(answer, model_name="m")).complete(REQUEST))
    assert (reply.finish, reply.cached, reply.reasoning, reply.model) == (None, None, None, "m")


def test_the_test_model_of_pydantic_ai_answers_too() -> None:
    provider = Vendors(TestModel(custom_output_text="好"))
    pieces: list[str] = []
    assert asyncio.run(provider.complete(replace(REQUEST, schema=None), pieces.append)).text == "好"
    assert "".join(pieces) == "好"
    assert provider.name == "test/test"


@pytest.mark.parametrize(
    ("error", "begun", "kind"),
    [
        (theirs.ModelTimeoutError("m", SECRET), False, p.TimedOut),
        (caused(theirs.ModelTimeoutError("m", SECRET), type("ConnectTimeout", (Exception,), {})()), False, p.Refused),
        (theirs.ModelRateLimitError("m", SECRET, retry_after=3.0), False, p.RateLimited),
        (theirs.ModelQuotaExceededError("m", SECRET), False, p.Unauthorised),
        (theirs.ModelAuthenticationError("m", SECRET), False, p.Unauthorised),
        (theirs.ModelRequestRejectedError("m", SECRET), False, p.BadRequest),
        (theirs.ModelOverloadedError("m", SECRET), False, p.ServerError),
        (theirs.ModelServerError("m", SECRET), True, p.ServerError),
        (theirs.ModelConnectionError("m", SECRET), True, p.Cut),
        (caused(theirs.ModelConnectionError("m", SECRET), socket.gaierror()), False, p.Refused),
        (theirs.ModelAPIError("m", SECRET), False, p.ServerError),
        (theirs.ModelAPIError("m", SECRET, in_stream=True), False, p.ServerError),
        (theirs.UnexpectedModelBehavior(SECRET), False, p.Malformed),
        (theirs.UserError(SECRET), False, p.BadRequest),
        (type("ReadTimeout", (Exception,), {})(SECRET), True, p.TimedOut),
        (ConnectionResetError(SECRET), False, p.Cut),
        (type("EndpointConnectionError", (Exception,), {})(SECRET), False, p.Refused),
        (type("NoCredentialsError", (Exception,), {})(SECRET), False, p.Unauthorised),
        (KeyError(SECRET), True, p.Cut),
        (KeyError(SECRET), False, p.Malformed),
        (p.TooLong("7"), True, p.TooLong),
    ],
    ids=range(21),
)
def test_every_error_has_a_name_of_ours(error: Exception, begun: bool, kind: type[p.ProviderError]) -> None:
    found = fault_of(error, begun)
    assert type(found) is kind
    assert SECRET not in f"{found!r} {found.cause}"
    assert found.retry_after == (3.0 if kind is p.RateLimited else None)


def test_people_are_told_the_vendor_and_not_the_library() -> None:
    assert configured("").origin == "anthropic"
    assert configured("https://gateway.example/key/v1").origin == "https://gateway.example"
    assert configured("", provider="own").origin == ""


def test_live_calls_are_forbidden_in_tests() -> None:
    provider = build_provider(configured("https://api.anthropic.com"))
    with pytest.raises(LiveCallForbidden):
        asyncio.run(provider.complete(REQUEST))


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("claude-sonnet", "Unknown model"),
        ("nobody:claude", "Unknown provider"),
        ("bedrock:x", "pip install 'heartrule[vendors]'"),
        ("google:gemini-3-flash", "pip install 'heartrule[vendors]'"),
    ],
)
def test_settings_that_cannot_be_used(model: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("boto3", "google.genai"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ConfigError) as caught:
        build_provider(configured("", model=model))
    assert words in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_key_that_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="ANTHROPIC_API_KEY"):
        build_provider(configured("", api_key=""))


def test_without_the_extra_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name == "pydantic_ai" or name.startswith("pydantic_ai.")]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ConfigError, match=r"pip install 'heartrule\[vendors\]'"):
        build_provider(configured("http://127.0.0.1:9"))


def test_amazons_client_is_told_to_try_once_and_others_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_MAX_ATTEMPTS", raising=False)
    with vendors._one_attempt():
        assert os.environ["AWS_MAX_ATTEMPTS"] == "1"
    assert "AWS_MAX_ATTEMPTS" not in os.environ
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "4")
    with vendors._one_attempt():
        assert os.environ["AWS_MAX_ATTEMPTS"] == "1"
    assert os.environ["AWS_MAX_ATTEMPTS"] == "4"


def test_nothing_of_it_is_loaded_until_it_is_used() -> None:
    code = "import sys, heartrule.llm.config, heartrule.llm.providers.vendors; sys.exit('pydantic_ai' in sys.modules)"
    assert os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-c", code]) == 0
