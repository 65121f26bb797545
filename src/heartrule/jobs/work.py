"""What jobs are made of: the kinds of work, and whoever runs an attempt at one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

DONE = ""
"""The outcome of a step that came to its end; any other is a kind of fault, in clear."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The attempt ``number``, from 1, at the outbox row ``row``. Everything that a runner may write down."""

    kind: str
    row: str
    number: int

    @property
    def id(self) -> str:
        return f"{self.row}#{self.number}"


class Work(Protocol):
    """What is done for outbox rows of one kind. Nothing of it raises for what is to be expected."""

    kind: str

    async def steps(self, attempt: Attempt) -> Sequence[str]:
        """The names of what is still to be done, in order."""

    async def take(self, attempt: Attempt, step: str) -> str:
        """Do one step; ``DONE`` or a kind of fault. It may be done once more after a crash."""

    async def settle(self, attempt: Attempt, outcomes: Mapping[str, str]) -> None:
        """Put down in one transaction what came of it, and whether and when there is another attempt."""


class Jobs(Protocol):
    """Whoever runs attempts, as a dispatcher sees it."""

    @property
    def at_work(self) -> int:
        """How many attempts this process is working at."""

    async def start(self, attempt: Attempt) -> bool:
        """Begin, or go on with what a process that died had begun. It is not waited for. False: this attempt came to
        an end that settled nothing, and there must be another."""

    async def stop(self, patience: float) -> None:
        """Wait so many seconds for what is under way, then leave it to the next process."""
