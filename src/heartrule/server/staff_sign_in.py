"""What the routes by which staff sign in share: what comes with the browser, and what it is given."""

from __future__ import annotations

from fastapi import Request, Response

from heartrule.identity.principal import ROLES, Principal
from heartrule.identity.sign_in import Browser, SignedIn, csrf_of
from heartrule.server import cookies
from heartrule.server import staff_shapes as shapes
from heartrule.server.context import AppContext
from heartrule.server.problems import Problem


def browser_of(request: Request, context: AppContext, address: str) -> Browser:
    """Nobody is signed in by a page of another origin."""
    settings = context.settings.staff
    if cookies.is_from_elsewhere(request, settings):
        raise Problem("csrf")
    return Browser(
        address=address,
        agent=request.headers.get("user-agent", ""),
        device=cookies.device_of(request, settings),
        token=cookies.token_of(request, settings),
    )


def origin_of(request: Request, context: AppContext) -> str:
    """The address at which the staff come."""
    return context.settings.staff.origin or str(request.base_url).rstrip("/")


def principal_shape(principal: Principal) -> shapes.PrincipalShape:
    return shapes.PrincipalShape(
        id=principal.id,
        name=principal.name,
        roles=[role for role in ROLES if role in principal.roles],
        locale=principal.locale,
        projects=list(principal.projects),
        granted=[shapes.ProjectRoleShape(role=each.role, project=each.project) for each in principal.granted],
    )


def keep(request: Request, response: Response, context: AppContext, signed_in: SignedIn) -> shapes.SignedInShape:
    cookies.keep(request, response, context.settings.staff, signed_in)
    return shapes.SignedInShape(principal=principal_shape(signed_in.principal), csrf=csrf_of(signed_in.token))
