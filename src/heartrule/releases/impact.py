"""What a new bundle would do to sessions that are not over. It is the carrying over itself that is asked, so that what
is said here is what happens. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from heartrule.debugger.state_transfer import NotCarried, TransferredPart, carry
from heartrule.engine.session.state import State
from heartrule.language.compiling.script import Script
from heartrule.language.projects.project import SAFETY

Kind = Literal["as_is", "safe", "lost", "stuck", "held"]
KINDS: tuple[Kind, ...] = ("as_is", "safe", "lost", "stuck", "held")
SAME = frozenset({"same"})
SAFE = frozenset({"same", "moved", "next"})
Lost = Literal["begins_again", "gone", "dropped"]
EXAMPLES = 5
"""Of each kind, each of another place or reason."""


@dataclass(frozen=True, slots=True)
class SessionLanding:
    """Where one session would be. ``as_is``: where it is now, and nothing about that has changed; ``safe``: the same
    question waits, though places have moved or topics were added; ``lost``: something of where it stands is gone or
    begins again (``parts``); ``stuck``: it cannot stand in the new bundle (``reason``); ``held``: it is in a crisis or
    with a human, and stays. ``state``: it there; None where it stays."""

    kind: Kind
    place: tuple[str, str, str]
    """Phase, topic and action where it stands now."""
    parts: tuple[TransferredPart, ...] = ()
    reason: str = ""
    about: str = ""
    state: State | None = field(default=None, repr=False)

    @property
    def lost(self) -> frozenset[str]:
        """What became of parts that did not carry over."""
        return frozenset(each.fate for each in self.parts) - SAFE


def landing(state: State, old: Script, new: Script | None) -> SessionLanding:
    """``new``: the script as the new bundle has it; None: it has none of that name."""
    place = _place(state)
    if _is_held(state):
        return SessionLanding("held", place)
    if new is None:
        return SessionLanding("stuck", place, reason="script-gone", about=old.id)
    try:
        moved, told = carry(state, old, new)
    except NotCarried as refused:
        return SessionLanding("stuck", place, reason=refused.code, about=refused.about)
    fates = {each.fate for each in told}
    kind: Kind = "as_is" if fates <= SAME else "safe" if fates <= SAFE else "lost"
    return SessionLanding(kind, place, told, state=moved)


def _is_held(state: State) -> bool:
    return state.human is not None or state.is_in(SAFETY)


def _place(state: State) -> tuple[str, str, str]:
    running = state.running
    action = running.action.id if running is not None and running.action is not None else ""
    return (state.phase.id if state.phase is not None else "", running.ref if running is not None else "", action)


@dataclass(frozen=True, slots=True)
class Example:
    """``sessions``: how many stand at this place and would meet the same."""

    kind: Kind
    script: str
    place: tuple[str, str, str]
    parts: tuple[TransferredPart, ...]
    reason: str
    about: str
    sessions: int


@dataclass(frozen=True, slots=True)
class Impact:
    """``unread``: sessions that cannot be looked at, because their text or state cannot be read; they stay."""

    counts: dict[Kind, int]
    unread: int
    examples: tuple[Example, ...]

    @property
    def all(self) -> int:
        return sum(self.counts.values()) + self.unread


def impact(landings: Sequence[tuple[str, SessionLanding]], unread: int = 0) -> Impact:
    """``landings``: with the id of each one's script."""
    counts: dict[Kind, int] = dict.fromkeys(KINDS, 0)
    alike: Counter[tuple[Kind, str, tuple[str, str, str], tuple[TransferredPart, ...], str, str]] = Counter()
    for script, each in landings:
        counts[each.kind] += 1
        parts = tuple(part for part in each.parts if part.fate != "same")
        alike[(each.kind, script, each.place, parts, each.reason, each.about)] += 1
    examples: list[Example] = []
    for kind in ("stuck", "lost", "safe"):
        mine = [(key, count) for key, count in alike.most_common() if key[0] == kind]
        examples += [Example(*key, sessions=count) for key, count in mine[:EXAMPLES]]
    return Impact(counts, unread, tuple(examples))


@dataclass(frozen=True, slots=True)
class Rule:
    """Which sessions are moved to the new bundle: none (``pinned``), those that go on as they are or carry over whole
    (``safe``), or besides those that lose no more than ``allowed``, where they stand in one of ``topics`` (any, where
    that is empty)."""

    existing: Literal["pinned", "safe", "rule"] = "pinned"
    allowed: frozenset[Lost] = frozenset()
    topics: frozenset[str] = frozenset()

    def moves(self, there: SessionLanding) -> bool:
        if self.existing == "pinned" or there.state is None:
            return False
        if there.kind in ("as_is", "safe"):
            return True
        asked = self.existing == "rule" and there.lost <= self.allowed
        return asked and (not self.topics or there.place[1] in self.topics)
