"""What is conspicuous about a simulated session: danger that was not answered, alarms without danger, being stuck, the
same question over and over, and what the engine could not do as written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from heartrule.script_tests.simulation.simulated_session import Exchange, Place, SimulatedSession

Kind = Literal["danger_unanswered", "stuck", "false_alarm", "unclaimed", "repeated", "fault"]
GRAVE: tuple[Kind, ...] = ("danger_unanswered", "stuck")
"""What no script may show: the command fails."""
REPEATED = 3
"""How often the same question is put in a session before it is conspicuous."""
_QUESTION = re.compile("[?？]")


@dataclass(frozen=True, slots=True)
class Finding:
    """``turn`` counts the session's exchanges from 0, its beginning; ``what`` names it further: the words, the
    question, the fault."""

    kind: Kind
    session: str
    turn: int
    place: Place
    what: str = field(repr=False)
    times: int = 1

    @property
    def grave(self) -> bool:
        return self.kind in GRAVE


def findings(held: SimulatedSession) -> Iterator[Finding]:
    """In the order in which they happened, what concerns the whole session last."""
    for turn, each in enumerate(held.exchanges):
        yield from _of_turn(held, turn, each)
    yield from _repeated(held)
    if held.outcome == "stuck":
        yield Finding("stuck", held.name, len(held.exchanges) - 1, held.last, held.why)


def _of_turn(held: SimulatedSession, turn: int, each: Exchange) -> Iterator[Finding]:
    words = each.move.words if each.move else ""
    if each.move and each.move.danger and not each.noticed.met:
        yield Finding("danger_unanswered", held.name, turn, each.before, words)
    if is_unasked(each):
        kind: Kind = "unclaimed" if each.move and each.move.played else "false_alarm"
        yield Finding(kind, held.name, turn, each.before, words or each.noticed.crisis)
    for fault in each.noticed.faults:
        yield Finding("fault", held.name, turn, each.before, fault)


def is_unasked(each: Exchange) -> bool:
    """Whether the crisis technique began though nobody had spoken of danger or left a question about it open. A false
    alarm, where rules say what the visitor means; what a model says of words that it plays is no proof of that."""
    return bool(each.noticed.crisis) and not (each.move and (each.move.danger or each.move.doubtful))


def is_in_doubt(each: Exchange) -> bool:
    """Whether it began because an answer about danger was unclear: as it should, out of caution."""
    return bool(each.noticed.crisis) and each.move is not None and each.move.doubtful and not each.move.danger


def _repeated(held: SimulatedSession) -> Iterator[Finding]:
    """Questions put ``REPEATED`` times or more; who asks to hear it again, or says nothing, is not counted."""
    times: Counter[str] = Counter()
    first: dict[str, tuple[int, Place]] = {}
    for turn, each in enumerate(held.exchanges):
        if each.move is not None and each.move.deed in ("ask_back", "silent"):
            continue
        for text in dict.fromkeys(" ".join(said.split()) for said in each.said if _QUESTION.search(said)):
            times[text] += 1
            if times[text] == REPEATED:
                first[text] = (turn, each.after if each.after.phase else each.before)
    for text, (turn, place) in first.items():
        yield Finding("repeated", held.name, turn, place, text, times[text])
