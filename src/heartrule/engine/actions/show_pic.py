"""``show_pic``: a picture with words that say what it shows."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

from heartrule.engine.action_types import ActionType
from heartrule.engine.dialogue import script_media
from heartrule.engine.session.events import Fault
from heartrule.engine.session.moves import Moves, Step
from heartrule.engine.tasks.prompt_context import fill
from heartrule.engine.variables.scopes import lookup
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, Template
from heartrule.language.nodes.media import Picture, Words
from heartrule.language.nodes.traits import Traits
from heartrule.language.placeholders import sole_name


class Fields(Action):
    traits: ClassVar[Traits] = Traits(model="")

    type: Literal["show_pic"]
    picture: Template
    alt: Words
    caption: Template = ""
    purpose: Template = ""


class ShowPic(ActionType):
    name = "show_pic"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        """What is said is the caption, or else what the picture shows: nobody is left with a picture alone, neither who
        cannot see it nor the model that reads along."""
        shown = script_media.picture(work, Picture(src=action.picture, alt=action.alt, caption=action.caption))
        if (name := sole_name(action.picture)) is not None:
            shown = replace(shown, src=_drawn(work, name))
        shown = replace(shown, purpose=fill(work, action.purpose))
        if not shown.src:
            work.emit(Fault(what="a picture that was drawn is no longer there", action=work.frame.id))
            return Step(say=(shown.caption or shown.alt,), done=True, outcome="fallback")
        return Step(say=(shown.caption or shown.alt,), media=(shown,), done=True)
        yield ()


def _drawn(work: Work, name: str) -> str:
    """What ``ai_pic`` has drawn and kept under this name; empty where nothing was, or it is too long ago."""
    kept = lookup(work, name)
    media = (each for message in reversed(work.transcript()) for each in message.media)
    return next((each.src for each in media if kept and each.data.get("id") == kept), "")


SHOW_PIC = ShowPic()
