"""``ai_pic``: a picture made from words; without one, ``fallback``."""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from heartrule.engine.action_types import ActionType
from heartrule.engine.awareness import awareness
from heartrule.engine.dialogue import script_media
from heartrule.engine.session.events import Blocked
from heartrule.engine.session.media import Media
from heartrule.engine.session.moves import Moves, Step
from heartrule.engine.session.tasks import PICTURE, Task
from heartrule.engine.tasks.prompt_context import fill, shared
from heartrule.engine.variables.scopes import write
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, Template
from heartrule.language.nodes.media import Words
from heartrule.language.nodes.traits import Traits

LONGEST = 2_000
"""Characters of what is asked for."""
_PICTURE = re.compile(r"data:image/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}")


class Fields(Action):
    traits: ClassVar[Traits] = Traits(model="picture")

    type: Literal["ai_pic"]
    prompt: Words
    alt: Words
    caption: Template = ""
    store_as: str | None = None


class AiPic(ActionType):
    name = "ai_pic"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        """What speaks of danger, and what a model might not say, is not drawn either."""
        words = fill(work, action.prompt)[:LONGEST]
        source = ""
        if work.model and not (why := _forbidden(work, words)):
            task = _task(work, words)
            answer = (yield (task,))[task.key]
            source = _source(answer.data.get("picture") if answer.data else None)
        elif work.model:
            work.emit(Blocked(action=work.frame.id, check="picture", reason=why))
        if not source:
            said = fill(work, action.fallback, to_person=True)
            return Step(say=(said,) if said else (), done=True, outcome="fallback")
        drawn = f"drawn/{work.state.seq}/{work.frame.id}"
        alt, caption = script_media.said(work, action.alt), script_media.said(work, action.caption)
        if action.store_as:
            write(work, action.store_as, drawn, strategy="llm")
        shown = Media("picture", source, alt, caption, data={"id": drawn})
        return Step(say=(caption or alt,), media=(shown,), done=True)


def _task(work: Work, words: str) -> Task:
    return Task(
        key=work.task_key(PICTURE),
        kind="generate",
        role="generate",
        template=PICTURE,
        context=shared(work),
        values={"prompt": words},
        schema={"type": "object", "properties": {"picture": {"type": "string"}}, "required": ["picture"]},
        required=("picture",),
    )


def _forbidden(work: Work, words: str) -> str:
    """Why these words are not drawn; empty where they may be."""
    for verdict in awareness.by_rules(work, words):
        if verdict.verdict != "no":
            return verdict.ref
    objection = work.world.script.checks.objection(words)
    return objection.code if objection is not None else ""


def _source(given: object) -> str:
    return given if isinstance(given, str) and _PICTURE.fullmatch(given) else ""


AI_PIC = AiPic()
