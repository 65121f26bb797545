"""``heartrule service-tokens``: tokens of programs, each with what it may, that can be called back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from heartrule.cli.faults import stop
from heartrule.cli.keys import in_store
from heartrule.cli.safe_text import echo, echo_json
from heartrule.cli.settings import Data, Form, Lang
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.identity.services import MadeToken, Services
    from heartrule.store.service_tokens import ServiceToken
    from heartrule.store.store import Store

T = TypeVar("T")
service_tokens = typer.Typer(invoke_without_command=True)


@service_tokens.callback()
def listed(
    context: typer.Context,
    form: Form = "text",
    data: Data = None,
    lang: Lang = None,
) -> None:
    if context.invoked_subcommand is not None:
        return
    words = Words(spoken_here(lang))

    async def work(store: Store, all_: Services) -> tuple[list[ServiceToken], dict[str, str]]:
        names = {each.id: each.name for each in await store.accounts.all()}
        return list(await all_.all()), names

    found, names = _with(data, words, work)
    if form == "json":
        plain = [_plain(each, names.get(each.account, each.account)) for each in found]
        echo_json(plain)
        return
    for each in found:
        echo(_line(each, names.get(each.account, each.account), words))
    if not found:
        echo(words("services_none"))


@service_tokens.command(
    help=said(
        "给一个程序一个令牌：替一个账户办事，只能做给它的范围。令牌只显示这一次。",
        "A token for a program: it acts for an account, and may no more than its scopes. It is shown once.",
    )
)
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help=said("程序的名字。", "What the program is called."))],
    account: Annotated[
        str, typer.Option("--account", help=said("替谁办事：登录用的名字。", "For whom: the name they sign in with."))
    ],
    scope: Annotated[
        list[str],
        typer.Option("--scope", help=said("能做什么，可以写几次。", "What it may; may be given several times.")),
    ],
    days: Annotated[
        int, typer.Option("--days", min=1, max=366, help=said("多少天以后失效。", "Days until it expires."))
    ] = 90,
    data: Data = None,
    lang: Lang = None,
) -> None:
    words = Words(spoken_here(lang))

    from heartrule.identity.accounts import TERMINAL, NoSuchAccount

    async def work(store: Store, all_: Services) -> MadeToken:
        found = await store.accounts.named(account)
        if found is None:
            raise NoSuchAccount
        return await all_.make(TERMINAL, found.id, name, scope, days)

    made = _with(data, words, work)
    echo(made.token)
    echo(words("services_made", id=made.record.id, until=f"{made.record.until:%Y-%m-%d %H:%M} UTC"), err=True)


@service_tokens.command(help=said("撤销一个令牌：马上失效。", "Call a token back: it opens nothing any more, at once."))
def revoke(
    token: Annotated[
        str, typer.Argument(metavar="ID", help=said("令牌的编号（不是令牌本身）。", "The token's id, not the token."))
    ],
    data: Data = None,
    lang: Lang = None,
) -> None:
    words = Words(spoken_here(lang))

    from heartrule.identity.accounts import TERMINAL

    async def work(store: Store, all_: Services) -> bool:
        return await all_.revoke(TERMINAL, token)

    if not _with(data, words, work):
        raise stop(words("services_unknown"), 2)
    echo(words("services_revoked", id=token))


def _with(data: Data, words: Words, work: Callable[[Store, Services], Awaitable[T]]) -> T:
    from heartrule.identity.accounts import NoSuchAccount
    from heartrule.identity.rights import SCOPES
    from heartrule.identity.services import BadName, BadScope, Services, TooMany
    from heartrule.sessions.clock import SystemClock

    refusals: dict[type[Exception], str] = {
        NoSuchAccount: "accounts_unknown",
        BadName: "token_refused",
        BadScope: "services_scope",
        TooMany: "services_many",
    }
    return in_store(
        data, words, lambda store: work(store, Services(store, SystemClock())), refusals, scopes=", ".join(SCOPES)
    )


def _line(token: ServiceToken, owner: str, words: Words) -> str:
    from heartrule.cli.safe_text import shown

    used = (
        words("services_used", at=f"{token.used_at:%Y-%m-%d %H:%M} UTC") if token.used_at else words("services_unused")
    )
    until = words("services_until", at=f"{token.until:%Y-%m-%d %H:%M} UTC")
    return "  ".join([token.id, shown(token.name), shown(owner), " ".join(token.scopes), until, used])


def _plain(token: ServiceToken, owner: str) -> dict[str, object]:
    return {
        "id": token.id,
        "name": token.name,
        "account": owner,
        "scopes": list(token.scopes),
        "created_at": token.created_at.isoformat(),
        "expires_at": token.until.isoformat(),
        "used_at": token.used_at.isoformat() if token.used_at else None,
    }
