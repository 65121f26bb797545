"""``strategy`` of a topic: how it goes about what it is for."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

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


def _strategy(value: Any) -> str:
    """Prose, or a mapping."""
    return "<mapping>" if isinstance(value, dict | TopicStrategy) else "<prose>"


Strategy = Annotated[
    Annotated[Template, Tag("<prose>")] | Annotated[TopicStrategy, Tag("<mapping>")],
    Discriminator(_strategy),
]
