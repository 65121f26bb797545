"""How a stretch has gone so far: what it keeps between turns."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from heartrule.engine.session.action_state import ActionState

FOLLOWED = 3
"""Turns in which a thought is followed at most; then it is let go."""


class Talk(ActionState):
    """``in_a_row``: how many turns have asked for an item of the list, one after the other. ``hot``: the thought that
    is followed, in the person's words, in ``followed`` turns so far; ``cold``: those that were let go. ``used``:
    techniques that were begun from here. ``questions``: how many the last reply asked. ``stayed``: replies in
    a row that asked nothing, where nothing was open. ``asked``: how often each item was asked for; ``given_up``: items
    that nobody could answer; ``moot``: ratings of what is not there (no thought, no feeling). ``longer``: by how many
    turns the stretch has become longer for what was followed."""

    section: ClassVar[str] = "talk"

    in_a_row: int = 0
    hot: str = Field(default="", repr=False)
    followed: int = 0
    cold: list[str] = Field(default=[], repr=False)
    used: list[str] = []
    questions: int = 0
    stayed: int = 0
    asked: dict[str, int] = {}
    given_up: list[str] = []
    moot: list[str] = []
    longer: int = 0

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
