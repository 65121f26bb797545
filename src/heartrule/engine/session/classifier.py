"""What a learned reader of single messages looks like to the engine. It is handed in and knows nothing of a session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Estimate:
    """How likely the words are what the classifier was trained to hear, from 0 to 1; whether that is enough to ask
    (``raised``), or would be where rules heard something doubtful in them (``likely``). ``evidence``: the part that
    weighed most, verbatim; only where it is raised."""

    score: float
    raised: bool = False
    likely: bool = False
    evidence: str = ""


class Classifier(Protocol):
    """Must be pure (the same words give the same estimate), take any string, and be safe to share between threads."""

    @property
    def name(self) -> str:
        """Its name and version, as the record of a session keeps it."""

    def estimate(self, text: str) -> Estimate:
        """Of one message. Raises nothing."""
