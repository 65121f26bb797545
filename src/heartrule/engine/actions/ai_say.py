"""``ai_say``: says or explains something in the model's words, and makes sure that it was understood."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from heartrule.language.nodes import Action, ExitSource, SayExitCriteria, Template


class Fields(Action):
    type: Literal["ai_say"]
    content: Template
    goal: Template | None = None
    topic_content: Template | None = None
    tone: Template | None = None
    require_acknowledgment: bool = True
    max_rounds: int | None = Field(default=None, ge=1, le=50)
    exit_criteria: SayExitCriteria | None = None
    exit_sources: list[ExitSource] | None = None
