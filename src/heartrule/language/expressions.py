"""The expression language (see docs). Contract; the parser and evaluator follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


class ExpressionError(ValueError):
    """A located syntax error: ``offset`` is the 0-based character in the source."""

    def __init__(self, message_zh: str, message_en: str, offset: int = 0, hint: str = "") -> None:
        super().__init__(message_zh)


@dataclass(frozen=True, slots=True)
class Expression:
    source: str
    names: frozenset[str] = frozenset()

    def evaluate(self, lookup: Callable[[str], Any], now: datetime | None = None) -> Any: ...


def parse(source: str) -> Expression: ...
