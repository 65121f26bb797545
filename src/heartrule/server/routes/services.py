"""Programs' tokens: made by whoever they act for, listed, called back by them or by an administrator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, cast

from fastapi import APIRouter, Path

from heartrule.identity import services as identity
from heartrule.identity.rights import may, scopes_of
from heartrule.server import sign_in_shapes as shapes
from heartrule.server.access import TheContext
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.routes.staff import DONE, READ
from heartrule.server.staff_access import AccountsReader, Own
from heartrule.store.service_tokens import ServiceToken

router = APIRouter(prefix="/staff", tags=["staff"])
Id = Annotated[str, Path(max_length=64, pattern=r"^[0-9a-f]+$")]


@router.get("/service-tokens", responses=READ)
async def own(context: TheContext, principal: Own) -> shapes.ServiceList:
    """Yours, the oldest first."""
    found = await context.services.of(principal.id)
    return shapes.ServiceList(
        services=_listed(found, {principal.id: principal.name}), scopes=_scopes(scopes_of(principal))
    )


@router.get("/service-tokens/all", responses=READ)
async def every(context: TheContext, principal: AccountsReader) -> shapes.ServiceList:
    """Everybody's, the oldest first."""
    names = {each.id: each.shown_name for each in await context.accounts.all()}
    found = await context.services.all()
    return shapes.ServiceList(services=_listed(found, names), scopes=_scopes(scopes_of(principal)))


@router.post("/service-tokens", status_code=201, responses=DONE)
async def make(body: shapes.NewService, context: TheContext, principal: Own) -> shapes.MadeService:
    """A token for a program that acts for you: it may what its scopes open, of what you may at the time. It is told
    once."""
    try:
        made = await context.services.make(principal.id, principal.id, body.name, body.scopes, body.days)
    except identity.BadScope:
        raise Problem("scope-refused") from None
    except identity.TooMany:
        raise Problem("too-many-services") from None
    except identity.BadName:
        raise Problem("name-refused") from None
    shown = _listed([made.record], {principal.id: principal.name})[0]
    return shapes.MadeService(service=shown, token=made.token)


@router.delete("/service-tokens/{service}", status_code=204, responses=problems(401, 403, 404))
async def revoke(service: Id, context: TheContext, principal: Own) -> None:
    """It opens nothing any more, at once. Yours; an administrator may call back anybody's."""
    whose = None if may(principal, "accounts.change") else principal.id
    if not await context.services.revoke(principal.id, service, whose):
        raise Problem("not-found")


def _listed(found: Sequence[ServiceToken], names: Mapping[str, str]) -> list[shapes.ServiceShape]:
    return [
        shapes.ServiceShape(
            id=each.id,
            account=each.account,
            owner=names.get(each.account, each.account),
            name=each.name,
            scopes=_scopes(each.scopes),
            created_at=each.created_at,
            expires_at=each.until,
            used_at=each.used_at,
        )
        for each in found
    ]


def _scopes(names: Sequence[str]) -> list[shapes.Scope]:
    return [cast(shapes.Scope, each) for each in names]
