"""What runs here, whom to call in an emergency, and which sessions can be held. No token is needed."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

from fastapi import APIRouter, Query

from heartrule.reporting import paper
from heartrule.server.access import TheHouse
from heartrule.server.routes.answers import problems
from heartrule.server.shapes import About, Contact, ScriptShape

router = APIRouter(tags=["about"])

Tag = Annotated[str, Query(max_length=35, description="The language wanted, as a tag: zh-CN, en.")]


@router.get("/about", responses=problems())
async def about(house: TheHouse, locale: Tag = "zh-CN") -> About:
    """What must be said before the first word, and the numbers to call."""
    return About(
        version=version("heartrule"),
        mode="model" if house.sessions.model.configured else "script",
        model=house.model,
        contacts=[
            Contact(name=contact.name, number=contact.number, note=contact.note)
            for contact in house.sessions.contacts(locale)
        ],
        debug=house.settings.debug,
        recall_seconds=house.settings.recall_seconds,
        persistence=house.settings.persistence,
        exit_page=house.settings.exit_page or None,
        pdf=paper.is_possible(),
    )


@router.get("/scripts", responses=problems())
async def scripts(house: TheHouse) -> list[ScriptShape]:
    """The sessions that can be held."""
    return [
        ScriptShape(id=listed.id, name=listed.name, goal=listed.goal, duration=listed.duration, locale=listed.locale)
        for listed in house.sessions.scripts()
    ]
