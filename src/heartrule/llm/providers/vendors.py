"""Models that do not speak the OpenAI wire (Anthropic, Google, Bedrock …), through pydantic-ai.

In the extra ``vendors``, which is imported when such a model is set up and not before. As everywhere one call is one
request: the clients' own retries are off, nothing of what is said is logged or put into an error, and time is bounded.
"""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from heartrule.llm.live import check_live
from heartrule.llm.provider import Finish, Heard, Reply, Request, TimedOut, TooLong, Unsupported
from heartrule.llm.providers.completion import checked
from heartrule.llm.providers.openai_wire import ANSWER_LIMIT
from heartrule.llm.settings import ModelSettings

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse, ModelResponseStreamEvent
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.providers import Provider as Client

INSTALL = "pip install 'heartrule[vendors]'"
_READ = 60.0
"""Seconds after which a thread of Amazon's client is given back; a call is left sooner."""
_WITHOUT_WIRE = ("test", "function")
"""Models of pydantic-ai that reach nobody."""


def build(settings: ModelSettings) -> Vendors:
    """As announced under ``heartrule.providers``. ``settings.model`` names the vendor too: ``anthropic:claude-…``.
    Keys that are not set are read where the vendor's own client reads them. Raises ConfigError."""
    from heartrule.llm.config import ConfigError

    try:
        from pydantic_ai.exceptions import UserError
        from pydantic_ai.models import infer_model
    except ImportError:
        raise ConfigError(f"llm.provider: pydantic-ai is not installed; {INSTALL}") from None
    try:
        model = infer_model(settings.model, lambda name: _client(name, settings))
    except ImportError:
        raise ConfigError(f"llm.model: the client for {settings.model!r} is not installed; {INSTALL}") from None
    except (UserError, ValueError) as error:
        raise ConfigError(f"llm.model: {settings.model!r}: {error}") from None
    more = {**settings.extra, **({"extra_headers": dict(settings.headers)} if settings.headers else {})}
    if not settings.thinking:
        more = {"thinking": False, **more}
    fixed = None if settings.structured_output == "auto" else settings.structured_output == "json_schema"
    return Vendors(model, settings=more, native=fixed)


def _client(vendor: str, settings: ModelSettings) -> Client[Any]:
    from pydantic_ai.providers import infer_provider_class

    kind = infer_provider_class(vendor)
    given: dict[str, Any] = {"api_key": settings.api_key.get_secret_value(), "base_url": settings.base_url}
    given |= {"aws_read_timeout": _READ, "aws_connect_timeout": _READ}
    taken = inspect.signature(kind.__init__).parameters
    with _one_attempt():
        return kind(**{name: value for name, value in given.items() if value and name in taken})


@contextmanager
def _one_attempt() -> Iterator[None]:
    """Amazon's client takes the number of its attempts from the environment, once, when it is made."""
    name = "AWS_MAX_ATTEMPTS"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


class Vendors:
    """``settings`` are pydantic-ai's; ``native``: whether the vendor's own structured output is used, which is learned
    where it is None."""

    def __init__(self, model: Model, *, settings: Mapping[str, Any] | None = None, native: bool | None = None) -> None:
        self._model = model
        self._settings = dict(settings or {})
        self._fixed = native is not None
        self._native = bool(model.profile.get("supports_json_schema_output")) if native is None else native
        self._host = urlsplit(model.base_url or "").hostname or model.system

    @property
    def name(self) -> str:
        return f"{self._host}/{self._model.model_name}"

    def __repr__(self) -> str:
        return f"Vendors({self.name!r})"

    async def complete(self, request: Request, heard: Heard | None = None) -> Reply:
        if self._model.system not in _WITHOUT_WIRE:
            check_live(self._host)
        call = _Call(self._model, request, self._settings, self._native and request.schema is not None)
        try:
            async with asyncio.timeout(request.timeout):
                reply = await (call.whole() if heard is None else call.streamed(heard))
        except TimeoutError:
            raise TimedOut from None
        except asyncio.CancelledError:
            raise
        except Exception as error:
            from heartrule.llm.providers.vendor_faults import fault_of

            found = fault_of(error, call.begun)
            if call.native and not self._fixed and found.cause in ("bad_request:400", "bad_request:422"):
                self._native = False
                raise Unsupported(found.detail) from None
            raise found from None
        return checked(reply)

    async def aclose(self) -> None:
        """Its connections end with the event loop's client; closing twice is nothing."""
        if (client := self._model.provider) is not None:
            await client.__aenter__()
            await client.__aexit__(None, None, None)


@dataclass(slots=True)
class _Call:
    model: Model
    request: Request
    settings: Mapping[str, Any]
    native: bool
    begun: bool = False
    """Whether anything of the answer has come."""
    _pieces: list[str] = field(default_factory=list)

    async def whole(self) -> Reply:
        from pydantic_ai.direct import model_request

        answer = await model_request(self.model, self._messages(), **self._options())
        return _reply(answer, self.model.model_name)

    async def streamed(self, heard: Heard) -> Reply:
        from pydantic_ai.direct import model_request_stream

        now = asyncio.get_running_loop().time
        started, first, length = now(), None, 0
        async with model_request_stream(self.model, self._messages(), **self._options()) as stream:
            async for event in stream:
                piece, counts = _told(event)
                if first is None and counts:
                    first, self.begun = now() - started, True
                if piece:
                    length += len(piece)
                    if length > ANSWER_LIMIT:
                        raise TooLong(str(ANSWER_LIMIT))
                    heard(piece)
        return replace(_reply(stream.get(), self.model.model_name), first_token=first)

    def _options(self) -> dict[str, Any]:
        limits: dict[str, Any] = {"temperature": self.request.temperature}
        if self.model.system != "bedrock":  # its client knows neither, and is told when it is made
            limits |= {"timeout": self.request.timeout, "max_retries": 0}
        if self.request.max_tokens is not None:
            limits["max_tokens"] = self.request.max_tokens
        settings = {**limits, "framing_announcement": "never", **self.settings}
        return {"model_settings": settings, "model_request_parameters": self._parameters(), "instrument": False}

    def _parameters(self) -> ModelRequestParameters:
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition

        if not self.native or self.request.schema is None:
            return ModelRequestParameters()
        wanted = OutputObjectDefinition(json_schema=dict(self.request.schema), name="answer")
        return ModelRequestParameters(output_mode="native", output_object=wanted)

    def _messages(self) -> list[ModelMessage]:
        from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart, TextPart, UserPromptPart

        said: list[ModelMessage] = []
        for each in self.request.messages:
            if each.role == "assistant":
                said.append(ModelResponse(parts=[TextPart(each.text)]))
                continue
            part = SystemPromptPart(each.text) if each.role == "system" else UserPromptPart(each.text)
            if said and isinstance(said[-1], ModelRequest):
                said[-1] = ModelRequest(parts=[*said[-1].parts, part])
            else:
                said.append(ModelRequest(parts=[part]))
        return said


def _told(event: ModelResponseStreamEvent) -> tuple[str, bool]:
    """The text that an event brings, and whether it brings any, thoughts included."""
    from pydantic_ai.messages import (
        PartDeltaEvent,
        PartStartEvent,
        TextPart,
        TextPartDelta,
        ThinkingPart,
        ThinkingPartDelta,
    )

    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart | ThinkingPart):
        text = event.part.content
        return (text if isinstance(event.part, TextPart) else ""), bool(text)
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta, bool(event.delta.content_delta)
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, ThinkingPartDelta):
        return "", bool(event.delta.content_delta)
    return "", False


_FINISHES: Mapping[str, Finish] = {"stop": "stop", "length": "length", "content_filter": "filtered"}


def _reply(answer: ModelResponse, model: str) -> Reply:
    from pydantic_ai.messages import TextPart

    used, reason = answer.usage, answer.finish_reason
    told = bool(used.input_tokens or used.output_tokens) and not used.unmeasured_requests
    return Reply(
        text="".join(part.content for part in answer.parts if isinstance(part, TextPart)),
        model=answer.model_name or model,
        tokens_in=used.input_tokens if told else None,
        tokens_out=used.output_tokens if told else None,
        cached=used.cache_read_tokens or None,
        finish=None if reason is None else _FINISHES.get(reason, "other"),
        reasoning=used.output_reasoning_tokens or None,
    )
