"""What calls for a template usually take at one model, as far as it has been measured in this process."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable

from heartrule.llm.health import percentile
from heartrule.llm.provider import PromptMessage, Reply

ENOUGH = 5
"""Calls below which nothing is said."""


class Typical:
    """The last 64 calls of each template. ``seconds`` are of whole answers."""

    def __init__(self) -> None:
        self._seconds: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=64))
        self._out: dict[str, deque[int]] = defaultdict(lambda: deque(maxlen=64))
        self._over: deque[float] = deque(maxlen=64)

    def note(self, template: str, seconds: float, reply: Reply, estimated: int) -> None:
        """An answer came; its prompt had been estimated at so many tokens."""
        self._seconds[template].append(seconds)
        if reply.tokens_out is not None:
            self._out[template].append(reply.tokens_out)
        if reply.tokens_in is not None and estimated:
            self._over.append(reply.tokens_in / estimated)

    def seconds(self, template: str, share: float) -> float | None:
        """That percentile; None while there are too few to say."""
        known = self._seconds.get(template, ())
        return percentile(known, share) if len(known) >= ENOUGH else None

    def tokens_out(self, template: str) -> int | None:
        """P95 of the length of answers."""
        known = self._out.get(template, ())
        return int(percentile(known, 0.95)) if len(known) >= ENOUGH else None

    def tokens_in(self, estimated: int) -> int:
        """What a prompt of so many estimated tokens has at most: as far over as it has ever been here."""
        return round(estimated * max([1.0, *self._over]))


def estimated_tokens(messages: Iterable[PromptMessage]) -> int:
    """Rather too many than too few, for any of the usual tokenizers: four tenths of a token for what is ASCII, 1.2 for
    any other character, and ten for the frame of each message."""
    total = 0.0
    for each in messages:
        ascii_only = len(each.text.encode("ascii", "ignore"))
        total += 10 + 0.4 * ascii_only + 1.2 * (len(each.text) - ascii_only)
    return int(total)
