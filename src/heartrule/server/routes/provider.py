"""Signing in at a provider (OpenID Connect): the browser is sent there, and brings back what is to be believed."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from heartrule import logs
from heartrule.identity.accounts import NotAdmitted
from heartrule.identity.federation import Federation, ProviderClaims, Refused, Unreachable
from heartrule.identity.principal import ProjectRole, Role
from heartrule.identity.provider_settings import ProviderSettings
from heartrule.server import cookies
from heartrule.server import sign_in_shapes as shapes
from heartrule.server.access import Address, TheContext
from heartrule.server.context import AppContext
from heartrule.server.problems import LANGUAGES, Problem, asker_language
from heartrule.server.routes.answers import problems
from heartrule.server.staff_shapes import SignedInShape
from heartrule.server.staff_sign_in import browser_of, keep, origin_of

router = APIRouter(prefix="/staff", tags=["staff"])


@router.get("/ways")
async def ways(context: TheContext, address: Address) -> shapes.SignInWays:
    """How staff can sign in here beside a passkey and a password."""
    context.limits.address(address)
    found = context.settings.staff.provider
    return shapes.SignInWays(provider=found.name if found is not None else None)


def _federation(context: AppContext) -> Federation:
    if context.federation is None:
        raise Problem("not-found")
    return context.federation


@router.post("/sign-in/provider/begin", responses=problems(403, 404, 502))
async def begin(request: Request, response: Response, context: TheContext, address: Address) -> shapes.ProviderBegun:
    """Where the browser goes on to, which keeps meanwhile what binds the answer to it."""
    context.limits.address(address)
    browser_of(request, context, address)
    try:
        sent = await _federation(context).begin(_back(request, context))
    except Unreachable:
        raise Problem("provider-unreachable") from None
    cookies.keep_handle(request, response, context.settings.staff, sent.handle)
    return shapes.ProviderBegun(url=sent.url)


@router.post("/sign-in/provider", responses=problems(400, 401, 403, 404, 408, 413, 415, 502))
async def sign_in(
    body: shapes.ProviderAnswer, request: Request, response: Response, context: TheContext, address: Address
) -> SignedInShape:
    """With what the provider sent the browser back with, once. What they may do is what their groups let them do."""
    context.limits.address(address)
    browser = browser_of(request, context, address)
    federation = _federation(context)
    handle = cookies.handle_of(request, context.settings.staff)
    cookies.drop_handle(request, response, context.settings.staff)
    try:
        told = await federation.finish(handle or "", body.code, body.state, body.iss)
        roles, granted = _held(federation.settings, told)
        subject, locale = (told.issuer, told.subject), LANGUAGES[asker_language(request)]
        account = await context.accounts.admit(subject, told.name, told.shown_name, roles, granted, locale)
    except Unreachable:
        raise Problem("provider-unreachable") from None
    except Refused as refused:
        logs.event("sign-in failed", how="provider", why=refused.why)
        raise Problem("provider-refused") from None
    except NotAdmitted:
        logs.event("sign-in failed", how="provider", why="not admitted")
        raise Problem("not-admitted") from None
    return keep(request, response, context, await context.sign_ins.begin(account, browser, "provider", told.proof))


def _held(settings: ProviderSettings, told: ProviderClaims) -> tuple[list[Role], list[ProjectRole]]:
    """What the groups let somebody do: everywhere, and in one project each."""
    theirs = [group for group in settings.groups if group.name in told.groups]
    everywhere = [role for group in theirs if not group.project for role in group.roles]
    return everywhere, [ProjectRole(role, group.project) for group in theirs if group.project for role in group.roles]


def _back(request: Request, context: AppContext) -> str:
    return f"{origin_of(request, context)}/staff/"
