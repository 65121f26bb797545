"""Anything that went wrong between us and the server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class Problem(Exception):
    """``code`` is the server's, which stays the same between versions, or ``network`` (nothing came back, or not from
    HeartRule) or ``timeout``. ``title`` is a sentence for people in the client's language, ``reference`` what the
    server's log calls it. ``status`` is 0 where there was no answer, ``retry_after`` in seconds."""

    def __init__(
        self,
        code: str,
        status: int = 0,
        *,
        title: str = "",
        reference: str = "",
        retry_after: float | None = None,
        findings: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        super().__init__(title or code)
        self.code, self.status, self.title, self.reference = code, status, title, reference
        self.retry_after, self.findings = retry_after, tuple(findings)

    @property
    def is_passing(self) -> bool:
        """Whether the same request may well succeed later."""
        return self.status in (0, 408, 425, 429) or self.status >= 500

    @property
    def was_taken(self) -> bool:
        """Whether the server may have acted on the request all the same."""
        return self.status == 0 or self.status in (500, 502, 504)

    def __repr__(self) -> str:
        return f"Problem({self.code!r}, {self.status})"
