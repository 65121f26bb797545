"""One simulated session, turn by turn: what the visitor did, what was said, where it stood, and what was noticed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from heartrule.script_tests.simulation.model_spend import ModelSpend
from heartrule.script_tests.simulation.visitor import Move

Outcome = Literal["completed", "parted", "left", "timed_out", "stuck"]
"""How a session ended. ``parted``: the script came to its end early, because the visitor had chosen to stop;
``left``: the visitor did not come back, or ended it; ``stuck``: it would not go on (a fault)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a session waits, by ids: of a technique, ``topic`` is its full id. ``phase`` is empty at the end."""

    phase: str = ""
    topic: str = ""
    action: str = ""

    def __str__(self) -> str:
        return "/".join(filter(None, (self.phase, self.topic, self.action)))


@dataclass(frozen=True, slots=True)
class Misread:
    """Words meant as an answer of which nothing was taken down, and why (``engine/variables/missing_reasons.py``)."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class NoticedInTurn:
    """What a turn shows. ``crisis``: the crisis technique (or what stands for it) began, and what it was called for;
    ``met``: it began, or is being gone through after the turn. ``progress``: an action ended or something was taken
    down."""

    crisis: str = ""
    met: bool = False
    faults: tuple[str, ...] = ()
    misread: tuple[Misread, ...] = ()
    unfinished: tuple[str, ...] = ()
    progress: bool = False


@dataclass(frozen=True, slots=True)
class Exchange:
    """A move and what came of it. The first of a session has none: it began. ``at``: seconds since it began."""

    at: float
    before: Place
    after: Place
    move: Move | None
    said: tuple[str, ...] = field(repr=False)
    noticed: NoticedInTurn
    spent: ModelSpend


@dataclass(frozen=True, slots=True)
class SimulatedSession:
    """``why`` it ended, or is stuck, in a word. ``seconds``: of the session's own clock."""

    script: str
    persona: str
    number: int
    outcome: Outcome
    why: str
    seconds: float
    exchanges: tuple[Exchange, ...] = field(repr=False)
    phases: tuple[str, ...] = ()
    """Entered, in the script's order."""
    stood_in: int = 0
    """How often the rules had to stand in for the model that plays the visitor."""
    stuck_at: Place = Place()
    """Where one of the engine's guards struck; nowhere when none did."""

    @property
    def name(self) -> str:
        return f"{self.persona} {self.number}"

    @property
    def last(self) -> Place:
        """Where it ended: where a guard struck, where the visitor chose to stop, else where they were last
        asked something."""
        if self.stuck_at.phase:
            return self.stuck_at
        if self.outcome == "parted":
            stops = [each.before for each in self.exchanges if each.move is not None and each.move.parts]
            if stops:
                return stops[0]
        return self.exchanges[-1].before if not self.exchanges[-1].after.phase else self.exchanges[-1].after

    @property
    def rounds(self) -> int:
        """Turns in which the visitor said or chose something."""
        return sum(each.move is not None and each.move.kind in ("message", "choice", "form") for each in self.exchanges)
