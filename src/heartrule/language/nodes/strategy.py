"""``strategy`` of a topic: how it goes about what it is for."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from heartrule.language.nodes.node import Node, Template

ExitClass = Literal["max_rounds_reached", "exit_criteria_met", "user_blocked", "off_topic"]
"""How a round of an action ended, or what stood in its way."""
Retry = Literal["rephrase", "simplify", "comfort", "accept_partial", "skip"]


class TopicStrategy(Node):
    """``strategy`` as a mapping. ``notes`` and ``min_completeness_requirement`` are told to the model; ``retry`` is how
    somebody is met who does not want to answer or strays, ``max_retries`` times. ``on_exit``: what the model is told
    after a round of such an end, in place of the scheme's own words."""

    notes: Template = ""
    min_completeness_requirement: Template = ""
    retry: Retry | None = None
    max_retries: int = Field(default=2, ge=0, le=10)
    on_exit: dict[ExitClass, Template] = {}


class StrategyProfile(Node):
    """The variables that hold what a strategy is to know of the person, by the six traits of seed 001 §4.2.2."""

    education_level: str | None = None
    age: str | None = None
    psychology_knowledge: str | None = None
    learning_style: str | None = None
    current_emotion: str | None = None
    cognitive_ability: str | None = None


class Direction(Node):
    """One way of working that is compared with others. ``share``: of the sessions that are begun, in per cent;
    ``notes``: what whoever makes a strategy is told to follow in them."""

    name: Annotated[str, Field(min_length=1, max_length=40)]
    share: Annotated[int, Field(ge=1, le=100)] = 50
    notes: Template


class Strategies(Node):
    """How the strategies of ``adaptive`` actions are made. ``first_words``: an action for which none has been prepared
    waits for one before it begins to speak. ``compare``: directions, each for its share of the sessions; what is left
    over follows none."""

    first_words: bool = False
    profile: StrategyProfile = StrategyProfile()
    compare: Annotated[list[Direction], Field(max_length=4)] = []

    @model_validator(mode="after")
    def _shares(self) -> Self:
        if sum(each.share for each in self.compare) > 100:
            raise ValueError("the shares come to more than 100")
        if len({each.name for each in self.compare}) < len(self.compare):
            raise ValueError("two directions have one name")
        return self

    def drawn(self, session: str) -> str:
        """The name of the direction that a session follows; empty: none. The same session always draws the same."""
        at = int.from_bytes(sha256(session.encode()).digest()[:4], "big") % 100
        for each in self.compare:
            at -= each.share
            if at < 0:
                return each.name
        return ""

    def notes(self, name: str) -> str:
        """What a direction says; empty where there is none of that name."""
        return next((each.notes for each in self.compare if each.name == name), "")


def _strategy(value: Any) -> str:
    """Prose, or a mapping."""
    return "<mapping>" if isinstance(value, dict | TopicStrategy) else "<prose>"


Strategy = Annotated[
    Annotated[Template, Tag("<prose>")] | Annotated[TopicStrategy, Tag("<mapping>")],
    Discriminator(_strategy),
]
