"""Who asks, and whether this is theirs. What a token does not open does not exist."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator
from ipaddress import ip_address, ip_network
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPBearer
from fastapi.security.http import HTTPAuthorizationCredentials
from starlette.requests import HTTPConnection

from heartrule.identity.services import PREFIX
from heartrule.server import token_issuers
from heartrule.server.context import AppContext, app_context
from heartrule.server.problems import Problem
from heartrule.server.streams import LOOK, as_long_as
from heartrule.server.tokens import ExpiredToken, Grant, Invalid
from heartrule.sessions import NoSuchSession
from heartrule.store.records import SessionRecord

LONGEST_TOKEN = 4096

bearer = HTTPBearer(
    auto_error=False, scheme_name="token", description="A session's token, or a person's (see the guide)."
)
Bearer = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]
TheContext = Annotated[AppContext, Depends(app_context)]


async def grant_of(request: Request, credentials: Bearer, context: TheContext) -> Grant | None:
    """What the token opens; None without one. One that cannot be read is refused, not ignored."""
    if credentials is None:
        if "authorization" in request.headers:
            raise Problem("unauthorized")
        return None
    if len(credentials.credentials) > LONGEST_TOKEN:
        raise Problem("unauthorized")
    context.limits.token(credentials.credentials)
    try:
        return await read_token(context, credentials.credentials)
    except ExpiredToken:
        raise Problem("token-expired") from None
    except Invalid:
        raise Problem("unauthorized") from None


async def read_token(context: AppContext, token: str) -> Grant:
    """What it opens; of a program's, what the store knows of it. Raises ``Invalid``, ``ExpiredToken``."""
    if not token.startswith(PREFIX):
        grant = context.tokens.read(token)
        if grant.maker is not None and not await token_issuers.still_may(context, grant.maker):
            raise Invalid
        return grant
    principal = await context.services.whose(token)
    if principal is None:
        raise Invalid
    return Grant("desk", principal.id, principal=principal)


def while_it_counts(request: Request, context: AppContext, parts: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """The parts of a stream, as long as the token counts by which it was asked for."""

    async def still() -> bool:
        sent = await bearer(request)
        try:
            return sent is not None and bool(await read_token(context, sent.credentials))
        except Invalid:
            return False

    return as_long_as(still, parts, LOOK)


Granted = Annotated[Grant | None, Depends(grant_of)]


async def known_person(context: AppContext, grant: Grant) -> str | None:
    """The person whom a token stands for, if the store knows them."""
    if grant.opens == "person":
        return grant.id
    if grant.opens == "subject":
        return await context.sessions.store.person_of_subject(grant.id)
    return None


async def held_session(session: str, granted: Granted, context: TheContext) -> SessionRecord:
    """The session in the path, when the token opens it."""
    if granted is None:
        raise Problem("unauthorized")
    if granted.opens == "session" and granted.id != session:
        raise Problem("not-found")
    try:
        record = await context.sessions.session(session)
    except NoSuchSession:
        raise Problem("not-found") from None
    if granted.opens != "session" and record.person != await known_person(context, granted):
        raise Problem("not-found")
    return record


Held = Annotated[SessionRecord, Depends(held_session)]


async def opened_session(session: str, granted: Granted, context: TheContext) -> str:
    """The id of the session in the path, when the token opens it. Its own token says so by itself, and nothing is read;
    whether it still stands is seen when it is asked for something."""
    if granted is not None and granted.opens == "session" and granted.id == session:
        return session
    return (await held_session(session, granted, context)).id


Opened = Annotated[str, Depends(opened_session)]


def address_of(request: HTTPConnection) -> str:
    """The network address that asks; of an IPv6 one the network that a household is given."""
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return str(ip_network((host, 64), strict=False)) if address.version == 6 else host


async def _address(request: Request) -> str:
    return address_of(request)


Address = Annotated[str, Depends(_address)]
