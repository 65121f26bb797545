"""What comes back, read: the shape that was asked for, or a problem."""

from __future__ import annotations

from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from time import time
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

from heartrule.client.calls import Call
from heartrule.client.problem import Problem

T = TypeVar("T")
LONGEST_WAIT = 300.0
"""Seconds that a server may ask us to wait."""


@dataclass(frozen=True, slots=True)
class Reply:
    """``retry_after`` as the header says it; empty without one."""

    status: int
    retry_after: str
    content: bytes = field(repr=False)


def decode_reply(call: Call[T], reply: Reply) -> T:
    """The answer. Fields that a newer server adds are passed over. What is not HeartRule's (a page of something in
    between, with whatever status) is a disturbance of the way."""
    if not 200 <= reply.status < 300:
        raise problem_of(reply)
    if call.shape is None:
        return None  # type: ignore[return-value]
    try:
        return call.shape.validate_json(reply.content, extra="ignore")
    except ValidationError:
        raise Problem("network") from None


def problem_of(reply: Reply) -> Problem:
    wait = _seconds(reply.retry_after)
    try:
        found = from_json(reply.content)
    except ValueError:
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("code"), str):
        return Problem("network", retry_after=wait)
    findings = found.get("findings")
    return Problem(
        found["code"],
        reply.status,
        title=str(found.get("title") or ""),
        reference=str(found.get("reference") or ""),
        retry_after=wait,
        findings=[each for each in findings if isinstance(each, dict)] if isinstance(findings, list) else (),
    )


def _seconds(header: str) -> float | None:
    """``Retry-After`` in seconds, from now, as a number or a date (RFC 9110, 10.2.3)."""
    try:
        wait = float(header)
    except ValueError:
        try:
            wait = parsedate_to_datetime(header).timestamp() - time()
        except (ValueError, OverflowError):
            return None
    return min(max(wait, 0.0), LONGEST_WAIT) if wait == wait else None
