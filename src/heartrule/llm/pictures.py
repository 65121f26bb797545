"""Pictures made from words. One request, one picture; what fails is told by a code that holds nothing of the words."""

from __future__ import annotations

import asyncio
import time
from base64 import b64encode
from dataclasses import dataclass, field
from typing import Protocol

from heartrule.engine.session.tasks import Answer, Attempt
from heartrule.language.projects.media_files import FORMATS
from heartrule.llm.provider import ProviderError

LARGEST = 1_500_000
"""Bytes of a picture that is kept: it lies with the message that shows it."""


class NoPicture(ProviderError):
    """What came back is no picture that may be shown."""

    code = "no_picture"


@dataclass(frozen=True, slots=True)
class DrawnPicture:
    mime: str
    data: bytes = field(repr=False)

    @property
    def address(self) -> str:
        """As a ``data:`` address."""
        return f"data:{self.mime};base64,{b64encode(self.data).decode()}"


class PictureProvider(Protocol):
    """Somewhere pictures are made. It makes one call, never retries, and keeps nothing."""

    @property
    def name(self) -> str: ...

    @property
    def seconds(self) -> float:
        """How long a picture is waited for at most."""
        ...

    async def draw(self, words: str, seconds: float) -> DrawnPicture:
        """Raises ``ProviderError`` and nothing else, but for cancellation."""
        ...

    async def aclose(self) -> None: ...


def accepted(data: bytes) -> DrawnPicture:
    """The bytes as a picture that may be shown. Raises ``NoPicture``."""
    if len(data) > LARGEST:
        raise NoPicture("too_large")
    for known in FORMATS.values():
        if known.kind == "picture" and any(data[at:].startswith(begins) for at, begins in known.begins):
            return DrawnPicture(known.mime, data)
    raise NoPicture("no_format")


async def drawn(provider: PictureProvider | None, key: str, words: str, left: float, prompt_hash: str) -> Answer:
    """The answer to a task that asks for a picture, within ``left`` seconds. Never raises."""
    if provider is None:
        return Answer(key, "absent", prompt_hash=prompt_hash)
    seconds, began = max(0.0, min(left, provider.seconds)), time.monotonic()
    try:
        async with asyncio.timeout(seconds):
            made = await provider.draw(words, seconds)
    except TimeoutError:
        attempt = Attempt(1, "timeout", code="timed_out", provider=provider.name, seconds=time.monotonic() - began)
    except ProviderError as error:
        attempt = Attempt(1, "error", error.cause, code=error.cause, provider=provider.name)
    else:
        attempt = Attempt(1, "ok", provider=provider.name, model=provider.name, seconds=time.monotonic() - began)
        return Answer(key, "answered", {"picture": made.address}, (attempt,), prompt_hash)
    return Answer(key, "failed", None, (attempt,), prompt_hash)
