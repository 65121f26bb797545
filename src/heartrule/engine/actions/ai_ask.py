"""``ai_ask``: guided questions until the outputs are known."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from heartrule.language.nodes import Action, AskExitCriteria, ExitSource, Get, Set, Template


class Fields(Action):
    type: Literal["ai_ask"]
    content: Template
    question: Template | None = None
    exit: Template | None = None
    output: list[Get | Set] = []
    required: bool = True
    max_rounds: int = Field(default=3, ge=1, le=50)
    min_rounds: int | None = Field(default=None, ge=1, le=50)
    style: Literal["open", "choice", "mixed"] = "open"
    follow_up: Template | None = None
    verify: Literal["none", "non_empty"] = "none"
    when_known: Literal["skip", "ask"] = "ask"
    tone: Template | None = None
    tolist: str | None = None
    exit_criteria: AskExitCriteria | None = None
    exit_sources: list[ExitSource] | None = None
