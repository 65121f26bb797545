"""What a call cost, by a dated table (``prices.yaml``) and what ``heartrule.toml`` says over it. Unknown is None."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import cache

PARTS = 1_000_000_000
"""Costs are whole numbers of billionths of a currency, so that sums are exact."""


@dataclass(frozen=True, slots=True)
class Price:
    """Per million tokens. Without ``cached`` input from the cache costs what other input costs. ``read`` and ``source``
    say when and where the price was seen; those of ``heartrule.toml`` have none unless they are given."""

    currency: str
    input: Decimal
    output: Decimal
    cached: Decimal | None = None
    read: date | None = None
    source: str = ""

    def cost(self, tokens_in: int | None, cached: int | None, tokens_out: int | None) -> int | None:
        """In billionths. None when a number that matters was not told."""
        cheaper = self.input if self.cached is None else self.cached
        if tokens_in is None or tokens_out is None or (cached is None and cheaper != self.input):
            return None
        hit = cached or 0
        millionths = (tokens_in - hit) * self.input + hit * cheaper + tokens_out * self.output
        return int((millionths * 1000).to_integral_value(ROUND_HALF_UP))


class Prices:
    """``own`` prices hold there, by a provider's name (``host/model``), or wherever it is asked, by a model's; those of
    the table only at its vendor."""

    def __init__(self, own: Mapping[str, Price] | None = None, listed: Mapping[tuple[str, str], Price] | None = None):
        self._own = dict(own or {})
        self._listed = dict(listed or {})

    def of(self, provider: str, answered: str) -> Price | None:
        """What applies to a provider of this name (``host/model``) when a model of that name has answered."""
        host, _, asked = provider.partition("/")
        names = (answered, asked or provider)
        own = (self._own.get(name) for name in (provider, *names))
        listed = (self._listed.get((host, name)) for name in names)
        return next((price for price in (*own, *listed) if price is not None), None)


@cache
def table() -> Mapping[tuple[str, str], Price]:
    """The prices we ship, by host and model."""
    from heartrule.language.texts.plain import packaged_yaml

    return {
        (line["host"], line["model"]): Price(
            line["currency"],
            Decimal(line["input"]),
            Decimal(line["output"]),
            Decimal(line["cached"]) if "cached" in line else None,
            date.fromisoformat(line["read"]),
            line["source"],
        )
        for line in packaged_yaml("heartrule.llm", "prices.yaml")
    }
