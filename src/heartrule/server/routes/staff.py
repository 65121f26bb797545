"""The staff's own: signing in and out, what belongs to an account, and accounts for who administers them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from heartrule import logs
from heartrule.identity import accounts as identity
from heartrule.identity.login_throttle import TooSoon
from heartrule.identity.passwords import Refused
from heartrule.identity.principal import ROLES, ProjectRole
from heartrule.identity.sign_in import CodeNeeded, Failed, csrf_of
from heartrule.server import cookies
from heartrule.server import staff_shapes as shapes
from heartrule.server.access import Address, TheContext
from heartrule.server.context import AppContext
from heartrule.server.problems import Problem
from heartrule.server.routes.answers import problems
from heartrule.server.sign_in_shapes import SignedOut
from heartrule.server.staff_access import AccountsChanger, AccountsReader, Auditor, Own
from heartrule.server.staff_sign_in import browser_of, keep, origin_of, principal_shape
from heartrule.store.accounts import AccountRecord, NameTaken

router = APIRouter(prefix="/staff", tags=["staff"])

Token = Annotated[str, Path(min_length=8, max_length=100, pattern=r"^[A-Za-z0-9_-]+$")]
Id = Annotated[str, Path(max_length=64, pattern=r"^[0-9a-f]+$")]
READ = problems(401, 403)
DONE = problems(400, 401, 403, 408, 409, 413, 415)
FOUND = problems(400, 401, 403, 404, 408, 409, 413, 415)


@router.post("/sign-in", responses=problems(400, 401, 403, 408, 413, 415))
async def sign_in(
    body: shapes.SignInBody, request: Request, response: Response, context: TheContext, address: Address
) -> shapes.SignedInShape:
    """With a name and a password, and a one-time code where codes are on (401 ``code-needed``). Who tries wrong ones
    waits longer and longer, and keeps nobody else out."""
    context.limits.address(address)
    browser = browser_of(request, context, address)
    try:
        found = await context.sign_ins.with_password(body.name, body.password, body.code, browser)
    except Failed:
        logs.event("sign-in failed", how="password")
        raise Problem("sign-in-failed") from None
    except CodeNeeded:
        raise Problem("code-needed") from None
    except identity.WrongCode:
        logs.event("sign-in failed", how="password", why="code")
        raise Problem("code-wrong") from None
    except TooSoon:
        logs.event("sign-in failed", how="password", why="too soon")
        raise
    return keep(request, response, context, found)


@router.get("/me", responses=READ)
async def me(request: Request, context: TheContext, principal: Own) -> shapes.SignedInShape:
    """Who is signed in."""
    token = cookies.token_of(request, context.settings.staff) or ""
    return shapes.SignedInShape(principal=principal_shape(principal), csrf=csrf_of(token))


@router.patch("/me", responses=DONE)
async def tell(body: shapes.OwnBody, request: Request, context: TheContext, principal: Own) -> shapes.SignedInShape:
    """What persons are shown as your name, and your language."""
    try:
        account = await context.accounts.tell_of_oneself(principal.id, body.name, body.locale)
    except NameTaken:
        raise Problem("name-taken") from None
    except identity.BadName:
        raise Problem("name-refused") from None
    return await me(request, context, identity.principal_of(account, principal.sign_in))


@router.post("/sign-out", responses=READ)
async def sign_out(request: Request, response: Response, context: TheContext, principal: Own) -> SignedOut:
    """The cookie opens nothing any more, wherever a copy of it may be. Who signed in at a provider is told where to go
    to be signed out there as well."""
    current = await context.sign_ins.current(principal)
    await context.sign_ins.end(principal, principal.sign_in or "")
    cookies.drop(request, response, context.settings.staff)
    if context.federation is None or current is None or current.proof is None:
        return SignedOut(url=None)
    return SignedOut(url=await context.federation.leaving(current.proof, f"{origin_of(request, context)}/staff/"))


@router.get("/sign-ins", responses=READ)
async def sign_ins(context: TheContext, principal: Own) -> shapes.SignInList:
    """Where you are signed in, used last first."""
    return shapes.SignInList(
        sign_ins=[
            shapes.SignInShape(
                id=each.id,
                agent=each.agent,
                created_at=each.created_at,
                seen_at=each.seen_at,
                expires_at=each.until,
                current=each.id == principal.sign_in,
            )
            for each in await context.sign_ins.of(principal)
        ]
    )


@router.delete("/sign-ins/{sign_in}", status_code=204, responses=problems(401, 403, 404))
async def end(sign_in: Id, context: TheContext, principal: Own) -> None:
    """End a sign-in of yours."""
    if not await context.sign_ins.end(principal, sign_in):
        raise Problem("not-found")


# links


@router.get("/links/{token}", responses=problems(404))
async def link(token: Token, context: TheContext, address: Address) -> shapes.LinkShape:
    """What a link is for. One that has been used, or whose time is over, does not exist."""
    context.limits.address(address)
    try:
        found, account = await context.accounts.looked_at(token)
    except (identity.NoSuchLink, identity.NoSuchAccount):
        raise Problem("not-found") from None
    return shapes.LinkShape(
        kind=found.kind,
        name=account.name if account else None,
        passkey=account is None or account.totp is None,
        expires_at=found.until,
    )


@router.post("/links/{token}", responses=problems(400, 403, 404, 408, 409, 413, 415))
async def use_link(
    token: Token,
    body: shapes.LinkBody,
    request: Request,
    response: Response,
    context: TheContext,
    address: Address,
) -> shapes.LinkUsed:
    """Choose a password, once. All sign-ins of the account end. Signs in, unless one-time codes are on."""
    context.limits.address(address)
    browser = browser_of(request, context, address)
    try:
        account = await context.accounts.use(token, body.name, body.password)
    except (identity.NoSuchLink, identity.NoSuchAccount):
        raise Problem("not-found") from None
    except Refused:
        raise Problem("password-refused") from None
    except NameTaken:
        raise Problem("name-taken") from None
    except identity.BadName:
        raise Problem("name-refused") from None
    if account.totp is not None or account.disabled:
        return shapes.LinkUsed(principal=None, csrf=None)
    found = keep(request, response, context, await context.sign_ins.begin(account, browser, "link"))
    return shapes.LinkUsed(principal=found.principal, csrf=found.csrf)


# what belongs to an account


@router.get("/security", responses=READ)
async def security(context: TheContext, principal: Own) -> shapes.Security:
    """Whether one-time codes are on, how many recovery codes are left, and what else signs you in."""
    account = await context.accounts.find(principal.id)
    return shapes.Security(
        totp=account.totp is not None,
        recovery_codes_left=len(account.recovery),
        password=account.password is not None,
        provider=account.subject is not None,
    )


@router.post("/password", status_code=204, responses=DONE)
async def password(body: shapes.PasswordBody, context: TheContext, principal: Own) -> None:
    """Choose another password. All other sign-ins of yours end. Whoever tries wrong ones waits longer and longer, here
    and wherever else the password is asked for again, in this sign-in alone."""
    try:
        await context.accounts.choose_password(principal.id, body.old, body.new, principal.sign_in or "")
    except identity.WrongPassword:
        raise Problem("password-wrong") from None
    except Refused:
        raise Problem("password-refused") from None


@router.post("/totp", responses=DONE)
async def begin_codes(body: shapes.ProofBody, context: TheContext, principal: Own) -> shapes.CodesBegun:
    """A secret for an app that makes one-time codes. It counts once a code of it has been told."""
    try:
        secret, uri = await context.accounts.begin_codes(principal.id, body.password, principal.sign_in or "")
    except identity.WrongPassword:
        raise Problem("password-wrong") from None
    return shapes.CodesBegun(secret=secret, uri=uri)


@router.put("/totp", responses=DONE)
async def confirm_codes(body: shapes.CodeBody, context: TheContext, principal: Own) -> shapes.RecoveryCodes:
    """From now on a code is asked for. The recovery codes are told once: each opens in place of a code, once."""
    try:
        told = await context.accounts.confirm_codes(principal.id, body.code, principal.sign_in or "")
    except identity.WrongCode:
        raise Problem("code-not-right") from None
    return shapes.RecoveryCodes(recovery_codes=told)


@router.delete("/totp", status_code=204, responses=DONE)
async def drop_codes(body: shapes.ProofBody, context: TheContext, principal: Own) -> None:
    """No code is asked for any more."""
    try:
        await context.accounts.drop_codes(principal.id, body.password, principal.sign_in or "")
    except identity.WrongPassword:
        raise Problem("password-wrong") from None


# for who administers


async def _account(context: AppContext, record: AccountRecord) -> shapes.AccountShape:
    return _shown(record, await context.sessions.store.sign_ins.last_seen())


def _shown(record: AccountRecord, seen: Mapping[str, datetime]) -> shapes.AccountShape:
    return shapes.AccountShape(
        id=record.id,
        name=record.name,
        shown_name=record.shown_name,
        roles=[role for role in ROLES if role in record.roles],
        projects=list(record.projects),
        granted=[shapes.ProjectRoleShape(role=each.role, project=each.project) for each in identity.granted_of(record)],
        locale=record.locale,
        disabled=record.disabled,
        invited=record.is_invited,
        totp=record.totp is not None,
        passkeys=len(record.passkeys),
        provider=record.subject is not None,
        created_at=record.created_at,
        seen_at=seen.get(record.id),
    )


def _granted(given: Sequence[shapes.GrantedBody]) -> list[ProjectRole]:
    return [ProjectRole(each.role, each.project) for each in given]


def _made(request: Request, context: AppContext, made: identity.MadeLink) -> shapes.MadeLinkShape:
    return shapes.MadeLinkShape(
        url=f"{origin_of(request, context)}/staff/#/link/{made.token}",
        token=made.token,
        kind=made.kind,
        expires_at=made.until,
    )


@router.get("/accounts", responses=READ)
async def accounts(context: TheContext, principal: AccountsReader) -> shapes.AccountList:
    """Everybody who can sign in, the oldest account first."""
    seen = await context.sessions.store.sign_ins.last_seen()
    return shapes.AccountList(accounts=[_shown(each, seen) for each in await context.accounts.all()])


@router.get("/projects", responses=READ)
async def projects(context: TheContext, principal: AccountsReader) -> shapes.NamedProjects:
    """The projects of the workbench in which a role may be given, the oldest first; nothing of what is in them."""
    names = {each.id: each.shown_name for each in await context.accounts.all()}
    return shapes.NamedProjects(
        projects=[
            shapes.NamedProject(id=each.id, name=each.name, owner=names.get(each.owner, each.owner))
            for each in await context.sessions.store.projects.all()
        ]
    )


@router.post("/accounts", status_code=201, responses=DONE)
async def invite(
    body: shapes.NewAccount, request: Request, context: TheContext, principal: AccountsChanger
) -> shapes.InvitedStaff:
    """A new account, with the link by which its owner chooses a password."""
    try:
        account, made = await context.accounts.invite(
            principal.id, body.name, body.roles, body.projects, body.shown_name, body.locale, _granted(body.granted)
        )
    except NameTaken:
        raise Problem("name-taken") from None
    except identity.BadName:
        raise Problem("name-refused") from None
    return shapes.InvitedStaff(account=await _account(context, account), link=_made(request, context, made))


@router.patch("/accounts/{account}", responses=FOUND)
async def change(
    account: Id, body: shapes.AccountChange, context: TheContext, principal: AccountsChanger
) -> shapes.AccountShape:
    """What an account may do. Whoever is disabled is signed out everywhere at once."""
    try:
        changed = await context.accounts.change(
            principal.id,
            account,
            roles=body.roles,
            projects=body.projects,
            granted=None if body.granted is None else _granted(body.granted),
            disabled=body.disabled,
            shown_name=body.shown_name,
        )
    except identity.NoSuchAccount:
        raise Problem("not-found") from None
    except identity.LastAdministrator:
        raise Problem("last-administrator") from None
    except NameTaken:
        raise Problem("name-taken") from None
    except identity.BadName:
        raise Problem("name-refused") from None
    return await _account(context, changed)


@router.post("/accounts/{account}/link", responses=FOUND)
async def new_link(
    account: Id, request: Request, context: TheContext, principal: AccountsChanger
) -> shapes.MadeLinkShape:
    """A link by which the account's owner chooses a password. One made before counts no more."""
    try:
        return _made(request, context, await context.accounts.link(principal.id, account))
    except identity.NoSuchAccount:
        raise Problem("not-found") from None
    except identity.ProviderSignsIn:
        raise Problem("provider-signs-in") from None


@router.delete("/accounts/{account}/sign-ins", status_code=204, responses=FOUND)
async def end_all(account: Id, context: TheContext, principal: AccountsChanger) -> None:
    """Signs somebody out everywhere, now."""
    try:
        await context.accounts.sign_out(principal.id, account)
    except identity.NoSuchAccount:
        raise Problem("not-found") from None


@router.delete("/accounts/{account}/totp", responses=FOUND)
async def reset_codes(account: Id, context: TheContext, principal: AccountsChanger) -> shapes.AccountShape:
    """For who has lost what makes their one-time codes."""
    try:
        return await _account(context, await context.accounts.reset_codes(principal.id, account))
    except identity.NoSuchAccount:
        raise Problem("not-found") from None


@router.get("/audit", responses=READ)
async def audit(
    context: TheContext,
    principal: Auditor,
    session: Annotated[str | None, Query(max_length=64, pattern=r"^[0-9a-f]+$")] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> shapes.AuditList:
    """Who of the staff did what, and when; without a word of what was said."""
    found = await context.sessions.store.audit.newest(limit, session)
    names = {each.id: each.shown_name for each in await context.accounts.all()}
    return shapes.AuditList(
        records=[
            shapes.AuditShape(
                at=each.at,
                who=each.who,
                name=names.get(each.who),
                role=each.role,
                what=each.what,
                session=each.session or None,
                detail=each.detail or None,
            )
            for each in found
        ]
    )
