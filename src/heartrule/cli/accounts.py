"""``heartrule accounts``: who can sign in; for who cannot any more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from heartrule.cli.faults import stop
from heartrule.cli.keys import in_store
from heartrule.cli.safe_text import echo, echo_json
from heartrule.cli.settings import Data, Form, Lang, settings
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.identity.accounts import Accounts, MadeLink
    from heartrule.store.accounts import AccountRecord

T = TypeVar("T")
accounts = typer.Typer(invoke_without_command=True)
Name = Annotated[str, typer.Argument(metavar="NAME", help=said("登录用的名字。", "What they sign in with."))]


class RoleName(StrEnum):
    COUNSELLOR = "counsellor"
    DEVELOPER = "developer"
    REVIEWER = "reviewer"
    ADMINISTRATOR = "administrator"


Roles = Annotated[
    list[RoleName] | None,
    typer.Option(
        "--role",
        help=said("能做什么，可以写几次（默认 counsellor）。", "What they may do; may be given several times."),
        show_default=False,
    ),
]
Scope = Annotated[
    list[str] | None,
    typer.Option(
        "--project",
        help=said("只看这些脚本项目的会谈（默认全部）。", "Only sessions of these projects (default: all)."),
        show_default=False,
    ),
]


@accounts.callback()
def listed(
    context: typer.Context,
    form: Form = "text",
    data: Data = None,
    lang: Lang = None,
) -> None:
    if context.invoked_subcommand is not None:
        return
    words = Words(spoken_here(lang))
    found = _with(data, words, lambda all_: all_.all())
    if form == "json":
        echo_json([_plain(each) for each in found])
        return
    for each in found:
        echo(_line(each, words))
    if not found:
        echo(words("accounts_none"))


@accounts.command(help=said("新建一个账户，给出选密码的链接。", "Make an account, with the link to choose a password."))
def add(name: Name, role: Roles = None, project: Scope = None, data: Data = None, lang: Lang = None) -> None:
    words = Words(spoken_here(lang))
    wanted = {each.value for each in role or [RoleName.COUNSELLOR]}

    from heartrule.identity.principal import ROLES

    async def work(all_: Accounts) -> MadeLink:
        _, made = await all_.invite(_terminal(), name, [each for each in ROLES if each in wanted], project or ["*"])
        return made

    _tell(_with(data, words, work), name, words)


@accounts.command(
    help=said(
        "给一个选新密码的链接；还没有账户时给第一个管理员的链接。",
        "A link to choose a new password by; without a name, that of the first administrator.",
    )
)
def link(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help=said("登录用的名字。", "What they sign in with."))
    ] = None,
    data: Data = None,
    lang: Lang = None,
) -> None:
    words = Words(spoken_here(lang))

    async def work(all_: Accounts) -> MadeLink | None:
        if name is None:
            return await all_.first_link()
        return await all_.link(_terminal(), (await all_.named(name)).id)

    made = _with(data, words, work)
    if made is None:
        raise stop(words("accounts_are_some"), 2)
    _tell(made, name or words("accounts_first"), words)


@accounts.command(help=said("停用一个账户：马上在所有地方退出。", "Disable an account: it is signed out everywhere."))
def disable(name: Name, data: Data = None, lang: Lang = None) -> None:
    _switch(name, data, lang, disabled=True)


@accounts.command(help=said("恢复一个停用的账户。", "Let a disabled account in again."))
def enable(name: Name, data: Data = None, lang: Lang = None) -> None:
    _switch(name, data, lang, disabled=False)


@accounts.command(
    help=said(
        "给一个账户在一个项目里的角色（项目用工作台里的编号）；--take-away 收回。",
        "Give an account a role in one project, by the id it has in the workbench; --take-away takes it back.",
    )
)
def grant(
    name: Name,
    role: Annotated[Literal["developer", "reviewer"], typer.Option("--role", help=said("什么角色。", "Which role."))],
    project: Annotated[str, typer.Option("--project", help=said("哪个项目。", "In which project."))],
    take_away: Annotated[bool, typer.Option("--take-away", help=said("收回这个角色。", "Take it back."))] = False,
    data: Data = None,
    lang: Lang = None,
) -> None:
    words = Words(spoken_here(lang))

    from heartrule.identity.accounts import granted_of
    from heartrule.identity.principal import ProjectRole

    async def work(all_: Accounts) -> AccountRecord:
        found = await all_.named(name)
        left = [each for each in granted_of(found) if each != ProjectRole(role, project)]
        wanted = left if take_away else [*left, ProjectRole(role, project)]
        return await all_.change(_terminal(), found.id, granted=wanted)

    echo(_line(_with(data, words, work), words))


@accounts.command(
    name="reset-codes", help=said("丢了验证器的人：关掉一次性验证码。", "For who has lost what makes their codes.")
)
def reset_codes(name: Name, data: Data = None, lang: Lang = None) -> None:
    words = Words(spoken_here(lang))

    async def work(all_: Accounts) -> AccountRecord:
        return await all_.reset_codes(_terminal(), (await all_.named(name)).id)

    echo(words("accounts_codes_off", name=_with(data, words, work).name))


def _switch(name: str, data: Data, lang: Lang, *, disabled: bool) -> None:
    words = Words(spoken_here(lang))

    async def work(all_: Accounts) -> AccountRecord:
        return await all_.change(_terminal(), (await all_.named(name)).id, disabled=disabled)

    echo(_line(_with(data, words, work), words))


def _terminal() -> str:
    from heartrule.identity.accounts import TERMINAL

    return TERMINAL


def _with(data: Data, words: Words, work: Callable[[Accounts], Awaitable[T]]) -> T:
    from heartrule.identity.accounts import Accounts, BadName, LastAdministrator, NoSuchAccount, ProviderSignsIn
    from heartrule.identity.passwords import Passwords
    from heartrule.server.settings import ServerConfigError, ServerSettings
    from heartrule.sessions.clock import SystemClock
    from heartrule.store.accounts import NameTaken

    refusals: dict[type[Exception], str] = {
        NoSuchAccount: "accounts_unknown",
        LastAdministrator: "accounts_last",
        BadName: "token_refused",
        NameTaken: "accounts_taken",
        ProviderSignsIn: "accounts_provider_signs_in",
    }
    try:
        lasts = ServerSettings.load(settings(data).data).staff.links_last
    except ServerConfigError as error:
        raise stop(str(error)) from None
    return in_store(data, words, lambda store: work(Accounts(store, SystemClock(), Passwords(), lasts)), refusals)


def _tell(made: MadeLink, name: str, words: Words) -> None:
    echo(f"/staff/#/link/{made.token}")
    echo(words("accounts_link", name=name, until=f"{made.until:%Y-%m-%d %H:%M} UTC"), err=True)


def _line(account: AccountRecord, words: Words) -> str:
    from heartrule.cli.safe_text import shown

    marks = [words("accounts_disabled")] if account.disabled else []
    marks += [words("accounts_invited")] if account.is_invited else []
    marks += [words("accounts_provider")] if account.subject is not None else []
    marks += [words("accounts_passkeys", count=len(account.passkeys))] if account.passkeys else []
    marks += [words("accounts_codes")] if account.totp is not None else []
    roles = ", ".join(words.of("accounts_roles", role) for role in account.roles)
    granted = [f"{words.of('accounts_roles', role)} @ {project}" for role, project in account.granted]
    return "  ".join([shown(account.name), roles, ", ".join(account.projects), *granted, *marks])


def _plain(account: AccountRecord) -> dict[str, object]:
    return {
        "id": account.id,
        "name": account.name,
        "shown_name": account.shown_name,
        "roles": list(account.roles),
        "projects": list(account.projects),
        "disabled": account.disabled,
        "granted": [{"role": role, "project": project} for role, project in account.granted],
        "invited": account.is_invited,
        "passkeys": len(account.passkeys),
        "provider": account.subject is not None,
        "totp": account.totp is not None,
        "created_at": account.created_at.isoformat(),
    }
