"""Tokens that somebody of the staff is given for a conversation of their own: to try a text, to debug it. They end with
the sign-in, the program or the role by which they were asked for, and with what was shared."""

from __future__ import annotations

from heartrule.identity.principal import Principal
from heartrule.identity.rights import Action, may
from heartrule.server.context import AppContext
from heartrule.server.tokens import Grant, Maker
from heartrule.store.projects import NoSuchProject
from heartrule.workbench.workbench import Writer


def given(who: Principal, action: Action, project: str = "") -> Grant:
    """What a token that is made for them is made by. Of a token that nobody can call back it has the end alone."""
    program = who.service.id if who.service is not None else None
    maker = Maker(who.id, who.sign_in, program, action, project) if who.sign_in or program else None
    return Grant("desk", who.id, who.until, maker=maker)


async def still_may(context: AppContext, maker: Maker) -> bool:
    who = await _who(context, maker)
    if who is None or not may(who, maker.action):
        return False
    if maker.project:
        try:
            await context.workbench.record(maker.project, Writer(who.id, who.name, who))
        except NoSuchProject:
            return False
    return True


async def _who(context: AppContext, maker: Maker) -> Principal | None:
    """As they are by now."""
    if maker.service is not None:
        return await context.services.standing(maker.service)
    return await context.sign_ins.standing(maker.account, maker.sign_in or "")
