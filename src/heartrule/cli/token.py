"""``heartrule token``: lets somebody of the staff in. ``heartrule audit``: what they did."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from heartrule.cli.faults import stop
from heartrule.cli.safe_text import echo, echo_json
from heartrule.cli.settings import Data, Form, Lang, settings
from heartrule.cli.words import Words, said, spoken_here

if TYPE_CHECKING:
    from heartrule.store.audit import AuditRecord


def token(
    name: Annotated[
        str,
        typer.Option("--name", help=said("来访者会看到的名字。", "The name that visitors are shown.")),
    ],
    role: Annotated[
        Literal["counsellor", "reviewer", "developer"],
        typer.Option("--role", help=said("这个人能做什么。", "What they may do.")),
    ] = "counsellor",
    who: Annotated[
        str | None,
        typer.Option(
            "--id",
            help=said("这个人在记录里的编号（默认同名字）。", "Their id on record (by default the name)."),
            show_default=False,
        ),
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            "--project",
            help=said(
                "只看这些脚本项目的会谈，可以写几次（默认全部）。", "Only sessions of these projects (default: all)."
            ),
            show_default=False,
        ),
    ] = None,
    hours: Annotated[
        int, typer.Option("--hours", min=1, max=168, help=said("多少小时以后失效。", "Hours until it expires."))
    ] = 12,
    data: Data = None,
    lang: Lang = None,
) -> None:
    import asyncio

    from heartrule.cli.keys import opened
    from heartrule.identity.principal import EVERY
    from heartrule.server.tokens import Invalid, Staff, Tokens
    from heartrule.sessions.clock import SystemClock

    words = Words(spoken_here(lang))
    staff = Staff(who or name, name, role, tuple(scope or (EVERY,)))
    with opened(settings(data), words) as store:
        tokens = Tokens(asyncio.run(store.token_key()), None, SystemClock())
        try:
            issued = tokens.of_staff(staff, timedelta(hours=hours))
        except Invalid:
            raise stop(words("token_refused"), 2) from None
    echo(issued.token)
    echo(words("token_made", name=name, until=f"{issued.expires_at:%Y-%m-%d %H:%M} UTC"), err=True)


def audit(
    session: Annotated[
        str | None,
        typer.Option("--session", help=said("只看一场会谈。", "Only one session."), show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help=said("最多多少行。", "At most so many lines."))] = 100,
    form: Form = "text",
    data: Data = None,
    lang: Lang = None,
) -> None:
    import asyncio

    from heartrule.cli.keys import opened

    words = Words(spoken_here(lang))
    with opened(settings(data), words) as store:
        found = asyncio.run(store.audit.newest(limit, session))
    if form == "json":
        echo_json([_plain(each) for each in found])
        return
    for each in found:
        echo(_line(each, words))
    if not found:
        echo(words("audit_none"))


def _line(record: AuditRecord, words: Words) -> str:
    from heartrule.cli.safe_text import shown

    what = words.of("audit_deeds", record.what)
    return f"{record.at:%Y-%m-%d %H:%M:%S} UTC  {shown(record.who)} ({record.role})  {what}  {shown(record.session)}"


def _plain(record: AuditRecord) -> dict[str, str]:
    return {
        "at": record.at.isoformat(),
        "who": record.who,
        "role": record.role,
        "what": record.what,
        "session": record.session,
    }
