"""What a job is: what is done for outbox rows of one kind, attempt by attempt, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

DONE = ""
"""The outcome of a step that came to its end; any other is a kind of fault, in clear."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The attempt ``number``, from 1, at the outbox row ``row``."""

    kind: str
    row: str
    number: int

    @property
    def id(self) -> str:
        return f"{self.row}#{self.number}"


class Job(Protocol):
    """Nothing of it raises for what is to be expected; what raises all the same is tried again later."""

    kind: str

    async def steps(self, attempt: Attempt) -> Sequence[str]:
        """The names of what is still to be done, in order: not what the row has as done."""

    async def take(self, attempt: Attempt, step: str) -> str:
        """Do one step; ``DONE`` or a kind of fault. It may be done once more after a crash."""

    async def settle(self, attempt: Attempt, outcomes: Mapping[str, str]) -> None:
        """Put down in one transaction what came of it, and whether and when there is another attempt. ``outcomes``: of
        the steps that this process took; those that one before it took stand in the row."""
