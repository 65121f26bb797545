"""A streamed answer of the chat-completions wire, gathered chunk by chunk into the reply that it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from heartrule.llm.provider import (
    Cut,
    Filtered,
    Finish,
    Heard,
    Malformed,
    ProviderError,
    RateLimited,
    Reply,
    ServerError,
    TooLong,
)
from heartrule.llm.providers.completion import FILTERED, checked, fault_of, finish_of, made, text_of

DONE = b"[DONE]"
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
"""Where servers put what a model thinks and does not say."""


class Chunks:
    """``heard`` is told every piece of text as it was sent, and nothing of thoughts. ``now`` gives seconds; the first
    token, thought or said, is counted from the making of this object."""

    def __init__(self, model: str, heard: Heard, now: Callable[[], float], limit: int) -> None:
        self.done = False
        """Whether the server has said that this is all."""
        self._model, self._heard, self._now, self._limit = model, heard, now, limit
        self._began = now()
        self._first: float | None = None
        self._pieces: list[str] = []
        self._length = 0
        self._named = ""
        self._usage: Mapping[str, Any] | None = None
        self._finish: Finish | None = None
        self._refused = self._any = False

    @property
    def spent(self) -> Reply | None:
        """What was counted by now, as a reply without text; None while nothing was."""
        return None if self._usage is None else replace(self._made(), text="")

    def take(self, data: bytes) -> None:
        """One event. Raises for those that are an error, or no chunk."""
        if self.done or data.strip() == DONE:
            self.done = True
            return
        try:
            chunk = json.loads(data)
        except (ValueError, RecursionError):
            raise Malformed("chunk", spent=self.spent) from None
        if not isinstance(chunk, dict):
            raise Malformed("chunk", spent=self.spent)
        if error := chunk.get("error"):
            raise _fault(error, self.spent)
        choices = chunk.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
        self._count(chunk.get("usage") or choice.get("usage"))
        if not self._named and isinstance(named := chunk.get("model"), str):
            self._named = named
        if choice:
            self._any = True
            self._hear(choice)

    def reply(self) -> Reply:
        """When nothing more will come. Raises Cut, Malformed, Filtered and Empty."""
        if not self._any and self.done:
            raise Malformed("chunks", spent=self.spent)
        if not self.done and self._finish is None:
            raise Cut(spent=self.spent)
        return checked(self._made())

    def _hear(self, choice: Mapping[str, Any]) -> None:
        self._finish = finish_of(choice.get("finish_reason")) or self._finish
        delta = choice.get("delta")
        if not isinstance(delta, dict) or choice.get("index") not in (0, None):
            return
        piece = text_of(delta.get("content"))
        if self._first is None and (piece or any(delta.get(each) for each in _THOUGHTS)):
            self._first = self._now() - self._began
        self._refused = self._refused or bool(delta.get("refusal"))
        if piece:
            self._length += len(piece)
            if self._length > self._limit:
                raise TooLong(str(self._limit), spent=self.spent)
            self._pieces.append(piece)
            self._heard(piece)

    def _count(self, usage: object) -> None:
        """The last count stands: some servers count on with every chunk."""
        if isinstance(usage, dict) and usage:
            self._usage = usage

    def _made(self) -> Reply:
        finish = "filtered" if self._refused else self._finish
        reply = made("".join(self._pieces), self._named or self._model, self._usage, finish)
        return replace(reply, first_token=self._first)


def _fault(error: object, spent: Reply | None) -> ProviderError:
    """An error in the midst of a stream, by its status or, where it has none, by what it is called."""
    told = error if isinstance(error, dict) else {}
    names = " ".join(str(told.get(key, "")) for key in ("code", "type", "status")).casefold()
    found: ProviderError
    if status := next((int(word) for word in names.split() if word.isdecimal() and 400 <= int(word) <= 599), 0):
        found = fault_of(status, names)
    elif any(word in names for word in FILTERED):
        found = Filtered("chunk")
    elif "rate_limit" in names or "throttl" in names:
        found = RateLimited()
    else:
        found = ServerError("chunk")
    found.spent = spent
    return found
