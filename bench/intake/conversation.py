"""The committed conversation: what the person says, and what a model that understands it finds in each answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
PROJECT = FOLDER / "project"
SCRIPT = "intake/intake"


@dataclass(frozen=True, slots=True)
class Held:
    """A value, and the person's own words that prove it."""

    value: Any
    evidence: str


@dataclass(frozen=True, slots=True)
class Answer:
    """``reply`` takes the answer up; ``brief`` is what the script wants asked next where it leaves the wording to the
    model (else empty), and ``words`` that question."""

    says: str
    holds: Mapping[str, Held]
    reply: str
    brief: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """``asked_after``: the answer after which the flow comes to it; ``holds_from``: that from which on it is true, 0 is
    never."""

    question: str
    asked_after: int
    holds_from: int
    evidence: str

    def after(self, answers: int) -> bool:
        return 0 < self.holds_from <= answers


@dataclass(frozen=True, slots=True)
class Conversation:
    answers: Sequence[Answer]
    judgements: Sequence[Judgement]

    def known(self, answers: int) -> dict[str, Held]:
        """All that has been told after so many answers."""
        return {name: held for each in self.answers[:answers] for name, held in each.holds.items()}

    def names(self) -> set[str]:
        return set(self.known(len(self.answers)))


@cache
def conversation() -> Conversation:
    data = yaml.safe_load((FOLDER / "conversation.yaml").read_text(encoding="utf-8"))
    answers = [
        Answer(
            says=each["says"],
            holds={name: Held(**held) for name, held in each["holds"].items()},
            reply=each["reply"],
            **each.get("opens", {}),
        )
        for each in data["turns"]
    ]
    return Conversation(answers, [Judgement(**each) for each in data["judgements"]])
