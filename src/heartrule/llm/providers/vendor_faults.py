"""What goes wrong behind pydantic-ai, by our names. Their errors quote bodies; of those nothing is taken but words that
mean a filter."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic_ai import exceptions as theirs

from heartrule.llm.provider import (
    BadRequest,
    Cut,
    Filtered,
    Malformed,
    ProviderError,
    RateLimited,
    Refused,
    ServerError,
    TimedOut,
    Unauthorised,
)
from heartrule.llm.providers import completion

_UNREACHED = (
    "ConnectError",
    "ConnectTimeout",
    "ProxyError",
    "ConnectionRefusedError",
    "gaierror",
    "EndpointConnection",
)
_TIMES = ("Timeout", "TimedOut")


def fault_of(error: Exception, begun: bool) -> ProviderError:
    """``begun``: whether something of the answer had come already."""
    if isinstance(error, ProviderError):
        return error
    if isinstance(error, theirs.ContentFilterError):
        return Filtered()
    if isinstance(error, theirs.ModelHTTPError):
        complaint = f"{error.provider_error_code} {error.provider_error_type} {error.body!r:.20000}"
        return completion.fault_of(error.status_code, complaint, error.retry_after)
    if isinstance(error, theirs.ModelAPIError):
        return _without_status(error, begun)
    if isinstance(error, theirs.UserError):
        return BadRequest("settings")
    names = list(_names(error))
    if _any(names, _UNREACHED):
        return Refused()
    if _any(names, _TIMES):
        return TimedOut()
    if _any(names, ("Credential",)):
        return Unauthorised()
    return Cut() if begun or isinstance(error, OSError) else Malformed(type(error).__name__)


def _without_status(error: theirs.ModelAPIError, begun: bool) -> ProviderError:
    names = list(_names(error))
    match error:
        case theirs.ModelTimeoutError() | theirs.ModelRequestTimeout():
            return Refused() if _any(names, ("ConnectTimeout",)) else TimedOut()
        case theirs.ModelRateLimitError():
            return RateLimited(retry_after=error.retry_after)
        case theirs.ModelAuthenticationError() | theirs.ModelQuotaExceededError():
            return Unauthorised()
        case theirs.ModelRequestRejectedError():
            return BadRequest()
        case theirs.ModelUnavailableError() | theirs.ModelServerError():
            return ServerError("vendor", retry_after=error.retry_after)
    if begun or error.in_stream:
        return Cut() if isinstance(error, theirs.ModelConnectionError) else ServerError("chunk")
    if isinstance(error, theirs.ModelConnectionError):
        return Refused() if _any(names, _UNREACHED) else Cut()
    return ServerError("vendor")


def _names(error: BaseException) -> Iterator[str]:
    """Of the error's type and of those that caused it."""
    seen: set[int] = set()
    here: BaseException | None = error
    while here is not None and id(here) not in seen:
        seen.add(id(here))
        yield type(here).__name__
        here = here.__cause__ or here.__context__


def _any(names: list[str], words: tuple[str, ...]) -> bool:
    return any(word in name for name in names for word in words)
