"""What a call used, in the spellings of the usual vendors. What is not told, or cannot be, is None and never 0.

- OpenAI, Qwen, GLM, Ark, vLLM: ``prompt_tokens``, of it ``prompt_tokens_details.cached_tokens``; ``completion_tokens``,
  of it ``completion_tokens_details.reasoning_tokens``.
- DeepSeek: cached is ``prompt_cache_hit_tokens`` (beside ``prompt_cache_miss_tokens``); Kimi: ``cached_tokens``.
- xAI, Gemini: ``completion_tokens`` *without* the reasoning that ``total_tokens`` has; Gemini may not name it at all.
- OpenAI's responses: ``input_tokens``, ``output_tokens`` and their ``…_details``.
- Anthropic, behind gateways: ``input_tokens`` *without* ``cache_read_input_tokens``, ``cache_creation_input_tokens``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens. ``cached`` is part of ``tokens_in``, ``reasoning`` of ``tokens_out``."""

    tokens_in: int | None = None
    cached: int | None = None
    tokens_out: int | None = None
    reasoning: int | None = None


def usage_of(told: object) -> Usage:
    """Never raises, whatever was told."""
    if not isinstance(told, Mapping):
        return Usage()
    tokens_in, cached = _input(told)
    tokens_out, reasoning = _output(told, tokens_in)
    return Usage(tokens_in, cached, tokens_out, reasoning)


def _input(told: Mapping[str, Any]) -> tuple[int | None, int | None]:
    hit, miss = _count(told.get("prompt_cache_hit_tokens")), _count(told.get("prompt_cache_miss_tokens"))
    read = _count(told.get("cache_read_input_tokens"))
    cached = _first(
        _detail(told, "prompt_tokens_details", "cached_tokens"),
        _detail(told, "input_tokens_details", "cached_tokens"),
        hit,
        _count(told.get("cached_tokens")),
        read,
    )
    tokens = _count(told.get("prompt_tokens"))
    if tokens is None and (tokens := _count(told.get("input_tokens"))) is not None:
        tokens += (read or 0) + (_count(told.get("cache_creation_input_tokens")) or 0)
    if tokens is None and hit is not None and miss is not None:
        tokens = hit + miss
    return tokens, cached if cached is None or tokens is None or cached <= tokens else None


def _output(told: Mapping[str, Any], tokens_in: int | None) -> tuple[int | None, int | None]:
    tokens = _first(_count(told.get("completion_tokens")), _count(told.get("output_tokens")))
    reasoning = _first(
        _detail(told, "completion_tokens_details", "reasoning_tokens"),
        _detail(told, "output_tokens_details", "reasoning_tokens"),
        _count(told.get("reasoning_tokens")),
    )
    total = _count(told.get("total_tokens"))
    if tokens is None:
        return None, reasoning
    beyond = total - tokens_in - tokens if total is not None and tokens_in is not None else 0
    if beyond > 0 and reasoning in (None, beyond):
        return tokens + beyond, beyond
    if reasoning is not None and reasoning > tokens:
        return tokens + reasoning, reasoning
    return tokens, reasoning


def _detail(told: Mapping[str, Any], part: str, name: str) -> int | None:
    details = told.get(part)
    return _count(details.get(name)) if isinstance(details, Mapping) else None


def _count(number: object) -> int | None:
    return number if isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= MOST else None


MOST = 10**9
"""More tokens than any call has: such a number is a fault of whoever told it."""


def _first(*numbers: int | None) -> int | None:
    return next((number for number in numbers if number is not None), None)
