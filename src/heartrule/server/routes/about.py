"""What runs here, whom to call in an emergency, and which sessions can be held. No token is needed."""

from __future__ import annotations

from dataclasses import asdict
from importlib.metadata import version
from typing import Annotated

from fastapi import APIRouter, Query

from heartrule.reporting import paper
from heartrule.server import rendering
from heartrule.server.access import TheContext
from heartrule.server.routes.answers import problems
from heartrule.server.shapes import About, OperatorShape, ScriptShape
from heartrule.server.whereabouts import placed

router = APIRouter(tags=["about"])

Tag = Annotated[str, Query(max_length=35, description="The language wanted, as a tag: zh-CN, en, en-GB.")]
Zone = Annotated[
    str, Query(max_length=64, description="The browser's time zone (IANA): it tells in which country the numbers are.")
]


@router.get("/about", responses=problems())
async def about(context: TheContext, locale: Tag = "zh-CN", zone: Zone = "") -> About:
    """What must be said before the first word, and the numbers to call: of the country that ``zone`` is in, else of the
    one that ``locale`` names, else of several."""
    settings, model = context.settings, context.sessions.model
    run_by = settings.operator
    return About(
        version=version("heartrule"),
        mode="model" if context.sessions.model.configured else "script",
        model=context.model,
        contacts=rendering.contacts(context.sessions, placed(locale, zone)),
        numbers=list(context.sessions.numbers(locale)),
        debug=context.settings.debug,
        recall_seconds=context.settings.recall_seconds,
        persistence=context.settings.persistence,
        exit_page=context.settings.exit_page or None,
        pdf=paper.is_possible(),
        operator=OperatorShape(name=run_by.name, contact=run_by.contact) if run_by else None,
        keep_days=settings.keep_days,
        wait_seconds=model.policy.budget if model.configured else 0.0,
    )


@router.get("/scripts", responses=problems())
async def scripts(context: TheContext) -> list[ScriptShape]:
    """The sessions that can be held."""
    return [ScriptShape(**asdict(listed)) for listed in context.sessions.scripts()]
