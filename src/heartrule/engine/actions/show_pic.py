"""``show_pic``: a picture with words that say what it shows."""

from __future__ import annotations

from typing import Literal

from heartrule.engine.actions.base import ActionType, Moves, Step
from heartrule.engine.speaking import showing
from heartrule.engine.work import Work
from heartrule.language.nodes import Action, Template
from heartrule.language.nodes.media import Picture, Words


class Fields(Action):
    type: Literal["show_pic"]
    picture: str
    alt: Words
    caption: Template = ""
    purpose: Template = ""


class ShowPic(ActionType):
    name = "show_pic"
    fields = Fields

    def enter(self, work: Work, action: Fields) -> Moves:
        """What is said is the caption, or else what the picture shows: nobody is left with a picture alone, neither who
        cannot see it nor the model that reads along."""
        shown = showing.picture(work, Picture(src=action.picture, alt=action.alt, caption=action.caption))
        return Step(say=(shown.caption or shown.alt,), media=(shown,), done=True)
        yield ()


SHOW_PIC = ShowPic()
