"""Who may write scripts. The one place that asks."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, WebSocket

from heartrule.identity.principal import Principal
from heartrule.identity.rights import may
from heartrule.server import cookies
from heartrule.server.context import AppContext
from heartrule.server.problems import Problem
from heartrule.server.staffed import LONGEST_COOKIE, asks, of_token
from heartrule.server.tokens import Invalid
from heartrule.workbench.workbench import Writer

BEARER = "bearer."


async def _author(principal: Annotated[Principal, Depends(asks("script.read"))]) -> Writer:
    return Writer(principal.id, principal.name, principal)


TheAuthor = Annotated[Writer, Depends(_author)]


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
            grant = context.tokens.read(token)
        except Invalid:
            raise Problem("unauthorized") from None
        if grant.staff is None:
            raise Problem("not-staff")
        return of_token(grant.staff)
    cookie = cookies.token_of(socket, context.settings.staff)
    found = None if cookie is None or len(cookie) > LONGEST_COOKIE else await context.signing_in.whose(cookie)
    if found is None:
        raise Problem("unauthorized")
    return found
