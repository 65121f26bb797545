"""Who of the staff asks, by their cookie or by a token, and whether they may: what every route of theirs depends on."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterable, AsyncIterator, Callable, Coroutine
from dataclasses import replace
from functools import cache
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security import APIKeyCookie

from heartrule.identity.principal import Principal
from heartrule.identity.rights import ACTIONS, NOTHING, Action, Resource, may
from heartrule.identity.sign_in import csrf_of
from heartrule.server import cookies
from heartrule.server.access import Granted, TheContext, bearer, read_token
from heartrule.server.context import AppContext
from heartrule.server.problems import Problem
from heartrule.server.streams import LOOK, as_long_as
from heartrule.server.tokens import Grant, Invalid
from heartrule.sessions import NoSuchSession
from heartrule.store.records import SessionRecord

LONGEST_COOKIE = 200
SIGNS: frozenset[Action] = frozenset(each for each in ACTIONS if each.startswith(("desk.", "session.")))
"""What is asked so is a sign of life of a counsellor; not of one for whom a program asks."""


cookie = APIKeyCookie(
    name="heartrule",
    scheme_name="cookie",
    auto_error=False,
    description="Of a sign-in; `__Host-heartrule` where it is secure. With X-CSRF-Token where something changes.",
)


async def somebody(
    request: Request, granted: Granted, context: TheContext, _: Annotated[str | None, Depends(cookie)]
) -> Principal:
    """A token goes before a cookie. A cookie comes along whoever makes the browser ask: what changes anything needs
    what only a page of ours can send with it."""
    if granted is not None:
        known = of_grant(granted)
        request.state.who = known.id
        return known
    settings = context.settings.staff
    token = cookies.token_of(request, settings)
    if token is None or len(token) > LONGEST_COOKIE:
        raise Problem("unauthorized")
    context.limits.token(token)
    principal = await context.sign_ins.whose(token)
    if principal is None:
        raise Problem("unauthorized")
    request.state.who = principal.id
    if request.method not in cookies.SAFE and not _is_ours(
        request, token, cookies.is_from_elsewhere(request, settings)
    ):
        raise Problem("csrf")
    return principal


def _is_ours(request: Request, token: str, elsewhere: bool) -> bool:
    sent = request.headers.get(cookies.CSRF, "").encode()
    return not elsewhere and hmac.compare_digest(sent, csrf_of(token).encode())


def of_grant(granted: Grant) -> Principal:
    """Whom of the staff a token stands for. Who signs chooses the subject freely, so that it counts among the signer's
    own alone, never as the id of an account, which has no colon. Raises problems."""
    if granted.principal is not None:
        return granted.principal
    if granted.staff is None:
        raise Problem("not-staff")
    staff = granted.staff
    known = f"{staff.signer}:{staff.id}"
    return Principal(known, staff.name, frozenset({staff.role}), staff.projects, until=granted.until)


Somebody = Annotated[Principal, Depends(somebody)]


@cache
def asks(action: Action) -> Callable[[Principal, AppContext], Coroutine[Any, Any, Principal]]:
    """Who asks, where their role lets them; which things, is asked where they are known."""

    async def asked(principal: Somebody, context: TheContext) -> Principal:
        if not may(principal, action, NOTHING):
            raise Problem("not-allowed")
        if action in SIGNS:
            await sign_of_life(context, principal)
        return principal

    return asked


async def sign_of_life(context: AppContext, who: Principal) -> None:
    """They are at the desk; not for whom a program asks."""
    if who.service is None:
        await context.sessions.duty.alive(who.id, who.projects, who.name)


@cache
def attends(action: Action) -> Callable[..., Coroutine[Any, Any, SessionRecord]]:
    """The session in the path, where they may do this to it; what they may not see does not exist."""

    lets_in = Depends(asks(action))

    async def asked(session: str, context: TheContext, principal: Principal = lets_in) -> SessionRecord:
        try:
            record = await context.sessions.session(session)
        except NoSuchSession:
            raise Problem("not-found") from None
        if not may(principal, action, Resource(project=record.project)):
            raise Problem("not-found")
        return record

    return asked


def while_signed_in(
    request: Request, context: AppContext, who: Principal, parts: AsyncIterable[Any], *, at_the_desk: bool = True
) -> AsyncIterator[Any]:
    """The parts of a stream, as long as that lasts by which it was asked for, and whoever asked may what they might
    then: with a role taken or given it ends, and a page asks again. At the desk it is a sign of life."""

    async def still() -> bool:
        now = await _by_now(request, context)
        if now is None or replace(now, name=who.name, locale=who.locale) != who:
            return False
        if at_the_desk:
            await sign_of_life(context, who)
        return True

    return as_long_as(still, parts, LOOK)


async def _by_now(request: Request, context: AppContext) -> Principal | None:
    """Who asked, as they are by now; None where what they asked by counts no more."""
    sent = await bearer(request)
    if sent is not None:
        try:
            return of_grant(await read_token(context, sent.credentials))
        except Invalid:
            return None
    token = cookies.token_of(request, context.settings.staff)
    return None if token is None else await context.sign_ins.whose(token)


Looks = Annotated[Principal, Depends(asks("desk.look"))]
Shift = Annotated[Principal, Depends(asks("desk.shift"))]
Reader = Annotated[Principal, Depends(asks("session.read"))]
Seer = Annotated[Principal, Depends(asks("session.seen"))]
Taker = Annotated[Principal, Depends(asks("session.take"))]
Writer = Annotated[Principal, Depends(asks("session.write"))]
Noter = Annotated[Principal, Depends(asks("session.note"))]
Assigner = Annotated[Principal, Depends(asks("session.assign"))]
Corrector = Annotated[Principal, Depends(asks("session.correct"))]
Queue = Annotated[Principal, Depends(asks("reply.queue"))]
ReplyReader = Annotated[Principal, Depends(asks("reply.read"))]
Judge = Annotated[Principal, Depends(asks("reply.judge"))]
Canned = Annotated[Principal, Depends(asks("canned.use"))]
CannedChanger = Annotated[Principal, Depends(asks("canned.change"))]
RotaChanger = Annotated[Principal, Depends(asks("rota.change"))]
Counts = Annotated[Principal, Depends(asks("figures.read"))]
AccountsReader = Annotated[Principal, Depends(asks("accounts.read"))]
AccountsChanger = Annotated[Principal, Depends(asks("accounts.change"))]
Auditor = Annotated[Principal, Depends(asks("audit.read"))]
Own = Annotated[Principal, Depends(asks("own.account"))]

Read = Annotated[SessionRecord, Depends(attends("session.read"))]
SeenBy = Annotated[SessionRecord, Depends(attends("session.seen"))]
Taken = Annotated[SessionRecord, Depends(attends("session.take"))]
Written = Annotated[SessionRecord, Depends(attends("session.write"))]
Noted = Annotated[SessionRecord, Depends(attends("session.note"))]
Assigned = Annotated[SessionRecord, Depends(attends("session.assign"))]
Corrected = Annotated[SessionRecord, Depends(attends("session.correct"))]
ReplyRead = Annotated[SessionRecord, Depends(attends("reply.read"))]
ReplyJudged = Annotated[SessionRecord, Depends(attends("reply.judge"))]
