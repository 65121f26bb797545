"""Who may write scripts. The one place that asks."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request, WebSocket

from heartrule.identity.principal import Principal
from heartrule.identity.rights import may
from heartrule.server import cookies
from heartrule.server.access import read_token
from heartrule.server.context import AppContext
from heartrule.server.problems import Problem
from heartrule.server.staff_access import LONGEST_COOKIE, asks, of_grant
from heartrule.server.tokens import Invalid
from heartrule.workbench.workbench import Writer

BEARER = "bearer."


async def _author(request: Request, principal: Annotated[Principal, Depends(asks("script.read"))]) -> Writer:
    """What is sent in changes something, or works with what is typed and not saved: a program that may only read does
    neither."""
    if request.method not in cookies.SAFE and not may(principal, "script.write"):
        raise Problem("not-allowed")
    return Writer(principal.id, principal.name, principal)


async def _maker(principal: Annotated[Principal, Depends(asks("script.make"))]) -> Writer:
    return Writer(principal.id, principal.name, principal)


async def _grouper(principal: Annotated[Principal, Depends(asks("group.change"))]) -> Writer:
    return Writer(principal.id, principal.name, principal)


async def _reached(principal: Annotated[Principal, Depends(asks("own.mail"))]) -> Writer:
    return Writer(principal.id, principal.name, principal)


TheAuthor = Annotated[Writer, Depends(_author)]
TheMaker = Annotated[Writer, Depends(_maker)]
TheGrouper = Annotated[Writer, Depends(_grouper)]
TheReached = Annotated[Writer, Depends(_reached)]


async def author_of(socket: WebSocket, context: AppContext) -> Writer:
    """Who opens a socket: by a token among the protocols that are offered, else by their cookie, from a page of ours.
    Raises problems."""
    if cookies.is_from_elsewhere(socket, context.settings.staff):
        raise Problem("not-allowed")
    principal = await _principal(socket, context)
    if not may(principal, "script.read"):
        raise Problem("not-allowed")
    return Writer(principal.id, principal.name, principal)


async def _principal(socket: WebSocket, context: AppContext) -> Principal:
    offered = socket.scope.get("subprotocols") or []
    token = next((each.removeprefix(BEARER) for each in offered if each.startswith(BEARER)), None)
    if token is not None:
        try:
            return of_grant(await read_token(context, token))
        except Invalid:
            raise Problem("unauthorized") from None
    cookie = cookies.token_of(socket, context.settings.staff)
    found = None if cookie is None or len(cookie) > LONGEST_COOKIE else await context.sign_ins.whose(cookie)
    if found is None:
        raise Problem("unauthorized")
    return found
