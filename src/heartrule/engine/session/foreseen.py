"""What was judged of this turn's words before the place was reached that asks for it: data."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ForeseenJudgement:
    """A judgement that holds."""

    confidence: float
    evidence: str = ""


ConditionVerdict = tuple[bool | None, float | None, str | None]
"""Whether it holds (None: nobody can say), how sure that is, and the words that say so."""


NOBODY: ConditionVerdict = (None, None, None)


@dataclass(slots=True)
class Foreseen:
    """What was perceived of a question before its place was reached. It counts once at each of its ``places``: where
    that is come to again in the same turn, something else has been said since."""

    held: ForeseenJudgement | None
    answered: bool = True
    places: set[str] = field(default_factory=set)

    def verdict(self) -> ConditionVerdict:
        if not self.answered:
            return NOBODY
        return (False, None, None) if self.held is None else (True, self.held.confidence, self.held.evidence or None)
