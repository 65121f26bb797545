"""How many items one call of perception is asked at most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from heartrule.language.compiling.script import Script


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """How many items of a kind one call is asked at most."""

    judgements: int = 12
    values: int = 96

    @classmethod
    def of(cls, script: Script) -> Self:
        """As the session says (``llm: {policy: {perceive: {group: …}}}``), else its project."""
        said = [each.policy.perceive for each in (script.session.llm, script.project.llm) if each is not None]
        group = next((rule.group for rule in said if rule is not None and rule.group), None)
        return cls() if group is None else cls(judgements=group)

    def __post_init__(self) -> None:
        if self.judgements < 1 or self.values < 1:
            raise ValueError("a call is asked one item at least")
