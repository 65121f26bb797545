"""Passkeys: signed in with, made by whoever has a link or is signed in, listed, taken away."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from heartrule import logs
from heartrule.identity import accounts as identity
from heartrule.identity import passkeys
from heartrule.identity.principal import Principal
from heartrule.server import sign_in_shapes as shapes
from heartrule.server.access import Address, TheContext
from heartrule.server.context import AppContext
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.routes.staff import DONE, FOUND, READ, Token
from heartrule.server.staff_access import Own
from heartrule.server.staff_shapes import SignedInShape
from heartrule.server.staff_sign_in import browser_of, keep, origin_of
from heartrule.store.accounts import AccountRecord, NameTaken

router = APIRouter(prefix="/staff", tags=["staff"])
Id = Annotated[str, Path(min_length=1, max_length=1400, pattern=r"^[A-Za-z0-9_-]+$")]
SIGNING = problems(400, 401, 403, 408, 413, 415)
LINKED = problems(400, 403, 404, 408, 409, 413, 415)


@router.post("/sign-in/passkey/begin", responses=problems(403))
async def begin(request: Request, context: TheContext, address: Address) -> shapes.Options:
    """What a passkey of this host is asked with; whose, the passkey says."""
    context.limits.address(address)
    browser_of(request, context, address)
    return shapes.Options(options=await context.passkeys.begin_signing_in(origin_of(request, context)))


@router.post("/sign-in/passkey", responses=SIGNING)
async def sign_in(
    body: shapes.CredentialBody, request: Request, response: Response, context: TheContext, address: Address
) -> SignedInShape:
    """With a passkey. No code is asked for besides: the device has asked who they are. Guesses at passwords keep nobody
    out here."""
    context.limits.address(address)
    browser = browser_of(request, context, address)
    try:
        account = await context.passkeys.whose(origin_of(request, context), body.credential)
    except passkeys.Refused:
        logs.event("sign-in failed", how="passkey")
        raise Problem("passkey-refused") from None
    return keep(request, response, context, await context.sign_ins.begin(account, browser, "passkey"))


# by a link


@router.post("/links/{token}/passkey/begin", responses=LINKED)
async def begin_by_link(
    token: Token, body: shapes.LinkName, request: Request, context: TheContext, address: Address
) -> shapes.Options:
    """What a browser makes a passkey from, for whoever has the link."""
    context.limits.address(address)
    browser_of(request, context, address)
    try:
        name, known = await context.accounts.named_by(token, body.name)
    except (identity.NoSuchLink, identity.NoSuchAccount):
        raise Problem("not-found") from None
    except identity.BadName:
        raise Problem("name-refused") from None
    account = known.id if known is not None else secrets.token_hex(8)
    told = {"link": token, "name": name}
    return shapes.Options(
        options=await context.passkeys.begin_making(origin_of(request, context), account, name, (), told)
    )


@router.post("/links/{token}/passkey", responses=LINKED)
async def make_by_link(
    token: Token,
    body: shapes.NewPasskey,
    request: Request,
    response: Response,
    context: TheContext,
    address: Address,
) -> SignedInShape:
    """The passkey is all that the account is signed in by from now on, once; all its sign-ins end. Signs in."""
    context.limits.address(address)
    browser = browser_of(request, context, address)
    try:
        made = await context.passkeys.made(origin_of(request, context), body.credential, body.title)
        if made.told.get("link") != token:
            raise passkeys.Refused
        account = await context.accounts.use_with_passkey(token, made.told["name"], made.told["account"], made.passkey)
    except passkeys.Refused:
        raise Problem("passkey-not-made") from None
    except (identity.NoSuchLink, identity.NoSuchAccount):
        raise Problem("not-found") from None
    except NameTaken:
        raise Problem("name-taken") from None
    except (identity.BadName, passkeys.BadTitle):
        raise Problem("name-refused") from None
    if account.disabled:
        raise Problem("not-found")
    return keep(request, response, context, await context.sign_ins.begin(account, browser, "passkey"))


# of one's own account


@router.get("/passkeys", responses=READ)
async def listed(context: TheContext, principal: Own) -> shapes.PasskeyList:
    """Yours, the oldest first."""
    return _listed(await context.accounts.find(principal.id))


def _listed(account: AccountRecord) -> shapes.PasskeyList:
    return shapes.PasskeyList(
        passkeys=[
            shapes.PasskeyShape(
                id=each.id,
                title=each.title,
                made_at=datetime.fromisoformat(each.made_at),
                used_at=datetime.fromisoformat(each.used_at) if each.used_at else None,
                synced=each.synced,
            )
            for each in account.passkeys
        ]
    )


@router.post("/passkeys/begin", responses=DONE)
async def begin_own(body: shapes.PasskeyProof, request: Request, context: TheContext, principal: Own) -> shapes.Options:
    """What a browser makes one from, for who has shown that it is they: by the password, or, without one, by having
    signed in just now (403 ``proof-needed``)."""
    known = await _proved(context, principal, body.password)
    if known.subject is not None:
        raise Problem("provider-signs-in")
    options = await context.passkeys.begin_making(
        origin_of(request, context), known.id, known.name, known.passkeys, {"link": None}
    )
    return shapes.Options(options=options)


@router.post("/passkeys", status_code=201, responses=DONE)
async def make(body: shapes.NewPasskey, request: Request, context: TheContext, principal: Own) -> shapes.PasskeyList:
    """A passkey of yours more."""
    try:
        made = await context.passkeys.made(origin_of(request, context), body.credential, body.title)
        if made.told.get("account") != principal.id or made.told.get("link") is not None:
            raise passkeys.Refused
        await context.accounts.add_passkey(principal.id, made.passkey)
    except (passkeys.Refused, identity.TooManyPasskeys):
        raise Problem("passkey-not-made") from None
    except passkeys.BadTitle:
        raise Problem("name-refused") from None
    return _listed(await context.accounts.find(principal.id))


@router.delete("/passkeys/{passkey}", status_code=204, responses=FOUND)
async def drop(passkey: Id, body: shapes.PasskeyProof, context: TheContext, principal: Own) -> None:
    """It opens nothing any more. All other sign-ins of yours end."""
    await _proved(context, principal, body.password)
    try:
        await context.accounts.drop_passkey(principal.id, passkey)
    except identity.NoSuchPasskey:
        raise Problem("not-found") from None
    except identity.LastWayIn:
        raise Problem("last-way-in") from None
    await context.sessions.store.sign_ins.end_all(principal.id, principal.sign_in)


async def _proved(context: AppContext, principal: Principal, password: str | None) -> AccountRecord:
    since, lasts = await context.sign_ins.since(principal), context.settings.staff.proof_lasts
    try:
        return await context.accounts.prove(principal.id, password, principal.sign_in or "", since, lasts)
    except identity.WrongPassword:
        raise Problem("password-wrong") from None
    except identity.ProofNeeded:
        raise Problem("proof-needed") from None
