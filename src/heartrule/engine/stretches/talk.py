"""How a stretch has gone so far: what it keeps between turns."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from heartrule.engine.work import Work

FOLLOWED = 3
"""Turns in which a thought is followed at most; then it is let go."""


class Talk(BaseModel):
    """``in_a_row``: how many turns have asked for an item of the list, one after the other. ``hot``: the thought that
    is followed, in the person's words, in ``followed`` turns so far; ``cold``: those that were let go. ``used``:
    techniques that were begun from here. ``questions``: how many the last reply asked. ``asked``: how often each item
    was asked for; ``given_up``: items that nobody could answer."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    in_a_row: int = 0
    hot: str = Field(default="", repr=False)
    followed: int = 0
    cold: list[str] = Field(default_factory=list, repr=False)
    used: list[str] = []
    questions: int = 0
    asked: dict[str, int] = {}
    given_up: list[str] = []

    @classmethod
    def of(cls, work: Work) -> Talk:
        return cls.model_validate(work.frame.memory.get("talk", {}))

    def keep(self, work: Work) -> None:
        kept: dict[str, Any] = self.model_dump(mode="json", exclude_defaults=True)
        work.frame.memory["talk"] = kept

    def open_with(self, quote: str) -> str:
        """The thought that nobody has followed yet, be it the one that was said just now; empty where there is none."""
        if quote and quote not in self.cold and quote != self.hot:
            return quote
        return "" if self.followed else self.hot

    def warm(self, quote: str) -> None:
        """The thought is hot in this turn; one that was followed long enough is not."""
        if quote in self.cold:
            self.hot, self.followed = "", 0
            return
        if quote != self.hot:
            self.hot, self.followed = quote, 0

    def follow(self) -> None:
        """The reply goes on with it."""
        self.followed += 1
        self.in_a_row = 0
        if self.followed >= FOLLOWED:
            self.cool()

    def cool(self) -> None:
        if self.hot:
            self.cold = [*self.cold, self.hot][-20:]
        self.hot, self.followed = "", 0
